"""Box proofs: positive everywhere, a point where it is not, or open."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.cover import positive
from proofs_check.enclosure import Ball, Balls, Undecided

TENTH = Fraction(1, 10)
small = st.fractions(min_value=-3, max_value=3, max_denominator=12)


@given(small, small, st.fractions(min_value=-1, max_value=1, max_denominator=10))
def test_a_parabola_is_decided(center: Fraction, slope: Fraction, height: Fraction) -> None:
    """It must hold that a square above zero is proved, and one below is refuted where it is."""

    def above(x: Ball, y: Ball) -> Ball:
        return (x - center) ** 2 + (slope * y) ** 2 + height

    finding = positive(above, {"x": (-4, 4), "y": (0, 1)}, boxes=400)
    assert finding.holds is not (height <= 0)
    if abs(height) > Fraction(1, 5):
        assert finding.holds is (height > 0)
    if finding.holds is False:
        words = finding.detail.removeprefix("not positive at ").split(", ")
        x, y = (Fraction(word.split(" = ")[1]) for word in words)
        assert (x - center) ** 2 + (slope * y) ** 2 + height <= 0


def test_the_ends_belong_to_the_box() -> None:
    """It must hold that a zero at a corner is no proof."""
    assert positive(lambda x: x, {"x": (0, 1)}, boxes=100).holds is None
    assert positive(lambda x: x, {"x": (Fraction(1, 1000), 1)}).holds is True
    assert positive(lambda x: x, {"x": (-1, 1)}).holds is False
    assert positive(lambda x: x - TENTH, {"x": (0, 1)}).holds is False  # in the left half
    assert positive(lambda x: 1 - x - TENTH, {"x": (0, 1)}).holds is False  # in the right half


def test_what_cannot_be_evaluated_is_split() -> None:
    """It must hold that a division by a ball around zero is no answer, and splitting helps."""

    def peak(x: Ball) -> Ball:
        return 1 / (x + Fraction(1, 10)) - Fraction(1, 2)

    assert positive(peak, {"x": (0, 1)}).holds is True
    assert positive(lambda x: 1 / x, {"x": (-1, 1)}, boxes=200).holds is not True


def test_a_box_that_is_a_point_ends() -> None:
    """It must hold that nothing is split for ever."""
    assert positive(lambda x: x - 1, {"x": (1, 1)}).holds is False
    assert positive(lambda x: x, {"x": (1, 1)}).holds is True

    def never(_: Ball) -> Ball:
        raise Undecided

    assert positive(never, {"x": (1, 1)}).holds is None


@pytest.mark.parametrize("constant", [Fraction(1), Fraction(101, 100)])
def test_a_constant_one_percent_larger_is_refuted(constant: Fraction) -> None:
    """It must hold of e^-x >= (1 - x) c + something small: the check has power."""
    numbers = Balls(64)
    gap = positive(
        lambda x: numbers.exp(-x) - (1 - x + x * x / 2 - x**3 / 6) * constant - Fraction(1, 1000),
        {"x": (Fraction(1, 2), 1)},
    )
    assert gap.holds is (constant == 1)
