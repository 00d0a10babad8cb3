"""Excesses in closed form: of one loss, and of many that have two values.

One loss L of a pair (P, Q): H(e) = sum over its atoms of (p - exp(e) q)_+, and
P(L > e) - exp(e) Q(L > e) of what has a density. k Gaussian pairs are one, whose mu^2 is the sum of
theirs (Balle and Wang 2018, Theorem 8: both directions are equal).

k losses of x or -x, of P-masses p and 1 - p: the sum is (2 j - k) x with probability
C(k, j) p^j (1 - p)^(k - j) (Kairouz, Oh and Viswanath 2015, Theorem 3.3, for pure claims).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from proofs_check.composition.laws import Law, Loss
from proofs_check.composition.parts import Part, Profile
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints

__all__ = ["OneLoss", "TwoValued", "closed_form", "two_valued"]

NUMBERS = Balls(256)

MOST_TERMS = 2_000
"""Terms of a binomial sum: 0.1 s. Of more, the lattice engine answers alone."""


@final
@dataclass(frozen=True, slots=True)
class OneLoss:
    """The excess of one loss."""

    law: Law

    def excess(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """Ends of H(epsilon)."""
        at = NUMBERS.rational(epsilon)
        factor = NUMBERS.exp(at)
        p, q = self.law.tails(at, NUMBERS)
        lower, upper = endpoints(p - factor * q)
        listed = self.law.smooth(NUMBERS)
        for atom in self.law.atoms(NUMBERS):
            listed = listed + atom.p
            least, most = endpoints(atom.p - factor * atom.q)
            lower, upper = lower + max(least, Fraction(0)), upper + max(most, Fraction(0))
        return max(lower, Fraction(0)), upper + max(endpoints(1 - listed)[1], Fraction(0))

    near = excess


@final
@dataclass(frozen=True, slots=True)
class TwoValued:
    """The excess of the sum of losses that are x or -x."""

    loss: Loss
    p: Ball
    """Probability of x."""
    count: int

    def excess(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """Ends of H(epsilon)."""
        numbers, step = NUMBERS, self.loss.ball(NUMBERS)
        odds = self.p / (1 - self.p)
        mass = (1 - self.p) ** self.count
        lower = upper = Fraction(0)
        for wins in range(self.count + 1):
            loss = step * (2 * wins - self.count)
            if certainly_less(loss, epsilon) is not True:
                part = mass * (1 - numbers.exp(epsilon - loss))
                least, most = endpoints(part)
                lower, upper = lower + max(least, Fraction(0)), upper + max(most, Fraction(0))
            mass = mass * odds * Fraction(self.count - wins, wins + 1)
        return lower, upper

    near = excess


def two_valued(law: Law, count: int) -> TwoValued | None:
    """The sum of `count` losses, where they have two values and are not too many."""
    if law.lattice is None or count > MOST_TERMS or endpoints(law.smooth(NUMBERS))[1]:
        return None
    atoms = list(law.atoms(NUMBERS))
    if len(atoms) != 2 or any(atom.exact is None for atom in atoms):
        return None
    low, high = sorted(atoms, key=lambda atom: endpoints(atom.loss)[0])
    assert low.exact is not None
    assert high.exact is not None
    if low.exact != Loss(-high.exact.times, high.exact.base):
        return None
    return TwoValued(high.exact, high.p, count)


def closed_form(parts: Sequence[Part]) -> Profile | None:
    """The excess in closed form, where there is one."""
    if len(parts) != 1:
        return None
    (part,) = parts
    if part.count == 1:
        return OneLoss(part.law)
    return two_valued(part.law, part.count)
