"""False alarms: mechanisms exactly at their claim, counted against the stated rate.

The rows of `benchmarks.nulls`, 4,000 draws of each arm, false-alarm rate 0.05. Rows that are fast
have 300 seeds each, at most 8 of which may be refuted (the exact 95 % upper limit of 8 in 300 is
0.0478); the others share one count, and none alone may show a rate above 0.05. Longer runs, and
more of them: `benchmarks.calibration`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from scipy.stats import beta, binom

from audit.engine.counts.batch import Batch
from audit.engine.experts import make_bets
from audit.engine.loop import book
from audit.engine.pair_state import PairState
from audit.engine.partitions import single_values
from audit.engine.sequential import Settings, audit
from audit.engine.upper import with_reserve
from audit.engine.wealth import Wealth
from audit.results.verdict import Verdict
from audit.targets.target import Target
from benchmarks import calibration
from benchmarks.nulls import NULLS, Null, begin, end_of
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from tests.slow import by_default

STATED = 0.05
DRAWS = 4_000
SEEDS = 300
FAST = (
    "laplace",
    "randomized-response",
    "geometric",
    "hourglass-mean",
    "gaussian-approximate",
    "gaussian-gdp",
)
SLOW = {name: 50 for name in NULLS if name not in FAST} | {"lattice": 20}
"""Rows that take long, and their seeds."""

CERTAIN = 1e-3
"""Probability of a conviction where the rate is 0.05."""


def most_shown(runs: int) -> int:
    """Alarms up to which the exact 95 % upper limit of the rate is at most 0.05."""
    return max(k for k in range(runs) if beta.ppf(0.95, k + 1, runs - k) <= STATED)


def least_convicted(runs: int) -> int:
    """Alarms from which on a rate of 0.05 or less is all but excluded."""
    return int(binom.isf(CERTAIN, runs, STATED)) + 1


def refuted(null: Null, seed: int) -> bool:
    """One run at the claim."""
    return end_of(begin(null, seed, DRAWS)) == "refuted"


def alarms(null: Null, seeds: int) -> int:
    """How many runs are refuted."""
    return sum(refuted(null, seed) for seed in range(seeds))


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST)
def test_false_alarms_stay_below_the_stated_rate(name: str) -> None:
    """It must hold that at most 8 of 300 runs at the exact claim are refuted."""
    seen = alarms(NULLS[name], SEEDS)
    print(f"{name}: {seen} of {SEEDS} refuted at {STATED}")
    assert seen <= most_shown(SEEDS)


@pytest.mark.slow
def test_false_alarms_of_long_rows_stay_below_the_stated_rate() -> None:
    """It must hold that the rows that take long are refuted rarely: together, and each."""
    seen = {name: alarms(NULLS[name], seeds) for name, seeds in SLOW.items()}
    print(seen)
    assert all(seen[name] < least_convicted(seeds) for name, seeds in SLOW.items())
    assert sum(seen.values()) <= most_shown(sum(SLOW.values()))


def with_hindsight(settle: Callable[..., None]) -> Callable[..., None]:
    """Make the bets on a batch from this batch as well, which T3 forbids."""

    def settle_with_hindsight(wealth: Wealth, state: PairState, batch: Batch, claim: int) -> None:
        counts = [c + new for c, new in zip(state.counts, batch.by_half(), strict=False)]
        ordered = [partition.ordered for partition in state.partitions]
        single = [single_values(partition) for partition in state.partitions]
        assert state.own is not None
        options: dict[str, Any] = {"choice": state.choice, "shared": state.shared}
        state.bets = make_bets(counts, ordered, single, state.own.grid, **options)
        settle(wealth, state, batch, claim)

    return settle_with_hindsight


@pytest.mark.slow
def test_bets_that_know_their_batch_are_convicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the count convicts an engine whose bets have seen what they bet on."""
    monkeypatch.setattr("audit.engine.loop.book", with_hindsight(book))
    seen = alarms(NULLS["laplace"], 50)
    print(f"Laplace, with hindsight: {seen} of 50 refuted at {STATED}")
    assert seen >= least_convicted(50)


@pytest.mark.slow
def test_a_claim_that_is_too_low_is_convicted() -> None:
    """It must hold that the count convicts a row whose level is a fifth below the exact one."""
    seen = alarms(replace(NULLS["laplace"], level=PureDP("0.8")), 50)
    print(f"Laplace 1 / .8: {seen} of 50 refuted at {STATED}")
    assert seen >= least_convicted(50)


def test_limits_are_exact() -> None:
    """It must hold that 8 of 300 bounds the rate by 0.05, and 9 does not; 77 of 2,000 likewise."""
    assert beta.ppf(0.95, 8 + 1, SEEDS - 8) <= STATED < beta.ppf(0.95, 9 + 1, SEEDS - 9)
    assert most_shown(SEEDS) == 8
    assert binom.sf(least_convicted(50) - 1, 50, STATED) <= CERTAIN
    assert binom.sf(least_convicted(50) - 2, 50, STATED) > CERTAIN
    most = calibration.MOST_OF_LONG
    assert calibration.upper_limit(most, 2_000) <= STATED < calibration.upper_limit(most + 1, 2_000)


@pytest.mark.parametrize("seed", by_default([0], range(3)))
@pytest.mark.parametrize("level", ["1", "0.7"])
def test_runs_end_as_audits_do(level: str, seed: int) -> None:
    """It must hold that a counted run has the verdict, and the draws, of the audit of its row."""
    null = replace(NULLS["randomized-response"], level=PureDP(level))
    run = begin(null, seed, 2_000)
    end = end_of(run)
    settings = Settings(
        seed=seed,
        false_alarm=0.05,
        ideal=True,
        budget_samples=with_reserve(4_000, null.level),
        budget_seconds=600,
    )
    claim = PrivacyClaim(null.level, Relation.LISTED, Source("test", "stated"))
    target = Target(name="bit", draw=null.draw, claim=None, order=Order.FIXED)
    progress: list[int] = []
    result = audit(
        target, claim, null.pairs, settings, progress=lambda done, _: progress.append(done)
    )
    assert (result.verdict is Verdict.REFUTED) == (end == "refuted")
    assert run.samples in progress
    if result.witness is None or result.witness.confirmed:  # else the audit goes on for more
        assert progress[-1] == run.samples
