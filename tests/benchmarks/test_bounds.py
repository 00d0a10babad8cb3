"""Intervals of mean bounds, and what is said to be lost between a bound and the exact loss."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t

from benchmarks.bound_losses import Event, best_event, mean_limit, words_of
from benchmarks.corpus_bounds import Bounds


def of(*bounds: float) -> Bounds:
    """Bounds of some seeds."""
    return Bounds.of([{"bound": bound} for bound in bounds])


def test_means_have_students_interval() -> None:
    """It must hold that the ends are Student's, and a single run has none."""
    found = of(0.1, 0.2, 0.4)
    low, high = t.interval(
        0.95, 2, loc=0.7 / 3, scale=np.std([0.1, 0.2, 0.4], ddof=1) / math.sqrt(3)
    )
    assert (found.low, found.high) == pytest.approx((low, high))
    assert of(0.1).verdict(0.05) == "open"


def test_goals_are_judged_by_the_interval() -> None:
    """It must hold that a goal is met below the interval, missed above it, and open within."""
    found = of(0.19, 0.2, 0.21, 0.2)
    assert [found.verdict(goal) for goal in (0.18, 0.2, 0.22)] == ["met", "open", "missed"]
    assert found.verdict(math.nan) == ""


@pytest.mark.long
def test_the_best_event_of_a_bit_is_the_bit() -> None:
    """It must hold that of randomized response an answer is chosen, and its loss found."""
    p = np.array([math.e, 1]) / (1 + math.e)
    event = best_event((p, p[::-1].copy()), 200_000)
    assert sorted((event.p, event.q)) == pytest.approx(sorted(p))
    limit = mean_limit(event, 200_000)
    assert 0.95 < limit < 1.0
    assert mean_limit(event, 2_000) < limit - 0.05


def test_rare_events_are_tested_conditionally() -> None:
    """It must hold that a rare event's limit is below its loss, and near it with many draws."""
    event = Event(0.01, 0.002, 0.3)
    assert event.conditional
    few, many = (mean_limit(event, draws) for draws in (100_000, 4_000_000))
    assert few < many < math.log(5)
    assert many > math.log(5) - 0.1


@pytest.mark.long
def test_losses_go_from_what_was_reached_to_the_exact_loss() -> None:
    """It must hold that all steps are named in order, and that the differences add up."""
    p = np.array([math.e, 1]) / (1 + math.e)
    steps = [("all pairs", 0.9), ("pair given", 0.95)]
    words = words_of(steps, (p, p[::-1].copy()), 200_000, 400_000, 1.0)
    assert words.startswith("all pairs 0.9000, pair given 0.9500 (+0.0500), event given ")
    assert "split given" in words
    added = sum(float(part.split(")")[0]) for part in words.split("(")[1:])
    assert added == pytest.approx(0.1, abs=2e-4)
