"""Checks of the parameters of noise laws, and the two constants that most of them share."""

from __future__ import annotations

import math
from fractions import Fraction

from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_fraction, shown

__all__ = ["check_epsilon", "check_gamma", "check_scale", "decay"]

EPSILON_LEAST = Fraction(1, 10**9)
EPSILON_MOST = Fraction(500)
"""Range in which doubles hold the levels of a draw and the fourth power of its scale."""

SCALE_MOST = Fraction(10**75)  # its fourth power is a double


def check_epsilon(epsilon: object, name: str = "epsilon") -> Fraction:
    """Check epsilon per unit of sensitivity: greater than 0, and from 1e-9 to 500."""
    check_fraction(epsilon, name, above=0)
    return check_fraction(epsilon, name, at_least=EPSILON_LEAST, at_most=EPSILON_MOST)


def check_scale(scale: object, name: str) -> Fraction:
    """Check a scale in the unit of the data: greater than 0, and from 1e-75 to 1e75."""
    check_fraction(scale, name, above=0)
    return check_fraction(scale, name, at_least=1 / SCALE_MOST, at_most=SCALE_MOST)


def check_gamma(gamma: object, default: float) -> Fraction:
    """Check gamma in (0, 1]; None stands for the exact value of the double `default`."""
    if gamma is None:
        return Fraction(default)
    exact_gamma = check_fraction(gamma, "gamma", above=0, at_most=1)
    if float(exact_gamma) == 0:
        msg = f"gamma must be a positive double, got gamma={shown(gamma)}"
        raise InvalidArgument(msg)
    return exact_gamma


def decay(epsilon: Fraction) -> tuple[float, float]:
    """Return b = e^-epsilon and 1 - b, each to full precision."""
    return math.exp(-epsilon), -math.expm1(-epsilon)
