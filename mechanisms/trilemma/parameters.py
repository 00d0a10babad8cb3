"""Checks of the public parameters of the trilemma's means."""

from __future__ import annotations

from fractions import Fraction

from mechanisms.errors import InvalidArgument
from mechanisms.noise.parameters import check_scale
from mechanisms.validation import check_bounds, check_fraction, shown

__all__ = [
    "CONSTANTS",
    "check_beta",
    "check_clip",
    "check_delta",
    "check_distance",
    "check_mean_range",
    "check_moment",
]

CONSTANTS = ("printed", "sharp")
"""Names of the two margins of Proposition 3.0.1."""

DELTA_LEAST = Fraction(1, 10**75)
"""A record divided by it is still a double, for records up to 1e233."""

MOMENT_MOST = 10**6
"""From here on margins are those of bounded records, to a few digits."""


def check_delta(delta: object) -> Fraction:
    """Check the probability of a coin: in (0, 1], and at least 1e-75."""
    check_fraction(delta, "delta", above=0)
    return check_fraction(delta, "delta", at_least=DELTA_LEAST, at_most=1)


def check_beta(beta: object) -> Fraction:
    """Check a bound of the bias in the unit of the data: greater than 0, from 1e-75 to 1e75."""
    return check_scale(beta, "beta")


def check_moment(moment: object, *, above_two: bool = False) -> Fraction:
    """Check the order of a central moment: at least 2, or greater than 2; at most 10^6."""
    above, at_least = (2, None) if above_two else (None, 2)
    return check_fraction(moment, "moment", above=above, at_least=at_least, at_most=MOMENT_MOST)


def check_distance(distance: object) -> float:
    """Check a distance of the mean from a clip end: greater than 0, from 1e-75 to 1e75."""
    return float(check_scale(distance, "distance"))


def check_mean_range(low: object, high: object) -> tuple[Fraction, Fraction]:
    """Check the public range of the mean: finite, `low < high`."""
    exact_low, exact_high = check_bounds(low, high)
    if exact_low == exact_high:
        msg = f"low must be less than high, got low={shown(low)}, high={shown(high)}"
        raise InvalidArgument(msg)
    return exact_low, exact_high


def check_clip(ends: tuple[float, float], epsilon: Fraction) -> tuple[float, float]:
    """Check the ends of a clip: different doubles, and the scale width / epsilon an ordinary one.

    A large range of the mean, or a margin that grows without bound as beta goes to 0, fails here.
    """
    lower, upper = ends
    if not lower < upper:
        msg = f"the clip ends must be different doubles, got {shown(lower)} and {shown(upper)}"
        raise InvalidArgument(msg)
    check_scale((Fraction(upper) - Fraction(lower)) / epsilon, "width of the clip / epsilon")
    return ends
