"""diff-priv-laplace-python 1.0.5: the sensitivity of a median is 1 whatever the data are."""

import numpy as np
from diffpriv_laplace import DiffPrivStatistics


def release(data, _):
    """Answer the noisy median."""
    return DiffPrivStatistics.median(np.array(data), epsilon=1.0)


def event(output):
    """Say whether the median is above the middle."""
    return output > 5.0
