"""Claims that are read from a library's own object, and the relation that the user must say."""

from __future__ import annotations

import functools
import importlib
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from audit.cli import main
from audit.request.privacy_plan import plan_audit
from audit.request.request import Request
from audit.targets.libraries.measurements import offer_of
from audit.targets.wrap import target_of
from mechanisms.claims import ApproxDP, Order, PureDP, Relation, ZeroConcentratedDP
from mechanisms.errors import InvalidArgument, InvalidData, NotImplied
from tests.user_files import imports_restored

ADD_REMOVE, SWAP, LISTED = Relation.ADD_REMOVE, Relation.SWAP, Relation.LISTED
UNIT = [(0.0, 1.0)]


@functools.cache
def opendp() -> dict[str, Any]:
    """Measurements of OpenDP."""
    dp: Any = importlib.import_module("opendp.prelude")
    dp.enable_features("contrib")
    floats, whole = dp.atom_domain(T=float, nan=False), dp.atom_domain(T=int)
    number = floats, dp.absolute_distance(T=float)
    bounded = dp.atom_domain(bounds=(0.0, 4.0), nan=False)
    records = dp.vector_domain(bounded), dp.symmetric_distance()
    ten = dp.vector_domain(bounded, size=10), dp.symmetric_distance()
    gaussian = dp.m.make_gaussian(*number, scale=1.0)
    vector = dp.vector_domain(floats)
    counted = dp.space_of(list[int]) >> dp.t.then_count()
    return {
        "laplace": dp.m.make_laplace(*number, scale=0.5),
        "integer": dp.m.make_laplace(whole, dp.absolute_distance(T=int), scale=2.0),
        "gaussian": gaussian,
        "approximate": dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(gaussian), 1e-6),
        "profile": dp.c.make_zCDP_to_approxDP(gaussian),
        "sum": records >> dp.t.then_sum() >> dp.m.then_laplace(8.0),
        "mean": ten >> dp.t.then_mean() >> dp.m.then_laplace(0.8),
        "count": counted >> dp.m.then_laplace(2.0),
        "in order": (
            (dp.vector_domain(bounded), dp.insert_delete_distance())
            >> dp.t.then_unordered()
            >> dp.t.then_count()
            >> dp.m.then_laplace(2.0)
        ),
        "replaced": (
            (dp.vector_domain(bounded, size=10), dp.change_one_distance())
            >> dp.t.then_metric_unbounded()
            >> dp.t.then_mean()
            >> dp.m.then_laplace(0.8)
        ),
        "l1": dp.m.make_laplace(vector, dp.l1_distance(T=float), scale=2.0),
        "l2": dp.m.make_gaussian(vector, dp.l2_distance(T=float), scale=2.0),
        "response": dp.m.make_randomized_response_bool(0.75),
    }


def claim(name: str, relation: Relation | None, pairs: Any = ()) -> Any:
    """What a measurement promises."""
    offer = offer_of(opendp()[name], name)
    assert offer is not None
    assert offer.promise is not None
    return offer.promise(relation, pairs)


PROMISES: dict[str, tuple[str, Relation | None, Any, Any]] = {
    "add-remove is map(1)": ("count", ADD_REMOVE, (), PureDP("1/2")),
    "swap is map(2)": ("count", SWAP, (), PureDP(1)),
    "in order": ("in order", ADD_REMOVE, (), PureDP("1/2")),
    "in order, swap": ("in order", SWAP, (), PureDP(1)),
    "listed values": ("laplace", None, UNIT, PureDP(2)),
    "listed, said": ("laplace", LISTED, UNIT, PureDP(2)),
    "the farthest pair": ("laplace", None, [(0.0, 0.25), (3.0, 1.5), (1.0, 2.0)], PureDP(3)),
    "listed integers": ("integer", None, [(0, 3)], PureDP("3/2")),
    "zero-concentrated": ("gaussian", None, [(0.0, 2.0)], ZeroConcentratedDP(2)),
    "sum of coordinates": (
        "l1",
        None,
        [(np.array([0.0, 1.0]), np.array([1.0, 3.0]))],
        PureDP("3/2"),
    ),
    "euclidean": ("l2", None, [([0, 0], [3, 4])], ZeroConcentratedDP("25/8")),
    "listed data sets": ("count", LISTED, [([1, 2, 2], [2, 3, 4, 5])], PureDP("5/2")),
}


def test_the_claim_is_the_decimal_that_the_library_prints() -> None:
    """It must hold in words, and exactly: no quotient of the double, and no other number."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    noise = dp.m.make_laplace(*space, scale=3.0)
    offer = offer_of(noise, "noise")
    assert offer is not None
    assert offer.promise is not None
    level = offer.promise(None, [(0.0, 1.0)]).level
    assert isinstance(level, PureDP)
    assert str(level) == f"epsilon = {noise.map(1.0)!r}"
    assert len(str(noise.map(1.0))) > 15
    assert level.epsilon == Fraction(repr(noise.map(1.0)))


@pytest.mark.parametrize("name", PROMISES)
def test_a_measurement_is_asked_at_the_distance_of_its_neighbors(name: str) -> None:
    """It must hold that the level is map(d_in), where d_in is what the relation says."""
    measurement, relation, pairs, level = PROMISES[name]
    promise = claim(measurement, relation, pairs)
    assert promise.level == level
    assert promise.relation is (relation or LISTED)
    assert promise.source.paper.startswith("opendp 0.")


def test_the_source_holds_the_library_s_own_words() -> None:
    """It must hold that the source names the map, its value and the metric."""
    assert claim("count", SWAP).source.item == "map(2) = 1.0 under SymmetricDistance()"
    assert claim("replaced", SWAP).level.epsilon >= 0.5
    assert "map(1) = 0.5" in claim("replaced", SWAP).source.item


def test_an_approximate_measurement_states_both_numbers() -> None:
    """It must hold that a pair (epsilon, delta) becomes an approximate claim."""
    level = claim("approximate", None, UNIT).level
    assert isinstance(level, ApproxDP)
    assert (float(level.epsilon), float(level.delta)) == opendp()["approximate"].map(1.0)


def test_a_response_differs_or_not() -> None:
    """It must hold that values without a distance are 1 apart, whichever they are."""
    assert abs(float(claim("response", None, [(True, False)]).level.epsilon) - np.log(3)) < 1e-9


@pytest.mark.parametrize(
    ("data", "neighbor", "d_in"),
    [
        ([0, 0], [1, 1], 2**0.5),
        ([0.1, 0], [0.3, 0], 0.2),
        ([0] * 3, [0.1] * 3, 0.03**0.5),
        ([1e-9, 1.0], [0, 1.0], 1e-9),
    ],
)
def test_distances_are_rounded_up(data: Any, neighbor: Any, d_in: float) -> None:
    """It must hold that d_in is the least double that is no smaller than the distance."""
    from fractions import Fraction

    promise = claim("l2", None, [(data, neighbor)])
    told = float(promise.source.item.removeprefix("map(").partition(")")[0])
    square = sum((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(data, neighbor, strict=True))
    assert Fraction(told) ** 2 >= square
    assert Fraction(np.nextafter(told, 0)) ** 2 < square
    assert abs(told - d_in) < 1e-9


UNSAID: dict[str, tuple[str, Relation | None, Any, str]] = {
    "no relation": (
        "sum",
        None,
        (),
        "metric is SymmetricDistance.*add-remove for map.1. or .*swap",
    ),
    "public size": ("mean", ADD_REMOVE, (), "of a public size: give --relation swap for map.2."),
    "public size, none": ("mean", None, (), "of a public size: give --relation swap"),
    "no removal": ("replaced", ADD_REMOVE, (), "ChangeOneDistance.*: give --relation swap for map"),
    "values": ("laplace", SWAP, UNIT, "AbsoluteDistance.f64.: give --relation listed with --pair"),
    "no pair": ("laplace", None, (), "about listed pairs: give each with --pair"),
    "in order, listed": ("in order", LISTED, UNIT, "InsertDeleteDistance"),
    "a profile": ("profile", None, UNIT, "SmoothedMaxDivergence, which is none of"),
    "other lengths": ("l1", None, [([0], [0, 1])], "distance .* not known: they have 1 and 2"),
    "no numbers": ("laplace", None, [("a", "b")], "distance of a listed pair .* is not known"),
    "infinite": ("laplace", None, [(0.0, float("inf"))], "distance of a listed pair"),
}


@pytest.mark.parametrize("name", UNSAID)
def test_what_the_user_must_say_is_asked_for(name: str) -> None:
    """It must hold that an unclear relation is an error that says what to give."""
    measurement, relation, pairs, message = UNSAID[name]
    with pytest.raises(InvalidArgument, match=message):
        claim(measurement, relation, pairs)


def test_an_infinite_budget_is_no_claim() -> None:
    """It must hold that a library that promises nothing is not audited at infinity."""
    dp: Any = importlib.import_module("opendp.prelude")
    zero = dp.m.make_laplace(
        dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=0.0
    )
    offer = offer_of(zero, "zero")
    assert offer is not None
    assert offer.promise is not None
    with pytest.raises(InvalidArgument, match="states no finite budget, but inf"):
        offer.promise(None, UNIT)


def test_domains_tell_bounds_size_and_order() -> None:
    """It must hold that pairs are made within the library's own domain, where it has one."""
    offers = {name: offer_of(found, name) for name, found in opendp().items()}
    told: dict[str, Any] = {
        n: (o.bounds, o.count, o.order) for n, o in offers.items() if o is not None
    }
    assert told["sum"] == ((0, 4), None, Order.FREE)
    assert told["mean"] == ((0, 4), 10, Order.FREE)
    assert told["in order"] == ((0, 4), None, Order.FIXED)
    assert told["count"] == told["l1"] == told["laplace"] == (None, None, Order.FREE)


def test_data_have_the_type_of_the_domain(dp_rng: np.random.Generator) -> None:
    """It must hold that arrays become lists, and numbers integers where the domain is of these."""
    draws = target_of(opendp()["count"], "count").draw(np.array([0.0, 2.6]), 40, dp_rng)
    assert all(type(z) is int for z in draws)
    assert all(type(z) is float for z in target_of(opendp()["l1"], "l1").draw([1, 2], 1, dp_rng)[0])
    assert len(target_of(opendp()["integer"], "integer").draw(2, 5, dp_rng)) == 5
    answers = target_of(opendp()["response"], "response").draw(True, 60, dp_rng)
    assert set(answers) == {True, False}


@functools.cache
def others() -> dict[str, Any]:
    """Objects of diffprivlib and PyDP."""
    from diffprivlib import mechanisms as m
    from pydp.algorithms import numerical_mechanisms as n
    from pydp.algorithms.laplacian import BoundedSum, Count

    return {
        "laplace": m.Laplace(epsilon=0.5, sensitivity=2),
        "gaussian": m.GaussianAnalytic(epsilon=0.25, delta=1e-4, sensitivity=1),
        "geometric": m.Geometric(epsilon=2),
        "staircase": m.Staircase(epsilon=1, sensitivity=1),
        "binary": m.Binary(epsilon=1, value0="a", value1="b"),
        "snapping": m.Snapping(epsilon=1, sensitivity=1, lower=-10, upper=10),
        "infinite": m.Laplace(epsilon=float("inf"), sensitivity=1),
        "pydp laplace": n.LaplaceMechanism(0.5, 2.0),
        "pydp gaussian": n.GaussianMechanism(0.5, 1e-5, 1.0),
        "pydp scale": n.GaussianMechanism.create_from_standard_deviation(2.0),
        "pydp sum": BoundedSum(epsilon=0.5, lower_bound=0, upper_bound=1, dtype="float"),
        "pydp integers": BoundedSum(epsilon=400, lower_bound=0, upper_bound=9, dtype="int"),
        "pydp count": Count(epsilon=3.0, dtype="float"),
    }


STATED = {
    "laplace": ("diffprivlib", PureDP("1/2"), LISTED, "Laplace(epsilon=0.5, sensitivity=2)"),
    "gaussian": (
        "diffprivlib",
        ApproxDP("1/4", "1e-4"),
        LISTED,
        "GaussianAnalytic(epsilon=0.25, delta=0.0001, sensitivity=1)",
    ),
    "geometric": ("diffprivlib", PureDP(2), LISTED, "Geometric(epsilon=2, sensitivity=1)"),
    "binary": ("diffprivlib", PureDP(1), LISTED, "Binary(epsilon=1)"),
    "pydp laplace": (
        "python-dp",
        PureDP("1/2"),
        LISTED,
        "LaplaceMechanism(epsilon=0.5, sensitivity=2)",
    ),
    "pydp gaussian": (
        "python-dp",
        ApproxDP("1/2", "1e-5"),
        LISTED,
        "GaussianMechanism(epsilon=0.5, delta=1e-05, sensitivity=1)",
    ),
    "pydp sum": ("python-dp", PureDP("1/2"), ADD_REMOVE, "BoundedSum(epsilon=0.5)"),
    "pydp count": ("python-dp", PureDP(3), ADD_REMOVE, "Count(epsilon=3)"),
}


@pytest.mark.parametrize("name", STATED)
def test_an_object_s_own_budget_is_its_claim(name: str) -> None:
    """It must hold that epsilon and delta are read off the object, and the library is named."""
    library, level, relation, item = STATED[name]
    target = target_of(others()[name], name)
    assert target.claim is not None
    assert (target.claim.level, target.claim.relation) == (level, relation)
    assert target.claim.source.paper.startswith(f"{library} ")
    assert target.claim.source.item == item
    assert target.library == library


@pytest.mark.parametrize("name", ["infinite", "pydp scale"])
def test_what_is_no_promise_is_no_claim(name: str) -> None:
    """It must hold that an epsilon of 0 or infinity is not read as a claim."""
    assert target_of(others()[name], name).claim is None


@pytest.mark.parametrize("name", ["laplace", "gaussian", "geometric", "staircase", "snapping"])
def test_our_generator_drives_mechanisms_of_diffprivlib(name: str) -> None:
    """It must hold that a seed repeats the draws, another changes them, and the object is left."""
    found = others()[name]
    before = found._rng
    target = target_of(found, name)
    first, same, other = (
        repr(list(target.draw(0, 20, np.random.default_rng(seed)))) for seed in (5, 5, 6)
    )
    assert target.seedable
    assert first == same != other
    assert found._rng is before


def test_words_are_values_too(dp_rng: np.random.Generator) -> None:
    """It must hold that a mechanism of texts gets texts."""
    assert set(target_of(others()["binary"], "b").draw("a", 60, dp_rng)) == {"a", "b"}


def test_algorithms_of_integers_get_integers(dp_rng: np.random.Generator) -> None:
    """It must hold that an algorithm of type int is given integers, and its sum is one."""
    draws = target_of(others()["pydp integers"], "sum").draw(np.array([3.0, 4.0]), 20, dp_rng)
    assert set(draws) == {7}  # PyDP takes no seed: noise of scale 9/400 rounds off but for exp(-22)
    assert not target_of(others()["pydp sum"], "sum").seedable


def test_pairs_beyond_the_sensitivity_are_refused() -> None:
    """It must hold that a claim is not applied to values that are further apart than it says."""
    for name in ("laplace", "pydp laplace"):
        promise = target_of(others()[name], name).promise
        assert promise is not None
        assert promise(None, [(0.0, 2.0), (1, -1)]).level == PureDP("1/2")
        with pytest.raises(InvalidData, match=r"0\.0 and 2\.5 of a listed pair are 2\.5 apart"):
            promise(None, [(0.0, 2.5)])
        with pytest.raises(NotImplied, match="implies nothing under swap"):
            promise(SWAP, ())


def test_other_objects_are_not_taken_for_a_library_s() -> None:
    """It must hold that only the libraries' own types are recognized."""

    class Measurement:
        epsilon = 1.0

    for found in (Measurement(), 3, print, others, None):
        assert offer_of(found, "x") is None


SOURCE = """
import opendp.prelude as dp

dp.enable_features("contrib")
space = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0), nan=False)), dp.symmetric_distance()
noisy_sum = space >> dp.t.then_sum() >> dp.m.then_laplace(0.5)
"""


@pytest.mark.slow
def test_a_measurement_of_a_file_is_audited(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the claim is map(1), that --epsilon wins, and that silence is exit 2."""
    (tmp_path / "with_opendp.py").write_text(SOURCE)
    (tmp_path / "p.json").write_text('{"data": [0], "neighbor": [0, 1]}')
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        words = ["audit", "with_opendp.py:noisy_sum", "--pair", "p.json", "--seed", "1"]
        assert main(words) == 2
        assert "--relation add-remove for map(1)" in capsys.readouterr().err
        request = Request(words[1], relation="add-remove")
        read = plan_audit(request, stated_in="here").claim
        assert 2 <= read.level.epsilon < 2 + 1e-6  # type: ignore[union-attr]
        assert main([*words, "--relation", "add-remove", "--epsilon", "1/4"]) == 1
        assert "source: user, command line" in capsys.readouterr().out


def test_parameters_of_an_object_are_settled() -> None:
    """It must hold that --param on a finished object is an error."""
    with pytest.raises(InvalidArgument, match="is a finished mechanism: it has no parameter scale"):
        target_of(opendp()["sum"], "sum", parameters={"scale": 1})


def test_a_class_that_hides_its_arguments_is_no_target() -> None:
    """It must hold that a class without a signature is an error with a way out."""
    from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

    with pytest.raises(InvalidArgument, match="make an object in a file"):
        target_of(LaplaceMechanism, "pydp", parameters={"epsilon": 1})
