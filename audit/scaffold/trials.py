"""Whether an entry would run: it is planned as the gate plans it, and a few draws are made."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, final

import numpy as np

from audit.draws.blocks import BatchFailed, Block, draw_block
from audit.draws.containment import supervised
from audit.draws.streams import BatchPlace, Purpose
from audit.draws.supervisor import Care
from audit.faults import words_of
from audit.request.configured_audits import entries_of
from audit.request.privacy_plan import plan_audit
from audit.targets.domain import Declared
from audit.targets.outcomes import NoAnswer, OutputParts
from audit.targets.target import Target
from mechanisms.claims import Order
from mechanisms.errors import TouchstoneError

__all__ = ["Trial", "try_entry", "works_on_texts"]

SIZES, SECONDS = (2, 4, 8, 16, 32), 2.0
ENOUGH = 20
"""Equal draws that show that there is no noise."""

SEED = 1

LONGEST_DRAW = 10.0
"""Seconds for one: what takes longer is not waited for."""


PLACES = (1, 2, 10)
"""Numbers of records of the data sets whose answers are counted."""

TEXTS: Mapping[str, Any] = {
    "takes": "values",
    "columns": {"value": {"type": "category", "values": ["a", "b"], "unseen": False}},
}
"""A schema of one column of texts."""


@final
@dataclass(frozen=True, slots=True)
class Trial:
    """What a few draws showed."""

    fault: str = ""
    """Why the entry cannot be audited as it stands; empty if it can."""
    in_place: bool = False
    """Whether an answer has as many parts as there are records, and nothing fixes their order."""


def works_on_texts(table: Mapping[str, Any]) -> bool:
    """Whether an entry would run on lists of texts in place of records that are numbers."""
    rest = {key: value for key, value in table.items() if key not in ("low", "high")}
    return not _tried(rest, schema=TEXTS, domain=Declared.DECLARED.value).fault


def try_entry(table: Mapping[str, Any]) -> Trial:
    """Try an entry; `table`: keys and values of an [[audit]]."""
    return _tried(table)


def _tried(table: Mapping[str, Any], **more: Any) -> Trial:
    try:
        (entry,) = entries_of(table, "the entry", Path())
        plan = plan_audit(replace(entry.request, **more), stated_in="touchstone init")
        largest = max(plan.pairs, key=lambda pair: np.size(pair.data))
        with supervised(plan.target, Care(timeout=LONGEST_DRAW), [largest.data]) as (target, _):
            outputs = _draws(target, largest.data)
            in_place = plan.target.order is Order.FREE and _is_in_place(target, plan.target.bounds)
    except TouchstoneError as exc:
        return Trial(str(exc))
    except KeyboardInterrupt:
        raise
    except BaseException as exc:  # noqa: BLE001 - its claim, or its making, raises: one of several
        return Trial(f"it raises {words_of(exc)}")
    first = outputs[0] if outputs else None
    if outputs and all(isinstance(output, Exception) for output in outputs):
        words = "" if isinstance(first, NoAnswer) else f"it raises {type(first).__name__}: "
        return Trial(f"{words}{first}")
    if len(outputs) >= ENOUGH and all(repr(output) == repr(first) for output in outputs):
        return Trial(f"it gave the same output {len(outputs)} times: there is no noise in it")
    return Trial(in_place=in_place)


def _is_in_place(target: Target, bounds: tuple[Fraction, Fraction] | None) -> bool:
    """Whether the answer has n parts for n records; half of these are equal, half differ.

    So it is no list of the values that come, and none of the records on one side of a threshold.
    """
    if bounds is None:
        return False
    low, high = map(float, bounds)
    for index, count in enumerate(PLACES, len(SIZES)):
        data = np.repeat([low, high], [(count + 1) // 2, count // 2])
        place = BatchPlace(SEED, Purpose.SCAFFOLD, batch=index)
        ((answer,),) = draw_block(target, [data], place, Block(0, (0,), (1,)), single=True)
        if isinstance(answer, OutputParts):  # as it leaves the process that drew it
            answer = answer.leaves if answer.shape.startswith("length") else None
        vector = isinstance(answer, np.ndarray) and answer.ndim > 0
        if not (vector or isinstance(answer, list | tuple)) or len(answer) != count:
            return False
    return True


def _draws(target: Target, data: Any) -> list[Any]:
    """A few outputs, in calls for ever more of them as long as they come in time."""
    outputs: list[Any] = []
    started = time.monotonic()
    for index, size in enumerate(SIZES):
        block = Block(0, (0,), (size,))
        place = BatchPlace(SEED, Purpose.SCAFFOLD, batch=index)
        try:
            (made,) = draw_block(target, [data], place, block)
        except BatchFailed:
            (made,) = draw_block(target, [data], place, block, single=True)
        outputs += list(made)
        if time.monotonic() - started > SECONDS:
            break
    return outputs
