"""Diffusion: each user survives with a probability of its own, else becomes the placeholder.

A tau-private stage run on the survivors costs user i only ln(1 + p_i (e^tau - 1)) (PDP-T10). The
rate that spends exactly eps_i is

    p_i = min(1, (e^eps_i - 1) / (e^tau - 1)) = e^(eps_i - tau) (1 - e^-eps_i) / (1 - e^-tau).

It can be 1e-36, or far below the least double. A comparison of a random double with p would let a
record survive with probability 2^-53 at least, and break the promise (erratum PDP-E-09). Here a
survivor is drawn exactly: a uniform real U, known to 64 bits, is compared with integers around
p 2^64; where those bits do not decide, more bits of U and of p are taken until they do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.budgets import LARGEST
from mechanisms.personalized.diffusion.enclosures import WORD_BITS, enclose, word_bounds
from mechanisms.protocols import Arithmetic
from mechanisms.validation import check_fraction

__all__ = ["Rates", "RationalRates", "RightRates"]

N = TypeVar("N")

LAST_WORD = 2**WORD_BITS - 1


class Rates(Protocol):
    """Survival probabilities, one for each user."""

    def draw(self, size: int, *, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Draw who survives, shape (size, n); exactly with the stated probabilities."""
        ...

    def mass(self, user: int, numbers: Arithmetic[N]) -> N:
        """Survival probability of a user."""
        ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """What a word says of each user whose probability is neither 0 nor 1."""

    always: NDArray[np.bool_]
    """Shape (n,): who survives in any case."""
    users: NDArray[np.int64]
    """Shape (m,): whose survival is random."""
    below: NDArray[np.uint64]
    last: NDArray[np.uint64]
    """`below`, `last`: shape (m,): A word less than `below` survives, one greater than `last` does
    not; others do not decide.
    """


@final
@dataclass(frozen=True, slots=True)
class RightRates:
    """The largest rates that keep the budgets: p_i = min(1, (e^eps_i - 1) / (e^tau - 1)).

    Raises
    ------
    InvalidArgument
        If a budget or tau is out of range.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Theorem 10 (PDP-T10; errata PDP-E-01, PDP-E-02, PDP-E-09).
    """

    budgets: tuple[Fraction, ...]
    """Public, each at least 0."""
    tau: Fraction
    """Public, greater than 0 and at most 1e9."""
    limits: Limits = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_fraction(self.tau, "tau", above=0, at_most=LARGEST)
        check_fraction(min(self.budgets, default=Fraction(0)), "budgets", at_least=0)
        users = [user for user, budget in enumerate(self.budgets) if 0 < budget < self.tau]
        bounds = word_bounds([self.budgets[user] for user in users], self.tau)
        # A double of 2^64 is no word; the next one below is a lower bound as well.
        below = np.minimum(bounds[0], np.nextafter(2.0**WORD_BITS, 0)).astype(np.uint64)
        full = bounds[1] >= 2.0**WORD_BITS
        last = np.where(full, 1.0, bounds[1]).astype(np.uint64) - np.uint64(1)
        last[full] = LAST_WORD
        always = np.array([budget >= self.tau for budget in self.budgets], dtype=np.bool_)
        limits = Limits(always, np.array(users, dtype=np.int64), below, last)
        object.__setattr__(self, "limits", limits)

    def draw(self, size: int, *, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Draw who survives, shape (size, n)."""
        return _draw(self.limits, self._enclose, size, rng)

    def mass(self, user: int, numbers: Arithmetic[Any]) -> Any:
        """Survival probability of a user, in the form that does not overflow."""
        budget = self.budgets[user]
        if budget == 0 or budget >= self.tau:
            return numbers.rational(Fraction(budget > 0))
        far, gain, all_gain = (
            numbers.exp(numbers.rational(x)) for x in (budget - self.tau, -budget, -self.tau)
        )
        return far * (1 - gain) / (1 - all_gain)

    def _enclose(self, user: int, bits: int) -> tuple[int, int]:
        return enclose(self.budgets[user], self.tau, bits)


@final
@dataclass(frozen=True, slots=True)
class RationalRates:
    """Given rational rates, such as eps / tau of the print (PDP, Algorithm 6).

    Raises
    ------
    InvalidArgument
        If a rate is out of range.
    """

    rates: tuple[Fraction, ...]
    """Each from 0 to 1."""
    limits: Limits = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not all(0 <= rate <= 1 for rate in self.rates):
            msg = f"rates must be from 0 to 1, got rates={self.rates!r}"
            raise InvalidArgument(msg)
        users = [user for user, rate in enumerate(self.rates) if 0 < rate < 1]
        bounds = [self._enclose(user, WORD_BITS) for user in users]
        below = np.array([lower for lower, _ in bounds], dtype=np.uint64)
        last = np.array([upper - 1 for _, upper in bounds], dtype=np.uint64)
        always = np.array([rate == 1 for rate in self.rates], dtype=np.bool_)
        limits = Limits(always, np.array(users, dtype=np.int64), below, last)
        object.__setattr__(self, "limits", limits)

    def draw(self, size: int, *, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Draw who survives, shape (size, n)."""
        return _draw(self.limits, self._enclose, size, rng)

    def mass(self, user: int, numbers: Arithmetic[Any]) -> Any:
        """Survival probability of a user."""
        return numbers.rational(self.rates[user])

    def _enclose(self, user: int, bits: int) -> tuple[int, int]:
        a, b = self.rates[user].as_integer_ratio()
        return (a << bits) // b, -((-a << bits) // b)


def _words(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.uint64]:
    """Draw uniform words of 64 bits."""
    return rng.integers(0, LAST_WORD, size=shape, dtype=np.uint64, endpoint=True)


def _draw(
    limits: Limits,
    enclose_rate: Callable[[int, int], tuple[int, int]],
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Compare one word for each random user with its limits, and decide the rest one by one."""
    result = np.empty((size, limits.always.size), dtype=np.bool_)
    result[:] = limits.always
    words = _words((size, limits.users.size), rng)
    kept = words < limits.below
    open_places = np.nonzero(~kept & (words <= limits.last))
    for draw, place in zip(*open_places, strict=True):
        user, word = int(limits.users[place]), int(words[draw, place])
        kept[draw, place] = _decide(user, word, enclose_rate, rng)
    if limits.users.size == limits.always.size:
        return kept
    result[:, limits.users] = kept
    return result


def _decide(
    user: int,
    bits_known: int,
    enclose_rate: Callable[[int, int], tuple[int, int]],
    rng: np.random.Generator,
) -> bool:
    """Say whether U < p, where U in [0, 1) begins with the word `bits_known`."""
    bits = WORD_BITS
    while True:
        lower, upper = enclose_rate(user, bits)
        if bits_known < lower:
            return True
        if bits_known >= upper:
            return False
        bits_known = bits_known << WORD_BITS | int(_words((1,), rng)[0])
        bits += WORD_BITS
