"""Events of several pieces, and of two coordinates: found soon, and told as what they are."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from audit.engine.sequential import Settings, audit
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.load import load_target
from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source

TARGETS = Path(__file__).with_name("targets.py")
CLAIM = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("test", "stated"))
PAIR = Pair("none and one", np.empty(0), np.ones(1))
SEEDS = range(1, 11)
SHAPES = {
    "five_intervals": r"(\S+ < )?output <= \S+( or \S+ < output <= \S+)*( or output > \S+)?",
    "sign_product": r"the product of output\[0\] and output\[2\] is negative",
}
"""What the witness says."""


def audited(name: str, seed: int, false_alarm: float) -> AuditResult:
    """Audit on one pair, by at most 12,000 draws of each data set."""
    settings = Settings(
        seed=seed, false_alarm=false_alarm, ideal=True, budget_samples=24_000, budget_seconds=1e5
    )
    return audit(load_target(f"{TARGETS}:{name}"), CLAIM, [PAIR], settings)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_what_has_a_shape_is_found_and_told_by_it(name: str) -> None:
    """It must hold in 9 of 10 seeds, within 12,000 draws of each data set."""
    results = [audited(name, seed, 0.05) for seed in SEEDS]
    told = [one.witness.event for one in results if one.witness is not None]
    refuted = [one for one in results if one.verdict is Verdict.REFUTED]
    assert len(refuted) >= 9, [one.reason for one in results]
    assert sum(re.fullmatch(SHAPES[name], event) is not None for event in told) >= 9, told


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_the_same_shape_within_its_claim_is_not_refuted(name: str) -> None:
    """It must hold of each seed, at a rate of .001."""
    results = [audited(f"{name}_kept", seed, 0.001) for seed in SEEDS]
    assert [one for one in results if one.verdict is Verdict.REFUTED] == []
