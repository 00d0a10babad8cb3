"""Exact sums of exponentials, and their quotients: numbers whose sign is always decided.

An `ExpSum` is r_1 e^{x_1} + ... + r_k e^{x_k} with rational r_i and different rational x_i.
Exponentials of different rationals are linearly independent over the rationals (Lindemann and
Weierstrass), so such a number is 0 only if all r_i are: equality is exact, and the sign of any
other is found by balls of growing precision. Probabilities under noise of rational parameters
(Laplace, staircase, hourglass, geometric, randomized response) and rational epsilon are quotients
of such sums, so that P(S) <= e^epsilon Q(S) + delta is decided also where it holds with equality.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import total_ordering
from typing import final

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls, certainly_less

__all__ = ["Exact", "ExpRatio", "ExpSum"]

FIRST_BITS, MOST_BITS = 64, 1 << 20


@final
@total_ordering
class ExpSum:
    """Sum of rational multiples of exponentials of rationals; immutable.

    Parameters
    ----------
    terms : mapping of Fraction to Fraction
        Coefficient by exponent; zeros are left out.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.exponential import ExpSum
    >>> half = ExpSum.exp(Fraction(1, 2))
    >>> half * half == ExpSum.exp(Fraction(1))
    True
    >>> half > Fraction(8243, 5000)
    True
    """

    __slots__ = ("terms",)

    terms: tuple[tuple[Fraction, Fraction], ...]

    def __init__(self, terms: Mapping[Fraction, Fraction]) -> None:
        kept = sorted((Fraction(x), Fraction(r)) for x, r in terms.items() if r)
        object.__setattr__(self, "terms", tuple(kept))

    def __setattr__(self, name: str, value: object) -> None:
        msg = f"an ExpSum is immutable: {name} cannot be set to {value!r}"
        raise AttributeError(msg)

    @classmethod
    def rational(cls, value: Fraction | int) -> ExpSum:
        """Return an exact rational."""
        return cls({Fraction(0): Fraction(value)})

    @classmethod
    def exp(cls, exponent: Fraction, coefficient: Fraction | int = 1) -> ExpSum:
        """Return coefficient * e^exponent."""
        return cls({Fraction(exponent): Fraction(coefficient)})

    def __add__(self, other: ExpSum | Fraction | int) -> ExpSum:
        if _is_ratio(other):
            return NotImplemented
        total = dict(self.terms)
        for x, r in _sum(other).terms:
            total[x] = total.get(x, Fraction(0)) + r
        return ExpSum(total)

    __radd__ = __add__

    def __neg__(self) -> ExpSum:
        return ExpSum({x: -r for x, r in self.terms})

    def __sub__(self, other: ExpSum | Fraction | int) -> ExpSum:
        if _is_ratio(other):
            return NotImplemented
        return self + -_sum(other)

    def __rsub__(self, other: Fraction | int) -> ExpSum:
        return _sum(other) - self

    def __mul__(self, other: ExpSum | Fraction | int) -> ExpSum:
        if _is_ratio(other):
            return NotImplemented
        product: dict[Fraction, Fraction] = {}
        for x, r in self.terms:
            for y, s in _sum(other).terms:
                product[x + y] = product.get(x + y, Fraction(0)) + r * s
        return ExpSum(product)

    __rmul__ = __mul__

    def __truediv__(self, other: ExpSum | Fraction | int) -> ExpRatio:
        if _is_ratio(other):
            return NotImplemented
        return ExpRatio(self, _sum(other))

    def sign(self) -> int:
        """Return -1, 0 or 1; always decided.

        Raises
        ------
        ArithmeticError
            If more than 2^20 bits would be needed: a number of no practical size.
        """
        if not self.terms:
            return 0
        if len({r > 0 for _, r in self.terms}) == 1:
            return 1 if self.terms[0][1] > 0 else -1
        bits = FIRST_BITS
        while bits <= MOST_BITS:
            ball = self.ball(bits)
            for answer, below in ((1, certainly_less(0, ball)), (-1, certainly_less(ball, 0))):
                if below:
                    return answer
            bits *= 2
        msg = f"the sign of {self!r} needs more than {MOST_BITS} bits"
        raise ArithmeticError(msg)

    def ball(self, bits: int = 128) -> Ball:
        """Enclose the number, at a relative precision of the largest term."""
        numbers = Balls(bits)
        total = numbers.rational(Fraction(0))
        for x, r in self.terms:
            total = total + numbers.exp(numbers.rational(x)) * r
        return total

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ExpRatio):
            return other == self
        if not isinstance(other, ExpSum | Fraction | int):
            return NotImplemented
        return self.terms == _sum(other).terms

    def __lt__(self, other: ExpSum | Fraction | int) -> bool:
        if _is_ratio(other):
            return NotImplemented
        return (self - other).sign() < 0

    def __hash__(self) -> int:
        return hash(self.terms)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __repr__(self) -> str:
        text = " + ".join(f"{r} e^({x})" if x else str(r) for x, r in self.terms)
        return f"ExpSum({text or '0'})"


@final
@total_ordering
class ExpRatio:
    """Quotient of two sums of exponentials, the denominator positive; immutable.

    Parameters
    ----------
    numerator, denominator : ExpSum
        The denominator is not 0.
    """

    __slots__ = ("denominator", "numerator")

    numerator: ExpSum
    denominator: ExpSum

    def __init__(self, numerator: ExpSum, denominator: ExpSum) -> None:
        sign = denominator.sign()
        if not sign:
            msg = f"the denominator is 0 (the numerator is {numerator!r})"
            raise InvalidArgument(msg)
        object.__setattr__(self, "numerator", numerator * sign)
        object.__setattr__(self, "denominator", denominator * sign)

    def __setattr__(self, name: str, value: object) -> None:
        msg = f"an ExpRatio is immutable: {name} cannot be set to {value!r}"
        raise AttributeError(msg)

    def __add__(self, other: Exact) -> ExpRatio:
        n, d = _parts(other)
        if d == self.denominator:
            return ExpRatio(self.numerator + n, d)
        return ExpRatio(self.numerator * d + n * self.denominator, self.denominator * d)

    __radd__ = __add__

    def __neg__(self) -> ExpRatio:
        return ExpRatio(-self.numerator, self.denominator)

    def __sub__(self, other: Exact) -> ExpRatio:
        n, d = _parts(other)
        return self + ExpRatio(-n, d)

    def __rsub__(self, other: ExpSum | Fraction | int) -> ExpRatio:
        return -self + other

    def __mul__(self, other: Exact) -> ExpRatio:
        n, d = _parts(other)
        return ExpRatio(self.numerator * n, self.denominator * d)

    __rmul__ = __mul__

    def __truediv__(self, other: Exact) -> ExpRatio:
        n, d = _parts(other)
        return ExpRatio(self.numerator * d, self.denominator * n)

    def __rtruediv__(self, other: ExpSum | Fraction | int) -> ExpRatio:
        return ExpRatio(self.denominator * other, self.numerator)

    def sign(self) -> int:
        """Return -1, 0 or 1; always decided."""
        return self.numerator.sign()

    def ball(self, bits: int = 128) -> Ball:
        """Enclose the number."""
        return self.numerator.ball(bits) / self.denominator.ball(bits)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExpRatio | ExpSum | Fraction | int):
            return NotImplemented
        n, d = _parts(other)
        return self.numerator * d == n * self.denominator

    def __lt__(self, other: Exact) -> bool:
        n, d = _parts(other)
        return (self.numerator * d - n * self.denominator).sign() < 0

    __hash__ = None  # type: ignore[assignment]  # equal numbers have many forms

    def __repr__(self) -> str:
        return f"ExpRatio({self.numerator!r} / {self.denominator!r})"


Exact = ExpRatio | ExpSum | Fraction | int
"""Numbers that combine and compare exactly."""


def _is_ratio(value: object) -> bool:
    return isinstance(value, ExpRatio)


def _sum(value: ExpSum | Fraction | int) -> ExpSum:
    return value if isinstance(value, ExpSum) else ExpSum.rational(value)


def _parts(value: Exact) -> tuple[ExpSum, ExpSum]:
    if isinstance(value, ExpRatio):
        return value.numerator, value.denominator
    return _sum(value), ExpSum.rational(1)
