"""Sums of few values in closed form, against all their outcomes one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from proofs_check.composition.closed_forms import closed_form, few_values
from proofs_check.composition.laws import (
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Law,
    Loss,
    LossTable,
)
from proofs_check.composition.parts import Part
from proofs_check.enclosure import Ball, Balls, endpoints

NUMBERS = Balls(512)
THREE = LossTable(
    (
        (Loss(Fraction(-1), Fraction(3)), Fraction(1, 4)),
        (Loss(Fraction(1), Fraction(3)), Fraction(3, 4)),
    )
)
FIVE = LossTable(
    (
        (Loss(Fraction(-1), Fraction(5)), Fraction(1, 8)),
        (Loss(Fraction(0)), Fraction(1, 4)),
        (Loss(Fraction(1), Fraction(5)), Fraction(5, 8)),
    )
)
EPSILONS = (Fraction(0), Fraction(1, 2), Fraction(3), Fraction(5), Fraction(7), Fraction(12))


def slow_excess(laws: list[Law], epsilon: Fraction) -> Ball:
    """The sum over all outcomes of (p - exp(e) q)_+, with twice the bits."""
    factor = NUMBERS.exp(NUMBERS.rational(epsilon))
    whole = NUMBERS.rational(Fraction(0))
    for atoms in product(*(list(law.atoms(NUMBERS)) for law in laws)):
        p = q = NUMBERS.rational(Fraction(1))
        for atom in atoms:
            p, q = p * atom.p, q * atom.q
        if endpoints(p - factor * q)[0] > 0:
            whole = whole + (p - factor * q)
    return whole


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_sums_of_two_kinds_are_those_of_all_outcomes(epsilon: Fraction) -> None:
    """It must hold to 60 digits, and not of one outcome less."""
    found = few_values([Part(THREE, 2), Part(FIVE, 3)])
    assert found is not None
    lower, upper = found.excess(epsilon)
    right = endpoints(slow_excess([THREE] * 2 + [FIVE] * 3, epsilon))
    assert lower <= right[0] <= right[1] <= upper
    assert upper - lower < Fraction(1, 10**60)
    less = endpoints(slow_excess([THREE] * 2 + [FIVE] * 2, epsilon))
    assert less[1] < lower or not right[1]


@pytest.mark.parametrize(
    "law", [THREE, FIVE, Geometric(3, Fraction(2)), DiscreteGaussian(1, Fraction(2))]
)
@pytest.mark.parametrize("epsilon", EPSILONS[:3])
def test_one_loss_is_listed(law: Law, epsilon: Fraction) -> None:
    """It must hold also of infinitely many outcomes, of which some are left out."""
    found = closed_form([Part(law, 1)])
    assert found is not None
    lower, upper = found.excess(epsilon)
    right = endpoints(slow_excess([law], epsilon))
    assert lower <= right[1]
    assert right[0] <= upper
    assert upper - lower < Fraction(1, 10**60)


def test_an_epsilon_that_is_a_loss_is_enclosed() -> None:
    """It must hold on the losses themselves, where the best event changes."""
    law = Geometric(1, Fraction(4))
    found = closed_form([Part(law, 3)])
    assert found is not None
    for number in range(-3, 4):
        lower, upper = found.excess(Fraction(number, 4))
        right = endpoints(slow_excess([law] * 3, Fraction(number, 4)))
        assert lower <= right[1]
        assert right[0] <= upper


def test_values_that_may_be_one_are_left_to_the_nodes() -> None:
    """It must hold of ln 9 and twice ln 3, of densities, and of too many values."""
    nine = LossTable(
        (
            (Loss(Fraction(-1), Fraction(9)), Fraction(1, 10)),
            (Loss(Fraction(1), Fraction(9)), Fraction(9, 10)),
        )
    )
    assert few_values([Part(THREE, 2), Part(nine, 1)]) is None
    assert few_values([Part(THREE, 2), Part(Gaussian(Fraction(1)), 1)]) is None
    assert few_values([Part(THREE, 60), Part(FIVE, 60)]) is None
    assert few_values([Part(THREE, 2), Part(DiscreteGaussian(1, Fraction(2)), 1)]) is None
