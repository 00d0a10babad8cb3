"""Closed forms of a density on one piece: sums of c e^(r x + s x^2) with exact r and s.

Run over `Forms`, the formula of a log-density shows whether it is such a sum on the whole piece,
also where the piece reaches to infinity: exponents are exact polynomials, signs under abs and
branches are decided exactly for the whole piece, and what has no such form raises `NoForm`.
Laplace and Gaussian laws, their mixtures and products have one. It gives what no finite number of
cells can: primitives, limits and signs out to infinity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.exact.forms.quadratic import NoForm, Quadratic, refused
from audit.exact.forms.sums import Log, Sum, exp_sum
from proofs_check.enclosure import Ball, Balls

__all__ = ["Forms", "density_form"]


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
