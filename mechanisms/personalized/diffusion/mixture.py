"""The exact law of a stage on records that survived: a mixture over who survives (PDP-T10).

With survival probabilities p_i and the law M(S) of the stage on the survivors S,

    P(z) = sum_S prod_(i in S) p_i prod_(i not in S) (1 - p_i) M(S)(z),

over all sets S of users who have a record; a user without one is missing either way. Sets on which
the stage has one law are one part of the mixture.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar, final

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.rates import Rates, RationalRates
from mechanisms.protocols import Arithmetic, FiniteLaw

__all__ = ["MOST_USERS", "MixedLaw", "mixed_law"]

MOST_USERS = 12
"""Of an exact mixture: there are 2^n sets of survivors."""

X = TypeVar("X")
Survival = tuple[tuple[int, bool], ...]
"""Of each user with a record, whether it survives."""


@final
@dataclass(frozen=True, slots=True)
class MixedLaw:
    """Mixture of finite laws, itself a `FiniteLaw`."""

    rates: Rates
    """Survival probabilities."""
    parts: tuple[tuple[FiniteLaw, tuple[Survival, ...]], ...]
    """Different laws, each with the sets of survivors that lead to it; at least one."""

    @property
    def rational(self) -> bool:
        """Whether all masses and rates are rational."""
        return isinstance(self.rates, RationalRates) and all(law.rational for law, _ in self.parts)

    @property
    def cuts(self) -> tuple[Fraction, ...]:
        """Cuts of all parts, ascending."""
        return tuple(sorted({cut for law, _ in self.parts for cut in law.cuts}))

    def masses(
        self, numbers: Arithmetic[Any], cuts: Sequence[Fraction] = ()
    ) -> Mapping[Hashable, Any]:
        """Probability of each outcome, named as the parts name it."""
        places = sorted({*self.cuts, *cuts})
        one, zero = numbers.rational(Fraction(1)), numbers.rational(Fraction(0))
        users = [user for user, _ in self.parts[0][1][0]]
        chances: dict[tuple[int, bool], Any] = {}
        for user in users:
            kept = self.rates.mass(user, numbers)
            chances[user, True], chances[user, False] = kept, one - kept
        found: dict[Hashable, Any] = {}
        for law, survivals in self.parts:
            weight = zero
            for survival in survivals:
                chance = one
                for fate in survival:
                    chance = chance * chances[fate]
                weight = weight + chance
            for outcome, mass in law.masses(numbers, places).items():
                found[outcome] = found.get(outcome, zero) + weight * mass
        return found

    def describe(self, outcome: Any) -> str:
        """Say what the release is, in the words of the parts."""
        return self.parts[0][0].describe(outcome)


def mixed_law(
    rates: Rates, records: Sequence[X | None], law: Callable[[Sequence[X | None]], FiniteLaw]
) -> MixedLaw:
    """Mix the laws of a stage over who survives.

    `rates`: survival probabilities, one for each user. `records`: in the order of the users; None
    where there is no record. `law`: law of the stage on the survivors, in the same form; laws must
    be hashable. Raises InvalidArgument if there are more than 12 users.
    """
    if len(records) > MOST_USERS:
        msg = f"an exact law needs at most {MOST_USERS} users, got {len(records)}"
        raise InvalidArgument(msg)
    present = [user for user, record in enumerate(records) if record is not None]
    parts: dict[FiniteLaw, list[Survival]] = {}
    for fates in product((True, False), repeat=len(present)):
        survival = tuple(zip(present, fates, strict=True))
        left = list(records)
        for user, kept in survival:
            if not kept:
                left[user] = None
        parts.setdefault(law(left), []).append(survival)
    return MixedLaw(rates, tuple((part, tuple(sets)) for part, sets in parts.items()))
