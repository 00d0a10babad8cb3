"""Contracts that every registered mechanism keeps."""

from __future__ import annotations

import inspect
import math
from dataclasses import fields
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PersonalizedDP, PureDP, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.rates import RightRates
from mechanisms.protocols import Mechanism
from mechanisms.registry import MECHANISMS, build_mechanism
from mechanisms.validation import shown
from mechanisms.weighted_query import StatesWeightedQuery

F = Fraction
NAMES = list(MECHANISMS)
SOUND = [name for name, entry in MECHANISMS.items() if entry.form == "sound"]
FREE = [name for name, entry in MECHANISMS.items() if entry.order is Order.FREE]
# TRI and PDP release any number
BOUNDED = [name for name in NAMES if not name.startswith(("tri.", "pdp."))]
OTHER = [name for name in NAMES if name not in BOUNDED]
PERSONAL = [name for name in NAMES if MECHANISMS[name].claim == "budgets"]
WITH_EPSILON = [name for name in NAMES if name not in ("tri.name-and-shame", *PERSONAL)]
WITH_BOUNDS = [
    *BOUNDED,
    "tri.clipped-mean",
    "tri.combined",
    "tri.shuffled-mean",
    "pdp.weighted-mean",
    "pdp.weighted-mean-as-printed",
    "pdp.adpm",
    "pdp.adpm-as-printed",
    "pdp.above-threshold",
    "pdp.stretched-mean",
    "pdp.partitioned-mean",
    "pdp.sampled-mean",
    "pdp.least-budget",
    "pdp.find-quantile",
    "pdp.diffused-quantile",
    "pdp.diffused-quantile-as-printed",
]
FAILING = ("tri.coarse", "tri.coarse-as-printed", "tri.coarse-mutant", "tri.symmetric-mean")
"""Whose release may be the failure symbol, NaN."""

SEVERAL = (
    "tri.symmetric-mean",
    "pdp.diffusion",
    "pdp.diffusion-as-printed",
    "pdp.range",
    "pdp.range-as-printed",
    "pdp.parallel-counts-as-printed",
)
"""Whose release has several coordinates."""

WHOLE = ("diffusion", "counts", "above-threshold")
"""In the names of mechanisms whose release is whole numbers."""

FIXED_UNIT = (
    "ksw.independent-laplace",  # noise follows max |x|
    "sub.subset-mean-public-size",  # gamma is a length
    "sub.subset-mean-noisy-size",
    "sub.histogram-mean",  # sigma is a length
    "sub.moment-mean",  # and so is psi
    "sub.radius-mean",  # its points are multiples of alpha
)
SHIFTABLE = [name for name in SOUND if name in BOUNDED and name not in FIXED_UNIT]
LEVELS = {
    "epsilon": PureDP("3/4"),
    "3 epsilon": PureDP("9/4"),
    "(epsilon, delta)": ApproxDP("3/4", "1/7"),
    "(0, delta)": ApproxDP(0, "1/7"),
    "budgets": PersonalizedDP(("3/4", "1/7")),
}
"""Promises in words, at epsilon = 3/4 and delta = 1/7."""
SEED = 20240711

RECORDS = st.lists(
    st.one_of(
        st.floats(allow_nan=True, allow_infinity=True),
        st.floats(-2, 2),
        st.sampled_from([0.0, -0.0, 0.5, 1.0, 5e-324, 1e308]),
    ),
    max_size=8,
)
few = settings(max_examples=max(6, settings().max_examples // 3))
"""Each law is tried on 20 to 35 mechanisms: a third of the examples for each one."""

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


SMALL: dict[str, dict[str, Any]] = {
    "tri.symmetric-mean": {"first": 5, "second": 3},
    "tri.shuffled-mean": {"epsilon": "1/10", "delta": 1, "blocks": 13, "rows": 1},
    "pdp.diffusion": {"tau": 1},
    "pdp.diffusion-as-printed": {"tau": 1},
    "pdp.weighted-mean-as-printed": {"weights": "1/2, 1/2"},
}
"""Of mechanisms that ask for a number of records: few; answers that are not nearly certain."""

FIXED_COUNT = [
    name
    for name in NAMES
    if (name.startswith("pdp.") and MECHANISMS[name].order is Order.FIXED) or name in SMALL
]
"""Whose public number of records is fixed."""


def make(name: str, **arguments: Any) -> Any:
    """A registered mechanism that asks for few records."""
    return build_mechanism(name, **{**SMALL.get(name, {}), **arguments})


def fitting(mechanism: Any, data: Any) -> Any:
    """As many records as the mechanism asks for, over and over the given ones; at least 1 of TRI.

    Data that are no list or array of records stay as they are.
    """
    if not isinstance(data, list | tuple | np.ndarray) or np.ndim(np.asarray(data, object)) != 1:
        return data
    if isinstance(data, np.ndarray) and data.dtype.kind == "U":
        return data
    records = list(data) or [0.5]
    if mechanism.claim.relation is Relation.ADD_REMOVE and type(mechanism).__module__.endswith(
        ".unbounded_mean"
    ):
        return [[x if isinstance(x, Real) else math.nan, 1.0] for x in data]
    if hasattr(mechanism, "count"):
        return (records * mechanism.count)[: mechanism.count]
    needs_one = type(mechanism).__module__.startswith("mechanisms.trilemma")
    return records if needs_one and len(data) == 0 else data


def draws(
    name: str, data: Any, size: int = 200, seed: int = SEED, **arguments: Any
) -> NDArray[Any]:
    """Draw from a registered mechanism, with every coin made from the seed."""
    rng = np.random.default_rng(seed)
    if "bits" in inspect.signature(type(build_mechanism(name))).parameters:
        arguments["bits"] = rng.bytes
    mechanism = make(name, **arguments)
    return np.asarray(mechanism.sample(fitting(mechanism, data), size, rng=rng))


def bounds(name: str) -> tuple[float, float]:
    """Public bounds of the entry's default mechanism."""
    mechanism = build_mechanism(name)
    return float(mechanism.low), float(mechanism.high)


def test_declares_what_the_registry_says(subtests: pytest.Subtests) -> None:
    """What the entry reads from its class must hold at other parameters: claim, relation, order."""
    for name in NAMES:
        with subtests.test(name=name):
            arguments = {"epsilon": "3/4"} if name in WITH_EPSILON else {}
            claim = MECHANISMS[name].claim
            if name in PERSONAL:
                arguments = {"budgets": "3/4, 1/7"}
            elif claim in ("(epsilon, delta)", "(0, delta)"):
                arguments["delta"] = "1/7"
            mechanism = build_mechanism(name, **arguments)
            assert isinstance(mechanism, Mechanism)
            if name == "tri.shuffled-mean":  # what its epsilon_1 is: tests/cross
                assert claim == "(epsilon_1, delta) of clones"
                assert isinstance(mechanism.claim.level, ApproxDP)
            else:
                assert mechanism.claim.level == LEVELS[claim]
            assert mechanism.claim.relation is MECHANISMS[name].relation
            assert mechanism.order is MECHANISMS[name].order
            assert mechanism.claim.source.paper == MECHANISMS[name].source.split(",")[0].split()[0]
            if MECHANISMS[name].form == "as printed":
                assert "errat" in mechanism.claim.source.item
            if name in PERSONAL and mechanism.order is Order.FIXED:
                assert mechanism.count == 2


DECLARED: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    ("ksw.transformed-laplace-as-printed", {}, {"low": 0, "high": F(1, 2)}),
    ("tri.symmetric-mean", {"epsilon": "3/4"}, {"count": 200, "noise_scale": F(24, 75)}),
    ("sub.threshold-as-printed", {}, {"gamma": F(1, 4)}),
    ("sub.inverse-sensitivity-as-printed", {}, {"score": "length"}),
    ("pdp.weighted-mean", {"weights": "1, 1/2"}, {"weights": (1, F(1, 2)), "count": 2}),
    ("pdp.weighted-mean", {"weights": 3}, {"weights": (3,)}),
    ("pdp.weighted-mean-as-printed", {"weights": "1, 2, 3"}, {"count": 3}),
    ("pdp.adpm", {}, {"budgets": (F(1, 10), F(1, 2), 1)}),
    ("pdp.adpm", {"budgets": 2}, {"count": 1}),
    (
        "pdp.adpm-as-printed",
        {"slip": "E-03, E-30"},
        {"losses": build_mechanism("pdp.adpm-as-printed").losses},
    ),
    ("pdp.radius", {}, {"beta": F(1, 10), "b": 1}),
    ("pdp.range", {}, {"tau": 1, "rates": RightRates((F(1, 2), F(1), F(1)), F(1))}),
    ("pdp.range-as-printed", {}, {"tau": F(801, 10), "slip": "all"}),
    ("pdp.mean", {}, {"tau": F(1, 2)}),
    ("pdp.mean-as-printed", {"budgets": "1/5"}, {"tau": F(801, 10)}),
    ("pdp.unbounded-mean", {"budgets": ("1/2", 1, 0)}, {"lowest": F(1, 2), "highest": 1}),
)
"""What else a mechanism says of itself, by name."""

PLACEHOLDER = {
    *("pdp.find-quantile", "pdp.diffusion", "pdp.diffused-quantile", "pdp.sampled-mean"),
    *("pdp.range", "pdp.mean", "pdp.unbounded-mean", "pdp.parallel-counts-as-printed"),
    *("pdp.diffusion-as-printed", "pdp.diffused-quantile-as-printed", "pdp.range-as-printed"),
    *("pdp.mean-as-printed", "pdp.unbounded-mean-as-printed"),
}
"""Those to whom a record that is no number is one that is missing."""

WEIGHTED = {"pdp.adpm", "pdp.weighted-mean", "pdp.stretched-mean", "pdp.least-budget"}
"""Those that state the weights of their query."""


def test_declares_its_parameters(subtests: pytest.Subtests) -> None:
    """It must hold of the values above, and of what records it takes, and of its query."""
    for name, arguments, wanted in DECLARED:
        with subtests.test(name=name, arguments=arguments):
            made = build_mechanism(name, **arguments)
            assert {key: getattr(made, key) for key in wanted} == wanted
    made = {name: build_mechanism(name) for name in NAMES}
    assert {name for name in NAMES if getattr(made[name], "placeholder", False)} == PLACEHOLDER
    query = {name for name in NAMES if isinstance(made[name], StatesWeightedQuery)}
    assert query == WEIGHTED | {"pdp.adpm-as-printed"}
    ranges = [made[name].record_range for name in NAMES if hasattr(made[name], "record_range")]
    assert all(high - low >= 1 for low, high in ranges)
    symmetric = made["tri.symmetric-mean"]
    assert symmetric.record_range[1] > symmetric.scale + symmetric.distance


def test_has_a_default_for_every_argument(subtests: pytest.Subtests) -> None:
    """The class alone must build, with epsilon = 1 and the defaults written in the class."""
    for name in NAMES:
        with subtests.test(name=name):
            kind = type(build_mechanism(name))
            assert kind().epsilon == 1 if name in WITH_EPSILON else kind() == build_mechanism(name)
            assert "Claims\n" in (kind.__doc__ or "")
            assert "References\n" in (kind.__doc__ or "")


def test_is_frozen(subtests: pytest.Subtests) -> None:
    """No parameter of a mechanism can change after its claim was read."""
    for name in NAMES:
        with subtests.test(name=name):
            mechanism = build_mechanism(name)
            with pytest.raises(AttributeError):
                setattr(mechanism, fields(mechanism)[0].name, 2)


def test_seed_fixes_the_draws(subtests: pytest.Subtests) -> None:
    """The same seed must give the same draws, and another seed others."""
    for name in NAMES:
        with subtests.test(name=name):
            data = [0.1, 0.4, 0.2]
            first = draws(name, data)
            np.testing.assert_array_equal(first, draws(name, data))
            assert not np.array_equal(first, draws(name, data, seed=SEED + 1))


@pytest.mark.parametrize("name", FREE)
@few
@given(data=RECORDS, keys=st.randoms(use_true_random=False))
def test_order_of_records_is_nothing(name: str, data: list[float], keys: Any) -> None:
    """A permutation of the records must give the same draws, bit for bit."""
    shuffled = list(data)
    keys.shuffle(shuffled)
    np.testing.assert_array_equal(draws(name, data, 20), draws(name, shuffled, 20))


@pytest.mark.parametrize("name", OTHER)
@few
@given(data=RECORDS)
def test_any_records_give_a_number_or_the_failure_symbol(name: str, data: list[float]) -> None:
    """Whatever the records are, a release of TRI must be finite doubles, or NaN where it fails."""
    out = draws(name, data, 20)
    assert len(out) == 20
    assert out.dtype == (np.int64 if any(word in name for word in WHOLE) else np.float64)
    whole = out[:, -1] if out.ndim == 2 else out  # of a pair the first may fail
    huge = any(abs(x) > 1e300 for x in data if math.isfinite(x))
    if name not in FAILING or out.ndim == 2:
        assert np.isfinite(whole).all() or huge


@pytest.mark.parametrize("name", BOUNDED)
@few
@given(data=RECORDS)
def test_any_records_give_a_value_within_the_bounds(name: str, data: list[float]) -> None:
    """Whatever the records are, a release must be a double in [low, high], never -0.0."""
    low, high = bounds(name)
    out = draws(name, data, 20)
    assert out.shape == (20,)
    assert out.dtype == np.float64
    assert np.all((low <= out) & (out <= high))
    assert not np.any(np.signbit(out) & (out == 0))


@pytest.mark.parametrize("name", BOUNDED)
@few
@given(data=RECORDS)
def test_clipping_first_changes_nothing(name: str, data: list[float]) -> None:
    """Clipped records, and the midpoint in place of NaN, must give the same draws."""
    low, high = bounds(name)
    clipped = [low + (high - low) / 2 if math.isnan(x) else min(max(x, low), high) for x in data]
    np.testing.assert_array_equal(draws(name, data, 20), draws(name, clipped, 20))


STAND_INS: dict[str, tuple[float, float, float]] = {
    "tri.clipped-mean": (0.5, -10.0, 11.0),
    "tri.name-and-shame": (0.0, 0.0, 0.0),
    "tri.tilted-sign": (0.0, -3.0, 1e9),
    "tri.coarse": (0.0, 0.0, 0.0),
    "tri.coarse-as-printed": (0.0, 0.0, 0.0),
    "tri.coarse-mutant": (0.0, 0.0, 0.0),
}
"""Numbers that stand for what is none, and for the two infinities, where there are no bounds."""


def test_odd_records_count_as_public_numbers(subtests: pytest.Subtests) -> None:
    """Text, NaN, infinities and huge integers must give the draws of what stands for them."""
    for name in (*BOUNDED, *STAND_INS):
        low, high = bounds(name) if name in BOUNDED else STAND_INS[name][1:]
        none = low + (high - low) / 2 if name in BOUNDED else STAND_INS[name][0]
        for odd, plain in (
            ([math.nan, None, "x", object(), 0.25, -0.0], [none] * 4 + [0.25, 0.0]),
            ([math.inf, -math.inf, 0.25], [high, low, 0.25]),
            ([10**400, -(10**400), 0.25], [high, low, 0.25]),
        ):
            with subtests.test(name=name, odd=odd):
                np.testing.assert_array_equal(draws(name, odd, 100), draws(name, plain, 100))


@pytest.mark.parametrize("name", NAMES)
def test_no_record_raises(name: str) -> None:
    """No record may raise, warn, or leave the bounds: an exception would be an outcome."""
    for case in HOSTILE:
        out = draws(name, HOSTILE[case], 50)
        assert len(out) == 50
        if name in BOUNDED:
            low, high = bounds(name)
            assert np.all((low <= out) & (out <= high))
            around = draws(name, HOSTILE[case], 50, low=-1, high=1)
            assert np.all(np.abs(around) <= 1)
            assert not np.any(np.signbit(around) & (around == 0))


def test_data_are_not_written_to(subtests: pytest.Subtests) -> None:
    """The caller's array must be as it was."""
    for name in NAMES:
        with subtests.test(name=name):
            data = np.array([math.nan, 5.0, -1.0, 0.25])
            before = data.copy()
            draws(name, data, 5)
            np.testing.assert_array_equal(data, before)


def test_follows_an_affine_map_of_the_data(subtests: pytest.Subtests) -> None:
    """Under one seed, mapping data and bounds must map the draws."""
    for name in SHIFTABLE:
        with subtests.test(name=name):
            for low, high in [(-3, 5), (0, "1/8"), ("-0.7", "0.6"), (1000, 1002)]:
                unit = np.array(
                    [0.0, 0.15, 0.5, 0.9375, 1.0]
                )  # nowhere half way between grid points
                start, width = Fraction(low), Fraction(high) - Fraction(low)
                data = np.array([float(start + width * Fraction(x)) for x in unit])
                mapped = float(start) + float(width) * draws(name, unit, low=0, high=1)
                out = draws(name, data, low=low, high=high)
                np.testing.assert_allclose(
                    out, mapped, rtol=0, atol=1e-9 * float(max(width, abs(start)))
                )


@pytest.mark.parametrize("high", [8, "1/8"])
def test_algorithm_1_follows_the_scale_of_the_data(high: Any) -> None:
    """Algorithm 1 must follow a change of the unit, and only that: its noise follows max |x|."""
    unit = np.array([0.0, 0.125, 0.5, 1.0])
    factor = float(Fraction(high))
    name = "ksw.independent-laplace"
    scaled = draws(name, factor * unit, low=0, high=high)
    np.testing.assert_array_equal(scaled, factor * draws(name, unit))
    assert not np.allclose(draws(name, unit + 5, low=5, high=6) - 5, draws(name, unit), atol=0.01)


def test_first_axis_is_the_draw(subtests: pytest.Subtests) -> None:
    """`size` draws must lie along the first axis, also for one draw."""
    for name in NAMES:
        with subtests.test(name=name):
            for size in (1, 7):
                assert draws(name, [0.3], size).shape[0] == size
                assert draws(name, [0.3], size).ndim == 1 + (name in SEVERAL)


def test_bad_size_raises(subtests: pytest.Subtests) -> None:
    """A size that is not an integer of at least 1 must be named with its value."""
    for name in NAMES:
        with subtests.test(name=name):
            for size in [0, -1, 1.5, True, "3", None]:
                with pytest.raises(InvalidArgument, match="size") as caught:
                    draws(name, [0.3], size)
                assert shown(size) in str(caught.value)


def test_bad_epsilon_raises(subtests: pytest.Subtests) -> None:
    """An epsilon that is not an ordinary positive number must be named with its value."""
    for name in WITH_EPSILON:
        with subtests.test(name=name):
            for epsilon in [0, -1, math.nan, math.inf, "x", None, "1e-400", "1e400"]:
                with pytest.raises(InvalidArgument, match="epsilon") as caught:
                    build_mechanism(name, epsilon=epsilon)
                assert f"epsilon={shown(epsilon)}" in str(caught.value)


def test_bad_bounds_raise(subtests: pytest.Subtests) -> None:
    """Bounds that are out of order or not finite must be named with their values."""
    for name in WITH_BOUNDS:
        with subtests.test(name=name):
            for low, high, named in [
                (1, 0, "low=1, high=0"),
                (math.nan, 1, "low=nan"),
                (0, math.inf, "high=inf"),
                ("-1e308", "1e308", "high=1e308"),
                ("a", 1, "low='a'"),
            ]:
                with pytest.raises(InvalidArgument, match=r"low|high") as caught:
                    build_mechanism(name, low=low, high=high)
                assert named in str(caught.value)


def test_data_of_another_shape_raise(subtests: pytest.Subtests) -> None:
    """Data that are not one-dimensional numbers (or rows) must be refused, whatever they are."""
    for name in NAMES:
        with subtests.test(name=name):
            for data in [0.5, [[0.1], [0.2]], np.zeros((2, 3)), "0.5", np.array(["a"])]:
                with pytest.raises(InvalidArgument, match="data must be"):
                    draws(name, data)


@pytest.mark.parametrize("name", [n for n in NAMES if n in FAILING] + ["tri.combined"])
def test_bad_delta_raises(name: str) -> None:
    """A delta that is not in (0, 1] must be named with its value."""
    for delta in [0, -1, "1.01", math.nan, math.inf, "x", None]:
        with pytest.raises(InvalidArgument, match="delta") as caught:
            build_mechanism(name, delta=delta)
        assert f"delta={shown(delta)}" in str(caught.value)


def test_another_number_of_records_raises(subtests: pytest.Subtests) -> None:
    """Where the public number of records is fixed, another must be named beside it."""
    for name in FIXED_COUNT:
        with subtests.test(name=name):
            mechanism = make(name)
            wrong = [0.5] * (mechanism.count + 1)
            with pytest.raises(InvalidArgument, match=f"{mechanism.count}") as caught:
                mechanism.sample(wrong, 1, rng=np.random.default_rng(SEED))
            assert str(len(wrong)) in str(caught.value)


def test_equal_bounds_give_that_value(subtests: pytest.Subtests) -> None:
    """With low = high the release must be that number, for empty and other data."""
    for name in BOUNDED:
        with subtests.test(name=name):
            for low in [0, "0.3", -2, "1e-320"]:
                for data in ([], [0.1, 7.0]):
                    out = draws(name, data, 20, low=low, high=low)
                    assert np.all(out == float(Fraction(low)))
