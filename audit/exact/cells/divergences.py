"""Divergences of two laws given as cells: exact numbers wherever the masses are exact.

With masses p_i and q_i over the total T, the hockey-stick divergence at the factor s = e^epsilon is
the sum of (p_i - s q_i)^+ over T. It is the least delta of P(S) <= s Q(S) + delta for all events S,
and the cells with p_i > s q_i are an event that reaches it (Dwork and Roth 2014, Definition 2.4;
Balle, Barthe and Gaboardi 2018, Theorem 1). All functions give one direction; `CellPair.swapped`
is the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.cells.cell import Cell, CellPair, OpenCell, Where
from audit.exact.numbers import BITS, Mass, add_up, log_ball, multiply, quotient, sign, subtract
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball
from proofs_check.exponential import Exact, ExpRatio, ExpSum

__all__ = [
    "Excess",
    "LargestRatio",
    "exact_log",
    "excess",
    "hockey_stick",
    "largest_ratio",
    "profile",
    "total_variation",
]


@final
@dataclass(frozen=True, slots=True)
class Excess:
    """Largest P(S) - s Q(S) over all events S, and an event that reaches it."""

    factor: Exact
    """The number s; e^epsilon for a hockey-stick divergence."""
    value: Mass
    """The excess: 0 where no event has P(S) > s Q(S)."""
    event: tuple[Where, ...]
    """Cells that make up the event; none where the excess is 0."""
    p: Mass
    q: Mass
    """Probabilities of the event under the two laws; value = p - s q."""


def excess(pair: CellPair, factor: Exact) -> Excess:
    """Return the largest P(S) - factor * Q(S), exactly where the masses are exact.

    `pair`: the laws P and Q. `factor`: at least 0; a rational such as 2 stands for epsilon = ln 2.
    Raises OpenCell if the ratio of a cell ranges over both sides of the factor.
    """
    if sign(factor) < 0:
        msg = f"factor must be at least 0, got factor={factor!r}"
        raise InvalidArgument(msg)
    event = [cell for cell in pair.cells if _above(cell, factor)]
    p, q = add_up([cell.p for cell in event]), add_up([cell.q for cell in event])
    value = subtract(p, multiply(q, factor))
    return Excess(
        factor,
        quotient(value, pair.total),
        tuple(cell.where for cell in event),
        quotient(p, pair.total),
        quotient(q, pair.total),
    )


def hockey_stick(pair: CellPair, epsilon: Fraction) -> Excess:
    """Return delta(epsilon): the least delta for which P is (epsilon, delta)-close to Q.

    `pair`: the laws P and Q. `epsilon`: any rational, also negative. Returns: its factor is
    e^epsilon. Raises OpenCell if the ratio of a cell ranges over both sides of e^epsilon.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.cells.divergences import hockey_stick
    >>> from audit.exact.cells.finite import FinitePmf, cells_of
    >>> three, one = Fraction(3, 4), Fraction(1, 4)
    >>> pair = cells_of(FinitePmf({0: three, 1: one}), FinitePmf({0: one, 1: three}))
    >>> hockey_stick(pair, Fraction(0)).value
    Fraction(1, 2)
    """
    return excess(pair, ExpSum.exp(Fraction(epsilon)))


def total_variation(pair: CellPair) -> Excess:
    """Return the largest P(S) - Q(S): the hockey-stick divergence at epsilon = 0."""
    return excess(pair, Fraction(1))


def profile(pair: CellPair, epsilons: Iterable[Fraction]) -> tuple[Excess, ...]:
    """Return the privacy profile at the given points."""
    return tuple(hockey_stick(pair, epsilon) for epsilon in epsilons)


@final
@dataclass(frozen=True, slots=True)
class LargestRatio:
    """Supremum of the density ratio p / q, and a cell that has it."""

    ratio: Exact | None
    """None where it is infinite: the first law reaches what the second does not, or the ratio grows
    without end."""
    where: Where
    """The first cell with this supremum."""

    def at_most(self, epsilon: Fraction) -> bool:
        """Whether the largest log-ratio is at most epsilon; decided also where it is equal."""
        return self.ratio is not None and self.ratio <= ExpSum.exp(epsilon)

    def log(self, bits: int = BITS) -> Ball | None:
        """Enclose the largest log-ratio, the privacy loss in this direction; None if infinite."""
        return None if self.ratio is None else log_ball(self.ratio, bits)

    def exact_log(self) -> Fraction | None:
        """Return the largest log-ratio where it is rational, else None."""
        return None if self.ratio is None else exact_log(self.ratio)


def exact_log(ratio: Exact) -> Fraction | None:
    """Return x where the number is e^x with rational x, else None."""
    x, y = (
        (ratio.numerator, ratio.denominator)
        if isinstance(ratio, ExpRatio)
        else (ExpSum.rational(1) * ratio, ExpSum.rational(1))
    )
    if not x:
        return None
    exponent = x.terms[0][0] - y.terms[0][0]
    return exponent if x == y * ExpSum.exp(exponent) else None


def largest_ratio(pair: CellPair) -> LargestRatio:
    """Return the supremum of p / q over all outcomes, exactly.

    `pair`: the laws P and Q. Returns: P(S) <= r Q(S) for all events S holds with this r and no
    smaller one.
    """
    best: tuple[Exact, Exact, Where] | None = None
    for cell in pair.cells:
        over, under = cell.supremum()
        if sign(over) and not sign(under):
            return LargestRatio(None, cell.where)
        if sign(over) and (best is None or over * best[1] > best[0] * under):
            best = over, under, cell.where
    if best is None:
        msg = "no cell has a mass under the first law"
        raise InvalidArgument(msg)
    return LargestRatio(quotient(best[0], best[1]), best[2])


def _above(cell: Cell, factor: Exact) -> bool:
    """Whether the density ratio exceeds the factor on the whole cell; False: nowhere."""
    if cell.ratio is not None:
        if not cell.ratio.lower < factor:
            return True
        if cell.ratio.upper is not None and not cell.ratio.upper > factor:
            return False
        msg = f"the density ratio must not cross {factor!r}"
        raise OpenCell(msg, cell)
    p, q = cell.exact()
    return p > q * factor
