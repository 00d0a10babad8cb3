"""Laws on the integers: discrete Gaussian laws in closed form, any other by its likeliest atoms.

Sums of Gaussian terms are enclosed by their first terms and the integral over the rest. Of a law
that only states its probabilities, atoms are gone through outward from 0; what they leave of the
total 1 bounds all that was not gone through.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, final

from audit.exact.comparison.cells import SHOWN, Gap
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints

NUMBERS = Balls(192)
REACH = 17
"""Standard deviations beyond which the terms of a sum are bounded, not added: below 2^-208."""

MOST_ATOMS = 20_000
"""Of a law without a closed form: a decision about so many takes seconds (`benchmarks.exact`, last
row), and what they leave of the total is bounded, not added."""

THETA = (
    "discrete Gaussian laws: the sum of e^(-(k - c)^2 / (2 sigma^2)) over all integers k is "
    "largest where c is one (Canonne, Kamath and Steinke 2020, Proposition 5)"
)

ENOUGH = Fraction(1, 10**15)
"""Probability of the atoms that are left out, below which no more are gone through."""


@lru_cache(maxsize=64)
def tail(first: int, center: Fraction, variance: Fraction) -> Ball:
    """Sum of e^(-(k - center)^2 / (2 variance)) over the integers k >= first.

    Beyond K >= center the terms fall, so that their sum is at most the integral from K on, which is
    below variance / (K - center) times the term at K (Gordon 1941, (7)).
    """
    last = max(first, math.ceil(center)) + REACH * (math.isqrt(math.ceil(variance)) + 1)
    total = NUMBERS.rational(Fraction(0))
    for k in range(first, last + 1):
        total = total + term(k - center, variance)
    rest = term(last - center, variance) * (variance / (last - center))
    return total + NUMBERS.between(Fraction(0), endpoints(rest)[1])


def term(distance: Fraction, variance: Fraction) -> Ball:
    """Value of e^(-distance^2 / (2 variance))."""
    return NUMBERS.exp(NUMBERS.rational(-(distance**2) / (2 * variance)))


def theta(center: Fraction, variance: Fraction) -> Ball:
    """Sum over all integers."""
    middle = math.floor(center)
    return tail(middle + 1, center, variance) + tail(-middle, -center, variance)


def beyond(first: int, variance: Fraction) -> Ball:
    """P(K >= first) of the law about 0."""
    whole = theta(Fraction(0), variance)
    if first >= 0:
        return tail(first, Fraction(0), variance) / whole
    return 1 - tail(1 - first, Fraction(0), variance) / whole


@final
@dataclass(frozen=True, slots=True)
class OfLatticeGaussians:
    """The discrete Gaussian law about an integer, against the same about another one.

    All are counted from `origin`.

    With the distance d its Renyi divergence of order a is a d^2 / (2 sigma^2), plus ln(t / t_0) /
    (a - 1): t the sum of all e^(-(k - c)^2 / (2 sigma^2)) about c = (1 - a) d, t_0 that about 0,
    which is the largest, and the same about integers (Poisson summation; Canonne, Kamath and
    Steinke 2020, Proposition 5).
    """

    first: int
    second: int
    variance: Fraction
    origin: Fraction = Fraction(0)
    lemmas: tuple[str, ...] = (THETA,)
    cells: int = 2

    @property
    def mu_squared(self) -> Fraction | None:
        """Known for equal laws only: the ratio of others is no Gaussian one."""
        return Fraction(0) if self.first == self.second else None

    @property
    def rho(self) -> Fraction:
        """Reached at integer orders."""
        return Fraction((self.first - self.second) ** 2) / (2 * self.variance)

    def at_most(self, epsilon: Fraction) -> bool:
        """Whether the laws are one: else the log-ratio is linear and has no bound."""
        return self.first == self.second and epsilon >= 0

    def loss(self) -> tuple[Fraction, Fraction] | None:
        """Infinite, of different laws."""
        return None if self.first != self.second else (Fraction(0), Fraction(0))

    def gap(self, epsilon: Fraction) -> Gap:
        """The integers beyond the last one at which the ratio is at most e^epsilon."""
        away = self.first - self.second
        if not away:
            value = 1 - NUMBERS.exp(NUMBERS.rational(min(epsilon, Fraction(0))))
            one = NUMBERS.rational(Fraction(epsilon < 0))
            return Gap("any output" if epsilon < 0 else "no output", one, one, value, value)
        size = abs(away)  # outward from the other mean, the ratio is above from here on
        start = math.floor(Fraction(size, 2) + epsilon * self.variance / size) + 1
        p, q = beyond(start - size, self.variance), beyond(start, self.variance)
        value = p - NUMBERS.exp(NUMBERS.rational(epsilon)) * q
        end = self.origin + self.second + (start if away > 0 else -start)
        return Gap(f"z {'>=' if away > 0 else '<='} {end}", p, q, value, value)

    def renyi(self, order: Fraction) -> tuple[Fraction, Fraction]:
        """Exactly, where order times distance is an integer."""
        distance, most = self.first - self.second, order * self.rho
        center = (1 - order) * distance
        if center.denominator == 1:
            return most, most
        ratio = theta(center % 1, self.variance) / theta(Fraction(0), self.variance)
        lower, upper = endpoints(NUMBERS.log(ratio) / (order - 1))
        return most + lower, most + min(upper, Fraction(0))


@final
@dataclass(frozen=True)
class OfAtoms:
    """Two laws that state the probability of each atom.

    Atoms of both are gone through outward; events among them refute a claim, and an approximate
    claim is also proved by what they leave. Nothing bounds the log-ratio beyond them.
    """

    law: Any
    other: Any
    rho: None = None
    mu_squared: None = None
    lemmas: tuple[str, ...] = ()

    @cached_property
    def rows(self) -> list[tuple[Any, Ball, Ball]]:
        """Atoms with both probabilities."""
        laws = [law.atoms(NUMBERS) for law in (self.law, self.other)]
        points: dict[Any, None] = {}
        for atoms in laws:
            points |= dict.fromkeys(_likely(atoms))
        zero = NUMBERS.rational(Fraction(0))
        rows = [(point, laws[0].get(point, zero), laws[1].get(point, zero)) for point in points]
        for point, *masses in rows:
            if any(certainly_less(mass, 0) for mass in masses):
                msg = f"the stated probability of {shown(point)} must be at least 0, got {masses!r}"
                raise InvalidArgument(msg)
        return rows

    @property
    def cells(self) -> int:
        """Atoms that were gone through."""
        return len(self.rows)

    def left(self, place: int) -> Fraction:
        """Most of the probability of a law that lies beyond the atoms.

        Raises InvalidArgument if the atoms have more than 1.
        """
        total = sum((row[1 + place] for row in self.rows), start=NUMBERS.rational(Fraction(0)))
        if certainly_less(1, total):
            msg = f"the stated probabilities add up to {total!r}, more than 1"
            raise InvalidArgument(msg)
        return max(1 - endpoints(total)[0], Fraction(0))

    def at_most(self, epsilon: Fraction) -> bool | None:
        """False where an atom shows it; nothing else is known."""
        return False if self.gap(epsilon).exceeds(Fraction(0)) else None

    def loss(self) -> tuple[Fraction, Fraction | None] | None:
        """The largest log-ratio of the atoms, and no bound."""
        reached = [x / y for _, x, y in self.rows if endpoints(x)[0] > 0 and endpoints(y)[0] > 0]
        if len(reached) < len(self.rows) and self._alone():
            return None
        logs = [endpoints(NUMBERS.log(ratio))[0] for ratio in reached]
        return max(logs, default=Fraction(0)), None

    def _alone(self) -> bool:
        """Whether an atom of the first law is none of the second."""
        return any(endpoints(x)[0] > 0 and not any(endpoints(y)) for _, x, y in self.rows)

    def gap(self, epsilon: Fraction) -> Gap:
        """The atoms whose ratio is certainly above e^epsilon."""
        factor = NUMBERS.exp(NUMBERS.rational(epsilon))
        event = [row for row in self.rows if certainly_less(row[2] * factor, row[1])]
        zero = NUMBERS.rational(Fraction(0))
        p, q = (sum((row[place] for row in event), start=zero) for place in (1, 2))
        most = sum(
            (max(Fraction(0), endpoints(x - factor * y)[1]) for _, x, y in self.rows), self.left(0)
        )
        shown = ", ".join(str(row[0]) for row in event[:SHOWN])
        words = f"z in {{{shown}{', ...' if len(event) > SHOWN else ''}}}"
        if len(event) > SHOWN:
            words += f", {len(event)} atoms"
        return Gap(words, p, q, p - factor * q, most)

    def renyi(self, order: Fraction) -> tuple[Fraction, Fraction | None] | None:
        """A lower end: the sum over atoms, and no less than 0 over the rest."""
        if self._alone():
            return None
        moment = NUMBERS.rational(Fraction(0))
        for _, x, y in self.rows:
            if endpoints(x)[0] > 0 and endpoints(y)[0] > 0:
                logs = NUMBERS.log(x) * order - NUMBERS.log(y) * (order - 1)
                moment = moment + NUMBERS.exp(logs)
        lower = endpoints(moment)[0]
        if lower <= 0:
            return Fraction(0), None
        return max(
            Fraction(0), endpoints(NUMBERS.log(NUMBERS.rational(lower)) / (order - 1))[0]
        ), None


def _likely(atoms: Mapping[Any, Any]) -> list[Any]:
    """Atoms in their order, until little probability is left."""
    points: list[Any] = []
    total = NUMBERS.rational(Fraction(0))
    for point in islice(atoms, MOST_ATOMS):
        points.append(point)
        total = total + atoms[point]
        if certainly_less(1 - total, ENOUGH):
            break
    return points
