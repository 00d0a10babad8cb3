"""Exact probabilities of the events that samples have shown."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit.exact.release_events import chance, exact_event
from audit.results.refutation import Interval, Witness
from mechanisms.add_remove.transformed_mean import TransformedMean
from mechanisms.as_printed.threshold import PrintedThreshold
from mechanisms.as_printed.transformed_scale import PrintedTransformedMean
from mechanisms.claims import ApproxDP, GaussianDP, PrivacyClaim, PureDP, Relation, Source
from mechanisms.subset.threshold import Threshold
from mechanisms.subset.threshold_grid import GridThreshold
from proofs_check.enclosure import Ball, endpoints
from tests.audit.exact.laws import few

MECHANISMS: list[Any] = [
    Threshold(rank=2),
    Threshold(rank=2, low="1/10", high="1/3"),  # the nearest doubles lie inside
    PrintedThreshold(alpha="1/8", rank=2, rule="interval"),
    TransformedMean(),
    TransformedMean(epsilon=3, low=-1, high=2),
    PrintedTransformedMean(high="1/2"),
]
DATA = st.lists(st.floats(0, 1), max_size=6)
ENDS = st.floats(-1.5, 2.5) | st.sampled_from([-math.inf, math.inf, -1.0, 0.0, 0.5, 1.0, 2.0])
ALL: Interval = (-math.inf, False, math.inf, False)


def known(found: Ball | None) -> float:
    """Middle of an enclosure that must be there, and narrow."""
    assert found is not None
    lower, upper = endpoints(found)
    assert upper - lower < Fraction(1, 10**40)
    return float(lower)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@given(data=DATA, ends=st.tuples(ENDS, ENDS))
@example(data=[1.0], ends=(0.0, 2.3e-309))
@few
def test_an_interval_has_what_the_law_gives_it(
    mechanism: Any, data: list[float], ends: tuple[float, float]
) -> None:
    """It must hold that P(low < z <= high) is the difference of the law's own cdf."""
    low, high = sorted(ends)
    law = mechanism.exact_law(data)
    below, above = law.cdf([low, high])
    assert known(chance(law, [(low, False, high, True)])) == pytest.approx(above - below, abs=1e-9)


@pytest.mark.parametrize("mechanism", [*MECHANISMS, GridThreshold(points=9)], ids=repr)
@given(data=DATA, cuts=st.lists(ENDS, max_size=4, unique=True), closed=st.booleans())
@few
def test_intervals_that_cover_all_add_up_to_one(
    mechanism: Any, data: list[float], cuts: list[float], closed: bool
) -> None:
    """It must hold that each atom is counted once, whichever interval its end belongs to."""
    law = mechanism.exact_law(data)
    finite = sorted(cut for cut in cuts if math.isfinite(cut))
    ends = [-math.inf, *finite, math.inf]
    parts = [(low, closed, high, not closed) for low, high in pairwise(ends)]
    assert known(chance(law, parts)) == pytest.approx(1, abs=1e-30)
    whole = chance(law, [ALL])
    assert whole is not None
    assert abs(endpoints(whole)[0] - 1) < Fraction(1, 10**40)
    assert sum(known(chance(law, [part])) for part in parts) == pytest.approx(1, abs=1e-12)
    points = [(cut, True, cut, True) for cut in finite]
    inner = [(low, False, high, False) for low, high in pairwise(ends)]
    assert known(chance(law, [*points, *inner])) == pytest.approx(1, abs=1e-30)


def test_a_constant_release_lies_where_it_is() -> None:
    """It must hold of equal bounds, at the ends of an interval too."""
    for mechanism in (Threshold(low=1, high=1), TransformedMean(low=1, high=1)):
        law = mechanism.exact_law([1.0])
        assert known(chance(law, [(1.0, True, 2.0, False)])) == 1
        assert known(chance(law, [(0.0, False, 1.0, True)])) == 1
        assert known(chance(law, [(1.0, False, 2.0, False)])) == 0
        assert known(chance(law, [(0.0, False, 1.0, False)])) == 0


def test_scales_that_nearly_meet_lose_no_digits() -> None:
    """It must hold beside the middle, where the closed form is 0 / 0."""
    law = TransformedMean().exact_law([0.25, 0.5, 1.0])
    at = known(chance(law, [(-math.inf, False, 0.5, True)]))
    for end in (np.nextafter(0.5, 0), np.nextafter(0.5, 1), 0.5 + 2.0**-40):
        assert known(chance(law, [(-math.inf, False, float(end), True)])) == pytest.approx(
            at, abs=1e-11
        )


def witness(intervals: tuple[Interval, ...] | None, likelier: str = "data") -> Witness:
    """A witness on the pair of SUB-E1: nine records at 0, and a tenth."""
    data = np.zeros(9)
    return Witness(
        "", data, np.zeros(10), "", "", "value", likelier, 0, 0, 0, 0.0, "", None, 0.0, intervals
    )


def test_the_witness_of_the_printed_threshold_has_exact_probabilities() -> None:
    """It must hold that the window that a tenth record closes breaks the claim, one way round."""
    mechanism = PrintedThreshold(rank=3)
    closed = (0.025, False, 1 / 36, True)
    claim = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("user", "a test"))
    found = exact_event(mechanism, witness((closed,)), claim)
    assert found is not None
    assert found.p[0] > Fraction(272, 100) * found.q[1]
    assert found.excess[0] > 0
    back = exact_event(mechanism, witness((closed,), "neighbor"), claim)
    assert back is not None
    assert (back.p, back.q) == (found.q, found.p)
    assert back.excess[1] < 0
    loose = PrivacyClaim(ApproxDP(1, "1/5"), Relation.ADD_REMOVE, claim.source)
    allowed = exact_event(mechanism, witness((closed,)), loose)
    assert allowed is not None
    assert allowed.excess[1] < 0 < found.excess[0] < Fraction(1, 5)


def test_what_has_no_law_has_no_exact_event() -> None:
    """It must hold of other events, levels, and mechanisms without a law."""
    claim = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("user", "a test"))
    assert exact_event(PrintedThreshold(), witness(None), claim) is None
    gaussian = PrivacyClaim(GaussianDP(1), Relation.ADD_REMOVE, claim.source)
    assert exact_event(PrintedThreshold(), witness((ALL,)), gaussian) is None
    assert exact_event(object(), witness((ALL,)), claim) is None
    assert exact_event(TransformedMean(noise="hourglass"), witness((ALL,)), claim) is None
