"""Calls of released libraries as users make them, written here where a library is old or slow.

Each breaks its claim: what is wrong stands in its first line.
"""

from __future__ import annotations

import math
import time
import warnings
from typing import Any

import numpy as np

Rng = np.random.Generator


def hashes(value: int, cohort: int) -> set[int]:
    """Places of a value in the Bloom filter of a cohort."""
    return {(value * (2 * k + 3) + cohort + k) % 8 for k in range(2)}


def rappor(rows: Any, rng: Rng, clears: bool = False) -> list[int]:
    """`RAPPORClient` of pure-ldp 1.2.0 with f = 1/2: a bit that is set is never cleared.

    With `clears` it is, as the paper has it.
    """
    cohort = int(rng.integers(2))
    bits = [int(i in hashes(rows[0]["0"], cohort)) for i in range(8)]
    for i in range(8):
        draw = rng.random()
        if draw < 0.25:
            bits[i] = 1
        elif draw < 0.5 and clears:
            bits[i] = 0
    return [*bits, cohort]


def clearing(rows: Any, rng: Rng) -> list[int]:
    """The same as the paper has it."""
    return rappor(rows, rng, clears=True)


def fake_data(rows: Any, rng: Rng) -> list[int]:
    """RS+FD[GRR] of multi-freq-ldpy 0.2.5, k = (2, 2), which claims epsilon = 1."""
    amplified = 2 * (math.e - 1) + 1
    values = [rows[0]["0"], rows[0]["1"]]
    chosen = int(rng.integers(2))
    out = rng.integers(2, size=2).tolist()
    keeps = rng.random() < amplified / (amplified + 1)
    out[chosen] = values[chosen] if keeps else 1 - values[chosen]
    return list(out)


def categories(*numbers: list[int]) -> dict[str, Any]:
    """The schema of one row of listed categories."""
    columns = {
        str(i): {"type": "category", "values": values, "unseen": False}
        for i, values in enumerate(numbers)
    }
    return {"relation": "swap", "max_units": 1, "takes": "records", "columns": columns}


CLAIM_OF_FILTER = "4.394"
"""As `RAPPORClient.convert_f_to_eps` says."""


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


def private_count(data: Any, size: int, *, rng: Rng) -> Any:
    """`private_count` of diffpriv-pure 0.1.0: its noise is never below 0."""
    return len(data) + rng.geometric(1 - math.exp(-1), size) - 1


def slow_failing(data: Any, rng: Rng) -> float:
    """A clipped sum that takes 40 ms a draw, and fails where a record is NaN."""
    time.sleep(0.04)
    if np.isnan(data).any():
        msg = "a record is missing"
        raise ValueError(msg)
    return float(np.clip(data, 0, 1).sum() + rng.laplace())
