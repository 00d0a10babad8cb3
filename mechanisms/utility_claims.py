"""What is promised of an estimate's error: its bias, mean square, mean absolute value, and misses.

A mechanism states its promises for a data set with `utility_claims(data)`, and for independent
records of a law with `utility_claims_under(law, count)`; both are optional. A bound is in the unit
of the data (of a mean square: in its square). The error is the estimate less the truth, which is
the mean of the records, or of the law, unless the claim names another one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol, final, runtime_checkable

from mechanisms.claims import Source
from mechanisms.errors import InvalidArgument

__all__ = [
    "Quantity",
    "RecordLaw",
    "StatesUtility",
    "StatesUtilityOfLaws",
    "Truth",
    "UtilityClaim",
]


class Quantity(StrEnum):
    """What of the error a claim is about."""

    BIAS = "bias"
    """Absolute value of the mean error."""
    MSE = "mse"
    """Mean squared error."""
    MAE = "mae"
    """Mean absolute error."""
    MISS = "miss"
    """Probability that the estimate lies outside an interval."""


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """What is estimated.

    Parameters
    ----------
    value : Fraction or float
        In the unit of the data.
    words : str
        What it is: "mean of the signs".
    """

    value: Fraction | float
    words: str


@final
@dataclass(frozen=True, slots=True)
class UtilityClaim:
    """A bound of one quantity, on one data set or under one law, with the source of the promise.

    Parameters
    ----------
    quantity : Quantity
        What is bounded.
    bound : Fraction or float
        At least 0, finite; of a probability at most 1.
    source : Source
        Who says so.
    exactly : bool
        Whether the mean square or mean absolute error equals the bound.
    truth : Truth or None
        What is estimated; None for the mean.
    symmetric : bool
        Of a bias of 0: whether the estimate is promised to be symmetric about the truth, which
        makes its test exact whatever the tails are.
    given_success : bool
        Whether draws that are NaN, the failure symbol, are left out.
    square : Fraction, float or None
        With `exactly`: a bound of the mean of the fourth power of the error (of its square, for the
        mean absolute error). Without one, no sample can show that an error is too small.
    interval : (float, float) or None
        Of a miss: the closed interval.
    """

    quantity: Quantity
    bound: Fraction | float
    source: Source
    exactly: bool = False
    truth: Truth | None = None
    symmetric: bool = False
    given_success: bool = False
    square: Fraction | float | None = None
    interval: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        """Check that the parts fit each other."""
        of_mean = self.quantity in (Quantity.MSE, Quantity.MAE)
        most = 1 if self.quantity is Quantity.MISS else math.inf
        if not (0 <= self.bound <= most and math.isfinite(self.bound)):
            msg = f"bound must be finite, from 0 to {most}, got bound={self.bound!r}"
            raise InvalidArgument(msg)
        faults = {
            "exactly goes with a mean squared or mean absolute error": self.exactly and not of_mean,
            "square goes with exactly": self.square is not None and not self.exactly,
            "symmetric goes with a bias of 0": self.symmetric
            and (self.quantity is not Quantity.BIAS or self.bound != 0),
            "interval goes with a miss, and a miss with an interval": (self.interval is not None)
            != (self.quantity is Quantity.MISS),
        }
        for fault, wrong in faults.items():
            if wrong:
                msg = f"{fault}, got quantity={self.quantity.value!r}"
                raise InvalidArgument(msg)


class RecordLaw(Protocol):
    """The law of one record, as far as bounds of errors ask about it."""

    @property
    def mean(self) -> float:
        """Its mean."""
        ...

    @property
    def variance(self) -> float:
        """Its variance."""
        ...

    @property
    def symmetric(self) -> bool:
        """Whether it is symmetric about its mean."""
        ...

    @property
    def normal(self) -> bool:
        """Whether it is Gauss's law."""
        ...

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order, order at least 1."""
        ...

    def expectation(
        self, function: Callable[[float], float], kinks: tuple[float, ...] = ()
    ) -> float:
        """Mean of a function that is smooth except at the kinks and where the law is not."""
        ...


@runtime_checkable
class StatesUtility(Protocol):
    """A mechanism that promises something of its error on a data set."""

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """Promises on `data`; none where the theorem does not speak of such data."""
        ...


@runtime_checkable
class StatesUtilityOfLaws(Protocol):
    """A mechanism that promises something of its error under laws of records."""

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """Promises for `count` independent records; none where the law is in no such class."""
        ...
