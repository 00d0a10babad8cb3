"""The loop of a sequential audit, in the order in which it runs.

Begin: the clock says how many first draws it pays for, and whether a call for many draws has the
law of calls of one. First draws of each pair teach, and the wealth does not move by them. Then
rounds: choose a pair and a size, draw a batch of both arms, book it, learn from it, look for what
makes its draws worthless; until the claim is refuted, draws fail, or the budget is spent.

Why this is sound (ENG-T1 to ENG-T6). The bets on a batch, its pair and its size are functions of
the batches before it; its draws are fresh. So under the claim the e-value of a batch has mean at
most 1 given the past, and the wealth is a non-negative supermartingale, whatever is learned. What
the clock decides is decided before the first bet. A batch that is cut or fails leaves nothing: it
was not chosen by what it showed. A look at the draws can only end a run as INCONCLUSIVE.

`sequential` frames this: the second run after a failure, the witness, the limits, the result.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.draws.blocks import BatchFailed, OutOfTime
from audit.draws.containment import accidents_of
from audit.draws.settings import FEWEST_FIRST_DRAWS
from audit.draws.streams import BatchPlace
from audit.engine.allocation import FIRST_DRAWS, FIRST_DRAWS_OF_PROGRAM, PROMISING, is_above
from audit.engine.alone import compare_calls_of
from audit.engine.cost import Cost, Size, affordable, measured
from audit.engine.counts.batch import Batch, merge
from audit.engine.counts.block import Task
from audit.engine.faults_of_draws import fault_of, look
from audit.engine.hopeless import all_failed, hopeless
from audit.engine.joining_pairs import FIRST_DRAWS_OF_JOINED
from audit.engine.night_run import fits
from audit.engine.pair_state import PairState
from audit.engine.partitions import Partition
from audit.engine.run_state import Run, unseen
from audit.engine.upper import with_reserve
from audit.engine.wealth import Wealth
from audit.interrupts import undisturbed
from audit.results.number_words import plural
from audit.targets.target import Calls, domain_of
from mechanisms.claims import PersonalizedDP

__all__ = [
    "FIRST_RUN_SHARE",
    "MOST_PARTS",
    "bet_on",
    "book",
    "first_draws",
    "fresh_batch",
    "is_exploring",
    "join_nearby",
    "next_bet",
    "prefixes",
    "rounds",
    "tell_progress",
]

Array = NDArray[np.float64]
Check = Callable[[Run, PairState, Batch], None]

FIRST_RUN_SHARE = 0.9
"""Share of the false-alarm rate for the run; the rest is for a second one, one draw a call, where
a target that makes many draws a call fails after the first bets."""

MEASUREMENTS = 3
"""Of the cost of a draw, before the clock has a say: a loaded machine makes single ones longer."""

SHARE_OF_MEASUREMENTS = 0.1
"""Of the time cap, after which there are no more: a slow target is one by its first."""

MOST_PARTS = 8
"""Looks at a batch whose draws are kept: one draw of each arm apart, or as many as that makes."""

NEAR = 2.0
"""Nats below what refutes from which on parts of a batch are looked at: a look takes as long as
thousands of draws, and few batches come so near."""


def rounds(run: Run) -> tuple[str, str]:
    """Draw and bet until something stops the run: what, and a failure in words.

    Nothing is concluded: no witness, no power statement, no limits. Calibration needs no more.

    Raises
    ------
    BatchFailed
        If draws of a pair that was bet on raise.
    """
    try:
        ended = _bet_until_stopped(run)
    except OutOfTime:
        ended = "seconds", ""
    if ended[0] != "failure" and (fault := fault_of(run)):
        return "failure", fault
    return ended


def _bet_until_stopped(run: Run) -> tuple[str, str]:
    if run.samples == 0 and not run.spent:
        _begin(run)
    budget = run.settings.budget_samples - run.spent - run.checked
    if run.failure:
        return "failure", run.failure
    if run.target.calls is Calls.START:
        run.allocation.worth_a_start = min(run.first, FIRST_DRAWS_OF_PROGRAM)
    first = min(run.first, budget // (4 * len(run.pairs)))
    if first < FEWEST_FIRST_DRAWS:
        needed = with_reserve(4 * FEWEST_FIRST_DRAWS * len(run.pairs), run.claim.level)
        few = f"the samples are too few for {plural(len(run.pairs), 'pair')}"
        return "failure", hopeless(run) or f"{few}; at least {needed} are needed"
    for state in run.pairs:
        if state.batches == 0 and run.ended is None:
            first_draws(run, state, first, check=look)
            if state.index == 0 and all_failed(state):
                run.failure = run.failure or hopeless(run)
    while run.samples + 2 <= budget and run.ended is None:
        joined = join_nearby(run)
        if joined is None:
            state, size = next_bet(run)
            if not fits(run, size):
                return "seconds", ""
            bet_on(run, state, size, check=look)
        else:
            first_draws(run, joined, first_of_joined(run), check=look)
    return run.ended or "samples", run.failure


def _begin(run: Run) -> None:
    """Measure what a draw costs, size the first draws, and see what a call for many draws is."""
    if run.target.calls is Calls.START:
        run.first = FIRST_DRAWS_OF_PROGRAM
    if run.settings.first_draws is not None:
        run.first, suspect = run.settings.first_draws, run.target.calls is Calls.START
    else:
        size, suspect, run.seconds_per_draw = run.ask(
            "size",
            lambda: _size(run),
            to=lambda found: [astuple(found[0]), *found[1:]],
            back=_size_from,
        )
        run.take(size)
    if suspect or accidents_of(run.target):
        run.failure = hopeless(run)
    if not run.failure:
        compare_calls_of(run)


def _size(run: Run) -> tuple[Size, bool, float]:
    """The size that time pays for, whether all calls failed, and seconds of a draw."""
    state, settings = run.pairs[0], run.settings
    cost = Cost(math.inf, math.inf, failed=True)
    for _ in range(MEASUREMENTS):
        sides = (state.data, state.neighbor)
        cost = cost.at_most(measured(run.target, sides, settings.seed, run.deadline))
        size = affordable(
            run.target,
            cost,
            first=run.first,
            pairs=len(run.pairs),
            seconds=settings.budget_seconds,
            single=state.single,
        )
        measuring = time.monotonic() - run.log.started
        if not size.by_time or measuring > SHARE_OF_MEASUREMENTS * settings.budget_seconds:
            break
    seconds = cost.of(run.target, size.first, single=state.single)
    return size, cost.failed, seconds / size.first


def _size_from(values: Any) -> tuple[Size, bool, float]:
    (first, pairs, by_time), failed, seconds = values
    return Size(int(first), int(pairs), bool(by_time)), bool(failed), float(seconds)


def is_exploring(run: Run) -> bool:
    """Whether the next draws are of the least-sampled pair."""
    return run.allocation.exploring(run.pairs, run.samples, run.left)


def next_bet(run: Run) -> tuple[PairState, int]:
    """Choose the pair of the next batch and its size: functions of the past and the budget."""
    return run.allocation.next_batch(run.pairs, run.samples, run.left)


def join_nearby(run: Run) -> PairState | None:
    """Let a pair join that is near the most suspicious one, while none is above the noise.

    Its first draws only learn (see `audit.engine.joining_pairs`); None where nothing joins. Of a
    personalized claim nothing does: a record's place is its user.
    """
    if isinstance(run.claim.level, PersonalizedDP):
        return None
    learned = min(state.batches for state in run.given) > 1
    first = first_of_joined(run)
    enough = run.left > first and run.search.may_join(first, run.samples)
    enough = enough and run.allocation.spares(run.pairs, first, run.left)
    if is_above(run.pairs, 1.0) or not learned or not enough:
        return None
    domain = domain_of(run.target, run.claim, run.settings.min_size)
    pair = run.search.next_pair(run.pairs, domain)
    if pair is None:
        return None
    state = unseen(len(run.pairs), pair, run.settings, run.wealth.pairs)
    state.single = any(other.single for other in run.pairs)
    run.pairs.append(state)
    return state


def first_of_joined(run: Run) -> int:
    """Draws of each arm that a pair which joins learns from."""
    return max(run.first, FIRST_DRAWS_OF_JOINED) if run.first >= FIRST_DRAWS else run.first


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
    tell_progress(run)
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
        From `next_bet`.
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
    tell_progress(run)
    return batch


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


class _Look(NamedTuple):
    """E-values of the experts and of a pair's own bets, the wealth of these, and that of all."""

    experts: Array
    own: list[Array]
    of_pair: Array | None
    mixed: Array


def book(wealth: Wealth, state: PairState, batch: Batch, claimed: int) -> None:
    """Look at parts of a batch, and book the whole of it.

    Parameters
    ----------
    wealth : Wealth
        Of the run.
    state : PairState
        The pair that was drawn from, with the bets that were made before.
    batch : Batch
        Its draws.
    claimed : int
        Point of the grid that is the claim.
    """
    size = batch.size
    counts = batch.counts(size)
    whole = _look(wealth, state, counts, size)
    if 0 < wealth.needed()[claimed] - whole.mixed[claimed] < NEAR:
        for draws, part in prefixes(batch, state.counted()):
            _look(wealth, state, part, draws)
    if state.own is not None:
        state.own.settle(counts[len(state.partitions) :], whole.own)
    wealth.settle(state.index, whole.experts, whole.of_pair)


def _look(wealth: Wealth, state: PairState, counts: Sequence[Array], draws: int) -> _Look:
    """Compare the wealth with what refutes as if the batch ended here."""
    assert state.bets is not None
    log_e, log_e_own, log_own = state.bets.log_e(counts, draws), [], None
    if state.own is not None:
        log_e_own = state.own.log_e(list(counts[len(state.partitions) :]))
        log_own = state.own.log_sum(log_e_own)
    return _Look(log_e, log_e_own, log_own, wealth.compare(state.index, log_e, log_own))


def prefixes(batch: Batch, partitions: Sequence[Partition]) -> Iterator[tuple[int, list[Array]]]:
    """Counts of the first draws of a batch, of shape (2, K) each, by how many they are.

    Every number of them of a small batch whose draws are kept, `MOST_PARTS` of a larger one; half
    of one whose draws are not.

    Parameters
    ----------
    batch : Batch
        Some draws of each arm.
    partitions : sequence of Partition
        What it was counted in.
    """
    if batch.arms is None:
        half = batch.looks[0]
        yield half, batch.counts(half)
        return
    cells = [[partition.codes(arm) for arm in batch.arms] for partition in partitions]
    counts = [np.zeros((2, partition.size)) for partition in partitions]
    begin = 0
    for part in range(1, MOST_PARTS + 1):
        end = part * batch.size // MOST_PARTS
        if end == begin:
            continue
        for own, arms in zip(counts, cells, strict=True):
            for arm in (0, 1):
                own[arm] += np.bincount(arms[arm][begin:end], minlength=own.shape[1])
        begin = end
        yield end, counts


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


def tell_progress(run: Run) -> None:
    """Say how far the run has come, but for what earlier sessions have said; between batches."""
    if run.progress is not None and run.log.live:
        run.progress(run.samples, time.monotonic() - run.log.started)
