"""The plain rows of the targets at the edges, and those whose clock the test moves."""

from __future__ import annotations

import itertools
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from audit.request.privacy_plan import plan_audit
from audit.request.request import Request, by_field
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.runs.privacy_run import run_plan
from tests.edges.seeds import SEEDS
from tests.user_files import imports_restored

TARGETS = Path(__file__).with_name("targets.py")
A_READING = 1e-4
"""Seconds that pass with each reading of the clock: about 5,000 draws a second."""


def audited(name: str, seed: int, folder: Path, **words: Any) -> AuditResult:
    """Audit a target of a copy of the file, with the defaults of the command."""
    copied = shutil.copy(TARGETS, folder / "targets.py")
    bounds = {} if "pair" in words else {"low": 0, "high": 1}
    asked = {"epsilon": "1", "relation": "add-remove", "ideal": True, **bounds, **words}
    seconds = float(asked.pop("budget_seconds", 600.0))
    with imports_restored(folder):
        plan = plan_audit(Request(f"{copied}:{name}", **by_field(asked)), stated_in="a test")
        return run_plan(plan, seed=seed, false_alarm=0.001, budget_seconds=seconds)


def one_pair(folder: Path) -> tuple[str, ...]:
    """A file with a pair, where it does not matter which are tried."""
    (folder / "p.json").write_text('{"data": [0, 1], "neighbor": [0, 1, 1]}')
    return (str(folder / "p.json"),)


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by its readings and by sleep alone."""
    readings = itertools.count()
    slept = [0.0]

    def sleep(seconds: float) -> None:
        slept[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: 1000 + A_READING * next(readings) + slept[0])
    monkeypatch.setattr(time, "sleep", sleep)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_sound_target_is_consistent_by_default(seed: int, tmp_path: Path) -> None:
    """It must hold that the default budget is what the power statement needs."""
    assert audited("good", seed, tmp_path).verdict is Verdict.CONSISTENT


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_half_of_the_noise_is_refuted(seed: int, tmp_path: Path) -> None:
    """It must hold that the plainest violation is found by default."""
    assert audited("half", seed, tmp_path).verdict is Verdict.REFUTED


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_witness_names_the_key_of_an_output(seed: int, tmp_path: Path) -> None:
    """It must hold that outputs with names are told by these."""
    found = audited("mapping", seed, tmp_path, pair=one_pair(tmp_path))
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert 'output["total"]' in found.witness.event


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_frame_is_a_table_of_draws(seed: int, tmp_path: Path) -> None:
    """It must hold that each row of a frame is a draw with named outputs."""
    pair = one_pair(tmp_path)
    found = audited("frame", seed, tmp_path, pair=pair, budget_samples=40_000)
    assert found.verdict in {Verdict.CONSISTENT, Verdict.INCONCLUSIVE}
    assert found.samples > 30_000


@pytest.mark.long
@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_limit_of_the_rate_is_never_blamed_on_the_data(seed: int, tmp_path: Path) -> None:
    """It must hold that failures that follow the clock alone refute nothing."""
    found = audited("rate_limited", seed, tmp_path, budget_samples=10_000, in_process=True)
    assert found.verdict is not Verdict.REFUTED
    assert found.verdict is Verdict.INCONCLUSIVE or found.notes


@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_minute_of_slow_draws_is_enough_for_what_is_released(seed: int, tmp_path: Path) -> None:
    """It must hold that 230 draws, all that the time pays for, refute a number of records.

    The witness is drawn afresh within them.
    """
    found = audited("slow_leak", seed, tmp_path, budget_seconds=60.0, in_process=True)
    assert found.verdict is Verdict.REFUTED
    assert found.samples < 240
    assert found.witness is not None
    assert found.witness.confirmed, (found.samples, found.witness_samples, found.notes)
