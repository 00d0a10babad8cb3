"""Two laws cut into finitely many common cells: what divergences and certificates start from.

Where the density ratio is the same at all outcomes of a cell (atoms, piecewise-constant laws with
common breakpoints) the two masses say all: hockey-stick divergence, total variation and the
largest ratio are sums and maxima over cells. Where it is not, the cell states the range of its
ratio, and a hockey-stick divergence is the sum over cells if each lies on one side of e^epsilon.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.exact_numbers import Mass, add_up, as_ball, inverse, multiply, sign
from mechanisms.errors import InvalidArgument, TouchstoneError
from proofs_check.enclosure import Ball, certainly_less
from proofs_check.exponential import Exact


def outcomes(*members: Hashable) -> str:
    """Describe a finite set of outcomes."""
    return "{" + ", ".join(map(str, members)) + "}"


def interval(lower: Fraction | None, upper: Fraction | None) -> str:
    """Describe lower <= z < upper; None stands for no end on that side."""
    left = "(-inf" if lower is None else f"[{lower}"
    right = "inf)" if upper is None else f"{upper})"
    return f"z in {left}, {right}"


@final
@dataclass(frozen=True, slots=True)
class RatioRange:
    """Bounds of the density ratio p(z) / q(z) over a cell of positive mass under both laws."""

    lower: Exact
    """Infimum, at least 0."""
    upper: Exact | None
    """Supremum, above 0; None where it is infinite."""

    def __post_init__(self) -> None:
        upper = self.upper
        if sign(self.lower) < 0 or (upper is not None and (sign(upper) < 1 or upper < self.lower)):
            msg = f"a ratio ranges from at least 0 to a positive end, got {self!r}"
            raise InvalidArgument(msg)

    def swapped(self) -> RatioRange:
        """Range of q(z) / p(z)."""
        lower: Exact = 0 if self.upper is None else inverse(self.upper)
        return RatioRange(lower, inverse(self.lower) if sign(self.lower) else None)


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the outcomes and its masses under two laws.

    Raises InvalidArgument if a mass is negative, or certainly contradicts the range of the ratio.
    """

    p: Mass
    q: Mass
    """Masses under the two data sets, at least 0, as parts of the common `CellPair.total`."""
    where: str
    """Which outcomes the cell holds, in words such as "z in [0, 1/2)"."""
    ratio: RatioRange | None = None
    """What the density ratio does over the cell; left out, it is the same at all outcomes. A mass
    that is a ball needs it."""

    def __post_init__(self) -> None:
        masses = (self.p, self.q)
        if any(_certainly_less(mass, 0) for mass in masses):
            msg = f"a mass must be at least 0, got p={self.p!r}, q={self.q!r} at {self.where}"
            raise InvalidArgument(msg)
        if self.ratio is None:
            if any(isinstance(mass, Ball) for mass in masses):
                msg = f"a mass known up to a ball needs the range of the ratio, at {self.where}"
                raise InvalidArgument(msg)
            return
        lower, upper = self.ratio.lower, self.ratio.upper
        if _certainly_less(self.p, multiply(self.q, lower)) or (
            upper is not None and _certainly_less(multiply(self.q, upper), self.p)
        ):
            msg = f"the masses contradict the range of the ratio: {self!r}"
            raise InvalidArgument(msg)

    def exact(self) -> tuple[Exact, Exact]:
        """Return p and q of a cell with one density ratio: there they are exact.

        Raises OpenCell if the ratio is not the same at all outcomes of the cell.
        """
        if self.ratio is not None or isinstance(self.p, Ball) or isinstance(self.q, Ball):
            msg = "one density ratio for the whole cell is needed"
            raise OpenCell(msg, self)
        return self.p, self.q

    def supremum(self) -> tuple[Exact, Exact]:
        """Return the largest density ratio of the cell as numerator and denominator.

        The denominator is 0 where the ratio is infinite; both are 0 where neither law reaches.
        """
        if self.ratio is None:
            return self.exact()
        return (1, 0) if self.ratio.upper is None else (self.ratio.upper, 1)

    def swapped(self) -> Cell:
        """Exchange the two laws."""
        ratio = None if self.ratio is None else self.ratio.swapped()
        return Cell(self.q, self.p, self.where, ratio)


class OpenCell(TouchstoneError):
    """A cell is too coarse for the question: its density ratio varies where it must not.

    `message`: what is asked of the cell. `cell`: the cell that must be split first.
    """

    def __init__(self, message: str, cell: Cell) -> None:
        super().__init__(f"{message}: the cell {cell.where} must be split")
        self.cell = cell


@final
@dataclass(frozen=True, slots=True)
class CellPair:
    """Finitely many disjoint cells that cover all outcomes of two laws.

    Raises InvalidArgument if the masses of a law do not add up to the total (checked exactly where
    they are exact, else up to the balls): a cell is missing or counted twice.
    """

    cells: tuple[Cell, ...]
    """At least one; cells of mass 0 under both laws may be left out."""
    total: Exact = Fraction(1)
    """What the masses of either law add up to: probabilities are masses over this number."""

    def __post_init__(self) -> None:
        if sign(self.total) < 1:
            msg = f"total must be greater than 0, got total={self.total!r}"
            raise InvalidArgument(msg)
        for name, masses in (("p", [c.p for c in self.cells]), ("q", [c.q for c in self.cells])):
            found = add_up(masses)
            if _certainly_less(found, self.total) or _certainly_less(self.total, found):
                msg = f"the masses {name} add up to {found!r}, not to total={self.total!r}"
                raise InvalidArgument(msg)

    def swapped(self) -> CellPair:
        """Exchange the two laws: the other direction of every divergence."""
        return CellPair(tuple(cell.swapped() for cell in self.cells), self.total)

    def both_ways(self) -> tuple[CellPair, CellPair]:
        """Return the pair in this direction and in the other."""
        return self, self.swapped()


def _certainly_less(x: Mass, y: Mass) -> bool:
    """Whether x < y for certain."""
    if isinstance(x, Ball) or isinstance(y, Ball):
        return certainly_less(as_ball(x), as_ball(y)) is True
    return x < y
