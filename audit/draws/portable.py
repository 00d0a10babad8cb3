"""Outputs of a target in plain types, so that they can leave the process that drew them.

What an output is to an audit is its leaves, their labels and its form (`audit.draws.output_words`).
Numbers, texts, arrays and containers of them stay as they are; of an object of the target's the
parts are read here, where its code belongs, and stand-ins with the same labels are sent. All that
this calls is part of the draw: an object whose `__float__` ends the process ends the draw's.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from audit.draws.layers import MOST_PARTS, flatten, is_container
from audit.draws.leaf_words import DEEPEST, label_of, plain_leaf, valueless
from audit.targets.outcomes import Label, NoAnswer, OutputParts, is_outcome, raised

PLAIN = frozenset(
    {
        *(float, int, bool, str, bytes, complex, type(None)),
        *(np.float64, np.float32, np.int64, np.int32, np.bool_, np.complex128),
        NoAnswer,
    }
)
"""Types that travel as they are."""

LONGEST_SENT = 10_000
"""Of a text: of a longer one its label travels."""

SCALARS = "biufc"
"""Kinds of numpy's numbers that Python's own hold: those are sent ten times as fast."""

NUMERIC = "biufcSUMm"


class _TooMuch(Exception):
    """A container of containers that does not travel as it is."""


def portable(outputs: Any) -> Any:
    """Draws of one call, along the first axis, in plain types."""
    if isinstance(outputs, np.ndarray) and _is_plain_array(outputs):
        return np.asarray(outputs)
    with suppress(Exception):  # a class of classes may refuse to be looked up
        if type(outputs) in (list, tuple) and {float, int}.issuperset(map(type, outputs)):
            return outputs
    return [portable_draw(output) for output in outputs]


def portable_draw(z: Any) -> Any:
    """One draw in plain types, with the labels, numbers and form that it had."""
    try:
        try:
            return _sent(z, 0, [MOST_PARTS])
        except _TooMuch:
            leaves, shape = flatten(z)
            return OutputParts(tuple(map(_leaf, leaves)), shape)
    except BaseException as failure:
        if not is_outcome(failure):
            raise
        return Label(valueless(z))  # it cannot be read


def _sent(z: Any, depth: int, left: list[int]) -> Any:
    """A part in plain types. Raises _TooMuch where containers nest too deep or are too many."""
    kind = type(z)
    left[0] -= 1
    if depth > DEEPEST or left[0] < 0:
        raise _TooMuch
    if kind in PLAIN or kind is OutputParts:
        return _leaf(z) if kind is str or kind is bytes else z
    if isinstance(z, BaseException):
        return raised(kind.__name__, _text(z))
    if kind is np.ndarray and _is_plain_array(z):
        return z
    if kind in (tuple, list):
        return kind(_sent(part, depth + 1, left) for part in z)
    if kind is dict and all(type(key) in PLAIN for key in z):
        return {key: _sent(value, depth + 1, left) for key, value in z.items()}
    if is_container(z):
        leaves, shape = flatten(z, depth)
        return OutputParts(tuple(map(_leaf, leaves)), shape)
    return _leaf(z)


def _leaf(z: Any) -> Any:
    """A leaf in plain types."""
    kind = type(z)
    try:
        if issubclass(kind, np.generic) and z.dtype.kind in SCALARS:
            z = z.item()
        z = plain_leaf(z)
        if type(z) in PLAIN or type(z) is Label:
            long = isinstance(z, str | bytes) and len(z) > LONGEST_SENT
            return Label(label_of(z)[0]) if long else z
    except Exception:  # noqa: BLE001 - an object may refuse in any way
        return Label(valueless(z))
    label, value = label_of(z)
    return Label(label) if label else value


def _is_plain_array(values: np.ndarray[Any, Any]) -> bool:
    if isinstance(values, np.ma.MaskedArray):
        return False
    fields = values.dtype.fields
    if fields is not None:
        return all(kind.kind in NUMERIC for kind, *_ in fields.values())
    return values.dtype.kind in NUMERIC


def _text(failure: BaseException) -> str:
    try:
        return str(failure)
    except Exception:  # noqa: BLE001 - an exception may refuse in any way
        return ""
