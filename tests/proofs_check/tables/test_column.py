"""A column's numbers become decimals with as many bits as they need."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls, Undecided
from proofs_check.tables.column import BITS, Column, Point, Rounding
from proofs_check.tables.keys import NumberKey
from proofs_check.tables.table import Table, build


def column(
    value: Callable[[Point, int], Any], rounding: Rounding = Rounding.NEAREST, digits: int = 6
) -> Column:
    """A column of one value."""
    return Column("x", "1", "A number.", ("KSW-S2",), value, rounding, digits)


def coarse(number: Fraction, width: Fraction) -> Callable[[Point, int], Ball]:
    """A number known up to a width that shrinks with the square of the bits."""
    return lambda at, bits: Balls(bits).between(
        number - width * (128 / Fraction(bits)) ** 2, number + width * (128 / Fraction(bits)) ** 2
    )


def test_more_bits_are_taken_until_the_digits_are_certain() -> None:
    """A number near a border must get its digits from a later precision."""
    number = Fraction("0.1234565001")
    seen = []

    def value(at: Point, bits: int) -> Ball:
        seen.append(bits)
        return coarse(number, Fraction(2, 10**10))(at, bits)

    assert column(value).rounded({}, 6) == ("0.123457",)
    assert seen == list(BITS[:2])


def test_a_number_on_the_border_gets_fewer_digits() -> None:
    """1/8 as a ball has no third digit: half even cannot be decided, two digits can't either."""
    eighth = column(coarse(Fraction("0.1234565"), Fraction(1, 10**12)))
    assert eighth.rounded({}, 6) == ("0.12346",)
    assert column(lambda at, bits: Fraction("0.1234565")).rounded({}, 6) == ("0.123456",)


def test_undecided_formulas_are_evaluated_again_and_then_told() -> None:
    """A formula that needs 512 bits must get them; one that never decides must say its column."""

    def late(at: Point, bits: int) -> Ball:
        if bits < BITS[-1]:
            msg = "more bits"
            raise Undecided(msg)
        return Balls(bits).pi()

    def never(at: Point, bits: int) -> Ball:
        msg = "more bits"
        raise Undecided(msg)

    assert column(late).rounded({}, 6) == ("3.14159",)
    with pytest.raises(Undecided, match="no digit of x is certain"):
        column(never).rounded({}, 6)
    table = Table("t", "", (KEY,), (column(never),), ({"n": "7"},))
    with pytest.raises(Undecided, match="t, n = 7: no digit of x is certain"):
        build(table)


def test_kinds_of_rounding() -> None:
    """Each must write its own texts, and none where there is no number."""
    third = Fraction(1, 3)
    cases = {
        Rounding.EXACT: ("1/3",),
        Rounding.NEAREST: ("0.333",),
        Rounding.PLACE: ("0.333",),
        Rounding.OUTWARD: ("0.333", "0.334"),
    }
    for rounding, texts in cases.items():
        made = column(lambda at, bits: third, rounding, 3)
        assert made.rounded({}, 3) == texts
        assert len(made.headers) == len(texts)
        empty = column(lambda at, bits: None, rounding, 3).rounded({}, 3)
        assert empty == ("",) * len(texts)


KEY = NumberKey("n", "A count.", at_least=1, whole=True)
OTHER = NumberKey("e", "Epsilon.", above=0)
TABLE = Table(
    "t",
    "",
    (KEY, OTHER),
    (column(lambda at, bits: at["n"] / at["e"] if at["e"] < 3 else None),),
    ({"n": "1,2", "e": "1"}, {"n": "5", "e": "4,2"}),
)


def test_rows_are_the_products_of_the_grids() -> None:
    """Defaults one after the other; a grid replaces that of the first default."""
    assert [row.keys for row in build(TABLE).rows] == [
        ("1", "1"),
        ("2", "1"),
        ("5", "4"),
        ("5", "2"),
    ]
    assert [row.keys for row in build(TABLE, {"e": "2,3"}).rows] == [
        ("1", "2"),
        ("1", "3"),
        ("2", "2"),
        ("2", "3"),
    ]


def test_an_empty_cell_rests_on_nothing() -> None:
    """It must name no claim, and others theirs."""
    cells = [row.cells[0] for row in build(TABLE).rows]
    assert [cell.texts for cell in cells] == [("1.00000",), ("2.00000",), ("",), ("2.50000",)]
    assert [cell.claims for cell in cells] == [("KSW-S2",), ("KSW-S2",), (), ("KSW-S2",)]


def test_unknown_keys_and_too_many_rows_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message must name the keys, and the limit."""
    with pytest.raises(InvalidArgument, match="the table t has no key 'x'; its keys: n, e"):
        build(TABLE, {"x": "1"})
    monkeypatch.setattr("proofs_check.tables.table.MOST_ROWS", 3)
    with pytest.raises(InvalidArgument, match="at most 3 rows"):
        build(TABLE)
