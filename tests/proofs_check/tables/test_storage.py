"""Stored tables hold, a changed digit is named, and a file that is no table is told apart."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from pathlib import Path

import pytest

from mechanisms.errors import InvalidData
from proofs_check.tables.numbering import ROW
from proofs_check.tables.registry import TABLES, find_table
from proofs_check.tables.storage import (
    CLAIMS,
    Mismatch,
    compare,
    compare_rows,
    read_stored,
    write_csv,
)
from proofs_check.tables.table import build
from tests.proofs_check.tables.references import BY_PROOF, SLOW

STORED = Path(__file__).parents[3] / "docs" / "reference" / "tables"
QUICK = [name for name in TABLES if name not in (*SLOW, *BY_PROOF)]


def stored(name: str) -> list[dict[str, str]]:
    """Rows of a stored table."""
    path = STORED / f"{name}.csv"
    return [
        dict(row)
        for row in read_stored(find_table(name), path.read_text(encoding="utf-8"), str(path))
    ]


def flipped(text: str, place: int) -> str:
    """The text with another digit at a place."""
    return text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]


def last_digit(text: str) -> int | None:
    """Place of the last digit of a number (not of its exponent), or of any text."""
    head = text.partition("e")[0] if "e" in text and text[:1].isdigit() else text
    places = [k for k, letter in enumerate(head) if letter.isdigit()]
    return places[-1] if places else None


def check_flips(name: str, rows: list[dict[str, str]]) -> None:
    """Change the last digit of each column in some row: that cell, or its row, must be named."""
    table = find_table(name)
    keys = [key.name for key in table.keys]
    for column in rows[0]:
        row = next((one for one in reversed(rows) if last_digit(one[column]) is not None), None)
        if row is None:
            continue
        place = last_digit(row[column])
        assert place is not None
        changed = row | {column: flipped(row[column], place)}
        if column == ROW:
            assert list(compare_rows(table, [r if r is not row else changed for r in rows]))
            continue
        found = list(compare(table, [changed]))
        assert found, f"{name}, {column}: {row[column]} as {changed[column]}"
        if column in keys:
            continue  # the cells of that row are not what they are at the new key
        (one,) = found
        assert (one.table, one.column, one.stored) == (name, column, changed[column])
        assert one.right == row[column]
        assert one.row == ", ".join(f"{key} = {row[key]}" for key in keys)
        if column != CLAIMS:
            off = Decimal(changed[column]) - Decimal(row[column])
            assert abs(Decimal(one.difference) / off - 1) < Decimal("1e-5")


@pytest.mark.parametrize("name", QUICK)
def test_stored_tables_hold(name: str) -> None:
    """Every cell must be what the table gives at the keys of its row, and no row be missing."""
    assert list(compare(find_table(name), stored(name))) == []
    assert list(compare_rows(find_table(name), stored(name))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_slow_stored_tables_hold(name: str) -> None:
    """Every cell must be."""
    assert list(compare(find_table(name), stored(name))) == []


ONE_ROW = {"mse": 23, "error-ratio": -1, "trilemma": 6, "libraries": 5, "personalized-error": 0}
"""A row of a slow table that is quick."""


@pytest.mark.parametrize("name", ONE_ROW)
def test_a_row_of_a_slow_table_holds(name: str) -> None:
    """It must, and not with another digit in its last number."""
    row, table = stored(name)[ONE_ROW[name]], find_table(name)
    assert list(compare(table, [row])) == []
    column = table.headers[-1]
    place = last_digit(row[column])
    assert place is not None
    (one,) = compare(table, [row | {column: flipped(row[column], place)}])
    assert (one.column, one.right) == (column, row[column])


def test_stored_tables_have_the_rows_of_their_default(subtests: pytest.Subtests) -> None:
    """They must be what `touchstone table NAME` writes, as far as keys go."""
    for name in TABLES:
        with subtests.test(name=name):
            table = find_table(name)
            keys = [
                {key.name: key.text(point[key.name]) for key in table.keys}
                for point in table.points()
            ]
            assert [{key.name: row[key.name] for key in table.keys} for row in stored(name)] == keys


@pytest.mark.parametrize("name", QUICK)
def test_a_changed_digit_of_each_column_is_named(name: str) -> None:
    """Table, row, column, both texts and their difference must be."""
    check_flips(name, stored(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_a_changed_digit_of_each_column_of_slow_tables_is_named(name: str) -> None:
    """They must be."""
    check_flips(name, stored(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_any_changed_digit_is_seen(name: str) -> None:
    """Every digit of every cell of a quick table must count."""
    table = find_table(name)
    for row in stored(name):
        for column in row.keys() - {ROW}:
            for place, letter in enumerate(row[column]):
                if letter.isdigit():
                    changed = row | {column: flipped(row[column], place)}
                    assert next(compare(table, [changed]), None), (column, changed[column])


def made(name: str, **grids: str) -> list[dict[str, str]]:
    """Rows of a table as it is made now."""
    table = find_table(name)
    text = write_csv(build(table, grids))
    return [dict(row) for row in read_stored(table, text, name)]


def clip() -> list[dict[str, str]]:
    """Row of a small table."""
    return made("clip", beta="0.2", lam="2")


def test_fewer_digits_hold_if_they_are_right() -> None:
    """A reader may round: 0.0495 must hold for 0.0495097567963924, and 0.0496 must not."""
    (row,) = clip()
    column, table = "bias_attained", find_table("clip")
    for text, holds in (
        ("0.0495", True),
        ("0.04951", True),
        ("4.95e-2", True),
        ("0.0496", False),
        ("0.04950", False),
        ("0.0495097567963923", False),
        ("0.04950975679639240", True),
        ("0.04950975679639241", False),
        ("", False),
        ("many", False),
        ("nan", False),
        ("Infinity", False),
        ("1e999999999", False),
        ("0.049_5097567963924", False),
        (" 0.0495", False),
        ("\u0660.0495097567963924", False),
    ):
        found = list(compare(table, [row | {column: text}]))
        assert (found == []) is holds, text


def test_enclosures_hold_digit_for_digit() -> None:
    """An end that is not the stored one must be named, even where it still encloses."""
    row = stored("mse")[ONE_ROW["mse"]]
    lower = row["algorithm_3_l1_staircase lower"]
    changed = row | {"algorithm_3_l1_staircase lower": lower.replace("e-", "e-1", 1)}
    (one,) = compare(find_table("mse"), [changed])
    assert one.column == "algorithm_3_l1_staircase lower"
    assert one.right == lower


def test_a_key_outside_its_range_is_a_cell_that_differs() -> None:
    """The key's cell must be named with what is wrong; no other cell can be looked at."""
    (row,) = clip()
    (one,) = compare(find_table("clip"), [row | {"lam": "0"}])
    assert one.column == "lam"
    assert str(one) == (
        "clip, beta = 0.2, lam = 0, column 'lam': stored 0, "
        "right lam must be a number greater than 1, got lam=0"
    )


def test_a_mismatch_in_a_line() -> None:
    """It must read as sentences do, with nothing where nothing is."""
    one = Mismatch("t", "n = 1", "x", "", "2.50", "")
    assert str(one) == "t, n = 1, column 'x': stored nothing, right 2.50"
    two = Mismatch("t", "n = 1", "x", "2.51", "2.50", "0.01")
    assert str(two) == "t, n = 1, column 'x': stored 2.51, right 2.50, difference 0.01"


def test_claims_that_are_not_the_cells_are_named() -> None:
    """The column of claims must be checked too."""
    (row,) = clip()
    (one,) = compare(find_table("clip"), [row | {CLAIMS: row[CLAIMS] + " KSW-S2"}])
    assert one.column == CLAIMS


def test_measured_intervals_must_contain_the_number() -> None:
    """An interval beside the number must hold it; an empty one says nothing."""
    (row,), table = made("coarse-failure", n="500", epsilon="0.5"), find_table("coarse-failure")
    ends = "failure empirical lower", "failure empirical upper"
    good = row | dict(zip(ends, ("0.02", "0.0202"), strict=True))
    assert list(compare(table, [good])) == []
    assert list(compare(table, [row | dict.fromkeys(ends, "")])) == []
    for bad, column in ((("0.0202", "0.03"), ends[0]), (("0.01", "0.0201"), ends[1])):
        (one,) = compare(table, [row | dict(zip(ends, bad, strict=True))])
        assert one.column == column


def text_of(rows: list[list[str]]) -> str:
    """A CSV file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


HEADER = ["beta", "lam", *(c.name for c in find_table("clip").columns), CLAIMS, ROW]

FILES = {
    "": "f.csv has no header line",
    text_of([HEADER]): "f.csv has a header and no rows",
    text_of([HEADER[1:], HEADER[1:]]): "f.csv lacks the column 'beta'; the table clip has: beta, ",
    text_of([HEADER[:-2], HEADER[:-2]]): "f.csv lacks the column 'claims'",
    text_of([HEADER[:-1], HEADER[:-1]]): "f.csv lacks the column 'row'",
    text_of([[*HEADER, "more"], HEADER]): "f.csv has the unknown column 'more'",
    text_of([[*HEADER, "K"], HEADER]): "f.csv names a column twice",
    text_of([HEADER, HEADER[1:]]): f"f.csv, row 1 has {len(HEADER) - 1} cells for {len(HEADER)}",
    'a,"b': "f.csv cannot be read",
}


@pytest.mark.parametrize(("text", "words"), FILES.items())
def test_files_that_are_no_such_table_are_told(text: str, words: str) -> None:
    """The message must name the file and what is wrong."""
    with pytest.raises(InvalidData, match=words):
        read_stored(find_table("clip"), text, "f.csv")


def test_a_row_that_is_gone_or_there_twice_is_named() -> None:
    """Rows may stand in any order; none may be missing, doubled, added, or of another count."""
    table, rows = find_table("clip"), made("clip")
    assert list(compare_rows(table, rows[::-1])) == []
    (gone,) = compare_rows(table, rows[:2] + rows[3:])
    assert str(gone) == "clip, row 3 of 14, column 'row': stored nothing, right 3 of 14"
    (twice,) = compare_rows(table, [*rows, rows[2]])
    assert (twice.row, twice.stored) == ("beta = 0.2, lam = 4", "3 of 14")
    for text in ("15 of 14", "0 of 14", "15 of 15", "3", "", "3 of 14 rows", "03 of 14"):
        (wrong,) = compare_rows(table, [*rows, rows[2] | {ROW: text}])
        assert (wrong.row, wrong.stored, wrong.right) == ("beta = 0.2, lam = 4", text, "K of 14")
    assert [one.right for one in compare_rows(table, [rows[0] | {ROW: ""}])] == ["1 of 1"]


def test_keys_whose_numbers_cannot_be_written_are_named() -> None:
    """A key that was made too large must differ, not end the check."""
    (row,) = made("variance", epsilon="1")
    (one,) = compare(find_table("variance"), [row | {"epsilon": "1e5"}, row])
    assert (one.column, one.stored) == ("epsilon", "1e5")
    assert "must lie between 10^-9999 and 10^9999" in one.right


def test_columns_may_stand_in_any_order() -> None:
    """A file with its columns turned around must hold."""
    text = write_csv(build(find_table("clip")))
    rows = list(csv.reader(io.StringIO(text)))
    turned = text_of([row[::-1] for row in rows])
    table = find_table("clip")
    assert list(compare(table, read_stored(table, turned, "f.csv"))) == []


def test_a_long_vector_fits_in_a_cell() -> None:
    """A vector of more text than CSV cells may have must be read, and the limit left as it was."""
    values = " ".join(str(k * k) for k in range(1, 200))
    table = find_table("saturation")
    text = write_csv(build(table, {"budgets": values}))
    before = csv.field_size_limit(100)
    try:
        assert list(compare(table, read_stored(table, text, "f.csv"))) == []
        assert csv.field_size_limit() == 100
    finally:
        csv.field_size_limit(before)
