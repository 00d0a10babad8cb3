"""Released libraries from a schema alone; of a local mechanism a data set is one row."""

from __future__ import annotations

from typing import Any

import pytest

import audit
from audit.results.verdict import Verdict
from tests.audit.tables.released import (
    CLAIM_OF_FILTER,
    LINES,
    categories,
    clearing,
    fake_data,
    private_count,
    rappor,
    slope,
)


def run(release: Any, epsilon: Any, schema: Any, **words: Any) -> Any:
    """Audit what has no null."""
    claim = audit.pure(epsilon, relation="swap")
    return audit.audit(release, claim, schema=schema, domain="declared", **{"seed": 1, **words})


@pytest.mark.long
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


@pytest.mark.slow
def test_a_sum_of_squares_without_noise_is_found() -> None:
    """It must hold within 120 seconds, though a draw takes a quarter of one; no bit tells it."""
    claim = audit.pure(1, relation="swap")
    result = audit.audit(slope, claim, schema=LINES, seed=1, budget_seconds=120)
    assert result.verdict is Verdict.REFUTED, result.reason
    assert result.witness is not None
    assert result.witness.feature == "value"
    assert max(len(result.witness.data), len(result.witness.neighbor)) <= 6


@pytest.mark.long
def test_noise_of_one_sign_is_found() -> None:
    """It must hold within 5,000 draws that an output below the count tells the data."""
    claim = audit.pure(1, relation="add-remove")
    result = audit.audit(private_count, claim, low=0, high=1, seed=1)
    assert result.verdict is Verdict.REFUTED
    assert result.samples <= 5_000
