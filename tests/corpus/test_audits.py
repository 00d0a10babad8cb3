"""The audit refutes clearly broken entries in few draws, and leaves the sound ones alone."""

from __future__ import annotations

from typing import Any

import pytest

from audit.engine.sequential import Settings, audit
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.load import load_target

FALSE_ALARM = 1e-6


def run(name: str, pair: int, parameters: dict[str, Any], samples: int) -> AuditResult:
    """Audit an entry at its own claim on one of its pairs."""
    target = load_target(name, parameters=parameters)
    assert target.claim is not None
    settings = Settings(
        seed=7, false_alarm=FALSE_ALARM, budget_samples=samples, budget_seconds=60, ideal=True
    )
    return audit(target, target.claim, [Pair("its own", *target.pairs[pair])], settings)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "pair", "parameters"),
    [
        ("corpus.noisy-histogram-2", 0, {}),
        ("corpus.noisy-sum-halved", 0, {"epsilon": 1}),
        ("corpus.smart-sum-bare", 0, {"epsilon": 1}),
        ("corpus.noisy-max-3", 5, {"epsilon": 2}),
        ("corpus.noisy-max-4", 5, {"epsilon": 1}),
        ("corpus.svt-5", 7, {"epsilon": 1}),
        ("corpus.svt-6", 7, {"epsilon": 1}),
        ("corpus.symmetric-unary-sticky", 0, {}),
        ("corpus.auditorium-mean", 0, {}),
    ],
)
def test_a_clearly_broken_entry_is_refuted(
    name: str, pair: int, parameters: dict[str, Any]
) -> None:
    """It must hold that 200,000 draws refute a loss far above the claim."""
    result = run(name, pair, parameters, 200_000)
    assert result.verdict is Verdict.REFUTED


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "pair", "parameters"),
    [
        ("corpus.laplace", 0, {"epsilon": 1}),
        ("corpus.geometric", 0, {"epsilon": 1}),
        ("corpus.gaussian", 0, {}),
        ("corpus.laplace-snapped", 0, {"epsilon": 1}),
        ("corpus.randomized-response", 0, {}),
        ("corpus.optimized-unary", 0, {}),
        ("corpus.one-time-rappor", 0, {}),
        ("corpus.noisy-max-2", 2, {"epsilon": 1}),
        ("corpus.svt-1", 4, {"epsilon": 1}),
    ],
)
def test_a_sound_entry_is_not_refuted(name: str, pair: int, parameters: dict[str, Any]) -> None:
    """It must hold that a true claim survives (false-alarm rate 1e-6 each)."""
    result = run(name, pair, parameters, 10_000)
    assert result.verdict is not Verdict.REFUTED
    assert result.stopped_by == "samples"
