"""Values of words and keys, as the doors read them: what is wrong is one sentence that names it.

A configuration holds values as TOML has them. In Python numbers may be of any exact type, and a
path may be text or a `Path`; they are read as what a configuration would hold.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from audit.files.bounded_json import NoSuchFile
from audit.levels.word import Kind, Word
from audit.pairs.pair_files import COUNTEREXAMPLE, STATSMODELS
from audit.request.word_table import CHOICES, WORDS
from audit.targets.objects import plain_value
from mechanisms.errors import InvalidArgument, close_names
from mechanisms.validation import check_choice, shown

__all__ = [
    "AS_GIVEN",
    "asks",
    "check_file",
    "check_keys",
    "check_kind",
    "checked",
    "file_seen_from",
    "seen_from",
    "value_of",
    "value_of_word",
]

MOST_BITS = {"seed": 64}
"""Of an integer; others have 53, since doubles count no further."""

AS_GIVEN = ("data", "pair", "schema")
"""Words whose values may be any objects of Python."""


def check_keys(table: Mapping[str, Any], known: Sequence[str], where: str = "") -> None:
    """Refuse unknown keys.

    `where`: what messages begin with. Raises InvalidArgument for the first that is not known, and
    names those that are close.
    """
    for key in table:
        if key not in known:
            near = close_names(key, known)
            msg = f"{where}unknown key {shown(key)}{near}; known: {', '.join(known)}"
            raise InvalidArgument(msg)


def value_of(
    table: Mapping[str, Any],
    key: str,
    kind: Kind,
    where: str = "",
    *,
    must_be: str = "",
    default: Any = None,
) -> Any:
    """The value of a key, or the default.

    `kind`: of the value. `where`: what messages begin with. `must_be`: the kind in words, where its
    own do not say enough. Raises InvalidArgument for a value of another kind.
    """
    value = table.get(key, default)
    if key in table and not kind.fits(value):
        raise _wrong(key, must_be or kind.phrase(), value, where)
    return value


def value_of_word(table: Mapping[str, Any], word: Word, where: str = "") -> Any:
    """The value of a word that the table has, as it is used; raises as `value_of` does."""
    value = table[word.name]
    if not word.fits(value):
        raise _wrong(word.name, word.must_be, value, where)
    return word.kind.read(value)


def seen_from(path: str, folder: Path) -> str:
    """A path of a configuration, seen from its own folder."""
    return path if folder == Path() else str(folder / path)


def file_seen_from(file: str, folder: Path) -> str:
    """The same of a file of data, of pairs or of a schema; words that stand for data are none."""
    is_word = file == COUNTEREXAMPLE or file.startswith(STATSMODELS)
    return file if is_word else seen_from(file, folder)


def checked(function: str, words: Mapping[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    """Check the words of a call in Python; those that are None are left out.

    Raises TypeError if a word is unknown. Raises InvalidArgument if a value is not of its kind.
    """
    for name in words:
        if name not in known:
            msg = f"audit.{function}() got an unexpected word {name!r}{close_names(name, known)}"
            raise TypeError(msg)
    return {name: _value(WORDS[name], given) for name, given in words.items() if given is not None}


def check_kind(kind: Kind, **arguments: Any) -> None:
    """Check arguments that are no words, by name; None is what is left out.

    Raises InvalidArgument if a value is not of the kind.
    """
    for name, given in arguments.items():
        value = plain_value(given)
        if value is not None and (_is_empty(value) or not kind.fits(value)):
            raise _wrong(name, kind.phrase(), given)


def check_file(name: str, path: str) -> None:
    """Say which argument names a file that is not there.

    Raises NoSuchFile if there is none.
    """
    known = path == COUNTEREXAMPLE or path.startswith(STATSMODELS)
    if not (known or os.path.exists(path)):  # noqa: PTH110 - Path.exists raises for long names
        msg = f"{name}: there is no file {shown(path)}"
        raise NoSuchFile(msg)


def _value(word: Word, given: Any) -> Any:
    """A value of Python as a configuration would hold it."""
    if word.kind is Kind.TABLE:
        if not (isinstance(given, Mapping) and all(isinstance(key, str) for key in given)):
            raise _wrong(word.name, "a mapping", given)
        return {key: plain_value(one) for key, one in given.items()}
    if word.name in AS_GIVEN:
        for path in given if isinstance(given, list) and word.name == "pair" else [given]:
            if isinstance(path, str | Path):
                check_file(word.name, str(path))
        return given
    value = plain_value(given)
    if word.kind is Kind.NUMBER:
        value = _float(given)
    if word.kind is Kind.KNOTS and isinstance(value, np.ndarray):  # of two columns
        value = plain_value(list(value))
    if _is_empty(value) or not word.fits(value):
        raise _wrong(word.name, word.must_be, given)
    value = word.kind.read(value)
    if word.name in CHOICES:
        check_choice(value, word.name, CHOICES[word.name])
    power = MOST_BITS.get(word.name, 53)
    if word.kind in (Kind.COUNT, Kind.DRAWS) and isinstance(value, int) and value >> power:
        msg = f"{word.name} must be below 2^{power}, got {word.name}={shown(value)}"
        raise InvalidArgument(msg)
    return value


def _is_empty(value: Any) -> bool:
    """Whether it is an empty text; an array compares with one element by element."""
    return isinstance(value, str) and not value


def _float(given: Any) -> float | None:
    """A number in double precision; None for what is none, or too large for it."""
    if isinstance(given, bool) or not isinstance(given, Real | Decimal):
        return None
    try:
        return float(given)
    except (OverflowError, ValueError):
        return None


def _wrong(name: str, must_be: str, given: Any, where: str = "") -> InvalidArgument:
    return InvalidArgument(f"{where}{name} must be {must_be}, got {name}={shown(given)}")


def asks(words: Mapping[str, Any], name: str, wanted: str | bool) -> bool:
    """Whether a word that nothing has checked yet has this value: it may be an array."""
    value = plain_value(words.get(name))
    return type(value) is type(wanted) and value == wanted
