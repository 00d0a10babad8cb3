"""What must hold of every account, whatever its parts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.composition import laws
from proofs_check.composition.cells import law_on
from proofs_check.composition.choice import Disagreement, check_overlap
from proofs_check.composition.closed_forms import OneLoss, two_valued
from proofs_check.composition.nodes import Nodes, powers
from proofs_check.composition.parts import Part
from proofs_check.composition.sums import lattice_of, steps_of
from proofs_check.enclosure import Balls, endpoints
from proofs_check.ends import Enclosed
from tests.audit.accounting.plans import DELTA, composed
from tests.slow import by_default

FEW = settings(max_examples=6, deadline=None)
"""Each example is a composition or two, of a tenth of a second."""

rates = st.sampled_from(["1/1000", "1/10", "1/2", "9/10"])
counts = st.integers(1, 20)
numbers = st.fractions(Fraction(1, 2), 20, max_denominator=8)


def total(*steps: dict[str, Any], delta: str = DELTA) -> Enclosed:
    """Ends of the total epsilon, after a few tries."""
    return composed(steps).epsilon(Fraction(delta))


@st.composite
def noises(draw: Any) -> dict[str, Any]:
    """Additive noise, and what it is a parameter of."""
    name = draw(st.sampled_from(["gaussian", "laplace", "geometric", "discrete-gaussian"]))
    key = {"gaussian": "sigma", "laplace": "scale", "geometric": "t"}.get(name, "sigma_squared")
    return {"event": name, key: str(draw(numbers)), "sensitivity": draw(st.integers(1, 3))}


def at_most(first: Enclosed, second: Enclosed) -> bool:
    """Whether two totals may be in this order."""
    return first.lower is not None and (second.upper is None or first.lower <= second.upper)


def overlap(first: Enclosed, second: Enclosed) -> bool:
    """Whether two totals may be the same."""
    return at_most(first, second) and at_most(second, first)


def more(step: dict[str, Any]) -> dict[str, Any]:
    """The same noise at twice its parameter."""
    key = next(key for key in step if key not in ("event", "sensitivity"))
    return step | {key: str(2 * Fraction(step[key]))}


@pytest.mark.slow
@FEW
@given(noises(), counts)
def test_more_noise_and_fewer_releases_lose_less(step: dict[str, Any], count: int) -> None:
    """It must hold, and that the two totals differ."""
    whole, one = total(step | {"count": count}), total(step)
    assert at_most(one, whole)
    assert at_most(total(more(step) | {"count": count}), whole)
    assert at_most(whole, total(step | {"count": count, "sensitivity": 6}))
    assert count == 1 or not at_most(total(step | {"count": 4 * count}), one)


@pytest.mark.long
@settings(FEW, max_examples=2)
@given(noises(), counts)
def test_the_total_is_at_most_the_sum(step: dict[str, Any], count: int) -> None:
    """It must hold of (k e, k d), whatever the parts."""
    one = total(step, delta="1e-6")
    assert one.upper is not None
    whole = composed([step | {"count": count}]).delta(count * one.upper)
    assert whole[0] <= count * Fraction("1e-6")


@settings(FEW, max_examples=2)
@given(noises(), rates, rates)
def test_a_larger_sample_loses_more(step: dict[str, Any], first: str, second: str) -> None:
    """It must hold, and that a rate of 1 is no sampling and a rate of 0 no release."""
    sampled = step | {"event": f"poisson-{step['event']}"}
    low, high = sorted([first, second], key=Fraction)
    assert at_most(total(sampled | {"q": low}), total(sampled | {"q": high}))
    assert overlap(total(sampled | {"q": 1}), total(step))
    assert total(sampled | {"q": 0}) == Enclosed(Fraction(0), Fraction(0))
    assert not overlap(total(sampled | {"q": "1/2"}), total(step))


@pytest.mark.slow
@FEW
@given(noises(), noises(), counts)
def test_the_order_and_the_split_do_not_matter(
    first: dict[str, Any], second: dict[str, Any], count: int
) -> None:
    """It must hold of two steps, and of one step in two parts."""
    steps = [first | {"count": count}, second]
    assert overlap(total(*steps), total(*reversed(steps)))
    parts = [first | {"count": count - count // 2}, second, first | {"count": count // 2}]
    assert overlap(total(*parts), total(*steps))
    assert at_most(total(first), total(*steps))


def test_nothing_loses_nothing() -> None:
    """It must hold of an empty plan, of a count of 0, and of a sensitivity of 0."""
    zero = Enclosed(Fraction(0), Fraction(0))
    step = {"event": "laplace", "scale": 1, "sensitivity": 1}
    assert total() == total(step | {"count": 0}) == total(step | {"sensitivity": 0}) == zero
    assert total(step) != zero


@FEW
@given(noises(), counts)
def test_delta_falls_and_is_convex(step: dict[str, Any], count: int) -> None:
    """It must hold of delta as a function of e^epsilon, as far as the ends can tell."""
    whole = composed([step | {"count": count}])
    points = [Fraction(number, 2) for number in range(4)]
    deltas = [whole.delta(point) for point in points]
    assert all(deltas[i + 1][0] <= deltas[i][1] for i in range(3))
    factors = [Balls(128).exp(Balls(128).rational(point)) for point in points]
    for i in (0, 1):
        share = (factors[i + 2] - factors[i + 1]) / (factors[i + 2] - factors[i])
        chord = endpoints(share * deltas[i][1] + (1 - share) * deltas[i + 2][1])[1]
        assert deltas[i + 1][0] <= chord


LAWS: dict[str, laws.Law] = {
    "gaussian": laws.Gaussian(Fraction(1)),
    "laplace": laws.Laplace(Fraction(1)),
    "geometric": laws.Geometric(3, Fraction(2)),
    "discrete gaussian": laws.DiscreteGaussian(2, Fraction(3)),
    "removed": laws.Sampled(laws.Gaussian(Fraction(1)), Fraction(1, 10), adds=False),
    "added": laws.Sampled(laws.Gaussian(Fraction(1)), Fraction(1, 10), adds=True),
    "removed laplace": laws.Sampled(laws.Laplace(Fraction(1)), Fraction(1, 3), adds=False),
    "added geometric": laws.Sampled(laws.Geometric(2, Fraction(2)), Fraction(1, 3), adds=True),
    "table": laws.LossTable(
        (
            (laws.Loss(Fraction(-1), Fraction(5, 2)), Fraction(1, 5)),
            (laws.Loss(Fraction(1), Fraction(8, 7)), Fraction(4, 5)),
        )
    ),
}
STEPS = [laws.Loss(Fraction(1, 7)), laws.Loss(Fraction(1, 4)), laws.Loss(Fraction(1), Fraction(3))]


@pytest.mark.parametrize("step", STEPS, ids=["1/7", "1/4", "ln 3"])
@pytest.mark.parametrize(
    "name", by_default([name for name in LAWS if name != "discrete gaussian"], LAWS)
)
def test_laws_on_nodes_enclose_the_law(name: str, step: laws.Loss) -> None:
    """It must hold at every epsilon, between and on nodes, of windows that cut tails, too."""
    form = OneLoss(LAWS[name])
    for window in ((-60, 60), (-3, 4), (0, 1), (2, 9), (-9, -2)):
        lower, upper = law_on(LAWS[name], Nodes(step), window)
        for number in range(-14, 30):
            epsilon = Fraction(number, 9) + Fraction(1, 1000)
            least, most = form.excess(epsilon)
            assert endpoints(lower.excess(epsilon))[0] <= most, (window, epsilon)
            assert endpoints(upper.excess(epsilon))[1] >= least, (window, epsilon)


@pytest.mark.parametrize("window", [(-40, 40), (-2, 3), (0, 6), (3, 9)])
@pytest.mark.parametrize("count", [2, 7])
def test_products_enclose_the_sum(count: int, window: tuple[int, int]) -> None:
    """It must hold of windows that cut off what matters, at every epsilon."""
    step = laws.Loss(Fraction(1, 4))
    law = laws.Geometric(1, Fraction(4))
    form = two_valued(law, count)
    assert form is not None
    pair = law_on(law, Nodes(step), (-1, 1))
    lower, upper = (powers(one, count, lambda _: window) for one in pair)
    for number in range(-14, 30):
        epsilon = Fraction(number, 9) + Fraction(1, 1000)
        least, most = form.excess(epsilon)
        assert endpoints(lower.excess(epsilon))[0] <= most
        assert endpoints(upper.excess(epsilon))[1] >= least
        if window[0] == -40:
            assert endpoints(upper.excess(epsilon) - lower.excess(epsilon))[1] < Fraction(1, 10**30)


@pytest.mark.parametrize("name", LAWS)
def test_nearer_nodes_are_nearer(name: str) -> None:
    """It must hold that both ends of two copies come together, to within a hundredth."""
    parts = (Part(LAWS[name], 2),)
    for step in list(steps_of(parts, 40.0))[4:5]:
        found = lattice_of(parts, step, 40.0)
        assert found is not None
        lower, upper = found.excess(Fraction(1, 10))
        assert 0 <= upper - lower < Fraction(1, 100)


def test_engines_are_held_against_each_other() -> None:
    """It must hold that an enclosure of another law is found out."""
    parts = (Part(LAWS["gaussian"], 1),)
    found = lattice_of(parts, laws.Loss(Fraction(1, 100)), 40.0)
    assert found is not None
    check_overlap(OneLoss(LAWS["gaussian"]), found, Fraction(1, 10**5))
    with pytest.raises(Disagreement, match="exclude each other"):
        check_overlap(OneLoss(laws.Gaussian(Fraction(11, 10))), found, Fraction(1, 10**5))


ATTACKS: dict[str, tuple[list[dict[str, Any]], str, str]] = {
    "the worse direction is the other one": (
        [{"event": "law", "p": ["1/2", "1/2"], "q": ["1/1000", "999/1000"]}],
        *("listed", "0.9"),
    ),
    "mass that only one law has": (
        [{"event": "law", "p": ["1", "0"], "q": ["999/1000", "1/1000"], "count": 50}],
        *("listed", "5"),
    ),
    "so often that each loss is nothing": (
        [{"event": "pure-dp", "epsilon": "1/1000000", "count": 10**9}],
        *("swap", "100"),
    ),
    "a part that is private at its own delta only": (
        [{"event": "approx-dp", "epsilon": 0, "delta": "1e-6", "count": 11}],
        *("swap", "1000"),
    ),
    "a loss far above all others": (
        [
            {"event": "law", "p": ["1/50000", "49999/50000"], "q": ["1e-9", "999999999/1e9"]},
            {"event": "gaussian", "sigma": 100, "sensitivity": 1},
        ],
        *("listed", "2"),
    ),
    "noise that is hardly any": (
        [{"event": "gaussian", "sigma": "1/1000", "sensitivity": 1}],
        *("add-remove", "499000"),
    ),
}
ATTACKS["a loss far above all others"][0][0]["q"] = ["1/1000000000", "999999999/1000000000"]
ATTACKS["a loss far above all others"][0][1] = {"event": "gdp", "mu": "1/100"}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_total_that_is_too_small_is_never_proved(name: str) -> None:
    """It must hold of plans on which an account can go wrong; each claim is too small."""
    steps, relation, claim = ATTACKS[name]
    lower, upper = composed(steps, relation, tries=3).delta(Fraction(claim))
    assert upper > Fraction("1e-5")
    assert lower >= 0
