"""Contracts that every registered mechanism keeps."""

from __future__ import annotations

import inspect
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.claims import PureDP
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Mechanism
from mechanisms.registry import MECHANISMS, build_mechanism

NAMES = list(MECHANISMS)
SOUND = [name for name, entry in MECHANISMS.items() if entry.form == "sound"]
SHIFTABLE = [name for name in SOUND if name != "ksw.independent-laplace"]  # noise follows max |x|
SEED = 20240711

RECORDS = st.lists(
    st.one_of(
        st.floats(allow_nan=True, allow_infinity=True),
        st.floats(-2, 2),
        st.sampled_from([0.0, -0.0, 0.5, 1.0, 5e-324, 1e308]),
    ),
    max_size=8,
)
HOSTILE: dict[str, Any] = {
    "empty list": [],
    "empty array": np.array([]),
    "NaN": [math.nan],
    "infinities": [math.inf, -math.inf, 0.5],
    "huge": [1e308] * 5 + [-1e308],
    "integer beyond double": [10**400, -(10**400)],
    "not numbers": [None, "word", object(), 0.25],
    "objects": np.array([None, 0.5, Fraction(1, 3)], dtype=object),
    "integers": np.array([0, 1, 7], dtype=np.int64),
    "unsigned": np.array([2**64 - 1, 0], dtype=np.uint64),
    "booleans": [True, False],
    "long doubles": np.array([0.5, np.finfo(np.longdouble).max], dtype=np.longdouble),
    "tuple": (0.1, 0.2),
    "negative zero": [-0.0],
}


def draws(
    name: str, data: Any, size: int = 200, seed: int = SEED, **arguments: Any
) -> NDArray[Any]:
    """Draw from a registered mechanism, with every coin made from the seed."""
    rng = np.random.default_rng(seed)
    entry = MECHANISMS[name]
    if "bits" in inspect.signature(type(build_mechanism(name))).parameters:
        arguments["bits"] = rng.bytes
    mechanism = build_mechanism(name, **{**entry.arguments, **arguments})
    return np.asarray(mechanism.sample(data, size, rng=rng))


def bounds(name: str) -> tuple[float, float]:
    """Public bounds of the entry's default mechanism."""
    mechanism = build_mechanism(name)
    return float(mechanism.low), float(mechanism.high)


@pytest.mark.parametrize("name", NAMES)
def test_declares_what_the_registry_says(name: str) -> None:
    """Claim, relation and order of the object must equal the entry's, at the asked epsilon."""
    mechanism = build_mechanism(name, epsilon="3/4")
    assert isinstance(mechanism, Mechanism)
    assert mechanism.claim.level == PureDP("3/4")
    assert mechanism.claim.relation is MECHANISMS[name].relation
    assert mechanism.order is MECHANISMS[name].order
    assert mechanism.claim.source.paper == MECHANISMS[name].source.split(",")[0].split()[0]


@pytest.mark.parametrize("name", NAMES)
def test_has_a_default_for_every_argument(name: str) -> None:
    """The class alone must build, with epsilon = 1 and the defaults written in the class."""
    kind = type(build_mechanism(name))
    assert kind().epsilon == 1
    assert "Claims\n" in (kind.__doc__ or "")
    assert "References\n" in (kind.__doc__ or "")


@pytest.mark.parametrize("name", NAMES)
def test_is_frozen(name: str) -> None:
    """No parameter of a mechanism can change after its claim was read."""
    with pytest.raises(AttributeError):
        build_mechanism(name).epsilon = 2


@pytest.mark.parametrize("name", NAMES)
def test_seed_fixes_the_draws(name: str) -> None:
    """The same seed must give the same draws, and another seed others."""
    data = [0.1, 0.4, 0.2]
    first = draws(name, data)
    np.testing.assert_array_equal(first, draws(name, data))
    assert not np.array_equal(first, draws(name, data, seed=SEED + 1))


@pytest.mark.parametrize("name", NAMES)
@given(data=RECORDS, keys=st.randoms(use_true_random=False))
def test_order_of_records_is_nothing(name: str, data: list[float], keys: Any) -> None:
    """A permutation of the records must give the same draws, bit for bit."""
    shuffled = list(data)
    keys.shuffle(shuffled)
    np.testing.assert_array_equal(draws(name, data, 20), draws(name, shuffled, 20))


@pytest.mark.parametrize("name", NAMES)
@given(data=RECORDS)
def test_any_records_give_a_value_within_the_bounds(name: str, data: list[float]) -> None:
    """Whatever the records are, a release must be a double in [low, high], never -0.0."""
    low, high = bounds(name)
    out = draws(name, data, 20)
    assert out.shape == (20,)
    assert out.dtype == np.float64
    assert np.all((low <= out) & (out <= high))
    assert not np.any(np.signbit(out))


@pytest.mark.parametrize("name", NAMES)
@given(data=RECORDS)
def test_clipping_first_changes_nothing(name: str, data: list[float]) -> None:
    """Clipped records, and the midpoint in place of NaN, must give the same draws."""
    low, high = bounds(name)
    clipped = [low + (high - low) / 2 if math.isnan(x) else min(max(x, low), high) for x in data]
    np.testing.assert_array_equal(draws(name, data, 20), draws(name, clipped, 20))


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("name", NAMES)
def test_no_record_raises(name: str, case: str) -> None:
    """No record may raise, warn, or leave the bounds: an exception would be an outcome."""
    low, high = bounds(name)
    out = draws(name, HOSTILE[case], 50)
    assert out.shape == (50,)
    assert np.all((low <= out) & (out <= high))


@pytest.mark.parametrize("name", NAMES)
def test_data_are_not_written_to(name: str) -> None:
    """The caller's array must be as it was."""
    data = np.array([math.nan, 5.0, -1.0, 0.25])
    before = data.copy()
    draws(name, data, 5)
    np.testing.assert_array_equal(data, before)


@pytest.mark.parametrize("name", SHIFTABLE)
@pytest.mark.parametrize(("low", "high"), [(-3, 5), (0, "1/8"), ("-0.7", "0.6"), (1000, 1002)])
def test_follows_an_affine_map_of_the_data(name: str, low: Any, high: Any) -> None:
    """Under one seed, mapping data and bounds must map the draws."""
    unit = np.array([0.0, 0.125, 0.5, 0.9375, 1.0])
    start, width = Fraction(low), Fraction(high) - Fraction(low)
    data = np.array([float(start + width * Fraction(x)) for x in unit])
    mapped = float(start) + float(width) * draws(name, unit, low=0, high=1)
    out = draws(name, data, low=low, high=high)
    np.testing.assert_allclose(out, mapped, rtol=0, atol=1e-9 * float(max(width, abs(start))))


@pytest.mark.parametrize("high", [8, "1/8"])
def test_algorithm_1_follows_the_scale_of_the_data(high: Any) -> None:
    """Algorithm 1 must follow a change of the unit, and only that: its noise follows max |x|."""
    unit = np.array([0.0, 0.125, 0.5, 1.0])
    factor = float(Fraction(high))
    name = "ksw.independent-laplace"
    scaled = draws(name, factor * unit, low=0, high=high)
    np.testing.assert_array_equal(scaled, factor * draws(name, unit))
    assert not np.allclose(draws(name, unit + 5, low=5, high=6) - 5, draws(name, unit), atol=0.01)


@pytest.mark.parametrize("name", NAMES)
def test_first_axis_is_the_draw(name: str) -> None:
    """`size` draws must lie along the first axis, also for one draw."""
    for size in (1, 7):
        assert draws(name, [0.3], size).shape == (size,)


@pytest.mark.parametrize("size", [0, -1, 1.5, True, "3", None])
@pytest.mark.parametrize("name", NAMES)
def test_bad_size_raises(name: str, size: Any) -> None:
    """A size that is not an integer of at least 1 must be named with its value."""
    with pytest.raises(InvalidArgument, match="size") as caught:
        draws(name, [0.3], size)
    assert repr(size) in str(caught.value)


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, "x", None, "1e-400", "1e400"])
@pytest.mark.parametrize("name", NAMES)
def test_bad_epsilon_raises(name: str, epsilon: Any) -> None:
    """An epsilon that is not an ordinary positive number must be named with its value."""
    with pytest.raises(InvalidArgument, match="epsilon") as caught:
        build_mechanism(name, epsilon=epsilon)
    assert f"epsilon={epsilon!r}" in str(caught.value)


@pytest.mark.parametrize(
    ("low", "high", "named"),
    [
        (1, 0, "low=1, high=0"),
        (math.nan, 1, "low=nan"),
        (0, math.inf, "high=inf"),
        ("-1e308", "1e308", "high='1e308'"),
        ("a", 1, "low='a'"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_bad_bounds_raise(name: str, low: Any, high: Any, named: str) -> None:
    """Bounds that are out of order or not finite must be named with their values."""
    with pytest.raises(InvalidArgument, match=r"low|high") as caught:
        build_mechanism(name, low=low, high=high)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [0.5, [[0.1], [0.2]], np.zeros((2, 2)), "0.5", np.array(["a"])],
    ids=["scalar", "rows", "matrix", "text", "array of text"],
)
@pytest.mark.parametrize("name", NAMES)
def test_data_of_another_shape_raise(name: str, data: Any) -> None:
    """Data that are not one-dimensional numbers must be refused, whatever their values."""
    with pytest.raises(InvalidArgument, match="data must be"):
        draws(name, data)


@pytest.mark.parametrize("low", [0, "0.3", -2, "1e-320"])
@pytest.mark.parametrize("name", NAMES)
def test_equal_bounds_give_that_value(name: str, low: Any) -> None:
    """With low = high the release must be that number, for empty and other data."""
    for data in ([], [0.1, 7.0]):
        out = draws(name, data, 20, low=low, high=low)
        assert np.all(out == float(Fraction(low)))
