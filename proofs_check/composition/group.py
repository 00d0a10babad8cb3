"""A replaced record is one that is removed and one that is added: an upper end by two steps.

With P, R, Q the laws of all releases on data with the one record, without it, and with the other,
P(S) <= exp(e) R(S) + H_e(P, R) and R(S) <= exp(e) Q(S) + H_e(R, Q) for every event S, so
H_2e(P, Q) <= H_e(P, R) + exp(e) H_e(R, Q).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from proofs_check.composition.epsilon import Totals, epsilon_of
from proofs_check.composition.parts import Ends
from proofs_check.enclosure import Balls, endpoints
from proofs_check.ends import Enclosed

__all__ = ["Bracket"]

NUMBERS = Balls(192)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Bracket:
    """A lower end from a pair of data sets, an upper one from removing and adding."""

    pair: Totals
    removed: Totals
    added: Totals

    def delta(self, epsilon: Fraction) -> Ends:
        """Ends of delta(epsilon)."""
        half = epsilon / 2
        factor = endpoints(NUMBERS.exp(NUMBERS.rational(half)))[1]
        upper = self.removed.delta(half)[1] + factor * self.added.delta(half)[1]
        return self.pair.delta(epsilon)[0], min(upper, Fraction(1))

    def epsilon(self, delta: Fraction) -> Enclosed:
        """Ends of epsilon(delta), of a delta above 0."""
        return epsilon_of(self.delta, delta)
