"""diffpriv-pure 0.1.0: the noise of a count is never negative."""

import diffpriv_pure


def release(data, _):
    """Answer the noisy number of records."""
    return diffpriv_pure.private_count(len(data), 1.0)


def event(output):
    """Say whether the count is below two."""
    return output < 2
