"""multi-freq-ldpy 0.2.5: amplification by sampling, counted for one attribute that differs."""

import numpy as np
from multi_freq_ldpy.mdim_freq_est.RSpFD_solution import RSpFD_GRR_Client
from numba import njit


@njit
def seed(number):
    """Seed the generator of compiled code."""
    np.random.seed(number)


def release(data, rng):
    """Answer a tuple of two categories."""
    seed(rng.randint(2**31))
    return [int(value) for value in RSpFD_GRR_Client(list(data), [2, 2], 2, 1.0)]


def event(output):
    """Say whether both categories are 0."""
    return output == [0, 0]
