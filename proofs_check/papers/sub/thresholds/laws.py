"""Exact laws of Algorithm 2 of SUB, on an interval and on a grid, for data given by counts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, final

from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints
from proofs_check.exponential import ExpRatio, ExpSum
from proofs_check.papers.sub.common import deficit

__all__ = [
    "Counts",
    "GridLaw",
    "LogRank",
    "LossCell",
    "nearest_rank",
    "probability",
    "threshold_cells",
    "weight_of",
]

Counts = Mapping[Any, int]
"""A multiset: how often each value occurs."""


@final
@dataclass(frozen=True, slots=True)
class LossCell:
    """Part of the range on which the loss is constant.

    Parameters
    ----------
    left, right : Fraction
        Ends.
    least, largest : int
        #{x < tau - alpha} and #{x <= tau + alpha}: the ranks that the window reaches.
    """

    left: Fraction
    right: Fraction
    least: int
    largest: int


def threshold_cells(
    data: Counts, low: Fraction | int, high: Fraction | int, alpha: Fraction
) -> list[LossCell]:
    """Cells of constant loss: the breakpoints are x - alpha and x + alpha."""
    inside = {Fraction(x) + sign * alpha for x in data for sign in (-1, 1)}
    edges = sorted({Fraction(low), Fraction(high)} | {x for x in inside if low < x < high})
    cells = []
    for left, right in pairwise(edges):
        tau = (left + right) / 2
        least = sum(count for x, count in data.items() if x < tau - alpha)
        largest = sum(count for x, count in data.items() if x <= tau + alpha)
        cells.append(LossCell(left, right, least, largest))
    return cells


def weight_of(rank: Fraction | int, epsilon: Fraction | int) -> Callable[[LossCell], ExpSum]:
    """Weight e^(-epsilon loss / 2) of a cell for a rational rank, its loss the distance to [least, largest]."""

    def weight(cell: LossCell) -> ExpSum:
        loss = Fraction(deficit(Fraction(rank), cell.least, cell.largest))
        return ExpSum.exp(-Fraction(epsilon) * loss / 2)

    return weight


def probability(
    cells: Sequence[LossCell],
    weight: Callable[[LossCell], ExpSum],
    lower: Fraction,
    upper: Fraction,
) -> ExpRatio:
    """Probability that the threshold lies in [lower, upper], exactly."""
    inside, total = ExpSum({}), ExpSum({})
    for cell in cells:
        of_one = weight(cell)
        total = total + of_one * (cell.right - cell.left)
        part = min(cell.right, upper) - max(cell.left, lower)
        if part > 0:
            inside = inside + of_one * part
    return inside / total


@final
@dataclass(frozen=True, slots=True)
class LogRank:
    """The rank base + sign (1 / epsilon + (2 / epsilon) log C) of Algorithm 3, for rational C.

    e^(epsilon rank / 2) = e^(epsilon base / 2) (C e^(1/2))^sign is a rational multiple of an
    exponential, so that weights are exact although the rank is no rational number.

    Parameters
    ----------
    epsilon : Fraction
        Privacy parameter of the call.
    argument : Fraction
        C.
    base : int
        0 for the lower threshold, |D| for the upper one.
    sign : int
        1 for the lower threshold, -1 for the upper one.
    """

    epsilon: Fraction
    argument: Fraction
    base: int = 0
    sign: int = 1

    def ball(self, bits: int = 128) -> Ball:
        """Enclose the rank."""
        numbers = Balls(bits)
        log = numbers.log(numbers.rational(self.argument))
        return self.base + self.sign * (1 + 2 * log) / self.epsilon

    def rounded_up(self) -> int:
        """Smallest integer that is at least the rank, which must not be one itself."""
        low, high = endpoints(self.ball(256))
        above = -(-low.numerator // low.denominator)
        if above != -(-high.numerator // high.denominator):
            msg = f"the rank {self!r} cannot be rounded"
            raise ArithmeticError(msg)
        return above

    def weight(self, distance_from: int, above: bool) -> ExpSum:
        """e^(-epsilon |rank - k| / 2) for an integer k, the rank being `above` k or not."""
        turn = -1 if above else 1
        factor = self.argument ** (turn * self.sign)
        exponent = self.epsilon * turn * (self.base - distance_from) / 2
        return ExpSum.exp(exponent + Fraction(turn * self.sign, 2), factor)


def nearest_rank(rank: LogRank) -> Callable[[LossCell], ExpSum]:
    """Weight of a cell, the loss being the distance to the nearest integer that it reaches."""
    above = rank.rounded_up()
    nearest = above if certainly_less(above - Fraction(1, 2), rank.ball(256)) else above - 1

    def weight(cell: LossCell) -> ExpSum:
        k = min(max(nearest, cell.least), cell.largest)
        return rank.weight(k, above=k < above)

    return weight


@final
@dataclass(frozen=True, slots=True)
class GridLaw:
    """Law of the rounded threshold on the grid 0, ..., V, with alpha a third of its step.

    P(i) ~ (1/3) ([i > 0] + [i < V]) e(l_i) + (1/6) [i > 0] e(g_(i-1)) + (1/6) [i < V] e(g_i)
    (SUB-C3.8p), with l_i the distance of the rank from [#{x < i}, #{x <= i}], g_i that from
    #{x <= i} alone, and e(loss) = e^(-epsilon loss / 2).

    Parameters
    ----------
    top : int
        V.
    values, upto : sequence of int
        Values of the data, sorted, and for each the number of points that are at most as large.
    rank : Fraction or int
        From below.
    exponential : callable
        e.
    """

    top: int
    values: Sequence[int]
    upto: Sequence[int]
    rank: Fraction | int
    exponential: Callable[[Fraction], Any]

    @classmethod
    def of(
        cls,
        data: Mapping[int, int],
        top: int,
        rank: Fraction | int,
        exponential: Callable[[Fraction], Any],
    ) -> GridLaw:
        """Prepare the law of data given by counts."""
        values = sorted(data)
        return cls(top, values, list(accumulate(data[x] for x in values)), rank, exponential)

    def at_most(self, i: int) -> int:
        """#{x <= i}."""
        place = bisect_right(self.values, i)
        return self.upto[place - 1] if place else 0

    def weight(self, i: int) -> Any:
        """P(i), up to a factor."""
        below, here = self.at_most(i - 1), self.at_most(i)
        at = self.exponential(Fraction(deficit(self.rank, below, here)))
        total = at * Fraction((i > 0) + (i < self.top), 3)
        for beside, ranks in ((i > 0, below), (i < self.top, here)):
            if beside:
                total = total + self.exponential(abs(Fraction(self.rank) - ranks)) / 6
        return total

    def total(self) -> Any:
        """Sum of all weights; they are equal strictly between values of the data."""
        knots = sorted({0, self.top} | {x for x in self.values if 0 <= x <= self.top})
        total = self.weight(knots[0])
        for left, right in pairwise(knots):
            total = total + self.weight(right)
            if right - left > 1:
                total = total + self.weight(left + 1) * (right - left - 1)
        return total
