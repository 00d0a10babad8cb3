"""Quadratic polynomials with exact coefficients or balls: exponents of closed forms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, final

from mechanisms.errors import TouchstoneError
from proofs_check.enclosure import Ball, Balls

__all__ = ["NoForm", "Quadratic", "refused"]


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
