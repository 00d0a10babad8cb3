"""Broken releases are refuted from bounds alone, on the pairs that screening found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import audit
from audit.results.verdict import Verdict
from tests.audit.screening.defects import BROKEN, Row

FILE = Path(__file__).with_name("defects.py")
SEEDS = 5
MOST_SAMPLES = 20_000
"""Draws of any of these runs, its witness's among them."""


def sizes(row: Row, seed: int) -> tuple[int, bool]:
    """Refute a row; records of the witness, and whether its pair was screened."""
    result = audit.audit(
        f"{FILE}:{row.name}",
        epsilon=1,
        relation=row.relation,
        low=row.low,
        high=row.high,
        seed=seed,
        ideal=True,  # the lattices of doubles refute most of them by themselves
    )
    assert result.verdict is Verdict.REFUTED, (row.name, seed, result.reason)
    assert result.samples <= MOST_SAMPLES
    assert result.witness is not None
    assert result.screening is not None
    found = result.witness.shrunk_from or result.witness.pair
    records = max(len(result.witness.data), len(result.witness.neighbor))
    return records, found in [one.pair for one in result.screening.chosen]


@pytest.mark.slow
def test_each_is_refuted_for_five_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of 60 of 60, most with small witnesses; prints how many pairs were screened."""
    found, small = 0, 0
    for row in BROKEN:
        runs = [sizes(row, seed) for seed in range(1, SEEDS + 1)]
        found += sum(screened for _, screened in runs)
        small += all(records <= row.most_records for records, _ in runs)
    with capsys.disabled():
        print(f"\nscreening found the pair of {found} of {len(BROKEN) * SEEDS} refutations")
    assert found >= 0.6 * len(BROKEN) * SEEDS
    assert small >= 9


@pytest.mark.long
def test_a_record_in_a_narrow_interval_is_found() -> None:
    """It must hold of what no worst case meets; without screening as many draws do not."""
    row = BROKEN[-1]
    words: dict[str, Any] = {
        "epsilon": 1,
        "relation": "add-remove",
        "low": 0,
        "high": 1,
        "seed": 1,
        "ideal": True,
    }
    with_it = audit.audit(f"{FILE}:{row.name}", **words, budget_samples=300_000)
    assert with_it.verdict is Verdict.REFUTED
    assert with_it.samples <= MOST_SAMPLES
    without = audit.audit(f"{FILE}:{row.name}", **words, budget_samples=MOST_SAMPLES, screen=0)
    assert without.verdict is not Verdict.REFUTED
    assert any("not screened (--screen 0)" in line for line in without.not_tried)
    assert with_it.screening is not None
    assert not any("not screened" in line for line in with_it.not_tried)
