"""Values of a table of TOML: its keys, the kind of each, and files seen from the table's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from audit.levels.word import Kind, Word
from mechanisms.errors import InvalidArgument, close_names
from mechanisms.validation import shown

__all__ = ["check_keys", "seen_from", "value_of", "value_of_word"]


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
        raise _wrong(where, key, must_be or kind.phrase(), value)
    return value


def value_of_word(table: Mapping[str, Any], word: Word, where: str = "") -> Any:
    """The value of a word that the table has, as it is used; raises as `value_of` does."""
    value = table[word.name]
    if not word.fits(value):
        raise _wrong(where, word.name, word.must_be, value)
    return word.kind.read(value)


def _wrong(where: str, key: str, must_be: str, value: Any) -> InvalidArgument:
    return InvalidArgument(f"{where}{key} must be {must_be}, got {key}={shown(value)}")


def seen_from(path: str, folder: Path) -> str:
    """A path of a configuration, seen from its own folder."""
    return path if folder == Path() else str(folder / path)
