"""Claims of many sampled steps at a small delta, and the work of an account."""

from __future__ import annotations

import pytest

from tests.audit.accounting.plans import SAMPLED, account
from tests.slow import by_default
from tests.speed import calls_of

STEPS = SAMPLED | {"count": 10_000}

CLAIMS = {
    "1e-12": ("10.346689837673", "10.346689837675"),
    "1e-14": ("11.30355881231", "11.30355881232"),
    "1e-20": ("13.8797", "13.8798"),
}
"""By delta: a claim below what is lost, and one above; to the digits that two programs agree on."""


@pytest.mark.parametrize("delta", by_default(["1e-20"], CLAIMS))
def test_claims_at_a_small_delta_are_decided(delta: str) -> None:
    """It must hold of a claim in the last digit on either side; each is the other's control."""
    below, above = CLAIMS[delta]
    assert account(STEPS, delta=delta, claim=below).verdict == "REFUTED"
    assert account(STEPS, delta=delta, claim=above).verdict == "PROVED"


MOST_CALLS = 15_000_000
"""Of functions: 7.3 million were counted, which took 1.7 seconds with all imports."""


@pytest.mark.long
def test_an_account_of_two_kinds_is_little_work() -> None:
    """It must hold, and ends as near as a claim in the seventh digit needs."""
    steps = [SAMPLED | {"count": 500}, SAMPLED | {"q": ".02", "sigma": 2, "count": 300}]
    calls, result = calls_of(lambda: account(*steps, claim="1.5022523"), MOST_CALLS)
    assert calls < MOST_CALLS
    assert result.verdict == "PROVED"
    assert account(*steps, claim="1.5022522").verdict == "REFUTED"
