"""Two piecewise exponential laws against each other: cells with exact masses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.cells.line.law import LineLaw
from audit.exact.cells.line.refine import cell_pair
from audit.exact.comparison.cells import Gap, OfCells
from audit.exact.comparison.densities import OfDensities
from audit.verdict import Enclosure

__all__ = ["OfLines"]


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
