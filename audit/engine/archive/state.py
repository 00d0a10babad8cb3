"""Whether what was read can be the state of the run at hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from audit.engine.archive.kinds import fits, kinds_of
from mechanisms.errors import InvalidArgument

__all__ = ["check_state"]

ELAPSED = "elapsed"
"""What a state holds besides the fields of a run: seconds so far."""


def check_state(run: type[Any], state: Any, fresh: Mapping[str, Any]) -> None:
    """Check the fields of a saved run against their kinds, and against a run that only began.

    Parameters
    ----------
    run : type
        The class of runs.
    state : object
        What was read.
    fresh : mapping
        The state of the run at hand, before it draws.

    Raises
    ------
    InvalidArgument
        If a field is missing, unknown or of another kind, or arrays of the wealth have other
        shapes.
    """
    wrong = _wrong(kinds_of(run), state, fresh)
    if wrong:
        msg = f"the saved run was written by a version that does not fit this one: {wrong}"
        raise InvalidArgument(msg)


def _wrong(kinds: Mapping[str, Any], state: Any, fresh: Mapping[str, Any]) -> str:
    if not isinstance(state, dict):
        return "it is no state of a run"
    if state.keys() != fresh.keys():
        return f"it has other fields ({', '.join(sorted(map(str, state.keys() ^ fresh.keys())))})"
    for name, value in state.items():
        if name == ELAPSED:
            if type(value) is not float or not 0 <= value < math.inf:
                return f"{ELAPSED} is no time"
        elif not fits(value, kinds[name]):
            return f"{name} is of another kind"
        elif is_dataclass(value) and not _alike(value, fresh[name]):
            return f"{name} is of another shape"
    return _wrong_pairs(state["pairs"], fresh["pairs"])


def _alike(value: Any, other: Any) -> bool:
    """Whether arrays in two records have the same shapes and kinds of numbers."""
    if isinstance(other, np.ndarray):
        return bool(value.shape == other.shape and value.dtype == other.dtype)
    if is_dataclass(other):
        return type(value) is type(other) and all(
            _alike(getattr(value, f.name), getattr(other, f.name)) for f in fields(other)
        )
    return True


def _wrong_pairs(pairs: Any, fresh: Any) -> str:
    """Those that the run begins with come first; others may have joined it."""
    about = [
        [(pair.index, pair.label, pair.pairs, pair.user) for pair in of] for of in (pairs, fresh)
    ]
    numbered = all(pair.index == place for place, pair in enumerate(pairs))
    return "" if numbered and about[0][: len(fresh)] == about[1] else "it is about other pairs"
