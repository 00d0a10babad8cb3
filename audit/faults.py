"""What an object of a user's raises or states wrongly is told in one line, and is no bug of ours.

Draws are outcomes whatever they raise (`audit.targets.outcomes`). Beside them an object is asked
for its claim, its bounds, its laws. What it raises then is known by the traceback: below the place
that asks there is a frame of code that is neither ours nor a library's. Where it raises nothing,
but gives what is no answer, our own code fails at reading it: of objects of classes not ours.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import Any

from audit.interrupts import is_asked_for
from mechanisms.errors import InvalidArgument, TouchstoneError

__all__ = [
    "TargetFault",
    "attribute",
    "bounded",
    "has",
    "is_ours",
    "is_users",
    "reading",
    "users_faults",
    "words_of",
]

OURS = ("audit", "mechanisms", "proofs_check", "touchstone_dp", "_touchstone_pytest")
LIBRARIES = frozenset(
    {
        *("numpy", "scipy", "statsmodels", "sympy", "mpmath", "z3", "flint", "click", "rich"),
        *("joblib", "cloudpickle", "dask", "distributed", "pandas", "matplotlib", "sklearn"),
        *sys.stdlib_module_names,
    }
    - {"__main__"}
)
"""What we call ourselves: code of these alone, below ours, is not the user's."""

ABSENT = ("__getattr__", "__getattribute__")
"""A user's functions that say by AttributeError that there is no such attribute."""

MISSING = object()


class TargetFault(TouchstoneError):
    """An object of the user's raised, or states what cannot be read; the message says where."""


def is_ours(thing: Any) -> bool:
    """Whether an object is of a class of ours: its faults are internal errors."""
    return _root(_kind(thing).__module__) in OURS


def is_users(thing: Any) -> bool:
    """Whether an object is of a class of a user's: not of ours, and of no library."""
    root = _root(_kind(thing).__module__)
    return root not in OURS and root not in LIBRARIES


def attribute(thing: Any, name: str, default: Any = None) -> Any:
    """Read an attribute that may be missing; one that raises is none that is missing.

    Raises TargetFault if it raises, also AttributeError.
    """
    try:
        with users_faults():
            return getattr(thing, name)
    except AttributeError:
        return default
    except TargetFault as fault:
        first = _frames(fault.__cause__)[:1]
        if isinstance(fault.__cause__, AttributeError) and first[0][0].co_name in ABSENT:
            return default
        raise


def has(thing: Any, name: str) -> bool:
    """Whether there is such an attribute; raises as `attribute` does."""
    return attribute(thing, name, MISSING) is not MISSING


@contextmanager
def users_faults(thing: Any = None, name: str = "") -> Iterator[None]:
    """Tell what a user's code raises within, and what it states that ours cannot read.

    `thing`: what is read, for faults without a frame of the user's; None where they are ours.
    `name`: its attribute. Raises TargetFault in place of what was raised. Errors on purpose, of
    ours and of Ctrl-C stay as they are.
    """
    try:
        yield
    except TouchstoneError:
        raise
    except BaseException as exc:
        if isinstance(exc, KeyboardInterrupt) and is_asked_for():
            raise
        if _root(type(exc).__module__) in OURS:
            raise
        frames = _frames(exc)
        if frames:
            called, place = _named(frames[0][0]), _place(*frames[-1])
            msg = f"{called} raised {words_of(exc)} ({place})"
        elif thing is None or is_ours(thing) or not isinstance(exc, Exception):
            raise
        else:
            msg = f"what {_asked(thing, name)} states cannot be read: {words_of(exc)}"
        raise TargetFault(msg) from exc


@contextmanager
def reading(thing: Any, name: str) -> Iterator[None]:
    """The same where nothing else than an attribute of a user's is read: each refusal names it."""
    try:
        with users_faults(thing, name):
            yield
    except InvalidArgument as exc:
        if is_ours(thing):
            raise
        msg = f"{_asked(thing, name)}: {exc}"
        raise InvalidArgument(msg) from exc


def words_of(exc: BaseException) -> str:
    """Class and text of an exception in one line, whatever its text is made by."""
    try:
        text = " ".join(str(exc).split())
    except Exception:  # noqa: BLE001 - its __str__ is the user's
        text = "(its text cannot be made)"
    return f"{type(exc).__name__}: {text}" if text else type(exc).__name__


def _asked(thing: Any, name: str) -> str:
    """Class, attribute and the place where it is defined."""
    kind = _kind(thing)
    code = getattr(inspect.getattr_static(kind, name, None), "__code__", None)
    where = f" ({_place(code, code.co_firstlineno)})" if isinstance(code, CodeType) else ""
    return f"{kind.__qualname__.rpartition('<locals>.')[2]}.{name}{where}"


def _frames(exc: BaseException | None) -> list[tuple[CodeType, int]]:
    """Code and line of the frames of the user's, the outermost first."""
    found, part = [], None if exc is None else exc.__traceback__
    while part is not None:
        code, root = part.tb_frame.f_code, _root(str(part.tb_frame.f_globals.get("__name__")))
        made = code.co_qualname.startswith("__create_fn__")  # by a dataclass
        if root not in OURS and root not in LIBRARIES and not made:
            found.append((code, part.tb_lineno))
        part = part.tb_next
    return found


def _named(code: CodeType) -> str:
    return code.co_qualname.rpartition("<locals>.")[2]


def _place(code: CodeType, line: int) -> str:
    path = Path(code.co_filename)
    near = path.is_absolute() and path.is_relative_to(Path.cwd())
    return f"{os.path.relpath(path) if near else path}:{line}"


def _kind(thing: Any) -> type[Any]:
    kind: type[Any] = thing if inspect.isclass(thing) else type(thing)
    return kind


def _root(module: str) -> str:
    return module.partition(".")[0]


MOST_STATED = 2**18
"""Outcomes, cuts or pieces of a law of a user's that are read; what has no end has more."""


def bounded(found: Iterable[Any], name: str) -> list[Any]:
    """All of what a law of a user's states; InvalidArgument of more than MOST_STATED parts."""
    parts = list(islice(found, MOST_STATED + 1))
    if len(parts) > MOST_STATED:
        msg = f"its {name} must be at most {MOST_STATED}, got more"
        raise InvalidArgument(msg)
    return parts
