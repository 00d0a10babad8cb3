"""Chances that queries stay silent: quadrature, the general law of the index, and ties."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.personalized.sparse.index_law import index_law
from mechanisms.personalized.sparse.silence import index_masses, silence, tie_masses
from proofs_check.enclosure import Balls, contains, endpoints
from tests.mechanisms.personalized.index_reference import slow_index_law

F = Fraction
NUMBERS = Balls(320)

EPSILON = st.sampled_from([F(1, 40), F(1), F(7, 3), F(20), F(90)])
BETA = st.sampled_from([F(19, 10), F(9, 40), F(1, 10), F(1, 10**4)])


@settings(max_examples=15)
@given(EPSILON, BETA, st.integers(1, 8))
def test_masses_are_those_of_the_noises(epsilon: Fraction, beta: Fraction, most: int) -> None:
    """For any number of misses the masses must agree with quadrature over the threshold."""
    scale = 1 / float(epsilon)
    silent = silence(epsilon, beta, most, numbers=NUMBERS)
    for misses in range(most + 2):
        answers = [-1.0] * min(misses, most) + [0.0] * max(0, most - misses)
        found = [float(endpoints(mass)[0]) for mass in index_masses(misses, silent, most)]
        theta = -6 * scale * math.log(2 / beta)
        slow = slow_index_law(answers, theta, 2 * scale, 4 * scale)
        np.testing.assert_allclose(found, slow, rtol=0, atol=1e-12)


def test_masses_are_the_general_ones(subtests: pytest.Subtests) -> None:
    """With 64 queries the balls must hold those of the law of any queries, and be narrow."""
    for misses in [0, 1, 10, 63, 64]:
        for beta in [F(9, 40), F(1, 10**6)]:
            with subtests.test(misses=misses, beta=beta):
                epsilon = F(801, 40)
                silent = silence(epsilon, beta, 64, numbers=NUMBERS)
                answers = (F(-1),) * misses + (F(0),) * (64 - misses)
                general = index_law(answers, epsilon, beta, numbers=NUMBERS)
                for mass, other in zip(index_masses(misses, silent, 64), general, strict=True):
                    lower, upper = endpoints(mass - other)
                    assert lower <= 0 <= upper
                    assert upper - lower < F(1, 10**40)


def test_masses_of_ties_are_the_closed_form() -> None:
    """Masses of 7 ties must be the tabulated tails' differences, and those of the noises."""
    tails = [F(1), F(1, 2), F(7, 24), F(3, 16), F(31, 240), F(3, 32), F(127, 1792), F(85, 1536)]
    found = tie_masses(7)
    assert found == [*(x - y for x, y in pairwise(tails)), tails[-1]]
    assert sum(tie_masses(64)) == 1
    general = index_law((F(0),) * 7, F(3), numbers=NUMBERS)
    assert all(contains(ball, mass) for ball, mass in zip(general, found, strict=True))


def test_192_bits_leave_twenty_digits() -> None:
    """The differences of 64 queries must keep 20 digits of 192 bits."""
    silent = silence(F(801, 40), F(9, 40), 64, numbers=Balls(192))
    for misses in (0, 10, 64):
        for mass in index_masses(misses, silent, 64):
            lower, upper = endpoints(mass)
            assert upper - lower < lower / 10**20
