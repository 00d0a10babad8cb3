"""The test: one event of one pair, counted on held-out draws, and what the counts say.

Sizes, event, test, grids and levels are fixed by the training draws. A test that is cut short by
the deadline says nothing: a limit from the draws so far would be one of a test that stops when it
likes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from audit.draws.streams import BatchPlace, Purpose, stream
from audit.engine import berger_boos
from audit.engine.bound.choose import ChosenEvent
from audit.engine.bound.conditional import conditional_epsilon_lower, conditional_p_value
from audit.engine.counts.block import Task
from audit.engine.loop import tell_progress
from audit.engine.run_state import Run
from audit.engine.two_binomials import Counts
from audit.engine.witness.confirm import ENOUGH
from audit.interrupts import undisturbed
from audit.levels.supporting_lines import LARGEST_EPSILON

__all__ = ["Finding", "count_held_out", "grid_around", "judge"]

BLOCKS_A_PART = 32
"""Blocks for each worker between two records that a run goes on from: some seconds of drawing (the
figures are in docs/how-to/clusters.md). At the end of each part workers wait for the last, which is
a block in 32 at most."""

STEPS_A_SPREAD = 100
FINE_SPREADS, MEDIUM_SPREADS = 8, 80
"""Reach of the steps of 1/100 of a spread about the prediction, and of those ten times as wide."""
COARSE_STEP, COARSE_END = 0.01, 20.0
DELTA_POINTS = 2_000
SMALLEST_DELTA = 1e-9


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """What the held-out draws say.

    Parameters
    ----------
    counts : Counts
        Hits of the event on the likelier and the other arm.
    refuted : bool
        Whether the test of the claim rejects.
    epsilon_lower, delta_lower : float
        Lower confidence limits, each at the level of the test.
    strongly : bool
        Whether it rejects at a twentieth of its level: its own draws are then enough.
    """

    counts: Counts
    refuted: bool
    epsilon_lower: float
    delta_lower: float
    strongly: bool


def count_held_out(run: Run, choice: ChosenEvent, draws: int) -> Counts:
    """Count the event on `2 * draws` fresh draws, from streams of their own.

    For the conditional test the label of each draw is a coin from the audit's own stream: the arms'
    sizes are n1 ~ Bin(2 draws, label share) and the rest (T7). Otherwise they are fixed. Whatever
    has been counted, the test is of all of them: their number is fixed before the first.

    Parameters
    ----------
    run : Run
        Its samples are booked with each part.
    choice : ChosenEvent
        What is counted.
    draws : int
        Half of all of them.

    Raises
    ------
    BatchFailed, OutOfTime
        Nothing can be said then; what was counted before is in the log of the run.
    """
    state, seed = choice.state, run.settings.seed
    first = round(2 * draws * choice.label_share)
    if choice.conditional:
        labels = stream(seed, Purpose.LABELS, pair=state.index)
        first = int(labels.binomial(2 * draws, choice.label_share))
    rest = 2 * draws - first
    sizes = (first, rest) if choice.arm == 0 else (rest, first)
    task = Task(
        target=run.target,
        sides=(state.data, state.neighbor),
        place=BatchPlace(seed, Purpose.HELD_OUT, pair=state.index),
        sizes=sizes,
        single=state.single,
        encoder=state.encoder,
        partitions=(choice.partition,),
    )
    blocks = task.blocks()
    workers = run.source.workers
    at_once = BLOCKS_A_PART * (1 if workers is None else workers.size)
    hits, counted = [0, 0], 0

    def count_part() -> list[int]:
        """Blocks of the part, and hits of each arm: sessions may have other numbers of workers."""
        part = blocks[counted : counted + at_once]
        found, _ = run.source.count(task, run.deadline, blocks=part)
        own = [int(arm.counts[0].sum(axis=(0, 1))[choice.cells].sum()) for arm in found]
        return [len(part), *own]

    while counted < len(blocks):
        question = f"held-out draws {sizes} from block {counted}"
        size, *own = run.ask(question, count_part, back=lambda told: [int(n) for n in told])
        with undisturbed():
            hits = [before + new for before, new in zip(hits, own, strict=True)]
            run.samples += sum(block.draws for block in blocks[counted : counted + size])
            counted += size
        tell_progress(run)
    likelier, other = choice.arm, 1 - choice.arm
    return Counts(hits[likelier], hits[other], sizes[likelier], sizes[other])


def judge(
    choice: ChosenEvent, counts: Counts, *, claim: tuple[float, float], false_alarm: float
) -> Finding:
    """Test the claim and invert the test into lower limits.

    Parameters
    ----------
    choice : ChosenEvent
        From the training draws alone.
    counts : Counts
        Of the held-out draws.
    claim : (float, float)
        Claimed epsilon and delta.
    false_alarm : float
        Level of the test and of each limit.
    """
    epsilon, delta = claim
    if choice.conditional:
        hits = counts.hits, counts.other_hits
        share = choice.label_share
        p_value = conditional_p_value(*hits, epsilon, label_share=share)
        refuted, strongly = p_value <= false_alarm, p_value <= false_alarm / ENOUGH
        epsilon_lower = conditional_epsilon_lower(*hits, false_alarm, label_share=share)
    else:
        refuted, strongly = (
            berger_boos.rejects(counts, (epsilon, epsilon), delta, alpha=level)
            for level in (false_alarm, false_alarm / ENOUGH)
        )
        grid = grid_around(choice, epsilon)
        epsilon_lower = berger_boos.epsilon_lower(counts, delta, grid, alpha=false_alarm)
    # p* is not proved monotone: a point below the claim that stands keeps the limit below it
    refuted = refuted and epsilon_lower >= epsilon
    deltas = np.union1d(
        np.geomspace(SMALLEST_DELTA, 1, DELTA_POINTS), np.linspace(0, 1, DELTA_POINTS + 1)
    )
    delta_lower = berger_boos.delta_lower(
        counts, epsilon, np.union1d(deltas, delta).tolist(), alpha=false_alarm
    )
    return Finding(counts, refuted, max(0.0, epsilon_lower), delta_lower, strongly)


def grid_around(choice: ChosenEvent, epsilon: float) -> list[float]:
    """Points at which epsilon is tested: fine about the prediction, coarse elsewhere; the claim."""
    center = choice.predicted if math.isfinite(choice.predicted) else epsilon
    step = choice.spread / STEPS_A_SPREAD
    near = np.arange(-FINE_SPREADS * STEPS_A_SPREAD, FINE_SPREADS * STEPS_A_SPREAD + 1)
    farther = np.arange(-MEDIUM_SPREADS * 10, MEDIUM_SPREADS * 10 + 1)
    points = np.concatenate(
        [
            center + near * step,
            center + farther * (step * STEPS_A_SPREAD / 10),
            np.arange(0, COARSE_END, COARSE_STEP),
            np.arange(COARSE_END, LARGEST_EPSILON + 1),
            [epsilon],
        ]
    )
    return [float(x) for x in np.unique(points[(points >= 0) & (points <= LARGEST_EPSILON)])]
