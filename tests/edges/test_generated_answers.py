"""Generated answers: the encoding against a plain twin, and against the functions of a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from audit.draws.encode import Encoder
from audit.draws.output_words import form, number, outcome
from audit.draws.portable import portable_draw
from tests.edges.test_answers import encoding
from tests.slow import one_in


def series_of(rng: np.random.Generator) -> Any:
    """A Series, with all kinds of labels and names."""
    size = int(rng.integers(3))
    labels = [None, list("abcdef"), list(range(6)), [0.5] * 6, pd.Timestamp(0)][rng.integers(5)]
    index = (
        None if labels is None else ([labels] * 6 if isinstance(labels, pd.Timestamp) else labels)
    )
    values = rng.integers(2, size=size).astype(["float", "int64", "m8[s]", "bool"][rng.integers(4)])
    made = pd.Series(values, index=None if index is None else index[:size])
    return made.rename([None, "x", 1][rng.integers(3)]).rename_axis([None, "u"][rng.integers(2)])


def frame_of(rng: np.random.Generator) -> Any:
    """A frame, or a part of one."""
    made = pd.DataFrame({"a": rng.integers(2, size=3), 1: rng.integers(2, size=3) / 2})
    made = made.iloc[rng.integers(2) : rng.integers(2, 4)]
    return made.rename_axis(columns=[None, "v"][rng.integers(2)]).rename(columns={1: "1"})


def mapping_of(rng: np.random.Generator) -> Any:
    """Keys in any order."""
    keys = rng.permutation(np.array(["a", "b", 1, "1"], object))[: rng.integers(4)]
    return {key: [float(rng.integers(2)), None, "x"][rng.integers(3)] for key in keys}


def sparse_of(rng: np.random.Generator) -> Any:
    """A sparse matrix of any format."""
    kind = [sp.csr_matrix, sp.coo_matrix, sp.csc_array][rng.integers(3)]
    return kind(rng.integers(-1, 2, size=(2, rng.integers(1, 3))).astype(float))


def duration_of(rng: np.random.Generator) -> Any:
    """A duration in any unit."""
    unit: Any = ["ms", "s", "ns", "M", "Y", "us"][rng.integers(6)]
    return np.timedelta64(int(rng.integers(3)) * 1000 ** int(rng.integers(2)), unit)


def categorical_of(rng: np.random.Generator) -> Any:
    """Categories, in order or not."""
    made = pd.Categorical(
        list("ab")[: rng.integers(1, 3)],
        list("abc")[: rng.integers(2, 4)],
        ordered=rng.random() < 0.5,
    )
    return pd.Series(made) if rng.random() < 0.5 else made


def set_of(rng: np.random.Generator) -> Any:
    """A set that was filled in any order."""
    return {int(x) for x in rng.permutation(8)[: rng.integers(4)]}


def structured_of(rng: np.random.Generator) -> Any:
    """Records."""
    names = [("a", "b"), ("a", "c")][rng.integers(2)]
    return np.array(
        [tuple(rng.integers(2, size=2)) for _ in range(rng.integers(3))], [(n, int) for n in names]
    )


def nested_of(rng: np.random.Generator) -> Any:
    """A list of the others."""
    return [MAKERS[name](rng) for name in rng.choice(list(MAKERS)[:7], rng.integers(1, 3))]


MAKERS: dict[str, Callable[[np.random.Generator], Any]] = {
    "series": series_of,
    "frame": frame_of,
    "mapping": mapping_of,
    "sparse": sparse_of,
    "duration": duration_of,
    "categorical": categorical_of,
    "structured": structured_of,
    "set": set_of,
    "nested": nested_of,
}


def plain(z: Any) -> Any:
    """A twin of the encoding that shares nothing with it: two answers are one if this is equal."""
    if isinstance(z, sp.spmatrix | sp.sparray):
        dense = z.toarray()
        places = np.argwhere(z.astype(bool).toarray() | (dense != 0)).tolist()
        return ("sparse", z.shape, [(p, float(dense[tuple(p)])) for p in places])
    if isinstance(z, pd.Series | pd.Categorical | pd.DataFrame):
        return _plain_table(z)
    if isinstance(z, np.ndarray):
        return ("records", z.dtype.names, [tuple(map(float, row)) for row in z.tolist()])
    if isinstance(z, np.timedelta64):
        unit, _ = np.datetime_data(z.dtype)
        base = np.timedelta64(1, "M" if unit in "YM" else "ns")
        return ("duration", unit in "YM", int(z / base))
    if isinstance(z, dict):
        return ("keys", [(repr(key), plain(value)) for key, value in z.items()])
    if isinstance(z, set):
        return ("set", sorted(z))
    if isinstance(z, list):
        return ("list", [plain(part) for part in z])
    if isinstance(z, int | float) and not isinstance(z, bool):
        return ("number", float(z))
    return (type(z).__name__, str(z))


def _plain_table(z: Any) -> Any:
    if isinstance(z, pd.Categorical):
        return ("categorical", list(z), list(z.categories), z.ordered)
    index = [repr(entry) for entry in z.index.tolist()], z.index.names[0]
    if isinstance(z, pd.Series):
        kind = [list(z.cat.categories), z.cat.ordered] if z.dtype == "category" else []
        values = [plain(x.value if isinstance(x, pd.Timedelta) else x) for x in z.tolist()]
        if z.dtype == "category" and z.name is None and not any(index[1:]):
            return ("categorical", list(z), *kind)
        return ("series", values, kind, repr(z.name), index)
    return ("frame", z.to_numpy().tolist(), [repr(c) for c in z.columns], z.columns.name, index)


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(4, MAKERS))
def test_generated_answers_are_told_apart_exactly_where_a_plain_twin_does(name: str) -> None:
    """It must hold of 500 answers of each kind: of the encoding, and of what has travelled."""
    rng = np.random.default_rng(5)
    answers = [MAKERS[name](rng) for _ in range(500)]
    by_plain: dict[str, set[str]] = {}
    by_encoding: dict[str, set[str]] = {}
    for z in answers:
        told, twin = repr(encoding(z)), repr(plain(z))
        assert repr(encoding(portable_draw(z))) == told
        by_plain.setdefault(twin, set()).add(told)
        by_encoding.setdefault(told, set()).add(twin)
    assert {told: twins for told, twins in by_encoding.items() if len(twins) > 1} == {}
    assert {twin: told for twin, told in by_plain.items() if len(told) > 1} == {}


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(4, MAKERS))
def test_the_encoder_agrees_with_the_functions_of_a_script(name: str) -> None:
    """It must hold in each column of 500 answers: number, label, and form."""
    rng = np.random.default_rng(6)
    answers = [MAKERS[name](rng) for _ in range(500)]
    encoder = Encoder()
    encoder.fix_layout([answers])
    coded = encoder.encode(answers)
    width = 0 if encoder.width is None else encoder.width
    for row, z in enumerate(answers):
        for place in range(width):
            code = int(coded.categories[row, place])
            assert (encoder.label(code) if code else "") == outcome(z, place)
            assert np.array_equal(coded.numbers[row, place], number(z, place), equal_nan=True)
        if width:
            assert encoder.label(int(coded.categories[row, -1])) == form(z)
