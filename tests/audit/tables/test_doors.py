"""The words of tables at every door: the command, the configuration, tests, programs and Python."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main
from audit.results.verdict import Verdict
from audit.suite.exit_status import Exit
from tests.audit.tables.sql_releases import PEOPLE, one_row

SCHEMA = """\
relation = "add-remove"
unit = "person"
max_rows_per_unit = 3
[columns.person]
type = "id"
[columns.region]
type = "category"
values = ["N", "S"]
"""

RELEASE = """\
def count(data, size, rng):
    return len(data) + rng.laplace(size=size)


def rows(data, size, rng):
    assert isinstance(data, list)
    return len(data) + rng.laplace(size=size)
"""

PROGRAM = """\
import json, os, random, sys
text = sys.stdin.read()
if "TOUCHSTONE_SIZE" in os.environ:
    size, seed = int(os.environ["TOUCHSTONE_SIZE"]), int(os.environ["TOUCHSTONE_SEED"])
else:
    asked = json.loads(text)
    text, size, seed = asked["csv"], asked["size"], asked["seed"]
random.seed(seed)
rows = len(text.splitlines()) - 1
for _ in range(size):
    print(rows + random.expovariate(1) - random.expovariate(1))
"""

FEW = ["--ideal", "--seed", "1", "--budget-samples", "40000"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a schema, releases and a program."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "people.toml": SCHEMA,
        "release.py": RELEASE,
        "program.py": PROGRAM,
        "people.csv": "person,region\n7,N\n7,S\n8,N\n",
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.long
def test_the_command_takes_a_schema(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the relation is the schema's, and the table is printed."""
    words = ["audit", "release.py:count", "--epsilon", "1", "--schema", "people.toml", *FEW]
    assert main([*words, "--screen", "0"]) == Exit.REFUTED
    printed = capsys.readouterr().out
    assert "neighbor only" in printed
    assert "--schema people.toml" in printed
    assert "pd.DataFrame" in printed


@pytest.mark.long
@pytest.mark.parametrize(("form", "screen"), [("json", ()), ("csv", ("--screen", "0"))])
def test_a_program_gets_csv(
    form: str, screen: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of a line of JSON and of standard input, and the witness's script runs.

    Programs of one form alone are screened: that is half of the processor time of such a run.
    """
    command = [sys.executable, "program.py"]
    words = ["audit", "--epsilon", "1", "--schema", "people.toml", "--takes", form, *FEW, *screen]
    assert main([*words, "--", *command]) == Exit.REFUTED
    printed = capsys.readouterr().out
    assert f"csv_command({command!r}, {form!r}" in printed
    assert "CSV" not in printed.partition("not tried")[0]


WRONG = {
    "bounds": (["--low", "0", "--high", "1"], "the schema says where cells lie"),
    "relation": (["--relation", "swap"], "the schema says relation = 'add-remove'"),
    "column": (["--data", "people.csv", "--column", "region"], "leave out --column or --schema"),
    "csv": (["--takes", "csv"], "for what is called in Python, got takes='csv'"),
    "takes": (["--takes", "frame"], "takes must be one of pandas"),
    "adversarial": (["--adversarial"], "no adversarial pairs are made for tables"),
    "sklearn": (["--takes", "sklearn"], "needs a label in the schema"),
    "utility": (["--utility"], "--schema"),
    "exact": (["--mode", "exact"], "--mode exact draws no samples; leave out"),
    "budgets": (["--budgets", "1,1"], ""),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_contradicts_a_schema_is_refused(
    case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each is one line and exit status 2."""
    more, message = WRONG[case]
    claim = [] if case in ("utility", "budgets") else ["--epsilon", "1"]
    words = ["audit", "release.py:count", *claim, "--schema", "people.toml", *more]
    assert main(words) == Exit.USAGE
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1


def test_takes_needs_a_schema(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold, as nothing else makes tables."""
    words = ["audit", "release.py:count", "--epsilon", "1", "--takes", "records"]
    assert main([*words, "--relation", "swap", "--low", "0", "--high", "1"]) == Exit.USAGE
    assert "it needs --schema" in capsys.readouterr().err


def test_several_columns_need_a_schema_or_a_column(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that both ways are named, and the proposal goes to a file that is refused."""
    words = ["audit", "release.py:count", "--epsilon", "1", "--data", "people.csv"]
    assert main([*words, "--relation", "swap"]) == Exit.USAGE
    assert "`touchstone schema FILE.csv` proposes" in capsys.readouterr().err
    assert main(["schema", "people.csv", "--unit", "person", "--output", "new.toml"]) == Exit.OK
    assert main([*words, "--schema", "new.toml"]) == Exit.USAGE
    assert "proposed from data that may be private" in capsys.readouterr().err
    assert main(["schema", "people.csv", "--unit", "persons"]) == Exit.USAGE
    assert "close: person" in capsys.readouterr().err


@pytest.mark.long
def test_the_users_rows_are_among_the_pairs() -> None:
    """It must hold that a leak that only they have is found, and is not without them."""

    def count(data: Any, size: int, rng: Any) -> Any:
        eight = int((data["person"] == 8).any()) if len(data) else 0
        return 20.0 * eight + rng.laplace(size=size)

    words: dict[str, Any] = {"schema": "people.toml", "ideal": True, "seed": 1, "screen": 0}
    words["budget_samples"] = 60_000
    claim = audit.pure(1, relation="add-remove")
    assert audit.audit(count, claim, data="people.csv", **words).verdict is Verdict.REFUTED
    assert audit.audit(count, claim, **words).verdict is not Verdict.REFUTED


@pytest.mark.long
def test_a_configuration_takes_a_schema(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that its path is seen from the configuration's own folder."""
    below = folder / "below"
    below.mkdir()
    text = '[[audit]]\ntarget = "../release.py:rows"\nepsilon = 1\nideal = true\n'
    text += 'schema = "../people.toml"\ntakes = "records"\nexpect = "refuted"\n'
    (below / "touchstone.toml").write_text(text)
    monkeypatch.chdir(below)
    assert main(["gate", "--seed", "1", "--jobs", "1"]) == Exit.OK, capsys.readouterr()


@pytest.mark.long
def test_a_pair_file_has_rows(folder: Path) -> None:
    """It must hold of lists and of records, checked as neighbors by unit."""
    first = [{"person": 1, "region": "N"}]
    pair = (first, [*first, {"person": 2, "region": "S"}, {"person": 2, "region": "S"}])
    words: dict[str, Any] = {"schema": "people.toml", "ideal": True, "seed": 1}
    claim = audit.pure(1, relation="add-remove")

    def count(data: Any, size: int, rng: Any) -> Any:
        return len(data) + rng.laplace(size=size)

    assert audit.audit(count, claim, pair=pair, **words).verdict is Verdict.REFUTED
    far = (first, [*first, {"person": 2, "region": "S"}, {"person": 3, "region": "S"}])
    with pytest.raises(audit.InvalidData, match="units of column person to remove: 0, to add: 2"):
        audit.audit(count, claim, pair=far, **words)
    with pytest.raises(audit.InvalidData, match="must have the columns person, region"):
        audit.audit(count, claim, pair=([], [{"person": 1}]), **words)


@pytest.mark.long
def test_jobs_do_not_change_a_run_on_tables() -> None:
    """It must hold that tables travel to other processes."""
    claim = audit.pure(1, relation="add-remove")
    words: dict[str, Any] = {"ideal": True, "seed": 1, "budget_samples": 20_000, "screen": 0}
    target = f"{Path(__file__).with_name('sql_releases.py')}:one_row"
    one, two = (audit.audit(target, claim, schema=PEOPLE, jobs=jobs, **words) for jobs in (1, 2))
    assert one.verdict is two.verdict is Verdict.REFUTED
    assert one.samples == two.samples
    assert one_row.__name__ in one.target
