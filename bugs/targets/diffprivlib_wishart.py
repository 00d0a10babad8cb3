"""diffprivlib 0.3.0: a positive semidefinite matrix is added, so the output is never below."""

import sys
import types

import numpy as np

sys.modules["diffprivlib.models"] = types.ModuleType("diffprivlib.models")  # needs an old sklearn
from diffprivlib.mechanisms import Wishart  # noqa: E402

MECHANISM = Wishart().set_epsilon(1.0).set_sensitivity(1.0)


def release(data, _):
    """Answer the noisy square of the one number."""
    return MECHANISM.randomise(np.array([[data]]))[0, 0]


def event(output):
    """Say whether the output is below 1."""
    return output < 1.0
