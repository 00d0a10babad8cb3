"""Rényi divergences of two laws given as cells.

D_a(P || Q) = ln(M_a) / (a - 1) with the moment M_a = sum p^a q^(1 - a), and D_1 = sum p ln(p / q)
(van Erven and Harremoës 2014, Definitions 2 and 4, Theorem 5), in balls. On a cell whose ratio
x = p / q ranges over [l, u] the average of a convex function f of it lies between f of the average
(Jensen) and the chord from l to u; that of a concave one lies there too, with the limits exchanged.
"""

from __future__ import annotations

from fractions import Fraction

from audit.exact.cells.cell import Cell, CellPair, OpenCell
from audit.exact.numbers import (
    BITS,
    as_ball,
    log_ball,
    sign,
    subtract,
)
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls, endpoints

__all__ = ["renyi_divergence"]


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
