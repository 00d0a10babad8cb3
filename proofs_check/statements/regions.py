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
from proofs_check.statements.terms import Formula

__all__ = ["Region", "narrowed", "narrowing", "note", "recording"]


@final
@dataclass(frozen=True, slots=True)
class Region:
    """Where a statement was decided.

    Parameters
    ----------
    of : Quantified
        Which statement.
    case : tuple of Formula
        The part of its domain on which these hold; all of it if there are none.
    """

    of: Quantified
    case: tuple[Formula, ...]


_NOTED: ContextVar[list[Region] | None] = ContextVar("regions", default=None)
_NARROWED: ContextVar[tuple[Formula, ...]] = ContextVar("narrowed", default=())


def note(of: Quantified, case: tuple[Formula, ...]) -> None:
    """Note that a statement holds in a case."""
    noted = _NOTED.get()
    if noted is not None:
        noted.append(Region(of, case))


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
def narrowing(*case: Formula) -> Iterator[None]:
    """Let every door look at a part of each domain only: a slip that must be noticed."""
    token = _NARROWED.set(case)
    try:
        yield
    finally:
        _NARROWED.reset(token)


def narrowed() -> tuple[Formula, ...]:
    """Return what doors leave out now; nothing but in tests."""
    return _NARROWED.get()
