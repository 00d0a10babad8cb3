"""Excesses in closed form: of one loss, and of sums that have few values.

One loss L of a pair (P, Q): H(e) = sum over its atoms of (p - exp(e) q)_+, and
P(L > e) - exp(e) Q(L > e) of what has a density. k Gaussian pairs are one, whose mu^2 is the sum of
theirs (Balle and Wang 2018, Theorem 8: both directions are equal).

k losses of x or -x, of P-masses p and 1 - p: the sum is (2 j - k) x with probability
C(k, j) p^j (1 - p)^(k - j) (Kairouz, Oh and Viswanath 2015, Theorem 3.3, for pure claims).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import islice, pairwise, product
from operator import add
from typing import final

from proofs_check.composition.laws import Law, Loss
from proofs_check.composition.parts import Part, Profile
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints

__all__ = ["FewValues", "OneLoss", "closed_form", "few_values", "two_valued"]

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
@dataclass(frozen=True, slots=True, eq=False)
class FewValues:
    """The excess of a sum that has few values: losses from the largest down, and masses so far."""

    losses: tuple[Ball, ...]
    masses: tuple[tuple[Ball, Ball], ...]
    """P and Q of the largest 0, 1, 2, ... losses together."""
    left_out: Fraction = Fraction(0)
    """P-mass of other losses, at most."""

    @classmethod
    def of(
        cls, values: Iterable[tuple[Ball, Ball, Ball]], left_out: Fraction = Fraction(0)
    ) -> FewValues:
        """Of losses from the largest down, with their masses under P and Q."""
        zero = NUMBERS.rational(Fraction(0))
        losses, masses = [], [(zero, zero)]
        for loss, p, q in values:
            losses.append(loss)
            masses.append((masses[-1][0] + p, masses[-1][1] + q))
        return cls(tuple(losses), tuple(masses), left_out)

    def excess(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """Ends of H(epsilon): P - exp(e) Q of the losses above e, which no other set exceeds.

        A loss that may lie on either side stands in one of the two sets that are tried.
        """
        factor = NUMBERS.exp(NUMBERS.rational(epsilon))
        first = bisect_left(self.losses, True, key=lambda x: certainly_less(epsilon, x) is not True)
        last = bisect_left(self.losses, True, key=lambda x: certainly_less(x, epsilon) is True)
        found = []
        for count in range(first, last + 1):
            p, q = self.masses[count]
            found.append(endpoints(p - factor * q))
        lower = max(least for least, _ in found)
        upper = max(most for _, most in found)
        return max(lower, Fraction(0)), max(upper, Fraction(0)) + self.left_out

    near = excess


def two_valued(law: Law, count: int) -> FewValues | None:
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
    return FewValues.of(_binomial(high.exact.ball(NUMBERS), high.p, count))


def _binomial(step: Ball, p: Ball, count: int) -> Iterator[tuple[Ball, Ball, Ball]]:
    """The sum of losses that are x, with probability p, or -x."""
    odds, mass = (1 - p) / p, p**count
    for losses in range(count + 1):
        loss = step * (count - 2 * losses)
        yield loss, mass, mass * NUMBERS.exp(-loss)
        mass = mass * odds * Fraction(count - losses, losses + 1)


Values = dict[Fraction, tuple[Ball, Ball]]
"""Masses under P and Q of each loss, in units of one part."""


def few_values(parts: Sequence[Part]) -> FewValues | None:
    """The sum of losses of several kinds that have few values, where these are certainly apart."""
    one = NUMBERS.rational(Fraction(1))
    whole = [(one * 0, one, one)]
    for part in parts:
        values = _values(part)
        if values is None or len(values[1]) * len(whole) > MOST_TERMS:
            return None
        base, masses = values
        pairs = [(Loss(times, base).ball(NUMBERS), p, q) for times, (p, q) in masses.items()]
        whole = [(a + x, b * y, c * z) for a, b, c in whole for x, y, z in pairs]
    return _listed(whole, Fraction(0))


def _values(part: Part) -> tuple[Fraction | None, Values] | None:
    """The values of the sum of one part: multiples of its unit."""
    law = part.law
    if law.lattice is None or part.count > MOST_COUNT or endpoints(law.smooth(NUMBERS))[1]:
        return None
    atoms = list(islice(law.atoms(NUMBERS), MOST_ATOMS + 1))
    exact = [atom.exact for atom in atoms]
    bases = {loss.base for loss in exact if loss is not None and loss.times}
    if len(atoms) > MOST_ATOMS or None in exact or len(bases) != 1:
        return None
    one = NUMBERS.rational(Fraction(1))
    found: Values = {Fraction(0): (one, one)}
    for _ in range(part.count):
        more: Values = {}
        for (times, (p, q)), atom in product(found.items(), atoms):
            assert atom.exact is not None
            key = times + atom.exact.times
            old = more.get(key, (one * 0, one * 0))
            more[key] = old[0] + p * atom.p, old[1] + q * atom.q
        found = more
    return bases.pop(), found


MOST_ATOMS, MOST_COUNT = 8, 64
"""Values of one loss, and how many such losses: a second at most."""


def _one_listed(law: Law) -> FewValues | None:
    """One loss that has masses only, at values that are certainly apart."""
    if endpoints(law.smooth(NUMBERS))[1]:
        return None
    atoms = [(atom.loss, atom.p, atom.q) for atom in law.atoms(NUMBERS)]
    left_out = 1 - reduce(add, (p for _, p, _ in atoms))
    return _listed(atoms, max(endpoints(left_out)[1], Fraction(0)))


def _listed(values: list[tuple[Ball, Ball, Ball]], left_out: Fraction) -> FewValues | None:
    """Values in any order; None where they are not certainly apart."""
    values.sort(key=lambda value: endpoints(value[0])[0], reverse=True)
    if not all(certainly_less(low[0], high[0]) is True for high, low in pairwise(values)):
        return None
    return FewValues.of(values, left_out)


def closed_form(parts: Sequence[Part]) -> Profile | None:
    """The excess in closed form, where there is one."""
    if len(parts) != 1:
        return few_values(parts)
    (part,) = parts
    if part.count == 1:
        return _one_listed(part.law) or OneLoss(part.law)
    return two_valued(part.law, part.count)
