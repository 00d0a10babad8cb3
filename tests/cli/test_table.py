"""`touchstone table` and stored tables in the gate, as scripts and readers see them."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from audit.cli import main
from proofs_check.enclosure import Undecided
from proofs_check.tables.registry import TABLES
from tests.messages.golden import assert_golden
from tests.reports import check_junit, check_report, check_sarif

STORED = Path(__file__).parents[2] / "docs" / "reference" / "tables"
RUN = [sys.executable, "-c", "from audit.cli import main; raise SystemExit(main())"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with two stored tables."""
    monkeypatch.chdir(tmp_path)
    for name in ("clip", "coarse-failure"):
        assert main(["table", name, "--output", f"{name}.csv"]) == 0
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "kept"))
    return tmp_path


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """Standard output without times."""
    out, err = capsys.readouterr()
    assert err == ""
    return re.sub(r"\d+\.\d+ s", "0.0 s", out)


def damage(folder: Path) -> None:
    """Change one digit of a stored table."""
    path = folder / "clip.csv"
    text = path.read_text(encoding="utf-8")
    assert text.count("0.0495097567963924") == 1
    path.write_text(text.replace("0.0495097567963924", "0.0495097567963934"), encoding="utf-8")


def test_the_tables_are_listed_without_libraries(capsys: pytest.CaptureFixture[str]) -> None:
    """Names first, one a line, by a fresh process that computes nothing."""
    assert main(["list", "tables"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(TABLES)
    done = subprocess.run(
        [*RUN, "list", "tables"], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines() == lines
    code = (
        "import sys; from audit.cli import main; main(['list', 'tables']); "
        "assert not {'flint', 'sympy', 'z3', 'scipy', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)


@pytest.mark.parametrize("form", ["csv", "md"])
def test_what_readers_see(capsys: pytest.CaptureFixture[str], form: str) -> None:
    """A table on a grid of the user must read as kept."""
    words = ["table", "mse", "--n", "1000", "--epsilon", "10", "--mean", "0.1,0.5"]
    assert main([*words, "--format", form]) == 0
    assert_golden(f"table-{form}", told(capsys))


def test_csv_is_the_default_and_stored_tables_are_made_by_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A table on its own grid must be the stored one, letter for letter."""
    assert main(["table", "clip"]) == 0
    assert told(capsys) == (STORED / "clip.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["variance", "personalized", "amplification"])
def test_the_json_document_obeys_the_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must have every cell, with its claims and their status."""
    assert main(["table", name, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    check_report(report, "table")
    rows = list(csv.DictReader(io.StringIO((STORED / f"{name}.csv").read_text(encoding="utf-8"))))
    assert len(report["rows"]) == len(rows)
    for row, record in zip(report["rows"], rows, strict=True):
        assert row["keys"].items() <= record.items()
        for column, cell in row["cells"].items():
            assert (cell["value"] or "") == record[column]
            assert set(cell["claims"]) <= set(report["claims"])
            assert bool(cell["claims"]) is bool(record[column])
    assert set(report["claims"].values()) <= {"PROVED", "CORRECTED", "DEFINITION"}
    assert report["measured"] is None


def test_enclosures_in_the_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    """They must be two ends, or none."""
    words = [
        "table",
        "mse",
        "--n",
        "5,1000",
        "--epsilon",
        "10",
        "--mean",
        "0.5",
        "--format",
        "json",
    ]
    assert main(words) == 0
    report = json.loads(capsys.readouterr().out)
    check_report(report, "table")
    few, many = (row["cells"]["algorithm_3_l1_staircase"] for row in report["rows"])
    assert few == {"lower": None, "upper": None, "claims": []}
    assert Decimal(many["lower"]) < Decimal(many["upper"])
    assert many["claims"] == ["KSW-X6"]


def test_any_grid(capsys: pytest.CaptureFixture[str]) -> None:
    """Parts of a grid, quotients and keys with long names must be read."""
    words = ["table", "amplification", "--epsilon", "0.1:1:log:3, 1/2", "--blocks", "10000"]
    assert main([*words, "--delta-1", "1e-6", "--delta-0", "0"]) == 0
    rows = list(csv.DictReader(io.StringIO(told(capsys))))
    assert [row["epsilon"] for row in rows] == ["0.1", "0.316228", "1", "0.5"]
    assert {row["blocks"] for row in rows} == {"10000"}


def test_your_own_budgets_and_records(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A column of a CSV file must become the vector, whatever its order."""
    (folder / "b.csv").write_text("user,budget\na,1\nb,0.1\nc,1\n", encoding="utf-8")
    for name in ("personalized", "saturation"):
        assert main(["table", name, "--data", "b.csv", "--column", "budget"]) == 0
        (row,) = csv.DictReader(io.StringIO(told(capsys)))
        assert row["budgets"] == "0.1 1*2"
        assert row["n"] == "3"
    (folder / "r.csv").write_text("x\n3\n0\n1\n2\n10\n0\n0\n0\n0\n0\n", encoding="utf-8")
    assert main(["table", "subset-risk", "--data", "r.csv", "--epsilon", "0.5"]) == 0
    (row,) = csv.DictReader(io.StringIO(told(capsys)))
    assert row["records"] == "0*6 1 2 3 10"
    assert row["difference"] == "1.62500000000000"
    assert row["lower_two_points"] == "0.193704748285941"


def test_a_stored_table_that_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 0, and how many cells."""
    assert main(["table", "clip", "--check", "clip.csv"]) == 0
    assert told(capsys) == (
        "HOLDS: clip.csv\n140 cells of the table clip, evaluated again in 0.0 s\n"
    )
    assert main(["table", "all", "--check", "."]) == 0
    assert told(capsys).count("HOLDS") == 2


def test_a_changed_digit_is_exit_1_and_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Table, row, column, both numbers and the difference must be."""
    damage(folder)
    for words in ("table clip --check clip.csv", "table all --check ."):
        assert main(words.split()) == 1
        out = told(capsys)
        assert (
            "DIFFERS: clip.csv\n"
            "clip, beta = 0.2, lam = 2, column 'bias_attained': stored 0.0495097567963934, "
            "right 0.0495097567963924, difference 1e-15\n"
            "1 of 140 cells differs\n"
        ) in out
    assert "HOLDS: coarse-failure.csv" in out


def test_a_row_that_is_gone_or_there_twice_is_exit_1_and_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A deleted row must be named by its number, an added one by its keys."""
    path = folder / "clip.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:3] + lines[4:]), encoding="utf-8")
    assert main(["table", "clip", "--check", "clip.csv"]) == 1
    assert told(capsys) == (
        "DIFFERS: clip.csv\n"
        "clip, row 3 of 14, column 'row': stored nothing, right 3 of 14\n"
        "1 of 130 cells differs\n"
    )
    path.write_text("".join([*lines, lines[3]]), encoding="utf-8")
    assert main(["table", "clip", "--check", "clip.csv"]) == 1
    assert "clip, beta = 0.2, lam = 4, column 'row': stored 3 of 14, right each row once" in (
        told(capsys)
    )


@pytest.mark.parametrize("change", ["\r\n", "turned", "bom"])
def test_what_a_spreadsheet_does_to_a_file_changes_no_cell(
    folder: Path, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    """Other line ends, the columns in another order and a byte order mark must hold."""
    path = folder / "clip.csv"
    text = path.read_text(encoding="utf-8")
    if change == "turned":
        out = io.StringIO()
        csv.writer(out).writerows(row[::-1] for row in csv.reader(io.StringIO(text)))
        path.write_text(out.getvalue(), encoding="utf-8")
    elif change == "bom":
        path.write_text(text, encoding="utf-8-sig")
    else:
        path.write_bytes(text.replace("\n", change).encode())
    assert main(["table", "clip", "--check", "clip.csv"]) == 0
    assert "HOLDS: clip.csv\n140 cells" in told(capsys)


def test_of_many_cells_that_differ_some_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first 20, and how many there are."""
    path = folder / "clip.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    text = "\n".join([head, *(row.replace("0.", "1.") for row in rows)])
    path.write_text(text, encoding="utf-8")
    assert main(["table", "clip", "--check", "clip.csv"]) == 1
    lines = told(capsys).splitlines()
    assert len(lines) == 22
    assert re.fullmatch(r"\d+ of 140 cells differ; 20 of them named", lines[-1])


ERRORS = [
    "table varianze",
    "table variance --epsilon x",
    "table variance --epsilon 0",
    "table variance --epsilon 1:2",
    "table variance --beta 1",
    "table mse --mean 2",
    "table mse --n 1.5",
    "table variance --check clip.csv",
    "table clip --check nowhere.csv",
    "table all --check nowhere",
    "table all --check mixed",
    "table clip --check blank.csv",
    "table clip --check latin.csv",
    "table variance --epsilon 1e5",
    "table clip --check clip.csv --beta 1",
    "table clip --seed 1",
    "table clip --data b.csv",
    "table saturation --data b.csv",
    "table saturation --data b.csv --column no",
    "table saturation --data b.csv --column zero",
    "table saturation --data b.csv --column one --budgets 1",
    "table saturation --column one",
    "table all --epsilon 1",
    "table all",
    "table all --output nowhere",
    "table clip --output nowhere/clip.csv",
]


def test_every_user_error_is_one_line_and_status_2(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each must read as kept."""
    (folder / "b.csv").write_text("zero,one\n0,1\n", encoding="utf-8")
    (folder / "blank.csv").write_text("\n\n", encoding="utf-8")
    (folder / "latin.csv").write_bytes("\u00e9".encode("latin-1"))
    (folder / "mixed").mkdir()
    (folder / "mixed" / "b.csv").write_text("zero,one\n0,1\n", encoding="utf-8")
    texts = []
    for words in ERRORS:
        status = main(words.split())
        out, err = capsys.readouterr()
        assert (status, out, err.count("\n")) == (2, "", 1), (words, status, out, err)
        texts.append(f"$ touchstone {words}\n{err}")
    assert_golden("table-errors", "\n".join(texts))


def test_a_digit_that_is_not_certain_is_exit_3(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a table nor a check may guess."""

    def never(*_: object) -> tuple[str, ...]:
        msg = "no digit of K is certain"
        raise Undecided(msg)

    monkeypatch.setattr("proofs_check.tables.column.Column.rounded", never)
    assert main(["table", "clip"]) == 3
    out, err = capsys.readouterr()
    assert (out, err) == ("", "touchstone: clip, beta = 0.2, lam = 2: no digit of K is certain\n")
    assert main(["table", "clip", "--check", "clip.csv"]) == 3
    assert told(capsys) == (
        "UNDECIDED: clip.csv\nclip, beta = 0.2, lam = 2: no digit of K is certain\n"
    )
    (folder / "touchstone.toml").write_text('tables = "clip.csv"\n', encoding="utf-8")
    assert main(["gate", "--seed", "1"]) == 3
    assert "OPEN  clip.csv  clip, beta = 0.2, lam = 2: no digit of K is certain" in told(capsys)


@pytest.mark.parametrize("epsilon", ["1e-400", "1e-300"])
def test_a_point_of_many_digits_is_one_short_line(
    epsilon: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of a cell that cannot be decided, which is no wrong usage."""
    assert main(["table", "variance", f"--epsilon={epsilon}"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("touchstone: variance, epsilon = 1/1000")
    assert "digits): no digit of " in err
    assert err.count("\n") == 1
    assert len(err) <= 301


def test_output_is_written_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing must be printed then, and the file must be checked afterwards."""
    assert main(["table", "variance", "--epsilon", "0.1:10:log:5", "-o", "variance.csv"]) == 0
    assert told(capsys) == ""
    assert main(["table", "variance", "--check", "variance.csv"]) == 0


@pytest.fixture
def two_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables in the place of all."""
    few = {name: TABLES[name] for name in ("clip", "coarse-failure")}
    monkeypatch.setattr("proofs_check.tables.registry.TABLES", few)


def test_all_tables_at_once(
    folder: Path, two_tables: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of each in a folder, or one page."""
    (folder / "new").mkdir()
    for form in ("csv", "json"):
        assert main(["table", "all", "--format", form, "--output", "new"]) == 0
    names = {path.name for path in (folder / "new").iterdir()}
    assert names == {
        f"{name}.{form}" for name in ("clip", "coarse-failure") for form in ("csv", "json")
    }
    assert main(["table", "all", "--check", "new"]) == 0
    capsys.readouterr()
    assert main(["table", "all", "--format", "md"]) == 0
    page = told(capsys)
    assert page.startswith("# Verified tables\n")
    assert page.count("\n## ") == 2


def test_stored_tables_in_the_gate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each must be a line and a part of every report; one that differs must be exit 1."""
    text = 'tables = ["clip.csv", "coarse-failure.csv"]\n'
    (folder / "touchstone.toml").write_text(text, encoding="utf-8")
    assert main(["gate", "--seed", "1"]) == 0
    assert_golden("gate-tables", told(capsys))
    damage(folder)
    assert main(["gate", "--seed", "1"]) == 1
    assert_golden("gate-tables-differ", told(capsys))
    assert main(["gate", "--seed", "1", "--output", "told.txt"]) == 1
    golden = re.sub(r"\d+\.\d+ s", "0.0 s", (folder / "told.txt").read_text(encoding="utf-8"))
    assert_golden("gate-tables-differ", golden)
    capsys.readouterr()
    assert main(["gate", "--seed", "1", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    check_report(report, "gate")
    wrong, right = report["tables"]
    assert [wrong["passed"], right["passed"]] == [False, True]
    assert wrong["mismatches"] == [
        {
            "row": "beta = 0.2, lam = 2",
            "column": "bias_attained",
            "stored": "0.0495097567963934",
            "right": "0.0495097567963924",
            "difference": "1e-15",
        }
    ]


def test_stored_tables_in_other_reports(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table that differs must be a failure in JUnit, and a finding in SARIF."""
    damage(folder)
    text = 'tables = ["clip.csv", "coarse-failure.csv"]\n'
    (folder / "touchstone.toml").write_text(text, encoding="utf-8")
    assert main(["gate", "--format", "junit"]) == 1
    top = check_junit(capsys.readouterr().out)
    cases = {case.attrib["name"]: case for case in top.iter("testcase")}
    assert {case.attrib["classname"] for case in cases.values()} == {"touchstone.table"}
    assert cases["clip.csv"].find("failure") is not None
    assert cases["coarse-failure.csv"].find("failure") is None
    assert main(["gate", "--format", "sarif"]) == 1
    (run,) = check_sarif(capsys.readouterr().out)["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["table-differs"]
    for form in ("markdown", "html"):
        assert main(["gate", "--format", form]) == 1
        assert "DIFFERS" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('tables = "nowhere.csv"', "there is no table 'nowhere'"),
        ('tables = "gone/clip.csv"', "there is no file 'gone/clip.csv'"),
        ('tables = "personalized.csv"', "lacks the column 'budgets'"),
    ],
)
def test_the_gate_reads_tables_before_it_begins(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    """A file that is no table must be exit 2, before any audit."""
    (folder / "clip.csv").rename(folder / "personalized.csv")
    (folder / "touchstone.toml").write_text(text, encoding="utf-8")
    assert main(["gate"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err


def test_paths_of_tables_are_seen_from_the_configuration(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the configuration's folder must be found from it."""
    (folder / "touchstone.toml").write_text('tables = "clip.csv"\n', encoding="utf-8")
    from audit.request.configuration import read_config

    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    (found,) = read_config(Path("../touchstone.toml")).tables
    assert Path(found).resolve() == (folder / "clip.csv").resolve()
