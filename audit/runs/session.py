"""What a run takes from its surroundings: a fresh seed, and where its samples are drawn."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.engine.counts.source import CountSource

__all__ = ["chosen_source", "fresh_seed", "processes"]

MOST_PROCESSES = 2
"""More are asked for: a machine has other work."""


def fresh_seed() -> int:
    """Draw a seed that can be typed."""
    return secrets.randbits(32)


def processes() -> int:
    """Processes that a command uses unless it is told."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(MOST_PROCESSES, cores or 1)


def chosen_source(jobs: int, backend: str) -> CountSource:
    """Where samples are drawn, as asked and by the environment."""
    from audit.engine.counts.backends import open_source

    return open_source(jobs, backend, scheduler=os.environ.get("DASK_SCHEDULER_ADDRESS"))
