"""diffprivlib 0.6.6: the sensitivity of the squares is that of the lower bound, here 0."""

import numpy as np
from diffprivlib.models import LinearRegression


def release(data, rng):
    """Answer the slope through (record, 0)."""
    model = LinearRegression(
        epsilon=1.0, bounds_X=(0, 1), bounds_y=(0, 1), fit_intercept=False, random_state=rng
    )
    return model.fit(np.reshape(data, (-1, 1)), np.zeros(len(data))).coef_[0]


def event(output):
    """Say whether the slope is steeper than noise over the right data's square often is."""
    return abs(output) > 20
