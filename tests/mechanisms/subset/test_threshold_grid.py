"""Threshold estimation on a grid: its law is that of the rounded threshold, exactly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.protocols import ExactLaw
from mechanisms.subset.points import PointLaw
from mechanisms.subset.threshold import Threshold
from mechanisms.subset.threshold_grid import GridThreshold

F = Fraction


def terms(law: PointLaw) -> list[Counter[Fraction]]:
    """Factors by loss of each point."""
    collected = []
    for point in law.weights:
        factors: Counter[Fraction] = Counter()
        for factor, loss in point:
            factors[loss] += factor
        collected.append(factors)
    return collected


def rounded(data: list[float], points: int, rank: Fraction, side: str) -> list[Counter[Fraction]]:
    """Lengths by loss of the thresholds that round to each grid point 0..m-1 (Corollary 3.8)."""
    law = Threshold(1, 0, points - 1, rank, side, F(1, 3)).exact_law(data)
    collected = []
    for i in range(points):
        lengths: Counter[Fraction] = Counter()
        for piece in law.pieces:
            length = min(piece.upper, i + F(1, 2)) - max(piece.lower, i - F(1, 2))
            if length > 0:
                lengths[piece.loss] += length
        collected.append(lengths)
    return collected


@given(
    st.integers(2, 5).flatmap(
        lambda m: st.tuples(st.just(m), st.lists(st.integers(0, m - 1), max_size=5))
    ),
    st.fractions(-2, 7, max_denominator=3),
    st.sampled_from(["below", "above"]),
)
def test_law_is_that_of_the_rounded_threshold(
    grid: tuple[int, list[int]], rank: Fraction, side: str
) -> None:
    """Every weight must be that of the thresholds which round to the point, term by term."""
    points, places = grid
    data = [float(i) for i in places]
    law = GridThreshold(1, 0, points - 1, points, rank, side).exact_law(data)
    assert law.points == tuple(map(F, range(points)))
    assert terms(law) == rounded(data, points, rank, side)


def test_reference_probabilities() -> None:
    """The example of SUB-C3.8p must come out, and the law have the shape of the protocol."""
    law = GridThreshold(1, 0, 3, 4, 2).exact_law([0, 1, 1, 3])
    assert isinstance(law, ExactLaw)
    reference = [0.145667236691959, 0.417331053232164, 0.291334473383918, 0.145667236691959]
    np.testing.assert_allclose(list(law.atoms(FLOATS).values()), reference, rtol=1e-13)
    logs = [law.log_density(F(i), FLOATS) for i in range(4)]
    np.testing.assert_allclose(logs, np.log(reference), rtol=1e-12)
    assert law.breakpoints(F(1, 2), F(2)) == (F(1), F(2))
    with pytest.raises(InvalidArgument, match="one of the law's points"):
        law.log_density(F(1, 2), FLOATS)


def test_loss_of_privacy_stays_below_epsilon(subtests: pytest.Subtests) -> None:
    """Over all multisets of up to 4 points the largest log-ratio must be at most epsilon."""
    for side in ["below", "above"]:
        for rule in ["rounded", "direct"]:
            for rank in [F(0), F(1), F(3, 2), F(3)]:
                with subtests.test(side=side, rule=rule, rank=rank):
                    mechanism = GridThreshold(2, 0, 3, 4, rank, side, rule)
                    law = {
                        data: np.array(
                            list(
                                mechanism.exact_law([float(i) for i in data]).atoms(FLOATS).values()
                            )
                        )
                        for size in range(5)
                        for data in combinations_with_replacement(range(4), size)
                    }
                    losses = [
                        np.abs(np.log(law[data] / law[tuple(sorted((*data, x)))])).max()
                        for data in law
                        if len(data) < 4
                        for x in range(4)
                    ]
                    assert 0.9 <= max(losses) <= 2 + 1e-12


def test_records_are_rounded_one_by_one() -> None:
    """A record between two grid points must count at the nearer one."""
    mechanism = GridThreshold(1, 0, 1, 5, 1)
    assert mechanism.exact_law([0.2, 0.61, 9.0]) == mechanism.exact_law([0.25, 0.5, 1.0])


def test_one_point_is_the_release(dp_rng: np.random.Generator) -> None:
    """A grid of one point must release it, whatever the data."""
    mechanism = GridThreshold(1, 2, 5, points=1)
    assert np.all(mechanism.sample([3.0, 4.0], 10, rng=dp_rng) == 2)
    assert mechanism.exact_law([3.0]).atoms(FLOATS) == {F(2): 1.0}
    assert GridThreshold(1, 2, 2).exact_law([3.0]).atoms(FLOATS) == {F(2): 1.0}
