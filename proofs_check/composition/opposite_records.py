"""The loss of two data sets that differ in one sampled record, which moves either way.

Under Poisson sampling with rate q, a record that adds mu (over the noise) against one that takes
mu off: ((1 - q) N(0, 1) + q N(mu, 1), (1 - q) N(0, 1) + q N(-mu, 1)). Both are laws of real data
sets, so what they lose is a lower end for replaced records. Whether no other pair loses more in
many steps, we do not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from proofs_check.composition.laws import Atom
from proofs_check.enclosure import Ball, Balls

__all__ = ["Opposed"]


@final
@dataclass(frozen=True, slots=True)
class Opposed:
    """Symmetric: both directions are the same."""

    mu_squared: Fraction
    rate: Fraction
    """Above 0 and below 1."""
    lattice = None

    def most(self, numbers: Balls) -> Ball | None:  # noqa: ARG002
        """None."""
        return None

    def atoms(self, numbers: Balls) -> Iterator[Atom]:  # noqa: ARG002
        """None."""
        return iter(())

    def smooth(self, numbers: Balls) -> Ball:
        """All of it."""
        return numbers.rational(Fraction(1))

    def tails(self, loss: Ball, numbers: Balls) -> tuple[Ball, Ball]:
        """Mass of both above a loss.

        The loss rises with the output x: with t = exp(mu x), a = q exp(-mu^2 / 2), s = exp(loss),
        (1 - q + a t) / (1 - q + a / t) = s is a t^2 - (1 - q) (s - 1) t - a s = 0.
        """
        ratio, rest = numbers.exp(loss), 1 - self.rate
        scale = self.rate * numbers.exp(numbers.rational(-self.mu_squared / 2))
        middle = rest * (ratio - 1)
        root = numbers.sqrt(middle**2 + 4 * scale**2 * ratio)
        mu = numbers.sqrt(numbers.rational(self.mu_squared))
        # of the two forms of the root, each loses digits on one side: both enclose it
        point = numbers.log(2 * scale * ratio / (root - middle)) / mu
        two = numbers.sqrt(numbers.rational(Fraction(2)))
        centered, above, below = (
            numbers.erfc((point - center) / two) / 2 for center in (mu * 0, mu, -mu)
        )
        return rest * centered + self.rate * above, rest * centered + self.rate * below
