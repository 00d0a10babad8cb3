"""Errors of the symmetric mean given that the coarse estimate exists, and bounds under laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from audit.utility.error_cases import by_success, data_case
from audit.utility.law_words import read_law
from mechanisms.registry import build_mechanism
from mechanisms.trilemma.symmetric.error import sharp_error
from mechanisms.trilemma.symmetric.settings import theorem_mean
from mechanisms.utility_claims import Quantity


@pytest.mark.parametrize("mean", [pytest.param(0.0, marks=pytest.mark.long), 3.5])
def test_errors_under_laws_of_the_class_are_below_both_bounds(mean: float) -> None:
    """It must hold, and half of the bound given success must be too little."""
    mechanism = theorem_mean("9/10", "1e-6", 300, psi=2)
    law = read_law(f"normal {mean} 1")
    claims = mechanism.utility_claims_under(law, mechanism.count)
    whole, given = (claim for claim in claims if claim.quantity is Quantity.MSE)
    assert (whole.given_success, given.given_success) == (False, True)
    psi = float(mechanism.distance - 10) / (300 * 0.9) ** 0.25
    assert float(whole.bound) == pytest.approx(
        sharp_error(0.9, 1e-6, 300, psi, 4, mean, mechanism.first), rel=1e-6
    )
    rng = np.random.default_rng(20240713)
    draws = np.array(
        [mechanism.sample(law.sample(mechanism.count, rng=rng), 1, rng=rng)[0] for _ in range(2000)]
    )
    kept = draws[~np.isnan(draws[:, 0]), 1] - mean
    off = 5 * float((kept**2).std()) / np.sqrt(kept.size)
    assert float(given.bound) / 2 < float((kept**2).mean()) - off < float(given.bound)


@pytest.mark.parametrize(
    ("law", "changes"),
    [
        ("normal 0 2", {}),
        ("tilted 0", {}),
        ("normal 0 1", {"first": 100}),
        ("normal 0 1", {"distance": 10}),
        ("normal 0 1", {"scale": 9}),
    ],
)
def test_no_bound_outside_of_the_class(law: str, changes: dict[str, object]) -> None:
    """A larger variance, a larger fourth moment and other sizes must leave the bias alone."""
    made = theorem_mean("9/10", "1/10", 300, psi="7/5")
    arguments = {
        name: getattr(made, name)
        for name in ("epsilon", "delta", "distance", "scale", "first", "second")
    }
    assert len(made.utility_claims_under(read_law("normal 0 1"), made.count)) == 3
    other = build_mechanism("tri.symmetric-mean", **{**arguments, **changes})
    claims = other.utility_claims_under(read_law(law), other.count)
    assert [claim.quantity for claim in claims] == [Quantity.BIAS]


def test_claims_given_success_are_a_case_of_their_own() -> None:
    """Failed draws must count for the whole error, and be left out of the other case."""
    mechanism = build_mechanism("tri.symmetric-mean", first=20, second=20)
    case = data_case("data", np.zeros(40), mechanism, (), None, 1.0)
    whole, given = by_success(case, mechanism)
    assert not whole.given_success
    assert given.given_success
    assert {c.given_success for c in whole.claims} == {False}
    releases = np.array([[np.nan, 5.0], [0.0, 7.0]])
    assert whole.read is not None
    assert given.read is not None
    assert whole.read(releases).tolist() == [5.0, 7.0]
    np.testing.assert_array_equal(given.read(releases), [np.nan, 7.0])
    alone = replace(case, claims=whole.claims)
    (same,) = by_success(alone, mechanism)
    assert same is alone
