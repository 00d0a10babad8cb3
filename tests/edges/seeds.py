"""Seeds of the rows of targets at the edges: one by default, three with `slow`."""

from __future__ import annotations

from typing import Any

import pytest

SEEDS: list[Any] = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))]
