"""Which event to test: the one with the largest predicted lower limit, by the training draws.

Candidates are the prefixes of cell orders of every partition, both ways round: in the order of the
value, up and down, and in the order of the cells' posterior shares (`posterior`). Each is judged by
the limit that the held-out draws would give it if the posterior probabilities were the truth. A
fixed mass of the tail would be far worse: mild violations want events of mass 1/2, and supports
that differ want the rarest ones.

Whatever is chosen here only decides how tight the limit is, never whether it holds: the held-out
draws are none of those that choose.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bound.posterior import posterior_shares
from audit.engine.pair_state import PairState
from audit.engine.partitions import Partition
from audit.engine.witness.readable_event import filled

__all__ = ["ChosenEvent", "best_event", "divergence_lower", "predicted_lower"]

Array = NDArray[np.float64]

LEAST_KEPT_BACK = 2.0
"""Standard errors of the training that are kept back for any event; see `_kept_back`."""
KEPT_BACK_IN_LINE = 1.0
"""The same in the order of the value or the score, which was not made from these draws."""
LEAST_HITS = 30
"""Of an event in training."""
CAUTION = (1.0, 0.25, 0.0)
"""Shares of that, tried in turn until an event promises a limit."""
LEAST_LIMIT = 1e-3
LARGEST_CONDITIONAL = 0.05
"""Events of less estimated probability are tested conditionally where delta is 0."""
LARGEST_LOSS = 1.03
"""Quotient of variances that the conditional test may cost: Berger-Boos costs about as much."""
CONTIGUOUS = 0.5
"""Standard errors of the limit that an event in the order of the value may cost."""
SEEN = 10
"""Draws of a cell that counts by itself in the divergence."""
ALIKE = 0.8
"""Least quotient of the probabilities of events of one order that share most of their draws."""
LABEL_SHARES: Array = np.array([0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1])
"""Shares of the draws that the likelier arm may get: the rarer event wants more."""
TINY = 1e-300


class CellTable(NamedTuple):
    """A partition's cells that draws have met, and their posterior probabilities, shape (2, K)."""

    partition: int
    used: NDArray[np.intp]
    ordered: int
    draws: float
    masses: Array


class EventScore(NamedTuple):
    """An event before it is chosen: where it is, and what the training says of it."""

    score: float
    partition: int
    arm: int
    members: NDArray[np.intp]
    p: float
    q: float


@final
@dataclass(frozen=True, slots=True)
class ChosenEvent:
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
    label_share : float
        Share of the held-out draws that the likelier arm gets.
    safe : bool
        Whether a limit is promised after all standard errors of the training were kept back.
    score : float
        What it was chosen by: its predicted limit, less what is kept back.
    predicted, spread : float
        Predicted lower limit on epsilon, and its distance from the predicted log-ratio in units of
        the level's quantile: about one standard error.
    """

    state: PairState
    partition: Partition
    cells: NDArray[np.bool_]
    arm: int
    conditional: bool
    label_share: float
    safe: bool
    score: float
    predicted: float
    spread: float


def predicted_lower(
    p: Array, q: Array, n: Array | float, delta: float, alpha: float, *, share: Array | float = 0.5
) -> Array:
    """Lower limit on log((p - delta) / q) at frequencies p and q, -inf if there is none.

    Of 2 n draws, a share is of the likelier arm and the rest of the other. The intervals of Clopper
    and Pearson for p and q, recovered into one for the quotient (MOVER; Donner, Zou 2012): an
    approximation that serves rare and frequent events alike, and no test.
    """
    from scipy.special import betaincinv

    first, second = 2 * n * share, 2 * n * (1 - share)
    low = betaincinv(np.maximum(first * p, 1e-9), first * (1 - p) + 1, alpha) - delta
    high = betaincinv(second * q + 1, np.maximum(second * (1 - q), 1e-9), 1 - alpha)
    a, b = p - delta, q
    inner = np.maximum((a * b) ** 2 - low * high * (2 * a - low) * (2 * b - high), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = low * (2 * a - low) / (a * b + np.sqrt(inner))
        return np.where((low > 0) & (quotient > 0), np.log(quotient), -np.inf)


def best_event(state: PairState, draws: int, *, delta: float, false_alarm: float) -> ChosenEvent:
    """Choose partition, direction and event of a pair by the largest predicted limit.

    Parameters
    ----------
    state : PairState
        A pair that has learned from training draws.
    draws : int
        Held-out draws of each arm.
    delta, false_alarm : float
        Of the claim, and of the test.
    """
    from scipy.special import ndtri

    quantile = max(float(-ndtri(false_alarm)), 0.5)
    tables = [_table(state, index) for index in range(len(state.counts))]
    for share in CAUTION:
        events = (
            event
            for table in tables
            for event in _events(table, draws, delta, false_alarm, quantile, share)
        )
        best = max(events, key=lambda event: event.score)
        if best.score > LEAST_LIMIT:
            break
    partition = state.partitions[best.partition]
    p, q = np.full(LABEL_SHARES.size, best.p), np.full(LABEL_SHARES.size, best.q)
    limits = predicted_lower(p, q, draws, delta, false_alarm, share=LABEL_SHARES)
    chosen = int(np.argmax(limits))
    predicted = float(limits[chosen])
    return ChosenEvent(
        state,
        partition,
        filled(best.members, state.used_cells(best.partition), partition),
        best.arm,
        delta == 0 and _conditional(best.p, best.q, float(LABEL_SHARES[chosen])),
        float(LABEL_SHARES[chosen]),
        share == CAUTION[0],
        best.score,
        predicted,
        _spread(best.p, best.q, delta, predicted) / quantile,
    )


def _conditional(p: float, q: float, share: float) -> bool:
    """Whether the conditional test loses little: it reads the hits alone, and not the draws."""
    x, y = share * p, (1 - share) * max(q, TINY)
    variance = (1 - p) / x + (1 - q) / y
    return p < LARGEST_CONDITIONAL or 1 / x + 1 / y <= LARGEST_LOSS * variance


def divergence_lower(state: PairState) -> float:
    """How far the arms of a pair lie apart in its most telling partition, a standard error less.

    The two-sample chi-square, less its degrees of freedom, by draw: it reads all cells, so that
    few draws tell which pairs are worth more of them.
    """
    found = [0.0]
    for by_half in state.counts:
        counts = by_half.sum(axis=0)
        seen = counts.sum(axis=0) >= SEEN
        hits, other = counts[:, seen]
        excess = float(((hits - other) ** 2 / (hits + other)).sum()) - (hits.size - 1)
        error = math.sqrt(2 * hits.size + 4 * max(excess, 0.0))
        found.append((excess - error) / float(counts[0].sum()))
    return max(found)


def _table(state: PairState, index: int) -> CellTable:
    """Posterior probabilities of the cells that draws have met, by the counts of the training."""
    counts = state.counts[index].sum(axis=0)
    used = state.used_cells(index)
    draws = float(counts[0].sum())
    pooled, shares = counts[:, used].sum(axis=0) / draws, posterior_shares(counts[:, used])
    masses = np.stack([pooled * shares, pooled * (1 - shares)])
    ordered = int(np.searchsorted(used, state.partitions[index].ordered))
    return CellTable(index, used, ordered, draws, masses)


def _events(
    table: CellTable, draws: int, delta: float, false_alarm: float, quantile: float, caution: float
) -> Iterator[EventScore]:
    """The best event of every direction and order of a partition."""
    line = np.arange(table.ordered)
    for arm in (0, 1):
        by_ratio = np.argsort(table.masses[1 - arm] / table.masses[arm], kind="stable")
        by_ratio_cost = CONTIGUOUS if table.ordered else 0.0
        for order, cost in ((by_ratio, by_ratio_cost), (line, 0.0), (line[::-1], 0.0)):
            if order.size == 0:
                continue
            p, q = np.minimum(np.cumsum(table.masses[[arm, 1 - arm]][:, order], axis=1), 1.0)
            kept = np.full(order.size, caution * KEPT_BACK_IN_LINE)
            if order is by_ratio:
                kept = caution * _kept_back(np.maximum(p, q), order.size)
            effective = 1 / (1 / draws + (kept / quantile) ** 2 / table.draws)
            limits = predicted_lower(p, q, effective, delta, false_alarm)
            limits[p * table.draws < LEAST_HITS] = -np.inf
            cautious = int(np.argmax(limits))
            score = float(limits[cautious])
            # caution is against luck, and asks for larger events than the test does: of those that
            # share most of their draws with this one, the best for the test itself
            plain = predicted_lower(p, q, draws, delta, false_alarm)
            near = (p >= p[cautious] * ALIKE) & (p <= p[cautious] / ALIKE)
            best = (
                int(np.argmax(np.where(near, plain, -np.inf))) if score > LEAST_LIMIT else cautious
            )
            score -= cost * _spread(p[best], q[best], delta, score) / quantile
            members = table.used[order[: best + 1]]
            yield EventScore(score, table.partition, arm, members, float(p[best]), float(q[best]))


def _spread(p: float, q: float, delta: float, limit: float) -> float:
    """Distance of a limit from the log-ratio that it is a limit of; positive."""
    if not math.isfinite(limit):
        return 1.0
    return max(math.log(max(p - delta, TINY) / max(q, TINY)) - limit, 1e-6)


def _kept_back(mass: Array, cells: int) -> Array:
    """Standard errors of an event's estimate that are kept back.

    Of events of mass p there are about 1 / p that do not overlap (and no more than cells): the
    luckiest of k looks better than it is by some sqrt(2 log k) standard errors.
    """
    return np.sqrt(LEAST_KEPT_BACK**2 + 2 * np.log(np.clip(1 / mass, 1, cells)))
