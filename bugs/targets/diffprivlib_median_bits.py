"""diffprivlib 0.6.6: a median is a double between two records, whose last bits tell of them."""

import math

from diffprivlib import tools


def release(data, rng):
    """Answer the noisy median."""
    return tools.median(data, epsilon=1.0, bounds=(0, 1), random_state=rng)


def event(output):
    """Say whether there are bits below 2^-53."""
    return math.ldexp(output, 53) % 1 != 0
