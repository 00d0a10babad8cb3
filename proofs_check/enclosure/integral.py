"""Rigorous integrals of analytic functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

from flint import acb, acb_poly, arb, ctx, fmpz

from proofs_check.enclosure.ball import Ball, Balls, Undecided

__all__ = ["ComplexBall", "Complexes", "gauss_rule", "integral", "polynomial"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class ComplexBall:
    """A complex number known up to a box: what an integrand is evaluated on.

    The four operations take complex balls, balls, integers and Fractions; powers are integral.
    """

    value: acb

    def __add__(self, other: ComplexBall | Ball | Fraction | int) -> ComplexBall:
        return ComplexBall(self.value + _plain(other))

    __radd__ = __add__

    def __sub__(self, other: ComplexBall | Ball | Fraction | int) -> ComplexBall:
        return ComplexBall(self.value - _plain(other))

    def __rsub__(self, other: Ball | Fraction | int) -> ComplexBall:
        return ComplexBall(_plain(other) - self.value)

    def __mul__(self, other: ComplexBall | Ball | Fraction | int) -> ComplexBall:
        return ComplexBall(self.value * _plain(other))

    __rmul__ = __mul__

    def __truediv__(self, other: ComplexBall | Ball | Fraction | int) -> ComplexBall:
        return ComplexBall(self.value / _plain(other))

    def __rtruediv__(self, other: Ball | Fraction | int) -> ComplexBall:
        return ComplexBall(_plain(other) / self.value)

    def __pow__(self, exponent: int) -> ComplexBall:
        return ComplexBall(self.value ** fmpz(exponent))

    def __neg__(self) -> ComplexBall:
        return ComplexBall(-self.value)


@final
@dataclass(frozen=True, slots=True)
class Complexes:
    """Functions of complex balls; the names are those of `Balls`.

    Parameters
    ----------
    analytic : bool
        Whether a function must fail where it is not analytic, as quadrature asks at times.
    """

    analytic: bool = False

    def rational(self, value: Fraction | int) -> ComplexBall:
        """Enclose an exact rational."""
        return ComplexBall(acb(_plain(value)))

    def pi(self) -> ComplexBall:
        """Return the circle constant."""
        return ComplexBall(acb(arb.pi()))

    def exp(self, x: ComplexBall) -> ComplexBall:
        """Return e^x."""
        return ComplexBall(x.value.exp())

    def log(self, x: ComplexBall) -> ComplexBall:
        """Return the natural logarithm."""
        return ComplexBall(x.value.log(analytic=self.analytic))

    def sqrt(self, x: ComplexBall) -> ComplexBall:
        """Return the square root."""
        return ComplexBall(x.value.sqrt(analytic=self.analytic))

    def mean_exp(self, x: ComplexBall) -> ComplexBall:
        """Return (e^x - 1) / x, and 1 at 0: the mean of e^(s x) over 0 < s < 1."""
        return ComplexBall((x.value / 2).exp() * (x.value * acb(0, 1) / 2).sinc())

    def power(self, x: ComplexBall, exponent: Fraction) -> ComplexBall:
        """Return x^exponent."""
        return self.exp(self.log(x) * exponent)

    def erfc(self, x: ComplexBall) -> ComplexBall:
        """Return the complementary error function."""
        return ComplexBall(x.value.erfc())


def integral(
    integrand: Callable[[ComplexBall, Complexes], ComplexBall],
    lower: Fraction | Ball,
    upper: Fraction | Ball,
    *,
    numbers: Balls,
) -> Ball:
    """Enclose the integral of a function that is analytic near [lower, upper].

    Parameters
    ----------
    integrand : callable
        Of the point and of the functions to use. Inside the interval it may have no kink or jump:
        split the integral there.
    lower, upper : Fraction or Ball
        Ends.
    numbers : Balls
        Working precision.

    Returns
    -------
    Ball
        Certainly contains the integral.

    Raises
    ------
    Undecided
        If the integrand is not certainly finite on the interval.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.enclosure import Balls, integral
    >>> integral(lambda x, c: c.exp(-x), Fraction(0), Fraction(1), numbers=Balls(64))
    Ball([0.632120558828557678 +/- 5.98e-19])
    """

    def evaluate(x: Any, analytic: bool) -> Any:
        return integrand(ComplexBall(x), Complexes(analytic=bool(analytic))).value

    with ctx.workprec(numbers.bits):
        found = acb.integral(evaluate, _plain(lower), _plain(upper))
        real = found.real
    if not real.is_finite():
        msg = f"the integral over [{lower!r}, {upper!r}] is not certainly finite"
        raise Undecided(msg)
    return Ball(real, numbers.bits)


@lru_cache(maxsize=16)
def gauss_rule(count: int, bits: int) -> tuple[tuple[Ball, Ball], ...]:
    """Nodes and weights of Gauss's rule on [-1, 1]: exact up to degree 2 count - 1."""
    with ctx.workprec(bits):
        found = [arb.legendre_p_root(count, k, weight=True) for k in range(count)]
    return tuple((Ball(node, bits), Ball(weight, bits)) for node, weight in found)


def polynomial(coefficients: Sequence[Ball]) -> Callable[[ComplexBall], ComplexBall]:
    """Return the polynomial c_0 + c_1 x + c_2 x^2 + ..., for integrands with many terms.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.enclosure import Balls, contains, integral, polynomial
    >>> numbers = Balls(64)
    >>> cube = polynomial([numbers.rational(Fraction(c)) for c in (0, 0, 0, 4)])
    >>> found = integral(lambda x, _: cube(x), Fraction(0), Fraction(1), numbers=numbers)
    >>> contains(found, Fraction(1))
    True
    """
    terms = acb_poly([coefficient.value for coefficient in coefficients])
    return lambda x: ComplexBall(terms(x.value))


def _plain(value: ComplexBall | Ball | Fraction | int) -> Any:
    match value:
        case ComplexBall() | Ball():
            return value.value
        case _:
            number = Fraction(value)
            return arb(fmpz(number.numerator)) / arb(fmpz(number.denominator))
