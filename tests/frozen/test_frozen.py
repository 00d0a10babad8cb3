"""Every byte that a seeded run writes, and every help text, is as kept (`tests.frozen.outputs`)."""

from __future__ import annotations

import pytest

from tests.frozen.outputs import KEPT, compared, runs
from tests.slow import all_but

RUNS = {run.name: run for run in runs()}
FAST = ("help", "help-audit", "audit-exact-refuted", "audit-gaussian")
SLOW = sorted(RUNS.keys() - {*FAST})


@pytest.mark.long
@pytest.mark.parametrize("name", all_but(SLOW, RUNS))
def test_outputs_are_as_kept(name: str) -> None:
    """It must hold that a seeded run writes the same bytes on every machine."""
    assert compared(RUNS[name]) == []


def test_nothing_else_is_kept() -> None:
    """It must hold that each folder of kept outputs belongs to a run."""
    assert {folder.name for folder in KEPT.iterdir()} == RUNS.keys()
