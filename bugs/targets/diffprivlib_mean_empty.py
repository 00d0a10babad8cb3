"""diffprivlib 0.6.6: the mean of no records raises, so one record more or less is seen."""

from diffprivlib import tools


def release(data, rng):
    """Answer the noisy mean."""
    return tools.mean(data, epsilon=1.0, bounds=(0, 1), random_state=rng)


def event(output):
    """Say whether it raised."""
    return isinstance(output, dict)
