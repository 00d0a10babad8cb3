"""The split of the gate's false-alarm rate: who shares it, and that a run stays at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from audit.request.configuration import Config, read_config, reference_config
from audit.request.configured_audits import Entry
from audit.request.privacy_plan import PrivacyPlan
from audit.request.request import Request
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.suite import gate_run as gate
from audit.suite.exit_status import Exit
from audit.suite.gate_run import plan_gate, run_gate
from audit.suite.shares import level_of, may_alarm, share_of, sharing
from tests.audit.results import CONSISTENT, REFUTED, fake_engine
from tests.unforked import unforked

CONFIGURATION = """
false_alarm = 0.006
[[audit]]
target = ["ksw.swap-laplace", "ksw.shifted-laplace"]
ideal = true
[[audit]]
target = "ksw.swap-laplace"
mode = "exact"
[[audit]]
target = "ksw.swap-laplace"
param = { epsilon = 2 }
epsilon = 1
ideal = true
expect = "refuted"
[[audit]]
target = "tri.clipped-mean"
utility = true
mse = "1/4"
[[audit]]
target = "tri.clipped-mean"
utility = true
unbiased = true
[[audit]]
target = "ksw.swap-laplace"
utility = true
n = 2
unbiased = true
expect = "refuted"
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """Audits of each kind."""
    (tmp_path / "touchstone.toml").write_text(CONFIGURATION)
    return read_config(tmp_path / "touchstone.toml")


def test_only_what_can_raise_a_false_alarm_shares_the_rate(config: Config) -> None:
    """It must hold of samples and exact tests of errors; not of proofs, controls, Student's t."""
    plans = plan_gate(config)
    alarming = [may_alarm(e, p) for e, p in zip(config.entries, plans, strict=True)]
    assert alarming == [True, True, False, False, True, False, False]
    assert share_of(config, plans) == pytest.approx(0.002)


def test_a_control_has_the_whole_rate_as_its_level(config: Config) -> None:
    """It must hold that controls are tested at the run's rate, each by itself."""
    share = share_of(config, plan_gate(config))
    levels = [level_of(entry, config, share) for entry in config.entries]
    assert levels == [share, share, share, 0.006, share, share, 0.006]


def test_the_levels_reach_the_engine(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that each audit is run at its level."""
    private = [e for e in config.entries if e.request.utility is None]
    calls = fake_engine(monkeypatch, lambda *_: CONSISTENT)
    config = replace(config, entries=tuple(private))
    result = run_gate(config, plan_gate(config), seed=1)
    assert [call.false_alarm for call in calls] == [0.003, 0.003, 0.006]
    assert (result.share, result.sharing) == (0.003, 2)


def test_without_an_audit_that_alarms_nothing_is_divided_by_zero(config: Config) -> None:
    """It must hold of a suite of controls alone."""
    controls = replace(config, entries=tuple(e for e in config.entries if e.expect == "refuted"))
    plans = plan_gate(controls)
    assert (sharing(controls, plans), share_of(controls, plans)) == (0, 0.006)


def test_the_reference_suite_leaves_more_to_what_can_alarm() -> None:
    """It must hold that fewer than half of its audits by samples share the rate with controls."""
    suite = reference_config()
    drawn = [entry for entry in suite.entries if entry.request.mode != "exact"]
    alarming = sum(map(may_alarm, drawn))
    controls = sum(entry.expect == "refuted" for entry in drawn)
    assert alarming + controls == len(drawn)
    assert controls >= 40


RATE, AUDITS, CONTROLS, RUNS = 0.2, 12, 6, 400
ERROR = 1e-6
"""Of the tests below, each way."""

Level = Callable[[Entry, Config, float], float]


def false_alarms(monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> tuple[int, int]:
    """Runs that are red although all claims hold, and controls that pass by chance.

    Every claim holds, those of the controls among them, and each audit refutes with exactly the
    probability that it is run at.
    """

    def answer(_: PrivacyPlan, *, false_alarm: float, **__: object) -> AuditResult:
        return REFUTED if rng.random() < false_alarm else CONSISTENT

    monkeypatch.setattr(gate, "run_plan", answer)
    unforked(monkeypatch)  # a fork would begin with the same numbers each time
    words: Sequence[str] = ["consistent"] * AUDITS + ["refuted"] * CONTROLS
    request = Request("ksw.shifted-laplace")
    entries = tuple(Entry("one", request, word) for word in words)  # type: ignore[arg-type]
    config = Config("test", entries, false_alarm=RATE)
    plans = plan_gate(replace(config, entries=entries[:1])) * len(entries)
    alarms = passed = 0
    for seed in range(RUNS):
        outcomes = run_gate(config, plans, seed=seed).outcomes
        red = [o for o in outcomes if o.result is not None and o.result.verdict is Verdict.REFUTED]
        alarms += any(outcome.status is Exit.REFUTED for outcome in red)
        passed += sum(outcome.status is Exit.OK for outcome in red)
    return alarms, passed


def test_a_run_stays_at_its_rate(
    monkeypatch: pytest.MonkeyPatch, dp_rng: np.random.Generator
) -> None:
    """It must hold of false alarms in a run and of each control; and nearly all of it is used."""
    alarms, passed = false_alarms(monkeypatch, dp_rng)
    assert binom.sf(alarms - 1, RUNS, RATE) > ERROR
    assert binom.sf(passed - 1, RUNS * CONTROLS, RATE) > ERROR
    used = 1 - (1 - RATE / AUDITS) ** AUDITS
    assert binom.cdf(alarms, RUNS, used) > ERROR


def test_a_split_that_gives_each_audit_the_whole_rate_is_seen(
    monkeypatch: pytest.MonkeyPatch, dp_rng: np.random.Generator
) -> None:
    """The negative control: the simulation notices a rate that is not shared."""
    whole: Level = lambda entry, config, share: config.false_alarm  # noqa: E731
    monkeypatch.setattr(gate, "level_of", whole)
    alarms, _ = false_alarms(monkeypatch, dp_rng)
    assert binom.sf(alarms - 1, RUNS, RATE) < ERROR
