"""Two laws against each other, in one direction, whatever they are made of: four questions.

Is the log-ratio ln(p / q) at most epsilon everywhere? How large does it get? Which event S has the
largest P(S) - e^epsilon Q(S), and how large is that at most (the hockey-stick divergence)? What is
the Renyi divergence of an order? From the answers `audit.exact.levels` decides every level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, final

from audit.exact.cells.cell import CellPair
from audit.exact.cells.cell_divergences import hockey_stick, largest_ratio, renyi_divergence
from audit.exact.exact_numbers import Mass
from audit.results.refutation import Enclosure
from proofs_check.enclosure import Ball, endpoints

SHOWN = 4
"""Cells of an event that are described in words; of more their number is told."""


@final
@dataclass(frozen=True, slots=True)
class Gap:
    """An event S and its probabilities under two laws."""

    words: str
    """The event."""
    p: Mass
    q: Mass
    """P(S) and Q(S)."""
    value: Mass
    """P(S) - e^epsilon Q(S)."""
    most: Mass | None
    """No event has more; None where no bound is known."""

    def exceeds(self, delta: Fraction) -> bool:
        """Whether this event has certainly more than delta."""
        value = self.value
        return endpoints(value)[0] > delta if isinstance(value, Ball) else bool(value > delta)

    def within(self, delta: Fraction) -> bool:
        """Whether certainly no event has more than delta."""
        most = self.most
        if most is None:
            return False
        return endpoints(most)[1] <= delta if isinstance(most, Ball) else not most > delta


class Comparison(Protocol):
    """A law P against a law Q."""

    @property
    def cells(self) -> int:
        """How many cells, or points, are gone through."""
        ...

    @property
    def rho(self) -> Fraction | None:
        """Largest Renyi divergence of an order a over a, where a closed form gives it exactly."""
        ...

    @property
    def mu_squared(self) -> Fraction | None:
        """The square of mu where testing P against Q is N(0, 1) against N(mu, 1), exactly."""
        ...

    @property
    def lemmas(self) -> tuple[str, ...]:
        """What the answers rest on, in words."""
        ...

    def at_most(self, epsilon: Fraction) -> bool | None:
        """Whether ln(p / q) <= epsilon everywhere; None where it is not decided."""
        ...

    def loss(self) -> tuple[Fraction, Fraction | None] | None:
        """Ends of the largest ln(p / q), no upper one where none is known; None: infinite."""
        ...

    def gap(self, epsilon: Fraction) -> Gap:
        """An event with nearly the largest P(S) - e^epsilon Q(S)."""
        ...

    def renyi(self, order: Fraction) -> tuple[Fraction, Fraction | None] | None:
        """Ends of the Renyi divergence of an order above 1; likewise."""
        ...


def event_words(event: Sequence[str], epsilon: Fraction) -> str:
    """An event of several cells in words."""
    if len(event) <= SHOWN:
        return " or ".join(event)
    return f"where the first law is more than e^({epsilon}) times the second: {len(event)} cells"


@final
@dataclass(frozen=True, slots=True)
class OfCells:
    """Laws that are given as common cells, with exact masses."""

    pair: CellPair
    rho: None = None
    mu_squared: None = None
    lemmas: tuple[str, ...] = ()

    @property
    def cells(self) -> int:
        """Of the pair."""
        return len(self.pair.cells)

    def at_most(self, epsilon: Fraction) -> bool:
        """Decided exactly, also where it is equal."""
        return largest_ratio(self.pair).at_most(epsilon)

    def loss(self) -> Enclosure | None:
        """The logarithm of the largest ratio."""
        largest = largest_ratio(self.pair)
        known = largest.exact_log()
        if known is not None:
            return known, known
        ball = largest.log()
        return None if ball is None else endpoints(ball)

    def gap(self, epsilon: Fraction) -> Gap:
        """The cells whose ratio is above e^epsilon."""
        found = hockey_stick(self.pair, epsilon)
        words = event_words(found.event, epsilon)
        return Gap(words, found.p, found.q, found.value, found.value)

    def renyi(self, order: Fraction) -> Enclosure | None:
        """The sum over cells."""
        ball = renyi_divergence(self.pair, order)
        return None if ball is None else endpoints(ball)
