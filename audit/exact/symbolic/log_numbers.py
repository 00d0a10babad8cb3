"""Arithmetic in which a stated law gives its density exactly, at a point or over a region.

A law is stated as `log_density(point, numbers)`, by four operations, `exp` and `log`. With these
numbers the answer is the pair (factor, exponent) of the density factor * e^exponent: the factor a
quotient of sums of exponentials, the exponent a rational or, if the point is made of affine forms,
a form.

Levels of the staircase and exponents of the hourglass are stated again here (KSW-D2, KSW-D4). They
run on exact numbers and on affine forms alike; gamma may be a form too, so that a lemma holds for
every gamma. What a noise law states is compared with them (`audit.exact.cells.plane.plane_noises`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn, final

from audit.exact.symbolic.affine import Affine, NotAffine
from mechanisms.protocols import ExactLaw
from proofs_check.exponential import Exact, ExpRatio, ExpSum

Number = Affine | Fraction | int
"""An exact number, or a form."""


def level(z: Number, gamma: Number) -> Number:
    """Return s(z): 0 for |z| < gamma, sgn(z) i for i - 1 + gamma <= |z| < i + gamma."""
    size = _floor(_size(z) - gamma + 1)
    return size if z >= 0 else -size


def grid_level(j: Number, grid: int, level0: int) -> Number:
    """Level of the integer j: 0 for |j| < level0, then `grid` integers a level (KSW-D5)."""
    steps = _floor((_size(j) - level0) * Fraction(1, grid))
    return steps + 1 if j >= 0 else -1 - steps


def hourglass_exponent(s: Number, t: Number) -> Number:
    """Return k = |s| + |t - s|: the density on the line z1 + z2 = t is A e^(-epsilon k)."""
    return _size(s) + _size(t - s)


def _floor(x: Number) -> Number:
    floor: Number = x.__floor__()
    return floor


def _size(x: Number) -> Number:
    return x if x >= 0 else -x


ONE = ExpRatio(ExpSum.rational(1), ExpSum.rational(1))


@final
@dataclass(frozen=True, slots=True, eq=False)
class LogNumber:
    """The number ln(factor) + exponent."""

    factor: ExpRatio
    """Greater than 0."""
    exponent: Affine | Fraction
    """In nats."""

    def same_factor(self, other: LogNumber) -> bool:
        """Whether two numbers have the same factor."""
        x, y = self.factor, other.factor
        return (x.numerator == y.numerator and x.denominator == y.denominator) or x == y

    def __add__(self, other: LogNumber | Fraction) -> LogNumber:
        if isinstance(other, LogNumber):
            return LogNumber(self.factor * other.factor, self.exponent + other.exponent)
        return LogNumber(self.factor, self.exponent + other)

    __radd__ = __add__

    def __neg__(self) -> LogNumber:
        return LogNumber(1 / self.factor, -self.exponent)

    def __sub__(self, other: LogNumber | Fraction) -> LogNumber:
        return self + -other

    def __rsub__(self, other: Fraction) -> LogNumber:
        return -self + other


@final
@dataclass(frozen=True, slots=True)
class ExactLogs:
    """Exact numbers and logarithms of such, as an `Arithmetic`."""

    def rational(self, value: Fraction | Affine) -> Fraction | LogNumber:
        """Keep an exact rational; a form becomes an exponent."""
        return LogNumber(ONE, value) if isinstance(value, Affine) else Fraction(value)

    def exp(self, x: Fraction | LogNumber) -> Exact:
        """Return e^x, exactly."""
        if isinstance(x, LogNumber):
            if isinstance(x.exponent, Affine):
                _refuse("exp of a form")
            return x.factor * ExpSum.exp(x.exponent)
        return ExpSum.exp(x)

    def log(self, x: Exact) -> LogNumber:
        """Return the natural logarithm of an exact positive number."""
        return LogNumber(ONE * x, Fraction(0))

    def between(self, lower: Fraction, upper: Fraction) -> NoReturn:
        """Refuse: an exact law has no unknown numbers."""
        _refuse(f"a number between {lower} and {upper}")

    def pi(self) -> NoReturn:
        """Refuse: not a quotient of exponentials."""
        _refuse("pi")

    def sqrt(self, x: object) -> NoReturn:
        """Refuse: not a quotient of exponentials."""
        _refuse(f"the square root of {x!r}")

    def erfc(self, x: object) -> NoReturn:
        """Refuse: not a quotient of exponentials."""
        _refuse(f"erfc of {x!r}")


def log_density(law: ExactLaw, point: Any) -> LogNumber:
    """Evaluate a stated law exactly.

    `law`: a law made of exponentials of rationals. `point`: a point of the law, or all points of a
    region. Returns: logarithm of the density (or pmf) there. Raises NotAffine if the law is not of
    this kind, such as the Gaussian.
    """
    numbers: Any = ExactLogs()
    value: Any = law.log_density(point, numbers)
    return value if isinstance(value, LogNumber) else LogNumber(ONE, value)


def exponent(law: ExactLaw, point: Any) -> Affine | Fraction:
    """Return log_density(law, point).exponent, quickly: of normalizers nothing is computed.

    `law`: a law made of exponentials of rationals. `point`: a point of the law, or all points of a
    region. Returns: in nats.
    """
    numbers: Any = _Exponents()
    value: Affine | Fraction = law.log_density(point, numbers)
    return value


@final
@dataclass(frozen=True, slots=True)
class _Exponents:
    """Numbers in which every logarithm is 0; the bases of exponentials are left open."""

    def rational(self, value: Fraction | Affine) -> Fraction | Affine:
        return value

    def exp(self, x: Fraction) -> Fraction:  # noqa: ARG002
        return Fraction(1, 2)

    def log(self, x: Fraction) -> Fraction:  # noqa: ARG002
        return Fraction(0)


def _refuse(what: str) -> NoReturn:
    msg = f"the law needs {what}, which is no quotient of exponentials"
    raise NotAffine(msg)
