"""OpenDP 0.16.0: a count that equals the threshold is released, and delta does not say so."""

import opendp.prelude as dp

dp.enable_features("contrib")
MEASUREMENT = dp.t.make_count_by(
    dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
) >> dp.m.then_laplace_threshold(scale=1.0, threshold=3)
STATED = MEASUREMENT.map(1)


def release(data, _):
    """Answer the counts of the names that are released."""
    return MEASUREMENT(data)


def event(output):
    """Say whether any name is released."""
    return len(output) > 0
