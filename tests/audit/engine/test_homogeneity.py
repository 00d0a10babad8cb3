"""Laws that move and calls that depend on each other: never blamed by chance, found when gross."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from audit.draws.encode import Encoder, Outcomes
from audit.engine.alone import single_calls_differ
from audit.engine.homogeneity import Watch, Watched, change_of, watches_of
from tests.slow import by_default

N, CALL = 4_096, 64

Law = Callable[[int, np.random.Generator], Any]

LAWS: dict[str, Law] = {
    "Laplace": lambda n, rng: rng.laplace(size=n),
    "rounded": lambda n, rng: np.round(rng.laplace(size=n)),
    "two values": lambda n, rng: (rng.random(n) < 0.3).astype(float),
    "rare value": lambda n, rng: np.where(rng.random(n) < 0.02, 1.0, 0.0),
    "words": lambda n, rng: rng.choice(["a", "b", "c", "d", "e"], n, p=[0.5, 0.3, 0.1, 0.05, 0.05]),
    "heavy tails": lambda n, rng: rng.standard_cauchy(n),
}


def encoded(outputs: Any) -> tuple[list[Watch], Outcomes]:
    """Watches from the first draws of both arms, and all draws of one."""
    encoder = Encoder()
    values = outputs.tolist() if outputs.dtype.kind == "U" else outputs
    encoder.fix_layout([values])
    outcomes = encoder.encode(values)
    return watches_of(encoder, [outcomes[slice(200)], outcomes[slice(200, 400)]]), outcomes


def told(outputs: Any, level: float, *calls: int) -> list[str | None]:
    """What the tests of one arm say of its draws in calls of so many."""
    (watch,), outcomes = encoded(outputs)
    in_calls = (watch.count(outcomes, [call] * (len(outcomes) // call)) for call in calls or [CALL])
    return [change_of(watch, counts, "data", level) for counts in in_calls]


@pytest.mark.parametrize("name", by_default([name for name in LAWS if name != "words"], LAWS))
def test_independent_draws_of_one_law_are_not_blamed(
    name: str, dp_rng: np.random.Generator
) -> None:
    """It must hold that false alarms come at most at their rate, here 5 % (1e-6)."""
    arms = 30 if name == "words" else 120  # words are encoded one by one
    said = [told(LAWS[name](N, dp_rng), 0.05, 8, 64) for _ in range(arms)]
    for of_calls in zip(*said, strict=True):
        assert arms - of_calls.count(None) <= binom.ppf(1 - 1e-6, arms, 0.05)


def drift(n: int, rng: np.random.Generator) -> Any:
    """Noise whose mean moves by half of a standard deviation."""
    return rng.laplace(size=n) + np.linspace(0, 0.7, n)


def offsets(n: int, rng: np.random.Generator) -> Any:
    """An offset of half a standard deviation for each call."""
    return rng.laplace(size=n) + np.repeat(rng.normal(scale=0.7, size=n // CALL), CALL)


def turns(n: int, rng: np.random.Generator) -> Any:
    """The second of two calls is shifted."""
    return rng.laplace(size=n) + 0.5 * (np.arange(n) // CALL % 2)


def ends(n: int, rng: np.random.Generator) -> Any:
    """A constant from the middle on."""
    return np.where(np.arange(n) < n // 2, rng.laplace(size=n), 0.0)


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (drift, "changes while it is audited"),
        (offsets, "draws that come together depend on each other|changes w"),
        (turns, "changes with the call|depend on each other"),
        (ends, "changes while it is audited"),
    ],
)
def test_gross_changes_are_told(law: Law, words: str, dp_rng: np.random.Generator) -> None:
    """It must hold that each kind of change is found at the level of a run, in 20 of 20 arms."""
    import re

    for _ in range(20):
        [found] = told(law(N, dp_rng), 1e-9)
        assert found is not None
        assert re.search(words, found)


def test_a_point_mass_is_one_law() -> None:
    """It must hold that outputs that never change are not blamed."""
    assert told(np.zeros(N), 0.05) == [None]


def test_calls_of_one_draw_are_compared_with_many(dp_rng: np.random.Generator) -> None:
    """It must hold that one law passes (40 of 40 at 1e-6), and a shared offset mostly fails."""

    def draws(shift: float) -> list[Any]:
        return [dp_rng.laplace(size=256) + shift * dp_rng.normal() for _ in (0, 1)]

    assert not any(single_calls_differ(draws(0), draws(0)) for _ in range(40))
    alone = [dp_rng.laplace(size=256) + dp_rng.normal(scale=2.0, size=256) for _ in (0, 1)]
    assert sum(single_calls_differ(alone, draws(2.0)) for _ in range(20)) >= 15


SMALL = [4] * 10 + [6] * 10 + [9] * 10 + [14] * 10 + [20] * 38
"""Sizes of batches, each in two calls, whose watches are chosen by the first 16 draws."""


def in_small_batches(outputs: Any, level: float) -> str | None:
    """What the tests of one arm say of draws that come in small batches."""
    encoder = Encoder()
    values = outputs.tolist() if outputs.dtype.kind == "U" else outputs
    encoder.fix_layout([values])
    outcomes = encoder.encode(values)
    (watch,) = watches_of(encoder, [outcomes[slice(16)], outcomes[slice(16, 32)]])
    ends = np.cumsum(SMALL)
    parts = [
        watch.count(outcomes[slice(end - size, end)], [size // 2, size - size // 2])
        for size, end in zip(SMALL, ends.tolist(), strict=True)
    ]
    return change_of(watch, Watched.joined(parts), "data", level)


@pytest.mark.parametrize("name", by_default([name for name in LAWS if name != "words"], LAWS))
def test_draws_in_small_batches_are_not_blamed(name: str, dp_rng: np.random.Generator) -> None:
    """It must hold that the level stands where batches are shorter than a stretch."""
    said = [in_small_batches(LAWS[name](sum(SMALL), dp_rng), 0.05) for _ in range(100)]
    assert 100 - said.count(None) <= binom.ppf(1 - 1e-6, 100, 0.05)


def test_what_moves_in_small_batches_is_told(dp_rng: np.random.Generator) -> None:
    """It must hold that a gross change is found in draws of which no batch fills a stretch."""
    size = sum(SMALL)
    for law in (ends, lambda n, rng: rng.laplace(size=n) + np.linspace(0, 4, n)):
        assert in_small_batches(law(size, dp_rng), 1e-7) is not None
    bursts = np.repeat(dp_rng.normal(scale=3, size=size // 8 + 1), 8)[:size]
    said = in_small_batches(dp_rng.laplace(size=size) + bursts, 1e-7)
    assert said is not None
    assert "depend on each other" in said or "changes" in said


def test_offsets_longer_than_batches_are_told(dp_rng: np.random.Generator) -> None:
    """It must hold that batches of four draws are looked at together, as a stretch of time.

    32 draws share an offset of a third of a standard deviation: each four alone say too little.
    """
    size = 8_192
    outputs = dp_rng.laplace(size=size) + np.repeat(dp_rng.normal(scale=0.45, size=size // 32), 32)
    encoder = Encoder()
    encoder.fix_layout([outputs])
    outcomes = encoder.encode(outputs)
    (watch,) = watches_of(encoder, [outcomes[slice(16)], outcomes[slice(16, 32)]])
    parts = [watch.count(outcomes[slice(a, a + 4)], [2, 2]) for a in range(0, size, 4)]
    said = change_of(watch, Watched.joined(parts), "data", 1e-7)
    assert said is not None
    assert "depend on each other" in said
