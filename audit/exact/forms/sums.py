"""Sums of c e^(r x + s x^2): values and integrals of densities in closed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, final

from audit.exact.forms.quadratic import NoForm, Quadratic, refused
from proofs_check.enclosure import Ball, Balls

__all__ = ["Exponent", "Log", "Sum", "exp_sum"]

Exponent = tuple[Fraction, Fraction]
"""Coefficients (r, s) of r x + s x^2."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """The function sum of c e^(r x + s x^2)."""

    terms: Mapping[Exponent, Ball]
    """Coefficient c by exponent (r, s)."""
    numbers: Balls
    """Arithmetic of the coefficients."""

    def __add__(self, other: Any) -> Sum:
        terms = dict(self.terms)
        for exponent, c in self._lift(other).terms.items():
            terms[exponent] = terms[exponent] + c if exponent in terms else c
        return Sum(terms, self.numbers)

    __radd__ = __add__

    def __neg__(self) -> Sum:
        return Sum({exponent: -c for exponent, c in self.terms.items()}, self.numbers)

    def __sub__(self, other: Any) -> Sum:
        return self + -self._lift(other)

    def __rsub__(self, other: Any) -> Sum:
        return self._lift(other) - self

    def __mul__(self, other: Any) -> Sum:
        products: dict[Exponent, Ball] = {}
        for (r, s), c in self.terms.items():
            for (m, t), d in self._lift(other).terms.items():
                at = (r + m, s + t)
                products[at] = products[at] + c * d if at in products else c * d
        return Sum(products, self.numbers)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Sum:
        return self * self._lift(other).inverse()

    def __rtruediv__(self, other: Any) -> Sum:
        return self._lift(other) * self.inverse()

    def __pow__(self, exponent: int) -> Sum:
        if exponent < 0:
            return self.inverse() ** -exponent
        return reduce(lambda x, _: x * self, range(exponent), self._lift(Fraction(1)))

    def inverse(self) -> Sum:
        """Return 1 / self, for a single term."""
        if len(self.terms) != 1:
            msg = "a quotient by a sum of exponentials"
            raise NoForm(msg)
        (((r, s), c),) = self.terms.items()
        return Sum({(-r, -s): 1 / c}, self.numbers)

    def _lift(self, other: Any) -> Sum:
        if isinstance(other, Sum):
            return other
        if isinstance(other, Fraction | int):
            other = Quadratic(Fraction(other), Fraction(0), Fraction(0), None, None)
        if not isinstance(other, Quadratic) or not other.is_constant:
            refused("a sum or product of an exponential")
        if other.constant == 0 and not isinstance(other.constant, Ball):
            return Sum({}, self.numbers)
        return Sum({(Fraction(0), Fraction(0)): other.ball(self.numbers.bits)}, self.numbers)

    def at(self, x: Fraction) -> Ball:
        """Value at an exact point."""
        total = self.numbers.rational(Fraction(0))
        for (r, s), c in self.terms.items():
            total = total + c * self.numbers.exp(self.numbers.rational(r * x + s * x**2))
        return total

    def integral(self, lower: Fraction | None, upper: Fraction | None) -> Ball:
        """Integral between two ends; None stands for infinity.

        Raises NoForm if a term grows to infinity, or has a positive square.
        """
        total = self.numbers.rational(Fraction(0))
        for exponent, c in self.terms.items():
            total = total + c * _integral(exponent, lower, upper, self.numbers)
        return total


@final
@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """Logarithm of a sum of several exponentials."""

    sum: Sum

    def __add__(self, other: Any) -> Log:
        return Log(self.sum * exp_sum(other, self.sum.numbers))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Log:
        return Log(self.sum / exp_sum(other, self.sum.numbers))

    def __mul__(self, other: Any) -> Log:
        if isinstance(other, int) and other > 0:
            return Log(self.sum**other)
        return Log(refused("a multiple of a logarithm"))

    __rmul__ = __mul__


def exp_sum(x: Any, numbers: Balls) -> Sum:
    """Exponential of a quadratic polynomial, or of a logarithm."""
    if isinstance(x, Log):
        return x.sum
    if isinstance(x, Fraction | int):
        x = Quadratic(Fraction(x), Fraction(0), Fraction(0), None, None)
    if not isinstance(x, Quadratic):
        return Sum(refused("an exponential of an exponential"), numbers)
    return Sum({(x.linear, x.square): numbers.exp(x.ball(numbers.bits))}, numbers)


def _integral(
    exponent: Exponent, lower: Fraction | None, upper: Fraction | None, numbers: Balls
) -> Ball:
    """Integral of e^(r x + s x^2), by the primitives e^(r x) / r and erfc."""
    r, s = exponent
    zero = (Fraction(0), Fraction(0))
    grows = (upper is None and (s, r) >= zero) or (lower is None and (s, -r) >= zero)
    if grows or s > 0:
        msg = f"the integral of e^({r} x + {s} x^2) from {lower} to {upper}"
        raise NoForm(msg)
    if not s:
        if lower is not None and upper is not None and not r:
            return numbers.rational(upper - lower)
        ends = [
            numbers.rational(Fraction(0)) if x is None else numbers.exp(numbers.rational(r * x))
            for x in (lower, upper)
        ]
        return (ends[1] - ends[0]) / r
    root, middle = numbers.sqrt(numbers.rational(-s)), -r / (2 * s)
    scale = numbers.exp(numbers.rational(-(r**2) / (4 * s))) * numbers.sqrt(numbers.pi()) / root / 2
    if lower is None and upper is None:
        return scale * 2
    flip = lower is None or (upper is not None and upper <= middle)
    near, far = (upper, lower) if flip else (lower, upper)
    sides = [_beyond(x, middle, root, numbers, -1 if flip else 1) for x in (near, far)]
    return scale * (sides[0] - sides[1])


def _beyond(x: Fraction | None, middle: Fraction, root: Ball, numbers: Balls, sign: int) -> Ball:
    """Value of erfc at the distance from the middle outward; 0 at infinity."""
    if x is None:
        return numbers.rational(Fraction(0))
    return numbers.erfc(root * (sign * (x - middle)))
