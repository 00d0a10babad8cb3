"""Outputs of a target in plain types, so that they can leave the process that drew them.

What an output is to an audit is its leaves, their labels and its form (`audit.draws.events`).
Numbers, texts, arrays and containers of them stay as they are; of an object of the target's the
parts are read here, where its code belongs, and stand-ins with the same labels are sent. All that
this calls is part of the draw: an object whose `__float__` ends the process ends the draw's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from audit.draws.events import flatten, is_container, label_of
from audit.targets.outcomes import Label, NoAnswer, OutputParts, raised

__all__ = ["portable", "portable_draw"]

PLAIN = frozenset(
    {
        *(float, int, bool, str, bytes, complex, type(None)),
        *(np.float64, np.float32, np.int64, np.int32, np.bool_, np.complex128),
        NoAnswer,
    }
)
"""Types that travel as they are."""

SCALARS = "biufc"
"""Kinds of numpy's numbers that Python's own hold: those are sent ten times as fast."""

NUMERIC = "biufcSUMm"


def portable(outputs: Any) -> Any:
    """Draws of one call, along the first axis, in plain types."""
    if isinstance(outputs, np.ndarray) and _is_plain_array(outputs):
        return np.asarray(outputs)
    if type(outputs) in (list, tuple) and PLAIN.issuperset(map(type, outputs)):
        return outputs
    return [portable_draw(output) for output in outputs]


def portable_draw(z: Any) -> Any:
    """One draw in plain types, with the labels, numbers and form that it had."""
    if isinstance(z, np.generic) and z.dtype.kind in SCALARS:
        z = z.item()
    kind = type(z)
    if kind in PLAIN or isinstance(z, OutputParts | Label):
        return z
    if isinstance(z, BaseException):
        return raised(kind.__name__, _text(z))
    if kind is np.ndarray and _is_plain_array(z):
        return z
    if kind in (tuple, list):
        return kind(map(portable_draw, z))
    if kind is dict and all(type(key) in PLAIN for key in z):
        return {key: portable_draw(value) for key, value in z.items()}
    if is_container(z):
        leaves, shape = flatten(z)
        return OutputParts(tuple(map(portable_draw, leaves)), shape)
    label, value = label_of(z)
    return Label(label) if label else value


def _is_plain_array(values: np.ndarray[Any, Any]) -> bool:
    fields = values.dtype.fields
    if fields is not None:
        return all(kind.kind in NUMERIC for kind, *_ in fields.values())
    return values.dtype.kind in NUMERIC


def _text(failure: BaseException) -> str:
    try:
        return str(failure)
    except Exception:  # noqa: BLE001 - an exception may refuse in any way
        return ""
