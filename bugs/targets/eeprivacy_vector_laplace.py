"""eeprivacy 0.0.5: one draw of noise is added to all coordinates of a vector."""

from eeprivacy.operations import PrivateVectorClampedMeanLaplace

OPERATION = PrivateVectorClampedMeanLaplace(lower_bound=0.0, upper_bound=1.0, k=2, N=2)


def release(data, _):
    """Answer the noisy mean vector."""
    return OPERATION.execute(vectors=data, epsilon=1.0, delta=0.0)


def event(output):
    """Say whether both coordinates are equal."""
    return abs(output[0] - output[1]) < 1e-9
