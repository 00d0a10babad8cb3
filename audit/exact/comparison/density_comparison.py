"""Two laws on the line against each other: densities by enclosures, exponentials by exact cells."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.cells.line.line_cells import cell_pair
from audit.exact.cells.line.line_law import LineLaw
from audit.exact.comparison.cells import SHOWN, Gap, OfCells
from audit.exact.density.density_divergences import (
    hockey_stick,
    largest_log_ratio,
    log_ratio_at_most,
    mass,
    renyi,
)
from audit.exact.density.pair import DensityPair
from audit.exact.density.tail_lemmas import Density
from audit.results.refutation import Enclosure
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import contains, endpoints

Interval = tuple[Fraction | None, Fraction | None]
"""Ends of an interval; None stands for infinity."""

NEAR = Fraction(1, 10**6)
"""How well the mass of a stated density is enclosed: slips are larger."""


@final
@dataclass(frozen=True, slots=True)
class OfDensities:
    """Densities on the line, as their formulas state them."""

    pair: DensityPair
    rho: None = None
    mu_squared: None = None

    @property
    def cells(self) -> int:
        """Pieces between the breakpoints."""
        return len(self.pair.cuts()) + 1

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The lemmas of both tails."""
        return tuple(dict.fromkeys(tail.lemma for tail in self.pair.covered_tails()))

    def at_most(self, epsilon: Fraction) -> bool | None:
        """Decided where no cell touches epsilon."""
        return log_ratio_at_most(self.pair, epsilon)

    def loss(self) -> tuple[Fraction, Fraction | None] | None:
        """Enclosed to 1e-9 where the cells allow it."""
        found = largest_log_ratio(self.pair)
        if found.unbounded:
            return None
        return Fraction(0) if found.lower is None else found.lower, found.upper

    def gap(self, epsilon: Fraction) -> Gap:
        """The cells on which the ratio is certainly above e^epsilon."""
        found = hockey_stick(self.pair, epsilon)
        numbers = self.pair.numbers
        value = found.p - numbers.exp(numbers.rational(epsilon)) * found.q
        return Gap(_words(joined(found.event)), found.p, found.q, value, found.value)

    def renyi(self, order: Fraction) -> tuple[Fraction, Fraction] | None:
        """Enclosed by closed forms or Taylor cells."""
        value = renyi(self.pair, order)
        return None if value is None else endpoints(value)


def check_mass(density: Density) -> None:
    """Refuse a density that does not integrate to 1.

    Raises InvalidArgument if it certainly does not. Raises NotCovered if no lemma gives the mass of
    a tail.
    """
    found = mass(density, tolerance=NEAR)
    if not contains(found, Fraction(1)):
        msg = f"the stated density integrates to {found!r}, not to 1"
        raise InvalidArgument(msg)


def joined(intervals: tuple[Interval, ...]) -> list[Interval]:
    """Intervals in ascending order, those that meet as one."""
    found: list[Interval] = []
    for lower, upper in sorted(intervals, key=lambda ends: (ends[0] is not None, ends[0] or 0)):
        if found and found[-1][1] is not None and found[-1][1] == lower:
            found[-1] = found[-1][0], upper
        else:
            found.append((lower, upper))
    return found


def _words(intervals: list[Interval]) -> str:
    """Intervals as inequalities; more than a few are counted."""
    parts = []
    for lower, upper in intervals[:SHOWN]:
        left = "" if lower is None else f"{_end(lower)} < "
        right = "" if upper is None else f" < {_end(upper)}"
        parts.append(f"{left}z{right}")
    more = len(intervals) - SHOWN
    return " or ".join(parts) + (f" or in one of {more} more intervals" if more > 0 else "")


def _end(x: Fraction) -> str:
    """An exact end; one of many digits is a dyadic rational, and written as its decimal."""
    return str(x) if len(str(x)) <= 20 else f"{float(x):.17g}"


@final
@dataclass(frozen=True, slots=True)
class OfLines:
    """Laws on the line as exact data; Renyi divergences by their densities, where given."""

    p: LineLaw
    q: LineLaw
    densities: OfDensities | None = None
    rho: None = None
    mu_squared: None = None
    lemmas: tuple[str, ...] = ()

    def cut(self, *levels: Fraction) -> OfCells:
        """Cells that are cut where the ratio crosses e^level."""
        return OfCells(cell_pair(self.p, self.q, levels))

    @property
    def cells(self) -> int:
        """Common cells of both laws."""
        return self.cut().cells

    def at_most(self, epsilon: Fraction) -> bool:
        """Decided exactly, also where it is equal."""
        return self.cut().at_most(epsilon)

    def loss(self) -> Enclosure | None:
        """The logarithm of the largest ratio."""
        return self.cut().loss()

    def gap(self, epsilon: Fraction) -> Gap:
        """The cells whose ratio is above e^epsilon."""
        return self.cut(epsilon).gap(epsilon)

    def renyi(self, order: Fraction) -> Enclosure | None:
        """By closed forms of the densities, else the sum over cells."""
        if self.densities is None:
            return self.cut().renyi(order)
        return self.densities.renyi(order)
