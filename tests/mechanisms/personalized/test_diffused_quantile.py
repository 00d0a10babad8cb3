"""The diffused median: its loss, its law as a mixture, its sampler, and the odd records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.exact_search import search
from mechanisms.laws import FLOATS
from mechanisms.personalized.public_tau import best_tau
from mechanisms.personalized.quantile.diffused_quantile import DiffusedQuantile
from proofs_check.enclosure import endpoints
from tests.mechanisms.personalized.quantile_reference import centered, slow_law

F = Fraction
BOT = math.nan
BUDGETS = ("1/10", "1/2", 3)


def slow_mixture(mechanism: DiffusedQuantile, places: Sequence[int | None]) -> np.ndarray:
    """Probability of each point: the sum over all sets of survivors."""
    points = range(mechanism.grid.last + 1)
    tau = float(mechanism.tau)
    rates = [min(1.0, math.expm1(eps) / math.expm1(tau)) for eps in mechanism.budgets]
    total = np.zeros(len(points))
    for fates in product((True, False), repeat=len(places)):
        chance = math.prod(p if kept else 1 - p for p, kept in zip(rates, fates, strict=True))
        left = [x for x, kept in zip(places, fates, strict=True) if kept and x is not None]
        total += chance * slow_law(left, points, tau / 4, centered(len(left)))
    return total


places = st.sampled_from([None, 0, 1, 3, 6])


@given(places, places, places, st.sampled_from(["1/2", 2, 5]))
def test_law_is_the_definition(
    first: int | None, second: int | None, third: int | None, tau: Any
) -> None:
    """The mixture must be that of the definition, at every point."""
    mechanism = DiffusedQuantile(BUDGETS, tau, -1, 2, "1/2")
    row = [first, second, third]
    law = mechanism.exact_law([BOT if x is None else x / 2 - 1 for x in row])
    found = law.masses(FLOATS)
    slow = slow_mixture(mechanism, row)
    assert found.keys() == {mechanism.grid.point(place) for place in range(7)}
    for place, mass in enumerate(slow):
        assert found[mechanism.grid.point(place)] == pytest.approx(mass, rel=1e-11)


def neighbors(values: Sequence[float], count: int, user: int) -> list[tuple[Any, Any]]:
    """All data that differ in one user's record."""
    pairs = []
    for rest in product(values, repeat=count - 1):
        for x, y in combinations(values, 2):
            sides = [(*rest[:user], z, *rest[user:]) for z in (x, y)]
            pairs.append((sides[0], sides[1]))
    return pairs


@pytest.mark.parametrize("tau", [None, 12])
@pytest.mark.parametrize("user", [0, 1])
def test_every_user_keeps_what_diffusion_grants(user: int, tau: Any) -> None:
    """No user may lose more than ln(1 + p (e^(tau/4) - 1)), which is at most the budget."""
    mechanism = DiffusedQuantile(("1/10", 3), tau, 0, 3)
    budget, stage = float(mechanism.budgets[user]), float(mechanism.tau) / 4
    rate = mechanism.rates.mass(user, FLOATS)
    granted = math.log1p(rate * math.expm1(stage))
    assert granted <= budget
    pairs = neighbors((0.0, 1.0, 3.0, BOT), 2, user)
    assert search(mechanism, pairs, F(granted) + F(1, 10**9), F(0)).broken is None


@pytest.mark.parametrize("high", [1000, 10**6])
def test_loss_of_one_user_is_the_closed_form(high: int) -> None:
    """The largest record against none must lose ln(1 - p + p (N + 1) / (1 + N e^(-tau / 16)))."""
    mechanism = DiffusedQuantile(3, 40, 0, high)
    found = search(mechanism, [([float(high)], [BOT])], F(3), F(0))
    assert found.broken is None
    assert found.ratio is not None
    p = math.expm1(3) / math.expm1(40)
    granted = p * ((high + 1) / (1 + high * math.exp(-40 / 16)) - 1)
    lower, upper = endpoints(found.ratio - 1)
    assert float(lower + upper) / 2 == pytest.approx(granted, rel=1e-3)
    assert granted > 1e-16


def test_default_tau_is_the_best_public_one() -> None:
    """Without tau it must be a budget; of budgets 0 anything, as nobody survives."""
    mechanism = DiffusedQuantile(BUDGETS)
    assert mechanism.tau == best_tau(mechanism.budgets)
    nobody = DiffusedQuantile((0, 0), high=4)
    found = nobody.exact_law([1.0, 2.0]).masses(FLOATS)
    assert all(mass == pytest.approx(0.2) for mass in found.values())


@given(st.permutations([0, 1, 2]), st.lists(places, min_size=3, max_size=3))
def test_users_in_another_order_have_the_same_law(order: list[int], row: list[int | None]) -> None:
    """Budgets and records that move together must leave the law as it is."""
    data = [BOT if x is None else float(x) for x in row]
    mechanism = DiffusedQuantile(BUDGETS, 2, 0, 6)
    other = DiffusedQuantile([BUDGETS[i] for i in order], 2, 0, 6)
    found, moved = (
        one.exact_law(x).masses(FLOATS)
        for one, x in ((mechanism, data), (other, [data[i] for i in order]))
    )
    for z, mass in found.items():
        assert moved[z] == pytest.approx(mass, rel=1e-12)


def test_a_missing_record_is_not_zero() -> None:
    """The placeholder must be a record out of range, and not 0."""
    mechanism = DiffusedQuantile((3, 3), 3, 0, 4)
    laws = [mechanism.exact_law([x, 2.0]) for x in (BOT, math.inf, 9.0, 0.0)]
    assert laws[0] == laws[1] == laws[2] != laws[3]


def test_many_users_are_drawn(dp_rng: np.random.Generator) -> None:
    """One draw of 20 000 users must come out near their median."""
    mechanism = DiffusedQuantile((1,) * 20_000, 1)
    data = np.concatenate([np.full(12_000, 123.4), np.full(8_000, 800.0)])
    assert mechanism.sample(data, 1, rng=dp_rng).tolist() == [123.0]
