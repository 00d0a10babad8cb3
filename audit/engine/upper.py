"""Upper confidence limits on the loss of the events that a run has learned (ENG-T9).

No black-box test can accept differential privacy: an event nobody looked at may break it. What can
be said is relative to the K events of a family (event, direction and pair counted). For an event of
probability p on the likelier side and q on the other, the loss at the claimed delta is
log((p - delta) / q).

T9. Let the family and the number of draws be functions of the past, and let new draws be made
after them. Clopper-Pearson limits p_upper and q_lower at alpha / (2 K) each hold for all K events
together with probability at least 1 - alpha, so all K losses are at most
log((p_upper - delta) / q_lower), whatever their dependence: a union bound over 2 K limits. The
draws that a family was learned from would not do: its events were chosen among many by them.

A share of the budget, fixed in advance, is kept for these draws, and they are looked at once. An
eighth is enough to state limits beside `detectable`, which is computed from the other draws, and
costs the search for a violation little (a share of a half would double its
draws). The verdict does not depend on any of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.blocks import BatchFailed, OutOfTime
from audit.draws.settings import Settings
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.counts.block import Task
from audit.levels import line_of
from audit.results.sampled_result import Upper
from mechanisms.claims import Level

if TYPE_CHECKING:
    from audit.engine.pair_state import PairState
    from audit.engine.run_state import Run

__all__ = ["learned_events", "loss_upper", "upper_limits", "with_reserve", "without_reserve"]

SEVENTHS_KEPT = 1
"""Draws kept for the limits, in sevenths of the others: an eighth of the budget."""

MASSES = (0.5, 0.1, 0.01)
"""The limits are reported for the events of at least these probabilities."""

LEVELS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7)
"""The family has from each order the first event of at least each of these probabilities."""


@final
@dataclass(frozen=True, slots=True)
class LearnedCells:
    """A learned event: cells of a partition, and the side on which it is likelier."""

    partition: int
    direction: int
    cells: NDArray[np.intp]
    mass: float


def without_reserve(settings: Settings, level: Level) -> Settings:
    """The budget of a run without what is kept for the limits, where they are defined."""
    if line_of(level) is None:
        return settings
    whole = 7 + SEVENTHS_KEPT
    return replace(
        settings,
        budget_samples=max(1, settings.budget_samples * 7 // whole),
        budget_seconds=settings.budget_seconds * 7 / whole,
    )


def with_reserve(samples: int, level: Level) -> int:
    """The budget that leaves so many samples to the run: `without_reserve` undone."""
    if line_of(level) is None:
        return samples
    return -(-samples * (7 + SEVENTHS_KEPT) // 7)


def learned_events(state: PairState, delta: float) -> list[LearnedCells]:
    """Events of a pair's orders, by their probability beyond delta in the past."""
    assert state.bets is not None
    candidates = state.bets.candidates
    events, first = [], 0
    for order in candidates.orders:
        last = first + order.cells.size - 1
        mass = candidates.p[first:last, 0] - delta
        first = last
        # prefixes only grow, so the first of at least each level is found by its place
        places = np.unique(np.searchsorted(mass, LEVELS))
        events += [
            LearnedCells(
                order.partition, order.direction, order.cells[: place + 1], float(mass[place])
            )
            for place in places[places < mass.size]
        ]
    return events


def loss_upper(
    hits: NDArray[np.int64], other: NDArray[np.int64], draws: int, *, delta: float, level: float
) -> NDArray[np.float64]:
    """Upper limits on log((p - delta) / q), each of p and q wrong with probability `level`.

    Parameters
    ----------
    hits, other : ndarray of int, shape (K,)
        Draws in each event, of `draws` on the likelier side and on the other.
    draws : int
        Draws of each arm.
    delta, level : float
        Claimed delta; error of each Clopper-Pearson limit.

    Returns
    -------
    ndarray of float, shape (K,)
        At least 0; infinite where the other side has no draw in the event.
    """
    from scipy.special import betainccinv, betaincinv

    rest = np.maximum(draws - hits, 1)
    p_upper = np.where(hits < draws, betainccinv(hits + 1, rest, level), 1.0)
    q_lower = np.where(other > 0, betaincinv(np.maximum(other, 1), draws - other + 1, level), 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.maximum((p_upper - delta) / q_lower, 1.0)))


def upper_limits(run: Run, settings: Settings) -> tuple[Upper | None, int]:
    """Draw what was kept, once, and state the limits.

    Parameters
    ----------
    run : Run
        That has ended without a violation.
    settings : Settings
        With the whole budget.

    Returns
    -------
    Upper or None
        None where they are not defined, or nothing is left to draw with.
    int
        Draws made.
    """
    level = run.claim.level
    used = run.spent + run.checked + run.samples
    asked = min(settings.budget_samples, with_reserve(used, level))
    size = (asked - used) // (2 * len(run.given))
    line = line_of(level)
    if line is None or size < 1:
        return None, 0
    if any(state.bets is None for state in run.given):  # time ended the run among first draws
        return None, 0
    delta = float(line[1])
    families = [learned_events(state, delta) for state in run.given]
    deadline = run.log.started + settings.budget_seconds
    try:
        counted = [
            _hits(run, state, events, size, deadline)
            for state, events in zip(run.given, families, strict=True)
        ]
    except OutOfTime:
        return None, 0
    events = [event for family in families for event in family]
    if not events:
        return None, 0
    hits, other = np.concatenate(counted, axis=1)
    each = settings.false_alarm / (2 * len(events))
    limits = loss_upper(hits, other, size, delta=delta, level=each)
    mass = np.array([event.mass for event in events])
    masses = tuple(m for m in MASSES if m <= mass.max())
    epsilons = tuple(float(limits[mass >= m].max()) for m in masses)
    upper = Upper(masses, epsilons, len(events), size, len(run.given))
    return upper, 2 * size * len(run.given)


def _hits(
    run: Run, state: PairState, events: Sequence[LearnedCells], size: int, deadline: float
) -> NDArray[np.int64]:
    """Draw both arms of a pair afresh and count its events, shape (2, K): likelier, other."""
    task = Task(
        target=run.target,
        sides=(state.data, state.neighbor),
        place=BatchPlace(run.settings.seed, Purpose.RESERVE, pair=state.index),
        sizes=(size, size),
        single=state.single,
        encoder=state.encoder,
        partitions=tuple(state.partitions),
    )
    try:
        arms, _ = run.count(task, deadline, lasting=True)
    except BatchFailed:
        if state.single:
            raise
        state.single = True
        return _hits(run, state, events, size, deadline)
    by_arm = [[counts.sum(axis=(0, 1)) for counts in arm.counts] for arm in arms]
    hits = [
        [
            by_arm[arm][event.partition][event.cells].sum()
            for arm in (event.direction, 1 - event.direction)
        ]
        for event in events
    ]
    return np.array(hits, dtype=np.int64).reshape(len(events), 2).T
