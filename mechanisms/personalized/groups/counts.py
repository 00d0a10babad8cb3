"""Noisy counts of the groups of users, rounded down and cut at 0 (PDP, Algorithm 8, repaired).

A group of d users counts as

    C = min(max(0, floor(d + Lap(1 / r) - ln(q) / r)), most)

with rate r = left / 2 and q = 2 J / beta. One user more or less changes d by 1, and so all
probabilities by at most e^r. The print has r = left, which spends the whole budget of a user at the
left end of a group (erratum PDP-E-06). As e^(-ln q) is rational, with k = c - d

    P(C >= c) = e^(-r k) / (2 q)    if r k + ln q >= 0,    else 1 - q e^(r k) / 2.

Both a cut at a public number and rounding are post-processing.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.protocols import Arithmetic

__all__ = ["CountsLaw", "GroupCounts", "lumped_from"]

OUTCOMES = 1024
"""Of a stated law, at most."""

LUMPED_FROM = 64
"""Of a stated law: from here on, at the latest, counts of a group are one outcome."""

DIGITS = 60
"""Of a logarithm that decides a branch of the law."""


@final
@dataclass(frozen=True, slots=True)
class GroupCounts:
    """Noisy counts of J groups."""

    rates: tuple[Fraction, ...]
    """Of the noise: 1 / scale, which is what the count of a group costs."""
    quotient: Fraction
    """q, greater than 1."""
    most: int
    """Public; larger counts are cut to it."""

    @property
    def offsets(self) -> NDArray[np.float64]:
        """What is subtracted from the noisy counts, ln(q) / r, shape (J,)."""
        logarithm = math.log(self.quotient.numerator) - math.log(self.quotient.denominator)
        return np.array([logarithm / float(rate) for rate in self.rates])

    def draw(
        self, sizes: NDArray[np.int64], size: int, *, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Draw counts of groups of the given sizes, shape (J,), as an array of shape (size, J)."""
        scales = np.array([float(1 / rate) for rate in self.rates])
        noisy = sizes + rng.laplace(scale=scales, size=(size, len(self.rates)))
        return np.clip(np.floor(noisy - self.offsets), 0, self.most).astype(np.int64)

    @property
    def has_law(self) -> bool:
        """Whether there are so few groups, at most 10, that the law has few outcomes."""
        return 1 << len(self.rates) <= OUTCOMES

    def law(self, sizes: Sequence[int]) -> CountsLaw:
        """State the law of the counts of groups of the given sizes."""
        return CountsLaw(self, tuple(int(users) for users in sizes))


def lumped_from(groups: int, most: int) -> int:
    """Counts from this number on are one outcome: at most 64, for at most 1024 outcomes in all."""
    found = LUMPED_FROM
    while found > 1 and (found + 1) ** groups > OUTCOMES:
        found -= 1
    return min(found, most)


@final
@dataclass(frozen=True, slots=True)
class CountsLaw:
    """Law of the counts; large counts of a group are one outcome.

    Above the size of a group all counts have the same ratio of probabilities under neighbors, so
    nothing is lost if no group is larger than `lumped_from`; else the law is of less than is
    released.
    """

    counts: GroupCounts
    """The noise."""
    sizes: tuple[int, ...]
    """Users of each group."""
    rational: ClassVar[bool] = False
    cuts: ClassVar[tuple[Fraction, ...]] = ()

    @property
    def last(self) -> int:
        """The count that stands for itself and all larger ones."""
        return lumped_from(len(self.sizes), self.counts.most)

    def masses(self, numbers: Arithmetic[Any], cuts: object = ()) -> Mapping[Hashable, Any]:  # noqa: ARG002
        """Probability of each tuple of counts."""
        groups = [
            self._group(users, rate, numbers)
            for users, rate in zip(self.sizes, self.counts.rates, strict=True)
        ]
        found: dict[Hashable, Any] = {}
        for outcome in product(range(self.last + 1), repeat=len(groups)):
            mass = numbers.rational(Fraction(1))
            for group, count in zip(groups, outcome, strict=True):
                mass = mass * group[count]
            found[outcome] = mass
        return found

    def _group(self, users: int, rate: Fraction, numbers: Arithmetic[Any]) -> list[Any]:
        """Masses of the counts 0, ..., last of one group."""
        zero, one = (numbers.rational(Fraction(x)) for x in (0, 1))
        ends = [(False, zero)]
        ends += [self._end(count - users, rate, numbers) for count in range(1, self.last + 1)]
        masses = []
        for (upper, x), (next_upper, y) in pairwise([*ends, (True, zero)]):
            if upper == next_upper:
                masses.append(x - y if upper else y - x)
            else:
                masses.append(one - x - y)
        return masses

    def _end(self, k: int, rate: Fraction, numbers: Arithmetic[Any]) -> tuple[bool, Any]:
        """P(C >= d + k) and True, or P(C < d + k) and False: the one that is at most 1/2."""
        q = self.counts.quotient
        if k >= 0 or _exceeds(q, -rate * k):
            tail = numbers.exp(numbers.rational(-rate * k))
            return True, tail * numbers.rational(1 / (2 * q))
        return False, numbers.exp(numbers.rational(rate * k)) * numbers.rational(q / 2)

    def describe(self, outcome: Any) -> str:
        """Say what the counts are."""
        words = [f"{c} or more" if c == self.last else str(c) for c in outcome]
        return f"counts = ({', '.join(words)})"


def _exceeds(quotient: Fraction, exponent: Fraction) -> bool:
    """Whether ln(quotient) > exponent; equal they are never, as e^exponent is irrational."""
    with localcontext() as context:
        context.prec = DIGITS
        q = Decimal(quotient.numerator) / Decimal(quotient.denominator)
        return bool(q.ln() > Decimal(exponent.numerator) / Decimal(exponent.denominator))
