"""The law of the center that Algorithm 6 releases for one record, as the paper prints it (PDP).

With one record every stage is explicit. Discretization has no pair of records, so the queries of
its two sparse vectors all equal the threshold. The radius is a sparse vector with queries -1 for
radii that do not reach the record, and 0 from then on: given the noise of the threshold its law is
a product of Laplace distribution functions, which is integrated over that noise. The center is an
exponential mechanism on the grid. The event is that the center lies in (x - 1, x].

Read into the print: 0 is no positive number; the placeholder 0 counts as covered by every radius;
ranks are rounded up and at least 1; a rank below the first bound of FindQuantile is moved to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, final

from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints, integral, polynomial
from proofs_check.papers.pdp.tools.svt import index_tail_on_ties

__all__ = [
    "DIGITS_3",
    "DIGITS_6",
    "RangeStage",
    "Terms",
    "center_probability",
    "grid_law",
    "release_probability",
]

Number = Any
"""A ball or a complex ball."""
Law = Callable[[Number, Number], Number]
"""Function of F(T + 1) and F(T), where F is the distribution function of a query's noise."""


@final
@dataclass(frozen=True, slots=True)
class Terms:
    """How far the sums over radii and grids go term by term; the rest is enclosed.

    Parameters
    ----------
    radii : int
        Radii above the first useful one; larger ones are bounded together.
    coarse : int
        Grids 2^-k with k up to here have their own probabilities, finer ones a common limit.
    fine : int
        Grids 2^-k beyond this k are bounded together.
    bits : int
        Working precision.
    """

    radii: int
    coarse: int
    fine: int
    bits: int


DIGITS_6 = Terms(radii=26, coarse=24, fine=1200, bits=53)
"""Narrow enough for about six digits."""
DIGITS_3 = Terms(radii=14, coarse=14, fine=80, bits=50)
"""Narrow enough for about three digits."""


@final
@dataclass(frozen=True, slots=True)
class RangeStage:
    """Algorithm 6 on one record.

    Parameters
    ----------
    epsilon : Fraction
        Budget of the record.
    beta : Fraction
        Failure probability.
    lag : int
        1 if radius 2^(i - 2) b is returned, as printed; 0 if 2^(i - 1) b, the one that fired.
    x : Fraction
        Upper end of the event; 2^(L - 1) <= x - 1 and x < 2^L for an L, and its floor is odd, so
        that no grid with b >= 2 meets the event.
    """

    epsilon: Fraction
    beta: Fraction = Fraction(9, 10)
    lag: int = 1
    x: Fraction = Fraction(10013, 10)

    @property
    def tau(self) -> Fraction:
        """The threshold for one record, (epsilon^2 + 8) / epsilon."""
        return (self.epsilon**2 + 8) / self.epsilon

    @property
    def level(self) -> int:
        """L: radius 2^L covers the event, and 2^(L - 1) misses it."""
        return int(self.x).bit_length()


def grid_law(k: int) -> Fraction:
    """P(b = 2^-k), k >= 0, of the printed discretization: b = 2^(i-3) if i > 1, else 2^(-j-1)."""
    if k < 2:
        return _tail(2 - k) - _tail(3 - k)
    return (_tail(0) - _tail(1)) * (_tail(k - 2) - _tail(k - 1))


def release_probability(
    stage: RangeStage, record: Fraction, rate: Fraction | Ball, terms: Terms
) -> Ball:
    """P(center in (x - 1, x]) on a record that survives diffusion at this rate."""
    kept = center_probability(stage, record, terms)
    return kept * rate + center_probability(stage, None, terms) * (1 - rate)


@cache
def center_probability(stage: RangeStage, record: Fraction | None, terms: Terms) -> Ball:
    """P(center in (x - 1, x]) on one surviving record, x or 1, or on the placeholder (None)."""
    numbers = Balls(terms.bits)
    exponent = stage.tau / 16 if record else Fraction(0)
    step = numbers.exp(numbers.rational(-exponent))
    misses = stage.level if record == stage.x else 0  # radii from 1 on that miss the record
    covers = stage.level + stage.lag - misses  # radii that cover it before the first useful one
    limits = [_hit(stage, record, Fraction(0), r, numbers=numbers) for r in range(terms.radii + 1)]
    masses = [numbers.rational(grid_law(k)) for k in range(terms.coarse + 1, terms.fine + 1)]
    rows = [
        [
            _hit(stage, record, Fraction(1, 2**k), r, numbers=numbers) * grid_law(k)
            for r in range(terms.radii + 1)
        ]
        for k in range(terms.coarse + 1)
    ]

    by_radius = [polynomial(row) for row in rows]
    by_grid, to_limits = polynomial(masses), polynomial(limits)

    def coarse(f1: Number, f0: Number) -> Number:
        total = by_radius[-1](f0)
        for row in reversed(by_radius[:-1]):
            total = total * f1 + row(f0)
        return f1**misses * f0**covers * (1 - f0) * total

    def fine(f1: Number, f0: Number) -> Number:
        grids = f1 ** (misses + terms.coarse + 1) * by_grid(f1)
        return grids * f0**covers * (1 - f0) * to_limits(f0)

    def finest(f1: Number, f0: Number) -> Number:
        return f1 ** (misses + terms.fine + 1) * f0**covers

    def largest(f1: Number, f0: Number) -> Number:
        return f1**misses * f0 ** (covers + terms.radii + 1)

    laws = (coarse, fine, finest, largest)
    total, finer, of_grids, of_radii = (_mean(law, stage, step, numbers=numbers) for law in laws)
    ratio = _finer_than(stage, record, terms)
    rest = of_grids * limits[0] * ratio * (_tail(terms.fine - 1) / 2)
    rest = rest + of_radii / (2 ** (stage.level + terms.radii + 1) - 2**stage.level)
    return total + finer * ratio + numbers.between(Fraction(0), endpoints(rest)[1])


def _tail(m: int) -> Fraction:
    return Fraction(index_tail_on_ties(m, Fraction(1, 2**m)))


def _hit(
    stage: RangeStage, record: Fraction | None, spacing: Fraction, r: int, *, numbers: Balls
) -> Ball:
    """P(center in the event | grid, radius 2^(L + r)); spacing 0 is the limit of fine grids."""
    radius, one = Fraction(2 ** (stage.level + r)), numbers.rational(Fraction(1))
    if record is None:
        return one / (2 * radius + spacing)
    eta = numbers.exp(numbers.rational(-stage.tau / 8))
    own = spacing if record == stage.x else Fraction(0)
    if spacing and _first_rank(stage, 2 * radius / spacing + 1, numbers=numbers):
        return (own + (1 - own) * eta) / (spacing + 2 * radius * eta)
    rounded = record // spacing * spacing if spacing else record
    weight = (radius - rounded + spacing) + (radius + rounded) * eta
    return (own + (1 - own) * eta if record == stage.x else one) / weight


def _first_rank(stage: RangeStage, points: Fraction, *, numbers: Balls) -> bool:
    """Whether the clamped rank (2 / (tau/4)) ln(points / (beta/4)), rounded up, is 1."""
    return numbers.log(numbers.rational(4 * points / stage.beta)) * 8 / stage.tau < 1


def _finer_than(stage: RangeStage, record: Fraction | None, terms: Terms) -> Ball:
    """Enclose P(event | grid, radius) over its limit, for all grids beyond the coarse ones.

    The parts of a spacing h: the numerator grows by at most h, the weight by at most 2 h, and
    falls by at most h. The rank must be 2 or more on these grids, and on all of the largest radii.
    """
    numbers = Balls(terms.bits)
    h, top = Fraction(1, 2 ** (terms.coarse + 1)), 2**stage.level
    few = (2 * top / h + 1, Fraction(2 * top * 2 ** (terms.radii + 1) + 1))
    if any(_first_rank(stage, points, numbers=numbers) for points in few):
        msg = "the rank is 1 on a grid where it must be larger"
        raise ArithmeticError(msg)
    eta = numbers.exp(numbers.rational(-stage.tau / 8))
    numerator = eta if record == stage.x else numbers.rational(Fraction(1))
    weight = top - (record or -top)
    most = (1 + h / numerator) / (1 - h / weight)
    return numbers.between(1 - 2 * h / weight, endpoints(most)[1])


def _mean(law: Law, stage: RangeStage, step: Ball, *, numbers: Balls) -> Ball:
    """Mean over the threshold's noise T, with z = e^(T / s), s the scale of a query's noise.

    F(T) = z / 2 up to z = 1 and 1 - 1 / (2 z) beyond; F(T + 1) is F at z / step. The density of
    the threshold has half the scale and center z = u, u = (beta / 8)^(3/2).
    """
    u = numbers.power(numbers.rational(stage.beta / 8), Fraction(3, 2))
    same = certainly_less(step, 1) is not True
    cuts: list[Ball] = sorted([u] if same else [u, step], key=lambda c: endpoints(c)[0])
    ends: Sequence[Fraction | Ball] = [Fraction(0), *cuts, Fraction(1)]
    total = integral(
        lambda w, _: law(1 - w * step / 2, 1 - w / 2) * w * u**2,
        Fraction(0),
        Fraction(1),
        numbers=numbers,
    )
    for lower, upper in pairwise(ends):
        near = _before(upper, u)
        short = same or _before(upper, step)

        def integrand(z: Number, _: Any, near: bool = near, short: bool = short) -> Number:
            f1 = z / (2 * step) if short else 1 - 1 / (2 * z) * step
            return law(f1, z / 2) * (z / u**2 if near else 1 / z**3 * u**2)

        total = total + integral(integrand, lower, upper, numbers=numbers)
    return total


def _before(end: Fraction | Ball, cut: Ball) -> bool:
    """Whether a piece that ends here lies before the cut."""
    return end is cut or certainly_less(end, cut) is True
