"""Supremum of a function over an interval: branch and bound with jets.

The function is a formula over an `Arithmetic`. On a cell [a, b] its jet gives an enclosure of the
values and of the slope, and an upper bound is the least of

* the upper end of the values;
* with slopes [m, M], m < 0 < M, the height at which the lines with slope M through (a, f(a)) and
  with slope m through (b, f(b)) meet, (M f(b) - m f(a) - m M (b - a)) / (M - m): the mean-value
  form, taken from both ends.

A cell on which the slope has one sign has its supremum at the end to which the function grows.
Cells are split best first, and none is dropped. At a jump between two cells each takes its own
one-sided limit, so that the supremum is the one over the open cells (for densities: the essential
supremum).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, pairwise
from typing import Any, final

from audit.exact.jets.jet import Jet, JetArithmetic
from audit.exact.jets.points import Interval, point_of
from mechanisms.protocols import Arithmetic
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less, endpoints

Formula = Callable[[Any, Arithmetic[Any]], Any]
"""Takes an exact point and the arithmetic to compute in."""

BUDGET = 20_000
"""Cells evaluated, where no other number is asked for."""

Ends = tuple[Interval, Interval] | None
"""Enclosures of the values at the two ends of a cell, where they are known."""


@final
@dataclass(frozen=True, slots=True)
class Supremum:
    """An enclosure of the supremum."""

    lower: Fraction | None
    """Reached; None where the function could be evaluated nowhere."""
    upper: Fraction | None
    """None where some cell stayed without a bound."""
    cells: int
    """How many were evaluated."""


@final
@dataclass(frozen=True, slots=True)
class Decision:
    """Answer to "is the supremum at most the limit?"."""

    holds: bool | None
    """None where some cell stayed undecided."""
    cells: int


def supremum(
    formula: Formula,
    ends: Sequence[Fraction],
    *,
    tolerance: Fraction = Fraction(1, 10**9),
    budget: int = BUDGET,
    numbers: Balls,
) -> Supremum:
    """Enclose the supremum of a function over an interval.

    `ends`: of the interval, and between them where cells must end (kinks and jumps of the formula),
    ascending. `tolerance`: where the enclosure is this narrow the search ends. `budget`: most cells
    to evaluate. `numbers`: working precision.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.jets.supremum import supremum
    >>> from proofs_check.enclosure import Balls
    >>> ends = Fraction(0), Fraction(2)
    >>> found = supremum(lambda x, n: n.rational(x * (1 - x)), ends, numbers=Balls(64))
    >>> found.lower <= Fraction(1, 4) <= found.upper
    True
    """
    search = _Branches(formula, numbers)

    def small(cell: _Cell) -> bool:
        best = search.best
        return cell.upper is not None and best is not None and cell.upper - best <= tolerance

    leaves = search.run(ends, budget, small, lambda: False)
    uppers = [cell.upper for cell in leaves if cell.upper is not None]
    return Supremum(search.best, max(uppers) if len(uppers) == len(leaves) else None, search.cells)


def at_most(
    formula: Formula,
    ends: Sequence[Fraction],
    limit: Fraction,
    *,
    budget: int = BUDGET,
    numbers: Balls,
) -> Decision:
    """Decide whether the supremum of a function over an interval is at most a limit.

    `formula`, `ends`, `budget`, `numbers`: as for `supremum`.
    """
    search = _Branches(formula, numbers)

    def proved(cell: _Cell) -> bool:
        return cell.upper is not None and cell.upper <= limit

    def refuted() -> bool:
        return search.best is not None and search.best > limit

    leaves = search.run(ends, budget, proved, refuted)
    if refuted():
        return Decision(False, search.cells)
    return Decision(True if all(map(proved, leaves)) else None, search.cells)


@final
@dataclass(frozen=True, slots=True)
class _Cell:
    """A part of the interval and an upper bound there; None where none was found."""

    place: Interval
    upper: Fraction | None
    ends: Ends = None
    is_final: bool = False
    """Whether the bound is the value at an end, which no halves improve."""


@final
class _Branches:
    """Branch and bound over one formula; keeps the best value and counts the cells."""

    __slots__ = ("arithmetic", "best", "cells", "formula", "numbers")

    def __init__(self, formula: Formula, numbers: Balls) -> None:
        self.formula, self.numbers = formula, numbers
        self.arithmetic = JetArithmetic(numbers)
        self.best: Fraction | None = None
        self.cells = 0

    def run(
        self,
        ends: Sequence[Fraction],
        budget: int,
        closed: Callable[[_Cell], bool],
        stop: Callable[[], bool],
    ) -> list[_Cell]:
        """Split cells, the one with the largest bound first, until all are closed."""
        heap: list[tuple[bool, Fraction, int, _Cell]] = []
        leaves: list[_Cell] = []
        order, narrow = count(), (ends[-1] - ends[0]) / 2**self.numbers.bits
        parts = list(pairwise(ends))
        for part, end in ((parts[0], 0), (parts[-1], 1)):  # the ends are cheap, and often the worst
            self._value(part[end], part)
        if stop():
            return []
        pending: list[tuple[Interval, Ends]] = [(part, None) for part in parts]
        while True:
            for part, known in pending:
                cell = self._bounded(part, known)
                height = Fraction(0) if cell.upper is None else -cell.upper
                heapq.heappush(heap, (cell.upper is not None, height, next(order), cell))
            if not heap or stop() or self.cells >= budget or closed(heap[0][-1]):
                return leaves + [entry[-1] for entry in heap]
            cell = heapq.heappop(heap)[-1]
            if cell.is_final or cell.place[1] - cell.place[0] <= narrow:
                leaves.append(cell)
                pending = []
            else:
                pending = self._halves(cell)

    def _bounded(self, place: Interval, ends: Ends) -> _Cell:
        """Bound the function on a cell, from its values, its slope and its ends."""
        self.cells += 1
        jet = self._jet(place, place)
        if jet is None or jet.slope is None:
            self._value((place[0] + place[1]) / 2, place)
            return _Cell(place, None if jet is None else endpoints(jet.value)[1])
        if isinstance(jet.slope, int) or certainly_less(jet.slope, 0) is False:
            best = 0 if isinstance(jet.slope, int) else 1
        elif certainly_less(0, jet.slope) is False:
            best = 0
        else:
            return self._by_mean_value(place, jet.value, jet.slope, ends)
        at = ends[best] if ends is not None else self._value(place[best], place)
        return _Cell(place, at and at[1], is_final=True)

    def _by_mean_value(self, place: Interval, value: Ball, slope: Ball, ends: Ends) -> _Cell:
        upper = endpoints(value)[1]
        if ends is None:
            first, second = (self._value(end, place) for end in place)
            ends = None if first is None or second is None else (first, second)
        if ends is None:
            return _Cell(place, upper)
        (m, M), width = endpoints(slope), place[1] - place[0]
        left, right = ends[0][1], ends[1][1]
        meeting = (M * right - m * left - m * M * width) / (M - m)
        return _Cell(place, min(upper, left + M * width, right - m * width, meeting), ends)

    def _halves(self, cell: _Cell) -> list[tuple[Interval, Ends]]:
        """Split a cell; the value between the halves is computed once."""
        left, right = cell.place
        middle = (left + right) / 2
        between = None if cell.ends is None else self._value(middle, cell.place)
        if cell.ends is None or between is None:
            return [((left, middle), None), ((middle, right), None)]
        first, last = cell.ends
        return [((left, middle), (first, between)), ((middle, right), (between, last))]

    def _jet(self, cell: Interval, piece: Interval) -> Jet | None:
        """Return the jet over a cell, or None where it cannot be enclosed."""
        try:
            result = self.formula(point_of(cell, piece, self.arithmetic), self.arithmetic)
            return self.arithmetic.rational(result)
        except Undecided:
            return None

    def _value(self, place: Fraction, piece: Interval) -> Interval | None:
        """Enclose the value at a point, and keep its lower end if it is the best so far."""
        jet = self._jet((place, place), piece)
        if jet is None:
            return None
        lower, upper = endpoints(jet.value)
        if self.best is None or lower > self.best:
            self.best = lower
        return lower, upper
