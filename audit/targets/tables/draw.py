"""A sampler that gets a table in the form that its schema says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from audit.targets.tables.table_forms import given


@final
@dataclass(frozen=True, slots=True)
class TableDraw:
    """A sampler (table, size, rng) -> outputs of one that takes something else."""

    draw: Callable[[Any, int, np.random.Generator], Any]

    def __call__(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Draw."""
        return self.draw(given(data), size, rng)
