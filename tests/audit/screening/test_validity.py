"""Choosing pairs by what was drawn touches no error rate: a test of each of three conditions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import audit
from audit.draws.run_log import RunLog
from audit.draws.streams import Purpose, stream
from audit.request.call import Call
from audit.request.privacy_plan import PrivacyPlan
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.runs.pair_screening import screened
from audit.runs.privacy_run import budget_of, care_of, run_plan
from tests.audit.screening.defects import SOUND, clean_sum, private_size

BUDGET = 8_000
CLAIM: dict[str, Any] = {"epsilon": 1, "relation": "add-remove", "low": 0, "high": 1, "ideal": True}


def planned(release: Any, **words: Any) -> PrivacyPlan:
    """The plan of an audit of a function at hand."""
    own = {**CLAIM, "budget_samples": BUDGET, **words}
    return Call.of("audit", release, own).plan()


def settled(result: AuditResult) -> dict[str, Any]:
    """What a run has found, without what says how its pairs were."""
    kept = ("verdict", "samples", "limits", "pairs", "reason", "stopped_by", "witness_samples")
    found = {name: getattr(result, name) for name in kept}
    witness = result.witness
    if witness is not None:
        found |= {"event": witness.event, "hits": (witness.hits, witness.other_hits)}
    return found


# 1. What screening drew enters no count


def both_ways(plan: PrivacyPlan) -> tuple[AuditResult, AuditResult]:
    """A run, and one of the same pairs that is told of them and screens nothing."""
    told: dict[str, Any] = {"seed": 7, "false_alarm": 0.05}
    result = run_plan(plan, **told)
    chosen, choice = screened(
        plan,
        seed=7,
        samples=budget_of(plan, 0.05).samples,
        seconds=600.0,
        care=care_of(plan.request),
        log=RunLog(),
    )
    assert choice.told is not None
    assert choice.told == result.screening
    given = replace(chosen, request=replace(plan.request, screen=0))
    return result, run_plan(given, **told)


@pytest.mark.long
@pytest.mark.parametrize("release", [private_size, clean_sum])
def test_a_run_is_that_of_its_pairs(release: Any) -> None:
    """It must hold that screening leaves the list of pairs behind, and nothing else."""
    result, alone = both_ways(planned(release))
    assert alone.screening is None
    assert settled(alone) == settled(result)


def test_no_other_part_draws_from_the_streams_of_screening() -> None:
    """It must hold that the purpose SCREEN stands in the package of screening alone."""
    root = Path(audit.__file__).parent
    users = {
        path.relative_to(root).parts[0]
        for path in root.rglob("*.py")
        if "Purpose.SCREEN" in path.read_text(encoding="utf-8")
    }
    assert users == {"screening"}
    first = {stream(1, purpose).integers(2**62) for purpose in Purpose}
    assert len(first) == len(Purpose)


def alarms(runs: int, *, coupled: bool) -> int:
    """How many of many simple bets on a sound release refute it at .05.

    The release adds Laplace noise at the claim, mirrored where the number of records is odd: the
    law of each data set is the same as without. The bet is that of ENG-T1 on "output > 1", whose
    probabilities are 1/2 and 1/(2e), with a stake of .15, for 3,000 draws.
    """
    rng, p, q, mu = np.random.default_rng(1), 0.5, 0.5 / np.e, 0.15
    x = rng.laplace(size=(runs, 3_000))
    noise = x if coupled else rng.laplace(size=x.shape)
    y = 1 - noise
    factors = (1 + mu * ((y > 1) - p)) * (1 - mu * np.e * ((x > 1) - q))
    wealth = np.cumsum(np.log(factors), axis=1).max(axis=1)
    return int((wealth >= np.log(20)).sum())


@pytest.mark.long
def test_coupled_draws_that_are_bet_on_refute_a_sound_release() -> None:
    """It must hold that the test convicts them, and passes draws of separate streams.

    Either mistake has a probability below 1e-6: at .05 more than 144 alarms of 2,000 have less, and
    of the coupled bets about 1 in 9 is one.
    """
    runs = 2_000
    most = int(binom.isf(1e-6, runs, 0.05))
    assert alarms(runs, coupled=False) <= most
    assert alarms(runs, coupled=True) > most


# 2. The target keeps no state


class Forgetful:
    """A release that forgets its noise after so many calls of one process."""

    def __init__(self, after: int) -> None:
        self.after, self.calls = after, 0

    def __call__(self, data: Any, size: int, *, rng: Any) -> Any:
        """Draw."""
        self.calls += 1
        noise = rng.laplace(size=size) if self.calls <= self.after else np.zeros(size)
        return np.clip(np.nan_to_num(data), 0, 1).sum() + noise


@pytest.mark.long
def test_state_of_a_target_does_not_travel_to_the_bets() -> None:
    """It must hold of a release that changes behind so many calls: those of the bets count."""
    release = Forgetful(600)
    plan = planned(release)
    result, alone = both_ways(plan)
    assert result.screening is not None
    assert result.screening.calls > 0
    assert settled(alone) == settled(result)
    assert release.calls == 0  # all calls were made elsewhere
    release.calls = 400  # as if they had been made here
    assert settled(run_plan(plan, seed=7, false_alarm=0.05)) != settled(result)


def test_a_run_in_this_process_is_not_screened() -> None:
    """It must hold that screening never shares the process of the bets."""
    result = run_plan(planned(clean_sum, in_process=True, budget_samples=2_000), seed=1)
    assert result.screening is None
    assert any("not screened (--in-process" in line for line in result.not_tried)


# 3. The list is a function of the seed


@pytest.mark.long
def test_jobs_have_no_part_in_the_list() -> None:
    """It must hold that one process and two give one list, and another seed another one."""
    words: dict[str, Any] = {**CLAIM, "budget_samples": BUDGET}
    one, two = (audit.audit(clean_sum, **words, seed=3, jobs=jobs) for jobs in (1, 2))
    assert one.screening == two.screening
    assert settled(one) == settled(two)
    other = audit.audit(clean_sum, **words, seed=4)
    assert one.screening is not None
    assert other.screening is not None
    assert other.screening.chosen != one.screening.chosen


@pytest.mark.slow
def test_screened_runs_of_sound_releases_are_refuted_at_most_as_often_as_stated() -> None:
    """It must hold at .05: of 105 runs, more than 14 have a probability below 1e-3."""
    runs = refuted = 0
    for row in SOUND:
        for seed in range(15):
            plan = planned(row.release, budget_samples=6_000)
            result = run_plan(plan, seed=seed, false_alarm=0.05)
            assert result.screening is not None
            runs, refuted = runs + 1, refuted + (result.verdict is Verdict.REFUTED)
    assert runs == 105
    assert refuted <= binom.isf(1e-3, runs, 0.05)
