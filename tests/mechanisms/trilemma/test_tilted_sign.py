"""The noisy mean of signs: unbiased for the tilt of a two-sided exponential law."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit.exact.all_neighbors import all_neighbors
from audit.results.verdict import Verdict
from mechanisms.claims import PureDP, Relation
from mechanisms.trilemma.tilted_sign import TiltedSign


def tilted(eta: float, size: int, rng: np.random.Generator) -> np.ndarray:
    """Draw from the density (1 - eta^2) / 2 e^(-|x| + eta x), exactly.

    Its integral over x > 0 is (1 + eta) / 2; either side is exponential.
    """
    positive = rng.random(size) < (1 + eta) / 2
    scale = np.where(positive, 1 / (1 - eta), -1 / (1 + eta))
    return scale * rng.standard_exponential(size)


@pytest.mark.parametrize("eta", [-0.9, 0.3, 0.77])
def test_no_bias(eta: float, dp_rng: np.random.Generator) -> None:
    """A release on many records must be within 6 sigma (2e-9) of eta, and 0.02 more must show."""
    n, epsilon = 400_000, 1
    data = tilted(eta, n, dp_rng)
    # the law of the data itself: its mean is 2 eta / (1 - eta^2)
    spread = math.sqrt(2 * (1 + eta**2) / (1 - eta**2) ** 2 / n)
    assert abs(float(data.mean()) - 2 * eta / (1 - eta**2)) < 6 * spread
    limit = 6 * math.sqrt((1 - eta**2) / n + 8 / (n * epsilon) ** 2)
    found = float(TiltedSign(epsilon).sample(data, 1, rng=dp_rng)[0])
    assert abs(found - eta) < limit
    assert min(abs(found - eta - 0.02), abs(found - eta + 0.02)) > limit


def test_claim_is_proved_and_not_less() -> None:
    """The lemma on the sum of signs must prove epsilon and refute 1 % less."""
    mechanism = TiltedSign("3/2")
    assert mechanism.claim.level == PureDP("3/2")
    query = mechanism.noisy_query()
    for factor, verdict in ((1, Verdict.PROVED), (0.99, Verdict.REFUTED)):
        level = mechanism.epsilon if factor == 1 else mechanism.epsilon * 99 / 100
        assert all_neighbors(query, Relation.SWAP, level).check.verdict is verdict
