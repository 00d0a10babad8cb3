"""The Gaussian curve stated again over balls; the ledger has no claim about it.

Every number that stands in the formula is written `k(number)`, so that a test can change each of
them in turn by one percent and see that the comparison notices.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from proofs_check.enclosure import Ball, Balls

BITS = 200


@dataclass
class Constants:
    """Constants of one evaluation, the one of index `mutated` changed by one percent."""

    mutated: int | None = None
    numbers: Balls = field(default_factory=lambda: Balls(BITS))
    used: int = 0

    def __call__(self, value: int) -> Ball:
        """Return the next constant of the formula."""
        factor = Fraction(101, 100) if self.used == self.mutated else Fraction(1)
        self.used += 1
        return self.numbers.rational(value * factor)


def gaussian_delta(k: Constants, mu: Fraction, eps: Fraction) -> Ball:
    """Balle and Wang 2018, Theorem 8: delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)."""
    half, ratio = mu / k(2), eps / k.numbers.rational(mu)

    def phi(x: Ball) -> Ball:
        return k.numbers.erfc(-x / k.numbers.sqrt(k(2))) / k(2)

    return phi(half - ratio) - k.numbers.exp(eps * k(1)) * phi(-half - ratio)
