"""Tails of two densities: what is asked beyond a point, and what a lemma answers."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.exact.forms.curvature import curvature_of
from audit.exact.forms.pieces import density_form
from audit.exact.forms.quadratic import NoForm
from audit.exact.forms.sums import Sum
from audit.exact.jets.jet import Jet, JetArithmetic
from audit.exact.jets.points import point_of
from audit.exact.jets.search import Formula
from mechanisms.errors import TouchstoneError
from mechanisms.protocols import ExactLaw
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints

__all__ = ["Density", "NotCovered", "Side", "Tail", "TailRange"]


class NotCovered(TouchstoneError):
    """No lemma covers an infinite piece; the message has the hypothesis that fails."""


class Side(enum.Enum):
    """An end of the line."""

    LEFT = -1
    RIGHT = 1


@final
@dataclass(frozen=True, slots=True, eq=False)
class _OfLaw:
    """The log-density of a law."""

    law: ExactLaw

    def __call__(self, x: Any, numbers: Any) -> Any:
        return self.law.log_density(x, numbers)


@final
@dataclass(frozen=True, slots=True)
class Density:
    """The density of shift + Z on the whole line."""

    noise: Formula
    """Log-density of Z, over an `Arithmetic`."""
    shift: Fraction = Fraction(0)
    breakpoints: tuple[Fraction, ...] = ()
    """All points where the formula of shift + Z changes, ascending."""

    @classmethod
    def from_law(
        cls, law: ExactLaw, shift: Fraction | int = 0, breakpoints: Sequence[Fraction] = ()
    ) -> Density:
        """State shift + Z, Z of a law, of which all breakpoints are given, ascending."""
        return cls(_OfLaw(law), Fraction(shift), tuple(b + shift for b in breakpoints))

    def log_density(self, x: Any, numbers: Any) -> Any:
        """Return the log-density, over an `Arithmetic`."""
        return self.noise(x - self.shift, numbers)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tail:
    """Two densities on x >= start (right) or x <= -start (left)."""

    p: Density
    q: Density
    side: Side
    start: Fraction
    """Where the tail begins, in y = x or y = -x."""
    numbers: Balls
    """Working precision."""

    def forms(self) -> tuple[Sum, Sum]:
        """Return both densities as sums of exponentials in y."""
        try:
            p, q = self._form(self.p.log_density), self._form(self.q.log_density)
        except NoForm as exc:
            raise NotCovered(str(exc)) from exc
        return p, q

    def mass(self, which: int) -> Ball:
        """Enclose the mass of p (0) or q (1) on the tail.

        By its closed form; else, for a log-concave density with slope l'(t) < 0 of its logarithm at
        the start, the mass is at most density(t) / -l'(t), since l(y) <= l(t) + l'(t) (y - t). For
        a Gaussian law that is the upper bound of its Mills ratio (Gordon 1941, (7)).

        Raises NotCovered if neither is certain, or the mass is infinite.
        """
        formula = (self.p, self.q)[which].log_density
        try:
            return self._form(formula).integral(self.start, None)
        except NoForm as exc:
            reason = str(exc)
        try:
            concave = curvature_of(formula, self.start, sign=self.side.value).concave
        except NoForm as exc:
            reason, concave = f"{reason}; {exc}", False
        slope = self._first_slope(formula) if concave else None
        if slope is None or certainly_less(slope, 0) is not True:
            msg = f"the mass has no closed form, and no bound by concavity ({reason})"
            raise NotCovered(msg)
        most = self._value(formula) / -endpoints(slope)[1]
        return most * self.numbers.between(Fraction(0), Fraction(1))

    def _form(self, formula: Formula) -> Sum:
        return density_form(formula, self.start, None, self.numbers, sign=self.side.value)

    def _value(self, formula: Formula) -> Ball:
        """Density at the start."""
        jet = self._jet(formula, self.start)
        return self.numbers.exp(jet.value)

    def _first_slope(self, formula: Formula) -> Ball | None:
        """Enclose the slope in y of a log-density just beyond the start."""
        slope = self._jet(formula, self.start + Fraction(1, 1 << 20)).slope
        return slope * self.side.value if isinstance(slope, Ball) else None

    def _jet(self, formula: Formula, end: Fraction) -> Jet:
        """Return the jet in x from the start to an end, both in y."""
        left, right = sorted(self.side.value * y for y in (self.start, end))
        low, high = sorted(self.side.value * y for y in (self.start, self.start + 1))
        arithmetic = JetArithmetic(self.numbers)
        x = point_of((left, right), (low, high), arithmetic)
        return arithmetic.rational(formula(x, arithmetic))

    def log_ratio(self) -> Ball:
        """Return ln(p / q) at the start."""
        p, q = (self._jet(one.log_density, self.start).value for one in (self.p, self.q))
        return p - q


@final
@dataclass(frozen=True, slots=True, eq=False)
class TailRange:
    """What a lemma says of ln(p / q) on a tail."""

    lemma: str
    """Id of the lemma."""
    side: Side
    start: Fraction
    """Where the tail begins, in y."""
    lower: Ball | None
    upper: Ball | None
    """Contain the infimum and the supremum. `upper` None: the supremum is infinite; `lower` None:
    no lower bound is known."""
