"""Tails of two densities: what is asked beyond a point, and what a lemma answers."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.forms.curvature import curvature_of
from audit.exact.forms.pieces import density_form
from audit.exact.forms.quadratic import NoForm
from audit.exact.forms.sums import Sum
from audit.exact.jets.arithmetic import JetArithmetic
from audit.exact.jets.jet import Jet
from audit.exact.jets.points import points
from audit.exact.jets.search import Formula
from mechanisms.errors import TouchstoneError
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints

__all__ = ["NotCovered", "Shifts", "Side", "Tail", "TailLemma", "TailRange"]


class NotCovered(TouchstoneError):
    """No lemma covers an infinite piece; the message has the hypothesis that fails."""


class Side(enum.Enum):
    """An end of the line."""

    LEFT = -1
    RIGHT = 1


@final
@dataclass(frozen=True, slots=True)
class Shifts:
    """Two densities that are shifts of one: p(x) = f(x - first), q(x) = f(x - second)."""

    noise: Formula
    first: Fraction
    second: Fraction


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tail:
    """Two log-densities on x >= start (right) or x <= -start (left)."""

    p: Formula
    q: Formula
    """Log-densities in x, over an `Arithmetic`."""
    side: Side
    start: Fraction
    """Where the tail begins, in y = x or y = -x."""
    numbers: Balls
    """Working precision."""
    shifts: Shifts | None = None
    """Where p and q are shifts of one density."""

    def forms(self) -> tuple[Sum, Sum]:
        """Return both densities as sums of exponentials in y."""
        try:
            p, q = self._form(self.p), self._form(self.q)
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
        formula = (self.p, self.q)[which]
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
        slopes = self._jet(formula, self.start + Fraction(1, 1 << 20)).slopes
        return slopes[0] * self.side.value if slopes else None

    def _jet(self, formula: Formula, end: Fraction) -> Jet:
        """Return the jet in x from the start to an end, both in y."""
        box = tuple(sorted(self.side.value * y for y in (self.start, end)))
        piece = tuple(sorted(self.side.value * y for y in (self.start, self.start + 1)))
        arithmetic = JetArithmetic(self.numbers)
        (x,) = points(((box[0], box[1]),), ((piece[0], piece[1]),), arithmetic)
        return arithmetic.rational(formula(x, arithmetic))

    def log_ratio(self) -> Ball:
        """Return ln(p / q) at the start."""
        return self._jet(self.p, self.start).value - self._jet(self.q, self.start).value


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


@final
@dataclass(frozen=True, slots=True)
class TailLemma:
    """A statement about tails, with a rule that checks its hypotheses."""

    id: str
    """Name in certificates."""
    statement: str
    """What holds for y >= t."""
    hypotheses: tuple[str, ...]
    """What the rule checks."""
    direction: str
    """Which way the lemma bounds ln(p / q)."""
    rule: Callable[[Tail], TailRange]
    """From a tail to what the lemma says there; raises `NotCovered`."""
