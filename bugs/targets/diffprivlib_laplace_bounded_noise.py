"""diffprivlib 0.6.6: bounded noise is added in doubles, whose last bits depend on the value."""

import math

from diffprivlib.mechanisms import LaplaceBoundedNoise


def release(data, rng):
    """Answer the value with noise."""
    return LaplaceBoundedNoise(epsilon=1, delta=0.1, sensitivity=1, random_state=rng).randomise(
        data
    )


def event(output):
    """Say whether there are bits below 2^-53."""
    return math.ldexp(output, 53) % 1 != 0
