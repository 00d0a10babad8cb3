"""A total of which nothing was claimed has no verdict; extreme numbers end in no error of ours."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import audit
from audit.results.verdict import Verdict
from mechanisms.errors import InvalidArgument, UnexpectedVerdict
from proofs_check.composition.choice import compositions, unsampled
from proofs_check.composition.laws import Gaussian, Sampled
from proofs_check.composition.parts import Direction, Part

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


@pytest.mark.parametrize("name", list(EXTREME))
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


TINY = "1e-200"
LAPLACE = {"event": "poisson-laplace", "scale": 1, "sensitivity": 1, "q": "1/1000", "count": 100}


@pytest.mark.long
def test_a_delta_that_sizes_nothing_has_both_ends() -> None:
    """Sampled steps at delta = 1e-200 must lose no more than without sampling, and it is said."""
    sampled = SAMPLED | {"count": 100}
    found = run(sampled, TINY)
    whole = run(sampled | {"q": 1}, TINY)
    assert found.verdict is None
    assert found.epsilon.lower > 0
    assert whole.epsilon.lower <= found.epsilon.upper <= whole.epsilon.upper
    assert any("without sampling" in note for note in found.notes)
    assert not any("without sampling" in note for note in whole.notes)


@pytest.mark.long
def test_sampled_laplace_noise_at_such_a_delta_has_both_ends() -> None:
    """Where no closed form is known, the largest losses together must be an upper end."""
    found = run(LAPLACE, TINY)
    largest = audit.account({"relation": "add-remove", "delta": 0, "step": [LAPLACE]})
    assert found.verdict is None
    assert largest.epsilon.upper is not None
    most = largest.epsilon.upper * (1 + Fraction(1, 2**44))  # the search for an end stops above it
    assert 0 < found.epsilon.lower <= found.epsilon.upper <= most
    assert any("the sum of the largest losses" in note for note in found.notes)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["with other noise", "of other sizes", "replaced"])
def test_relatives_of_a_delta_that_sizes_nothing_have_both_ends(name: str) -> None:
    """A total must come of sampled steps beside others, and of replaced records."""
    half = SAMPLED | {"count": 50}
    others = {
        "with other noise": [half, GAUSSIAN],
        "of other sizes": [half, half | {"sigma": 2, "q": "1/10"}],
        "replaced": [half],
    }
    relation = "swap" if name == "replaced" else "add-remove"
    found = audit.account({"relation": relation, "delta": TINY, "step": others[name]})
    assert found.verdict is None
    assert found.epsilon.upper is not None
    assert found.epsilon.lower is not None
    assert 0 < found.epsilon.lower <= found.epsilon.upper


@pytest.mark.long
@pytest.mark.parametrize(
    "case", [("400", Verdict.PROVED), ("100", Verdict.INCONCLUSIVE), ("4", Verdict.REFUTED)]
)
def test_a_claim_at_such_a_delta_is_decided_by_both_ends(case: tuple[str, Verdict]) -> None:
    """Beyond no sampling it must be proved, below a pair refuted, between left open."""
    assert run(SAMPLED | {"count": 100}, TINY, claim=case[0]).verdict is case[1]


@pytest.mark.long
@pytest.mark.parametrize("rate", ["1/1000", "1/2", "999/1000"])
@pytest.mark.parametrize("count", [1, 7])
def test_no_sampled_steps_lose_more_than_without_sampling(rate: str, count: int) -> None:
    """In either direction, at any epsilon, the closed form must be above what is lost."""
    law = Gaussian(Fraction(1))
    for adds in (False, True):
        part = Part(Sampled(law, Fraction(rate), adds), count)
        most = unsampled([part])
        assert most is not None
        (tried, *_) = compositions([Direction((part,))], Fraction(1, 10**5))
        for epsilon in (Fraction(0), Fraction(1, 10), Fraction(1), Fraction(3)):
            assert tried.composition.delta(epsilon)[0] <= most.excess(epsilon)[1]
