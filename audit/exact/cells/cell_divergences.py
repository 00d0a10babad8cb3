"""Divergences of two laws given as cells: exact numbers wherever the masses are exact.

With masses p_i and q_i over the total T, the hockey-stick divergence at the factor s = e^epsilon is
the sum of (p_i - s q_i)^+ over T. It is the least delta of P(S) <= s Q(S) + delta for all events S,
and the cells with p_i > s q_i are an event that reaches it (Dwork and Roth 2014, Definition 2.4;
Balle, Barthe and Gaboardi 2018, Theorem 1). All functions give one direction; `CellPair.swapped`
is the other.

Renyi divergences are D_a(P || Q) = ln(M_a) / (a - 1) with the moment M_a = sum p^a q^(1 - a), and
D_1 = sum p ln(p / q) (van Erven and Harremoës 2014, Definitions 2 and 4, Theorem 5), in balls. On a
cell whose ratio x = p / q ranges over [l, u] the average of a convex function f of it lies between
f of the average (Jensen) and the chord from l to u; that of a concave one lies there too, with the
limits exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.cells.cell import Cell, CellPair, OpenCell
from audit.exact.exact_numbers import (
    BITS,
    Mass,
    add_up,
    as_ball,
    log_ball,
    multiply,
    quotient,
    sign,
    subtract,
)
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls, endpoints
from proofs_check.exponential import Exact, ExpRatio, ExpSum


@final
@dataclass(frozen=True, slots=True)
class Excess:
    """Largest P(S) - s Q(S) over all events S, and an event that reaches it."""

    factor: Exact
    """The number s; e^epsilon for a hockey-stick divergence."""
    value: Mass
    """The excess: 0 where no event has P(S) > s Q(S)."""
    event: tuple[str, ...]
    """Cells that make up the event, in words; none where the excess is 0."""
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
    >>> from audit.exact.cells.cell_divergences import hockey_stick
    >>> from audit.exact.cells.finite_laws import FinitePmf, cells_of
    >>> three, one = Fraction(3, 4), Fraction(1, 4)
    >>> pair = cells_of(FinitePmf({0: three, 1: one}), FinitePmf({0: one, 1: three}))
    >>> hockey_stick(pair, Fraction(0)).value
    Fraction(1, 2)
    """
    return excess(pair, ExpSum.exp(Fraction(epsilon)))


@final
@dataclass(frozen=True, slots=True)
class LargestRatio:
    """Supremum of the density ratio p / q."""

    ratio: Exact | None
    """None where it is infinite: the first law reaches what the second does not, or the ratio grows
    without end."""

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
    best: tuple[Exact, Exact] | None = None
    for cell in pair.cells:
        over, under = cell.supremum()
        if sign(over) and not sign(under):
            return LargestRatio(None)
        if sign(over) and (best is None or over * best[1] > best[0] * under):
            best = over, under
    if best is None:
        msg = "no cell has a mass under the first law"
        raise InvalidArgument(msg)
    return LargestRatio(quotient(*best))


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


def renyi_divergence(pair: CellPair, order: Fraction, bits: int = BITS) -> Ball | None:
    """Enclose the Rényi divergence D_a(P || Q) of a rational order.

    `pair`: the laws P and Q. `order`: greater than 0; 1 is the Kullback-Leibler divergence. `bits`:
    working precision. Returns: None where the divergence is infinite. As wide as the cells are
    coarse, where their ratios vary. Raises OpenCell if the ratio of a cell grows without end.
    """
    if order <= 0:
        msg = f"order must be greater than 0, got order={order!r}"
        raise InvalidArgument(msg)
    numbers = Balls(bits)
    lower = upper = numbers.rational(Fraction(0))
    reached = False
    for cell in pair.cells:
        if isinstance(cell.p, Ball) or sign(cell.p):
            if cell.ratio is None and not sign(cell.exact()[1]):
                if order >= 1:
                    return None
                continue  # outcomes that only P reaches add nothing below order 1
            least, most = _average(cell, order, numbers)
            lower, upper, reached = lower + least, upper + most, True
    total = as_ball(pair.total, bits)
    ends = [lower / total, upper / total]
    if order != 1:
        if not reached:
            return None
        ends = [numbers.log(moment) / (order - 1) for moment in ends]
    bounds = [bound for end in ends for bound in endpoints(end)]
    return numbers.between(min(bounds), max(bounds))


def _average(cell: Cell, order: Fraction, numbers: Balls) -> tuple[Ball, Ball]:
    """Limits of the integral of f(p / q) dq over a cell, with f(x) = x^order, or x ln x at order 1.

    They are two balls: as one, which is a middle and a radius, limits of very different sizes
    would reach down to 0.
    """

    def f(log_ratio: Ball) -> Ball:
        if order == 1:
            return numbers.exp(log_ratio) * log_ratio
        return numbers.exp(log_ratio * order)

    bits = numbers.bits
    p, q = as_ball(cell.p, bits), as_ball(cell.q, bits)
    if cell.ratio is None:
        over, under = cell.exact()
        return (q * f(log_ball(over, bits) - log_ball(under, bits)),) * 2
    at_mean = q * f(numbers.log(p / q))
    lower, upper = cell.ratio.lower, cell.ratio.upper
    if upper is None:
        msg = "the density ratio must be bounded"
        raise OpenCell(msg, cell)
    if lower == upper:
        return at_mean, at_mean
    at_lower = f(log_ball(lower, bits)) if sign(lower) else numbers.rational(Fraction(0))
    left, right = as_ball(lower, bits), as_ball(upper, bits)
    weighted = (right * q - p) * at_lower + (p - left * q) * f(log_ball(upper, bits))
    chord = weighted / as_ball(subtract(upper, lower), bits)
    return (at_mean, chord) if order >= 1 else (chord, at_mean)
