"""Branch and bound on a box: cells by their bounds, mean-value forms, and halves."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, pairwise, product
from typing import Any, final

from audit.exact.jets.arithmetic import JetArithmetic
from audit.exact.jets.findings import Covered, Peak
from audit.exact.jets.jet import Jet
from audit.exact.jets.points import Box, points
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Arithmetic
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less, endpoints

__all__ = ["BUDGET", "BoxSearch", "Formula", "Node", "box_of", "covered"]

Formula = Callable[[Any, Arithmetic[Any]], Any]
"""Takes an exact point (in two dimensions a tuple of two) and the arithmetic to compute in."""
BUDGET = 20_000
"""Cells evaluated, where no other number is asked for."""
Interval = tuple[Fraction, Fraction]
_Pending = tuple[Box, Box, tuple[Interval, Interval] | None]


@final
@dataclass(slots=True)
class Node:
    """A part under work; `ends` are the values at the ends of the one free side of its face."""

    box: Box
    face: Box
    upper: Fraction | None
    slopes: tuple[Interval, ...] | None
    ends: tuple[Interval, Interval] | None


def box_of(*sides: tuple[Fraction | int, Fraction | int]) -> Box:
    """Return a box with the given sides.

    Raises InvalidArgument unless there are one or two sides, each with its lower end below its
    upper end.
    """
    box = tuple((Fraction(lower), Fraction(upper)) for lower, upper in sides)
    if len(box) not in (1, 2) or any(lower >= upper for lower, upper in box):
        msg = f"box must have one or two sides (lower, upper) with lower < upper, got {sides!r}"
        raise InvalidArgument(msg)
    return box


def covered(cell: Node) -> Covered:
    """What is known of an open cell."""
    return Covered(cell.box, cell.face, cell.upper)


@final
class BoxSearch:
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
        closed: Callable[[Node], bool],
        stop: Callable[[], bool],
    ) -> list[Node]:
        """Split cells, the one with the largest bound first, until all are closed."""
        heap: list[tuple[bool, Fraction, int, Node]] = []
        leaves: list[Node] = []
        order, narrow = count(), [(b - a) / 2**self.numbers.bits for a, b in box]
        parts = list(product(*_sides(box, cuts)))
        for part, end in ((parts[0], 0), (parts[-1], 1)):  # corners are cheap, and often the worst
            self._value([side[end] for side in part], part)
        if stop():
            return [Node(part, part, None, None, None) for part in parts]
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

    def evaluate(self, box: Box, face: Box, ends: tuple[Interval, Interval] | None) -> Node:
        """Bound the function on a part, from its values, its slopes and its ends."""
        self.cells += 1
        while True:
            jet = self._jet(face, box)
            if jet is None or jet.slopes is None:
                self._value([(left + right) / 2 for left, right in face], box)
                upper = None if jet is None else endpoints(jet.value)[1]
                return Node(box, face, upper, None, None)
            reduced = _reduced(face, jet.slopes)
            if reduced == face:
                break
            if all(left == right for left, right in reduced):
                at = _known(face, reduced, ends) or self._value([x for x, _ in reduced], box)
                return Node(box, reduced, at and at[1], (), None)
            face, ends = reduced, None
        return self._mean_value(box, face, jet, ends)

    def _mean_value(
        self, box: Box, face: Box, jet: Jet, ends: tuple[Interval, Interval] | None
    ) -> Node:
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
        return Node(box, face, upper if bound is None else min(upper, bound), slopes, ends)

    def _ends(self, box: Box, face: Box, side: int) -> tuple[Interval, Interval] | None:
        """Values at both ends of the free side."""
        place = [left for left, _ in face]
        first = self._value(place, box)
        second = self._value([*place[:side], face[side][1], *place[side + 1 :]], box)
        return None if first is None or second is None else (first, second)

    def _halves(self, cell: Node, side: int) -> list[_Pending]:
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


def _widest(cell: Node, narrow: Sequence[Fraction]) -> int | None:
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
