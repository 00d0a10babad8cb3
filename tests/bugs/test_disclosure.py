"""What may be published, by the days that SECURITY.md promises."""

import csv
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bugs import board, disclosure
from bugs.rows import NOT_REPORTED, defects

ROOT = Path(board.__file__).parents[1]
ROWS = list(defects().values())
UNTOLD = replace(defects()["diffprivlib_mean_nan"], report=NOT_REPORTED, told=None)
EVENTS = {
    "gaussian": "(GaussianDpEvent",
    "laplace": "(LaplaceDpEvent",
    "randomized-response": "(RandomizedResponseDpEvent",
    "poisson-gaussian": "(PoissonSampledDpEvent",
}
"""Steps of the table of accountants, as calls of the board name them."""


@pytest.mark.parametrize(
    ("changes", "day", "waits"),
    [
        ({}, "2030-01-01", True),
        ({"report": "https://github.com/a/b/issues/1"}, "2026-01-01", False),
        ({"told": "2026-01-01"}, "2026-03-31", True),
        ({"told": "2026-01-01"}, "2026-04-01", False),
        ({"told": "2026-01-01", "public_from": "2026-02-01"}, "2026-01-31", True),
        ({"told": "2026-01-01", "public_from": "2026-02-01"}, "2026-02-01", False),
        ({"told": "2026-01-01", "public_from": "2026-06-01"}, "2026-05-31", True),
        ({"told": "2026-03-01", "public_from": "2026-02-01"}, "2026-02-15", True),
    ],
)
def test_a_row_waits_for_its_authors(changes, day, waits):
    """Ninety days from when they were told, or to the day that was agreed; never before."""
    lines = list(disclosure.waiting([replace(UNTOLD, **changes)], date.fromisoformat(day)))
    assert len(lines) == waits
    assert all(line.startswith("diffprivlib_mean_nan: diffprivlib 0.6.6: ") for line in lines)


@pytest.mark.parametrize(
    "changes",
    [{"told": "soon"}, {"told": "2026-01-01", "public_from": "x"}, {"public_from": "2026-01-01"}],
)
def test_a_day_that_is_none_is_refused(changes):
    """A word in its place would be a day on which nobody was told."""
    with pytest.raises(ValueError, match=r"isoformat|nobody"):
        replace(UNTOLD, **changes)


def test_the_command_fails_while_a_row_waits(monkeypatch, capsys):
    """It names the row, and ends with 0 only where none is left."""
    public = replace(UNTOLD, report="https://github.com/a/b/issues/1")
    for rows, status, said in (([UNTOLD, public], 1, "1 of 2 rows"), ([public], 0, "0 of 1 rows")):
        monkeypatch.setattr(disclosure, "defects", lambda rows=rows: {str(id(r)): r for r in rows})
        assert disclosure.main() == status
        out = capsys.readouterr().out
        assert said in out
        assert (UNTOLD.id in out) == bool(status)


def test_the_days_are_those_of_the_promise():
    """SECURITY.md has the number, and names the command."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert f"They have {disclosure.DAYS} days before it is public" in text
    assert "`python -m bugs.disclosure`" in text


def test_the_page_says_whose_authors_were_told(monkeypatch):
    """A day, where there is one; else that nobody was told, and how many such rows there are."""
    untold = [row for row in ROWS if not row.is_public and row.told is None]
    assert f"Of {len(untold)} rows we have not told the authors yet." in board.page()
    told = {row.id: replace(row, told="2026-01-02") if row in untold[:1] else row for row in ROWS}
    monkeypatch.setattr(board, "defects", lambda: told)
    page = board.page()
    assert f"Of {len(untold) - 1} rows" in page
    (line,) = (x for x in page.splitlines() if x.startswith(f"| `{untold[0].id}`"))
    assert line.endswith("| sent 2026-01-02 |")


def on_the_board(row, rows):
    """Whether a total of the board is about such a number."""
    library, version, accountant = row["accountant"].split()
    return any(
        (one.library, one.version, one.relation) == (library, version, row["relation"])
        and one.call.startswith(accountant)
        and EVENTS[row["steps"].split()[0]] in one.call
        for one in rows
    )


def test_a_number_that_a_table_calls_unsound_is_on_the_board():
    """So that its authors hear first, too."""
    file = ROOT / "docs" / "reference" / "tables" / "accountants.csv"
    with file.open(encoding="utf-8") as lines:
        found = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    unsound = [row for row in found if re.match("UNSOUND", row["standing"])]
    totals = [row for row in ROWS if row.kind == "total"]
    assert len(unsound) > 4
    assert [row for row in unsound if not on_the_board(row, totals)] == []
    fewer = [row for row in totals if row.id != "dp_accounting_rdp_laplace"]
    assert not all(on_the_board(row, fewer) for row in unsound)
