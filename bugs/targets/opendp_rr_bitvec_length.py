"""OpenDP 0.16.0: vectors of two lengths are neighbors, and the length is released as it is."""

import opendp.prelude as dp

dp.enable_features("contrib")
MEASUREMENT = dp.m.make_randomized_response_bitvec(
    dp.bitvector_domain(max_weight=1), dp.discrete_distance(), f=0.5
)
STATED = MEASUREMENT.map(1)


def release(data, _):
    """Answer bytes."""
    return MEASUREMENT(bytes(data))


def event(output):
    """Say whether there are two bytes."""
    return len(output) == 2
