"""Noise and threshold of the coarse estimate (TRI, Algorithm 1): from counts to a bin.

Each occupied bin has the score C + Lap(2 / epsilon); the largest score counts if it exceeds

    theta = 2 + (2 / epsilon) log(1 / delta)             as printed in Algorithm 1,
    theta = 1 + (2 / epsilon) log(1 / (2 delta))         the lowest one that keeps the promise.

A record alone in its bin passes with probability q = e^((1 - theta) epsilon / 2) / 2 (theta >= 1),
which is the exact delta of one swap: delta e^(-epsilon / 2) / 2 as printed, delta at the lowest.
The proof for the lowest threshold needs 1 / (1 - delta) <= e^(epsilon / 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Arithmetic

__all__ = ["THRESHOLDS", "CoarseRule", "at_most_exp", "check_lower", "coarse_rule"]

THRESHOLDS = ("printed", "lower")
"""Names of the two thresholds."""


@final
@dataclass(frozen=True, slots=True)
class CoarseRule:
    """How noisy counts decide, in exact numbers."""

    scale: Fraction
    """Of the Laplace noise on each count."""
    offset: Fraction
    slope: Fraction
    argument: Fraction
    """`offset`, `slope`, `argument`: the threshold is offset + slope log(argument)."""

    def threshold(self, numbers: Arithmetic[Any]) -> Any:
        """Return theta, in records."""
        log = numbers.log(numbers.rational(self.argument))
        return numbers.rational(self.offset) + numbers.rational(self.slope) * log


def coarse_rule(epsilon: Fraction, delta: Fraction, threshold: str = "printed") -> CoarseRule:
    """Return the rule of Algorithm 1, with one of the `THRESHOLDS`."""
    scale = slope = 2 / epsilon
    if threshold == "lower":
        return CoarseRule(scale, Fraction(1), slope, 1 / (2 * delta))
    return CoarseRule(scale, Fraction(2), slope, 1 / delta)


def check_lower(epsilon: Fraction, delta: Fraction) -> None:
    """Refuse the lower threshold for delta above 1 - e^(-epsilon / 2), decided exactly."""
    if delta == 1 or not at_most_exp(1 / (1 - delta), epsilon / 2):
        msg = (
            "delta must be at most 1 - exp(-epsilon / 2) for threshold='lower', "
            f"got delta={delta}, epsilon={epsilon}"
        )
        raise InvalidArgument(msg)


def at_most_exp(number: Fraction, exponent: Fraction) -> bool:
    """Whether number <= e^exponent, for exponent > 0, by the series of the exponential.

    The exponential of a rational other than 0 is irrational, so enough terms always decide.
    """
    term = total = Fraction(1)
    k = 0
    while number > total:
        k += 1
        term *= exponent / k
        total += term
        # The terms behind this one fall at least as fast as a geometric series.
        if k + 1 > exponent and number > total + term * exponent / (k + 1 - exponent):
            return False
    return True
