"""diffprivlib 0.6.6: one record that is NaN makes the released mean NaN."""

from diffprivlib import tools


def release(data, rng):
    """Answer the noisy mean."""
    return tools.mean(data, epsilon=1.0, bounds=(0, 1), random_state=rng)


def event(output):
    """Say whether the mean is NaN."""
    return output != output
