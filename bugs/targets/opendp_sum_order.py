"""OpenDP 0.4.0: a sum of 32-bit floats depends on the order of records more than is claimed."""

import functools
import math

import numpy as np

np.bool8 = np.bool_  # a name that this release reads
from opendp.meas import make_base_laplace  # noqa: E402
from opendp.mod import enable_features  # noqa: E402
from opendp.trans import make_bounded_sum  # noqa: E402

enable_features("contrib", "floating-point")
SUM = make_bounded_sum((0.0, 1.0), T="f32")
NOISE = make_base_laplace(1.0, D="AllDomain<f32>")
STATED = 1.0 + 1e-6 if (SUM >> NOISE).check(1, 1.0 + 1e-6) else math.inf


@functools.cache
def total(data):
    """Add up by the library; without noise, so once is enough."""
    return SUM(list(data))


def release(data, _):
    """Answer the noisy sum."""
    return NOISE(total(tuple(data)))


def event(output):
    """Say whether the sum is above the middle."""
    return output > 16392.0
