"""The exact law of diffused answers: for each user a bit, independent of the others (PDP-T10).

A bit is 1 with probability e^tau / (1 + e^tau) if the user's record is 1 and survives, else with
1 / (1 + e^tau). Times 1 + e^tau, the two masses of a record 1 are, at a rational rate p,

    bit 1: p e^tau + 1 - p,    bit 0: p + (1 - p) e^tau,

and at the right rate p = (e^eps - 1) / (e^tau - 1), for eps <= tau,

    bit 1: e^eps,              bit 0: e^tau + 1 - e^eps,

sums of exponentials whichever the rates are; without a record they are 1 and e^tau.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias, final

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates

__all__ = ["AnswerLaw"]

MOST_USERS = 8
"""Of an exact law: there are 2^n outcomes of up to 3^n terms."""

Sum: TypeAlias = dict[Fraction, Fraction]
"""Factors of e^x, by x."""

Terms: TypeAlias = tuple[tuple[Fraction, Fraction], ...]


@final
@dataclass(frozen=True, slots=True)
class AnswerLaw:
    """Law of all bits, as weights of points.

    Raises
    ------
    InvalidArgument
        If there are more than 8 users.
    """

    tau: Fraction
    """How private the answers are to the survivors."""
    rates: RightRates | RationalRates
    """Survival probabilities."""
    ones: tuple[bool, ...]
    """Whose record is 1."""

    def __post_init__(self) -> None:
        if len(self.ones) > MOST_USERS:
            msg = f"an exact law needs at most {MOST_USERS} users, got {len(self.ones)}"
            raise InvalidArgument(msg)

    @property
    def epsilon(self) -> Fraction:
        """Unit of the losses: a term (factor, loss) is factor e^-loss."""
        return Fraction(2)

    @property
    def points(self) -> tuple[tuple[int, ...], ...]:
        """All vectors of bits, ascending."""
        return tuple(product((0, 1), repeat=len(self.ones)))

    @property
    def weights(self) -> tuple[Terms, ...]:
        """Terms (factor, loss) of the weight of each vector; weights add up to (1 + e^tau)^n."""
        return tuple(self._weight(bits) for bits in self.points)

    def masses_of(self, user: int) -> tuple[Sum, Sum]:
        """Masses of the bits 0 and 1 of a user, times 1 + e^tau."""
        zero, one = Fraction(0), Fraction(1)
        if not self.ones[user]:
            return {self.tau: one}, {zero: one}
        if isinstance(self.rates, RationalRates):
            p = self.rates.rates[user]
            return {zero: p, self.tau: 1 - p}, {zero: 1 - p, self.tau: p}
        spent = min(self.rates.budgets[user], self.tau)
        miss = _total({zero: one}, {self.tau: one}, {spent: -one})
        return miss, {spent: one}

    def _weight(self, bits: tuple[int, ...]) -> Terms:
        weight: Sum = {Fraction(0): Fraction(1)}
        for user, bit in enumerate(bits):
            mass = self.masses_of(user)[bit]
            parts = [{x + y: r * s} for x, r in weight.items() for y, s in mass.items()]
            weight = _total(*parts)
        return tuple((factor, -x) for x, factor in sorted(weight.items()) if factor)


def _total(*sums: Sum) -> Sum:
    total: Sum = {}
    for one in sums:
        for x, factor in one.items():
            total[x] = total.get(x, Fraction(0)) + factor
    return total
