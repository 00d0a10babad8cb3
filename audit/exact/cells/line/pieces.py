"""Parts of a piecewise exponential law on the line: terms C e^{y z}, pieces and atoms.

C is a sum of rational multiples of exponentials of rationals and y is rational, so that integrals
between rational points are such sums too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from mechanisms.errors import InvalidArgument
from proofs_check.exponential import ExpSum

__all__ = ["Atom", "End", "Piece", "Term"]

End = Fraction | None
"""An end of an interval; None stands for infinity on that side."""


@final
@dataclass(frozen=True, slots=True)
class Term:
    """Density C e^{y z}."""

    coefficient: ExpSum
    """C, at least 0."""
    slope: Fraction
    """y."""

    def moved(self, distance: Fraction) -> Term:
        """Law of Z + distance, where Z has this one."""
        factor = ExpSum.exp(-self.slope * distance)
        return Term(self.coefficient * factor, self.slope)

    def integral(self, lower: End, upper: End) -> ExpSum:
        """Integral from lower to upper.

        Raises InvalidArgument if it is infinite.
        """
        y = self.slope
        if (lower is None and y <= 0) or (upper is None and y >= 0):
            msg = f"the integral of {self!r} from {lower} to {upper} is infinite"
            raise InvalidArgument(msg)
        if not y:
            assert lower is not None
            assert upper is not None
            return self.coefficient * (upper - lower)
        at_upper = ExpSum({}) if upper is None else ExpSum.exp(y * upper)
        at_lower = ExpSum({}) if lower is None else ExpSum.exp(y * lower)
        return self.coefficient * (at_upper - at_lower) * (1 / y)


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """One formula on an interval."""

    lower: End
    upper: End
    """Ends of the interval, lower < upper; None is infinite."""
    terms: tuple[Term, ...]
    """The density is their sum."""

    def __post_init__(self) -> None:
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            msg = f"lower must be less than upper, got lower={self.lower}, upper={self.upper}"
            raise InvalidArgument(msg)
        if any(term.coefficient.sign() < 0 for term in self.terms):
            msg = f"coefficients must be at least 0, got terms={self.terms!r}"
            raise InvalidArgument(msg)

    def moved(self, distance: Fraction, factor: ExpSum) -> Piece:
        """Law moved by a distance and multiplied by a factor."""
        terms = (term.moved(distance) for term in self.terms)
        return Piece(
            None if self.lower is None else self.lower + distance,
            None if self.upper is None else self.upper + distance,
            tuple(Term(term.coefficient * factor, term.slope) for term in terms),
        )

    def within(self, lower: End, upper: End) -> Piece | None:
        """Part of the piece between two ends; None if there is none."""
        lowers = [end for end in (self.lower, lower) if end is not None]
        uppers = [end for end in (self.upper, upper) if end is not None]
        left, right = max(lowers, default=None), min(uppers, default=None)
        if left is not None and right is not None and left >= right:
            return None
        return Piece(left, right, self.terms)

    def mass(self) -> ExpSum:
        """Integral over the piece."""
        parts = (term.integral(self.lower, self.upper) for term in self.terms)
        return sum(parts, start=ExpSum({}))


@final
@dataclass(frozen=True, slots=True)
class Atom:
    """A point of positive weight."""

    point: Fraction
    weight: ExpSum
    """Greater than 0."""

    def moved(self, distance: Fraction, factor: ExpSum) -> Atom:
        """Law moved by a distance and multiplied by a factor."""
        return Atom(self.point + distance, self.weight * factor)
