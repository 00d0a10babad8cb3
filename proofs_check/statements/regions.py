"""Which parts of a domain checks went through, as the doors that decide note them.

A door notes a region only where it decided that the statement holds there, together with the
object that it decided: a region of one statement says nothing of another.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import final

from proofs_check.statements.domain import Quantified
from proofs_check.statements.terms import Condition

__all__ = ["Region", "narrowing", "note", "recording"]


@final
@dataclass(frozen=True, slots=True)
class Region:
    """Where a statement was decided.

    Parameters
    ----------
    of : Quantified
        Which statement.
    case : tuple of Condition
        The part of its domain on which these hold; all of it if there are none.
    """

    of: Quantified
    case: tuple[Condition, ...]


_NOTED: ContextVar[list[Region] | None] = ContextVar("regions", default=None)
_NARROWED: ContextVar[Region | None] = ContextVar("narrowed", default=None)


def note(of: Quantified, case: tuple[Condition, ...] = ()) -> None:
    """Note that a statement holds in a case, or everywhere."""
    noted, slip = _NOTED.get(), _NARROWED.get()
    if noted is not None:
        more = slip.case if slip is not None and slip.of is of else ()
        noted.append(Region(of, (*case, *more)))


@contextmanager
def recording() -> Iterator[list[Region]]:
    """Collect the regions that are noted meanwhile."""
    regions: list[Region] = []
    token = _NOTED.set(regions)
    try:
        yield regions
    finally:
        _NOTED.reset(token)


@contextmanager
def narrowing(of: Quantified, *case: Condition) -> Iterator[None]:
    """Let the doors decide one statement on a part of its domain only: a slip, to be noticed."""
    token = _NARROWED.set(Region(of, case))
    try:
        yield
    finally:
        _NARROWED.reset(token)
