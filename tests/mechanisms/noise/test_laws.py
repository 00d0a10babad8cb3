"""What the exact laws share: lattices, levels, atoms, floats."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.laws import FLOATS, LatticeAtoms, exact_level, integers, progression, steps

small = st.fractions(-9, 9)


def slow_level(z: Fraction, gamma: Fraction) -> int:
    """Level of z: 0 on |z| < gamma, i on [i - 1 + gamma, i + gamma), odd."""
    i = 0
    while abs(z) >= i + gamma:
        i += 1
    return i if z >= 0 else -i


@given(small, st.fractions(Fraction(1, 50), 1))
def test_level_matches_its_plain_twin(z: Fraction, gamma: Fraction) -> None:
    """It must hold that the floor formula is the level of the definition (KSW-D2)."""
    assert exact_level(z, gamma) == slow_level(z, gamma)
    assert exact_level(gamma, gamma) == 1


@given(st.fractions(0, 3), st.fractions(Fraction(1, 3), 3), small, small)
def test_lattice_points_are_all_those_in_the_window(
    first: Fraction, period: Fraction, lower: Fraction, upper: Fraction
) -> None:
    """It must hold that the point functions list what a scan over k lists."""
    scan = [first + k * period for k in range(-60, 61)]
    assert progression(first, period, lower, upper) == tuple(p for p in scan if lower <= p <= upper)
    both = {sign * p for p in scan if p >= first for sign in (1, -1)}
    expected = sorted(p for p in both if lower <= p <= upper)
    if first > 0:
        assert steps(first, period, lower, upper) == tuple(expected)
    assert integers(lower, upper) == tuple(
        map(Fraction, range(math.ceil(lower), math.floor(upper) + 1))
    )


def test_atoms_go_outward_without_end() -> None:
    """It must hold that infinite atoms are looked up, iterate outward, and have no length."""
    line = LatticeAtoms(1, lambda k: float(k))
    assert list(itertools.islice(line, 5)) == [0, 1, -1, 2, -2]
    assert line[Fraction(7)] == 7.0
    with pytest.raises(KeyError):
        line[Fraction(1, 2)]
    with pytest.raises(OverflowError, match="infinitely many"):
        len(line)
    plane = LatticeAtoms(2, lambda point: point)
    shells = list(itertools.islice(plane, 25))
    assert len(set(shells)) == 25
    assert set(shells) == set(itertools.product(range(-2, 3), repeat=2))
    with pytest.raises(KeyError):
        plane[Fraction(1), Fraction(1, 2)]


def test_floats_are_the_functions_of_math() -> None:
    """It must hold that FLOATS computes in double precision."""
    assert FLOATS.rational(Fraction(1, 4)) == 0.25
    assert (FLOATS.pi(), FLOATS.exp(1.0)) == (math.pi, math.e)
    assert (FLOATS.log(math.e), FLOATS.sqrt(9.0), FLOATS.erfc(0.0)) == (1.0, 3.0, 1.0)
