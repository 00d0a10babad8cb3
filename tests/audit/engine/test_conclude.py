"""What a run that found nothing may say: CONSISTENT only where it would have found something."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.engine.sequential import Settings, audit
from audit.pairs.neighbors import Pair
from audit.verdict import AuditResult, Verdict
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
    assert ("too coarse" in result.reason) == (verdict is Verdict.INCONCLUSIVE)
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
