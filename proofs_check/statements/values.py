"""Statements about numbers: each is what its printed digits say, to the last one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, final

from mechanisms.errors import InvalidArgument
from proofs_check.rational import printed_interval
from proofs_check.statements.domain import Domain, Quantified
from proofs_check.statements.forms import sentence
from proofs_check.statements.notation import latex, text
from proofs_check.statements.terms import Condition, Number, Quantity, Term, absolute, all_of

__all__ = ["ValuesAre", "tabled"]

SHOWN = 6
"""Numbers in a sentence and in a formula; the check has all."""
VALUES = Term("symbol", (), "...")
"""Stands in a sentence where its numbers come."""


@final
@dataclass(frozen=True, slots=True)
class ValuesAre:
    """Some numbers, and the decimals that are printed for them.

    Parameters
    ----------
    values : tuple of (Term, str)
        A number, as a term without symbols, and its printed decimal such as "0.4917".
    template : str
        The sentence; in braces "values", and "first", the first decimal.
    """

    values: tuple[tuple[Term, str], ...]
    template: str = ""
    quantified: Quantified = field(init=False)

    def __post_init__(self) -> None:
        if self.template and "{values}" not in self.template:
            msg = f"a sentence must say where its values stand, got {self.template!r}"
            raise InvalidArgument(msg)
        near = [_near(term, printed) for term, printed in self.values]
        first, *more = near
        joined = all_of(first, *more) if more else first
        object.__setattr__(self, "quantified", Quantified(Domain(()), joined))
        self.words()

    def words(self) -> str:
        """The template with the numbers."""
        rows = [f"{text(term)} = {printed}" for term, printed in self.values[:SHOWN]]
        before, _, after = sentence(self.template, {"values": VALUES}).partition(VALUES.name)
        return before + ", ".join([*rows, *self._rest()]) + after

    def latex(self) -> str:
        """The numbers, one after the other."""
        rows = [f"{latex(term)} = {printed}" for term, printed in self.values[:SHOWN]]
        return r",\quad ".join([*rows, *([r"\dots"] if self._rest() else [])])

    def domain_words(self) -> str:
        """Nothing: each number says where it is taken."""
        return ""

    def _rest(self) -> list[str]:
        more = len(self.values) - SHOWN
        return [f"and {more} more"] if more > 0 else []


def tabled(
    columns: Sequence[tuple[str, str]],
    rows: Sequence[tuple[tuple[Number, ...], str]],
    compute: Callable[..., Sequence[Any]],
    template: str,
) -> ValuesAre:
    """Read a table whose rows are computed each at once, and only when they are asked for.

    Parameters
    ----------
    columns : sequence of (str, str)
        Each column's name in a sentence and in a formula.
    rows : sequence of (tuple, str)
        What a row depends on, and its decimals, separated by spaces.
    compute : callable
        Of what a row depends on: enclosures of its numbers.
    template : str
        As of `ValuesAre`.
    """
    row = cache(compute)
    values = [
        (Quantity(name, tex, lambda *key, place=place: row(*key)[place])(*key), printed)
        for key, line in rows
        for place, ((name, tex), printed) in enumerate(zip(columns, line.split(), strict=True))
    ]
    return ValuesAre(tuple(values), template)


def _near(term: Term, printed: str) -> Condition:
    """Within half a unit of the last digit."""
    least, largest = printed_interval(printed)
    return absolute(term - Fraction(printed)) <= (largest - least) / 2
