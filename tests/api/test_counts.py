"""A count may be written with a power of ten, wherever a count is a word."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import audit
from audit.cli import main
from audit.cli.options import Count
from audit.levels.count import count_in, count_of
from audit.levels.word import Kind
from audit.request.configuration import read_config
from audit.request.word_table import keys
from mechanisms.errors import InvalidArgument, InvalidData

COUNTS = [word.name for word in keys() if word.kind in (Kind.COUNT, Kind.DRAWS)]


@given(st.integers(0, 10**9), st.integers(-12, 40), st.booleans())
def test_a_text_is_a_count_only_if_it_is_whole(digits: int, power: int, pointed: bool) -> None:
    """It must hold that a power of ten is read exactly, and that no fraction is rounded to one."""
    text = f"{digits}"
    if pointed and len(text) > 1:
        text = f"{text[0]}.{text[1:]}"
    value = Decimal(text) * Decimal(10) ** power
    read = count_in(f"{text}e{power}")
    if power < 0:
        assert read is None
    else:
        exact = Fraction(text) * 10**power
        assert read == (int(exact) if exact.denominator == 1 else None)
        assert read is None or read == value


@pytest.mark.parametrize(
    "text", ["1.5", "1e-3", "1e", "e9", "1e9.", "", "nan", "inf", "0x9", "1e9999"]
)
def test_what_is_no_count_is_refused_in_one_line(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold on the command line that the message names option and value, with status 2."""
    assert main(["audit", "corpus.laplace", "--budget-samples", text]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "--budget-samples" in err
    assert repr(text) in err
    assert "such as 20000 or 1e9" in err


@pytest.mark.parametrize(
    ("value", "count"),
    [(1e9, 10**9), (7, 7), (0.0, 0), (1.5, None), (1e-3, None), (2.0**53, 2**53), (2.0**54, None),
     (float("nan"), None), (float("inf"), None), (True, None), ("1e9", None)],
)  # fmt: skip
def test_a_float_is_a_count_only_if_it_is_whole(value: Any, count: int | None) -> None:
    """It must hold that nothing is rounded, and that beyond 2^53 a double says no count."""
    found = count_of(value)
    assert found == count
    assert type(found) is (int if count is not None else type(None))


@pytest.mark.parametrize("name", COUNTS)
def test_a_configuration_reads_every_count(name: str, tmp_path: Path) -> None:
    """It must hold for each count of an entry that 1e2 is 100, and that 1.5 is refused by name."""
    file = tmp_path / "touchstone.toml"
    entry = '[[audit]]\ntarget = "corpus.laplace"\n'
    utility = "utility = true\n" if name == "n" else ""
    file.write_text(f"{entry}{utility}{name} = 1e2\n")
    (read,) = read_config(file).entries
    asked = read.request if name != "n" else read.request.utility
    value = getattr(asked, name)
    assert (value, type(value)) == (100, int)
    for wrong in ("1.5", "1e-3", "true"):
        file.write_text(f"{entry}{utility}{name} = {wrong}\n")
        with pytest.raises(InvalidData, match=f"{name} must be an integer"):
            read_config(file)


@pytest.mark.long
def test_python_reads_a_count() -> None:
    """It must hold that 4e3 draws are 4,000, and that 1.5 are none."""
    told: dict[str, Any] = {"seed": 1.0, "ideal": True}
    found = audit.audit("corpus.laplace", budget_samples=4e3, **told)
    assert found.planned == 4_000
    for wrong in (1.5, 1e-3, "1e9"):
        with pytest.raises(InvalidArgument, match="budget_samples must be an integer"):
            audit.audit("corpus.laplace", budget_samples=wrong, **told)


def test_the_least_value_still_holds() -> None:
    """It must hold that a power of ten is compared with the least value as digits are."""
    assert Count(min=10).convert("1e1", None, None) == 10
    with pytest.raises(click.BadParameter, match="10"):
        Count(min=10).convert("9e0", None, None)
