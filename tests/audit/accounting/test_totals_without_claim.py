"""A total of which nothing was claimed has no verdict; extreme numbers end in no error of ours."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import audit
from audit.verdict import Verdict
from mechanisms.errors import InvalidArgument, UnexpectedVerdict
from tests.table import over

GAUSSIAN: dict[str, Any] = {"event": "gaussian", "sigma": 5, "sensitivity": 1, "count": 10}
SAMPLED: dict[str, Any] = GAUSSIAN | {"event": "poisson-gaussian", "sigma": 1, "q": "1/1000"}


def run(step: dict[str, Any], delta: str = "1e-5", **words: Any) -> Any:
    """The account of one step."""
    plan = {"relation": "add-remove", "delta": delta, "step": [step]} | words
    return audit.account(plan)


def test_a_total_without_a_claim_has_no_verdict() -> None:
    """Every form must say TOTAL, nothing may say PROVED, and it must pass."""
    found = run(GAUSSIAN)
    assert found.verdict is None
    assert found.outcome == "OK"
    assert found.expect() is found
    assert found.certificate is not None
    text = str(found)
    assert text.startswith("TOTAL: ")
    assert "Nothing was claimed." in " ".join(text.split())
    assert "PROVED" not in text
    assert found.to_dict()["verdict"] is None
    with pytest.raises(UnexpectedVerdict):
        found.expect("proved")


def test_a_claim_is_proved_as_before() -> None:
    """The same total with a claim must have its verdict."""
    assert audit.account(
        {"relation": "add-remove", "step": [GAUSSIAN]}, delta="1e-5", claim=9
    ).verdict is (Verdict.PROVED)


EXTREME: dict[str, tuple[dict[str, Any], str]] = {
    "delta that doubles do not hold": (GAUSSIAN, "1e-3000"),
    "no noise": (GAUSSIAN | {"sigma": "1e-300"}, "1e-5"),
    "much noise": (GAUSSIAN | {"sigma": "1e300"}, "1e-5"),
    "sampled, much noise": (SAMPLED | {"sigma": "1e300"}, "1e-5"),
    "no sensitivity to speak of": (SAMPLED | {"sensitivity": "1e-300"}, "1e-5"),
    "nearly always": (SAMPLED | {"q": "0.999999999999999999"}, "1e-5"),
    "never": (SAMPLED | {"q": 0}, "1e-200"),
    "always": (SAMPLED | {"q": 1}, "1e-200"),
    "not at all": (SAMPLED | {"count": 0}, "1e-200"),
}


@over("name", list(EXTREME))
@pytest.mark.long
def test_extreme_numbers_are_enclosed_or_left_open(name: str) -> None:
    """A total, or a lower end alone, and every form of the report must come."""
    step, delta = EXTREME[name]
    try:
        found = run(step, delta)
    except InvalidArgument as told:
        assert len(str(told)) <= 300  # noqa: PT017
        return
    assert found.verdict in (None, Verdict.INCONCLUSIVE)
    lower, upper = found.epsilon.lower, found.epsilon.upper
    assert upper is None or lower is None or lower <= upper
    assert str(found)
    assert found.to_dict()["kind"] == "account"


@pytest.mark.slow
def test_a_delta_that_sizes_nothing_is_no_error() -> None:
    """Sampled steps at delta = 1e-200 must have a lower end."""
    found = run(SAMPLED | {"count": 100}, "1e-200")
    assert found.epsilon.lower is not None
    assert found.epsilon.lower > Fraction(0)
