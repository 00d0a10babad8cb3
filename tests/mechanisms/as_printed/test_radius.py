"""The radius as printed: half of the one that fired, as private and of no use."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from audit.exact.cells.finite_laws import compare
from mechanisms.as_printed.radius import PrintedRadius, draw_radius_as_printed
from mechanisms.personalized.sparse.radius import Radius, draw_radius
from tests.mechanisms.personalized.finite_masses import masses

F = Fraction


def test_radius_is_half_of_the_one_that_fired() -> None:
    """Under one seed the printed radius must be half of the sound one, in draws and in its law."""
    data = [3.0, -70.0, math.nan, 0.1]
    printed, sound = PrintedRadius(2, "1/3", "1/5"), Radius(2, "1/3", "1/5")
    np.testing.assert_array_equal(
        2 * printed.sample(data, 300, rng=np.random.default_rng(2)),
        sound.sample(data, 300, rng=np.random.default_rng(2)),
    )
    halved = {2 * z: mass for z, mass in masses(printed.exact_law(data)).items()}
    assert halved == masses(sound.exact_law(data))
    assert printed.claim.level == sound.claim.level


def test_equal_records_are_not_covered() -> None:
    """D = {1, ..., 1}, b = 1, with little noise: the radius must be 1/2 and cover nobody."""
    data = [1.0] * 500
    rng = np.random.default_rng(5)
    assert set(PrintedRadius(500, "1e-100").sample(data, 50, rng=rng).tolist()) == {0.5}
    assert set(Radius(500, "1e-100").sample(data, 50, rng=rng).tolist()) == {1.0}


def test_it_keeps_the_promise() -> None:
    """The printed radius must lose at most epsilon: its slip is one of use, not of privacy."""
    law, neighbor = (
        PrintedRadius(1, "9/10").exact_law(data) for data in ([50.0] * 6, [50.0] * 5 + [math.nan])
    )
    assert all(side.at_most == 0 for side in compare(law, neighbor, F(3, 4), F(0)))


@pytest.mark.parametrize("slips", [set(), {"E-11"}, {"E-10"}, {"E-10", "E-11", "E-12"}])
def test_rows_follow_the_slips(slips: set[str], dp_rng: np.random.Generator) -> None:
    """E-11 must halve, and E-10 change nothing: a placeholder 0 counts twice and cancels."""
    values = np.array([[1.0, -9.0, 0.0, math.nan], [400.0, 3.0, 2.0, 1.0]])
    counted = np.array([[True, True, False, True], [True, False, True, True]])
    b = np.array([0.25, 2.0])
    rows = np.arange(400) % 2
    sound = draw_radius(
        values[rows], counted[rows], b[rows], 2.0, 0.4, rng=np.random.default_rng(8)
    )
    found = draw_radius_as_printed(
        values[rows], counted[rows], b[rows], 2.0, 0.4, slips, rng=np.random.default_rng(8)
    )
    np.testing.assert_array_equal(found * (2 if "E-11" in slips else 1), sound)
