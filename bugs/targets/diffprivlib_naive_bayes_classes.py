"""diffprivlib 0.6.6: the classes of a naive Bayes model are those that the records have."""

import numpy as np
from diffprivlib.models import GaussianNB


def release(data, rng):
    """Answer the classes of the fitted model; a record is a label."""
    model = GaussianNB(epsilon=1.0, bounds=([0.0], [1.0]), random_state=rng)
    return model.fit(np.zeros((len(data), 1)), np.array(data)).classes_


def event(output):
    """Say whether there are three classes."""
    return len(output) == 3
