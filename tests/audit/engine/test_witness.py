"""A witness can be read, and its snippet shows the violation again."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.engine.sequential import Settings, audit
from audit.pairs.literal import literal
from audit.pairs.worst_cases import Pair
from audit.targets.load import load_target
from audit.targets.target import Target
from mechanisms.claims import Order
from tests.audit.engine.samplers import claim
from tests.slow import one_in

SOURCE = """
import numpy as np

def scalar(data, size, rng):
    return float(data) + rng.laplace(size=size)

def vector(data, size, rng):
    return np.asarray(data) + rng.laplace(size=(size, 2))

def quoted(data, size, rng):
    return [["it's", 'a "tale"', "new\\nline"][int(data + rng.integers(2))] for _ in range(size)]

def infinite(data, size, rng):
    values = np.asarray(data) + rng.laplace(size=(size, 2))
    values[rng.random(size) < 0.3, 1] = -np.inf
    return values

def counts(data, size, rng):
    return np.bincount(data, minlength=4)[0] + rng.laplace(size=size)

def keyed(data, size, rng):
    return data["x"].sum() + rng.laplace(size=size)

def total(data, size, rng):
    return [{"total": x, "n": 0} for x in np.asarray(data) + rng.laplace(size=size)]

def rows(data, size, rng):
    import pandas as pd

    return pd.DataFrame({"total": np.asarray(data) + rng.laplace(size=size), "n": 0})

def row(data, rng):
    import pandas as pd

    return pd.DataFrame({"n": [0], "total": [data + rng.laplace()]})

def failing(data, size, rng):
    if rng.random() < 0.1 + 0.3 * data:
        raise OverflowError
    return rng.normal(size=(size, 2))

def fragile(data, size, rng):
    if data == 1.0:
        raise OverflowError
    return rng.normal(size=size)
"""

PAIRS: dict[str, tuple[Pair, bool, str]] = {
    "scalar": (Pair("0 and 2", 0.0, 2.0), True, "output"),
    "scalar on floats": (Pair("0 and 1", 0.0, 1.0), False, "bit"),
    "vector": (Pair("a corner", np.zeros(2), np.ones(2)), True, "and output[1]"),
    "quoted": (Pair("0 and 1", 0.0, 1.0), True, "output is "),
    "infinite": (Pair("a corner", np.zeros(2), np.full(2, 2.0)), True, "output"),
    "counts": (Pair("two more", np.array([0, 1, 2]), np.array([0, 0, 0, 1, 2])), True, "output"),
    "keyed": (Pair("2 more", {"x": np.ones(2)}, {"x": np.full(2, 2.0)}), True, "output"),
    "total": (Pair("0 and 2", 0.0, 2.0), True, 'output["total"] '),
    "rows": (Pair("0 and 2", 0.0, 2.0), True, 'output["total"] '),
    "row": (Pair("0 and 2", 0.0, 2.0), True, 'output["total"] '),
    "failing": (Pair("0 and 1", 0.0, 1.0), True, "raises OverflowError"),
    "fragile": (Pair("0 and 1", 0.0, 1.0), True, "raises OverflowError"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(4, PAIRS))
def test_snippet_shows_the_violation_again(name: str, tmp_path: Path) -> None:
    """The snippet runs as it stands, and its fresh counts break the claim again."""
    file = tmp_path / "m.py"
    file.write_text(SOURCE)
    pair, ideal, words = PAIRS[name]
    target = load_target(f"{file}:{name.split()[0]}")
    result = audit(
        target,
        claim(1),
        [pair],
        Settings(seed=3, false_alarm=0.05, ideal=ideal, budget_samples=200_000),
    )
    assert result.witness is not None
    assert words in result.witness.event
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(result.witness.rerun, {})
    counts = [int(n) for n in re.findall(r"(\d+) of", printed.getvalue())]
    witness = result.witness
    told = [witness.hits, witness.other_hits]
    assert counts == (told if witness.likelier == "data" else told[::-1])


def same(one: Any, other: Any) -> bool:
    """Equal values of equal kind, NaN equal to NaN."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        alike = one.dtype == other.dtype and one.shape == other.shape
        return alike and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or (one != one and other != other)


floats = st.floats(allow_nan=True, allow_infinity=True)


@pytest.mark.long
@given(
    st.one_of(
        st.lists(floats, max_size=12).map(lambda x: np.array(x, dtype=float)),
        st.lists(st.sampled_from([0.0, 1.0]), max_size=30).map(lambda x: np.array(x, dtype=float)),
        st.lists(st.integers(-3, 3), max_size=9).map(lambda x: np.array(x, dtype=np.int64)),
        st.lists(st.booleans(), max_size=3).map(lambda x: np.array(x, dtype=bool)),
        st.lists(st.tuples(floats, floats), max_size=4).map(
            lambda x: np.array(x, dtype=np.float64).reshape(-1, 2)
        ),
        st.dictionaries(st.text(), st.lists(floats).map(np.array)),
        st.lists(floats),
        st.tuples(floats, st.integers()),
        floats,
        st.integers(),
        st.text(),
        st.none(),
        st.lists(st.one_of(st.text(), floats, st.none())),
    )
)
def test_literal_is_the_data_set(data: Any) -> None:
    """The data set in the snippet evaluates to the data set that was audited."""
    assert same(eval(literal(data), {"np": np}), data)


@pytest.mark.long
def test_an_ordered_event_is_preferred_to_a_list_of_classes() -> None:
    """A lattice witness is told by the lowest bit where that shows it, not by classes."""
    target = Target(
        "mean", lambda d, n, rng: np.mean(d) + 0.1 * rng.laplace(size=n), None, Order.FREE
    )
    pair = Pair(
        "five of ten, six of ten", np.repeat([0.0, 1.0], [5, 5]), np.repeat([0.0, 1.0], [4, 6])
    )
    result = audit(
        target, claim(1), [pair], Settings(seed=1, false_alarm=0.05, budget_samples=400_000)
    )
    assert result.witness is not None
    assert "bit" in result.witness.event
    assert "sign" not in result.witness.event


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_cause_in_the_values_is_told_rather_than_one_in_the_bits(seed: int) -> None:
    """It must hold that an event of the values that shows as much is told, though two-sided."""

    def ratio(data: float, size: int, rng: np.random.Generator) -> Any:
        top, bottom = rng.laplace(size=(2, size))
        return top / np.abs(bottom) if data else 1e150 * np.sign(top) * np.exp(np.abs(bottom))

    target = Target("a ratio", ratio, None, Order.FREE)
    # a few dozen draws do not show an event with two sides as well as one of the bits
    settings = Settings(seed=seed, false_alarm=0.05, budget_samples=20_000, first_draws=200)
    result = audit(target, claim(1), [Pair("0 and 1", 0.0, 1.0)], settings)
    assert result.witness is not None
    assert result.witness.feature == "value"
    assert max(result.witness.hits, result.witness.other_hits) > 0.9 * result.witness.draws
    assert min(result.witness.hits, result.witness.other_hits) < 0.1 * result.witness.draws


def test_equal_records_of_several_numbers_are_folded() -> None:
    """It must hold that rows that repeat are written once, and that -0.0 is not 0.0."""
    rows = np.repeat(np.array([[1.0, 2.0], [0.0, 0.0], [0.0, -0.0]]), [1, 99, 100], axis=0)
    text = literal(rows)
    assert (
        text == "np.repeat(np.array([[1.0, 2.0], [0.0, 0.0], [0.0, -0.0]]), [1, 99, 100], axis=0)"
    )
    assert np.signbit(eval(text)).sum() == 100
