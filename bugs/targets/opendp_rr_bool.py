"""OpenDP 0.4.0: randomized response with probability 0.75 keeps the true answer too often."""

import math

import numpy as np

np.bool8 = np.bool_  # a name that this release reads
from opendp.meas import make_randomized_response_bool  # noqa: E402
from opendp.mod import enable_features  # noqa: E402

enable_features("contrib")
MEASUREMENT = make_randomized_response_bool(0.75)
STATED = math.log(3) + 1e-9 if MEASUREMENT.check(1, math.log(3) + 1e-9) else math.inf


def release(data, _):
    """Answer a truth value."""
    return MEASUREMENT(data)


def event(output):
    """Say whether the answer is yes."""
    return output is True
