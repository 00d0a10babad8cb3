"""Kinds of events that a sentence says, each of them proposed from past draws.

A kind is free in what it reads of the past: fresh draws confirm the event that is chosen. To add
one: its file here, one line in `KINDS`, a target of its own in `tests/contracts/test_kinds.py`
(whose laws run over all kinds).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from audit.engine.witness.kinds.boxes import propose_boxes
from audit.engine.witness.kinds.names import propose_names
from audit.engine.witness.kinds.past_of_event import Arms
from audit.engine.witness.kinds.products import propose_products
from audit.engine.witness.kinds.readable_kind import Readable
from audit.engine.witness.kinds.remainders import propose_remainders
from audit.engine.witness.kinds.unions import propose_unions

__all__ = ["KINDS", "Propose", "proposals"]

Propose = Callable[[Arms], Sequence[Readable]]
"""From past draws to the events of one kind that are worth judging."""

KINDS: Mapping[str, Propose] = {
    "names": propose_names,
    "intervals": propose_unions,
    "remainders": propose_remainders,
    "product": propose_products,
    "box": propose_boxes,
}
"""Ways to propose, by kind; where two events are as simple and as strong, the first is told."""


def proposals(arms: Arms) -> list[Readable]:
    """What every kind proposes."""
    return [event for propose in KINDS.values() for event in propose(arms)]
