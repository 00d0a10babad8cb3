"""`--takes values`: a target gets the one column of a table as a list, at every door."""

from __future__ import annotations

import math
import re
import sys
from ast import literal_eval
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import find

import audit
from audit.cli import main
from audit.pairs.literal import imports_of, literal
from audit.results.verdict import Verdict
from audit.runs.run_warnings import TABLES
from audit.strategies import tables
from audit.suite.exit_status import Exit
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_forms import given
from audit.targets.tables.table_schema import Form, Table

LABELS = {
    "relation": "add-remove",
    "takes": "values",
    "columns": {"label": {"type": "category", "values": ["red", "green"], "unseen": False}},
}

RELEASE = """\
import numpy as np

def by_label(labels, epsilon=1.0):
    counts = {"red": 0, "green": 0}
    for label in labels:
        counts[label] += 1
    return {k: v + np.random.laplace(scale=1 / epsilon) for k, v in counts.items()}

def half_noise(labels):
    return by_label(labels, 2.0)
"""

PROGRAM = """\
import json, random, sys
asked = json.loads(sys.stdin.read())
assert all(isinstance(label, str) for label in asked["data"]), asked
random.seed(asked["seed"])
for _ in range(asked["size"]):
    print(len(asked["data"]) + (random.expovariate(1) - random.expovariate(1)) / 30)
"""

ONE: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "category": ({"type": "category", "values": ["a", "b"], "nullable": True}, ["b", None, "a"]),
    "bool": ({"type": "bool"}, [True, False]),
    "int": ({"type": "int", "low": 0, "high": 9}, [3, 10, 2**63 - 1]),
    "float": ({"type": "float", "low": 0, "high": 1}, [0.5, -0.0, math.inf]),
    "text": ({"type": "text"}, ["", "x\ny"]),
    "date": (
        {"type": "date", "low": date(2000, 1, 1), "high": date(2001, 1, 1)},
        [date(2000, 5, 6)],
    ),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a schema, releases and a program."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "release.py").write_text(RELEASE)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "labels.csv").write_text("label\nred\ngreen\nred\n")
    (tmp_path / "labels.toml").write_text(
        'relation = "add-remove"\n[columns.label]\n'
        'type = "category"\nvalues = ["red", "green"]\nunseen = false\n'
    )
    return tmp_path


@pytest.mark.parametrize("kind", ONE)
@pytest.mark.parametrize("unit", [False, True])
def test_a_list_holds_every_cell(kind: str, unit: bool) -> None:
    """It must hold of every type, with the column of a unit on either side and without one."""
    words, cells = ONE[kind]
    person = {"person": {"type": "id"}} if unit else {}
    more = {"unit": "person", "max_rows_per_unit": len(cells)} if unit else {}
    for columns in ({"cell": words, **person}, {**person, "cell": words}):
        schema = read_schema({"takes": "values", "columns": columns, **more})
        place = schema.names.index("cell")
        rows = [tuple(cell if i == place else 7 for i in range(len(columns))) for cell in cells]
        table = Table(schema, tuple(rows))
        assert given(table) == cells
        assert given(Table(schema, ())) == []
        text = literal(table)
        names: dict[str, Any] = {"np": np}
        exec("\n".join(["import datetime", *imports_of(text)]), names)
        assert eval(text, names) == cells


def test_every_form_has_words() -> None:
    """It must hold that a report can say what a target gets, whichever form it takes."""
    assert set(TABLES) == set(Form)


@pytest.mark.long
def test_the_command_and_the_gate_hand_over_the_labels(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a function of labels is audited as it is, and its script gets labels."""
    words = ["--epsilon", "1", "--schema", "labels.toml", "--takes", "values", "--ideal"]
    few = ["--domain", "declared", "--seed", "1", "--screen", "0"]
    assert main(["audit", "release.py:half_noise", *words, *few]) == Exit.REFUTED
    printed = capsys.readouterr().out
    assert "raises" not in printed
    # which pair it is differs from run to run: the release draws from a generator of its own
    sides = re.findall(r"^ +(?:D|D_prime|D, D_prime) = (.+)$", printed, re.MULTILINE)
    lists = literal_eval(", ".join(sides))  # long ones stand on two lines
    assert abs(len(lists[0]) - len(lists[1])) == 1
    assert {label for labels in lists for label in labels} <= {"red", "green"}
    assert "--takes values" in printed
    Path("touchstone.toml").write_text(
        '[[audit]]\ntarget = "release.py:half_noise"\nepsilon = 1\nideal = true\n'
        'schema = "labels.toml"\ntakes = "values"\nexpect = "refuted"\nscreen = 0\n'
        'domain = "declared"\n'
    )
    assert main(["gate", "--seed", "1", "--jobs", "1"]) == Exit.OK, capsys.readouterr()


@pytest.mark.long
def test_a_program_gets_the_list_as_other_data() -> None:
    """It must hold that `data` is the list of labels in a line of JSON, dates as ISO has them."""
    words = ["audit", "--epsilon", "1", "--schema", "labels.toml", "--takes", "values", "--ideal"]
    told = [*words, "--seed", "1", "--screen", "0", "--", sys.executable, "program.py"]
    assert main(told) == Exit.REFUTED
    code = "import sys; line = sys.stdin.read(); print(line.strip())"
    schema = {"takes": "values", "columns": {"day": ONE["date"][0]}, "relation": "swap"}
    days = Table(read_schema(schema), ((date(2000, 5, 6),),))
    target = audit.load([sys.executable, "-c", code])
    (out,) = target.draw(given(days), 1, np.random.default_rng(1))
    assert out["data"] == ["2000-05-06"]


@pytest.mark.long
def test_python_takes_it_too() -> None:
    """It must hold of a schema as a mapping, of rows at hand, and of drawn tables."""

    def size(labels: Any, size: int, rng: Any) -> Any:
        assert isinstance(labels, list)
        return labels.count("red") + rng.laplace(scale=0.3, size=size)

    words: dict[str, Any] = {"ideal": True, "seed": 1, "screen": 0}
    result = audit.audit(size, epsilon=1, schema=LABELS, data="labels.csv", **words)
    assert result.verdict is Verdict.REFUTED
    assert find(tables(LABELS, takes="values"), lambda rows: len(rows) == 2) == [
        "red",
        "red",
    ]


@pytest.mark.parametrize(
    ("columns", "more", "got"),
    [
        ({"a": {"type": "bool"}, "b": {"type": "bool"}}, {}, "['a', 'b']"),
        (
            {"p": {"type": "id"}, "a": {"type": "bool"}, "b": {"type": "bool"}},
            {"unit": "p"},
            "['a', 'b']",
        ),
    ],
    ids=["two", "two and a unit"],
)
def test_several_columns_are_refused(columns: Any, more: Any, got: str) -> None:
    """It must hold in the schema, and of a word beside it: one sentence, with the columns."""
    with pytest.raises(audit.InvalidArgument, match="one column besides the unit's") as told:
        read_schema({"takes": "values", "columns": columns, **more})
    assert got in str(told.value)
    with pytest.raises(audit.InvalidArgument, match="one column besides the unit's"):
        tables({"columns": columns, **more}, takes="values")
    with pytest.raises(audit.InvalidArgument, match="one column besides the unit's"):
        audit.audit(
            len, epsilon=1, relation="swap", schema={"columns": columns, **more}, takes="values"
        )


def test_the_command_refuses_several_columns(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that it is one line and exit status 2, before anything is drawn."""
    Path("two.toml").write_text('[columns.a]\ntype = "bool"\n[columns.b]\ntype = "bool"\n')
    words = ["audit", "release.py:by_label", "--epsilon", "1", "--relation", "swap"]
    assert main([*words, "--schema", "two.toml", "--takes", "values"]) == Exit.USAGE
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "takes='values' needs one column besides the unit's, got ['a', 'b']" in said


def test_a_proposal_of_one_column_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that `touchstone schema` shows the word where it has a meaning, and only there.

    The proposal is one also with the word.
    """
    assert main(["schema", "labels.csv"]) == Exit.OK
    text = capsys.readouterr().out
    assert '# takes = "values"' in text
    kept = text.replace('# takes = "values"', 'takes = "values"').replace("proposed = true\n", "")
    Path("new.toml").write_text(kept)
    assert read_schema("new.toml").takes == "values"
    Path("two.csv").write_text("p,a,b\n1,x,y\n")
    assert main(["schema", "two.csv", "--unit", "p"]) == Exit.OK
    assert "values" not in capsys.readouterr().out.split("[columns.a]")[0]
    assert main(["schema", "two.csv"]) == Exit.OK
    assert "takes" not in capsys.readouterr().out
