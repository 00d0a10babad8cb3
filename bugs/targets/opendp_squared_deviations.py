"""OpenDP 0.16.0: rounding of the mean moves each deviation, and the stability map leaves it out."""

import functools

import opendp.prelude as dp

dp.enable_features("contrib")
M = 2.0**50
QUERY = dp.t.make_sum_of_squared_deviations(
    dp.vector_domain(dp.atom_domain(bounds=(M, M + 1), nan=False), size=1024),
    dp.symmetric_distance(),
)
SCALE = 40.601  # a little above the stated sensitivity
NOISE = dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), SCALE)
STATED = (QUERY >> NOISE).map(2)


@functools.cache
def answer(data):
    """Ask the library; without noise, so once is enough."""
    return QUERY(list(data))


def release(data, _):
    """Answer the noisy sum of squared deviations."""
    return NOISE(answer(tuple(data)))


def event(output):
    """Say whether the sum is above the middle."""
    return output > 64
