"""What one promise implies about another: every step is true, as tight as its theorem, sourced."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    TradeOff,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument, NotImplied
from mechanisms.group_privacy import (
    GROUP_APPROX,
    GROUP_PURE,
    GROUP_RENYI,
    GROUP_TRADE_OFF,
    GROUP_ZCDP,
    add_remove_to_swap,
    under_relation,
)
from mechanisms.implications import (
    GAUSSIAN_TO_APPROX,
    PURE_IS_APPROX,
    PURE_TO_ZCDP,
    ZCDP_TO_APPROX,
    gaussian_delta,
    gaussian_to_approx,
    pure_to_approx,
    pure_to_zcdp,
    under_level,
    zcdp_to_approx,
)
from proofs_check.enclosure import Ball, Balls, endpoints

BALLS = Balls(400)
STATED = Source("user", "stated")

parameters = st.fractions(min_value=Fraction(1, 100), max_value=20, max_denominator=100)
deltas = st.builds(
    lambda k, m: Fraction(m, 10 * 10**k), st.integers(0, 30), st.integers(min_value=1, max_value=9)
)


def ball_delta(mu: Fraction, epsilon: Fraction, balls: Balls) -> Ball:
    """Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), enclosed."""
    root, ratio = balls.sqrt(balls.rational(Fraction(2))), epsilon / mu
    first, second = (balls.erfc(balls.rational(ratio + s) / root) / 2 for s in (-mu / 2, mu / 2))
    return first - balls.exp(balls.rational(epsilon)) * second


def trade_off(p: list[Fraction], q: list[Fraction]) -> TradeOff:
    """Neyman-Pearson curve of telling p from q, exactly: reject outcomes of largest q / p first."""
    order = sorted(range(len(p)), key=lambda k: q[k] / p[k], reverse=True)
    knots = [(Fraction(0), Fraction(1))]
    for k in order:
        level, error = knots[-1]
        knots.append((level + p[k], error - q[k]))
    return TradeOff(tuple(knots))


def randomized_response(growth: Fraction) -> TradeOff:
    """Trade-off curve of e^epsilon-randomized response, e^epsilon = growth rational."""
    corner = 1 / (1 + growth)
    return TradeOff(((0, 1), (corner, corner), (1, 0)))


def geometric_outcomes(shift: int, growth: Fraction) -> list[Fraction]:
    """Two-sided geometric law around shift: P(k <= 0), P(1), P(2), P(k >= 3), b = 1 / growth."""
    b = 1 / growth

    def pmf(k: int) -> Fraction:
        return (1 - b) / (1 + b) * b ** abs(k - shift)

    # Both rests are geometric tails, as 0 <= shift <= 2.
    return [pmf(0) / (1 - b), pmf(1), pmf(2), pmf(3) / (1 - b)]


@given(parameters)
def test_pure_is_approximate_with_delta_zero(epsilon: Fraction) -> None:
    """It must hold that epsilon-DP is (epsilon, 0)-DP with the same epsilon."""
    assert pure_to_approx(PureDP(epsilon)) == ApproxDP(epsilon, 0)


@given(parameters)
def test_pure_to_concentrated_is_half_the_square(epsilon: Fraction) -> None:
    """It must hold that rho is epsilon^2 / 2, exactly."""
    assert pure_to_zcdp(PureDP(epsilon)).rho == epsilon * epsilon / 2


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_pure_to_concentrated_is_true_and_sharp(epsilon: float) -> None:
    """It must hold that randomized response obeys rho and, for small epsilon, not 0.99 rho."""
    rho = float(pure_to_zcdp(PureDP(epsilon)).rho)
    p = 1 / (1 + math.exp(-epsilon))
    q = 1 - p
    orders = 1 + np.logspace(-6, 2, 200)
    divergence = np.log(p * (p / q) ** (orders - 1) + q * (q / p) ** (orders - 1)) / (orders - 1)
    largest = float(np.max(divergence / orders))
    assert largest <= rho
    if epsilon == 0.1:
        assert largest > 0.99 * rho


@given(rho=parameters, delta=deltas)
@example(rho=Fraction(1), delta=Fraction(1))
@example(rho=Fraction(10**12), delta=Fraction(1, 10**300))
@example(rho=Fraction(1, 10**30), delta=Fraction(999999, 1000000))
def test_concentrated_to_approximate_is_rounded_up(rho: Fraction, delta: Fraction) -> None:
    """It must hold that epsilon is at least rho + 2 sqrt(rho ln(1/delta)), by at most 1e-15."""
    level = zcdp_to_approx(ZeroConcentratedDP(rho), delta)
    root = BALLS.sqrt(BALLS.rational(rho) * _log(1 / delta))
    lower, upper = endpoints(BALLS.rational(rho) + 2 * root)
    assert upper <= level.epsilon <= lower * (1 + Fraction(1, 10**15))
    assert level.delta == delta


def _log(x: Fraction) -> Ball:
    return BALLS.rational(Fraction(0)) if x == 1 else BALLS.log(BALLS.rational(x))


@given(rho=parameters, delta=deltas)
def test_concentrated_to_approximate_holds_for_the_gaussian(rho: Fraction, delta: Fraction) -> None:
    """It must hold that Gaussian noise of rho = mu^2 / 2 needs no more than the stated delta."""
    epsilon = zcdp_to_approx(ZeroConcentratedDP(rho), delta).epsilon
    assert gaussian_delta(math.sqrt(2 * rho), float(epsilon)) <= delta


def test_nothing_concentrated_is_nothing_approximate() -> None:
    """It must hold that rho = 0 gives epsilon = 0, and the result can be printed."""
    assert str(zcdp_to_approx(ZeroConcentratedDP(0), "1e-5")) == "epsilon = 0, delta = 1/100000"


@pytest.mark.parametrize("delta", [0, -0.1, 1.1, math.nan])
def test_concentrated_to_approximate_needs_a_delta(delta: float) -> None:
    """It must hold that delta lies in (0, 1]."""
    with pytest.raises(InvalidArgument, match="delta must be"):
        zcdp_to_approx(ZeroConcentratedDP(1), delta)


def test_gaussian_delta_at_one() -> None:
    """It must hold that mu = 1 has delta(1) = 0.126936737506643946, and the balls agree."""
    value = 0.126936737506643946
    lower, upper = endpoints(ball_delta(Fraction(1), Fraction(1), BALLS))
    assert float(lower) == float(upper) == pytest.approx(value, rel=1e-16, abs=0)
    assert gaussian_delta(1, 1) == pytest.approx(value, rel=1e-15, abs=0)
    assert gaussian_delta(1, 0) == pytest.approx(math.erf(0.5 / math.sqrt(2)), rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(1e10, 0.0), (1.0, 0.0), (0.0, 0.0), (-1.0, 1 - math.exp(-1))]
)
def test_gaussian_delta_without_signal(epsilon: float, delta: float) -> None:
    """It must hold that mu = 0 has delta max(0, 1 - e^epsilon)."""
    assert gaussian_delta(0, epsilon) == pytest.approx(delta, rel=1e-15, abs=0)


@given(
    mu=st.fractions(min_value=Fraction(1, 5), max_value=30, max_denominator=1000),
    epsilon=st.fractions(min_value=0, max_value=40, max_denominator=1000),
)
@example(mu=Fraction(1), epsilon=Fraction(40))
@example(mu=Fraction(1), epsilon=Fraction(60))
@example(mu=Fraction(1, 1000), epsilon=Fraction(0))
@example(mu=Fraction(1, 1000), epsilon=Fraction(1, 100))
@example(mu=Fraction(30), epsilon=Fraction(450))
@example(mu=Fraction(1, 10**9), epsilon=Fraction(1, 10**9))
@example(mu=Fraction(10**4), epsilon=Fraction(10**8, 2))
def test_gaussian_to_approximate_is_rounded_up(mu: Fraction, epsilon: Fraction) -> None:
    """It must hold that the stated delta is at least the true one, and close if that is large."""
    lower, upper = endpoints(ball_delta(mu, epsilon, BALLS))
    delta = gaussian_to_approx(GaussianDP(mu), epsilon).delta
    assert delta >= upper
    if lower > Fraction(1, 10**6):
        assert delta <= lower * (1 + Fraction(1, 10**6))


@pytest.mark.parametrize(
    ("mu", "epsilon", "delta"),
    [("1e400", 0, 1), ("1e400", 5, 1), (0, "1e400", 0), (0, 0, 0)],
)
def test_gaussian_to_approximate_beyond_doubles(mu: str, epsilon: str, delta: int) -> None:
    """It must hold that parameters no double can hold give a true delta, not an error."""
    assert gaussian_to_approx(GaussianDP(mu), epsilon).delta == delta


@pytest.mark.parametrize("mu", ["1e-400", "1e-300"])
def test_tiny_gaussian_delta_is_not_rounded_to_zero(mu: str) -> None:
    """It must hold that delta(0), nearly mu / sqrt(2 pi), is met from above and no delta is 0."""
    at_zero = gaussian_to_approx(GaussianDP(mu), 0).delta
    assert at_zero > Fraction(mu) * Fraction("0.3989422804014327")
    assert at_zero < Fraction(1, 10**14)
    assert gaussian_to_approx(GaussianDP(mu), "1e10").delta > 0


SWAPPED_LEVELS = [
    (PureDP("0.1"), PureDP("0.2"), GROUP_PURE),
    (ApproxDP(0, "1e-5"), None, GROUP_APPROX),
    (ZeroConcentratedDP("1/3"), ZeroConcentratedDP("4/3"), GROUP_ZCDP),
    (GaussianDP("0.7"), GaussianDP("1.4"), GROUP_TRADE_OFF),
    (RenyiDP(4, "0.1"), RenyiDP(2, "0.3"), GROUP_RENYI),
    (RenyiDP(9, 1), RenyiDP("9/2", 3), GROUP_RENYI),
    (TradeOff(((0, 1), (1, 0))), TradeOff(((0, 1), (1, 0))), GROUP_TRADE_OFF),
]


def test_add_remove_to_swap_names_its_theorem(subtests: pytest.Subtests) -> None:
    """It must hold that each level doubles by its own group theorem, and the claim says which."""
    for level, swap, source in SWAPPED_LEVELS:
        with subtests.test(level=level, swap=swap, source=source):
            seen, reason = add_remove_to_swap(level)
            assert reason == source
            assert type(seen) is type(level)
            if swap is not None:
                assert seen == swap
            claim = PrivacyClaim(level, Relation.ADD_REMOVE, STATED)
            derived = under_relation(claim, Relation.SWAP)
            assert derived == PrivacyClaim(seen, Relation.SWAP, STATED, (source,))


@pytest.mark.parametrize(
    "level",
    [RenyiDP("3.999999", 1), RenyiDP(2, 0), PersonalizedDP((1, 2))],
    ids=["renyi-below-4", "renyi-2", "personalized"],
)
def test_no_theorem_no_claim(level: Level) -> None:
    """It must hold that nothing is derived where the suite knows no theorem."""
    with pytest.raises(NotImplied, match="no implication from add-remove to swap"):
        add_remove_to_swap(level)
    with pytest.raises(NotImplied):
        under_relation(PrivacyClaim(level, Relation.ADD_REMOVE, STATED), Relation.SWAP)


RELATIONS = list(Relation)


def test_relations_imply_only_themselves_and_swap(subtests: pytest.Subtests) -> None:
    """It must hold that a claim stays itself under its relation, and only add-remove gives swap."""
    for wanted in RELATIONS:
        for stated in RELATIONS:
            with subtests.test(wanted=wanted, stated=stated):
                claim = PrivacyClaim(PureDP(1), stated, STATED)
                if stated is wanted:
                    assert under_relation(claim, wanted) is claim
                elif (stated, wanted) == (Relation.ADD_REMOVE, Relation.SWAP):
                    assert under_relation(claim, wanted).level == PureDP(2)
                else:
                    words = f"under {stated.value} implies nothing under {wanted.value}"
                    with pytest.raises(NotImplied, match=words):
                        under_relation(claim, wanted)


def test_derivations_add_up() -> None:
    """It must hold that earlier steps of a derivation are kept in order."""
    claim = PrivacyClaim(ZeroConcentratedDP(1), Relation.ADD_REMOVE, STATED, (PURE_TO_ZCDP,))
    assert under_relation(claim, Relation.SWAP).derived == (PURE_TO_ZCDP, GROUP_ZCDP)


STEPS = [
    PURE_IS_APPROX,
    PURE_TO_ZCDP,
    ZCDP_TO_APPROX,
    GAUSSIAN_TO_APPROX,
    GROUP_PURE,
    GROUP_APPROX,
    GROUP_ZCDP,
    GROUP_RENYI,
    GROUP_TRADE_OFF,
]


def test_every_step_has_a_paper_with_a_year_and_an_item(subtests: pytest.Subtests) -> None:
    """It must hold that each step says where it is proved."""
    for source in STEPS:
        with subtests.test(source=source):
            assert source.paper[-4:].isdigit()
            assert source.item


@given(epsilon=parameters, delta=deltas)
def test_group_delta_is_rounded_up(epsilon: Fraction, delta: Fraction) -> None:
    """It must hold that delta becomes (1 + e^epsilon) delta from above, by at most 1e-15, or 1."""
    swap, _ = add_remove_to_swap(ApproxDP(epsilon, delta))
    assert isinstance(swap, ApproxDP)
    lower, upper = endpoints((BALLS.exp(BALLS.rational(epsilon)) + 1) * delta)
    assert swap.epsilon == 2 * epsilon
    assert swap.delta == 1 if upper >= 1 else upper <= swap.delta
    assert swap.delta <= min(Fraction(1), lower * (1 + Fraction(1, 10**15)))


@pytest.mark.parametrize(("delta", "swap_delta"), [(0, 0), ("1e-5", 1), (1, 1)])
def test_group_delta_of_huge_epsilon(delta: str, swap_delta: int) -> None:
    """It must hold that an epsilon beyond every exponential gives a true delta, not an error."""
    swap, _ = add_remove_to_swap(ApproxDP(10**7, delta))
    assert swap == ApproxDP(2 * 10**7, swap_delta)


@pytest.mark.parametrize("growth", [Fraction(3), Fraction(5, 4)], ids=str)
def test_doubled_curve_is_what_two_geometric_steps_reach(growth: Fraction) -> None:
    """It must hold that f(1 - f) of randomized response is the curve of geometric noise 2 apart.

    One step apart that noise has the curve f itself; both by sorting likelihood ratios.
    """
    zero, one, two = (geometric_outcomes(shift, growth) for shift in range(3))
    assert sum(zero) == sum(one) == sum(two) == 1
    f = randomized_response(growth)
    doubled, _ = add_remove_to_swap(f)
    assert isinstance(doubled, TradeOff)
    reached, single = trade_off(zero, two), trade_off(zero, one)
    for k in range(201):
        level = Fraction(k, 200)
        assert single(level) == f(level)
        assert reached(level) == doubled(level)


@pytest.mark.parametrize("growth", [Fraction(3), Fraction(10)], ids=str)
def test_doubled_randomized_response_has_four_corners(growth: Fraction) -> None:
    """It must hold that the corners are 1/(E (E + 1)) and 1/(E + 1), E = e^epsilon, both ways."""
    doubled, _ = add_remove_to_swap(randomized_response(growth))
    assert isinstance(doubled, TradeOff)
    small, large = 1 / (growth * (growth + 1)), 1 / (growth + 1)
    corners = [doubled.knots[0], *_bends(doubled), doubled.knots[-1]]
    assert corners == [(0, 1), (small, large), (large, small), (1, 0)]


def _bends(f: TradeOff) -> list[tuple[Fraction, Fraction]]:
    slopes = [(b1 - b0) / (a1 - a0) for (a0, b0), (a1, b1) in pairwise(f.knots)]
    inner = zip(f.knots[1:-1], pairwise(slopes), strict=True)
    return [knot for knot, (before, after) in inner if before != after]


@st.composite
def curves(draw: Callable[..., Fraction]) -> TradeOff:
    """Trade-off curves of two random laws on up to five outcomes."""
    size = draw(st.integers(1, 5))
    weights = st.lists(st.integers(1, 20), min_size=size, max_size=size)
    p, q = draw(weights), draw(weights)
    return trade_off([Fraction(x, sum(p)) for x in p], [Fraction(x, sum(q)) for x in q])


@given(f=curves(), level=st.fractions(min_value=0, max_value=1, max_denominator=97))
def test_doubled_curve_is_the_composition_everywhere(f: TradeOff, level: Fraction) -> None:
    """It must hold that the knots of f(1 - f) are all found: it is f(1 - f(a)) at every a."""
    doubled, _ = add_remove_to_swap(f)
    assert isinstance(doubled, TradeOff)
    assert doubled(level) == f(1 - f(level))


def test_pure_doubling_is_reached() -> None:
    """It must hold that two steps of geometric noise lose exactly 2 epsilon, and no less."""
    growth = Fraction(7, 2)
    zero, two = geometric_outcomes(0, growth), geometric_outcomes(2, growth)
    assert max(x / y for x, y in zip(zero, two, strict=True)) == growth**2


@given(mu=parameters, alpha=st.fractions(min_value=4, max_value=40, max_denominator=10))
def test_renyi_and_concentrated_doubling_hold_for_the_gaussian(
    mu: Fraction, alpha: Fraction
) -> None:
    """It must hold that order a of N(0, 1), N(2 mu, 1) is 4 rho a, and within the Renyi step."""

    def divergence(order: Fraction, shift: Fraction) -> Fraction:
        return order * shift**2 / 2

    concentrated, _ = add_remove_to_swap(ZeroConcentratedDP(mu**2 / 2))
    assert isinstance(concentrated, ZeroConcentratedDP)
    assert divergence(alpha, 2 * mu) == concentrated.rho * alpha
    renyi, _ = add_remove_to_swap(RenyiDP(alpha, divergence(alpha, mu)))
    assert isinstance(renyi, RenyiDP)
    assert divergence(renyi.alpha, 2 * mu) <= renyi.epsilon


@pytest.mark.parametrize(
    ("level", "kind", "parameters", "source"),
    [
        (PureDP("1/2"), ApproxDP, (), PURE_IS_APPROX),
        (PureDP("1/2"), ZeroConcentratedDP, (), PURE_TO_ZCDP),
        (ZeroConcentratedDP("1/8"), ApproxDP, ("1e-6",), ZCDP_TO_APPROX),
        (GaussianDP(1), ApproxDP, (1,), GAUSSIAN_TO_APPROX),
    ],
)
def test_a_level_implies_another_with_its_source(
    level: Any, kind: Any, parameters: Any, source: Any
) -> None:
    """It must hold that an implied claim keeps relation and origin, and names its theorem."""
    claim = PrivacyClaim(level, Relation.SWAP, STATED)
    implied = under_level(claim, kind, *parameters)
    assert isinstance(implied.level, kind)
    assert (implied.relation, implied.source, implied.derived) == (Relation.SWAP, STATED, (source,))


def test_unknown_level_steps_are_refused() -> None:
    """It must hold that nothing is implied without a theorem, and a level implies itself."""
    claim = PrivacyClaim(ApproxDP(1, "1/10"), Relation.SWAP, STATED)
    assert under_level(claim, ApproxDP) is claim
    with pytest.raises(NotImplied, match="from ApproxDP to PureDP"):
        under_level(claim, PureDP)
