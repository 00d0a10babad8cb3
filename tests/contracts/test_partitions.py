"""What every partition owes: a cell for each draw, and a description that means its cells."""

from __future__ import annotations

import dataclasses
import math
import pickle
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.engine.encode import Encoder, Outcomes
from audit.engine.events import form, lattice_class, lowest_bit, number, outcome
from audit.engine.partitions import PARTITIONS, Partition, fit_all
from audit.engine.partitions.rows import RowTable

scalars = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.floats(-4, 4).map(lambda x: round(x, 1)),
    st.integers(-3, 3),
    st.booleans(),
    st.none(),
    st.sampled_from(["yes", "no", ""]),
    st.just(ValueError("x")),
    st.just(10**400),
)
symbols = st.lists(
    st.lists(scalars, min_size=2, max_size=3).map(tuple), min_size=1, max_size=4
).flatmap(lambda rows: st.lists(st.sampled_from(rows), min_size=80, max_size=100))
outputs = st.one_of(
    symbols,
    st.lists(scalars, min_size=8, max_size=40),
    st.lists(st.lists(scalars, max_size=3), min_size=8, max_size=40),
    st.lists(st.one_of(scalars, st.tuples(scalars, scalars)), min_size=8, max_size=40),
)


def vectors(rng: np.random.Generator, size: int, shift: float) -> Any:
    """Two normal coordinates."""
    return rng.normal(size=(size, 2)) + shift


def single_values(rng: np.random.Generator, size: int, shift: float) -> Any:
    """Normal numbers."""
    return rng.normal(size=size) + shift


def coins(rng: np.random.Generator, size: int, shift: float) -> Any:
    """Three coordinates that are 0 or 1."""
    return (rng.random((size, 3)) < 0.5 + shift / 8).astype(np.int8)


def answers(rng: np.random.Generator, size: int, shift: float) -> Any:
    """Symbols, numbers that may be missing, and failures."""
    kinds = [(True, 1.5), (False, None), (True, math.nan), (False, 2.0, "late"), ValueError("x")]
    weights = np.array([3 + shift, 2, 2, 1, 1])
    chosen = rng.choice(len(kinds), size=size, p=weights / weights.sum())
    return [kinds[i] for i in chosen]


LAWS = {law.__name__: law for law in (single_values, vectors, coins, answers)}
each_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
Law = Callable[[np.random.Generator, int, float], Any]


def shift(encoder: Encoder) -> None:
    """Let the data sets be as many numbers as an output has coordinates, and all differ."""
    if encoder.width is not None:
        encoder.shift = np.linspace(-1, 0.5, encoder.width)


def fitted(law: Law, rng: np.random.Generator, size: int = 400) -> tuple[Encoder, list[Partition]]:
    """Every partition, fitted to draws of a law and of the same a little shifted."""
    encoder = Encoder()
    past, other = law(rng, size, 0.0), law(rng, size, 1.0)
    encoder.fix_layout([past, other])
    shift(encoder)
    return encoder, fit_all(
        encoder, encoder.encode(past), encoder.encode(other), ideal=False, thorough=True
    )


def check_description(past: Any, other_past: Any, fresh: Any, seed: int) -> None:
    """Evaluate each description on the raw outputs and compare it with the cells."""
    encoder = Encoder()
    encoder.fix_layout([past, other_past])
    shift(encoder)
    arms = encoder.encode(past), encoder.encode(other_past)
    rng = np.random.default_rng(seed)
    names = {
        "form": form,
        "lattice_class": lattice_class,
        "lowest_bit": lowest_bit,
        "number": number,
        "outcome": outcome,
    }
    for partition in fit_all(encoder, *arms, ideal=False, thorough=True):
        codes = partition.codes(encoder.encode(fresh))
        assert codes.shape == (len(fresh),)
        assert ((codes >= 0) & (codes < partition.size)).all()
        chosen = rng.random(partition.size) < 0.5
        chosen[codes[: len(codes) // 2]] = True
        sentence, expression = partition.describe(chosen)
        assert sentence
        event = eval(f"lambda z: {expression}", names)
        assert [bool(event(z)) for z in fresh] == chosen[codes].tolist(), expression


@given(outputs, st.data())
@settings(max_examples=60)
def test_description_holds_for_exactly_the_cells(past: list[Any], data: st.DataObject) -> None:
    """A description, run on raw outputs of any type, is true exactly where the cells are."""
    other_past = data.draw(st.permutations(past))
    fresh = past + data.draw(st.lists(st.sampled_from(past), max_size=5))
    check_description(past, other_past, fresh, seed=0)


def test_description_holds_for_the_smallest_doubles() -> None:
    """The same where the values of a column are subnormal, and their reciprocals infinite."""
    past = [(0.0, None), (5e-324, 1.0), (1.0, 5e-324), (0.0, 0.0), (0.0, None), (5e-324, 0.0)] * 4
    check_description(past, past[::-1], past, seed=3)


def test_form_is_never_a_number() -> None:
    """Where single numbers and vectors come, a number is one form among others."""
    past = [0.0, 0.0, None, 0.0, ValueError("x"), -1.0, None, -1.0, (0.0, None)] * 2
    for seed in range(10):
        check_description(past, past[::-1], past, seed=seed)


@pytest.mark.parametrize("shape", [(300,), (300, 2)], ids=["single values", "vectors"])
def test_description_holds_for_float_arrays(
    shape: tuple[int, ...], dp_rng: np.random.Generator
) -> None:
    """The same for fresh float draws that the fit has not seen, with zeros and infinities."""
    past, other = dp_rng.laplace(size=shape), dp_rng.laplace(size=shape) + 0.5
    fresh = dp_rng.laplace(size=shape)
    fresh.ravel()[:5] = [0.0, -0.0, math.inf, math.nan, 1e-300]
    check_description(past, other, fresh, seed=1)


@pytest.mark.parametrize("name", PARTITIONS)
def test_registered_partition_applies_somewhere(name: str, dp_rng: np.random.Generator) -> None:
    """Each registered way to fit yields a partition for single values or for vectors."""
    made = []
    for law in LAWS.values():
        encoder = Encoder()
        past = law(dp_rng, 100, 0.0)
        encoder.fix_layout([past])
        shift(encoder)
        made += PARTITIONS[name](encoder, encoder.encode(past), encoder.encode(past))
    assert made
    assert all(0 <= partition.ordered <= partition.size for partition in made)


@each_law
def test_description_holds_for_fresh_draws_of_a_law(law: Law, dp_rng: np.random.Generator) -> None:
    """The same where each kind of partition has been fitted to enough draws."""
    past, other, fresh = law(dp_rng, 400, 0.0), law(dp_rng, 400, 1.0), law(dp_rng, 200, 0.5)
    check_description(past, other, fresh, seed=2)


@each_law
def test_a_partition_never_changes(law: Law, dp_rng: np.random.Generator) -> None:
    """Coding and describing leave a partition as it was fitted, and its fields are frozen."""
    encoder, partitions = fitted(law, dp_rng)
    fresh = encoder.encode(law(dp_rng, 300, 0.5))
    for partition in partitions:
        before = pickle.dumps(partition)
        partition.codes(fresh)
        partition.describe(np.arange(partition.size) % 2 == 0)
        assert pickle.dumps(partition) == before
        with pytest.raises((AttributeError, TypeError)):
            partition.size = 3  # type: ignore[misc]


@each_law
def test_a_pickled_partition_codes_alike(law: Law, dp_rng: np.random.Generator) -> None:
    """A partition may be sent to another process: there it finds the same cells."""
    encoder, partitions = fitted(law, dp_rng)
    fresh = encoder.encode(law(dp_rng, 300, 0.5))
    for partition in partitions:
        sent = pickle.loads(pickle.dumps(partition))
        assert (sent.size, sent.ordered, sent.feature) == (
            partition.size,
            partition.ordered,
            partition.feature,
        )
        assert np.array_equal(sent.codes(fresh), partition.codes(fresh))


@each_law
def test_each_draw_is_coded_by_itself(law: Law, dp_rng: np.random.Generator) -> None:
    """The cell of a draw depends on no other draw: slices have the cells of the whole."""
    encoder, partitions = fitted(law, dp_rng)
    fresh = encoder.encode(law(dp_rng, 300, 0.5))
    for partition in partitions:
        whole = partition.codes(fresh)
        parts = [partition.codes(fresh[slice(*ends)]) for ends in ((0, 1), (1, 77), (77, 300))]
        assert np.array_equal(np.concatenate(parts), whole)


@each_law
def test_outputs_of_a_new_kind_have_a_cell(law: Law, dp_rng: np.random.Generator) -> None:
    """What the fit has not seen falls into a cell as well: no draw is ever dropped."""
    encoder, partitions = fitted(law, dp_rng)
    new = encoder.encode([KeyError("new"), "new", None, (7.0, "new"), (1.0, 2.0, 3.0, 4.0), 1e300])
    for partition in partitions:
        codes = partition.codes(new)
        assert codes.shape == (6,)
        assert ((codes >= 0) & (codes < partition.size)).all()


@each_law
def test_limit_of_reading_is_a_constant(law: Law, dp_rng: np.random.Generator) -> None:
    """Only the lattices stop reading, at a number of draws that no draw has a say in."""
    for _, partitions in (fitted(law, dp_rng, size) for size in (100, 400)):
        for partition in partitions:
            lattice = partition.feature == "floating-point lattice"
            assert partition.reads == (1_000_000 if lattice else None)


def test_an_unseen_row_is_among_the_others(dp_rng: np.random.Generator) -> None:
    """A row is never taken for another one, and its cell is the last one if it is new."""
    encoder = Encoder()
    past = coins(dp_rng, 400, 0.0) * dp_rng.integers(1, 3, size=(400, 1))
    encoder.fix_layout([past])
    (rows,) = RowTable.fit_columns(encoder, encoder.encode(past), encoder.encode(past))
    known = {tuple(row) for row in past.tolist()}
    fresh = np.array(list(product((0, 1, 2, 3), repeat=3)))
    codes = rows.codes(encoder.encode(fresh))
    cells = dict(zip(map(tuple, fresh.tolist()), codes.tolist(), strict=True))
    assert {row for row, cell in cells.items() if cell == rows.size - 1} == set(cells) - known
    assert len({cells[row] for row in known}) == len(known) == rows.size - 1


def test_equal_hashes_are_no_equal_rows(dp_rng: np.random.Generator) -> None:
    """Rows that happen to have the hash of another are told apart from it by their values."""
    encoder = Encoder()
    past = coins(dp_rng, 400, 0.0)
    encoder.fix_layout([past])
    (rows,) = RowTable.fit_columns(encoder, encoder.encode(past), encoder.encode(past))
    strangers = Outcomes(rows.rows.numbers + 0.5, rows.rows.categories)
    confused = dataclasses.replace(rows, rows=strangers)
    assert set(confused.codes(encoder.encode(past))) == {rows.size - 1}


def test_ideal_leaves_the_lattices_out(dp_rng: np.random.Generator) -> None:
    """With `ideal` no partition looks at the floating-point representation."""
    past = dp_rng.normal(size=100)
    encoder = Encoder()
    arms = encoder.encode(past), encoder.encode(past)
    features = {p.feature for p in fit_all(encoder, *arms, ideal=True)}
    assert features == {"value"}
    assert "floating-point lattice" in {p.feature for p in fit_all(encoder, *arms, ideal=False)}
