"""OpenDP 0.4.0: Laplace noise is added in doubles, whose last bits depend on the value."""

import math

import numpy as np

np.bool8 = np.bool_  # a name that this release reads
from opendp.meas import make_base_laplace  # noqa: E402
from opendp.mod import enable_features  # noqa: E402

enable_features("contrib", "floating-point")
MEASUREMENT = make_base_laplace(1.0)
STATED = 1.0 + 1e-9 if MEASUREMENT.check(1.0, 1.0 + 1e-9) else math.inf


def release(data, _):
    """Answer the value with noise."""
    return MEASUREMENT(data)


def event(output):
    """Say whether there are bits below 2^-53."""
    return math.ldexp(output, 53) % 1 != 0
