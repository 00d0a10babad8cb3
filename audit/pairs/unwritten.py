"""What has no text in Python, and the check of what has one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, final


@final
class Unwritten(Exception):
    """A value has no text in Python; the message says what it is."""

    @classmethod
    def of(cls, value: Any) -> Unwritten:
        """The error for a value, by its type."""
        return cls(f"a {type(value).__module__}.{type(value).__qualname__}")


def agreed(
    text: str, value: Any, names: Mapping[str, Any], same: Callable[[Any, Any], bool]
) -> str:
    """The text, if it evaluates to the value. Raises Unwritten if not."""
    found = False
    with suppress(Exception):  # of a class of the user's, or of a library's parser
        found = same(eval(text, dict(names)), value)
    if not found:
        raise Unwritten.of(value)
    return text
