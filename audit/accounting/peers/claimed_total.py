"""What an accountant of a library says of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, final

from audit.accounting.release_plan import AccountClaim, Step

__all__ = ["Accountant", "NotSaid", "Total"]


class NotSaid(Exception):
    """The library states nothing of these parts; the message says of which."""


@final
@dataclass(frozen=True, slots=True)
class Total:
    """An epsilon that a library says is enough, and where it also says so, one that is not."""

    accountant: str
    """The function or class that was asked."""
    epsilon: float | None
    """None where it says nothing."""
    lower: float | None = None
    why_not: str = ""


class Accountant(Protocol):
    """A function that asks a library; it imports it, and raises ImportError where it is missing."""

    def __call__(self, steps: tuple[Step, ...], claim: AccountClaim) -> tuple[Total, ...]:
        """The totals of all its accountants."""
        ...
