"""The gate beside earlier runs: wealth of other nights, baselines, failures."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.cli import main
from audit.engine import sequential
from audit.levels import grid_of
from audit.report.rendering import gate_report
from audit.request.configuration import find_config
from audit.results.sampled_result import AuditResult
from audit.suite.changes.lock import hold
from audit.suite.exit_status import Exit
from audit.suite.gate_outcome import GateResult
from audit.suite.gate_run import override, plan_gate, run_gate
from audit.suite.history import History, open_history
from audit.suite.wealth_of_nights import NightsFile, night_seed
from mechanisms.errors import InvalidArgument, InvalidData
from tests.audit.results import CONSISTENT, REFUTED
from tests.audit.suite.changes.repository import write
from tests.reports import check_junit, check_report, check_sarif
from tests.slow import by_default
from tests.unforked import unforked
from tests.user_files import imports_restored

HEAD = "false_alarm = 1e-3\n"
AUDIT = """
[[audit]]
target = "m.py:{name}"
epsilon = {epsilon}
relation = "add-remove"
pair = "pair.json"
ideal = true
"""
FUNCTION = "def {name}(data, size, rng):\n    return data.sum() + rng.laplace(size=size)\n\n\n"
PAIR = '{"data": [], "neighbor": [1]}'


def configure(folder: Path, *audits: str, head: str = HEAD, epsilon: object = 1) -> None:
    """Write a configuration with some audits of functions."""
    texts = [AUDIT.format(name=name, epsilon=epsilon) for name in audits]
    write(folder, "touchstone.toml", head + "".join(texts))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with two mechanisms."""
    write(tmp_path, "m.py", "".join(FUNCTION.format(name=name) for name in ("f", "g")))
    write(tmp_path, "pair.json", PAIR)
    configure(tmp_path, "f", "g")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "cache"))
    with imports_restored(tmp_path):
        yield tmp_path


Answer = Callable[[Any], tuple[AuditResult, float]]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """An engine that answers with what the test puts into `answer`: a result and its log e-value.

    Each call is kept, with the answer by its target's name.
    """
    kept: list[dict[str, Any]] = []
    unforked(monkeypatch)

    def audit(
        target: Any, claim: Any, pairs: Any, settings: Any, *, carried: Any = None, **_: Any
    ) -> AuditResult:
        log_e = ANSWERS.get(target.name, 0.0)
        result = CONSISTENT if log_e < 100 else REFUTED
        kept.append({"target": target.name, "settings": settings, "carried": carried})
        if carried is not None:
            points = grid_of(claim).points
            rejected = (result is REFUTED,) * points
            result = replace(result, night=(log_e,) * points, rejected=rejected)
        return replace(result, target=target.name, claim=claim, seed=settings.seed)

    ANSWERS.clear()
    monkeypatch.setattr(sequential, "audit", audit)
    return kept


ANSWERS: dict[str, float] = {}
"""Logarithm of a night's e-value, by target; 100 or more is a refutation."""


def run(**options: Any) -> GateResult:
    """Run the gate in the working folder, as the command does."""
    whole = find_config(Path())
    config = override(whole, slow=options.pop("slow", False))
    plans = plan_gate(config)
    seed = options.pop("seed", 1)
    history: History = open_history(whole, config, plans, seed=seed, **options)
    return run_gate(history.config, history.plans, seed=seed, history=history)


def document(result: GateResult) -> dict[str, Any]:
    """The report for programs, which obeys the schema."""
    report: dict[str, Any] = json.loads(gate_report("json", result))
    check_report(report, "gate")
    return report


def nights_of(report: dict[str, Any]) -> list[tuple[int, float, float]]:
    """Number of each audit's night, wealth before, wealth after."""
    nights = (audit["carried"] for audit in report["audits"])
    return [(n["number"], n["evidence_before"], n["evidence"]) for n in nights]


@pytest.mark.long
def test_wealth_goes_on_from_night_to_night(folder: Path, calls: list[dict[str, Any]]) -> None:
    """It must hold that the wealth after a night is the wealth before the next."""
    ANSWERS.update({"m.py:f": 1.0, "m.py:g": -0.5})
    reports = [document(run(carry="n.json", seed=seed)) for seed in (1, 1, 2)]
    first, second, third = map(nights_of, reports)
    assert [number for number, _, _ in first] == [1, 1]
    assert first[0] == pytest.approx((1, 1.0, 0.8 * math.e + 0.2))
    assert second[0][:2] == pytest.approx((2, first[0][2]))
    assert third[1][:2] == pytest.approx((3, second[1][2]))
    assert third[0][2] > 8 > 1 > third[1][2]
    assert reports[0]["audits"][0]["carried"]["why_new"] == "no earlier night is known"
    assert reports[1]["audits"][0]["carried"]["why_new"] == ""
    assert reports[0]["carried"] == "n.json"
    assert "Wealth is carried in n.json" in gate_report("markdown", run(carry="n.json"))


@pytest.mark.long
def test_each_night_draws_afresh_and_a_lost_one_draws_again(
    folder: Path, calls: list[dict[str, Any]]
) -> None:
    """It must hold that seeds come from the audit and the night, whatever --seed says."""
    run(carry="n.json", seed=7)
    before = (folder / "n.json").read_bytes()
    run(carry="n.json", seed=7)
    (folder / "n.json").write_bytes(before)  # as if the second night had not ended
    run(carry="n.json", seed=8)
    seeds = [call["settings"].seed for call in calls]
    assert len(set(seeds[:4])) == 4
    assert seeds[2:4] == seeds[4:6]
    assert night_seed(1, 1) != night_seed(1, 2)


@pytest.mark.slow
def test_a_changed_target_begins_anew(folder: Path, calls: list[dict[str, Any]]) -> None:
    """It must hold that a change of source, claim or pairs starts at wealth 1, and is named."""
    ANSWERS["m.py:f"] = 1.0
    whys = []
    run(carry="n.json")
    for change in (
        lambda: write(folder, "m.py", (folder / "m.py").read_text() + "# changed\n"),
        lambda: configure(folder, "f", "g", epsilon=2),
        lambda: write(folder, "pair.json", PAIR.replace("[1]", "[0.5]")),
    ):
        change()
        report = document(run(carry="n.json"))
        assert nights_of(report)[0][:2] == (1, 1.0)
        assert nights_of(document(run(carry="n.json")))[0][0] == 2
        whys.append(report["audits"][0]["carried"]["why_new"])
    assert whys == [
        "changed since the last night: source",
        "changed since the last night: claim, grid",
        "changed since the last night: pairs",
    ]


@pytest.mark.long
def test_what_is_no_part_of_the_audit_changes_nothing(
    folder: Path, calls: list[dict[str, Any]]
) -> None:
    """It must hold that budgets, the rate and other audits leave the wealth as it is."""
    run(carry="n.json")
    text = (folder / "touchstone.toml").read_text()
    more = "budget_samples = 5_000\nresolution = 2\n"
    write(folder, "touchstone.toml", text.replace("1e-3", "1e-2") + more)
    assert [number for number, _, _ in nights_of(document(run(carry="n.json")))] == [2, 2]


@pytest.mark.long
def test_a_refuted_target_stays_red(folder: Path, calls: list[dict[str, Any]]) -> None:
    """It must hold that what a night refuted is red in the next ones, whatever they show."""
    ANSWERS["m.py:f"] = 200.0
    assert run(carry="n.json").status is Exit.REFUTED
    ANSWERS["m.py:f"] = 0.0
    result = run(carry="n.json")
    assert [outcome.status for outcome in result.outcomes] == [Exit.REFUTED, Exit.OK]
    assert document(result)["audits"][0]["carried"]["refuted_before"] is True
    assert "an earlier night refuted the claim" in " ".join(gate_report("text", result).split())
    write(folder, "m.py", (folder / "m.py").read_text() + "# mended\n")
    assert run(carry="n.json").status is Exit.OK


@pytest.mark.long
def test_the_rate_is_shared_over_all_audits_that_there_are(
    folder: Path, calls: list[dict[str, Any]]
) -> None:
    """It must hold that a carried run of some audits gives each no more than a run of all."""
    slow = AUDIT.format(name="g", epsilon=2) + "slow = true\n"
    path = folder / "touchstone.toml"
    path.write_text(path.read_text() + slow)
    assert run().share == pytest.approx(1e-3 / 2)
    assert run(carry="n.json").share == pytest.approx(1e-3 / 3)
    assert run(carry="n.json", slow=True).share == pytest.approx(1e-3 / 3)


def test_controls_and_proofs_are_not_carried(folder: Path, calls: list[dict[str, Any]]) -> None:
    """It must hold that a positive control is tested anew each night."""
    control = AUDIT.format(name="g", epsilon=2) + 'expect = "refuted"\n'
    proof = '\n[[audit]]\ntarget = "ksw.swap-laplace"\nmode = "exact"\n'
    write(folder, "touchstone.toml", HEAD + control + proof)
    report = document(run(carry="n.json"))
    assert [audit["carried"] for audit in report["audits"]] == [None, None]
    assert calls[0]["carried"] is None


@pytest.mark.long
def test_two_runs_at_once_do_not_lose_a_night(folder: Path, calls: list[dict[str, Any]]) -> None:
    """It must hold that a second run is told, also of another process, and changes nothing."""
    first = open_with_carry()
    before = (folder / "n.json").read_bytes()
    with pytest.raises(InvalidArgument, match=r"n\.json is in use by another run of the gate"):
        open_with_carry()
    program = "import sys; from audit.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "gate", "--carry", str(folder / "n.json")],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "is in use by another run" in done.stderr) == (2, True)
    assert (folder / "n.json").read_bytes() == before
    run(carry="other.json")  # another file is another matter
    result = run_gate(first.config, first.plans, seed=1, history=first)
    assert [n for n, _, _ in nights_of(document(result))] == [1, 1]
    assert [n for n, _, _ in nights_of(document(run(carry="n.json")))] == [2, 2]


def test_a_run_that_stops_early_lets_others_have_the_file(folder: Path) -> None:
    """It must hold that a wrong file, once told, is not held."""
    write(folder, "n.json", "no json")
    with pytest.raises(InvalidData):
        run(carry="n.json")
    (folder / "n.json").unlink()
    open_with_carry().end([], Exit.OK)
    open_with_carry()


def open_with_carry() -> History:
    """Open the history of the configuration in the working folder."""
    config = find_config(Path())
    return open_history(config, config, plan_gate(config), seed=1, carry="n.json")


def test_a_fixed_budget_cannot_be_carried(folder: Path) -> None:
    """It must hold that the other mode is refused before anything runs."""
    write(folder, "touchstone.toml", AUDIT.format(name="f", epsilon=1) + 'mode = "bound"\n')
    with pytest.raises(InvalidArgument, match=r"m\.py:f: wealth is carried with mode"):
        run(carry="n.json")


def test_the_configuration_may_ask_for_it(folder: Path, calls: list[dict[str, Any]]) -> None:
    """It must hold that carry = true keeps the wealth in the cache folder."""
    configure(folder, "f", head="carry = true\n")
    (first, second) = (document(run()) for _ in range(2))
    assert nights_of(second)[0][0] == 2
    assert Path(first["carried"]).parent == folder / "cache" / "gate"
    assert Path(first["carried"]).is_file()


DAMAGE: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[: len(text) // 2],
    "changed": lambda text: text.replace('"log_value": 0.0', '"log_value": 1.0', 1),
    "another": lambda text: text.replace("touchstone nights 1", "touchstone nights 2"),
    "empty": lambda text: "",
    "list": lambda text: "[]",
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_is_an_error_and_is_left_alone(
    name: str, folder: Path, calls: list[dict[str, Any]]
) -> None:
    """It must hold that wealth that was tampered with is never carried."""
    run(carry="n.json")
    path = folder / "n.json"
    damaged = DAMAGE[name](path.read_text())
    path.write_text(damaged)
    with pytest.raises(InvalidData, match="or is damaged"):
        NightsFile(path).read()
    assert main(["gate", "--carry", "n.json"]) == 2
    assert path.read_text() == damaged


def record_of(folder: Path, **changes: Any) -> None:
    """Change the first audit of a wealth file, and seal the file anew."""
    content = json.loads((folder / "n.json").read_text())
    key = next(iter(content["audits"]))
    content["audits"][key] |= changes
    (folder / "n.json").unlink()
    NightsFile(folder / "n.json").write(content["audits"])


RESEALED: dict[str, dict[str, Any]] = {
    "text for a seed": {"seed": "1"},
    "a seed that no night has": {"seed": 2**32},
    "text for a wealth": {"log_invested": ["1"]},
    "a wealth that no night has": {"log_invested": [1e300], "rejected": [False]},
    "a number for a verdict": {"rejected": [1]},
    "another grid": {"log_invested": [0.0, 0.0], "rejected": [False, False]},
    "points that do not fit": {"rejected": []},
    "no list": {"nights": 3},
    "a night of text": {"nights": ["yesterday"]},
    "a night without an end": {"nights": [{}]},
    "an unknown key": {"bonus": 100},
    "text for what it is about": {"about": "m.py:f"},
}


@pytest.mark.parametrize(
    "name", by_default(["text for a seed", "another grid", "an unknown key"], RESEALED)
)
def test_a_file_that_was_not_written_by_a_gate_is_an_error(
    name: str, folder: Path, calls: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold though its digest is right: every field is looked at, before anything is run."""
    run(carry="n.json")
    record_of(folder, **RESEALED[name])
    drawn, before = len(calls), (folder / "n.json").read_bytes()
    assert main(["gate", "--carry", "n.json"]) == 2
    _, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "or is damaged (" in err
    assert len(calls) == drawn
    assert (folder / "n.json").read_bytes() == before


def test_the_lock_lies_beside_the_file_and_goes_with_the_run(
    folder: Path, calls: list[dict[str, Any]]
) -> None:
    """It must hold: neither the cache folder nor the file itself has to do with it."""
    lock = folder / "n.json.lock"
    history = open_with_carry()
    assert lock.is_file()
    assert not list((folder / "cache").rglob("*.lock"))
    history.end([], Exit.OK)
    assert not lock.exists()


def test_a_lock_that_was_left_behind_holds_nothing(
    folder: Path, calls: list[dict[str, Any]]
) -> None:
    """It must hold of the file of a process that was killed; what is no file is refused."""
    lock = folder / "n.json.lock"
    lock.write_text("4711")
    run(carry="n.json")
    assert not lock.exists()
    os.mkfifo(lock)
    with pytest.raises(InvalidArgument, match=r"n\.json\.lock' cannot be made"):
        run(carry="n.json")
    lock.unlink()
    lock.symlink_to(folder / "m.py")
    with pytest.raises(InvalidArgument, match=r"n\.json\.lock' cannot be made"):
        run(carry="n.json")


def test_a_lock_that_was_removed_meanwhile_is_made_anew(tmp_path: Path) -> None:
    """It must hold that two processes never hold two files of one name."""
    first = hold(tmp_path / "n.json")
    assert first is not None
    (tmp_path / "n.json.lock").unlink()
    second = hold(tmp_path / "n.json")
    first.close()
    assert (tmp_path / "n.json.lock").exists()
    with pytest.raises(InvalidArgument, match="is in use"):
        hold(tmp_path / "n.json")
    assert second is not None
    second.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_a_regression_is_red_though_the_claim_holds(
    folder: Path, calls: list[dict[str, Any]]
) -> None:
    """It must hold that a weaker claim is exit 1 in every report, with both numbers."""
    configure(folder, "f", "g", head='baseline = "b.json"\n')
    assert run(writes=True).status is Exit.OK
    assert run().status is Exit.OK
    weaker = 'baseline = "b.json"\n' + AUDIT.format(name="f", epsilon='"5/4"')
    write(folder, "touchstone.toml", weaker + AUDIT.format(name="g", epsilon="0.9"))
    result = run()
    assert [outcome.status for outcome in result.outcomes] == [Exit.REFUTED, Exit.OK]
    assert result.outcomes[0].result is not None
    assert result.outcomes[0].result.verdict.value == "CONSISTENT"
    report = document(result)
    assert [audit["regressed"] for audit in report["audits"]] == [True, False]
    assert report["audits"][0]["regressions"] == [
        {"what": "claim", "before": "epsilon = 1 (add-remove)", "now": "epsilon = 5/4 (add-remove)"}
    ]
    words = "claim: epsilon = 1 (add-remove) in the baseline, epsilon = 5/4 (add-remove) now"
    assert words in gate_report("text", result)
    junit = check_junit(gate_report("junit", result))
    assert [len(case.findall("failure")) for case in junit.iter("testcase")] == [1, 0]
    found = check_sarif(gate_report("sarif", result))["runs"][0]["results"]
    assert [one["ruleId"] for one in found] == ["worse-than-baseline"]
    assert words in found[0]["message"]["text"]
    for form in ("html", "markdown"):
        assert "5/4" in gate_report(form, result)


def test_an_audit_that_is_dropped_is_a_regression(
    folder: Path, calls: list[dict[str, Any]]
) -> None:
    """It must hold that the baseline notices what is no longer audited, and what is new."""
    configure(folder, "f", head='baseline = "b.json"\n')
    run(writes=True)
    configure(folder, "g", head='baseline = "b.json"\n')
    result = run()
    assert result.status is Exit.REFUTED
    assert document(result)["baseline"] == {
        "file": "b.json",
        "missing": ["m.py:f"],
        "new": ["m.py:g"],
        "written": False,
        "why_not": "",
    }
    assert "FAIL  m.py:f is in the baseline, and no longer audited" in gate_report("text", result)
    (case,) = (
        case
        for case in check_junit(gate_report("junit", result)).iter("testcase")
        if case.attrib["classname"] == "touchstone.baseline"
    )
    assert case.find("failure") is not None


def test_only_a_run_as_expected_is_kept(folder: Path, calls: list[dict[str, Any]]) -> None:
    """It must hold that a red run writes no baseline, and says so."""
    configure(folder, "f", head='baseline = "b.json"\n')
    ANSWERS["m.py:f"] = 200.0
    result = run(writes=True)
    assert result.status is Exit.REFUTED
    assert not (folder / "b.json").exists()
    assert "baseline b.json not written: the run ended with 1" in gate_report("text", result)


@pytest.mark.long
def test_a_part_of_a_baseline_may_be_written_anew(
    folder: Path, calls: list[dict[str, Any]]
) -> None:
    """It must hold that what was not run keeps its record, and what is gone loses it."""
    slow = AUDIT.format(name="g", epsilon=2) + "slow = true\n"
    head = 'baseline = "b.json"\n'
    write(folder, "touchstone.toml", head + AUDIT.format(name="f", epsilon=1) + slow)
    run(writes=True, slow=True)
    write(folder, "touchstone.toml", head + AUDIT.format(name="f", epsilon=3) + slow)
    run(writes=True)
    audits = json.loads((folder / "b.json").read_text())["audits"]
    assert {name: audits[name]["claim"]["epsilon"] for name in audits} == {
        "m.py:f": "3",
        "m.py:g": "2",
    }
    assert run(slow=True).status is Exit.OK


@pytest.mark.parametrize(
    ("head", "options", "message"),
    [
        ("", ["--write-baseline"], 'put the key baseline = "touchstone-baseline.json"'),
        ('baseline = "b.json"\n', [], "there is no baseline 'b.json' yet"),
        ("baseline = 3\n", [], "baseline must be a file name"),
        ("carry = 1\n", [], "carry must be true or false"),
        ("", ["--carry", "nowhere/n.json"], "is in a folder that does not exist"),
        ("", ["--changed-since", "nonsense"], "knows no commit 'nonsense'"),
        ("", ["--reference", "--changed-since", "HEAD"], "not with the reference suite"),
        ("", ["--reference", "--write-baseline"], "--write-baseline needs to know where"),
    ],
)
def test_wrong_uses_are_one_line_and_status_2(
    folder: Path,
    head: str,
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that they are told before the first draw."""
    subprocess.run(["git", "init", "--quiet"], check=True)
    configure(folder, "f", head=head)
    monkeypatch.setattr("audit.suite.gate_run.plan_audit", lambda *_, **__: None)
    assert main(["gate", *options]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_failures_are_remembered_until_they_pass(folder: Path, calls: list[dict[str, Any]]) -> None:
    """It must hold that a gate keeps what failed, for --changed-since."""
    from audit.suite.changes.last import Failures

    failures = Failures.of("touchstone.toml")
    assert failures.read() is None
    ANSWERS["m.py:g"] = 200.0
    run()
    assert failures.read() == frozenset({"m.py:g"})
    ANSWERS["m.py:g"] = 0.0
    run()
    assert failures.read() == frozenset()
