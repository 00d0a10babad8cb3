"""Certificates of inverse sensitivity: each statistic and score, stated again by its definition."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import Certificate
from audit.certificate.inverse_sensitivity import InverseSensitivity as Restated
from audit.certificate.inverse_sensitivity import root
from audit.exact.certify import parameters_of
from audit.exact.exact_audit import audit
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import CertificateError
from mechanisms.subset.inverse_sensitivity import InverseSensitivity

F = Fraction
NAME = "sub.inverse-sensitivity"
CHOICES: dict[str, dict[str, Any]] = {
    "median": {},
    "median, length": {"score": "length"},
    "quantile": {"statistic": "quantile", "level": "1/3"},
    "quantile, length": {"statistic": "quantile", "level": "9/10", "score": "length"},
    "mean": {"statistic": "mean"},
    "mean, length": {"statistic": "mean", "score": "length"},
    "power 2, length": {"statistic": "power", "score": "length"},
    "power 3": {"statistic": "power", "power": 3},
    "power 3/2": {"statistic": "power", "power": "3/2"},
    "power 40": {"statistic": "power", "power": 40},
}


def restated(mechanism: InverseSensitivity) -> Restated:
    """The mechanism as its certificate states it."""
    return Restated.restated(parameters_of(mechanism))


@pytest.mark.parametrize("name", CHOICES)
@given(records=st.lists(st.integers(-5, 65), max_size=5))
def test_scores_are_those_of_the_mechanism(name: str, records: list[int]) -> None:
    """It must hold of records between grid points and of ties, on a grid of 13 points."""
    mechanism = InverseSensitivity(1, "-1/2", "11/2", "1/2", **CHOICES[name])
    data = [float(min(max(F(r, 10), F(-1, 2)), F(11, 2))) for r in records]
    law = mechanism.exact_law(data)
    found = restated(mechanism).scores(tuple(map(F, data)))
    assert found == tuple(int(loss) for ((_, loss),) in law.weights)


@pytest.mark.parametrize("relation", [Relation.ADD_REMOVE, Relation.SWAP])
@pytest.mark.parametrize("name", ["quantile", "mean, length", "power 3/2"])
def test_what_was_proved_is_accepted(name: str, relation: Relation) -> None:
    """It must hold of either relation, through JSON and back."""
    mechanism = InverseSensitivity(1, 0, 1, "1/6", **CHOICES[name])
    claim = PrivacyClaim(PureDP(2), relation, Source("user", "a test"))
    multisets = Multisets(2, 3, F(0), F(1))
    result = audit(Question(NAME, mechanism, claim, mechanism.order, False, (), multisets))
    assert result.proof is not None
    assert f"({relation.value})" in verify(Certificate.read(result.proof.certificate.text()))


def test_parameters_out_of_their_domain_are_rejected(subtests: pytest.Subtests) -> None:
    """A parameter that the mechanism would not take must be none of a certificate."""
    for wrong in [
        {"epsilon": "0"},
        {"step": "0"},
        {"step": "2/7"},
        {"step": "1/300"},
        {"high": "0"},
        {"level": "1"},
        {"level": "1/3"},
        {"power": "1"},
        {"power": "3"},
        {"power": "101/50", "statistic": "power", "score": "length"},
        {"power": "1001/500", "statistic": "power"},
        {"power": "65", "statistic": "power"},
        {"score": "distance"},
        {"statistic": "mode"},
        {"statistic": ["median"]},
        {"points": "3"},
    ]:
        with subtests.test(wrong=wrong):
            parameters = parameters_of(InverseSensitivity(1, 0, 1, "1/6"))
            assert Restated.restated(parameters).points == 7
            with pytest.raises(CertificateError):
                Restated.restated(parameters | wrong)


@given(st.integers(0, 10**40), st.integers(1, 9))
def test_root_is_the_largest_integer_below(value: int, degree: int) -> None:
    """Its power must be at most the value, and that of the next integer larger."""
    found = root(value, degree)
    assert found**degree <= value < (found + 1) ** degree
