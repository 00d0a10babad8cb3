"""What results of every kind have in common: a verdict, limits, and how they are presented.

A result is final, frozen, and travels to other processes. It has no truth value, since a verdict
has four: compare `verdict`, or call `expect`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self, TypeAlias

from audit.results.showing import reports
from audit.results.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from audit.results.document import Document

__all__ = ["Json", "OutcomeWord", "Result", "VerdictResult"]

OutcomeWord: TypeAlias = (
    Literal["refuted", "proved", "consistent", "inconclusive"]
    | Literal["REFUTED", "PROVED", "CONSISTENT", "INCONCLUSIVE"]
    | Literal["ok", "usage", "internal", "interrupted"]
    | Literal["OK", "USAGE", "INTERNAL", "INTERRUPTED"]
)
"""What `Result.expect` takes, for type checkers: verdicts and exit statuses; a test compares."""

Json = dict[str, object] | list[Any] | str | int | float | bool | None
"""What JSON has."""


class Result(ABC):
    """What an audit, or a gate, came to.

    Examples
    --------
    >>> import audit
    >>> result = audit.prove("ksw.swap-laplace")
    >>> result.verdict.value, str(result).splitlines()[0]
    ('PROVED', 'PROVED: ksw.swap-laplace')
    >>> result.expect("proved") is result
    True
    """

    __slots__ = ()

    @property
    @abstractmethod
    def outcome(self) -> str:
        """In a word: what `expect` compares."""

    @property
    def was_run(self) -> bool:
        """Whether a run made it, so that there is something to report."""
        return getattr(self, "asked", None) is not None

    @classmethod
    def outcomes_known(cls) -> tuple[str, ...]:
        """What `outcome` may be."""
        return tuple(Verdict)

    @property
    def repeat(self) -> str:
        """The command that repeats it; a call in Python where the target has no name."""
        return reports().repeat_of(self)

    def document(self) -> Document:
        """Return what it says as data: a headline, and sections of rows, tables and plots.

        Raises
        ------
        InvalidArgument
            For a result that no run made, and for a gate's: its outcomes have one each.
        """
        return reports().document(self)

    def to_dict(self) -> dict[str, Json]:
        """Return the JSON report, as a dictionary."""
        return reports().dictionary(self)

    def save(self, path: str | Path) -> None:
        """Write the report to a file, in the form that its name ends in.

        Parameters
        ----------
        path : str or Path
            Ends in .txt, .html, .md, .json, .xml (JUnit) or .sarif.

        Raises
        ------
        InvalidArgument
            For another ending.
        """
        reports().save(self, path)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw what was found beside what is claimed.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or None
            Where to draw; None for a new figure.

        Raises
        ------
        MissingExtra
            Without matplotlib (the extra `report`).
        InvalidArgument
            Where there is no number to draw.
        """
        axes: Axes = reports().plot(self, ax)
        return axes

    def expect(self, *outcomes: Verdict | OutcomeWord) -> Self:
        """Return this result if it is as expected.

        Parameters
        ----------
        *outcomes : str
            Verdicts, in any case; of a gate names of exit statuses. None for what passes in a
            gate: CONSISTENT or PROVED, of a gate "ok".

        Raises
        ------
        UnexpectedVerdict
            If it is none of these; the message is the report.
        """
        reports().check_expected(self, outcomes)
        return self

    def __str__(self) -> str:
        return reports().text(self)

    def _repr_html_(self) -> str:
        return reports().fragment(self)

    def __bool__(self) -> NoReturn:
        msg = f"a result has no truth value; compare its verdict (this one is {self.outcome})"
        raise TypeError(msg)


class VerdictResult(Result):
    """A result that is one of the four verdicts, or a total of which nothing was claimed."""

    __slots__ = ()

    verdict: Verdict | None

    @property
    def outcome(self) -> str:
        """The verdict; "OK" where nothing was claimed."""
        return "OK" if self.verdict is None else self.verdict.value
