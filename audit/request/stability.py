"""What a test of a declared sensitivity asks for, in the words of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, final

from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_choice, check_fraction, shown

__all__ = ["NORMS", "SensitivityQuestion", "question_of"]

NORMS = ("l1", "l2", "linf", "hamming", "change-one", "symmetric", "insert-delete", "discrete")
"""Names of `audit.stability.norms.Norm`, which a test compares."""


@final
@dataclass(frozen=True, slots=True)
class SensitivityQuestion:
    """Claim and pairs of a test of a sensitivity; None leaves a choice to the query.

    Parameters
    ----------
    norm : str or None
        Of the answers.
    at_most : Number or None
        How far apart answers to neighbors are at most.
    rows : int
        In how many records neighbors differ at most.
    count : int or None
        The public number of records.
    budget_pairs : int or None
        Pairs at most.
    strict : bool
        Whether rounding alone refutes the claim.
    """

    norm: str | None = None
    at_most: Number | None = None
    rows: int = 1
    count: int | None = None
    budget_pairs: int | None = None
    strict: bool = False

    def check(self) -> None:
        """Check what the words alone can tell.

        Raises
        ------
        InvalidArgument
            If one of them is out of its domain.
        """
        if self.norm is not None:
            check_choice(self.norm, "norm", NORMS)
        if self.at_most is not None:
            check_fraction(self.at_most, "at_most", at_least=0)
        for name in ("rows", "budget_pairs"):
            value = getattr(self, name)
            if value is not None and value < 1:
                msg = f"{name} must be at least 1, got {name}={shown(value)}"
                raise InvalidArgument(msg)

    def told(self) -> Iterator[tuple[str, Any]]:
        """Words that are not as usual, by name."""
        for part in fields(self):
            if (value := getattr(self, part.name)) != part.default:
                yield part.name, value


def question_of(values: dict[str, Any]) -> SensitivityQuestion:
    """Take the words of a test of a sensitivity out of all others."""
    names = [part.name for part in fields(SensitivityQuestion)]
    own = {name: values.pop(name) for name in names if name in values}
    return SensitivityQuestion(**{name: value for name, value in own.items() if value is not None})
