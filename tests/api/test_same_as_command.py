"""The API does what the command does: equal reports for equal words."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit.cli import main
from tests.slow import one_in
from tests.untimed import untimed

SEEDED = {"seed": 1, "budget_samples": 4_000, "false_alarm": 0.05}
SAMPLED = ("--seed", "1", "--budget-samples", "4000", "--false-alarm", "0.05")
PROGRAM = Path(__file__).parents[2] / "tests" / "frozen" / "project" / "program.py"
RUN = f"python {PROGRAM} 2"
PAIR = Path(__file__).parents[2] / "examples" / "pair.json"

Asked = tuple[str, Any, dict[str, Any], str]
"""Function, target, words, and the same on the command line."""

CASES: dict[str, Asked] = {
    "registered": (
        "audit",
        "ksw.shifted-laplace",
        {"epsilon": Fraction(1, 2), "ideal": True, "pair": str(PAIR), **SEEDED},
        f"ksw.shifted-laplace --epsilon 1/2 --ideal --pair {PAIR}",
    ),
    "parameters": (
        "audit",
        "ksw.swap-laplace",
        {"param": {"epsilon": Fraction(1, 3)}, "ideal": True, "resolution": 3, **SEEDED},
        "ksw.swap-laplace --param epsilon=1/3 --ideal --resolution 3",
    ),
    "approximate": (
        "audit",
        "corpus.gaussian",
        {"epsilon": 1, "delta": 0.01, "relation": "listed", "profile": True, **SEEDED},
        "corpus.gaussian --epsilon 1 --delta 0.01 --relation listed --profile",
    ),
    "personalized": (
        *("audit", "pdp.adpm", {"resolution": 3, "ideal": True, **SEEDED}),
        "pdp.adpm --resolution 3 --ideal",
    ),
    "corpus": (
        *("audit", "corpus.gaussian-zcdp", {"rho": "1/8", "ideal": True, **SEEDED}),
        "corpus.gaussian-zcdp --rho 1/8 --ideal",
    ),
    "bound": (
        *("audit", "corpus.laplace", {"mode": "bound", "ideal": True, **SEEDED}),
        "corpus.laplace --mode bound --ideal",
    ),
    "module": (
        "audit",
        "tests.api.audited:leaky",
        {"epsilon": 1, "relation": "add-remove", "pair": str(PAIR), "ideal": True, **SEEDED},
        f"tests.api.audited:leaky --epsilon 1 --relation add-remove --pair {PAIR} --ideal",
    ),
    "program": (
        "audit",
        ["python", str(PROGRAM), "2"],
        {"epsilon": 1, "relation": "add-remove", "pair": str(PAIR), "first_draws": 64, **SEEDED},
        f"--epsilon 1 --relation add-remove --pair {PAIR} --first-draws 64 SAMPLED -- {RUN}",
    ),
    "proved": (
        *("prove", "ksw.transformed-laplace", {"epsilon": 1}),
        "ksw.transformed-laplace --epsilon 1 --mode exact",
    ),
    "multisets": (
        *("prove", "sub.threshold", {"multisets": "3,3"}),
        "sub.threshold --mode exact --multisets 3,3",
    ),
    "errors": (
        *("accuracy", "tests.api.audited:leaky", {"mse": "1/4", "n": 2, "low": 0, "high": 1}),
        "tests.api.audited:leaky --utility --mse 1/4 --n 2 --low 0 --high 1",
    ),
    "errors of a law": (
        *("accuracy", "tests.api.audited:leaky", {"unbiased": True, "law": "uniform 0 1", "n": 2}),
        "tests.api.audited:leaky --utility --unbiased --law UNIFORM --n 2",
    ),
}


def report(words: str, file: Path, *, drawn: bool) -> dict[str, Any]:
    """What the command writes."""
    parts = [{"UNIFORM": "uniform 0 1"}.get(word, word) for word in words.split()]
    place = parts.index("SAMPLED") if "SAMPLED" in parts else len(parts)
    options = [*(SAMPLED if drawn else ()), "--format", "json", "--output", str(file)]
    assert main(["audit", *parts[:place], *options, *parts[place + 1 :]]) in (0, 1, 3)
    document: dict[str, Any] = json.loads(file.read_text())
    return document


def settled(document: dict[str, Any]) -> dict[str, Any]:
    """A report without its time, and without where its claim was stated."""
    text = json.dumps(untimed(document))
    return dict(json.loads(text.replace("user, Python", "user, command line")))


EACH = [pytest.param(name, marks=pytest.mark.slow if name == "program" else ()) for name in CASES]
"""A program is started for each block of draws, which takes long."""


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(3, EACH))
def test_a_call_is_reported_as_its_command(name: str, tmp_path: Path) -> None:
    """It must hold that both reports are equal but for their time and the place of the claim."""
    function, target, words, command = CASES[name]
    drawn = function != "prove"
    own = {**SEEDED, **words} if drawn else words
    called = getattr(audit, function)(target, **own).to_dict()
    asked = report(command, tmp_path / "report.json", drawn=drawn)
    assert settled(called) == settled(asked)
    assert called["command"].startswith("touchstone audit ")


@pytest.mark.long
def test_an_object_is_audited_as_its_name() -> None:
    """It must hold that a function at hand gives the report of its name, with another source."""
    from tests.api.audited import leaky

    words: dict[str, Any] = {"epsilon": 1, "relation": "add-remove", "pair": str(PAIR), **SEEDED}
    at_hand = audit.audit(leaky, **words).to_dict()
    named = audit.audit("tests.api.audited:leaky", **words).to_dict()
    assert at_hand["command"] == named["command"]
    for document in (at_hand, named):
        witness: Any = document["witness"]
        witness["rerun"] = ""
    assert untimed(at_hand) == untimed(named)


class Frame:
    """What pandas and polars have in common, as far as it is read."""

    def __init__(self, **columns: list[Any]) -> None:
        self.values = columns
        self.columns = list(columns)

    def __getitem__(self, name: str) -> list[Any]:
        return self.values[name]


@pytest.mark.long
def test_records_in_memory_are_those_of_a_file(tmp_path: Path) -> None:
    """It must hold that an array, a frame and a file of the same numbers are audited alike."""
    numbers = [0.0, 0.25, 1.0, 0.5]
    (tmp_path / "ages.csv").write_text("name,age\n" + "".join(f"x,{x}\n" for x in numbers))
    words: dict[str, Any] = {"epsilon": 1, "relation": "swap", "low": 0, "high": 1, **SEEDED}
    words |= {"screen": 0, "budget_samples": 1_000}
    frame = Frame(name=["x"] * 4, age=numbers)
    found = [
        audit.audit("tests.api.audited:leaky", **own, **words).to_dict()
        for own in (
            {"data": np.array(numbers)},
            {"data": numbers},
            {"data": frame, "column": "age"},
            {"data": str(tmp_path / "ages.csv"), "column": "age"},
        )
    ]
    calls = [document.pop("command") for document in found]
    assert [untimed(document) for document in found] == [untimed(found[3])] * 4
    assert str(calls[0]).startswith("audit.audit('tests.api.audited:leaky', epsilon=1")
    assert ", data=data, " in str(calls[0])
    assert str(calls[3]).startswith("touchstone audit tests.api.audited:leaky")


def test_a_frame_is_read_by_its_column() -> None:
    """It must hold that a column must be named where there are several, and must be there."""
    words: dict[str, Any] = {"epsilon": 1, "relation": "swap", "low": 0, "high": 1}
    frame = Frame(name=["x"], age=[1.0])
    with pytest.raises(
        audit.InvalidData, match="the data frame has several columns; name one with"
    ):
        audit.audit("tests.api.audited:leaky", data=frame, **words)
    with pytest.raises(audit.InvalidData, match="the data frame has no column 'agf'"):
        audit.audit("tests.api.audited:leaky", data=frame, column="agf", **words)


@pytest.mark.long
def test_pairs_in_memory_are_those_of_files(tmp_path: Path) -> None:
    """It must hold that tuples, mappings and files of one pair are audited alike."""
    (tmp_path / "pair.json").write_text('{"data": [0.0, 1.0], "neighbor": [0.0, 0.0]}')
    sides = np.array([0.0, 1.0]), [0.0, 0.0]
    words: dict[str, Any] = {"epsilon": 1, "relation": "swap", "ideal": True, **SEEDED}
    found = [
        audit.audit("tests.api.audited:leaky", pair=pair, **words)
        for pair in (
            sides,
            [sides],
            {"data": sides[0], "neighbor": sides[1]},
            tmp_path / "pair.json",
        )
    ]
    events = {(result.witness.event, result.witness.hits) for result in found if result.witness}
    assert len(events) == 1
    assert {result.samples for result in found} == {found[0].samples}
