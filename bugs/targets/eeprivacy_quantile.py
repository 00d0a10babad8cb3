"""eeprivacy 0.0.5: scores move up and down by one record, and the noise is for one direction."""

from eeprivacy.operations import PrivateQuantile

OPERATION = PrivateQuantile(options=[0.5, 1.5])


def release(data, _):
    """Answer the noisy median."""
    import numpy as np

    return OPERATION.execute(values=np.array(data), epsilon=2.0, quantile=0.5)


def event(output):
    """Say whether the first option won."""
    return output == 0.5
