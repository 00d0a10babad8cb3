"""OpenDP 0.16.0: inner nodes of a tree of counts wrap around at 2^31."""

import opendp.prelude as dp

dp.enable_features("contrib")
MEASUREMENT = dp.t.make_b_ary_tree(
    dp.vector_domain(dp.atom_domain(T=int), size=2),
    dp.l1_distance(T=int),
    leaf_count=2,
    branching_factor=2,
) >> dp.m.then_laplace(scale=2.0)
STATED = MEASUREMENT.map(1)


def release(data, _):
    """Answer the noisy tree."""
    return MEASUREMENT(data)


def event(output):
    """Say whether the root is negative."""
    return output[0] < 0
