"""The exact law of the index of a sparse vector: closed forms, quadrature, and its ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.laws import FLOATS
from mechanisms.personalized.sparse.index_law import index_law
from proofs_check.enclosure import Ball, Balls, certainly_less, contains, endpoints
from tests.mechanisms.personalized.index_reference import slow_index_law

F = Fraction
NUMBERS = Balls(256)

ANSWER = st.integers(-12, 12).map(lambda k: F(k, 2))
EPSILON = st.sampled_from([F(1, 4), F(1), F(7, 3), F(5)])
PART = st.sampled_from([F(2), F(9, 10), F(1, 10), F(1, 1000)])


def floats(law: Sequence[Ball]) -> list[float]:
    """The middles of balls."""
    return [float(sum(endpoints(mass), F(0)) / 2) for mass in law]


@settings(max_examples=40)
@given(st.lists(ANSWER, min_size=1, max_size=9), EPSILON, PART)
def test_law_is_that_of_the_noises(
    answers: list[Fraction], epsilon: Fraction, part: Fraction
) -> None:
    """It must agree with quadrature at the threshold -(6 / epsilon) ln(2 / part)."""
    scale = 1 / float(epsilon)
    theta = -6 * scale * math.log(2 / part)
    found = floats(index_law(tuple(answers), epsilon, part, numbers=NUMBERS))
    slow = slow_index_law([float(a) for a in answers], theta, 2 * scale, 4 * scale)
    np.testing.assert_allclose(found, slow, rtol=0, atol=1e-12)


@pytest.mark.parametrize("epsilon", [F(1, 7), F(1), F(400)])
def test_law_on_ties_is_the_closed_form(epsilon: Fraction) -> None:
    """On ties the balls must hold (4 - 2^(1-m)) / ((m+1)(m+2)) for every m up to the cap."""
    tail = NUMBERS.rational(F(1))
    for m, mass in enumerate(index_law((F(0),) * 64, epsilon, numbers=NUMBERS)):
        exact = (4 - F(2, 2**m)) / ((m + 1) * (m + 2))
        assert contains(tail, exact)
        assert not contains(tail, exact * (1 + F(1, 10**30)))
        tail = tail - mass
    assert contains(tail, F(0))


def test_masses_add_up_to_one() -> None:
    """It must hold that the masses of 32 different queries are positive and add up to 1."""
    law = index_law(tuple(F(k, 2) for k in range(-16, 16)), F(1), numbers=NUMBERS)
    assert len(law) == 33
    assert contains(sum(law, start=NUMBERS.rational(F(0))), F(1))
    assert all(certainly_less(0, mass) for mass in law)


def test_no_query_has_the_index_one() -> None:
    """Without queries the index must be 1."""
    (mass,) = index_law((), F(1), numbers=NUMBERS)
    assert contains(mass, F(1))


FAR = {
    "ties": (F(0),) * 64,
    "few records": tuple(F(-max(9 - k, 0)) for k in range(64)),
    "many far records": (F(-100),) * 3 + (F(0),) * 61,
    "many levels": tuple(F(-30 * (24 - k)) for k in range(24)),
}


@pytest.mark.parametrize("answers", FAR.values(), ids=FAR)
@pytest.mark.parametrize("epsilon", [F(1, 100), F(1), F(50)])
def test_law_in_doubles_is_that_of_balls(answers: tuple[Fraction, ...], epsilon: Fraction) -> None:
    """Doubles must be right to 1e-14, though terms cancel, or exceed the largest double."""
    found = index_law(answers, epsilon, F(1, 10), numbers=FLOATS)
    np.testing.assert_allclose(
        found,
        floats(index_law(answers, epsilon, F(1, 10), numbers=Balls(2000))),
        rtol=0,
        atol=1e-14,
    )


@pytest.mark.parametrize("side", [-1, 1])
def test_a_level_next_to_the_threshold_is_ordered(side: int) -> None:
    """A query 1e-60 beside -(6 / epsilon) ln(2 / beta) must keep the law continuous."""
    numbers = Balls(600)
    log = numbers.log(numbers.rational(F(1, 20)))
    near = sum(endpoints(log), F(0)) / 2 * 6 + F(side, 10**60)
    here, beside = (
        index_law((answer, F(-3)), F(1), F(1, 10), numbers=numbers)
        for answer in (near, near + F(side, 10))
    )
    gap = abs(here[0] - F(1, 2))
    assert certainly_less(gap, F(1, 10**59))
    assert certainly_less(F(1, 10**3), abs(beside[0] - F(1, 2)))
    assert contains(sum(here, start=numbers.rational(F(0))), F(1))
