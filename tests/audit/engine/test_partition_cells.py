"""Edges, atoms and shrunken ratios: what the cells of a table are made of."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit.draws.encode import Encoder
from audit.draws.output_words import (
    LOWEST_EXPONENT,
    MOST_BINADE,
    lattice_class,
    lowest_bit,
    number,
    outcome,
)
from audit.engine.partitions import fit_all
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.edges import FEW_ATOMS, LARGEST_ATOM_COUNT, edges_and_atoms
from audit.engine.partitions.float_lattice import BINADES, ZEROS, LowestBit, MantissaClass
from audit.engine.partitions.locate import Locator
from audit.engine.partitions.naive_bayes import fit_naive_bayes
from audit.engine.partitions.shrinkage import log_ratios
from audit.engine.partitions.table_score import TableScore


def atoms_of(values: np.ndarray) -> set[float]:
    """Values with a cell of their own."""
    breaks, is_atom = edges_and_atoms(np.sort(values), ())
    return set(breaks[is_atom].tolist())


def test_a_double_seen_twice_is_an_atom(dp_rng: np.random.Generator) -> None:
    """In a continuous law two equal values have a cell of their own, and no others do."""
    values = dp_rng.laplace(size=10_000)
    assert atoms_of(values) == set()
    assert atoms_of(np.append(values, [0.25, 0.25, 1e9, 1e9])) == {0.25, 1e9}


def test_chance_repeats_of_coarse_values_are_no_atoms(dp_rng: np.random.Generator) -> None:
    """Where many values come twice by chance, an atom must come three times."""
    values = dp_rng.integers(0, 10**6, size=20_000).astype(float)
    distinct, counts = np.unique(values, return_counts=True)
    assert (counts == 2).sum() > FEW_ATOMS
    assert atoms_of(np.append(values, [0.5] * 3)) == {0.5, *distinct[counts > 2].tolist()}


def test_the_most_frequent_of_many_discrete_values_are_atoms(
    dp_rng: np.random.Generator,
) -> None:
    """Of a discrete law with more values than cells, the most frequent ones are kept."""
    values = np.round(dp_rng.laplace(scale=200, size=30_000))
    atoms = atoms_of(values)
    assert len(atoms) == LARGEST_ATOM_COUNT
    assert set(range(-30, 31)) <= atoms


def test_the_largest_doubles_have_cells() -> None:
    """Values at the ends of the range of doubles overflow nowhere in a fit."""
    largest = np.finfo(np.float64).max
    outputs = np.array([[largest, -largest], [-largest, 1.0], [5e-324, largest]] * 40)
    encoder = Encoder()
    encoder.fix_layout([outputs])
    outcomes = encoder.encode(outputs)
    fitted = fit_all(encoder, outcomes, outcomes[slice(0, 90)], ideal=False)
    assert {partition.feature for partition in fitted} == {
        "value",
        "score",
        "floating-point lattice",
    }
    for partition in fitted:
        codes = partition.codes(outcomes)
        assert ((codes >= 0) & (codes < partition.size)).all()


@pytest.mark.parametrize("sign", [1, -1], ids=["above", "below"])
def test_what_lies_beyond_one_arm_is_a_union_of_cells(
    sign: int, dp_rng: np.random.Generator
) -> None:
    """A far tail that one arm has alone shares no cell with the other arm's draws."""
    arm, other = dp_rng.laplace(size=5000), dp_rng.laplace(size=5000)
    arm[:5] = 30 + dp_rng.random(5)
    encoder = Encoder()
    encoder.fix_layout([arm, other])
    arms = encoder.encode(sign * arm), encoder.encode(sign * other)
    (table,) = ColumnTable.fit_columns(encoder, *arms)
    assert not set(table.codes(arms[0])[:5]) & set(table.codes(arms[1]))
    # draws of the arm that are no further out than the other arm's may share cells with them
    assert set(table.codes(arms[0])[5:]) & set(table.codes(arms[1]))


def test_ratios_of_equal_laws_are_shrunk_to_nothing(dp_rng: np.random.Generator) -> None:
    """Noise in hundred tables leaves hardly a trace; raw log ratios would have it all."""
    counts = [dp_rng.multinomial(500, np.full(40, 1 / 40), size=2) * 1.0 for _ in range(100)]
    shrunk = np.concatenate(log_ratios(counts))
    raw = np.concatenate([np.log((c[0] + 1) / (c[1] + 1)) for c in counts])
    assert (shrunk**2).mean() < 0.02 * (raw**2).mean()


def test_ratios_of_clear_differences_are_kept(dp_rng: np.random.Generator) -> None:
    """From many draws the ratios are those of the laws, in one table of many as in a single one."""
    cells = np.arange(40)
    law = np.exp(-cells / 10.0)
    laws = np.stack([law, law[::-1]]) / law.sum()
    telling = np.stack([dp_rng.multinomial(100_000, p) for p in laws]) * 1.0
    noise = [dp_rng.multinomial(100_000, np.full(40, 1 / 40), size=2) * 1.0 for _ in range(20)]
    for counts in ([telling], [*noise, telling]):
        ratios = log_ratios(counts)[-1]
        assert np.abs(ratios - np.log(laws[0] / laws[1])).max() < 0.3


def test_empty_tables_have_ratios_of_zero() -> None:
    """Cells that no draw has met tell nothing, also where a table has one cell only."""
    one, none = log_ratios([np.array([[7.0], [7.0]]), np.zeros((2, 5))])
    assert one.tolist() == [0.0]
    assert none.tolist() == [0.0] * 5


def test_increments_are_a_score_of_their_own_where_they_tell_more(
    dp_rng: np.random.Generator,
) -> None:
    """Partial sums have two naive Bayes scores; independent coordinates have one."""
    noise = dp_rng.laplace(size=(2, 2000, 5))
    noise[1, :, 2] += 1
    for outputs, scores in ((noise.cumsum(axis=2), 2), (noise, 1)):
        encoder = Encoder()
        encoder.fix_layout(list(outputs))
        fitted = fit_naive_bayes(encoder, *map(encoder.encode, outputs))
        kinds = [isinstance(nb.score, TableScore) and nb.score.increments for nb in fitted]
        assert kinds == [False, True][:scores]


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=40),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=60),
    st.lists(st.floats(allow_infinity=False), max_size=60),
)
def test_locator_agrees_with_searchsorted(
    edges: list[float], seen: list[float], fresh: list[float]
) -> None:
    """Buckets change no answer: for any doubles, the edges themselves, and NaN."""
    cuts = np.unique(edges)
    locator = Locator.fit(cuts, np.sort(np.array(seen, dtype=float)))
    values = np.array([*fresh, *edges, *np.nextafter(cuts, 0), *seen])
    assert np.array_equal(locator(values), np.searchsorted(cuts, values))


def test_locator_has_buckets_for_a_bulk_and_agrees(dp_rng: np.random.Generator) -> None:
    """For laws with a bulk the buckets are in use, and no answer changes."""
    draws = dp_rng.laplace(size=20_000)
    edges = np.quantile(draws, np.linspace(0.01, 0.99, 40))
    locator = Locator.fit(edges, np.sort(draws))
    assert locator.below.size > 0
    fresh = np.concatenate([dp_rng.laplace(size=50_000), edges, np.nextafter(edges, -np.inf)])
    assert np.array_equal(locator(fresh), np.searchsorted(edges, fresh))


@given(st.lists(st.one_of(st.floats(), st.floats(-1e-300, 1e-300)), min_size=1, max_size=50))
@example([0.0, -0.0, 5e-324, 2.0**-1022, -(2.0**-1023), 1.0, 2.0**52 + 1, 1.7e308, math.nan])
def test_lattice_cells_agree_with_single_outputs(values: list[float]) -> None:
    """Bits read off many doubles at once are those of `events`, which looks at one at a time."""
    encoder = Encoder()
    outcomes = encoder.encode(np.array([*values, 0.5]))
    (lowest,) = LowestBit.fit_columns(encoder, outcomes, outcomes)
    (classes,) = MantissaClass.fit_columns(encoder, outcomes, outcomes)
    for value, cell, class_cell in zip(
        values, lowest.codes(outcomes), classes.codes(outcomes), strict=False
    ):
        bit, triple = lowest_bit(value), lattice_class(value)
        if triple is None:
            assert (cell, class_cell) == (lowest.size - 1, classes.size - 1)
        else:
            sign, binade, zeros = triple
            assert cell == bit - LOWEST_EXPONENT
            assert class_cell == ((sign > 0) * BINADES + binade + MOST_BINADE) * ZEROS + zeros


def test_a_lattice_without_exponents_is_said_without_them() -> None:
    """It must hold that a sentence lists no empty set."""
    cells = np.zeros(LowestBit.size, dtype=bool)
    cells[-1] = True
    sentence, expression = LowestBit(0, "output", None).describe(cells)
    assert sentence == "output is 0 or no number"
    assert expression == "lowest_bit(z) != lowest_bit(z)"


def test_score_of_one_increment_is_said_by_its_values(dp_rng: np.random.Generator) -> None:
    """Where one increment tells everything, a reader sees the increment and no score."""
    noise = dp_rng.laplace(size=(2, 4000, 4))
    noise[1, :, 2] += 1
    encoder = Encoder()
    outputs = noise.cumsum(axis=2)
    encoder.fix_layout(list(outputs))
    increments = fit_naive_bayes(encoder, *map(encoder.encode, outputs))[1]
    assert isinstance(increments.score, TableScore)
    assert len(increments.score.tables) == 1
    cells = np.arange(increments.size) > increments.size // 2
    sentence, expression = increments.describe(cells)
    assert sentence.startswith("(output[2] - output[1]) / 2 <")
    event = eval(f"lambda z: {expression}", {"number": number, "outcome": outcome})
    inside = cells[increments.codes(encoder.encode(outputs[0][:200]))]
    assert [event(z) for z in outputs[0][:200]] == inside.tolist()
