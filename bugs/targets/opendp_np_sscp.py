"""OpenDP 0.16.0: the norm of rows is about an origin, which the cross product forgets."""

import numpy as np
import opendp.prelude as dp

dp.enable_features("contrib", "idealized-numerics")
DOMAIN = dp.numpy.array2_domain(
    norm=1.0, p=2, origin=np.array([10.0, 0.0]), num_columns=2, size=6, nan=False, T=float
)
MEASUREMENT = (
    DOMAIN,
    dp.symmetric_distance(),
) >> dp.sklearn.decomposition.then_private_np_eigendecomposition(
    eigvals_epsilon=1.0, eigvecs_epsilons=[1.0]
)
STATED = MEASUREMENT.map(2)


def release(data, _):
    """Answer the larger noisy eigenvalue; rows are (record, 0)."""
    return max(MEASUREMENT(np.array([[value, 0.0] for value in data]))[0])


def event(output):
    """Say whether the eigenvalue is above the middle."""
    return output > 601
