"""OpenDP on frames of polars is refuted from a schema of one column alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import audit
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from tests.audit.tables import opendp_frames
from tests.audit.tables.opendp_frames import CLAIM_OF_SUMS

FILE = Path(opendp_frames.__file__)


@pytest.fixture(autouse=True)
def _installed() -> None:
    """Skip where there is no polars, or no OpenDP."""
    for library in ("polars", "opendp"):
        pytest.importorskip(library, reason=f"{library} is not installed")


def run(name: str, epsilon: Any, **words: Any) -> AuditResult:
    """Audit a measurement on rows whose number is public."""
    own: dict[str, Any] = {"schema": opendp_frames.SCHEMA, "seed": 1, **words}
    return audit.audit(f"{FILE}:{name}", epsilon=epsilon, **own)


def test_a_null_that_is_filled_with_nan_is_found() -> None:
    """It must hold though no record is out of the domain, which has no NaN: null is enough."""
    result = run("filled_sum", CLAIM_OF_SUMS, domain="declared")
    assert result.verdict is Verdict.REFUTED, result.reason
    assert result.witness is not None
    sides = [row[0] for side in (result.witness.data, result.witness.neighbor) for row in side.rows]
    assert None in sides
    assert "outside of" not in result.reason


def test_nan_that_is_cut_to_null_is_found() -> None:
    """It must hold that a count without noise tells NaN from a number."""
    result = run("cut_count", 0)
    assert result.verdict is Verdict.REFUTED, result.reason
    assert "NaN in x" in result.reason


@pytest.mark.slow
def test_a_number_in_the_place_of_null_keeps_the_claim() -> None:
    """It must hold of the same query with another filler."""
    result = run("kept_sum", CLAIM_OF_SUMS, domain="declared", budget_samples=20_000)
    assert result.verdict is not Verdict.REFUTED, result.reason


@pytest.mark.slow
@pytest.mark.parametrize(("name", "epsilon"), [("filled_sum", CLAIM_OF_SUMS), ("cut_count", 0)])
def test_both_are_found_for_other_seeds(name: str, epsilon: Any) -> None:
    """It must hold of four more."""
    words = {"domain": "declared"} if name == "filled_sum" else {}
    for seed in range(2, 6):
        assert run(name, epsilon, **words, seed=seed).verdict is Verdict.REFUTED, seed
