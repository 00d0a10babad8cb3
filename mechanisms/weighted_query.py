"""A weighted sum of records with Laplace noise, stated as data: record i has its own weight."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, final, runtime_checkable

from mechanisms.errors import InvalidArgument

__all__ = ["StatesWeightedQuery", "WeightedQuery"]


@final
@dataclass(frozen=True, slots=True)
class WeightedQuery:
    """The sum of w_i clip(x_i, low, high) plus Laplace noise; the release is a function of it.

    Parameters
    ----------
    weights : tuple of Fraction
        w_i of each record, in the order of the records.
    low, high : Fraction
        Public; a record outside is clipped, and a missing one counts as the midpoint.
    scale : Fraction
        Of the noise; 0 stands for none.

    Raises
    ------
    InvalidArgument
        If low is above high, or the scale is negative.
    """

    weights: tuple[Fraction, ...]
    low: Fraction
    high: Fraction
    scale: Fraction

    def __post_init__(self) -> None:
        if self.low > self.high:
            msg = f"low must be at most high, got low={self.low}, high={self.high}"
            raise InvalidArgument(msg)
        if self.scale < 0:
            msg = f"scale must be at least 0, got scale={self.scale}"
            raise InvalidArgument(msg)


@runtime_checkable
class StatesWeightedQuery(Protocol):
    """A mechanism whose release is a function of a noisy weighted sum."""

    def weighted_query(self) -> WeightedQuery:
        """State weights, interval and noise."""
        ...
