"""A clock that samplers move: tests of time budgets that no load of the machine can change."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import pytest

__all__ = ["Clock"]


@final
@dataclass(slots=True)
class Clock:
    """Stands for `time.monotonic`; it goes on only while a sampler of `ticking` draws.

    Attributes
    ----------
    now : float
        Seconds.
    """

    now: float = 1000.0

    def install(self, monkeypatch: pytest.MonkeyPatch) -> Clock:
        """Take the place of `time.monotonic` until the test ends."""
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        return self

    def ticking(self, draw: Any, *, a_call: float = 0.0, a_draw: float = 0.0) -> Any:
        """Return a sampler that takes so many seconds a call and a draw of this clock."""

        def timed(data: Any, size: int, rng: np.random.Generator) -> Any:
            self.now += a_call + a_draw * size
            return draw(data, size, rng)

        return timed
