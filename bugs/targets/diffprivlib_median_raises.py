"""diffprivlib 0.6.6: weights underflow to 0, and the median raises on one of two neighbors."""

from diffprivlib import tools


def release(data, rng):
    """Answer the noisy median."""
    return tools.median(data, epsilon=1.0, bounds=(0, 1), random_state=rng)


def event(output):
    """Say whether it raised."""
    return isinstance(output, dict)
