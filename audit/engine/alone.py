"""Whether one draw a call has the law of many: a release is one draw.

A mechanism that draws an offset, a projection or a subsample once per call makes draws that depend
on each other where it is asked for many of them, though each by itself may be private. Before
anything is learned, draws of one call each are compared with as many of one call, on both sides of
the first pair, by a chi-square test in few cells. Where they differ, every draw of the audit is a
call of its own: that is decided before the first bet, so no guarantee is touched.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any, final

import numpy as np

from audit.draws.blocks import BatchFailed, Block, draw_block
from audit.draws.encode import Encoder, Outcomes
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.allocation import FIRST_DRAWS
from audit.engine.cost import COMPARED
from audit.engine.homogeneity import LEVEL, Watch, differs, watches_of
from audit.engine.run_state import Run
from audit.targets.target import Calls, Target

__all__ = [
    "COMPARED",
    "LARGEST_SHARE",
    "Alone",
    "compare_calls",
    "compare_calls_of",
    "single_calls_differ",
]

LARGEST_SHARE = 10
"""Times these draws that a budget must be."""

NOTE = (
    "one draw a call has another law than many: every draw of this audit is a call of its own "
    "(a release is one draw; draws of one call may depend on each other)"
)

REPEATED = (
    "the draws are not independent: each call on the {word} begins with the same draw (is there a "
    "fixed seed in it?); every guarantee of the audit rests on independent draws"
)


@final
@dataclass(frozen=True, slots=True)
class Alone:
    """What calls of one draw have shown.

    Parameters
    ----------
    draws : int
        Made for it.
    differ : bool
        Whether each draw of the audit should be a call of its own.
    note : str
        Why, for the report; empty where nothing is to be said.
    failure : str
        Why nothing can be said of this target; empty where all is well.
    """

    draws: int = 0
    differ: bool = False
    note: str = ""
    failure: str = ""


def compare_calls(
    target: Target, sides: tuple[Any, Any], *, seed: int, budget: int, deadline: float
) -> Alone:
    """Compare calls of one draw with a call of many.

    Parameters
    ----------
    target, sides
        What to draw from, and on which two data sets.
    seed, budget : int
        Of the run; where this would take more than a tenth of the budget, it is left out.
    deadline : float
        On the clock of `time.monotonic`.

    Raises
    ------
    OutOfTime
        Beyond the deadline.
    """
    draws = 4 * COMPARED
    if target.calls is not Calls.MANY or LARGEST_SHARE * draws > budget:
        return Alone()
    block = Block(0, (0, 0), (COMPARED, COMPARED))
    alone = draw_block(
        target, sides, BatchPlace(seed, Purpose.ALONE), block, single=True, deadline=deadline
    )
    try:
        together = draw_block(
            target, sides, BatchPlace(seed, Purpose.ALONE, batch=1), block, deadline=deadline
        )
    except BatchFailed:  # a draw is an outcome only where it is a call of its own
        return Alone(draws, differ=True)
    if not single_calls_differ(alone, together):
        return Alone(draws)
    for outputs, others, word in zip(alone, together, ("data", "neighbor"), strict=True):
        if _is_one_value(outputs) and not _is_one_value(others):
            return Alone(draws, failure=REPEATED.format(word=word))
    return Alone(draws, differ=True, note=NOTE)


def compare_calls_of(run: Run) -> None:
    """See whether calls of one draw have the law of calls of many (see above)."""
    first, settings = run.pairs[0], run.settings
    asked = settings.first_draws
    if first.single or run.first < FIRST_DRAWS or (asked is not None and asked < COMPARED):
        return  # draws are slow: the time is not enough
    found = run.ask(
        "calls of one draw",
        lambda: compare_calls(
            run.target,
            (first.data, first.neighbor),
            seed=settings.seed,
            budget=settings.budget_samples,
            deadline=run.deadline,
        ),
        to=astuple,
        back=lambda told: Alone(int(told[0]), bool(told[1]), str(told[2]), str(told[3])),
    )
    run.checked, run.failure = found.draws, found.failure
    for state in run.pairs:
        state.single = found.differ
    if found.note:
        run.notes += (found.note,)


def _is_one_value(outputs: Any) -> bool:
    first = repr(outputs[0])
    return all(repr(output) == first for output in outputs)


def single_calls_differ(alone: list[Any], together: list[Any]) -> bool:
    """Whether outputs of calls of one draw, on two sides, differ from those of one call."""
    encoder = Encoder()
    encoder.fix_layout([*alone, *together])
    arms = [[encoder.encode(outputs) for outputs in pair] for pair in (alone, together)]
    watches = watches_of(encoder, tuple(Outcomes.concatenate(pair) for pair in arms))
    level = LEVEL / (2 * 2 * len(watches))
    return any(
        differs(np.array([_counts(watch, arms[kind][side]) for kind in (0, 1)]), level) is not None
        for watch in watches
        for side in (0, 1)
    )


def _counts(watch: Watch, outcomes: Outcomes) -> Any:
    return np.bincount(watch.cells(outcomes), minlength=watch.size)
