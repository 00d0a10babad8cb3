"""A test of a fixed budget that is under way, as values for a file, and back.

What is kept is the end of the training and the blocks that have been counted since. The training
itself is not: it takes at most 900,000 draws of each data set of a pair, and begins anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, final

from audit.engine.archive.kinds import fits, kinds_of
from audit.engine.bound.choose import ChosenEvent
from audit.engine.bound.holdout import HeldOut
from audit.engine.run import Run
from mechanisms.errors import InvalidArgument

__all__ = ["UnderWay", "as_values", "restored"]


@final
@dataclass(frozen=True, slots=True)
class UnderWay:
    """A test whose event and size are fixed.

    Attributes
    ----------
    choice : ChosenEvent
        What is tested.
    held_out : HeldOut
        How far the test has come.
    stopped_by : str
        What set the number of its draws, "samples" or "seconds".
    """

    choice: ChosenEvent
    held_out: HeldOut
    stopped_by: str


TOLD = tuple(f.name for f in fields(ChosenEvent) if f.name != "state")


def as_values(run: Run, test: UnderWay) -> dict[str, object]:
    """The run, the event (its pair by number) and the counts."""
    return {
        "run": run.state(),
        "event": {name: getattr(test.choice, name) for name in TOLD},
        "pair": test.choice.state.index,
        "counted": {f.name: getattr(test.held_out, f.name) for f in fields(HeldOut)},
        "stopped_by": test.stopped_by,
    }


def restored(run: Run, values: Any) -> UnderWay:
    """Put a run back to where a file has it.

    Raises
    ------
    InvalidArgument
        If this is no state of such a test.
    """
    wrong = _wrong(values)
    if not wrong:
        run.restore(values["run"])
        pairs = {state.index: state for state in run.pairs}
        if values["pair"] not in pairs:
            wrong = "it tests a pair that there is not"
    if wrong:
        msg = f"the saved test was written by a version that does not fit this one: {wrong}"
        raise InvalidArgument(msg)
    choice = ChosenEvent(state=pairs[values["pair"]], **values["event"])
    return UnderWay(choice, HeldOut(**values["counted"]), values["stopped_by"])


def _wrong(values: Any) -> str:
    parts = {"run", "event", "pair", "counted", "stopped_by"}
    if not isinstance(values, dict) or values.keys() != parts:
        return "it has other parts"
    if not _of_kinds(values["event"], ChosenEvent, TOLD):
        return "its event is of another kind"
    event, counted = values["event"], values["counted"]
    if event["cells"].shape != (event["partition"].size,) or event["arm"] not in (0, 1):
        return "its event is of another shape"
    if not _of_kinds(counted, HeldOut, tuple(f.name for f in fields(HeldOut))):
        return "its counts are of another kind"
    if min(counted["draws"], counted["blocks"], *counted["hits"]) < 0 or len(counted["hits"]) != 2:
        return "its counts are no counts"
    if values["stopped_by"] not in ("samples", "seconds") or type(values["pair"]) is not int:
        return "it is of another kind"
    return ""


def _of_kinds(values: Any, record: type[Any], names: tuple[str, ...]) -> bool:
    kinds: Mapping[str, Any] = kinds_of(record)
    return (
        isinstance(values, dict)
        and values.keys() == set(names)
        and all(fits(values[name], kinds[name]) for name in names)
    )
