"""A witness where the past does not show what a later test found."""

from __future__ import annotations

from audit.engine.bound.audit import audit
from audit.engine.neighbors import Pair
from audit.engine.settings import Settings
from audit.targets import load_target
from audit.verdict import Verdict


def test_an_event_is_chosen_though_no_z_of_the_past_is_positive() -> None:
    """It must hold that a refutation has a witness where training had seen nothing above 0."""
    target = load_target("corpus.truncated-geometric")
    assert target.claim is not None
    settings = Settings(seed=106, budget_samples=60_000, ideal=True, false_alarm=0.05)
    result = audit(target, target.claim, [Pair("0 and 1", *target.pairs[0])], settings)
    # the event is chosen, and what the past did not show its fresh draws do not show either
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "fresh draws of each data set alone do not" in result.reason
