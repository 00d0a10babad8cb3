"""Values of the API's arguments: what is wrong is one sentence that names the argument.

Words have the kinds and choices of `audit.request.words`. Numbers may be of any exact type, and a
path may be text or a `Path`; they are read as what a configuration would hold.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from functools import wraps
from numbers import Real
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from audit.bounded_json import NoSuchFile
from audit.levels.word import Kind, Word
from audit.pairs.data import COUNTEREXAMPLE, STATSMODELS
from audit.request.stability import NORMS
from audit.request.words import WORDS
from audit.targets.domain import ASKED
from audit.targets.objects import plain_value
from audit.targets.separation import now_at, separately
from audit.targets.tables.schema import FORMS
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument, TouchstoneError, close_names
from mechanisms.validation import check_choice, shown

__all__ = ["CHOICES", "apart", "asks", "check_file", "check_kind", "checked", "in_python"]

CHOICES = {
    "relation": tuple(relation.value for relation in Relation),
    "order": tuple(order.value for order in Order),
    "domain": ASKED,
    "takes": FORMS,
    "norm": NORMS,
    **{word.name: word.choices for word in WORDS.values() if word.choices},
}
"""Words that are one of a few: the command checks some of them itself, a plan the others."""

MOST_BITS = {"seed": 64}
"""Of an integer; others have 53, since doubles count no further."""

AS_GIVEN = ("data", "pair", "schema")
"""Words whose values may be any objects of Python."""

F = TypeVar("F", bound=Callable[..., Any])

OPTION = re.compile(r"--([a-z][a-z-]*)")


def apart(function: F) -> F:
    """Let a function of the API work in a process of its own, but for its first argument's name.

    Not where it is asked to draw in this one, or reaches the workers of dask by threads.
    """

    @wraps(function)
    def called(target: Any = None, *arguments: Any, **words: Any) -> Any:
        def work() -> Any:
            now_at(target)
            return function(target, *arguments, **words)

        here = asks(words, "in_process", True) or asks(words, "backend", "dask")
        return separately(work, forks=not here)

    return called  # type: ignore[return-value]


def asks(words: Mapping[str, Any], name: str, wanted: str | bool) -> bool:
    """Whether a word that nothing has checked yet has this value: it may be an array."""
    value = plain_value(words.get(name))
    return type(value) is type(wanted) and value == wanted


@contextmanager
def in_python() -> Iterator[None]:
    """Let messages name words as Python has them: `--min-size` is min_size."""
    try:
        yield
    except TouchstoneError as exc:
        text = OPTION.sub(_as_word, str(exc))
        if text == str(exc):
            raise
        raise type(exc)(text) from exc


def _as_word(option: re.Match[str]) -> str:
    name = option[1].replace("-", "_")
    return name if name in WORDS else option[0]


def checked(function: str, words: Mapping[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    """Check the words of a call; those that are None are left out.

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
    """A value as a configuration would hold it."""
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


def _wrong(name: str, must_be: str, given: Any) -> InvalidArgument:
    return InvalidArgument(f"{name} must be {must_be}, got {name}={shown(given)}")
