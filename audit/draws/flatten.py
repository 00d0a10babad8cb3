"""An answer as leaves and a form: all that an audit looks at of it."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from audit.draws.layers import MOST_PARTS, is_container, reader_of
from audit.draws.leaf_words import DEEPEST, shortened, valueless
from audit.targets.outcomes import Label, OutputParts

LONGEST_FORM = 400

SCALARS = frozenset({float, int, bool, str, bytes, type(None), np.float64, np.int64, Label})
"""Types without parts, known at a glance."""


def flatten(z: Any, depth: int = 0) -> tuple[list[Any], str]:
    """Return the leaves of an output, and its shape in words (empty for a leaf).

    `depth`: layers around it.

    Containers nest 16 levels; what contains itself, and what cannot be read, are leaves in words.
    """
    try:
        if type(z) in SCALARS:
            return [z], ""
        walk = _Walk()
        return walk.leaves, walk.add(z, depth)
    except Exception:  # noqa: BLE001 - an object may refuse in any way
        return [Label(valueless(z))], ""


@final
class _Walk:
    """A walk through the layers of one answer."""

    def __init__(self) -> None:
        self.leaves: list[Any] = []
        self.inside: set[int] = set()
        self.left = MOST_PARTS

    def add(self, z: Any, depth: int) -> str:
        """Add the leaves of a part, and return its shape."""
        if not is_container(z):
            self.leaves.append(z)
            return ""
        if isinstance(z, OutputParts):
            self.leaves.extend(z.leaves)
            return z.shape
        if id(z) in self.inside or depth > DEEPEST:
            self.leaves.append(Label("is a part of itself") if depth <= DEEPEST else _deep(z))
            return ""
        kind: Any = type(z)
        reader = reader_of(kind)
        assert reader is not None
        self.inside.add(id(z))
        shape, parts, labels = reader(z)
        inner, told = [], False
        for part in parts:
            if self.left <= 0:
                break
            self.left -= 1
            if type(part) in SCALARS:
                self.leaves.append(part)
                inner.append("")
            else:
                words = self.add(part, depth + 1)
                inner.append(words)
                told = told or bool(words)
        self.inside.discard(id(z))
        self.leaves.extend(labels)
        if told:
            shape += " of (" + ", ".join(words or "a value" for words in inner) + ")"
        return shortened(shape, LONGEST_FORM)


def _deep(z: Any) -> Label:
    """What lies deeper than is looked at."""
    return Label(f"{valueless(z)} (nested more than {DEEPEST} deep)")
