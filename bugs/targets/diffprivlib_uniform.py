"""diffprivlib 0.6.6: uniform noise is a multiple of 5 on a fine grid, which tells the value."""

import math

from diffprivlib.mechanisms import Uniform


def release(data, rng):
    """Answer the value with noise."""
    return Uniform(delta=0.1, sensitivity=1, random_state=rng).randomise(data)


def event(output):
    """Say whether a small output is a multiple of 5 times 2^-52."""
    return abs(output) < 1 and math.ldexp(output, 52) % 5 == 0
