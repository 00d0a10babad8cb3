"""diff-priv-laplace-python 1.0.5: the bounds that set the noise of a sum are those of the data."""

import numpy as np
from diffpriv_laplace import DiffPrivStatistics


def release(data, _):
    """Answer the noisy sum."""
    return DiffPrivStatistics.sum(np.array(data), epsilon=1.0)


def event(output):
    """Say whether the sum is 0 without noise."""
    return output == 0.0
