"""Which event to test: the one with the largest predicted lower limit, by the training draws.

Candidates are all prefixes of the cell orders of all partitions, both ways round. Each is judged by
the limit that the held-out draws would give it if its training frequencies were the truth, with one
standard error of the training kept back: the prediction is made for 1 / (1/n + kappa^2 / (z^2 m))
draws of each arm, n held out and m in training. A fixed mass of the tail would be far worse: mild
violations want events of mass 1/2, and a support that differs wants the rarest ones.

Whatever is chosen here only decides how tight the limit is, never whether it holds: the held-out
draws are none of those that choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.pair_state import PairState
from audit.engine.partitions import Partition
from audit.engine.witness.readable import filled

__all__ = ["Choice", "best_event", "predicted_lower"]

Array = NDArray[np.float64]

SHRINK = 1.0
"""kappa."""
SCALE = 1.0
LEAST_LIMIT = 1e-3
LARGEST_CONDITIONAL = 0.05
"""Events of less estimated probability are tested conditionally where delta is 0."""


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """What is tested, fixed before the held-out draws are made.

    Parameters
    ----------
    state : PairState
        The pair.
    partition : Partition
        Whose cells make the event.
    cells : ndarray of bool
        The event.
    arm : int
        On which it is likelier: 0 data, 1 neighbor.
    conditional : bool
        Test with random labels (T7), else Berger-Boos (T8).
    predicted, spread : float
        Predicted lower limit on epsilon with the training's error kept back, and its distance from
        the estimate in units of the level's quantile: about one standard error.
    """

    state: PairState
    partition: Partition
    cells: NDArray[np.bool_]
    arm: int
    conditional: bool
    predicted: float
    spread: float

    def hits(self, outcomes: Any) -> int:
        """Draws in the event."""
        return int(self.cells[self.partition.codes(outcomes)].sum())


def predicted_lower(p: Array, q: Array, n: Array, delta: float, alpha: float) -> Array:
    """Lower limit on log((p - delta) / q) at frequencies p and q of n draws each, -inf if none.

    The intervals of Clopper and Pearson for p and q, recovered into one for the quotient (MOVER;
    Donner, Zou 2012): an approximation that serves rare and frequent events alike, and no test.
    """
    from scipy.special import betaincinv

    low = betaincinv(np.maximum(n * p, 1e-9), n * (1 - p) + 1, alpha) - delta
    high = betaincinv(n * q + 1, np.maximum(n * (1 - q), 1e-9), 1 - alpha)
    a, b = p - delta, q
    inner = np.maximum((a * b) ** 2 - low * high * (2 * a - low) * (2 * b - high), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = low * (2 * a - low) / (a * b + np.sqrt(inner))
        return np.where((low > 0) & (quotient > 0), np.log(quotient), -np.inf)


def best_event(
    states: Sequence[PairState], draws: int, *, delta: float, false_alarm: float
) -> Choice:
    """Choose pair, direction and event by the largest predicted limit.

    Parameters
    ----------
    states : sequence of PairState
        Pairs that have learned from training draws.
    draws : int
        Held-out draws of each arm.
    delta, false_alarm : float
        Of the claim, and of the test.
    """
    return max(
        (_best_of(state, draws, delta, false_alarm) for state in states),
        key=lambda choice: choice.predicted,
    )


def _best_of(state: PairState, draws: int, delta: float, false_alarm: float) -> Choice:
    from scipy.special import ndtri

    assert state.bet is not None
    candidates = state.bet.candidates
    p, q, m = (values[:, 0] for values in (candidates.p, candidates.q, candidates.n))
    z = max(float(-ndtri(false_alarm)), 0.5)
    # of events of mass p there are about 1/p that do not overlap: the best of so many is better
    # than it should be by sqrt(2 log 1/p) standard errors
    kappa2 = SHRINK**2 + SCALE * 2 * np.log(1 / np.maximum(p, q))
    for part in (1.0, 0.25, 0.0):
        n = 1 / (1 / draws + part * kappa2 / (z**2 * m))
        limits = predicted_lower(p, q, n, delta, false_alarm)
        best = int(np.argmax(limits))
        if limits[best] > LEAST_LIMIT:
            break
    order, members = candidates.locate(best)
    partition = state.partitions[order.partition]
    cells = filled(members, state.used_cells(order.partition), partition)
    estimate = np.log(max(p[best] - delta, 1e-300) / q[best])
    return Choice(
        state,
        partition,
        cells,
        order.direction,
        delta == 0 and p[best] < LARGEST_CONDITIONAL,
        float(limits[best]),
        max(float(estimate - limits[best]) / z, 1e-6) if np.isfinite(limits[best]) else 1.0,
    )
