"""How far a record moves a vector query, decided for all records by z3.

A record x moves coordinate i by c_i x + d_i, whatever the others are; replacing x by y moves it by
c_i (y - x). The statements are linear, so z3 decides them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import NoisyQuery
from proofs_check.smt import absolute, all_of, exact, for_all, implies

__all__ = ["Sensitivity", "check_sensitivity", "sensitivity_at_most"]


@final
@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Whether all neighbors are within a distance of each other."""

    holds: bool | None
    """None where it was not decided."""
    statement: str
    """What was decided."""
    records: tuple[Fraction, ...]
    """A record that is added, or one and what replaces it, that moves the query farther."""


def sensitivity_at_most(query: NoisyQuery, relation: Relation, bound: Fraction) -> Sensitivity:
    """Decide whether neighbors move a query by at most a bound, in l1.

    `query`: its moves and the range of its records. `relation`: ADD_REMOVE or SWAP. `bound`:
    claimed sensitivity. Raises InvalidArgument for another relation.
    """
    if relation not in (Relation.ADD_REMOVE, Relation.SWAP):
        msg = f"a sensitivity is about add-remove or swap, got {relation.value}"
        raise InvalidArgument(msg)
    lower, upper = map(exact, query.records)
    swap = relation is Relation.SWAP

    def within(*records: Any) -> Any:
        x, y = records if swap else (records[0], None)
        moves = [
            exact(slope) * (y - x) if swap else exact(slope) * x + exact(offset)
            for slope, offset in query.moves
        ]
        norm: Any = sum(map(absolute, moves), start=exact(0))
        inside = all_of(*(all_of(lower <= r, r <= upper) for r in records))
        return implies(inside, norm <= exact(bound))

    names = ("x", "y") if swap else ("x",)
    answer = for_all(dict.fromkeys(names, "integer" if query.whole else "real"), within)
    kind = "a record replaced" if swap else "a record"
    first, last = query.records
    return Sensitivity(
        answer.holds,
        f"{kind} of [{first}, {last}] moves {query.words} by at most {bound} in l1 (z3)",
        tuple(answer.counterexample.values()),
    )


def check_sensitivity(query: NoisyQuery, relation: Relation, bound: Fraction) -> str:
    """State that neighbors move a query by at most a bound, in l1.

    Raises InvalidArgument if they do not, with a record, or if it was not decided.
    """
    found = sensitivity_at_most(query, relation, bound)
    if found.holds:
        return found.statement
    at = ", ".join(map(str, found.records))
    why = f"not for {at}" if found.holds is False else "which was not decided"
    msg = f"needed: {found.statement}; {why}"
    raise InvalidArgument(msg)
