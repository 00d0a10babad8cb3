"""Lemma 11 as printed: equal records get no noise, and one record tells itself."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.exact_search import search
from mechanisms.as_printed.certain_law import CertainLaw
from mechanisms.as_printed.weighted_mean import PrintedWeightedMean
from mechanisms.errors import InvalidArgument
from mechanisms.noise.laplace import Laplace
from mechanisms.personalized.users import BOT
from mechanisms.protocols import FiniteLaw
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance

F = Fraction
THREE = ("1/2", "1/4", "1/4")


def test_one_record_tells_itself(dp_rng: np.random.Generator) -> None:
    """For D = {0}, D' = {1} the release must be 0 for certain, and 1 for certain."""
    mechanism = PrintedWeightedMean()
    data, neighbor = mechanism.counterexample or ([], [])
    assert (data, neighbor) == ([0], [1])
    for records in (data, neighbor):
        np.testing.assert_array_equal(mechanism.sample(records, 9, rng=dp_rng), records * 9)
    assert mechanism.exact_law(data) == CertainLaw(F(0))
    assert mechanism.exact_law(neighbor) == CertainLaw(F(1))


def test_exact_audit_refutes_it() -> None:
    """The ratio must be infinite and the excess 1, at any epsilon; equal data must show nothing."""
    mechanism = PrintedWeightedMean()
    found = search(mechanism, [([0.0], [1.0])], F(400), F(0))
    assert found.ratio is None
    assert found.excess == (F(1), F(1))
    assert found.broken is not None
    same = search(mechanism, [([1.0], [7.0])], F(1), F(0))
    assert same.broken is None


def test_noise_follows_the_records(dp_rng: np.random.Generator) -> None:
    """The scale must be that of the records' own range, and not of the public interval."""
    mechanism = PrintedWeightedMean(2, THREE, -1, 7)
    data, center = [1.0, 3.0, BOT], 0.5 * 1 + 0.25 * 3 + 0.25 * 3

    def cdf(z: np.ndarray, scale: float = 0.5) -> np.ndarray:
        return Laplace(1, F(scale)).cdf(z - center)

    wrong: list[Any] = [lambda z, s=s: cdf(z, s) for s in (0.475, 0.525, 2)]
    distance = min(law_distance(cdf, law, np.linspace(-6, 9, 3001)) for law in wrong)
    found = mechanism.sample(data, draws_for(distance), rng=dp_rng)
    assert_law(found, cdf, distance)
    for law in wrong:
        assert_not_law(found, law, distance)


@given(st.floats(-3, 3))
def test_equal_records_are_certain(x: float) -> None:
    """Equal records, also by clipping, must give their mean without noise, as the law says."""
    mechanism = PrintedWeightedMean(1, THREE, "1/8", 2)
    found = mechanism.sample([x] * 3, 4, rng=np.random.default_rng(1))
    assert len(set(found)) == 1
    law = mechanism.exact_law([x] * 3)
    assert law == CertainLaw(max(F(1, 8), min(F(x), F(2))))
    assert found[0] == pytest.approx(float(law.release), rel=1e-15)


def test_law_of_other_records_is_not_stated() -> None:
    """Records that differ must raise, a missing record beside others at the midpoint must not."""
    mechanism = PrintedWeightedMean(1, THREE, 0, 2)
    assert mechanism.exact_law([1, BOT, 1]) == CertainLaw(F(1))
    with pytest.raises(InvalidArgument, match="equal records"):
        mechanism.exact_law([1, 2, 1])


def test_law_is_finite() -> None:
    """The law must be one that exact audits read."""
    law = PrintedWeightedMean().exact_law([0.5])
    assert isinstance(law, FiniteLaw)
    assert law.rational
    assert law.cuts == ()
    assert law.describe(F(1, 2)) == "z = 1/2"


def test_counterexample_is_without_noise() -> None:
    """For several records one side of the pair must be certain; without width there is no pair."""
    data, neighbor = PrintedWeightedMean(1, ("1/4", "3/4"), 2, 3).counterexample or ([], [])
    assert (data, neighbor) == ([2, 2], [2, 3])
    assert PrintedWeightedMean(low=1, high=1).counterexample is None
    assert PrintedWeightedMean(weights=(0, 0)).counterexample is None
