"""Released libraries from a schema alone; of a local mechanism a data set is one row."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import audit
from audit.verdict import Verdict

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


def run(release: Any, epsilon: Any, schema: Any, **words: Any) -> Any:
    """Audit what has no null."""
    claim = audit.pure(epsilon, relation="swap")
    return audit.audit(release, claim, schema=schema, domain="declared", **{"seed": 1, **words})


def test_a_bit_that_is_never_cleared_is_found() -> None:
    """It must hold from a schema alone, with the bit that is 0 on one side."""
    result = run(rappor, CLAIM_OF_FILTER, categories(list(range(1, 9))))
    assert result.verdict is Verdict.REFUTED
    assert result.screening is not None
    assert result.screening.how == "records"
    assert result.screening.pairs >= 28
    assert "output[" in result.witness.event
    assert len(result.witness.data) == len(result.witness.neighbor) == 1


@pytest.mark.slow
def test_all_of_the_loss_of_that_bit_is_found() -> None:
    """It must hold that it exceeds 5.8 in a bound; the paper's own mechanism is not refuted."""
    schema = categories(list(range(1, 9)))
    result = run(rappor, CLAIM_OF_FILTER, schema, mode="bound", budget_samples=60_000)
    assert result.limits["epsilon"] > 5.8
    sound = run(clearing, CLAIM_OF_FILTER, schema, budget_samples=60_000)
    assert sound.verdict is not Verdict.REFUTED


@pytest.mark.slow
def test_two_columns_that_lose_together_are_found() -> None:
    """It must hold of the pair that differs in both, with a loss of 1.3 at least (it is 1.49)."""
    schema = categories([0, 1], [0, 1])
    result = run(fake_data, 1, schema)
    assert result.verdict is Verdict.REFUTED
    first, second = result.witness.data.rows[0], result.witness.neighbor.rows[0]
    assert all(x != y for x, y in zip(first, second, strict=True))
    bound = run(fake_data, 1, schema, mode="bound", budget_samples=100_000)
    assert bound.limits["epsilon"] > 1.3


@pytest.mark.slow
def test_one_column_alone_keeps_the_claim() -> None:
    """It must hold that the pair with one other column is not refuted."""
    schema = categories([0, 1], [0, 1])
    pair = ([[0, 0]], [[0, 1]])
    result = run(fake_data, 1, schema, pair=pair, budget_samples=100_000)
    assert result.verdict is not Verdict.REFUTED


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
