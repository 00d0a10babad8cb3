"""Closed forms of a density on one piece: sums of c e^(r x + s x^2) with exact r and s.

Run over `Forms`, the formula of a log-density shows whether it is such a sum on the whole piece,
also where the piece reaches to infinity: exponents are exact polynomials, signs under abs and
branches are decided exactly for the whole piece, and what has no such form raises `NoForm`.
Laplace and Gaussian laws, their mixtures and products have one. It gives what no finite number of
cells can: primitives, limits and signs out to infinity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, final

from mechanisms.errors import TouchstoneError
from proofs_check.enclosure import Ball, Balls


class NoForm(TouchstoneError):
    """A formula is no sum of exponentials of quadratic polynomials on the piece."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Quadratic:
    """The polynomial constant + linear x + square x^2 on a piece of the line."""

    constant: Fraction | Ball
    """Exact where the formula has computed no function yet."""
    linear: Fraction
    square: Fraction
    """Exact coefficients."""
    lower: Fraction | None
    upper: Fraction | None
    """Ends of the piece; None stands for infinity."""

    def _like(
        self, constant: Fraction | Ball, linear: Fraction | int = 0, square: Fraction | int = 0
    ) -> Quadratic:
        return Quadratic(constant, Fraction(linear), Fraction(square), self.lower, self.upper)

    @property
    def is_constant(self) -> bool:
        """Whether nothing but the constant is left."""
        return not self.linear and not self.square

    def ball(self, bits: int) -> Ball:
        """Enclose the constant."""
        c = self.constant
        return c if isinstance(c, Ball) else Balls(bits).rational(c)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Quadratic):
            c = _plus(self.constant, other.constant)
            return self._like(c, self.linear + other.linear, self.square + other.square)
        if isinstance(other, Fraction | int):
            return self._like(self.constant + other, self.linear, self.square)
        return NotImplemented

    __radd__ = __add__

    def __neg__(self) -> Quadratic:
        return self._like(-self.constant, -self.linear, -self.square)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            return self._like(self.constant * other, self.linear * other, self.square * other)
        if not isinstance(other, Quadratic):
            return NotImplemented
        if self.is_constant and other.is_constant:
            return self._like(_times(self.constant, other.constant))
        c, d = self.constant, other.constant
        cubic = self.linear * other.square + self.square * other.linear
        if isinstance(c, Ball) or isinstance(d, Ball) or cubic or self.square * other.square:
            msg = "a product is no exact polynomial of degree 2"
            raise NoForm(msg)
        linear = c * other.linear + self.linear * d
        return self._like(
            c * d, linear, c * other.square + self.linear * other.linear + self.square * d
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            return self * (1 / Fraction(other))
        if isinstance(other, Quadratic) and other.is_constant:
            d = other.constant
            if not isinstance(d, Ball):
                return self / d
            if self.is_constant:
                return self._like(self.ball(d.bits) / d)
        return refused("a quotient")

    def __rtruediv__(self, other: Any) -> Any:
        return self._like(Fraction(other)) / self

    def __pow__(self, exponent: int) -> Any:
        if exponent < 0:
            return 1 / self**-exponent
        return reduce(lambda x, _: x * self, range(exponent), self._like(Fraction(1)))

    def __abs__(self) -> Quadratic:
        return -self if self._sign() < 0 else self

    def __floor__(self) -> int:
        return int(refused("a floor"))

    def __lt__(self, other: Any) -> bool:
        return bool((self - other)._sign() < 0)

    def __gt__(self, other: Any) -> bool:
        return bool((self - other)._sign() > 0)

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def _sign(self) -> int:
        """Sign in the interior of the piece, exactly; 0 only for the polynomial 0."""
        constant, lower, upper = self.constant, self.lower, self.upper
        if isinstance(constant, Ball):
            msg = "a sign depends on a number that is not rational"
            raise NoForm(msg)
        values = [
            constant + self.linear * x + self.square * x**2 for x in (lower, upper) if x is not None
        ]
        if self.square:
            vertex = -self.linear / (2 * self.square)
            if (lower is None or vertex > lower) and (upper is None or vertex < upper):
                values.append(constant + self.linear * vertex / 2)
        for end, infinite in ((1, upper is None), (-1, lower is None)):
            if infinite:
                values.append(self.square or self.linear * end or constant)
        signs = {(v > 0) - (v < 0) for v in values} - ({0} if not self.is_constant else set())
        if len(signs) != 1:
            msg = "a sign changes on the piece"
            raise NoForm(msg)
        return signs.pop()


def _plus(x: Fraction | Ball, y: Fraction | Ball) -> Fraction | Ball:
    return y + x if isinstance(y, Ball) else x + y


def _times(x: Fraction | Ball, y: Fraction | Ball) -> Fraction | Ball:
    return y * x if isinstance(y, Ball) else x * y


def refused(what: str) -> Any:
    """Say that there is no closed form."""
    msg = f"{what} has no closed form here"
    raise NoForm(msg)


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


@final
@dataclass(frozen=True, slots=True)
class Forms:
    """Closed forms on one piece as an `Arithmetic`."""

    numbers: Balls
    """Arithmetic of the coefficients."""
    lower: Fraction | None
    upper: Fraction | None
    """Ends of the piece; None stands for infinity."""

    def point(self, sign: int = 1) -> Quadratic:
        """Return the point x of the piece, or -x."""
        return Quadratic(Fraction(0), Fraction(sign), Fraction(0), self.lower, self.upper)

    def _constant(self, value: Fraction | Ball) -> Quadratic:
        return Quadratic(value, Fraction(0), Fraction(0), self.lower, self.upper)

    def rational(self, value: Any) -> Any:
        """Convert an exact number; polynomials of the point stay as they are."""
        return self._constant(Fraction(value)) if isinstance(value, Fraction | int) else value

    def between(self, lower: Any, upper: Any) -> Quadratic:
        """Refuse: an unknown number may depend on the point."""
        result: Quadratic = refused(f"a number between {lower!r} and {upper!r}")
        return result

    def pi(self) -> Quadratic:
        """Return the circle constant."""
        return self._constant(self.numbers.pi())

    def exp(self, x: Any) -> Any:
        """Return e^x."""
        x = self.rational(x)
        if isinstance(x, Quadratic) and x.is_constant:
            return self._constant(self.numbers.exp(x.ball(self.numbers.bits)))
        return exp_sum(x, self.numbers)

    def log(self, x: Any) -> Any:
        """Return the natural logarithm."""
        if not isinstance(x, Sum):
            return self._apply(self.numbers.log, x)
        if len(x.terms) > 1:
            return Log(x)
        (((r, s), c),) = x.terms.items()
        return Quadratic(self.numbers.log(c), r, s, self.lower, self.upper)

    def sqrt(self, x: Any) -> Any:
        """Return the square root of a constant."""
        return self._apply(self.numbers.sqrt, x)

    def erfc(self, x: Any) -> Any:
        """Return the complementary error function of a constant."""
        return self._apply(self.numbers.erfc, x)

    def _apply(self, function: Callable[[Ball], Ball], x: Any) -> Quadratic:
        x = self.rational(x)
        if not isinstance(x, Quadratic) or not x.is_constant:
            refused("a function of the point")
        return self._constant(function(x.ball(self.numbers.bits)))


def density_form(
    log_density: Callable[[Any, Any], Any],
    lower: Fraction | None,
    upper: Fraction | None,
    numbers: Balls,
    *,
    sign: int = 1,
) -> Sum:
    """Return a density on a piece as a sum of exponentials.

    `log_density`: the formula, over an `Arithmetic`. `lower`, `upper`: ends of the piece, in the
    variable sign * x. `numbers`: arithmetic of the coefficients. `sign`: -1 to look along the line
    from the other side. Raises NoForm if the formula is none on the piece, with what is in the way.
    """
    forms = Forms(numbers, lower, upper)
    try:
        return exp_sum(forms.rational(log_density(forms.point(sign), forms)), numbers)
    except TypeError as exc:  # an operation that forms do not have
        raise NoForm(str(exc)) from exc
