"""What results of every kind have in common: a verdict, limits, and how they are presented.

A result is final, frozen, and travels to other processes. It has no truth value, since a verdict
has four: compare `verdict`, or call `expect`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self, TypeAlias, final

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from audit.documents.document import Document

__all__ = [
    "FAILED",
    "NO_ANSWER",
    "TOTAL",
    "Hint",
    "Json",
    "Limits",
    "OutcomeWord",
    "Result",
    "Verdict",
    "VerdictResult",
]

OutcomeWord: TypeAlias = (
    Literal["refuted", "proved", "consistent", "inconclusive"]
    | Literal["REFUTED", "PROVED", "CONSISTENT", "INCONCLUSIVE"]
    | Literal["ok", "usage", "internal", "interrupted"]
    | Literal["OK", "USAGE", "INTERNAL", "INTERRUPTED"]
)
"""What `Result.expect` takes, for type checkers: verdicts and exit statuses; a test compares."""

Json = dict[str, object] | list[Any] | str | int | float | bool | None
"""What JSON has."""


class Verdict(StrEnum):
    """The four answers; never a silent pass."""

    REFUTED = "REFUTED"
    """The claim is false (up to the stated false-alarm rate); a witness shows it."""
    PROVED = "PROVED"
    """A certificate proves the claim."""
    CONSISTENT = "CONSISTENT"
    """Nothing found, and a violation as large as `detectable` says would have been."""
    INCONCLUSIVE = "INCONCLUSIVE"
    """The run could not tell; the reason is stated, and what would help."""


NO_ANSWER = "is missing: "
"""Beginning of the words of a draw that its process did not give."""

FAILED = ("raises ", NO_ANSWER)
"""Beginnings of the words of draws that gave no output."""

TOTAL = "TOTAL"
"""The word of a total of which nothing was claimed: it has no verdict."""


@final
@dataclass(frozen=True, slots=True)
class Hint:
    """What a reader of a result should check first, or can do to get a verdict.

    Parameters
    ----------
    code : str
        Of the row of `audit.documents.advice.ADVICE` that it is from.
    text : str
        A sentence or two.
    option : str
        Options that the text names; empty where it names none.
    """

    code: str
    text: str
    option: str = ""


@final
@dataclass(frozen=True, slots=True)
class Limits(Mapping[str, float]):
    """Lower limits by name: the true value is greater.

    Examples
    --------
    >>> from audit.results.verdict import Limits
    >>> limits = Limits.of(epsilon=1.5, delta=0.25)
    >>> limits["epsilon"], limits.get("mu")
    (1.5, None)
    """

    pairs: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, **values: float) -> Limits:
        """Limits by name."""
        return cls(tuple(values.items()))

    def __getitem__(self, name: str) -> float:
        for own, value in self.pairs:
            if own == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)


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
        from audit.report.present import repeat_of

        return repeat_of(self)

    def document(self) -> Document:
        """Return what it says as data: a headline, and sections of rows, tables and plots.

        Raises
        ------
        InvalidArgument
            For a result that no run made, and for a gate's: its outcomes have one each.
        """
        from audit.report.present import document

        return document(self)

    def to_dict(self) -> dict[str, Json]:
        """Return the JSON report, as a dictionary."""
        from audit.report.present import dictionary

        return dictionary(self)

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
        from audit.report.present import save

        save(self, path)

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
        from audit.figures.result_plot import plot

        return plot(self, ax)

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
        from audit.report.present import check_expected

        check_expected(self, outcomes)
        return self

    def __str__(self) -> str:
        from audit.report.present import text

        return text(self)

    def _repr_html_(self) -> str:
        from audit.report.present import fragment

        return fragment(self)

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
