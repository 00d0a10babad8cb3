"""JSON from files that anybody may have written: bounded in size, nesting, digits and memory.

What is beyond the bounds, damaged, or no regular file (a directory, a device, a pipe) is an
`InvalidData` of one line; nothing here waits, and nothing recurses as deep as the file says.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path
from typing import Any, NoReturn

from mechanisms.errors import InvalidData

__all__ = [
    "MOST_BYTES",
    "MOST_DIGITS",
    "MOST_NESTING",
    "MOST_VALUES",
    "NoSuchFile",
    "NotJSON",
    "is_deeper",
    "open_regular",
    "parse_json",
    "read_json",
    "read_text",
]

MOST_BYTES = 64 * 2**20
"""Of a file: a million pairs of records fit three times over."""

MOST_NESTING = 100
"""Of lists and objects: no format of ours needs ten."""

MOST_DIGITS = 4_000
"""Of a number: Python refuses to print more than 4,300."""

MOST_VALUES = 4_000_000
"""Commas and opening brackets: as many values take at most about 500 MB as Python objects."""


class NoSuchFile(InvalidData):
    """There is no file of that name."""


class NotJSON(InvalidData):
    """The text is not JSON, or JSON beyond the bounds."""


def read_json(path: Path | str, *, repeats: bool = False, finite: bool = False) -> Any:
    """Read a JSON file.

    `path`: of a regular file. `repeats`, `finite`: as for `parse_json`. Raises NoSuchFile if there
    is none. Raises NotJSON if it holds no JSON within the bounds. Raises InvalidData if it cannot
    be read, is no regular file, or is too large.
    """
    return parse_json(read_text(path), str(path), repeats=repeats, finite=finite)


def read_text(path: Path | str, *, most: int = MOST_BYTES) -> str:
    """Read a regular file of at most `most` bytes of UTF-8; errors as for `read_json`."""
    name = str(path)
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        msg = f"{name} is larger than {most} bytes"
        raise InvalidData(msg)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as exc:
        msg = f"{name} cannot be read: {exc}"
        raise InvalidData(msg) from exc


def open_regular(path: Path | str) -> BufferedReader:
    """Open a regular file to read its bytes; errors as for `read_json`."""
    try:
        # O_NONBLOCK: opening a pipe that nobody writes to would wait
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError as exc:
        msg = f"there is no file {str(path)!r}"
        raise NoSuchFile(msg) from exc
    except (OSError, ValueError) as exc:  # ValueError: a zero byte in the name
        reason = exc.strerror if isinstance(exc, OSError) else exc
        msg = f"{str(path)!r} cannot be read: {reason}"
        raise InvalidData(msg) from exc
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        msg = f"{str(path)!r} cannot be read: it is not a regular file"
        raise InvalidData(msg)
    return os.fdopen(handle, "rb")


def parse_json(text: str, source: str, *, repeats: bool = False, finite: bool = False) -> Any:
    """Read JSON from a text.

    `text`: JSON as Python writes it: NaN and Infinity are numbers, unless `finite`. `source`: what
    it is, for the message. `repeats`: whether an object may hold a name twice (the last one
    counts). `finite`: whether NaN, the infinities and decimals beyond the doubles are refused.
    Raises NotJSON if it is no JSON, or beyond the bounds.
    """

    def refuse(reason: str) -> NoReturn:
        msg = f"{source} {reason}"
        raise NotJSON(msg)

    # an upper bound that costs nothing: what stands in strings is counted too
    if sum(map(text.count, ",[{")) > MOST_VALUES:
        refuse(f"holds more than {MOST_VALUES} values")
    try:
        value = json.loads(
            text,
            object_pairs_hook=None if repeats else _unrepeated(refuse),
            parse_int=_shorter(int, refuse),
            parse_float=_shorter(_finite(refuse) if finite else float, refuse),
            parse_constant=_no_constant(refuse) if finite else None,
        )
    except RecursionError:
        refuse(f"is nested deeper than {MOST_NESTING} levels")
    except ValueError as exc:
        if isinstance(exc, NotJSON):
            raise
        refuse(f"is not JSON: {exc}")
    if is_deeper(value, MOST_NESTING):
        refuse(f"is nested deeper than {MOST_NESTING} levels")
    if "\\u" in text and not _can_be_written(value):
        refuse("holds half of a surrogate pair")
    return value


def _unrepeated(refuse: Callable[[str], NoReturn]) -> Callable[[list[tuple[str, Any]]], Any]:
    def made(pairs: list[tuple[str, Any]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) != len(pairs):
            refuse("holds a name twice in one object")
        return found

    return made


def _shorter(kind: Callable[[str], Any], refuse: Callable[[str], NoReturn]) -> Any:
    def made(digits: str) -> Any:
        if len(digits) > MOST_DIGITS:
            refuse(f"holds a number of more than {MOST_DIGITS} digits")
        return kind(digits)

    return made


def _finite(refuse: Callable[[str], NoReturn]) -> Callable[[str], float]:
    def made(digits: str) -> float:
        value = float(digits)
        if value in (float("inf"), -float("inf")):
            refuse(f"holds a number beyond double precision: {digits[:40]}")
        return value

    return made


def _no_constant(refuse: Callable[[str], NoReturn]) -> Callable[[str], NoReturn]:
    return lambda name: refuse(f"holds {name}, which is no number")


def is_deeper(value: Any, most: int) -> bool:
    """Whether containers lie deeper in one another than that, level by level."""
    level = [value]
    for _ in range(most):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(x for x in item.values() if isinstance(x, dict | list))
            elif isinstance(item, list):
                inner.extend(x for x in item if isinstance(x, dict | list))
        if not inner:
            return False
        level = inner
    return True


def _can_be_written(value: Any) -> bool:
    """Whether all strings are text that can be encoded, and so printed."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
