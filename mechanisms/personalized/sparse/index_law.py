"""The exact law of the index that a sparse vector releases (PDP, Algorithm 1).

In units of 4 / epsilon the noise of a query has scale 1 and that of the threshold scale 1/2. Given
the noisy threshold s, queries at the levels a_1, a_2, ... are silent independently, so that

    P(i > m) = E[F(s - a_1) ... F(s - a_m)],   F(x) = e^x / 2 for x < 0, else 1 - e^(-x) / 2

Between neighboring levels the integrand is a polynomial in z = e^s and 1 / z, which is integrated
term by term. Its terms cancel, so that doubles do not suffice: numbers are balls, and probabilities
in doubles are those of decimals.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from mechanisms.laws import FLOATS
from mechanisms.personalized.sparse.decimals import in_doubles
from mechanisms.protocols import Arithmetic

__all__ = ["index_law"]

KEPT = 4096
"""Laws that are kept: data sets have many answers in common."""

End: TypeAlias = tuple[Any, Any] | None
"""A point s and e^s; None is infinity."""


def index_law(
    answers: tuple[Fraction, ...],
    epsilon: Fraction,
    part: Fraction = Fraction(2),
    *,
    numbers: Arithmetic[Any],
) -> tuple[Any, ...]:
    """State the probabilities of the indices 1, ..., K + 1.

    `answers`: the queries. `epsilon`: privacy parameter. `numbers`: Balls, or `FLOATS`. `part`: the
    threshold is -(6 / epsilon) ln(2 / part); 2 stands for the threshold 0.
    """
    if numbers is FLOATS:
        return in_doubles(lambda decimals: _index_law(answers, epsilon, part, numbers=decimals))
    kind: Any = numbers
    return _index_law(answers, epsilon, part, numbers=kind)


@lru_cache(maxsize=KEPT)
def _index_law(
    answers: tuple[Fraction, ...], epsilon: Fraction, part: Fraction, *, numbers: Any
) -> tuple[Any, ...]:
    levels = [answer * epsilon / 4 for answer in answers]
    root = numbers.rational(part / 2)
    peak = numbers.log(root) * numbers.rational(Fraction(3, 2)), root * numbers.sqrt(root)
    places = sorted(set(levels))
    before = sum(_below(level, part) for level in places)  # of the peak
    ends: list[End] = [_point(level, numbers=numbers) for level in places]
    ends.insert(before, peak)
    one, zero = numbers.rational(Fraction(1)), numbers.rational(Fraction(0))
    silent = [zero] * len(levels)
    for number in range(len(ends) + 1):
        lower = ends[number - 1] if number else None
        upper = ends[number] if number < len(ends) else None
        power = 2 if number <= before else -2
        passed = set(places[: number - (number > before)])
        pieces = _silences(levels, passed, lower, upper, power, numbers=numbers)
        # density of the threshold: (z / e^peak)^2 below the peak, (e^peak / z)^2 above it
        factor = one / (peak[1] * peak[1]) if power > 0 else peak[1] * peak[1]
        silent = [old + piece * factor for old, piece in zip(silent, pieces, strict=True)]
    tails = [one, *silent, zero]
    return tuple(tails[m] - tails[m + 1] for m in range(len(levels) + 1))


def _silences(
    levels: Sequence[Fraction],
    passed: set[Fraction],
    lower: End,
    upper: End,
    power: int,
    *,
    numbers: Arithmetic[Any],
) -> list[Any]:
    """Integrate z^power times the chance that the first m queries are silent, m = 1, ..., K.

    Powers are of z over its value at one end, the lower one if there is one.
    """
    count = len(levels)
    base = lower or upper
    assert base is not None
    scale = numbers.rational(Fraction(1))
    for _ in range(abs(power)):
        scale = scale * base[1] if power > 0 else scale / base[1]
    moments = _moments(lower, upper, range(power - count, power + count + 1), numbers=numbers)
    factors = {
        level: _factor(level, base, numbers=numbers, above=level not in passed)
        for level in set(levels)
    }
    # coefficients of z^shift, z^(shift - 1), ..., all times the scale
    poly, shift, found = [numbers.rational(Fraction(1))], power, []
    for level in levels:
        factor = factors[level]
        if level in passed:
            lowered = [x * factor for x in poly]
            rest = [x - y for x, y in zip(poly[1:], lowered[:-1], strict=True)]
            poly = [poly[0], *rest, -lowered[-1]]
        else:
            scale, shift = scale * factor, shift + 1
        total = numbers.rational(Fraction(0))
        for place, coefficient in enumerate(poly):
            total = total + coefficient * moments[shift - place]
        found.append(total * scale)
    return found


def _factor(level: Fraction, base: Any, *, above: bool, numbers: Arithmetic[Any]) -> Any:
    """e^(base - level) / 2 for a level above the interval, else e^(level - base) / 2."""
    half = numbers.exp(numbers.rational(level)) / base[1]
    two = numbers.rational(Fraction(2))
    return numbers.rational(Fraction(1)) / (two * half) if above else half / two


def _moments(
    lower: End, upper: End, powers: Sequence[int], *, numbers: Arithmetic[Any]
) -> dict[int, Any]:
    """Integrals of z^p ds over the interval, in units of its base, where they are finite."""
    one = numbers.rational(Fraction(1))
    if lower is None or upper is None:
        sign = 1 if lower is None else -1
        return {p: one / numbers.rational(Fraction(sign * p)) for p in powers if sign * p > 0}
    quotient = upper[1] / lower[1]
    found, raised, lowered = {0: upper[0] - lower[0]}, one, one
    for p in range(1, max(abs(p) for p in powers) + 1):
        raised, lowered = raised * quotient, lowered / quotient
        found[p] = (raised - one) / numbers.rational(Fraction(p))
        found[-p] = (one - lowered) / numbers.rational(Fraction(p))
    return found


def _point(level: Fraction, *, numbers: Arithmetic[Any]) -> Any:
    exact = numbers.rational(level)
    return exact, numbers.exp(exact)


def _below(level: Fraction, part: Fraction) -> bool:
    """Whether level < (3/2) ln(part / 2), exactly: they are equal at 0 and part = 2 only."""
    if part == 2 or level >= 0:
        return level < 0
    digits = 40
    while True:
        with localcontext() as context:
            context.prec = digits
            quotient = Decimal(part.numerator) / Decimal(2 * part.denominator)
            gap = quotient.ln() * 3 / 2 - Decimal(level.numerator) / Decimal(level.denominator)
            if abs(gap) > Decimal(10) ** (10 - digits) * (1 + abs(quotient.ln())):
                return gap > 0
        digits *= 2
