"""The event of a bet on a learned function: where the function is large.

A bet on f is a mean of bets on the events {f > t} (ENG-T1b); the event that is shown has the t with
the largest gap on the past draws. These are shared by the arms as the learned ratios say: f is
large where chance has given one arm more of them, so their own counts would promise too much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.betting import z_score
from audit.engine.pair_state import PairState

__all__ = ["LearnedEvent", "learned_event"]


@final
@dataclass(frozen=True, slots=True)
class LearnedEvent:
    """Cells of one partition, and the arm on which they are too likely.

    `chances` are their probabilities on that arm and on the other, and `z` their gap by so many
    `draws`, as learned.
    """

    partition: int
    direction: int
    cells: NDArray[np.intp]
    chances: tuple[float, float]
    z: float
    draws: float


def learned_event(state: PairState, line: tuple[float, float]) -> LearnedEvent | None:
    """The clearest {f > t} of the pair's bet on a function, in either direction.

    Parameters
    ----------
    state : PairState
        A pair that has been bet on.
    line : (float, float)
        s and t of the claim.

    Returns
    -------
    LearnedEvent or None
        None where no function was bet on, or it is 0 everywhere.
    """
    bets = None if state.bets is None else state.bets.ratios
    if bets is None or bets.choice is None:
        return None
    n = float(state.counts[bets.choice.partition][:, 0].sum())
    best: LearnedEvent | None = None
    for direction, function in enumerate(bets.functions):
        order = np.argsort(-function, kind="stable")
        order = order[function[order] > 0]
        if not order.size:
            continue
        hits = np.cumsum(bets.hits[:, order], axis=1)
        p, q = ((hits[arm] + 0.5) / (n + 1) for arm in (direction, 1 - direction))
        z = z_score(p, q, np.array(n), *map(np.array, line))
        # equal values of f go together
        z[:-1][np.diff(function[order]) == 0] = -np.inf
        place = int(z.argmax())
        if best is None or z[place] > best.z:
            cells = bets.used[order[: place + 1]]
            chances = float(p[place]), float(q[place])
            best = LearnedEvent(
                bets.choice.partition, direction, cells, chances, float(z[place]), n
            )
    return best
