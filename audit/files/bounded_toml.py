"""TOML from files that anybody may have written, within the bounds of `bounded_json`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from audit.files.bounded_json import MOST_DIGITS, MOST_NESTING, is_deeper, read_text
from mechanisms.errors import InvalidData

__all__ = ["MOST_BYTES", "read_toml"]

MOST_BYTES = 2**22
"""Of a file: Python's reader of TOML takes a second for each MiB."""

LONG_KEY = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MOST_NESTING}}}"""
)
"""A key of so many parts: Python's reader takes more than the square of their number."""

TOO_LARGE = 10**MOST_DIGITS


def read_toml(path: Path, *, decimals: Callable[[str], Any] = float) -> dict[str, object]:
    """Read a file.

    `decimals`: reads the text of a number that is no integer; a float loses digits beyond the 17th.
    Raises InvalidData if it is no regular file, too large, no TOML, nested deeper than JSON may be,
    or has an integer of more than 4,000 digits.
    """
    text = read_text(path, most=MOST_BYTES)
    if LONG_KEY.search(text):
        raise InvalidData(_too_deep(path))
    try:
        content = tomllib.loads(text, parse_float=decimals)
    except RecursionError as exc:
        raise InvalidData(_too_deep(path)) from exc
    except ValueError as exc:  # of tomllib, or of int() for a number without end
        msg = f"{path.name} cannot be read: {exc}"
        raise InvalidData(msg) from exc
    if is_deeper(content, MOST_NESTING):
        raise InvalidData(_too_deep(path))
    if _has_long_number(content):
        msg = f"{path.name} holds a number of more than {MOST_DIGITS} digits"
        raise InvalidData(msg)
    return content


def _has_long_number(value: Any) -> bool:
    """Whether an integer is too long to print: one in base 16, which int() reads at any length."""
    if isinstance(value, dict | list):
        return any(map(_has_long_number, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and abs(value) >= TOO_LARGE


def _too_deep(path: Path) -> str:
    return f"{path.name} is nested deeper than {MOST_NESTING} levels"
