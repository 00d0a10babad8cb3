"""What is added up in one direction: independent losses, and what is lost at infinity.

A claim (e, d) of a mechanism without more said of it is dominated by d at infinity and 1 - d times
randomized response at e (Kairouz, Oh and Viswanath 2015), so those masses are a factor: of the
whole, delta = 1 - s (1 - delta of the rest), with s the product of all 1 - d.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, final

from proofs_check.composition.laws import Gaussian, Law
from proofs_check.enclosure import Balls, endpoints
from proofs_check.ends import Enclosed

__all__ = ["Direction", "Empty", "Ends", "Part", "Profile", "merged"]

NUMBERS = Balls(256)

Ends = tuple[Fraction, Fraction]
"""A lower and an upper end of one number."""


@final
@dataclass(frozen=True, slots=True)
class Part:
    """So many independent losses of one law."""

    law: Law
    count: int


class Profile(Protocol):
    """A function that encloses the excess of a composition."""

    def excess(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon)."""
        ...

    def near(self, epsilon: Fraction) -> Ends:
        """The same, which may be far apart where H is far from the delta that was asked for."""
        ...


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Equal laws once, all Gaussians as one, and nothing that is not done."""
    counts = dict[Law, int]()
    mu_squared = Fraction(0)
    for part in parts:
        if isinstance(part.law, Gaussian):
            mu_squared += part.count * part.law.mu_squared
        elif part.count:
            counts[part.law] = counts.get(part.law, 0) + part.count
    gaussian = [Part(Gaussian(mu_squared), 1)] if mu_squared else []
    return (*gaussian, *(Part(law, count) for law, count in counts.items()))


@final
@dataclass(frozen=True, slots=True)
class Direction:
    """A composition in one direction: its losses, and what is not lost at infinity."""

    parts: tuple[Part, ...]
    kept: tuple[tuple[Fraction, int], ...] = ()
    """Numbers 1 - delta below 1, and how often."""

    def kept_ends(self) -> Ends:
        """Ends of the product of what is kept."""
        whole = NUMBERS.rational(Fraction(1))
        for kept, count in self.kept:
            whole = whole * NUMBERS.rational(kept) ** count
        return endpoints(whole)

    def largest(self) -> Enclosed:
        """The largest loss of all together: the epsilon of a delta of 0."""
        if self.kept:
            return Enclosed(None, None)
        exact, rest = Fraction(0), NUMBERS.rational(Fraction(0))
        for part in self.parts:
            most = part.law.most(NUMBERS)
            if most is None:
                return Enclosed(None, None)
            least, upper = endpoints(most)
            known = [a.exact.times for a in part.law.atoms(NUMBERS) if a.exact and not a.exact.base]
            if known and least <= max(known) <= upper:
                exact += part.count * max(known)
            else:
                rest = rest + part.count * most
        lower, upper = endpoints(rest)
        return Enclosed(exact + lower, exact + upper)


class Empty:
    """No losses at all."""

    def excess(self, epsilon: Fraction) -> Ends:  # noqa: ARG002
        """Nothing."""
        return Fraction(0), Fraction(0)

    near = excess
