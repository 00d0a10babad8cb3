"""Laws whose terms cancel, in doubles: by decimals of more and more digits, until two agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from typing import Any, final

__all__ = ["Decimals", "in_doubles"]

FIRST = 100
"""Digits that are tried first; 64 queries lose about 40."""

AGREE = 1e-14


@final
@dataclass(frozen=True, slots=True)
class Decimals:
    """Decimals of so many digits as an `Arithmetic`, in a context of as many."""

    digits: int

    def rational(self, value: Fraction) -> Decimal:
        """Round a quotient."""
        return Decimal(value.numerator) / Decimal(value.denominator)

    def exp(self, x: Decimal) -> Decimal:
        """Return e^x."""
        return x.exp()

    def log(self, x: Decimal) -> Decimal:
        """Return the natural logarithm."""
        return x.ln()

    def sqrt(self, x: Decimal) -> Decimal:
        """Return the square root."""
        return x.sqrt()


def in_doubles(law: Callable[[Any], tuple[Any, ...]]) -> tuple[float, ...]:
    """Return the probabilities that `law` states in an arithmetic, as doubles.

    `law`: of an arithmetic, such as `Decimals`.
    """
    digits, before = FIRST, None
    while True:
        with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
            found = tuple(map(float, law(Decimals(digits))))
        if before and all(abs(x - y) <= AGREE for x, y in zip(found, before, strict=True)):
            return found
        digits, before = 2 * digits, found
