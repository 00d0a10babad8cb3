"""The vocabulary of promises: levels, relations, claims, sources."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    TradeOff,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument

TENTH = Fraction(1, 10)

LEVELS: list[tuple[Callable[[], Level], str]] = [
    (lambda: PureDP(0.1), "epsilon = 1/10"),
    (lambda: ApproxDP("0.1", 1e-5), "epsilon = 1/10, delta = 1/100000"),
    (lambda: ZeroConcentratedDP("1/2"), "rho = 1/2"),
    (lambda: RenyiDP(2, 0.1), "Renyi order 2, epsilon = 1/10"),
    (lambda: GaussianDP(1), "mu = 1"),
    (lambda: TradeOff(((0, 1), (1, 0))), "trade-off through (0, 1), (1, 0)"),
    (lambda: PureDP(0.03333333333333334), "epsilon = 0.03333333333333334"),
    (lambda: PureDP(Fraction(10**20, 3)), f"epsilon = {10**20}/3"),
    (
        lambda: ApproxDP(1.0000000000000002, 1e-7),
        "epsilon = 1.0000000000000002, delta = 1/10000000",
    ),
    (lambda: PersonalizedDP((0.1, 1)), "budgets = (1/10, 1)"),
    (lambda: PersonalizedDP((1,) * 8), "budgets = (1, 1, 1, 1, 1, 1, 1, 1)"),
    (lambda: PersonalizedDP((1,) * 9), "budgets = (1, 1, 1, 1, 1, 1, 1, 1, ... for 9 users)"),
]


def test_levels_are_exact_values(subtests: pytest.Subtests) -> None:
    """It must hold that levels with equal parameters are equal and show them exactly."""
    for make, text in LEVELS:
        with subtests.test(make=make, text=text):
            level = make()
            assert str(level) == text
            assert level == make()
            assert len({level, make()}) == 1


def test_levels_cannot_be_changed(subtests: pytest.Subtests) -> None:
    """It must hold that a level is frozen."""
    for make in [make for make, _ in LEVELS]:
        with subtests.test(make=make):
            level = make()
            name = dataclasses.fields(level)[0].name
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(level, name, Fraction(2))


@pytest.mark.parametrize(
    ("make", "inside"),
    [
        (PureDP, [0, 1e9]),
        (lambda x: ApproxDP(x, 0), [0, 5]),
        (lambda x: ApproxDP(1, x), [0, 1e-300, 1]),
        (ZeroConcentratedDP, [0, 3]),
        (lambda x: RenyiDP(x, 1), ["1.0000000001", 1e6]),
        (lambda x: RenyiDP(2, x), [0, 7]),
        (GaussianDP, [0, 2]),
        (lambda x: PersonalizedDP((1, x)), [0, 9]),
    ],
)
def test_levels_accept_the_closed_domain(make: Callable[[Any], Level], inside: list[Any]) -> None:
    """It must hold that every level is defined up to the ends of its domain."""
    for value in inside:
        assert isinstance(make(value), Level)


OUTSIDE = [
    (PureDP, -1e-9, "epsilon must be at least 0"),
    (lambda x: ApproxDP(x, 0), "-1/2", "epsilon must be at least 0"),
    (lambda x: ApproxDP(1, x), -1e-300, "delta must be at least 0"),
    (lambda x: ApproxDP(1, x), "1.0000001", "delta must be at most 1"),
    (ZeroConcentratedDP, -1, "rho must be at least 0"),
    (lambda x: RenyiDP(x, 1), 1, "alpha must be greater than 1"),
    (lambda x: RenyiDP(2, x), -1, "epsilon must be at least 0"),
    (GaussianDP, -1, "mu must be at least 0"),
    (lambda x: PersonalizedDP((1, x)), -1, "budgets must be at least 0"),
]


def test_levels_refuse_what_is_outside(subtests: pytest.Subtests) -> None:
    """It must hold that a parameter just outside its domain is refused by name."""
    for make, value, message in OUTSIDE:
        with (
            subtests.test(make=make, value=value, message=message),
            pytest.raises(InvalidArgument, match=message),
        ):
            make(value)


def test_levels_refuse_what_is_no_number(subtests: pytest.Subtests) -> None:
    """It must hold that no parameter of any level is a truth value, NaN, infinite or a word."""
    for make in [case[0] for case in OUTSIDE]:
        with subtests.test(make=make):
            for value in [True, math.nan, math.inf, "x", None, np.bool_(True)]:
                with pytest.raises(InvalidArgument, match="must be a finite number"):
                    make(value)


def test_personalized_level_names_a_user() -> None:
    """It must hold that a personalized promise to nobody is refused."""
    with pytest.raises(InvalidArgument, match="at least one user"):
        PersonalizedDP(())


BAD_KNOTS = [
    ((), "must run from level 0"),
    (((0, 1),), "must run from level 0"),
    (((0.1, 0.9), (1, 0)), "must run from level 0"),
    (((0, 1), (0.9, 0)), "must run from level 0"),
    (((0, 1), (1, 0.1)), "must run from level 0"),
    (((0, 1), (0.5, 0.2), (0.5, 0.1), (1, 0)), "increasing levels"),
    (((0, 1), (0.6, 0.2), (0.4, 0.1), (1, 0)), "increasing levels"),
    (((0, 1), (0.5, 0.5000001), (1, 0)), r"f\(a\) <= 1 - a"),
    (((0, 0.9), (0.3, 0.1), (0.6, 0.09), (0.7, 0), (1, 0)), "convex"),
    (((0, 0.2), (0.3, 0.3), (1, 0)), "convex and non-increasing"),
    (((0, 1), (0.5, 1.5), (1, 0)), r"knots \(error\) must be at most 1"),
    (((0, 1), (-0.5, 0.5), (1, 0)), r"knots \(level\) must be at least 0"),
    (((0, math.nan), (1, 0)), r"knots \(error\) must be a finite number"),
]


def test_trade_off_curves_are_checked(subtests: pytest.Subtests) -> None:
    """It must hold that knots which are no trade-off curve are refused with the broken law."""
    for knots, message in BAD_KNOTS:
        with (
            subtests.test(knots=knots, message=message),
            pytest.raises(InvalidArgument, match=message),
        ):
            TradeOff(knots)


def test_convexity_is_exact() -> None:
    """It must hold that a straight middle knot is convex and one 1e-30 above it is not."""
    tiny = Fraction(1, 10**30)
    on_line = (Fraction(2, 5), Fraction(3, 10))
    ends = ((0, Fraction(1, 2)), (1, 0))
    assert TradeOff((ends[0], on_line, ends[1]))(Fraction(2, 5)) == Fraction(3, 10)
    assert TradeOff((ends[0], (on_line[0], on_line[1] - tiny), ends[1]))
    with pytest.raises(InvalidArgument, match="convex"):
        TradeOff((ends[0], (on_line[0], on_line[1] + tiny), ends[1]))


def test_trade_off_interpolates_exactly() -> None:
    """It must hold that the curve is linear between its knots and exact at them."""
    curve = TradeOff(((0, 1), ("1/4", "1/4"), (1, 0)))
    levels = [Fraction(k, 8) for k in range(9)]
    values = ["1", "5/8", "1/4", "5/24", "1/6", "1/8", "1/12", "1/24", "0"]
    assert [curve(a) for a in levels] == [Fraction(v) for v in values]


@pytest.mark.parametrize("level", [Fraction(-1, 10**9), 1 + Fraction(1, 10**9)], ids=str)
def test_trade_off_is_defined_on_the_unit_interval(level: Fraction) -> None:
    """It must hold that a level outside [0, 1] is refused."""
    with pytest.raises(InvalidArgument, match=r"level must lie in \[0, 1\]"):
        TradeOff(((0, 1), (1, 0)))(level)


@given(
    st.lists(st.fractions(min_value=0, max_value=10, max_denominator=12), min_size=1, max_size=5),
    st.fractions(min_value=0, max_value=1, max_denominator=30),
)
def test_maximum_of_lines_is_a_trade_off_curve(slopes: list[Fraction], level: Fraction) -> None:
    """It must hold that the largest of lines 1 - s a and (1 - a) / s, s >= 1, is a curve."""
    lines = [(Fraction(1), -(1 + s)) for s in slopes]
    lines += [(1 / (1 + s), -1 / (1 + s)) for s in slopes]

    def curve(a: Fraction) -> Fraction:
        return max(c + m * a for c, m in lines)

    crossings = {Fraction(0), Fraction(1)}
    for c, m in lines:
        for c1, m1 in lines:
            if m != m1 and 0 < (c1 - c) / (m - m1) < 1:
                crossings.add((c1 - c) / (m - m1))
    assert TradeOff(tuple((a, curve(a)) for a in sorted(crossings)))(level) == curve(level)


def test_claim_shows_level_and_relation() -> None:
    """It must hold that a claim names its relation, and its source the paper and the item."""
    claim = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("KSW", "Theorem 2"))
    assert str(claim) == "epsilon = 1 (add-remove)"
    assert str(claim.source) == "KSW, Theorem 2"
    assert claim.derived == ()


def test_words_of_the_command_line() -> None:
    """It must hold that relations and orders are the words of the command line."""
    assert [relation.value for relation in Relation] == ["add-remove", "swap", "listed"]
    assert [order.value for order in Order] == ["free", "fixed"]
    assert Relation("swap") is Relation.SWAP
