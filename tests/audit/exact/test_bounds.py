"""The bound that stands beside samples: what it takes is counted, and cut by the run's time."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import pytest

from audit.cli import main
from audit.documents.phrases import OUT_OF_STEPS
from audit.engine.privacy_sentences import run_words
from audit.exact import bounds, neighbor_pair, stated_laws
from audit.exact.bounds import exact_bounds
from audit.exact.step_limit import OutOfSteps, limited, step
from audit.runs import privacy_run
from mechanisms.claims import Relation
from mechanisms.registry import build_mechanism

AUDIT = ["audit", "ksw.swap-staircase", "--ideal", "--seed", "1", "--budget-samples", "2000"]


def test_steps_are_counted_inside_a_limit_only() -> None:
    """It must hold that the limit is exact, ends with its block, and that time is a limit too."""
    with limited(3, math.inf):
        step(3)
        with pytest.raises(OutOfSteps, match="out of steps"):
            step(1)
    step(10**9)
    with pytest.raises(OutOfSteps, match="out of time"), limited(3, time.monotonic()):
        step(1)


@pytest.mark.parametrize("name", ["ksw.swap-staircase", "ksw.transformed-laplace"])
def test_a_bound_is_given_up_at_the_deadline(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold before anything is bounded; without a deadline the steps are enough."""
    mechanism = build_mechanism(name)
    with pytest.raises(OutOfSteps) as gone:
        exact_bounds(mechanism, mechanism.claim, deadline=-math.inf)
    assert gone.value.by_time
    assert exact_bounds(mechanism, mechanism.claim) is not None
    monkeypatch.setattr(bounds, "MOST_STEPS", 100)
    with pytest.raises(OutOfSteps) as gone:
        exact_bounds(mechanism, mechanism.claim)
    assert not gone.value.by_time


def test_the_law_is_stated_once_for_all_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold: to state and sum it is most of the work (it was done for each record)."""
    stated: list[Any] = []
    law = stated_laws.discrete_hourglass_law
    monkeypatch.setattr(
        stated_laws, "discrete_hourglass_law", lambda noise: stated.append(noise) or law(noise)
    )
    query = build_mechanism("ksw.release-mean", grid=3).noisy_query()
    assert neighbor_pair.loss_reached(query, Relation.ADD_REMOVE) == 1
    assert len(stated) == 1


@pytest.mark.long
def test_a_report_says_what_was_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of steps; the same run with enough of them has the bound."""
    assert main([*AUDIT, "--format", "json"]) in (0, 3)
    assert json.loads(capsys.readouterr().out)["exact"]["proved"] is not None
    monkeypatch.setattr(bounds, "MOST_STEPS", 100)
    assert main([*AUDIT, "--format", "json"]) in (0, 3)
    report = json.loads(capsys.readouterr().out)
    assert report["exact"] is None
    assert OUT_OF_STEPS in report["notes"]
    assert report["reproducible"]


@pytest.mark.long
def test_a_run_without_time_for_the_bound_is_not_reproducible(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold, since a faster machine has the bound in its report."""
    seen: list[Any] = []
    beside = privacy_run._beside_exact

    def late(plan: Any, result: Any, deadline: float) -> Any:
        del deadline
        seen.append(beside(plan, result, -math.inf))
        return seen[-1]

    monkeypatch.setattr(privacy_run, "_beside_exact", late)
    assert main(AUDIT) in (0, 3)
    assert "was left out: it takes more than the run's time" in " ".join(
        capsys.readouterr().out.split()
    )
    assert (seen[0].reproducible, seen[0].exact) == (False, None)
    assert "another run may have time" in run_words(seen[0])
