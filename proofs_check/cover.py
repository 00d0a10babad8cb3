"""Inequalities on a box, by branch and bound over enclosures.

A box on which an enclosure of the function is certainly positive is done; another one is split
along its longest side. A point at which the function is certainly not positive refutes the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from heapq import heappop, heappush

from proofs_check.claim import Finding
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less
from proofs_check.statements.forms import Inequality
from proofs_check.statements.readings import evaluated
from proofs_check.statements.regions import note
from proofs_check.statements.terms import real_symbols

__all__ = ["cover", "positive"]

BOXES = 200_000
BITS = 64

Sides = tuple[tuple[Fraction, Fraction], ...]


def positive(
    function: Callable[..., Ball],
    box: Mapping[str, tuple[Fraction | int, Fraction | int]],
    *,
    numbers: Balls | None = None,
    boxes: int = BOXES,
) -> Finding:
    """Decide whether a function is positive everywhere on a box.

    Parameters
    ----------
    function : callable
        Takes a ball for each side, in the order of `box`; returns an enclosure of the values on
        them. `Undecided` counts as not decided on this box.
    box : mapping of str to (lower, upper)
        Name and ends of each side; the ends belong to the box.
    numbers : Balls, optional
        Working precision; 64 bits if not given.
    boxes : int
        Most boxes to look at.

    Returns
    -------
    Finding
        True with the number of boxes; False with a point at which the function is certainly at
        most 0; None with the smallest box that was not decided.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.cover import positive
    >>> positive(lambda x: x * x - x + 1, {"x": (-1, 2)}).holds
    True
    >>> positive(lambda x: x * x - x + Fraction(1, 4), {"x": (0, 1)}).holds
    False
    """
    balls = numbers or Balls(BITS)
    first: Sides = tuple((Fraction(a), Fraction(b)) for a, b in box.values())
    heap: list[tuple[Fraction, int, Sides]] = [(-_widest(first)[0], 0, first)]
    done = 0
    while heap:
        done += 1
        _, _, sides = heappop(heap)
        if _certainly(function, [balls.between(a, b) for a, b in sides]):
            continue
        center = [(a + b) / 2 for a, b in sides]
        if _certainly_not(function, [balls.rational(x) for x in center]):
            at = ", ".join(f"{name} = {x}" for name, x in zip(box, center, strict=True))
            return Finding(holds=False, detail=f"not positive at {at}")
        width, side = _widest(sides)
        if done + len(heap) >= boxes or not width:
            at = ", ".join(
                f"{name} in [{float(a):.6g}, {float(b):.6g}]"
                for name, (a, b) in zip(box, sides, strict=True)
            )
            return Finding(holds=None, detail=f"not decided after {done} boxes, among them {at}")
        for half in ((sides[side][0], center[side]), (center[side], sides[side][1])):
            part = (*sides[:side], half, *sides[side + 1 :])
            heappush(heap, (-_widest(part)[0], done * 2 + (half[0] == center[side]), part))
    return Finding(holds=True, detail=f"certainly positive on each of {done} boxes")


def cover(
    statement: Inequality,
    *,
    box: Mapping[str, tuple[Fraction | int, Fraction | int]],
    numbers: Balls | None = None,
    boxes: int = BOXES,
) -> Finding:
    """Decide an inequality, strict or not, on a box; it is noted as a case of the statement.

    Parameters
    ----------
    statement : Inequality
        The sides are enclosed, so it is shown with "<" or ">".
    box, numbers, boxes
        As `positive`.

    Examples
    --------
    >>> from proofs_check.cover import cover
    >>> from proofs_check.statements.domain import Domain
    >>> from proofs_check.statements.forms import Inequality
    >>> from proofs_check.statements.terms import real_symbols
    >>> (x,) = real_symbols("x")
    >>> below = Inequality(Domain((x >= -1, x <= 2)), x * x + 1, ">", x, "It is larger.")
    >>> cover(below, box={"x": (-1, 2)}).holds
    True
    """
    balls = numbers or Balls(BITS)
    sides = statement.left, statement.right
    larger, smaller = reversed(sides) if statement.sign in ("<", "<=") else sides

    def gap(*sides: Ball) -> Ball:
        values = dict(zip(box, sides, strict=True))
        found: Ball = evaluated(larger, values, balls) - evaluated(smaller, values, balls)
        return found

    found = positive(gap, box, numbers=balls, boxes=boxes)
    if found.holds and statement.sign != "==":
        inside = [
            bound
            for (x,), (a, b) in zip(map(real_symbols, box), box.values(), strict=True)
            for bound in (x >= a, x <= b)
        ]
        note(statement.quantified, tuple(inside))
    return found


def _widest(sides: Sides) -> tuple[Fraction, int]:
    side = max(range(len(sides)), key=lambda k: sides[k][1] - sides[k][0])
    return sides[side][1] - sides[side][0], side


def _certainly(function: Callable[..., Ball], balls: list[Ball]) -> bool:
    try:
        return certainly_less(0, function(*balls)) is True
    except Undecided:
        return False


def _certainly_not(function: Callable[..., Ball], balls: list[Ball]) -> bool:
    try:
        return certainly_less(0, function(*balls)) is False
    except Undecided:
        return False
