"""The estimator of Hodges and Lehmann: one risk for every coin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from mechanisms.errors import InvalidArgument
from mechanisms.trilemma.errors import mse_hodges_lehmann
from mechanisms.trilemma.hodges_lehmann import hodges_lehmann
from tests.mechanisms.trilemma.printed import as_printed


def risk(n: int, p: float) -> float:
    """Mean squared error for n coins of probability p, summed over the number of ones."""
    terms = (
        math.comb(n, k)
        * p**k
        * (1 - p) ** (n - k)
        * (hodges_lehmann([1] * k + [0] * (n - k)) - p) ** 2
        for k in range(n + 1)
    )
    return math.fsum(terms)


def test_risk_is_the_stated_constant(subtests: pytest.Subtests) -> None:
    """It must be 1 / (4 (sqrt(n) + 1)^2) whatever the coin is."""
    for p in [0.0, 0.05, 0.5, 0.93, 1.0]:
        for n in [1, 2, 10, 100]:
            with subtests.test(p=p, n=n):
                assert risk(n, p) == pytest.approx(mse_hodges_lehmann(n), rel=1e-12)


@pytest.mark.parametrize(
    ("n", "value"),
    [
        (1, ".0625"),
        (2, ".0428932188134525"),
        (10, ".0144303848137754"),
        (100, ".00206611570247934"),
        (1000, "2.3490819317732e-4"),
    ],
)
def test_constants_are_the_reference(n: int, value: str) -> None:
    """TRI-EA.2-minimax: the printed digits must come out."""
    assert mse_hodges_lehmann(n) == as_printed(value)


@pytest.mark.parametrize("bits", [[0.5], [2, 0], [math.nan], [None], np.array([-1.0])])
def test_other_records_are_refused(bits: Any) -> None:
    """Nothing is private here, so what is no bit must be named."""
    with pytest.raises(InvalidArgument, match=r"bits must be 0 or 1, got bits="):
        hodges_lehmann(bits)
