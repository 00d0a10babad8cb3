"""What results are made of: the four verdicts, limits by name, and what a reader should check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import final

__all__ = ["FAILED", "NO_ANSWER", "TOTAL", "Hint", "Limits", "Verdict"]


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
