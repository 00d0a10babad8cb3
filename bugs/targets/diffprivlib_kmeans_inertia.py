"""diffprivlib 0.6.6: the centers are noisy, but `inertia_` is computed from the records."""

import numpy as np
from diffprivlib.models import KMeans


def release(data, rng):
    """Answer the center and the inertia of one cluster."""
    model = KMeans(n_clusters=1, epsilon=1.0, bounds=([0], [1]), random_state=rng)
    model.fit(np.reshape(data, (-1, 1)))
    return [model.cluster_centers_[0, 0], model.inertia_]


def event(output):
    """Say whether the inertia is that of twenty records at 0."""
    return abs(output[1] - 20 * output[0] ** 2) < 1e-9
