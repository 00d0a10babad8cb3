"""Released libraries are refuted from bounds alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import audit
from audit.results.verdict import Verdict

FILE = Path(__file__).with_name("libraries.py")
CASES = (
    ("total", "add-remove", 10, 11),
    pytest.param("median", "add-remove", 0, 1, marks=pytest.mark.slow),
    pytest.param("mean", "swap", 0, 1, marks=pytest.mark.slow),
    pytest.param("histogram", "swap", 0, 1, marks=pytest.mark.slow),
)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "relation", "low", "high"), CASES)
def test_a_call_is_refuted_without_a_pair(name: str, relation: str, low: int, high: int) -> None:
    """It must hold of each within a few thousand draws, on a pair that screening chose or near."""
    words: dict[str, Any] = {"epsilon": 1, "relation": relation, "low": low, "high": high}
    result = audit.audit(f"{FILE}:{name}", **words, seed=1, budget_samples=100_000)
    assert result.verdict is Verdict.REFUTED, result.reason
    assert result.samples <= 5_000
    assert result.screening is not None
