"""The numbers that the specifications of the papers give come out."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import pytest

from proofs_check.tables.column import Column, Rounding
from proofs_check.tables.registry import TABLES, find_table
from tests.proofs_check.tables.references import BY_PROOF, REFERENCES, SLOW


def digits_of(printed: str, column: Column) -> int:
    """How many digits a value is given to, in the column's own count."""
    number = Decimal(printed).as_tuple()
    if column.rounding is Rounding.PLACE:
        assert isinstance(number.exponent, int)
        return -number.exponent
    return len(number.digits)


def wrong_values(name: str, rows: tuple[str, ...]) -> Iterator[str]:
    """Rows whose values are not the column's at their keys, rounded to the digits given."""
    table, names = find_table(name), REFERENCES[name][0].split()
    columns = {column.name: column for column in table.columns}
    for row in rows:
        texts = row.split()
        keys, values = texts[: len(table.keys)], texts[len(table.keys) :]
        point = {
            key.name: key.read(text.replace(";", " "))
            for key, text in zip(table.keys, keys, strict=True)
        }
        for column, printed in zip(names, values, strict=True):
            if printed == "-":
                continue
            (found,) = columns[column].rounded(point, digits_of(printed, columns[column]))
            if not found or Decimal(found) != Decimal(printed):
                yield f"{name} at {keys}: {column} is {found}, given {printed}"


QUICK = [name for name in REFERENCES if name not in SLOW]


def test_every_table_has_reference_values() -> None:
    """It must hold that none is left out."""
    assert set(REFERENCES) == set(TABLES) - set(BY_PROOF)


def test_reference_values_come_out(subtests: pytest.Subtests) -> None:
    """All values of a quick table must."""
    for name in QUICK:
        with subtests.test(name=name):
            assert list(wrong_values(name, REFERENCES[name][1])) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_all_reference_values_of_slow_tables_come_out(name: str) -> None:
    """All of them must."""
    assert list(wrong_values(name, REFERENCES[name][1])) == []


ONE_ROW = {
    "mse": "1000 10 0.1 8.08000203520177e-8 3.28000232320407e-8 1.6400006456004e-8 "
    "6.94713632637214e-10",
    "error-ratio": "8 0.5 - - 1.30122612420117",
    "libraries": REFERENCES["libraries"][1][0],
    "trilemma": "1000 3 0.001 2 - - - 0.0115745725976904 - - -",
}


@pytest.mark.parametrize("name", ONE_ROW)
def test_reference_values_of_one_row_come_out(name: str) -> None:
    """They must."""
    assert list(wrong_values(name, (ONE_ROW[name],))) == []


def test_bounds_that_are_largest_at_one_half_come_out() -> None:
    """A bound that is positive far below its best b must be found, not left undecided (mpmath)."""
    row = "1e6 7 1e-9 10 - - 9.1054318054171e-8 1.6329754606075e-7 - - -"
    assert list(wrong_values("trilemma", (row,))) == []


def test_a_rounded_count_of_few_records_comes_out() -> None:
    """A noisy count below 1 must count as 1; where too many counts matter there is no number."""
    rows = REFERENCES["libraries"][1][2:]
    assert list(wrong_values("libraries", rows)) == []
    tiny = {"n": Fraction(10), "epsilon": Fraction(1, 1000), "mean": Fraction(1, 2)}
    columns = {column.name: column for column in find_table("libraries").columns}
    assert columns["pydp_bounded_mean"].rounded(tiny, 15) == ("",)


def test_a_wrong_reference_value_shows() -> None:
    """It must hold that one unit of the last digit of a value is seen, and that of a key."""
    right = REFERENCES["clip"][1][0]
    assert list(wrong_values("clip", (right.replace(".0249378105604451", ".0249378105604452"),)))
    assert list(wrong_values("clip", (right.replace("0.1 2", "0.12 2"),)))
