"""diffprivlib 0.6.6: Gaussian noise is added in doubles, whose last bits depend on the value."""

import math

from diffprivlib.mechanisms import Gaussian


def release(data, rng):
    """Answer the value with noise."""
    return Gaussian(epsilon=1, delta=1e-5, sensitivity=1, random_state=rng).randomise(data)


def event(output):
    """Say whether there are bits below 2^-53."""
    return math.ldexp(output, 53) % 1 != 0
