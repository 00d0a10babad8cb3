"""Where results show themselves: `audit` says it, so that a result knows no report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from audit.results.document import Document

__all__ = ["Reports", "reports", "shown_by"]


class Reports(Protocol):
    """What a result asks of the reports."""

    def text(self, result: Any) -> str:
        """Write it as text."""

    def dictionary(self, result: Any) -> dict[str, Any]:
        """Write it as JSON has it."""

    def document(self, result: Any) -> Document:
        """Say what it says, before any form."""

    def fragment(self, result: Any) -> str:
        """Write it as HTML for a place in a page."""

    def save(self, result: Any, path: object) -> None:
        """Write it to a file, in the form of its ending."""

    def plot(self, result: Any, ax: Any) -> Any:
        """Draw it into axes."""

    def repeat_of(self, result: Any) -> str:
        """Say the command that repeats it, or the call."""

    def check_expected(self, result: Any, outcomes: tuple[object, ...]) -> None:
        """Raise UnexpectedVerdict unless its outcome is among these."""


_FOUND: list[Callable[[], Reports]] = []


def shown_by(find: Callable[[], Reports]) -> None:
    """Say what finds the reports, when the first result shows itself."""
    _FOUND[:] = [find]


def reports() -> Reports:
    """Return the reports."""
    return _FOUND[0]()
