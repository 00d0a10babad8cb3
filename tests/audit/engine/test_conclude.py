"""What a run that found nothing may say: CONSISTENT only where it would have found something."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from audit.engine.alone import COMPARED
from audit.engine.detectable_power import detectable
from audit.engine.sequential import Settings, audit
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from tests.audit.engine.samplers import claim, laplace, target
from tests.clock import Clock


def run(budget: int, resolution: float | None) -> AuditResult:
    """Audit Laplace noise at its exact claim."""
    settings = Settings(
        seed=2, false_alarm=0.05, ideal=True, budget_samples=budget, resolution=resolution
    )
    return audit(target(laplace()), claim(1), [Pair("0 and 1", 0.0, 1.0)], settings)


@pytest.mark.long
@pytest.mark.parametrize(
    ("budget", "resolution", "verdict"),
    [
        (3_000, None, Verdict.INCONCLUSIVE),
        (40_000, None, Verdict.CONSISTENT),
        (40_000, 0.05, Verdict.INCONCLUSIVE),
        (8_000, 20.0, Verdict.CONSISTENT),
    ],
    ids=["few draws", "many draws", "fine resolution", "coarse resolution"],
)
def test_verdict_follows_the_power_statement(
    budget: int, resolution: float | None, verdict: Verdict
) -> None:
    """It must hold that a run too coarse for its resolution is INCONCLUSIVE, and says so."""
    result = run(budget, resolution)
    assert result.verdict is verdict
    power = result.detectable
    assert power is not None
    at_tenth = power.epsilons[power.masses.index(0.1)]
    assert (at_tenth <= power.limit) == (verdict is Verdict.CONSISTENT)
    assert ("draws are too few for 1 pair" in result.reason) == (verdict is Verdict.INCONCLUSIVE)
    assert power.limit == pytest.approx(1 + (0.5 if resolution is None else resolution))


@pytest.mark.long
@pytest.mark.parametrize(
    ("seedable", "words"), [(True, "repeats this run"), (False, "draws as many")]
)
def test_only_a_seeded_run_is_repeated(
    seedable: bool, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a run stopped by time promises no repetition where there can be none."""
    clock = Clock().install(monkeypatch)
    audited = replace(target(clock.ticking(laplace(), a_draw=1e-3)), seedable=seedable)
    settings = Settings(
        seed=2, false_alarm=0.05, ideal=True, budget_samples=10**7, budget_seconds=20.0
    )
    result = audit(audited, claim(1), [Pair("0 and 1", 0.0, 1.0)], settings)
    assert (result.stopped_by, result.reproducible) == ("seconds", seedable)
    (note,) = [note for note in result.notes if note.startswith("--budget-samples")]
    assert note.endswith(f"--budget-samples {result.repeat_samples} {words}")


def learning(first_draws: int | None, budget: int = 40_000) -> AuditResult:
    """Audit a target that is surely private, with so many draws that only learn."""
    settings = Settings(
        seed=2, false_alarm=0.05, ideal=True, budget_samples=budget, first_draws=first_draws
    )
    return audit(target(laplace(4.0)), claim(1), [Pair("0 and 1", 0.0, 1.0)], settings)


@pytest.mark.long
def test_the_power_statement_counts_the_draws_that_bet() -> None:
    """It must hold that what a run learned from is left out of it, from 200 draws on."""
    asked: dict[str, Any] = {"grid": grid_of(claim(1)), "false_alarm": 0.045, "resolution": None}
    few, many = (learning(n).detectable for n in (16, 8_000))
    assert few == detectable(17_500, 1, **asked)
    assert many is not None
    assert many == detectable(many.draws, 1, learned=8_000, **asked)
    assert many.at_tenth > few.at_tenth


@pytest.mark.long
def test_fewer_draws_learned_from_than_asked_for_are_said() -> None:
    """It must hold where a quarter of the budget is less, and of no other run."""
    cut, whole = learning(10**9), learning(8_000)
    (said,) = [note for note in cut.notes if "--first-draws" in note]
    budget = 40_000 * 7 // 8 - 4 * COMPARED
    assert said.startswith(f"learned from {budget // 4:,} draws of each data set, fewer")
    assert "1,000,000,000 of --first-draws: at most a quarter of the budget" in said
    assert not any("--first-draws" in note for note in whole.notes)
    assert cut.detectable is not None
    assert whole.detectable is not None
    assert cut.detectable.at_tenth > whole.detectable.at_tenth
