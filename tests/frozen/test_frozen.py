"""Every byte that a seeded run writes is as kept (`tests.frozen.outputs`)."""

from __future__ import annotations

import pytest

from tests.frozen.outputs import KEPT, compared, runs

RUNS = {run.name: run for run in runs()}


@pytest.mark.long
@pytest.mark.parametrize("name", RUNS)
def test_outputs_are_as_kept(name: str) -> None:
    """It must hold that a seeded run writes the same bytes on every machine."""
    assert compared(RUNS[name]) == []


def test_nothing_else_is_kept() -> None:
    """It must hold that each folder of kept outputs belongs to a run."""
    assert {folder.name for folder in KEPT.iterdir()} == RUNS.keys()
