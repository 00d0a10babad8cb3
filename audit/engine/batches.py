"""Batches of a run: drawn afresh, compared and booked with the bets made before, learned from.

First draws of a pair only teach: the wealth does not move by them. Nothing is left of a batch that
was cut or failed.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from audit.draws.blocks import BatchFailed, OutOfTime
from audit.draws.streams import BatchPlace
from audit.engine.allocation import PROMISING
from audit.engine.booking import book
from audit.engine.counts.batch import Batch, merge
from audit.engine.counts.block import Task
from audit.engine.pair_choice import is_exploring
from audit.engine.pair_state import PairState
from audit.engine.run import Run
from audit.interrupts import undisturbed

__all__ = ["Check", "bet_on", "first_draws", "fresh_batch", "report"]

Check = Callable[[Run, PairState, Batch], None]
"""What looks at the draws of a batch that has been booked."""


def fresh_batch(run: Run, state: PairState, size: int) -> Batch:
    """Draw one batch of both arms, fresh and from separate streams; nothing is booked."""
    try:
        return _fresh_batch(run, state, size)
    except BatchFailed:
        if state.batches or state.single:
            raise
        state.single = True  # nothing has been bet on this pair yet
        return _fresh_batch(run, state, size)


def _fresh_batch(run: Run, state: PairState, size: int) -> Batch:
    encoder = state.encoder if state.batches else None
    counted = state.counted()
    partitions = {id(partition): partition for partition in counted}
    task = Task(
        target=run.target,
        sides=(state.data, state.neighbor),
        place=BatchPlace(
            run.settings.seed,
            run.purpose,
            pair=run.first_pair + state.index,
            batch=state.batches,
        ),
        sizes=(size, size),
        single=state.single,
        encoder=encoder,
        partitions=tuple(partitions.values()),
        keep=state.needs_draws(size),
        watches=tuple(state.watches),
    )
    arms, cut = run.count(task)
    places = list(partitions)
    which = [places.index(id(partition)) for partition in counted]
    drawn = arms[0].draws if cut else size
    return merge(arms, drawn, encoder, which, cut=cut)


def first_draws(run: Run, state: PairState, size: int, check: Check | None = None) -> Batch:
    """Draw what a pair's first bets are made from.

    Raises
    ------
    OutOfTime
        When the deadline passes; what was drawn before is learned from all the same.
    """
    batch = fresh_batch(run, state, size)
    with undisturbed():
        _learn(run, state, batch, check)
    report(run)
    if batch.cut:
        raise OutOfTime
    return batch


def bet_on(run: Run, state: PairState, size: int, check: Check | None = None) -> Batch:
    """Draw a batch, look at parts of it, book the whole of it, and learn from it.

    Parameters
    ----------
    run : Run
        Whose wealth is bet.
    state, size
        From `pair_choice.next_bet`.
    check : callable or None
        Looks at the draws of the booked batch, and may set `failure` and `opaque`.
    """
    exploring = is_exploring(run)
    try:
        batch = fresh_batch(run, state, size)
    except OutOfTime:
        run.cut = True
        raise
    with undisturbed():
        book(run.wealth, state, batch, run.grid.claimed)
        run.allocation.explored += 2 * size * exploring
        run.allocation.promising = _promises(run)
        _learn(run, state, batch, check)
    report(run)
    return batch


def _promises(run: Run) -> bool:
    """Whether the wealth against the claim has come so far that the run may soon end."""
    claimed = run.grid.claimed
    return bool(run.wealth.booked()[claimed] > PROMISING * run.wealth.needed()[claimed])


def _learn(run: Run, state: PairState, batch: Batch, check: Check | None) -> None:
    """Book the draws of a batch, and make the pair's next bet."""
    run.samples += 2 * batch.size
    state.learn(batch, run.grid_for(state))
    if check is not None:
        check(run, state, batch)


def report(run: Run) -> None:
    """Say how far the run has come, but for what earlier sessions have said; between batches."""
    if run.progress is not None and run.log.live:
        run.progress(run.samples, time.monotonic() - run.log.started)
