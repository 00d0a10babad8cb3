"""A noisy count, then a mean of so many records: coupling, law of the count, and error."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.add_remove.count_then_swap import (
    CountThenSwap,
    distinct_places,
    mse_count_then_swap,
)
from mechanisms.registry import build_mechanism
from proofs_check.enclosure import Balls, endpoints
from proofs_check.papers.ksw.error.count_then_swap import count_then_swap_constant

F = Fraction
DRAWS = 100_000


def test_samples_with_and_without_a_record_differ_in_one_place() -> None:
    """It must hold of all samples of k places, padded, and every n from 0 to 4.

    The coupling: the law over samples of n + 1 records, with the new one put in the place of one of
    the n (or of the padding), is the law over samples of n, where every place is equally likely.
    """
    for n, k in itertools.product(range(5), range(1, 6)):
        size = min(k, n + 1)
        coupled: Counter[tuple[int, ...]] = Counter()
        whole = F(0)
        for chosen in itertools.combinations(range(n + 1), size):
            rest = tuple(x for x in chosen if x != n)
            if n not in chosen:
                coupled[chosen] += 1
            elif n + 1 <= k:  # all are chosen: padding takes the place
                coupled[rest] += 1
            else:
                for other in set(range(n)) - set(rest):
                    coupled[tuple(sorted((*rest, other)))] += F(1, n - len(rest))
            whole += 1
        without = list(itertools.combinations(range(n), min(k, n)))
        assert {key: value / whole for key, value in coupled.items()} == dict.fromkeys(
            without, F(1, len(without))
        )


def test_places_are_uniform_sets() -> None:
    """It must hold of 2 of 5 places: ten sets alike, none with a place twice."""
    drawn = distinct_places(5, 2, DRAWS, rng=np.random.default_rng(3))
    seen = Counter(map(tuple, drawn.tolist()))
    assert set(seen) == set(itertools.combinations(range(5), 2))
    assert all(abs(v / DRAWS - 0.1) < 5 * math.sqrt(0.1 / DRAWS) for v in seen.values())


def test_the_error_is_the_stated_one_where_nothing_is_clipped() -> None:
    """It must hold for 400 records at epsilon = 1, and not for noise of w / (k epsilon)."""
    data = np.linspace(0, 1, 400) ** 3
    made = CountThenSwap(1)
    error = made.sample(data, DRAWS, rng=np.random.default_rng(11)) - data.mean()
    stated = mse_count_then_swap(400, float(data.mean()), float(data.var()), 1.0)
    spread = 5 * float(np.std(error**2)) / math.sqrt(DRAWS)
    assert abs(float(np.mean(error**2)) - stated) < spread
    assert abs(float(np.mean(error**2)) - stated / 4) > spread
    assert float(made.utility_claims(data)[0].bound) == pytest.approx(stated, rel=1e-9)


def test_the_error_is_that_of_all_samples() -> None:
    """It must hold of three records: all sets of k of them, and padding, at a small epsilon."""
    data, epsilon = np.array([0.0, 0.25, 1.0]), 2.0
    total = mass = 0.0
    for k in range(1, 80):
        low, high = (-math.inf if k == 1 else k - 3.5), k - 2.5
        chance = laplace_cdf(high * epsilon / 2) - laplace_cdf(low * epsilon / 2)
        padded = [*data, *([0.5] * (k - 3))]
        means = (
            [np.mean(chosen) for chosen in itertools.combinations(padded, k)]
            if k < 4
            else [np.mean(padded)]
        )
        spread = float(np.mean((np.array(means) - data.mean()) ** 2))
        total += chance * (spread + 2 * (2 / (epsilon * k)) ** 2)
        mass += chance
    assert mass == pytest.approx(1, abs=1e-12)
    found = mse_count_then_swap(3, float(data.mean()), float(data.var()), epsilon)
    assert found == pytest.approx(total, rel=1e-10)


def laplace_cdf(x: float) -> float:
    """Of scale 1."""
    return math.exp(x) / 2 if x < 0 else 1 - math.exp(-x) / 2


def test_the_leading_constant_is_eight() -> None:
    """It must hold that n^2 epsilon^2 MSE tends to the ledger's, four times a public number's 2."""
    scaled = [mse_count_then_swap(n, 0.5, 0.0, 1.0) * n**2 for n in (100, 1_000, 10_000)]
    assert scaled[0] > scaled[1] > scaled[2] > 8
    numbers = Balls(96)
    for place in (F(0), F(1, 4), F(1, 2)):
        spread = place * (1 - place)
        ball = count_then_swap_constant(numbers.rational(F(1)), place, spread, numbers=numbers)
        n = 10**6
        found = mse_count_then_swap(n, float(place), float(spread), 1.0) * n**2
        assert found == pytest.approx(float(endpoints(ball)[0]), rel=1e-4)
        other = mse_count_then_swap(n, float(place), float(spread), 1.01) * n**2
        assert other != pytest.approx(float(endpoints(ball)[0]), rel=1e-4)


@pytest.mark.parametrize("records", [[], [0.2], [math.nan, math.inf, 0.5], [0.1] * 200])
def test_any_number_of_records_gives_a_mean_in_the_bounds(records: list[float]) -> None:
    """It must hold of none, of few, and of many, of which far fewer are kept."""
    out = build_mechanism("ksw.count-then-swap", epsilon="1/100", low=-1, high=3).sample(
        records, 500, rng=np.random.default_rng(2)
    )
    assert np.all((out >= -1) & (out <= 3))
