"""diffprivlib 0.6.6: folded Laplace noise is added in doubles, whose bits tell the value."""

import math

from diffprivlib.mechanisms import LaplaceFolded


def release(data, rng):
    """Answer the value with noise."""
    return LaplaceFolded(epsilon=1, sensitivity=1, lower=0, upper=2, random_state=rng).randomise(
        data
    )


def event(output):
    """Say whether there are bits below 2^-53."""
    return math.ldexp(output, 53) % 1 != 0
