"""What a test may ask for: the words of the command line, with the same meaning and messages."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.cli import main
from audit.request.request import Request
from audit.request.word_table import CLAIMS, keys
from audit.results.exact_result import ExactResult
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.wrap import target_of
from audit.testing import ToldAudit, audit_in_test, words_of_tests
from mechanisms.claims import Relation
from mechanisms.registry import build_mechanism
from tests.user_files import imports_restored

FILES = {
    "m.py": (
        "import numpy as np\n\n\n"
        "def laplace(data, size, rng, scale=1.0):\n"
        "    return np.sum(data) + rng.laplace(scale=scale, size=size)\n"
    ),
    "pair.json": json.dumps({"data": [0.0], "neighbor": [1.0]}),
    "far.json": json.dumps({"data": [0.0], "neighbor": [1.0, 2.0]}),
    "d.csv": "x,y\n0.5,1\n0.25,2\n",
}


COMMAND = """
import json
import random
import sys

asked = json.loads(sys.stdin.readline())
drawn = random.Random(asked["seed"])
for _ in range(asked["size"]):
    print(json.dumps(sum(asked["data"]) + drawn.random()))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with the user's files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "m", raising=False)  # of another test's folder
    with imports_restored(tmp_path):
        yield tmp_path


def told(mechanism: Any, words: dict[str, Any], **run: Any) -> ToldAudit:
    """Audit as the plugin does."""
    known: dict[str, Any] = {
        "place": "t.py::test",
        "folder": Path.cwd(),
        "seed": 3,
        "false_alarm": 1e-3,
        "profile": "default",
        "repeat": ["pytest", "t.py::test"],
    }
    return audit_in_test(mechanism, words, **known | run)


OF_ERRORS = {"utility", "law", "n", "unbiased", "bias", "mse", "mae", "truth"}
OTHERS = {"target", "repeat", "call", "utility", "sensitivity", "stated", "account"}
"""Of a request, which are no words."""
"""Words of audits that are not about privacy."""


def test_every_word_of_an_audit_is_known() -> None:
    """It must hold that what the configuration says of privacy can be said in a test."""
    words = set(words_of_tests()) - {"claim"}  # an object, which no file can hold
    assert words - {"budget_seconds"} == {w.name for w in keys()} - OF_ERRORS - {
        "target",
        "slow",
        "account",
    }
    of_requests = ({item.name for item in fields(Request)} | {*CLAIMS}) - OTHERS
    assert words - {"budget_seconds", "expect"} == of_requests


SAME: dict[str, tuple[str, dict[str, Any]]] = {
    "no claim": ("", {}),
    "no relation": ("--epsilon 1", {"epsilon": 1}),
    "two kinds": ("--rho 1 --mu 1", {"rho": 1, "mu": 1}),
    "delta alone": ("--delta 1e-6", {"delta": 1e-6}),
    "negative": ("--epsilon -1 --relation swap", {"epsilon": "-1", "relation": "swap"}),
    "relation": ("--epsilon 1 --relation near", {"epsilon": 1, "relation": "near"}),
    "listed": ("--epsilon 1 --relation listed", {"epsilon": 1, "relation": "listed"}),
    "no bounds": ("--epsilon 1 --relation swap", {"epsilon": 1, "relation": "swap"}),
    "half of the bounds": (
        "--epsilon 1 --relation swap --low 0",
        {"epsilon": 1, "relation": "swap", "low": 0},
    ),
    "order of bounds": (
        "--epsilon 1 --relation swap --low 2 --high 1",
        {"epsilon": 1, "relation": "swap", "low": "2", "high": "1"},
    ),
    "parameter": (
        "--epsilon 1 --relation swap --low 0 --high 1 --param b=2",
        {"epsilon": 1, "relation": "swap", "low": 0, "high": 1, "param": {"b": 2}},
    ),
    "no file": (
        "--epsilon 1 --relation swap --pair none.json",
        {"epsilon": 1, "relation": "swap", "pair": "none.json"},
    ),
    "no neighbors": (
        "--epsilon 1 --relation swap --pair far.json",
        {"epsilon": 1, "relation": "swap", "pair": ["far.json"]},
    ),
    "column": (
        "--epsilon 1 --relation swap --data d.csv --column z",
        {"epsilon": 1, "relation": "swap", "data": Path("d.csv"), "column": "z"},
    ),
    "column alone": ("--epsilon 1 --column x", {"epsilon": 1, "column": "x"}),
    "resolution": (
        "--epsilon 1 --relation swap --low 0 --high 1 --resolution 0",
        {"epsilon": 1, "relation": "swap", "low": 0, "high": 1, "resolution": 0.0},
    ),
    "budgets and order": (
        "--budgets 1,2 --order free --relation swap --low 0 --high 1",
        {"budgets": (1, Fraction(2)), "order": "free", "relation": "swap", "low": 0, "high": 1},
    ),
    "exact": (
        "--epsilon 1 --relation swap --mode exact --low 0 --high 1",
        {"epsilon": 1, "relation": "swap", "mode": "exact", "low": 0, "high": 1},
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_messages_are_those_of_the_command_line(
    case: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that wrong words fail with the command's line, for a name and an object."""
    options, words = SAME[case]
    assert main(["audit", "m.py:laplace", *options.split()]) == 2
    line = capsys.readouterr().err.removeprefix("touchstone: ").strip()
    from_name = told("m.py:laplace", words)
    assert from_name.result is None
    assert from_name.failure is not None
    assert from_name.failure.partition("\n(")[0] == f"no audit: {line}"

    import m  # type: ignore[import-not-found]

    from_object = told(m.laplace, words)
    assert from_object.failure == from_name.failure.replace("m.py:laplace", "m:laplace")


@pytest.mark.long
def test_the_audit_is_that_of_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the same words at the same seed draw the same, for a name and an object."""
    options = "--epsilon 1/2 --relation swap --pair pair.json --ideal --budget-samples 2000"
    run = "--seed 3 --false-alarm 0.001 --format json --inconclusive ok"
    main(["audit", "m.py:laplace", *options.split(), *run.split()])
    report = json.loads(capsys.readouterr().out)
    words: dict[str, Any] = {
        "epsilon": Fraction(1, 2),
        "relation": Relation.SWAP,
        "pair": Path("pair.json"),
        "ideal": True,
        "budget_samples": np.int64(2000),
    }

    import m

    for mechanism in ("m.py:laplace", m.laplace):
        result = told(mechanism, words).result
        assert isinstance(result, AuditResult)
        assert result.verdict == report["verdict"]
        assert result.samples == report["samples"]
        assert result.limits["epsilon"] == report["limits"]["epsilon"]
        assert str(result.claim.source) == "user, t.py::test"


def test_files_are_seen_from_the_projects_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of text and of a `Path`, for data and for pairs, wherever pytest was called."""
    monkeypatch.chdir(folder.parent)
    words: dict[str, Any] = {"epsilon": 1, "relation": "swap", "column": "x"}
    words |= {"low": 0, "high": 1, "budget_samples": 100, "screen": 0, "in_process": True}
    for name in ("d.csv", Path("d.csv")):
        told_of = told(f"{folder}/m.py:laplace", {**words, "data": name}, folder=folder)
        assert told_of.result is not None, told_of.failure
    missing = told(f"{folder}/m.py:laplace", {**words, "data": Path("none.csv")}, folder=folder)
    assert str(folder / "none.csv") in str(missing.failure)


@pytest.mark.long
def test_a_list_in_param_is_a_value(folder: Path) -> None:
    """It must hold that a test is one audit: lists are no sweeps."""
    (folder / "w.py").write_text("def f(data, size, rng, w):\n    return rng.normal(size=size)\n")
    words: dict[str, Any] = {"epsilon": 1, "relation": "swap", "pair": "pair.json"}
    words |= {"param": {"w": [1, 2]}, "budget_samples": 600}
    result = told("w.py:f", words, inconclusive_ok=True)
    assert result.failure is None
    assert result.row["verdict"] == "INCONCLUSIVE"


def test_a_registered_object_is_what_its_name_is() -> None:
    """It must hold that an object of ours is proved like its name, and known to be unseedable."""
    mechanism = build_mechanism("ksw.shifted-laplace")
    by_object = told(mechanism, {"mode": "exact"}).result
    by_name = told("ksw.shifted-laplace", {"mode": "exact"}).result
    assert isinstance(by_object, ExactResult)
    assert isinstance(by_name, ExactResult)
    assert by_object.verdict is by_name.verdict is Verdict.PROVED
    assert by_object.proof is not None
    assert by_name.proof is not None
    assert by_object.proof.loss == by_name.proof.loss
    release = build_mechanism("ksw.release-mean", epsilon=1, low=0, high=1)
    assert not target_of(release, "an object").seedable
    assert target_of(mechanism, "an object").seedable


@pytest.mark.slow
def test_samples_of_an_object_stand_beside_its_law() -> None:
    """It must hold that a report of samples has the proved bound where the object states a law."""
    mechanism = build_mechanism("ksw.shifted-laplace")
    words = {"ideal": True, "budget_samples": 3000}
    by_object, by_name = (told(m, words).result for m in (mechanism, "ksw.shifted-laplace"))
    assert isinstance(by_object, AuditResult)
    assert isinstance(by_name, AuditResult)
    assert by_object.exact == by_name.exact
    assert by_object.exact is not None


@pytest.mark.long
def test_a_failure_is_the_report_with_the_command_that_repeats_the_test(folder: Path) -> None:
    """It must hold that the report repeats by pytest, also from a proof's counterexample."""
    words = {"epsilon": "1/2", "mode": "exact"}
    failure = told("ksw.shifted-laplace", words).failure
    assert failure is not None
    assert failure.startswith("REFUTED: ksw.shifted-laplace\n")
    assert failure.endswith("\nrepeat      pytest t.py::test\n")
    drawn: dict[str, Any] = {"epsilon": "1/9", "relation": "swap", "pair": "pair.json"}
    failure = told("m.py:laplace", drawn | {"budget_samples": 9000}).failure
    assert failure is not None
    assert "\nrepeat      pytest t.py::test\n" in failure
    assert "touchstone audit" not in failure


@pytest.mark.long
def test_a_command_is_audited(folder: Path) -> None:
    """It must hold that words of an external command stand in place of a mechanism."""
    (folder / "release.py").write_text(COMMAND)
    words: dict[str, Any] = {
        "command": [sys.executable, "release.py"],
        "epsilon": 1,
        "relation": "swap",
    }
    run = {"pair": "pair.json", "ideal": True, "budget_samples": 3000, "timeout": 60}
    result = told(None, words | run).result
    assert isinstance(result, AuditResult)
    assert result.verdict is Verdict.REFUTED
    wrong = told("m.py:laplace", words | run).failure
    assert wrong is not None
    assert (
        wrong.removesuffix(" of them")
        == "no audit: privacy: target and command name two things to audit; give one"
    )


@pytest.mark.long
def test_path_and_filters_stay_as_they_were(folder: Path) -> None:
    """It must hold that an audit leaves no folder on sys.path and no filter of warnings."""
    path, filters = list(sys.path), list(warnings.filters)
    told("m.py:laplace", {"epsilon": 1})
    told("m.py:laplace", {"epsilon": 1, "relation": "swap", "pair": "pair.json", "mode": "bound"})
    assert sys.path == path
    assert list(warnings.filters) == filters


@pytest.mark.long
def test_rows_hold_texts_and_numbers_only(folder: Path) -> None:
    """It must hold that what travels to another process is plain, for every level of claim."""
    common: dict[str, Any] = {"relation": "swap", "pair": "pair.json", "budget_samples": 600}
    for claim in ({"epsilon": 1}, {"rho": 1}, {"mu": 1}, {"budgets": "1"}):
        row = told("m.py:laplace", common | claim, inconclusive_ok=True).row
        assert {type(value) for value in row.values()} <= {str, int, float}
        assert {"verdict", "claim", "limit", "false_alarm", "seed", "samples"} <= set(row)
