"""Lines of a trade-off curve, against all events of the pair whose curve it is."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.strategies import privacy_levels
from mechanisms.claims import Relation, TradeOff
from tests.grids import lines_of


def extremal_pair(curve: TradeOff) -> list[tuple[Fraction, Fraction]]:
    """Probabilities of cells on data and neighbor with exactly this trade-off curve."""
    cells = [(a1 - a0, b0 - b1) for (a0, b0), (a1, b1) in pairwise(curve.knots)]
    return [*cells, (Fraction(0), 1 - curve.knots[0][1])]


@given(privacy_levels(TradeOff))
def test_lines_of_a_curve_touch_its_extremal_pair(curve: TradeOff) -> None:
    """Each t is the largest Q(S) - s P(S) over all events of the pair whose curve it is."""
    grid = lines_of(curve, Relation.LISTED)
    cells = extremal_pair(curve)
    picked = np.array(list(product([0.0, 1.0], repeat=len(cells))))
    p, q = (picked @ np.array([float(cell[arm]) for cell in cells]) for arm in (0, 1))
    for s, t in zip(grid.slopes[:, 0], grid.offsets[:, 0], strict=True):
        largest = (q - s * p).max()
        assert t == pytest.approx(largest, abs=1e-12) or (s, t) == (1.0, 1.0)
        assert largest <= t + 1e-12


@given(privacy_levels(TradeOff), st.integers(0, 60))
def test_lines_of_a_curve_say_as_much_as_it(curve: TradeOff, place: int) -> None:
    """At every level the largest of the lines 1 - t - s a is f(a)."""
    grid = lines_of(curve, Relation.LISTED)
    level = Fraction(place, 60)
    lines = 1 - grid.offsets[:, 0] - grid.slopes[:, 0] * float(level)
    assert max(0.0, lines.max()) == pytest.approx(float(curve(level)), abs=1e-12)


SYMMETRIC = [
    ((0, 1), (1, 0)),
    ((0, 1), ("1/4", "3/4"), (1, 0)),
    ((0, 1), ("1/5", "1/5"), (1, 0)),
    ((0, "9/10"), ("3/10", "3/10"), ("9/10", 0), (1, 0)),
    ((0, 1), ("1/10", "1/2"), ("1/2", "1/10"), (1, 0)),
    ((0, 0), (1, 0)),
]
ASYMMETRIC = [
    ((0, 1), ("1/10", "1/5"), (1, 0)),
    ((0, "9/10"), (1, 0)),
    ((0, 1), ("1/2", 0), (1, 0)),
]


@pytest.mark.parametrize("knots", SYMMETRIC + ASYMMETRIC)
@pytest.mark.parametrize("relation", list(Relation))
def test_only_listed_pairs_of_an_asymmetric_curve_are_bet_on_one_way(
    knots: tuple[tuple[int | str, int | str], ...], relation: Relation
) -> None:
    """A curve that is its own inverse, or pairs in both orders, hold both ways."""
    grid = lines_of(TradeOff(knots), relation)
    assert grid.one_way == (knots in ASYMMETRIC and relation is Relation.LISTED)


def test_the_direction_of_an_asymmetric_curve_is_that_of_its_pair() -> None:
    """T(data, neighbor) >= f bounds what is likelier on the neighbor: its extremal pair is allowed.

    The mirrored pair is not: there is an event that breaks a line.
    """
    curve = TradeOff(ASYMMETRIC[0])
    grid = lines_of(curve, Relation.LISTED)
    cells = extremal_pair(curve)
    p, q = (np.array([float(cell[arm]) for cell in cells]) for arm in (0, 1))
    broken = {
        mirrored: (other > grid.slopes * likelier + grid.offsets + 1e-12).any()
        for mirrored, likelier, other in ((False, p, q), (True, q, p))
    }
    assert broken == {False: False, True: True}
