"""What is claimed of a query: how far apart its answers to neighboring data sets are at most."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

from audit.results.number_words import plural
from audit.stability.norms import Norm
from mechanisms.claims import Order, Relation, Source


@final
@dataclass(frozen=True, slots=True)
class StabilityClaim:
    """A bound of the distance of the answers to two neighboring data sets."""

    norm: Norm
    """Of the answers."""
    at_most: Fraction
    """The bound; of an L2 norm the bound itself, not its square."""
    relation: Relation
    source: Source
    """Who claims it."""
    order: Order = Order.FREE
    """Which data sets are neighbors."""
    rows: int = 1
    """In how many records these differ at most."""
    at_zero: Fraction | None = field(default=None, metadata={"key": "for_two_orders"})
    """The bound for two orders of the same records, where another one is stated of them: a sum of
    doubles depends on the order."""
    is_function: bool = False
    """Whether it is a part of the claim that the same data have the same answer."""
    is_strict: bool = field(default=False, metadata={"kept": False})
    """Whether the rounding of the answers alone breaks it."""

    def bound(self, *, is_reordered: bool) -> Fraction:
        """The bound for a pair."""
        if is_reordered and self.at_zero is not None:
            return self.at_zero
        return self.at_most

    def __str__(self) -> str:
        apart = "" if self.rows == 1 else f" in up to {plural(self.rows, 'record')}"
        return f"{self.norm} distance of at most {self.at_most} ({self.relation}{apart})"
