"""What every partition owes: a cell for each draw, and a description that means its cells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.engine.encode import Encoder
from audit.engine.events import form, lattice_class, lowest_bit, number, outcome
from audit.engine.partitions import PARTITIONS, fit_all

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
outputs = st.one_of(
    st.lists(scalars, min_size=8, max_size=40),
    st.lists(st.lists(scalars, max_size=3), min_size=8, max_size=40),
    st.lists(st.one_of(scalars, st.tuples(scalars, scalars)), min_size=8, max_size=40),
)


def check_description(past: Any, other_past: Any, fresh: Any, seed: int) -> None:
    """Evaluate each description on the raw outputs and compare it with the cells."""
    encoder = Encoder()
    encoder.fix_layout([past, other_past])
    arms = encoder.encode(past), encoder.encode(other_past)
    rng = np.random.default_rng(seed)
    names = {
        "form": form,
        "lattice_class": lattice_class,
        "lowest_bit": lowest_bit,
        "number": number,
        "outcome": outcome,
    }
    for partition in fit_all(encoder, *arms, ideal=False):
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
    for shape in ((100,), (100, 2)):
        past = dp_rng.normal(size=shape)
        encoder = Encoder()
        encoder.fix_layout([past])
        made += PARTITIONS[name](encoder, encoder.encode(past), encoder.encode(past))
    assert made
    assert all(0 <= partition.ordered <= partition.size for partition in made)


def test_ideal_leaves_the_lattices_out(dp_rng: np.random.Generator) -> None:
    """With `ideal` no partition looks at the floating-point representation."""
    past = dp_rng.normal(size=100)
    encoder = Encoder()
    arms = encoder.encode(past), encoder.encode(past)
    features = {p.feature for p in fit_all(encoder, *arms, ideal=True)}
    assert features == {"value"}
    assert "floating-point lattice" in {p.feature for p in fit_all(encoder, *arms, ideal=False)}
