"""The gate: shares, order, exit status, interruptions."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from audit.engine.sequential import Settings
from audit.request.configuration import Config, read_config
from audit.request.configured_audits import Entry
from audit.request.request import Request
from audit.results.sampled_result import AuditResult
from audit.suite.exit_status import Exit, of_audit, worst
from audit.suite.gate_outcome import GateResult
from audit.suite.gate_run import SHORTEST_SECONDS, cap_of, override, plan_gate, run_gate, seed_of
from audit.suite.gate_sentences import gate_left_out
from audit.targets.separation import separately
from audit.targets.target import Target
from mechanisms.errors import InvalidArgument
from tests.audit.results import ALL, CONSISTENT, FAILED, REFUTED, fake_engine

Answer = Callable[[Target, Settings], AuditResult]

NAMES = ("ksw.shifted-laplace", "ksw.swap-laplace", "ksw.independent-laplace")


def suite(*expect: str) -> Config:
    """A configuration of registered mechanisms with these expectations."""
    entries = (
        Entry(name, Request(name), word)  # type: ignore[arg-type]
        for name, word in zip(NAMES, expect, strict=False)
    )
    return Config("test", tuple(entries))


def run(config: Config, **options: object) -> GateResult:
    """Plan and run with one seed."""
    return run_gate(config, plan_gate(config), seed=1, **options)  # type: ignore[arg-type]


def answering(*results: AuditResult) -> Answer:
    """An engine that gives these results in turn."""
    queue = list(results)
    return lambda *_: queue.pop(0)


@pytest.mark.parametrize(
    ("expect", "result", "status"),
    [
        ("consistent", CONSISTENT, Exit.OK),
        ("consistent", REFUTED, Exit.REFUTED),
        ("consistent", FAILED, Exit.INCONCLUSIVE),
        ("refuted", REFUTED, Exit.OK),
        ("refuted", CONSISTENT, Exit.REFUTED),
        ("refuted", FAILED, Exit.REFUTED),
    ],
)
def test_each_outcome_has_its_status(
    monkeypatch: pytest.MonkeyPatch, expect: str, result: AuditResult, status: Exit
) -> None:
    """It must hold that a claim must stand, and that a positive control must fall."""
    fake_engine(monkeypatch, answering(result))
    assert run(suite(expect)).status is status


def test_slow_audits_are_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a slow audit runs with --slow only, and that the run says how many do."""
    config = suite("consistent", "consistent")
    config = replace(config, entries=(config.entries[0], replace(config.entries[1], slow=True)))
    fake_engine(monkeypatch, answering(CONSISTENT, CONSISTENT, CONSISTENT))
    quick = run(override(config, slow=False))
    assert (len(quick.outcomes), quick.left_out) == (1, 1)
    assert run(override(config, slow=True)).left_out == 0
    assert gate_left_out(1) == "1 slow audit left out (--slow runs all)\n"
    assert gate_left_out(0) == ""
    with pytest.raises(InvalidArgument, match="the only audit of test is slow: run it with"):
        override(replace(config, entries=config.entries[1:]), slow=False)


def test_inconclusive_can_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that --inconclusive=ok turns 3 into 0, except for a positive control."""
    fake_engine(monkeypatch, answering(FAILED, FAILED))
    assert run(suite("consistent"), inconclusive_ok=True).status is Exit.OK
    assert run(suite("refuted"), inconclusive_ok=True).status is Exit.REFUTED


def test_the_worst_status_stands() -> None:
    """It must hold that 4 goes before 2 before 1 before 3 before 0."""
    ascending = [Exit.OK, Exit.INCONCLUSIVE, Exit.REFUTED, Exit.USAGE, Exit.INTERNAL]
    for place, status in enumerate(ascending):
        assert worst(ascending[: place + 1]) is status
        assert worst(reversed(ascending[: place + 1])) is status
    assert worst([]) is Exit.OK


@pytest.mark.parametrize("name", ALL)
def test_an_audit_that_finds_nothing_is_never_a_silent_pass(name: str) -> None:
    """It must hold that only CONSISTENT is 0."""
    status = of_audit(ALL[name])
    assert (status is Exit.OK) == (ALL[name] is CONSISTENT)


def test_the_false_alarm_rate_is_shared_equally(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the audits' rates are equal and sum to the run's."""
    calls = fake_engine(monkeypatch, lambda *_: CONSISTENT)
    result = run(replace(suite(*["consistent"] * 3), false_alarm=0.03))
    assert [call.false_alarm for call in calls] == [result.share] * 3
    assert result.share == pytest.approx(0.01)


@pytest.mark.long
def test_every_audit_has_the_same_cap_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that many audits do not cut each other's time to slices."""
    monkeypatch.setattr("audit.suite.gate_run.time.time", lambda: 1000.0)
    calls = fake_engine(monkeypatch, lambda *_: CONSISTENT)
    three = suite(*["consistent"] * 3)
    assert run(three).budget_seconds == 1800
    assert [call.budget_seconds for call in calls] == [600] * 3
    assert cap_of(replace(three, entries=three.entries * 3)) == 3600
    calls.clear()
    run(replace(three, budget_seconds=90))
    assert [call.budget_seconds for call in calls] == [90] * 3
    calls.clear()
    run(replace(three, budget_seconds=7200))
    assert [call.budget_seconds for call in calls] == [2400] * 3


def test_time_that_is_used_up_leaves_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that audits behind one that took all of the run's time are still begun."""
    calls = fake_engine(monkeypatch, lambda *_: CONSISTENT)
    run(replace(suite(*["consistent"] * 2), budget_seconds=1e-9))
    assert len(calls) == 2
    # screening had a part of it
    assert all(0 < call.budget_seconds <= SHORTEST_SECONDS for call in calls)


def test_proofs_take_no_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the rate goes to the audits that draw samples."""
    calls = fake_engine(monkeypatch, lambda *_: CONSISTENT)
    proof = Entry("proof", Request("ksw.swap-laplace", mode="exact"), "consistent")
    drawn = suite(*["consistent"] * 2).entries
    entries = (proof, drawn[0], proof, proof, drawn[1], proof)
    result = run(Config("test", entries, false_alarm=0.03))
    assert [call.false_alarm for call in calls] == [0.015] * 2
    assert [o.status for o in result.outcomes] == [Exit.OK] * 6


def test_seeds_differ_by_audit_and_repeat_by_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the run's seed determines each audit's own."""
    calls = fake_engine(monkeypatch, lambda *_: CONSISTENT)
    run(suite(*["consistent"] * 3))
    assert [call.seed for call in calls] == [seed_of(1, index) for index in range(3)]
    assert len({call.seed for call in calls}) == 3
    assert seed_of(2, 0) != seed_of(1, 0)


def test_one_broken_audit_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that an error is an outcome of its audit, and the others still run."""

    def answer(target: Target, _: Settings) -> AuditResult:
        if target.name == NAMES[0]:
            msg = "a bug"
            raise RuntimeError(msg)
        if target.name == NAMES[1]:
            msg = "size must be right"
            raise InvalidArgument(msg)
        return CONSISTENT

    fake_engine(monkeypatch, answer)
    result = run(suite(*["consistent"] * 3))
    assert [o.status for o in result.outcomes] == [Exit.INTERNAL, Exit.USAGE, Exit.OK]
    assert result.outcomes[0].error == "internal error: RuntimeError: a bug"
    assert result.outcomes[1].error == "size must be right"
    assert result.status is Exit.INTERNAL


def test_a_target_that_exits_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a mechanism cannot end the gate with a green status."""

    def answer(*_: object) -> AuditResult:
        raise SystemExit(0)

    fake_engine(monkeypatch, answer)
    monkeypatch.setattr("audit.suite.gate_run.separately", separately)
    result = run(suite("consistent"))
    assert result.status is Exit.USAGE
    assert result.outcomes[0].error == "its code raised SystemExit(0) before there was a verdict"


def test_an_interruption_keeps_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that Ctrl-C gives 130 and the outcomes so far."""

    def answer(target: Target, _: Settings) -> AuditResult:
        if target.name == NAMES[1]:
            signal.raise_signal(signal.SIGINT)
        return CONSISTENT

    fake_engine(monkeypatch, answer)
    result = run(suite(*["consistent"] * 3))
    assert (result.status, result.interrupted) == (Exit.INTERRUPTED, True)
    assert [outcome.name for outcome in result.outcomes] == [NAMES[0]]
    assert result.not_run == tuple(NAMES[1:3])


def test_options_win_over_the_configuration() -> None:
    """It must hold that the command line's options replace the configuration's."""
    config = override(
        suite("consistent"),
        false_alarm=0.5,
        budget_seconds=1.0,
        budget_samples=10,
        resolution=2.0,
        ideal=True,
    )
    request = config.entries[0].request
    assert (config.false_alarm, config.budget_seconds) == (0.5, 1.0)
    assert (request.budget_samples, request.resolution, request.ideal) == (10, 2.0, True)
    unchanged = suite("consistent")
    assert override(unchanged) == unchanged


def test_a_wrong_entry_is_named_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that all audits are understood before the first draw."""
    calls = fake_engine(monkeypatch, lambda *_: CONSISTENT)
    config = suite(*["consistent"] * 2)
    wrong = replace(config.entries[1], request=Request(NAMES[1], stated={"epsilon": "-1"}))
    with pytest.raises(InvalidArgument, match=r"ksw.swap-laplace: epsilon must be at least 0"):
        run(replace(config, entries=(config.entries[0], wrong)))
    assert not calls


CONFIGURATION = """
budget_seconds = 60
[[audit]]
target = "m.py:mean"
epsilon = 1
relation = "add-remove"
pair = "p.json"
ideal = true
budget_samples = 200_000
param = {scale = [1.0, 0.3]}
"""

MECHANISM = """
def mean(data, size, rng, scale):
    return data.sum() + rng.laplace(0, scale, size)
"""


@pytest.mark.long
def test_processes_of_an_earlier_run_look_in_the_folder_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of data files with relative names, in two runs from two folders."""
    for part in ("one", "two"):
        (tmp_path / part).mkdir()
        monkeypatch.chdir(tmp_path / part)
        Path(f"{part}.csv").write_text("x\n0\n1\n")
        Path("touchstone.toml").write_text(
            f'[[audit]]\ntarget = ["ksw.swap-laplace", "ksw.shifted-laplace"]\n'
            f'utility = true\ndata = "{part}.csv"\nresolution = 0.5\n'
        )
        result = run(read_config(Path("touchstone.toml")), jobs=2)
        assert [outcome.error for outcome in result.outcomes] == [None, None]


@pytest.mark.slow
def test_two_processes_give_the_same_results(tmp_path: Path) -> None:
    """It must hold that draws, verdicts and their order do not depend on the processes."""
    (tmp_path / "m.py").write_text(MECHANISM)
    (tmp_path / "p.json").write_text('{"data": [], "neighbor": [1]}')
    (tmp_path / "touchstone.toml").write_text(CONFIGURATION)
    config = read_config(tmp_path / "touchstone.toml")
    alone, together = (run(config, jobs=jobs) for jobs in (1, 2))

    def told(result: GateResult) -> list[tuple[object, ...]]:
        results = [outcome.result for outcome in result.outcomes]
        return [
            (r.verdict, r.samples, r.limits["epsilon"], r.seed) for r in results if r is not None
        ]

    assert told(alone) == told(together)
    assert [str(verdict) for verdict, *_ in told(alone)] == ["CONSISTENT", "REFUTED"]
    assert alone.status is together.status is Exit.REFUTED
