"""Numbers measured beside tables: intervals hold the right number, and not a wrong one."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.cli import main
from audit.report.table_reports import table_report
from audit.tables import measured_sources
from audit.tables.empirical import Joined, interval, join
from audit.tables.measured_sources import SOURCES, sources_of
from audit.tables.samplers import TableSource, bits_of_mean
from mechanisms.errors import MissingExtra
from proofs_check.tables.registry import find_table
from proofs_check.tables.storage import compare, read_stored
from proofs_check.tables.table import Built, Table, build
from tests.slow import one_in

RATE = 1e-9
"""Of the tests below: intervals so wide that a right number is missed once in 10^9 runs (about)."""

GRIDS = {
    "variance": {"epsilon": "1"},
    "staircase": {"epsilon": "1"},
    "l1-staircase": {"epsilon": "1"},
    "mse": {"n": "1000", "epsilon": "1", "mean": "0.1"},
    "coarse": {"epsilon": "1", "delta": "0.1"},
    "hourglass": {"epsilon": "1", "gamma": "0.8"},
    "leading": {"epsilon": "1", "mean": "0.5"},
    "error-ratio": {"N": "10", "mean": "0.3"},
    "personalized": {"budgets": "0.1*10 1*10"},
    "saturation": {"budgets": "0.5 1 2 4 8 16"},
}
"""Tables of our own mechanisms, at one point."""

FEWER = {"personalized": 4_000, "saturation": 4_000}
"""Draws of mechanisms that get new records for each."""


def times(table: Table, factor: Fraction) -> Table:
    """The table with every number wrong by a factor."""

    def scaled(value: Callable[..., Any]) -> Callable[..., Any]:
        def wrong(at: Any, bits: int) -> Any:
            found = value(at, bits)
            return None if found is None else found * factor

        return wrong

    columns = tuple(replace(c, value=scaled(c.value)) for c in table.columns)
    return replace(table, columns=columns)


def measured(name: str, factor: Fraction = Fraction(1), samples: int = 200_000) -> Joined:
    """Intervals beside a table, whose numbers may be wrong."""
    table = find_table(name)
    built = build(table if factor == 1 else times(table, factor), GRIDS[name])
    return join(built, seed=5, false_alarm=RATE, samples=samples)


@pytest.fixture
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources that are asked once for each point: draws of a seed do not depend on the table."""

    def once(draw: Callable[..., Any]) -> Callable[..., Any]:
        kept: dict[tuple[str, int], Any] = {}

        def sample(point: Any, size: int, rng: np.random.Generator) -> Any:
            if (key := (str(point), size)) not in kept:
                kept[key] = draw(point, size, rng)
            return kept[key]

        return sample

    for name in GRIDS:
        of_table = {k: replace(v, sample=once(v.sample)) for k, v in SOURCES[name].items()}
        monkeypatch.setitem(SOURCES, name, of_table)


@pytest.mark.long
@pytest.mark.usefixtures("drawn_once")
@pytest.mark.parametrize("name", one_in(4, GRIDS))
def test_intervals_hold_the_numbers_of_the_table_and_no_wrong_ones(name: str) -> None:
    """All columns that have a mechanism must be measured and consistent; 20 % off, none may be."""
    joined = measured(name, samples=FEWER.get(name, 200_000))
    assert set(joined.columns) == set(SOURCES[name])
    assert all(one.consistent for one in joined.measured.values())
    for factor in (Fraction(6, 5), Fraction(4, 5)):
        wrong = measured(name, factor, FEWER.get(name, 200_000))
        assert wrong.measured.keys() == joined.measured.keys()
        exact = {column.name for column in find_table(name).columns}
        assert not any(one.consistent for at, one in wrong.measured.items() if at[1] in exact)


def test_the_same_seed_gives_the_same_intervals() -> None:
    """They must not depend on the other columns, and differ for another seed."""
    built = build(find_table("variance"), {"epsilon": "1"})
    runs = [join(built, seed=seed, false_alarm=RATE, samples=2_000) for seed in (1, 1, 2)]
    assert runs[0].measured == runs[1].measured
    assert runs[0].measured != runs[2].measured
    longer = build(find_table("variance"), {"epsilon": "1,2"})
    more = join(longer, seed=1, false_alarm=2 * RATE, samples=2_000)
    assert runs[0].measured.items() <= more.measured.items()


def test_coverage_of_the_interval_for_a_share() -> None:
    """Clopper and Pearson's must miss at its rate: no success has rate / 2 at its upper end."""
    rate = 1e-3
    lower, upper = interval(np.zeros(500), rate)
    assert lower == 0
    assert (1 - upper) ** 500 == pytest.approx(rate / 2, rel=1e-9)


def test_coverage_of_the_interval_for_a_skewed_mean() -> None:
    """Squares of Laplace noise: of 1,500 intervals about 1 % may miss, not 2.5 %, and some must."""
    rng, rate, mean = np.random.default_rng(20260103), 1e-2, 2.0
    missed = 0
    for _ in range(1_500):
        lower, upper = interval(rng.laplace(size=4_000) ** 2, rate)
        missed += not lower <= mean <= upper
    assert 3 <= missed <= 32  # binomial at 1.2 %: outside with probability 1e-3


def test_new_records_are_drawn_for_each_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """No draw may repeat another's; of many users there are fewer draws, but never too few."""
    monkeypatch.setattr("audit.tables.samplers.MOST_COINS", 4_000)
    source, rng = SOURCES["saturation"]["error"], np.random.default_rng(1)
    for users, asked, given in ((2, 300, 300), (10, 10**6, 400), (1_000, 10**6, 200)):
        draws = source.sample({"budgets": (Fraction(9),) * users}, asked, rng)
        assert draws.shape == (given,)
        assert len(np.unique(draws)) == given
    coins = source.sample({"budgets": (Fraction(10**6),)}, 300, rng)
    assert coins == pytest.approx(0.25, rel=1e-3)  # one user, nearly no noise: 0 or 1
    quiet = source.sample({"budgets": (Fraction(10**6),) * 2}, 300, rng).round(3)
    assert set(quiet.tolist()) == {0.0, 0.25}


def test_parameters_that_a_mechanism_does_not_take_are_left_out() -> None:
    """The reason must be told, and other columns measured."""
    joined = join(build(find_table("variance"), {"epsilon": "600"}), seed=1, false_alarm=RATE)
    assert "laplace_swap" in joined.columns
    assert "staircase_swap" not in joined.columns
    assert any(one.startswith("staircase_swap: epsilon must be") for one in joined.left_out)


def test_the_interval_of_a_mean_widens_with_the_rate() -> None:
    """It must hold the sample's mean, and be wider for a smaller rate."""
    draws = np.random.default_rng(20260102).exponential(size=4_000)
    ends = [interval(draws, rate) for rate in (1e-2, 1e-6)]
    widths = [upper - lower for lower, upper in ends]
    assert ends[0][0] < draws.mean() < ends[0][1]
    assert widths[1] > 1.5 * widths[0]


@pytest.mark.parametrize("mean", ["0", "1/3", "1", "0.123"])
def test_data_have_the_mean(mean: str) -> None:
    """Exactly n records in [0, 1], of the mean to a rounding."""
    data = bits_of_mean(7, Fraction(mean))
    assert data.shape == (7,)
    assert ((data >= 0) & (data <= 1)).all()
    assert data.mean() == pytest.approx(float(Fraction(mean)), abs=1e-15)


def test_missing_libraries_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column whose library is not installed must be left out, with a word about it."""
    monkeypatch.setattr(measured_sources, "find_spec", lambda name: None)
    found, left_out = sources_of("libraries")
    assert set(found) == {"algorithm_3_laplace", "algorithm_3_hourglass"}
    assert "diffprivlib_mean: diffprivlib is not installed" in left_out

    def missing(*_: object) -> np.ndarray[Any, Any]:
        msg = "its imports fail"
        raise MissingExtra(msg)

    monkeypatch.setitem(SOURCES, "clip", {"K": TableSource("none", missing)})
    joined = join(build(find_table("clip")), seed=1, false_alarm=RATE)
    assert joined.columns == ()
    assert joined.left_out == ("K: its imports fail",)


LIBRARIES = ["diffprivlib_mean", "opendp_mean", "opendp_sum_over_count", "pydp_bounded_mean"]


@pytest.mark.slow
def test_released_libraries_are_what_the_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their means must be consistent on few records, and inconsistent with twice the number."""
    grid = {"n": "60", "epsilon": "1", "mean": "0.5"}
    few = {name: SOURCES["libraries"][name] for name in LIBRARIES}
    monkeypatch.setitem(SOURCES, "libraries", few)
    table = find_table("libraries")
    joined = join(build(table, grid), seed=1, false_alarm=1e-7, samples=3_000)
    assert set(joined.columns) == set(LIBRARIES)
    assert all(one.consistent for one in joined.measured.values()), joined.measured
    wrong = build(times(table, Fraction(2)), grid)
    joined = join(wrong, seed=1, false_alarm=1e-7, samples=3_000)
    assert not any(one.consistent for one in joined.measured.values()), joined.measured


def test_measured_columns_of_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file with intervals must be checked as the others; an inconsistent cell is exit 1."""
    words = [
        "table",
        "variance",
        "--epsilon",
        "2",
        "--empirical",
        "--seed",
        "3",
        "--samples",
        "20000",
    ]
    path = tmp_path / "variance.csv"
    assert main([*words, "--output", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "seed 3" in err
    table = find_table("variance")
    records = read_stored(table, path.read_text(encoding="utf-8"), "f")
    assert "laplace_swap empirical lower" in records[0]
    assert list(compare(table, records)) == []
    for form in ("md", "json"):
        assert main([*words, "--format", form]) == 0
        text = capsys.readouterr().out
        assert ("laplace_swap measured" in text) if form == "md" else ('"consistent": true' in text)
    wrong = times(table, Fraction(3, 2))
    monkeypatch.setattr("proofs_check.tables.registry.find_table", lambda name: wrong)
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert err.count("INCONSISTENT: variance, epsilon = 2, column 'laplace_swap'") == 1
    assert "noise laplace gave [" in err


RIVALS = {
    "error-ratio": {"N": "100", "mean": "0.5"},
    "trilemma": {"n": "200", "epsilon": "1", "beta": "0.01", "lam": "2"},
    "subset-risk": {"records": "0:1:lin:41", "epsilon": "1"},
    "personalized-error": {"budgets": "1000*500"},
}
"""Tables with mechanisms that have no exact number, at one point."""


@pytest.mark.long
@pytest.mark.parametrize("name", RIVALS)
def test_rivals_are_measured_beside_the_bounds(name: str, tmp_path: Path) -> None:
    """Each must have an interval, in all forms, and a file with them must be read and hold."""
    table = find_table(name)
    built = build(table, RIVALS[name])
    joined = join(built, seed=3, false_alarm=RATE, samples=300)
    rivals = {rival.name for rival in table.rivals}
    assert rivals
    assert rivals <= set(joined.columns)
    assert rivals <= set(SOURCES[name])
    records = read_stored(table, table_report("csv", built, joined), "f")
    assert [m.column for m in compare(table, records)] == []
    page, document = (table_report(form, built, joined) for form in ("md", "json"))
    for rival in rivals:
        ends = [float(records[0][f"{rival} empirical {end}"]) for end in ("lower", "upper")]
        assert 0 <= ends[0] < ends[1]
        assert f"{rival} measured" in page
        assert f"`{rival}`, measured with --empirical: " in page
        cell = json.loads(document)["rows"][0]["cells"][rival]
        assert cell["value"] is None
        assert float(cell["measured"]["lower"]) == ends[0]
    alone = table_report("json", built)
    assert not rivals & set(json.loads(alone)["rows"][0]["cells"])


@pytest.mark.long
def test_errors_that_are_measured_are_those_of_their_mechanisms() -> None:
    """With huge budgets the error must be that of the records, or of the clip, and nothing more."""
    rng = np.random.default_rng(4)
    at = {"budgets": (Fraction(10**6),) * 400}
    errors = SOURCES["personalized-error"]["pdp.adpm"].sample(at, 2000, rng)
    assert errors.mean() == pytest.approx(math.sqrt(2 / math.pi / 400), rel=0.1)
    records = {"records": (Fraction(0), Fraction(1)), "epsilon": Fraction(1)}
    errors = SOURCES["subset-risk"]["sub.bounded-mean"].sample(records, 2000, rng)
    assert 100 < errors.mean() < 1000
    row = {"n": 400, "epsilon": Fraction(500), "beta": Fraction(1, 100), "lam": Fraction(4)}
    squares = SOURCES["trilemma"]["ksw.swap-laplace"].sample(row, 2000, rng)
    assert squares.mean() == pytest.approx(1 / math.sqrt(3) / 400, rel=0.1)


def test_a_table_without_sources_has_nothing_to_measure() -> None:
    """It must come back as it was."""
    built: Built = build(find_table("coarse-failure"))
    joined = join(built, seed=1, false_alarm=RATE)
    assert joined.columns == ()
    assert joined.left_out == ()
