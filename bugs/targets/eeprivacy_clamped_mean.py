"""eeprivacy 0.0.5: the clamped mean adds up the values as they are."""

from eeprivacy.operations import PrivateClampedMean

OPERATION = PrivateClampedMean(lower_bound=0.0, upper_bound=1.0)


def release(data, _):
    """Answer the noisy mean."""
    return OPERATION.execute(values=data, epsilon=1.0)


def event(output):
    """Say whether the mean is at its upper bound."""
    return output == 1.0
