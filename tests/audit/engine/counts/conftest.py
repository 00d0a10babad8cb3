"""Batches of a few thousand draws have several blocks here, as large ones have."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("draws.blocks", "engine.counts.block"):
        monkeypatch.setattr(f"audit.{module}.LATER_FIRST_BLOCK", 1024)
