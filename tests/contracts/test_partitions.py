"""What every partition owes: a cell for each draw, and a description that means its cells."""

from __future__ import annotations

import dataclasses
import math
import pickle
import struct
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.draws.encode import Encoder, Outcomes
from audit.draws.output_words import (
    form,
    lattice_class,
    lowest_bit,
    number,
    outcome,
    representation,
    residue,
)
from audit.engine.partitions import FOR_RATIOS, PARTITIONS, Partition, fit_all, fit_for_ratios
from audit.engine.partitions.coordinate_pairs import CoordinatePair
from audit.engine.partitions.residues import MODULI, Residues
from audit.engine.partitions.row_table import RowTable
from audit.engine.partitions.signs import ZerosAndNans

scalars = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.floats(-4, 4).map(lambda x: round(x, 1)),
    st.integers(-3, 3),
    st.booleans(),
    st.none(),
    st.sampled_from(["yes", "no", ""]),
    st.just(ValueError("x")),
    st.just(10**400),
    st.integers(-(2**70), 2**70),
    st.sampled_from([0x7FF8000000000000, 0x7FF8000000000002, -1, -(2**63)]).map(
        lambda bits: struct.unpack("<d", struct.pack("<q", bits))[0]
    ),
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


def doubled(rng: np.random.Generator, size: int, shift: float) -> Any:
    """Integers whose parity is the shift, some of them missing."""
    values = (2 * rng.integers(-(10**6), 10**6, size) + int(shift)).tolist()
    return [None if i % 9 == 0 else value for i, value in enumerate(values)]


def large(rng: np.random.Generator, size: int, shift: float) -> Any:
    """Integers on both sides of 2^53, of either sign, that are multiples of 3 or not."""
    values = 3 * rng.integers(-(2**53), 2**53, size).astype(object) + int(shift)
    return (values * rng.choice([1, 3**20], size)).tolist()


def special(rng: np.random.Generator, size: int, shift: float) -> Any:
    """Both zeros, NaNs of several payloads, and other numbers."""
    bits = np.array([0, -(2**63), 0x7FF8 << 48, (0x7FF8 << 48) + 1, 0x3FF << 52])
    return rng.choice(bits, size, p=[0.3 - shift / 5, 0.1 + shift / 5, 0.2, 0.2, 0.2]).view(float)


LAWS = {
    law.__name__: law for law in (single_values, vectors, coins, answers, doubled, large, special)
}
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
    return encoder, every(encoder, encoder.encode(past), encoder.encode(other))


def every(encoder: Encoder, arm: Outcomes, other: Outcomes) -> list[Partition]:
    """All partitions, and those that only the ratio expert reads."""
    of_all = fit_all(encoder, arm, other, ideal=False, thorough=True)
    return [*of_all, *fit_for_ratios(encoder, arm, other)]


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
        "representation": representation,
        "residue": residue,
    }
    for partition in every(encoder, *arms):
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


@pytest.mark.parametrize("name", [*PARTITIONS, *FOR_RATIOS])
def test_registered_partition_applies_somewhere(name: str, dp_rng: np.random.Generator) -> None:
    """Each registered way to fit yields a partition for single values or for vectors."""
    made = []
    for law in LAWS.values():
        encoder = Encoder()
        past, other = law(dp_rng, 100, 0.0), law(dp_rng, 100, 1.0)
        encoder.fix_layout([past])
        shift(encoder)
        fit = (PARTITIONS | FOR_RATIOS)[name]
        made += fit(encoder, encoder.encode(past), encoder.encode(other))
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
    """Lattices and remainders stop reading, at a number of draws that no draw has a say in."""
    for _, partitions in (fitted(law, dp_rng, size) for size in (100, 400)):
        for partition in partitions:
            lattice = partition.feature == "floating-point lattice"
            stops = lattice or isinstance(partition, Residues)
            assert partition.reads == (1_000_000 if stops else None)


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


def residues_of(encoder: Encoder, modulus: int) -> Residues:
    """The remainders of single values."""
    return Residues(0, *encoder.columns[0], modulus)


@pytest.mark.parametrize("modulus", MODULI)
def test_every_remainder_means_what_its_words_say(
    modulus: int, dp_rng: np.random.Generator
) -> None:
    """Cells, expression and Python's own remainder agree, for integers of any size and sign."""
    values = [s * int(x) for x in dp_rng.integers(0, 2**62, 300) for s in (1, -1, 7**30)]
    values += [*range(-20, 20), 2**53, 2**53 + 1, -(2**53) - 1, float(2**53), -3.0, 0.5, 1e300]
    values += [None, True, math.nan, math.inf, "5", np.int64(2**60 + 1), np.uint64(2**64 - 1)]
    encoder = Encoder()
    residues = residues_of(encoder, modulus)
    codes = residues.codes(encoder.encode(values))
    width = max(1, modulus // 128)
    for z, code in zip(values, codes.tolist(), strict=True):
        integer = not isinstance(z, bool | str | None | float) or (
            isinstance(z, float) and z in (float(2**53), -3.0)
        )
        assert code == (int(z) % modulus // width if integer else residues.size - 1)
        assert residue(z, modulus) == int(z) % modulus if integer else True
        assert math.isnan(residue(z, modulus)) or integer
    for code in {0, 1, residues.size - 2, residues.size - 1}:
        _, expression = residues.describe(np.arange(residues.size) == code)
        event = eval(f"lambda z: {expression}", {"residue": residue})
        assert [event(z) for z in values] == (codes == code).tolist()


def test_remainders_in_words() -> None:
    """One, a few, many, intervals of them, and what is no integer."""

    def words(modulus: int, *cells: int) -> str:
        residues = residues_of(Encoder(), modulus)
        return residues.describe(np.isin(np.arange(residues.size), cells))[0]

    assert words(5, 4) == "output mod 5 is 4"
    assert words(7, 0, 1, 2) == "output mod 7 is 0, 1 or 2"
    assert words(2, 1, 2) == "output mod 2 is 1 or output is no integer"
    assert words(1024, 3, 4, 9) == "output mod 1024 is 24 to 39 or 72 to 79"
    assert words(100, *range(0, 100, 2)) == "output mod 100 is one of 50, such as 0"


@pytest.mark.parametrize("offset", [0, 2**60, -(2**60) - 1], ids=["small", "large", "negative"])
def test_the_remainder_that_tells_is_chosen(offset: int, dp_rng: np.random.Generator) -> None:
    """Of two arms that differ modulo 7 alone, in seven runs of seven; with `ideal` too."""
    for _ in range(7):
        arms = [7 * dp_rng.integers(0, 40_000, 400).astype(object) + k + offset for k in (0, 3)]
        encoder = Encoder()
        outcomes = [encoder.encode(arm.tolist()) for arm in arms]
        found = [p for p in fit_all(encoder, *outcomes, ideal=True) if isinstance(p, Residues)]
        assert found[0].modulus == 7
        assert len(found) <= 2


def test_no_remainders_of_fractions_of_few_values_and_of_huge_doubles(
    dp_rng: np.random.Generator,
) -> None:
    """There are none to count; every double beyond 2^53 is an integer, whatever it stands for."""
    for values in (
        dp_rng.normal(size=400),
        np.append(np.arange(399.0), 0.5),
        dp_rng.integers(0, 7, 400),
        dp_rng.normal(size=400) * 1e20,
    ):
        encoder = Encoder()
        first, second = encoder.encode(values), encoder.encode(np.sort(values))
        assert Residues.fit_columns(encoder, first, second) == []


def test_zeros_and_nans_have_names(dp_rng: np.random.Generator) -> None:
    """A witness says -0, or the payload; without -0 and other NaNs there is nothing to count."""
    encoder = Encoder()
    outcomes = encoder.encode(special(dp_rng, 400, 0.0))
    (found,) = ZerosAndNans.fit_columns(encoder, outcomes, outcomes)
    cells = np.eye(found.size, dtype=bool)
    assert [found.describe(cell)[0] for cell in cells] == [
        "output is neither 0 nor NaN",
        "output is 0",
        "output is -0",
        "output is NaN with payload 0x0",
        "output is NaN with payload 0x1",
        "output is another NaN",
    ]
    plain = encoder.encode(np.array([0.0, 1.0, math.nan] * 100))
    assert ZerosAndNans.fit_columns(encoder, plain, plain) == []


def test_at_most_sixteen_nans_have_cells(dp_rng: np.random.Generator) -> None:
    """Others have one together."""
    values = (np.arange(400) % 40 + (0x7FF8 << 48)).astype(np.int64).view(float)
    encoder = Encoder()
    outcomes = encoder.encode(values)
    (found,) = ZerosAndNans.fit_columns(encoder, outcomes, outcomes)
    assert len(found.nans) == 16
    assert (found.codes(outcomes) == found.size - 1).sum() == 240


def exclusive_or(rng: np.random.Generator, size: int, bit: int) -> Any:
    """Three uniform coordinates, the first and the third on one side together if the bit is 0."""
    u = rng.random((size, 3))
    together = (u[:, 0] < 0.5) == (u[:, 2] < 0.5)
    u[:, 0] = np.where(together == bool(bit), (u[:, 0] + 0.5) % 1, u[:, 0])
    return u


def test_the_pair_that_tells_is_chosen(dp_rng: np.random.Generator) -> None:
    """Of three coordinates of which two tell together, in seven runs of seven, and its words."""
    for _ in range(7):
        encoder = Encoder()
        arms = [exclusive_or(dp_rng, 400, bit) for bit in (0, 1)]
        encoder.fix_layout(arms)
        outcomes = [encoder.encode(arm) for arm in arms]
        found = CoordinatePair.fit_columns(encoder, *outcomes)
        assert [table.column for table in found[0].tables] == [0, 2]
        assert found[0].supervised
        cells = np.arange(found[0].size) < found[0].ordered // 4
        words = found[0].describe(cells)[0]
        assert words.startswith("output[0] <= ")
        assert " and output[2] <= " in words


def test_halves_of_the_curve_are_halves_of_a_coordinate(dp_rng: np.random.Generator) -> None:
    """The first half of the cells is that of the first coordinate, its quarters the second's."""
    encoder = Encoder()
    arms = [dp_rng.random((2_000, 2)) for _ in range(2)]
    encoder.fix_layout(arms)
    outcomes = [encoder.encode(arm) for arm in arms]
    (pair,) = CoordinatePair.fit_columns(encoder, *outcomes)
    assert not pair.supervised  # there is no other
    quarter = pair.codes(outcomes[0]) * 4 // pair.ordered
    high = (arms[0] > 0.5).astype(int)
    expected = 2 * high[:, 0] + high[:, 1]
    assert (quarter == expected).mean() > 0.95
    assert (quarter == 2 * high[:, 1] + high[:, 0]).mean() < 0.6


def test_many_rectangles_are_said_by_one_of_them(dp_rng: np.random.Generator) -> None:
    """Words name at most eight pieces; the expression all of them."""
    encoder = Encoder()
    arms = [dp_rng.random((2_000, 2)) for _ in range(2)]
    encoder.fix_layout(arms)
    (pair,) = CoordinatePair.fit_columns(encoder, *(encoder.encode(arm) for arm in arms))
    words, expression = pair.describe(np.arange(pair.size) % 7 == 0)
    assert words.startswith("(output[0] and output[1]) in one of ")
    assert expression.count(" or ") > 8
