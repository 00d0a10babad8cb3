"""Laws on finitely many outcomes, in exact numbers, and their common cells."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.cells.cell import Cell, CellPair, outcomes
from audit.exact.numbers import add_up, common_total, quotient, sign, simplest
from mechanisms.errors import InvalidArgument
from proofs_check.exponential import Exact

__all__ = ["FinitePmf", "cells_of"]


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class FinitePmf:
    """Law on finitely many outcomes.

    Raises InvalidArgument if a mass is negative or the masses do not add up to the total.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.cells.finite import FinitePmf
    >>> coin = FinitePmf({"heads": Fraction(2, 3), "tails": Fraction(1, 3)})
    >>> coin.probability("heads")
    Fraction(2, 3)
    """

    masses: tuple[tuple[Hashable, Exact], ...]
    """Mass of each outcome, at least 0; outcomes of mass 0 are left out."""
    total: Exact
    """What the masses add up to, exactly; a probability is mass / total. Left out it is 1."""

    def __init__(self, masses: Mapping[Hashable, Exact], total: Exact = Fraction(1)) -> None:
        for outcome, mass in masses.items():
            if sign(mass) < 0:
                msg = f"a mass must be at least 0, got {mass!r} at outcome {outcome!r}"
                raise InvalidArgument(msg)
        found = add_up(masses.values())
        if found != total or not sign(total):
            msg = f"the masses add up to {found!r}, not to total={total!r} (or to 0)"
            raise InvalidArgument(msg)
        kept = tuple((outcome, simplest(mass)) for outcome, mass in masses.items() if sign(mass))
        object.__setattr__(self, "masses", kept)
        object.__setattr__(self, "total", simplest(total))

    @classmethod
    def from_weights(cls, weights: Mapping[Hashable, Exact]) -> FinitePmf:
        """Return the law proportional to some weights, not all 0."""
        return cls(weights, add_up(weights.values()))

    def __iter__(self) -> Iterator[Hashable]:
        return (outcome for outcome, _ in self.masses)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FinitePmf):
            return NotImplemented
        mine, theirs = dict(self.masses), dict(other.masses)
        return mine.keys() == theirs.keys() and all(
            mass * other.total == theirs[outcome] * self.total for outcome, mass in mine.items()
        )

    __hash__ = None  # type: ignore[assignment]  # one law has many forms

    def probability(self, *event: Hashable) -> Exact:
        """Probability that one of the given outcomes comes."""
        wanted = set(event)
        return quotient(add_up(m for outcome, m in self.masses if outcome in wanted), self.total)

    def map(self, function: Callable[[Hashable], Hashable]) -> FinitePmf:
        """Law of function(outcome)."""
        merged: dict[Hashable, list[Exact]] = {}
        for outcome, mass in self.masses:
            merged.setdefault(function(outcome), []).append(mass)
        return FinitePmf({new: add_up(parts) for new, parts in merged.items()}, self.total)


def cells_of(p: FinitePmf, q: FinitePmf) -> CellPair:
    """Return one cell for each outcome of either law.

    `p`, `q`: laws of the output under the two data sets. Returns: cells in the order of `p`, then
    of what only `q` reaches.
    """
    total, (left, right) = common_total([p.total, q.total])
    under_p, under_q = dict(p.masses), dict(q.masses)
    cells = tuple(
        Cell(
            simplest(under_p.get(outcome, 0) * left),
            simplest(under_q.get(outcome, 0) * right),
            outcomes(outcome),
        )
        for outcome in under_p | under_q
    )
    return CellPair(cells, total)
