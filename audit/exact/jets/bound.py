"""Supremum of a function over a box in one or two dimensions: branch and bound with jets.

The function is a formula over an `Arithmetic`. On a cell its jet gives an enclosure of the values
and of the slopes, and an upper bound is the least of

* the upper end of the values;
* with one free side [a, b] and slopes [m, M], m < 0 < M, the height at which the lines with slope M
  through (a, f(a)) and with slope m through (b, f(b)) meet,
  (M f(b) - m f(a) - m M (b - a)) / (M - m): the mean-value form, taken from both ends;
* with two free sides of widths w_i and center c, f(c) + sum of w_i max |S_i| / 2 (mean-value form).

A cell on which a slope has one sign is replaced by its face at the end to which the function
grows. Cells are split best first; none is dropped, and those that stay open are returned. At a
jump between two cells each takes its own one-sided limit, so that the supremum is the one over the
open cells (for densities: the essential supremum).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, pairwise, product
from typing import Any, final

from audit.exact.jets.arithmetic import JetArithmetic
from audit.exact.jets.jet import Jet
from audit.exact.jets.points import Box, points
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Arithmetic
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less, endpoints

__all__ = [
    "BUDGET",
    "Covered",
    "Decision",
    "Formula",
    "Peak",
    "Supremum",
    "at_most",
    "box_of",
    "recheck",
    "supremum",
]

Formula = Callable[[Any, Arithmetic[Any]], Any]
"""Takes an exact point (in two dimensions a tuple of two) and the arithmetic to compute in."""

BUDGET = 20_000
"""Cells evaluated, where no other number is asked for."""

Interval = tuple[Fraction, Fraction]
_Pending = tuple[Box, Box, tuple[Interval, Interval] | None]


@final
@dataclass(frozen=True, slots=True)
class Covered:
    """A part of the box, and what was proved of the function there.

    Parameters
    ----------
    box : Box
        The part.
    face : Box
        A face of it on which the function reaches its supremum over the part (slopes of one
        sign); the part itself where no slope has one sign.
    upper : Fraction or None
        Upper bound of the function on the part; None where none was found.
    """

    box: Box
    face: Box
    upper: Fraction | None


@final
@dataclass(frozen=True, slots=True)
class Peak:
    """A point with an enclosure of the function there.

    Parameters
    ----------
    point : tuple of Fraction
        Coordinates.
    lower, upper : Fraction
        Ends of the enclosure.
    part : Box
        The part whose formula was used; at a jump the value is its one-sided limit.
    """

    point: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction
    part: Box


@final
@dataclass(frozen=True, slots=True)
class Supremum:
    """An enclosure of the supremum.

    Parameters
    ----------
    lower : Fraction or None
        Reached at `peak`; None where the function could be evaluated nowhere.
    upper : Fraction or None
        None where some part stayed without a bound.
    peak : Peak or None
        Where the lower end is reached.
    cells : int
        Number of cells evaluated.
    cover : tuple of Covered
        Parts that make up the whole box.
    undecided : tuple of Covered
        Those of them that keep `upper` more than the tolerance above `lower`.
    """

    lower: Fraction | None
    upper: Fraction | None
    peak: Peak | None
    cells: int
    cover: tuple[Covered, ...]
    undecided: tuple[Covered, ...]


@final
@dataclass(frozen=True, slots=True)
class Decision:
    """Answer to "is the supremum at most the limit?".

    Parameters
    ----------
    limit : Fraction
        The bound that was asked about.
    holds : bool or None
        None where some part stayed undecided.
    cover : tuple of Covered
        Parts that make up the whole box; with `holds` True each has an `upper` of at most the
        limit.
    witness : Peak or None
        With `holds` False, a point whose `lower` is above the limit.
    undecided : tuple of Covered
        With `holds` None, the parts that stayed open.
    cells : int
        Number of cells evaluated.
    """

    limit: Fraction
    holds: bool | None
    cover: tuple[Covered, ...]
    witness: Peak | None
    undecided: tuple[Covered, ...]
    cells: int


@final
@dataclass(slots=True)
class _Cell:
    """A part under work; `ends` are the values at the ends of the one free side of its face."""

    box: Box
    face: Box
    upper: Fraction | None
    slopes: tuple[Interval, ...] | None
    ends: tuple[Interval, Interval] | None


def box_of(*sides: tuple[Fraction | int, Fraction | int]) -> Box:
    """Return a box with the given sides.

    Raises
    ------
    InvalidArgument
        Unless there are one or two sides, each with its lower end below its upper end.
    """
    box = tuple((Fraction(lower), Fraction(upper)) for lower, upper in sides)
    if len(box) not in (1, 2) or any(lower >= upper for lower, upper in box):
        msg = f"box must have one or two sides (lower, upper) with lower < upper, got {sides!r}"
        raise InvalidArgument(msg)
    return box


def supremum(
    formula: Formula,
    box: Box,
    *,
    tolerance: Fraction = Fraction(1, 10**9),
    cuts: Sequence[Sequence[Fraction]] = (),
    budget: int = BUDGET,
    numbers: Balls | None = None,
) -> Supremum:
    """Enclose the supremum of a function over a box.

    Parameters
    ----------
    formula : callable
        The function, over an `Arithmetic`.
    box : Box
        One or two sides.
    tolerance : Fraction
        Where the enclosure is this narrow the search ends.
    cuts : sequence of sequence of Fraction, optional
        For each coordinate, where cells must end (kinks and jumps of the formula).
    budget : int
        Most cells to evaluate.
    numbers : Balls, optional
        Working precision; 64 bits by default.

    Returns
    -------
    Supremum

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.jets.bound import box_of, supremum
    >>> found = supremum(lambda x, numbers: numbers.rational(x * (1 - x)), box_of((0, 2)))
    >>> found.lower <= Fraction(1, 4) <= found.upper, found.peak.point
    (True, (Fraction(1, 2),))
    """
    search = _Search(formula, numbers or Balls(64))

    def small(cell: _Cell) -> bool:
        best = search.best
        return cell.upper is not None and best is not None and cell.upper - best.lower <= tolerance

    leaves = search.run(box, cuts, budget, small, lambda: False)
    cover = tuple(map(_covered, leaves))
    uppers = [cell.upper for cell in leaves if cell.upper is not None]
    upper = max(uppers) if len(uppers) == len(leaves) else None
    undecided = tuple(_covered(cell) for cell in leaves if not small(cell))
    lower = search.best and search.best.lower
    return Supremum(lower, upper, search.best, search.cells, cover, undecided)


def at_most(
    formula: Formula,
    box: Box,
    limit: Fraction,
    *,
    cuts: Sequence[Sequence[Fraction]] = (),
    budget: int = BUDGET,
    numbers: Balls | None = None,
) -> Decision:
    """Decide whether the supremum of a function over a box is at most a limit.

    Parameters
    ----------
    formula, box, cuts, budget, numbers
        As for `supremum`.
    limit : Fraction
        The bound in question.

    Returns
    -------
    Decision
        Proved, with the cells that cover the box; refuted, with a point; or undecided, with the
        cells that stayed open.
    """
    search = _Search(formula, numbers or Balls(64))
    limit = Fraction(limit)

    def proved(cell: _Cell) -> bool:
        return cell.upper is not None and cell.upper <= limit

    def refuted() -> bool:
        return search.best is not None and search.best.lower > limit

    leaves = search.run(box, cuts, budget, proved, refuted)
    cover = tuple(map(_covered, leaves))
    if refuted():
        return Decision(limit, False, cover, search.best, (), search.cells)
    undecided = tuple(_covered(cell) for cell in leaves if not proved(cell))
    return Decision(limit, None if undecided else True, cover, None, undecided, search.cells)


def recheck(
    formula: Formula, part: Covered, limit: Fraction, *, numbers: Balls | None = None
) -> bool:
    """Whether a part alone, evaluated once and without splitting, shows `limit` as its bound."""
    cell = _Search(formula, numbers or Balls(64)).evaluate(part.box, part.box, None)
    return cell.upper is not None and cell.upper <= limit


def _covered(cell: _Cell) -> Covered:
    return Covered(cell.box, cell.face, cell.upper)


@final
class _Search:
    """Branch and bound over one formula; keeps the best point and counts the cells."""

    __slots__ = ("arithmetic", "best", "cells", "formula", "numbers")

    def __init__(self, formula: Formula, numbers: Balls) -> None:
        self.formula, self.numbers = formula, numbers
        self.arithmetic = JetArithmetic(numbers)
        self.best: Peak | None = None
        self.cells = 0

    def run(
        self,
        box: Box,
        cuts: Sequence[Sequence[Fraction]],
        budget: int,
        closed: Callable[[_Cell], bool],
        stop: Callable[[], bool],
    ) -> list[_Cell]:
        """Split cells, the one with the largest bound first, until all are closed."""
        heap: list[tuple[bool, Fraction, int, _Cell]] = []
        leaves: list[_Cell] = []
        order, narrow = count(), [(b - a) / 2**self.numbers.bits for a, b in box]
        parts = list(product(*_sides(box, cuts)))
        for part, end in ((parts[0], 0), (parts[-1], 1)):  # corners are cheap, and often the worst
            self._value([side[end] for side in part], part)
        if stop():
            return [_Cell(part, part, None, None, None) for part in parts]
        pending: list[_Pending] = [(part, part, None) for part in parts]
        while True:
            for part, face, ends in pending:
                cell = self.evaluate(part, face, ends)
                height = Fraction(0) if cell.upper is None else -cell.upper
                heapq.heappush(heap, (cell.upper is not None, height, next(order), cell))
            if not heap or stop() or self.cells >= budget or closed(heap[0][-1]):
                return leaves + [entry[-1] for entry in heap]
            cell = heapq.heappop(heap)[-1]
            side = _widest(cell, narrow)
            pending = [] if side is None else self._halves(cell, side)
            if side is None:
                leaves.append(cell)

    def evaluate(self, box: Box, face: Box, ends: tuple[Interval, Interval] | None) -> _Cell:
        """Bound the function on a part, from its values, its slopes and its ends."""
        self.cells += 1
        while True:
            jet = self._jet(face, box)
            if jet is None or jet.slopes is None:
                self._value([(left + right) / 2 for left, right in face], box)
                upper = None if jet is None else endpoints(jet.value)[1]
                return _Cell(box, face, upper, None, None)
            reduced = _reduced(face, jet.slopes)
            if reduced == face:
                break
            if all(left == right for left, right in reduced):
                at = _known(face, reduced, ends) or self._value([x for x, _ in reduced], box)
                return _Cell(box, reduced, at and at[1], (), None)
            face, ends = reduced, None
        return self._mean_value(box, face, jet, ends)

    def _mean_value(
        self, box: Box, face: Box, jet: Jet, ends: tuple[Interval, Interval] | None
    ) -> _Cell:
        upper = endpoints(jet.value)[1]
        slopes = tuple(endpoints(s) for s in jet.slopes or ()) or ((Fraction(0),) * 2,) * len(face)
        free = [i for i, (left, right) in enumerate(face) if left < right]
        bound: Fraction | None = None
        if len(free) == 1:
            (i,) = free
            ends = ends or self._ends(box, face, i)
            if ends is not None:
                bound = _meeting(*ends, slopes[i], face[i][1] - face[i][0])
        else:
            center = self._value([(left + right) / 2 for left, right in face], box)
            if center is not None:
                sides = zip(slopes, face, strict=True)
                steep = (max(-m, M) * (right - left) for (m, M), (left, right) in sides)
                bound = center[1] + sum(steep, Fraction(0)) / 2
        return _Cell(box, face, upper if bound is None else min(upper, bound), slopes, ends)

    def _ends(self, box: Box, face: Box, side: int) -> tuple[Interval, Interval] | None:
        """Values at both ends of the free side."""
        place = [left for left, _ in face]
        first = self._value(place, box)
        second = self._value([*place[:side], face[side][1], *place[side + 1 :]], box)
        return None if first is None or second is None else (first, second)

    def _halves(self, cell: _Cell, side: int) -> list[_Pending]:
        """Split a cell across a side; the value between the halves is computed once."""
        left, right = cell.face[side]
        middle = (left + right) / 2
        halves: list[_Pending] = []
        between: Interval | None = None
        if cell.ends is not None:
            place = [low for low, _ in cell.face]
            between = self._value([*place[:side], middle, *place[side + 1 :]], cell.box)
        for half in (0, 1):
            part = (left, middle) if half == 0 else (middle, right)
            box = (*cell.box[:side], part, *cell.box[side + 1 :])
            face = (*cell.face[:side], part, *cell.face[side + 1 :])
            ends = None
            if cell.ends is not None and between is not None:
                ends = (between, cell.ends[1]) if half else (cell.ends[0], between)
            halves.append((box, face, ends))
        return halves

    def _jet(self, box: Box, piece: Box) -> Jet | None:
        """Return the jet over a box, or None where it cannot be enclosed."""
        place = points(box, piece, self.arithmetic)
        try:
            result = self.formula(place[0] if len(place) == 1 else place, self.arithmetic)
            return self.arithmetic.rational(result)
        except Undecided:
            return None

    def _value(self, place: Sequence[Fraction], piece: Box) -> Interval | None:
        """Enclose the value at a point, and keep the point if it is the best so far."""
        jet = self._jet(tuple((x, x) for x in place), piece)
        if jet is None:
            return None
        lower, upper = endpoints(jet.value)
        if self.best is None or lower > self.best.lower:
            self.best = Peak(tuple(place), lower, upper, piece)
        return lower, upper


def _sides(box: Box, cuts: Sequence[Sequence[Fraction]]) -> list[list[Interval]]:
    inside = [sorted(set(cut)) for cut in cuts] or [[] for _ in box]
    return [
        list(pairwise([left, *(c for c in cut if left < c < right), right]))
        for (left, right), cut in zip(box, inside, strict=True)
    ]


def _reduced(face: Box, slopes: tuple[Ball, ...]) -> Box:
    """Replace each free side along which the function has one direction by its better end."""
    if not slopes:
        return tuple((left, left) for left, _ in face)
    sides = []
    for (left, right), slope in zip(face, slopes, strict=True):
        if left < right and certainly_less(slope, 0) is False:
            sides.append((right, right))
        elif left < right and certainly_less(0, slope) is False:
            sides.append((left, left))
        else:
            sides.append((left, right))
    return tuple(sides)


def _known(face: Box, reduced: Box, ends: tuple[Interval, Interval] | None) -> Interval | None:
    """Value at the end that the one free side of a face is reduced to, if it is known."""
    if ends is None:
        return None
    moved_left = all(left == x for (left, _), (x, _) in zip(face, reduced, strict=True))
    return ends[0] if moved_left else ends[1]


def _meeting(left: Interval, right: Interval, slope: Interval, width: Fraction) -> Fraction:
    """Height at which the steepest lines from both ends meet; slope[0] < 0 < slope[1]."""
    m, M = slope
    rise, fall = left[1] + M * width, right[1] - m * width
    return min(rise, fall, (M * right[1] - m * left[1] - m * M * width) / (M - m))


def _widest(cell: _Cell, narrow: Sequence[Fraction]) -> int | None:
    """Side whose slope and width matter most; None where no side can be split further."""
    free = [
        i
        for i, ((left, right), least) in enumerate(zip(cell.face, narrow, strict=True))
        if right - left > least
    ]

    def weight(i: int) -> Fraction:
        left, right = cell.face[i]
        return (right - left) * (max(-cell.slopes[i][0], cell.slopes[i][1]) if cell.slopes else 1)

    return max(free, key=weight, default=None)
