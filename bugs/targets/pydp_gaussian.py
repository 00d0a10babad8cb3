"""python-dp 1.1.5: Gaussian noise comes with bits that depend on the value."""

import math

from pydp.algorithms import numerical_mechanisms

MECHANISM = numerical_mechanisms.GaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=1.0)


def release(data, _):
    """Answer the value with noise."""
    return MECHANISM.add_noise(data)


def event(output):
    """Say whether there are bits below 2^-53."""
    return math.ldexp(output, 53) % 1 != 0
