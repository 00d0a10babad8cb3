"""AboveThreshold on counts: its law, its loss of three quarters at most."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mechanisms.laws import FLOATS
from mechanisms.personalized.sparse.above_threshold import AboveThreshold

F = Fraction


def test_counts_are_those_up_to_each_point() -> None:
    """It must hold by hand; what is no number is counted nowhere, ties are counted."""
    made = AboveThreshold(low=0, high=1, queries=4)
    assert made.answers([0.25, 0.3, 1.0, np.nan, -9.0, 2.0]).tolist() == [2, 3, 3, 4]
    assert made.answers([]).tolist() == [0, 0, 0, 0]


def test_queries_that_all_rise_lose_at_most_three_quarters() -> None:
    """It must hold on small data, and that a quarter of the noise breaks epsilon = 1."""
    losses = {}
    for epsilon in (F(1), F(4)):
        made = AboveThreshold(epsilon=epsilon, threshold=2)
        worst = 0.0
        for data in ([], [0.1], [0.1, 0.1], [0.1, 0.3, 0.6], [0.6] * 6):
            law, other = (
                np.array(list(made.exact_law(side).masses(FLOATS).values()))
                for side in (data, [*data, 0.2])
            )
            worst = max(worst, float(np.max(np.abs(np.log(law / other)))))
        losses[epsilon] = worst
    assert 0.4 < losses[F(1)] <= 0.75
    assert losses[F(4)] > 1
