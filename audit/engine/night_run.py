"""A run as one of many nights: which batches it may begin, what it is worth, what stays refuted.

`nights` has the theorem, and what is carried from one to the next.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from audit.engine.night_wealth import night_value
from audit.engine.run_state import Run

__all__ = ["fits", "night_of", "stays_refuted"]

SLACK = 1.5
"""A run that is carried over nights starts a batch if so many times its length are left."""


def fits(run: Run, size: int) -> bool:
    """Whether a batch may begin: of a run that is carried, if it surely ends in time."""
    if run.carried is None:
        return True
    now = time.monotonic()
    expected = 2 * size * (now - run.log.started) / max(1, run.samples)
    return SLACK * expected <= run.deadline - now


def night_of(run: Run) -> NDArray[np.float64]:
    """Logarithm of the night's e-value at each point of the grid (see `nights`)."""
    wealth = run.wealth.booked()
    if run.cut:  # by how long its draws took, which may depend on what they are
        wealth = np.full_like(wealth, -np.inf)
    return night_value(wealth, run.share, run.idle)


def stays_refuted(run: Run) -> bool:
    """Book that an earlier night refuted the claim, if one did and an event can be shown."""
    claimed = run.grid.claimed
    before = run.carried is not None and run.carried.has_rejected(claimed)
    if not before or any(state.bets is None for state in run.given):
        return False
    run.wealth.highest[claimed] = np.inf
    return True
