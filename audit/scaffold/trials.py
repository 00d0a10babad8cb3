"""Whether an entry would run: it is planned as the gate plans it, and a few draws are made."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from audit.draws.blocks import BatchFailed, Block, draw_block
from audit.draws.containment import supervised
from audit.draws.streams import BatchPlace, Purpose
from audit.draws.supervisor import Care
from audit.faults import words_of
from audit.request.entries import entries_of
from audit.request.plan import plan_audit
from audit.targets.outcomes import NoAnswer
from audit.targets.target import Target
from mechanisms.errors import TouchstoneError

__all__ = ["fault_of"]

SIZES, SECONDS = (2, 4, 8, 16, 32), 2.0
ENOUGH = 20
"""Equal draws that show that there is no noise."""

SEED = 1

LONGEST_DRAW = 10.0
"""Seconds for one: what takes longer is not waited for."""


def fault_of(table: Mapping[str, Any]) -> str:
    """Why an entry cannot be audited as it stands; empty if it can.

    `table`: keys and values of an [[audit]].
    """
    try:
        (entry,) = entries_of(table, "the entry", Path())
        plan = plan_audit(entry.request, stated_in="touchstone init")
        largest = max(plan.pairs, key=lambda pair: np.size(pair.data))
        with supervised(plan.target, Care(timeout=LONGEST_DRAW), [largest.data]) as (target, _):
            outputs = _draws(target, largest.data)
    except TouchstoneError as exc:
        return str(exc)
    except KeyboardInterrupt:
        raise
    except BaseException as exc:  # noqa: BLE001 - its claim, or its making, raises: one of several
        return f"it raises {words_of(exc)}"
    first = outputs[0] if outputs else None
    if outputs and all(isinstance(output, Exception) for output in outputs):
        words = "" if isinstance(first, NoAnswer) else f"it raises {type(first).__name__}: "
        return f"{words}{first}"
    if len(outputs) >= ENOUGH and all(repr(output) == repr(first) for output in outputs):
        return f"it gave the same output {len(outputs)} times: there is no noise in it"
    return ""


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
