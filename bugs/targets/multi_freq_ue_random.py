"""multi-freq-ldpy 0.2.5: amplification by sampling, counted for one attribute that differs."""

import numpy as np
from multi_freq_ldpy.mdim_freq_est.RSpFD_solution import RSpFD_UE_rnd_Client
from numba import njit


@njit
def seed(number):
    """Seed the generator of compiled code."""
    np.random.seed(number)


def release(data, rng):
    """Answer two bits of each of two attributes."""
    seed(rng.randint(2**31))
    parts = RSpFD_UE_rnd_Client(list(data), [2, 2], 2, 1.0, optimal=False)
    return [int(bit) for part in parts for bit in part]


def event(output):
    """Say whether the bits are those of the tuple (0, 0)."""
    return output == [1, 0, 1, 0]
