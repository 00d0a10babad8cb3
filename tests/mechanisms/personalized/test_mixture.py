"""Mixtures over who survives: weights by definition, totals, runs, and what cannot be stated."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.finite_laws import Rationals
from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.personalized.diffusion.mixture import MOST_USERS, mixed_law
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates
from mechanisms.personalized.quantile.law import centered_law
from mechanisms.personalized.quantile.point_grid import PointGrid
from mechanisms.protocols import FiniteLaw

F = Fraction


@dataclass(frozen=True)
class Told:
    """A law that tells the survivors with probability 3/4, else nothing."""

    survivors: tuple[int | None, ...]
    cuts: tuple[Fraction, ...] = ()

    @property
    def rational(self) -> bool:
        """Masses are quarters."""
        return True

    def masses(
        self,
        numbers: Any,
        cuts: Sequence[Fraction] = (),  # noqa: ARG002
    ) -> Mapping[Hashable, Any]:
        """Of the survivors, and of nothing."""
        return {self.survivors: numbers.rational(F(3, 4)), "nothing": numbers.rational(F(1, 4))}

    def describe(self, outcome: Hashable) -> str:
        """Name it."""
        return f"told {outcome}"


def told(left: Sequence[int | None]) -> Told:
    """Law of the survivors."""
    return Told(tuple(left))


def slow_masses(rates: Sequence[Fraction], records: Sequence[int | None]) -> dict[Any, Fraction]:
    """The definition: all sets of survivors, users without a record among them."""
    found: dict[Any, Fraction] = {"nothing": F(1, 4)}
    for fates in product((True, False), repeat=len(rates)):
        chance = F(1)
        for rate, kept in zip(rates, fates, strict=True):
            chance *= rate if kept else 1 - rate
        left = tuple(x if kept else None for x, kept in zip(records, fates, strict=True))
        found[left] = found.get(left, F(0)) + F(3, 4) * chance
    return found


chances = st.fractions(0, 1, max_denominator=9)
users = st.lists(st.tuples(chances, st.sampled_from([None, 1, 2])), min_size=1, max_size=5)


@given(users)
def test_masses_are_the_definition(rows: list[tuple[Fraction, int | None]]) -> None:
    """Rational masses must be exactly the sum over all sets of survivors."""
    rates, records = [rate for rate, _ in rows], [record for _, record in rows]
    law = mixed_law(RationalRates(tuple(rates)), records, told)
    assert isinstance(law, FiniteLaw)
    assert law.rational
    found = {z: mass for z, mass in law.masses(Rationals()).items() if mass}  # type: ignore[arg-type]
    assert found == {z: mass for z, mass in slow_masses(rates, records).items() if mass}
    assert sum(found.values()) == 1


def test_users_without_a_record_are_not_mixed() -> None:
    """One part must be left for each set of those who have a record, and equal laws joined."""
    rates = RationalRates((F(1, 2),) * 4)
    assert len(mixed_law(rates, [1, None, 2, None], told).parts) == 4
    assert len(mixed_law(rates, [None] * 4, told).parts) == 1
    grid = PointGrid(F(0), F(5), F(1))

    def median(left: Sequence[int | None]) -> Any:
        return centered_law(F(1), grid, [x for x in left if x is not None])

    law = mixed_law(rates, [3, 3, 3, 3], median)
    assert sorted(len(sets) for _, sets in law.parts) == [1, 1, 4, 4, 6]


def test_right_rates_are_not_rational() -> None:
    """Exponential rates must be evaluated in the numbers asked for."""
    rates = RightRates((F(1, 2), F(3)), F(2))
    law = mixed_law(rates, [1, 2], told)
    assert not law.rational
    found = law.masses(FLOATS)
    p = rates.mass(0, FLOATS)
    assert found[1, 2] == pytest.approx(0.75 * p, rel=1e-14)
    assert found[None, 2] == pytest.approx(0.75 * (1 - p), rel=1e-14)
    assert found[None, None] == 0
    assert law.describe((1, 2)) == "told (1, 2)"


def test_runs_are_cut_at_the_ends_of_all_parts() -> None:
    """Where outcomes are runs of points all parts must be cut alike, and add up to 1."""
    grid = PointGrid(F(0), F(999), F(1))

    def median(left: Sequence[int | None]) -> Any:
        return centered_law(F(2), grid, [x for x in left if x is not None])

    law = mixed_law(RationalRates((F(1, 3), F(2, 3))), [10, 500], median)
    assert law.cuts == tuple(map(F, (0, 10, 11, 500, 501, 1000)))
    more = law.masses(FLOATS, [F(700)])
    assert sum(more.values()) == pytest.approx(1, rel=1e-12)
    assert (F(501), F(700)) in more
    weights = {(True, True): F(2, 9), (True, False): F(1, 9), (False, True): F(4, 9)}
    slow = F(2, 9) * F(1, 1000)
    total = float(slow)
    for (first, second), weight in weights.items():
        one = median([10 if first else None, 500 if second else None])
        total += float(weight) * one.masses(FLOATS, law.cuts)[F(10), F(11)]
    assert law.masses(FLOATS)[F(10), F(11)] == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("records", [[1] * (MOST_USERS + 1), [None] * (MOST_USERS + 1)])
def test_too_many_users_raise_whatever_they_have(records: list[int | None]) -> None:
    """The limit must be on users, not on records, so that it tells nothing."""
    rates = RationalRates((F(1, 2),) * len(records))
    with pytest.raises(InvalidArgument, match="at most 12 users"):
        mixed_law(rates, records, told)
