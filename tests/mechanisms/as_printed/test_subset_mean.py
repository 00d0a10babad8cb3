"""Algorithm 3 as printed: what it computes, and that samples alone can show its fault."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from audit.exact.auditors.by_thresholds import events
from mechanisms.as_printed.subset_mean import PrintedSubsetMean
from mechanisms.as_printed.threshold import PrintedThreshold
from mechanisms.registry import build_mechanism
from mechanisms.subset.clipped_mean import noisy_counts, released
from mechanisms.subset.log_rank import RULES

F = Fraction
ERROR_RATE = 1e-6


@pytest.mark.parametrize("rule", RULES)
def test_thresholds_are_the_printed_ones(rule: str) -> None:
    """Both laws must be those of the printed thresholds, from below and from above."""
    data = [-1.5, -0.2, 0.0, 0.4, 0.4, 2.0]
    printed = PrintedSubsetMean("1/2", -2, 2, 1, rule)
    parts = [PrintedThreshold("1/2", -2, 2, 1, side=side, rule=rule) for side in ("below", "above")]
    assert printed.threshold_laws(data) == tuple(part.exact_law(data) for part in parts)


@pytest.mark.parametrize("rule", RULES)
def test_release_is_the_bounded_mean_between_them(rule: str) -> None:
    """With the same coins the release must be that of the three steps."""
    data = np.array([-1.5, -0.2, 0.0, 0.4, 0.4, 2.0])
    out = PrintedSubsetMean(2, -2, 2, 8, rule).sample(data, 500, rng=np.random.default_rng(2))
    rng = np.random.default_rng(2)
    pair = [
        PrintedThreshold(2, -2, 2, 8, side=side, rule=rule).sample(data, 500, rng=rng)
        for side in ("below", "above")
    ]
    counts = noisy_counts(data.size, F(2), 500, rng=rng)
    np.testing.assert_array_equal(
        out,
        released(data, (pair[0], pair[1]), counts, F(2), "mean", spacing=math.ulp(2.0), rng=rng),
    )
    assert np.all((np.minimum(*pair) <= out) & (out <= np.maximum(*pair)))


def test_rank_from_above_is_rounded_up_from_below() -> None:
    """With the rule "ceiling" the upper rank n - t must become n - floor(t)."""
    printed = PrintedThreshold(1, -1, 1, "1/10", side="above", rule="ceiling")
    t = printed.parameters(60)[1]
    public = PrintedThreshold(1, -1, 1, "1/10", rank=t.floor(), side="above", rule="interval")
    data = np.linspace(-1, 1, 60)
    assert printed.exact_law(data) == public.exact_law(data)
    a, b = (m.sample(data, 50, rng=np.random.default_rng(0)) for m in (printed, public))
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("epsilon", "gamma", "count"),
    [(1, "1/100", 97), (1, "1e-6", 178), (1, "1e-9", 237), ("1/10", "1/100", 1180)],
)
def test_counterexamples_are_those_of_the_erratum(epsilon: Any, gamma: Any, count: int) -> None:
    """The pairs of SUB-E1 must be known on [-1, 1] and on any range of the same proportions."""
    assert PrintedSubsetMean(epsilon, gamma=gamma).counterexample == (
        [0.0] * count,
        [0.0] * (count + 1),
    )
    scaled = PrintedSubsetMean(epsilon, 2, 6, 2 * F(gamma)).counterexample
    assert scaled == ([4.0] * count, [4.0] * (count + 1))


def test_counterexample_of_the_registered_form_is_known() -> None:
    """The defaults must be those of the first pair; elsewhere and for low = high none is known."""
    registered = build_mechanism("sub.subset-mean-as-printed")
    assert registered.counterexample is not None
    assert [len(side) for side in registered.counterexample] == [97, 98]
    assert PrintedSubsetMean(2).counterexample is None
    assert PrintedSubsetMean(1, 3, 3).counterexample is None


def test_enclosed_probabilities_hold_of_draws(dp_rng: np.random.Generator) -> None:
    """Frequencies of all events must lie between the bounds that the two laws give (Chernoff)."""
    printed, size = PrintedSubsetMean(1, gamma=12), 200_000
    data = [0.5] * 10
    draws = printed.sample(data, size, rng=dp_rng)
    laws = printed.threshold_laws(data)
    slack = math.sqrt(math.log(2 / ERROR_RATE) / (2 * size))
    seen = []
    for event, _ in events(laws, laws, F(3)):
        _, sign, end = event.words.split()
        inside = draws < float(F(end)) if sign == "<" else draws > float(F(end))
        assert event.p[0] - slack < inside.mean() < event.p[1] + slack
        seen.append(float(inside.mean()))
    assert max(seen) > 0.1


def test_samples_alone_show_the_fault(dp_rng: np.random.Generator) -> None:
    """At gamma = 20 R, 10 and 11 records at high must be told apart beyond 3 epsilon."""
    printed, size = PrintedSubsetMean(1, gamma=20), 400_000
    hits, others = (
        int(np.sum(printed.sample([1.0] * n, size, rng=dp_rng) < -9 / 11)) for n in (10, 11)
    )
    lower = stats.beta.ppf(ERROR_RATE, hits, size - hits + 1)
    upper = stats.beta.isf(ERROR_RATE, others + 1, size - others)
    assert math.log(lower / upper) > printed.claim.level.epsilon  # type: ignore[union-attr]
