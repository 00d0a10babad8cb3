"""Released libraries that take a table, from a schema alone."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import audit
from audit.verdict import Verdict

LINES: dict[str, Any] = {
    "relation": "swap",
    "takes": "sklearn",
    "label": "y",
    "columns": {name: {"type": "float", "low": 0, "high": 1} for name in "xy"},
}


def slope(data: Any, rng: np.random.Generator) -> float:
    """LinearRegression of diffprivlib 0.6.6, whose sum of squares has a sensitivity of 0."""
    from diffprivlib.models import LinearRegression

    x, y = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LinearRegression(
            epsilon=1.0,
            bounds_X=(0, 1),
            bounds_y=(0, 1),
            fit_intercept=False,
            random_state=int(rng.integers(2**31)),
        )
        return float(model.fit(x.to_numpy(), y.to_numpy()).coef_[0])


@pytest.mark.slow
def test_a_sum_of_squares_without_noise_is_found() -> None:
    """It must hold within 120 seconds, though a draw takes a quarter of one; no bit tells it."""
    claim = audit.pure(1, relation="swap")
    result = audit.audit(slope, claim, schema=LINES, seed=1, budget_seconds=120)
    assert result.verdict is Verdict.REFUTED, result.reason
    assert result.witness is not None
    assert result.witness.feature == "value"
    assert max(len(result.witness.data), len(result.witness.neighbor)) <= 6
