"""SARIF files: findings beside the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from audit.cli import main
from audit.report.rendering import audit_report, gate_report
from audit.report.sarif import RULES
from audit.request.configuration import reference_config
from audit.request.privacy_plan import plan_audit
from audit.request.request import Request, by_field
from audit.results.verdict import Verdict
from audit.suite.gate_outcome import Outcome
from mechanisms.add_remove import shifted_mean
from tests.audit.report.runs import (
    RESULTS,
    broken_run,
    good_run,
    hostile_run,
    outcome_of,
    run_of,
    statuses,
)
from tests.audit.results import FLOATING_POINT, REFUTED, fake_engine
from tests.reports import check_sarif
from tests.user_files import imports_restored

STABLE = (
    "claim-refuted",
    "floating-point-leak",
    "utility-refuted",
    "worse-than-baseline",
    "control-not-refuted",
    "audit-inconclusive",
    "proof-status-differs",
    "table-differs",
    "table-undecided",
)
"""Identifiers that code hosts remember: one more may come, none may change."""

DRAW = r"""sed -E 's/.*"data": ([0-9.]+), "size": ([0-9]+).*/\1 \2/' | while read x n; do
for i in $(seq $n); do echo $x; done; done"""
"""A program that releases its data."""

SOURCE = '''"""A module."""
x = 1


class Box:
    """Holds one."""

    def mean(self, data, size, rng):
        return rng.laplace(size=size)


def mean(data, size, rng):
    return rng.laplace(size=size)


box = Box()
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with a module whose name needs quoting in a URI."""
    (tmp_path / "src dir").mkdir()
    (tmp_path / "src dir" / "m.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


@pytest.mark.parametrize("name", RESULTS)
def test_one_audit_has_one_finding_or_none(name: str) -> None:
    """It must hold that each verdict of one audit is a valid file, with a finding if it failed."""
    result = RESULTS[name]
    (run,) = check_sarif(audit_report("sarif", outcome_of(name, result)))["runs"]
    rules = [finding["ruleId"] for finding in run["results"]]
    match result.verdict:
        case Verdict.REFUTED if name == "floating-point":
            assert rules == ["floating-point-leak"]
        case Verdict.REFUTED if name == "useless":
            assert rules == ["utility-refuted"]
        case Verdict.REFUTED:
            assert rules == ["claim-refuted"]
        case Verdict.INCONCLUSIVE:
            assert rules == ["audit-inconclusive"]
        case _:
            assert rules == []


def test_rules_keep_their_names() -> None:
    """It must hold that no identifier that was ever written goes away."""
    assert set(STABLE) <= set(RULES)


def test_a_run_has_a_finding_for_each_failure() -> None:
    """It must hold that findings, errors and exit status are those of the run."""
    gate = broken_run()
    (run,) = check_sarif(gate_report("sarif", gate))["runs"]
    counts = Counter(finding["ruleId"] for finding in run["results"])
    assert sum(counts.values()) == sum(status in (1, 3) for status in statuses(gate))
    assert counts.keys() == set(STABLE)
    single = (
        "worse-than-baseline",
        "control-not-refuted",
        "proof-status-differs",
        "table-differs",
        "table-undecided",
    )
    assert [counts[rule] for rule in single] == [1] * len(single)
    (invocation,) = run["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (4, False)
    (notified,) = invocation["toolExecutionNotifications"]
    assert notified["message"]["text"] == "error: internal error: RuntimeError: a bug"
    assert run["properties"]["seed"] == "7"


def test_a_good_run_has_none() -> None:
    """It must hold that what is as expected is no finding."""
    (run,) = check_sarif(gate_report("sarif", good_run()))["runs"]
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"] is True


def test_a_wrong_file_does_not_validate() -> None:
    """It must hold that the schema notices a level, a version or a key that there is not."""
    text = audit_report("sarif", outcome_of("x", REFUTED))
    for old, new in (('"error"', '"fatal"'), ('"2.1.0"', '"2.0.0"'), ('"ruleId"', '"rule"')):
        assert old in text
        with pytest.raises((jsonschema.ValidationError, KeyError)):
            check_sarif(text.replace(old, new))


def test_a_finding_is_recognized_again() -> None:
    """It must hold that the fingerprint depends on the audit and its rule, not on what was seen."""

    def prints(*outcomes: Outcome) -> list[str]:
        (run,) = check_sarif(gate_report("sarif", run_of(*outcomes)))["runs"]
        return [finding["partialFingerprints"]["touchstoneCase/v1"] for finding in run["results"]]

    first = prints(outcome_of("x", REFUTED), outcome_of("y", REFUTED))
    again = prints(outcome_of("x", replace(REFUTED, seed=8, reason="other")))
    assert first[0] == again[0] != first[1]
    assert prints(outcome_of("x", FLOATING_POINT)) != again


def test_hostile_words_are_text() -> None:
    """It must hold that the file is valid and can be written, whatever names hold."""
    text = gate_report("sarif", hostile_run())
    text.encode()
    check_sarif(text)


@pytest.mark.parametrize(
    ("attribute", "line"), [("mean", 12), ("box", 16), ("box.mean", 16), ("Box.mean", 8)]
)
def test_a_finding_stands_at_its_definition(folder: Path, attribute: str, line: int) -> None:
    """It must hold that file and line are those of the audited function, seen from here."""
    stated = {"epsilon": 1, "relation": "swap", "low": 0, "high": 1}
    plan = plan_audit(Request("src dir/m.py:mean", **by_field(stated)), stated_in="test")  # type: ignore[arg-type]
    asked = replace(plan.request, target=f"src dir/m.py:{attribute}")
    outcome = replace(outcome_of("x", REFUTED), plan=replace(plan, request=asked))
    (run,) = check_sarif(audit_report("sarif", outcome))["runs"]
    (place,) = run["results"][0]["locations"]
    physical = place["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "src%20dir/m.py"
    assert physical["region"]["startLine"] == line
    assert place["logicalLocations"][0]["fullyQualifiedName"] == attribute


def test_the_gate_points_to_its_configuration(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a target without a file is found where the audit is listed."""
    (folder / "touchstone.toml").write_text(
        '[[audit]]\ntarget = "ksw.swap-laplace"\n[[audit]]\ntarget = "src dir/m.py:mean"\n'
        'epsilon = 1\nrelation = "swap"\nlow = 0\nhigh = 1\n'
    )
    fake_engine(monkeypatch, lambda *_: REFUTED)
    assert main(["gate", "--jobs", "1", "--format", "sarif", "--output", "gate.sarif"]) == 1
    assert capsys.readouterr().out == ""
    (run,) = check_sarif((folder / "gate.sarif").read_text())["runs"]
    places = [finding["locations"][0]["physicalLocation"] for finding in run["results"]]
    found = [(p["artifactLocation"]["uri"], p["region"]["startLine"]) for p in places]
    assert found == [("touchstone.toml", 1), ("src%20dir/m.py", 12)]


@pytest.mark.long
def test_a_table_is_found_in_its_file(folder: Path) -> None:
    """It must hold that a stored table that differs points to itself."""
    (folder / "docs").mkdir()
    (folder / "docs" / "differs.csv").write_text("epsilon,variance\n")
    (run,) = check_sarif(gate_report("sarif", broken_run()))["runs"]
    (found,) = [finding for finding in run["results"] if finding["ruleId"] == "table-differs"]
    place = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == "docs/differs.csv"
    assert "stored 2.1, right 2.0, difference 0.1" in found["message"]["text"]


def test_a_registered_name_stands_in_its_module(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It must hold that a finding of one audit of ours is found in the installed module."""
    monkeypatch.chdir(tmp_path)
    (run,) = check_sarif(audit_report("sarif", outcome_of("x", REFUTED)))["runs"]
    (place,) = run["results"][0]["locations"]
    physical = place["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == Path(str(shifted_mean.__file__)).as_uri()
    lines = Path(str(shifted_mean.__file__)).read_text().splitlines()
    assert lines[physical["region"]["startLine"] - 1].startswith("class ShiftedMean")


@pytest.mark.long
def test_every_finding_of_the_built_in_suite_has_a_place() -> None:
    """It must hold that no finding of it stands nowhere: code hosts refuse the whole file then."""
    run = replace(broken_run(), configuration=reference_config().name)
    (found,) = check_sarif(gate_report("sarif", run))["runs"]
    assert len(found["results"]) > 5
    for finding in found["results"]:
        (place,) = finding["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.endswith("audit/reference.toml")


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "uri"),
    [
        (["diffprivlib.laplace", "--epsilon", "1"], "audit/targets/libraries/diffprivlib.py"),
        (["corpus.gaussian-gdp", "--mu", "4/5"], "mechanisms/corpus/"),
        (["--epsilon", "1", "--relation", "listed", "--", "sh", "draw.sh"], "draw.sh"),
        (["--epsilon", "1", "--relation", "listed", "--", "sh", "-c", DRAW], "."),
    ],
    ids=["adapter", "corpus", "program", "no file"],
)
def test_every_finding_has_a_place(
    words: list[str], uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of adapters, of the corpus and of commands, or code hosts refuse the file."""
    monkeypatch.chdir(tmp_path)
    Path("pair.json").write_text('{"data": 0.0, "neighbor": 1.0}')
    Path("draw.sh").write_text(DRAW)
    options = ["--budget-samples", "3000", "--seed", "1", "--format", "sarif", "--output", "s"]
    if words[0] != "corpus.gaussian-gdp":
        options += ["--pair", "pair.json"]
    main(["audit", *options, *words])
    ((found,),) = (run["results"] for run in check_sarif(Path("s").read_text())["runs"])
    (place,) = found["locations"]
    shown = place["physicalLocation"]["artifactLocation"]["uri"]
    assert uri in shown
