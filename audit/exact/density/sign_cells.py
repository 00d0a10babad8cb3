"""Where a log-ratio lies above a level: cells on which that is certain, and what is left over.

On a cell where the slope of D = ln(p / q) - epsilon excludes 0, one interval Newton step
c - D(c) / slope encloses its only zero and decides the rest of the cell; elsewhere cells are
halved. What is left has the relative width 2^-(bits / 3), and an upper bound of D.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import final

from audit.exact.jets.jet import Jet, JetArithmetic
from audit.exact.jets.points import point_of
from audit.exact.jets.supremum import Formula
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less, endpoints

MOST_CELLS = 4_000


@final
@dataclass(frozen=True, slots=True)
class SignCell:
    """An interval, and the sign of a function there."""

    lower: Fraction
    upper: Fraction
    sign: int
    """1 or -1 where certain, else 0."""
    most: Fraction | None = None
    """With sign 0, an upper bound of the function; None where none is known."""


def sign_cells(
    formula: Formula, lower: Fraction, upper: Fraction, numbers: Balls
) -> tuple[SignCell, ...]:
    """Cut an interval into cells of certain sign and small leftovers.

    `formula`: the function, over an `Arithmetic`, with one formula on the interval. `lower`,
    `upper`: the interval. `numbers`: working precision. Returns: ascending, making up the interval;
    neighbors of one sign are joined.
    """
    arithmetic, piece = JetArithmetic(numbers), (lower, upper)
    least = (upper - lower) / 2 ** (numbers.bits // 3)

    def jet(left: Fraction, right: Fraction) -> Jet | None:
        try:
            x = point_of((left, right), piece, arithmetic)
            return arithmetic.rational(formula(x, arithmetic))
        except Undecided:
            return None

    found: list[SignCell] = []
    pending, cells = [(lower, upper)], 0
    while pending:
        left, right = pending.pop()
        cells += 1
        over, middle = jet(left, right), (left + right) / 2
        slope = over.slope if over is not None and isinstance(over.slope, Ball) else None
        center = None if slope is None else jet(middle, middle)
        value = _enclosed(over, center, slope, numbers.between(left - middle, right - middle))
        sign = _sign(value)
        if sign or right - left <= least or cells > MOST_CELLS:
            most = None if value is None or sign else endpoints(value)[1]
            found.append(SignCell(left, right, sign, most))
        elif center is not None and slope is not None and _sign(slope):
            near, far = endpoints(center.value / slope)
            grid = least / 4  # ends of few digits, rounded outward and cut to the cell
            low = max(left, grid * (floor((middle - far) / grid) - 1))
            high = min(right, grid * (ceil((middle - near) / grid) + 1))
            if not 0 <= high - low <= (right - left) * Fraction(3, 4):
                pending += [(middle, right), (left, middle)]
                continue
            if high < right:
                found.append(SignCell(high, right, _sign(slope)))
            if left < low:
                found.append(SignCell(left, low, -_sign(slope)))
            pending.append((low, high))
        else:
            pending += [(middle, right), (left, middle)]
    return _joined(sorted(found, key=lambda cell: cell.lower))


def _enclosed(
    over: Jet | None, center: Jet | None, slope: Ball | None, offset: Ball
) -> Ball | None:
    """Return the narrower of the natural enclosure and the mean-value form."""
    if over is None or center is None or slope is None:
        return over and over.value
    mean = center.value + slope * offset

    def width(ball: Ball) -> Fraction:
        low, high = endpoints(ball)
        return high - low

    return min(over.value, mean, key=width)


def _sign(ball: Ball | None) -> int:
    if ball is None:
        return 0
    if certainly_less(0, ball):
        return 1
    return -1 if certainly_less(ball, 0) else 0


def _joined(cells: list[SignCell]) -> tuple[SignCell, ...]:
    joined: list[SignCell] = []
    for cell in cells:
        last = joined[-1] if joined else None
        if last is None or last.sign != cell.sign:
            joined.append(cell)
            continue
        both = None if last.most is None or cell.most is None else max(last.most, cell.most)
        joined[-1] = SignCell(last.lower, cell.upper, cell.sign, both)
    return tuple(joined)
