"""Broken releases are found without a pair, sound ones look sound; how often, by whom."""

from __future__ import annotations

import numpy as np
import pytest

from audit.screening.candidate_pairs import candidates_of
from audit.screening.choice import ScreenBudget
from tests.audit.screening.defects import BROKEN, SOUND, Row
from tests.audit.screening.releases import row_target, screened, unit
from tests.slow import one_in

GROSS = (
    "no_clip",
    "nan_through_clip",
    "no_noise",
    "seen_domain",
    "first_seen",
    "seen_bins",
    "running_sum",
    "narrow",
)
"""Rows of which a thousand draws show more than the claim in one event of one output."""


@pytest.mark.long
@pytest.mark.parametrize("row", one_in(4, BROKEN), ids=lambda row: row.name)
def test_the_best_pairs_of_a_broken_release_are_bad_ones(row: Row) -> None:
    """It must hold, whatever is wrong; what is gross is called suspicious.

    Five seeds are audited to the end in `test_acceptance.py`.
    """
    choice = screened(row_target(row), row.relation, seed=1)
    assert choice.suspicious or row.name not in GROSS
    assert choice.told is not None
    assert max(one.score for one in choice.told.chosen) > 1.5
    assert len(choice.pairs) == 3


@pytest.mark.long
@pytest.mark.parametrize("row", one_in(4, SOUND), ids=lambda row: row.name)
def test_no_pair_of_a_sound_release_is_suspicious(row: Row) -> None:
    """It must hold of counts and scores: one that is higher than 1.25 is no such release's."""
    choice = screened(row_target(row), row.relation, seed=2)
    assert choice.told is not None
    assert not choice.suspicious, choice.told.chosen
    assert all(one.score <= 1.25 for one in choice.told.chosen)


def test_each_family_meets_what_it_is_for() -> None:
    """It must hold that records in a narrow interval and out of range are met by many."""
    found = candidates_of(unit(), 1)

    def met(low: float, high: float, family: str) -> int:
        return sum(
            bool(((one.pair.neighbor > low) & (one.pair.neighbor < high)).any())
            for one in found
            if one.family == family
        )

    assert met(0.30, 0.31, "scan") >= 4
    assert met(0.30, 0.31, "mixtures") >= 4
    assert met(1, np.inf, "hostile records") > 10


@pytest.mark.long
def test_a_short_screening_sees_what_is_gross() -> None:
    """It must hold of runs of few draws: kinds and missing noise need no more than one of each."""
    few = ScreenBudget(10_000, 6_000.0)
    for row in (BROKEN[0], BROKEN[1], BROKEN[3], BROKEN[4]):
        assert screened(row_target(row), row.relation, budget=few).suspicious
