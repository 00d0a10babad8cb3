"""Whether every call fails alike, wherever it is made: then more calls say nothing.

Failures whose types tell one data set from another are outcomes to bet on.

It is seen before the first bet, from few calls: a process for each of thousands takes minutes, and
all of them are alike.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np

from audit.draws.blocks import Block, OutOfTime, draw_block
from audit.draws.output_words import form
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.pair_state import PairState
from audit.engine.run_state import Run
from audit.results.verdict import FAILED, NO_ANSWER
from audit.targets.outcomes import NoAnswer, said_by
from audit.targets.record_keys import size_of
from audit.targets.target import Calls

__all__ = ["FAILS", "all_failed", "hopeless"]

FAILS = "the mechanism fails on every input tried"
"""What the reason begins with."""

SIDES, CALLS = 3, 8
"""Data sets, of different sizes where there are, and calls on each. One that answers ends it."""

OTHERS = 16
"""Other sizes, and first pairs, that are asked once: a start of a program costs too much for it."""


def hopeless(run: Run) -> str:
    """Why to draw no more, if every call fails, in some way that all share; else empty.

    Raises OutOfTime where time is up before the first call has failed.
    """
    return run.ask("hopeless", lambda: _hopeless(run), back=str)


def _hopeless(run: Run) -> str:
    said: dict[str, str] = {}
    kinds: list[set[str]] = []
    try:
        for place, side in enumerate(_of_several_sizes(run)):
            kinds.append(set())
            for call in range(CALLS):
                output = _drawn(run, side, place, call)
                if not isinstance(output, Exception):
                    return ""
                label = form(output).removeprefix(NO_ANSWER)
                words = "" if isinstance(output, NoAnswer) else said_by(output)
                kinds[-1].add(label)
                said.setdefault(label, f"{label}: {words}" if words else label)
    except OutOfTime:
        if not said:
            raise
    if not set.intersection(*filter(None, kinds)):  # which one comes tells the data sets apart
        return ""
    if run.target.calls is not Calls.START and _is_other_elsewhere(run, set(said)):
        return ""
    return f"{FAILS} ({', '.join(sorted(said.values()))})"


def _is_other_elsewhere(run: Run, known: Set[str]) -> bool:
    """Whether one of many other data sets has an answer, or fails as none of those before did."""
    pairs = run.pairs[:OTHERS]
    sides = [*_by_size(run).values()][:OTHERS]
    sides += [side for state in pairs for side in (state.data, state.neighbor)]
    try:
        outputs = (_drawn(run, side, SIDES + place, 0) for place, side in enumerate(sides))
        return any(
            not isinstance(output, Exception) or form(output).removeprefix(NO_ANSWER) not in known
            for output in outputs
        )
    except OutOfTime:
        return False


def all_failed(state: PairState) -> bool:
    """Whether the first draws of a pair are failures alone."""
    codes = {int(code) for arm in state.first_arms() for code in np.unique(arm.categories[:, -1])}
    return all(code and state.encoder.label(code).startswith(FAILED) for code in codes)


def _drawn(run: Run, side: Any, place: int, call: int) -> Any:
    ((output,),) = draw_block(
        run.target,
        (side,),
        BatchPlace(run.settings.seed, Purpose.CALIBRATE, pair=1 + place),
        Block(call, (0,), (1,)),
        single=True,
        deadline=run.deadline,
    )
    return output


def _of_several_sizes(run: Run) -> list[Any]:
    """The smallest, the largest and one between: what fails on few records may need more."""
    sides = [side for state in run.pairs for side in (state.data, state.neighbor)]
    by_size = _by_size(run)
    sizes = sorted(by_size, key=lambda size: -1 if size is None else size)
    if len(sizes) < SIDES:
        return [*by_size.values(), *(s for s in sides if s is not by_size[size_of(s)])][:SIDES]
    return [by_size[sizes[place]] for place in (0, -1, len(sizes) // 2)]


def _by_size(run: Run) -> dict[int | None, Any]:
    """The first data set of each size."""
    sides = [side for state in run.pairs for side in (state.data, state.neighbor)]
    return {size_of(side): side for side in reversed(sides)}
