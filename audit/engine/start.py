"""The start of a run: what a draw costs, how many are drawn first, and what a call for many is.

All of it is decided before the first bet, so no guarantee is touched.
"""

from __future__ import annotations

import math
import time
from dataclasses import astuple
from typing import Any

from audit.draws.containment import accidents_of
from audit.engine.allocation import FIRST_DRAWS, FIRST_DRAWS_OF_PROGRAM
from audit.engine.alone import COMPARED, Alone, compare_calls
from audit.engine.cost import Cost, Size, affordable, measured
from audit.engine.hopeless import hopeless
from audit.engine.run import Run
from audit.targets.target import Calls

__all__ = ["begin", "compare_calls_of"]

MEASUREMENTS = 3
"""Of the cost of a draw, before the clock has a say: a loaded machine makes single ones longer."""

SHARE_OF_MEASUREMENTS = 0.1
"""Of the time cap, after which there are no more: a slow target is one by its first."""


def begin(run: Run) -> None:
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


def compare_calls_of(run: Run) -> None:
    """See whether calls of one draw have the law of calls of many (see `alone`)."""
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


def _size_from(values: Any) -> tuple[Size, bool, float]:
    (first, pairs, by_time), failed, seconds = values
    return Size(int(first), int(pairs), bool(by_time)), bool(failed), float(seconds)
