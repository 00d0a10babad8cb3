"""The fits of the second class follow from the runs that are kept, and name what was found."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from audit.engine.factors import FACTORS
from audit.engine.privacy_sentences import SHAPES
from benchmarks import factor_fits
from benchmarks.events import SECOND_CLASS
from benchmarks.factor_fits import factors, not_found, record, wider_factors
from benchmarks.inefficiency import LEARNING_DRAWS, Cell, chosen, is_lost
from benchmarks.quantiles import Quantile

STORED: dict[str, Any] = json.loads(FACTORS.read_text())
RUNS = Path(__file__).parents[2] / "benchmarks"


def test_every_shape_has_words() -> None:
    """It must hold that reports can name each shape that is measured."""
    assert [shape for _, words in SHAPES for shape in words] == list(SECOND_CLASS)


def test_cells_are_chosen_by_their_values() -> None:
    """It must hold that values of one name are alternatives, and names come together."""
    every = [cell(shape, n) for shape in SECOND_CLASS for n in (500, 2_000)]
    assert len(chosen(every, ["oracle=500", "oracle=2000"])) == len(every)
    assert chosen(every, ["oracle=500", "shape=2 intervals"]) == [cell("2 intervals", 500)]


def kept_runs(pattern: str, engine: str) -> dict[Cell, list[float]]:
    """The draws of each cell, in the journal of the runs of this engine."""
    (path,) = RUNS.glob(pattern)
    found: dict[Cell, list[float]] = {}
    for line in map(json.loads, path.read_text().splitlines()):
        cell = Cell(**{k: line[k] for k in ("shape", "mass", "oracle", "level", "false_alarm")})
        draws = [math.inf if n is None else n for n in line["draws"]]
        found.setdefault(cell, []).extend(draws)
        assert line["engine"] == engine
    return found


def test_every_fit_of_the_first_class_was_measured() -> None:
    """It must hold that the file has the fits of the runs that are kept, and no others.

    A fit that is carried over from an earlier engine is in no journal of this one.
    """
    found = kept_runs("inefficiency-[0-9]*.jsonl", STORED["sources"])
    assert min(map(len, found.values())) == STORED["least seeds of a cell"]
    assert factors(found) == STORED["fits"]


def test_nothing_is_carried_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of a record that measured less than the one before it; 0.1 is never left out."""
    path = tmp_path / "factors.json"
    path.write_text(FACTORS.read_text())
    monkeypatch.setattr(factor_fits, "FACTORS", path)
    draws = [float(n) for n in range(1_000, 1_040)]
    both = {Cell("tail", 0.1, 500): draws, Cell("tail", 0.1, 500, "zCDP 0.1"): draws}
    record(both, [*both], "another engine")
    stored = json.loads(path.read_text())
    assert {kind: [*fits] for kind, fits in stored["fits"].items()} == {
        "divergences": ["0.1"],
        "lines": ["0.1"],
    }
    assert stored["second class"] == STORED["second class"]
    for missing in both:
        with pytest.raises(SystemExit, match=r"probability 0\.1 was not measured"):
            record({cell: draws for cell in both if cell != missing}, [], "another engine")


def test_the_journal_gives_the_stored_fits() -> None:
    """It must hold that the figures of the file are those of the runs that are kept beside it."""
    found = kept_runs("inefficiency-second-*.jsonl", STORED["second class"]["sources"])
    assert min(map(len, found.values())) == STORED["second class"]["least seeds of a cell"]
    assert wider_factors(found, list(found)) == STORED["second class"]["fits"]
    fewer = {cell: draws for cell, draws in found.items() if cell.oracle != 500}
    assert wider_factors(fewer, list(fewer)) != STORED["second class"]["fits"]


def test_the_page_of_power_says_what_was_measured() -> None:
    """It must hold of the least, the middle and the largest factor of the first class."""
    found = kept_runs("inefficiency-[0-9]*.jsonl", STORED["sources"])
    each = sorted(
        (Quantile.of(draws).value - LEARNING_DRAWS) / cell.oracle for cell, draws in found.items()
    )
    page = " ".join((RUNS.parent / "docs/explanation/power.md").read_text().split())
    assert f"On {len(each)} events of one coordinate" in page
    assert f"{each[0]:.1f} to {each[-1]:.1f} times the draws" in page
    assert f"half of the time at most {each[len(each) // 2]:.1f} times" in page


def cell(shape: str, oracle: int) -> Cell:
    """A cell of the second class."""
    return Cell(shape, 0.1, oracle)


def test_a_shape_that_is_not_found_is_left_out_of_all() -> None:
    """It must hold for its other cells too; and a cell that is missing leaves the mass out."""
    good = [700.0] * 40
    found = {
        cell("2 intervals", 500): good,
        cell("3 intervals", 500): [*good[1:], math.inf],
        cell("3 intervals", 2_000): [9e4] * 40,
    }
    first = {Cell("tail", 0.1, 150, "epsilon 0.1"): good}  # of another class: it widens nothing
    assert wider_factors(found | first, [*found]) == wider_factors(found, [*found])
    assert not_found(found) == [("3 intervals", 0.1)]
    fits = wider_factors(found, [*found, cell("3 intervals", 10_000)])["lines"]["0.1"]
    assert fits == {
        "factor": [1.0, 0.0],
        "shapes": ["2 intervals"],
        "epsilon": 1.0,
        "oracle": [500, 500],
    }
    assert wider_factors(found, [*found, cell("2 intervals", 2_000)]) == {}


def test_a_cell_is_lost_when_no_other_run_could_save_it() -> None:
    """It must hold with one miss of 40 seeds and not of 60; never in the first class."""
    line = {"shape": "3 intervals", "mass": 0.1, "oracle": 500, "level": "epsilon 1"}
    lines = [line | {"false_alarm": 0.05, "draws": [700] * 19 + [None]}]
    assert is_lost(cell("3 intervals", 2_000), lines, 40)
    assert not is_lost(cell("3 intervals", 2_000), lines, 60)
    assert not is_lost(cell("2 intervals", 2_000), lines, 40)
    first = [lines[0] | {"shape": "tail"}]
    assert not is_lost(cell("tail", 2_000), first, 40)
