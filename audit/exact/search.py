"""Exhaustive audits of data-dependent laws: pair by pair, each in exact numbers.

Where the law depends on the data in more than a few sums, no lemma of ours speaks of all data sets.
On a finite domain all pairs of neighbors can be gone through.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import copysign
from typing import Any, Protocol, final, runtime_checkable

import numpy as np

from audit.exact.cells.cell import CellPair
from audit.exact.cells.divergences import Excess, hockey_stick
from audit.exact.cells.finite_laws import Compared, Known, compare, same_masses
from audit.exact.laws import is_formula, law_cells, part_told, stated
from audit.exact.numbers import Mass, as_ball, quotient
from audit.faults import reading
from audit.verdict import Enclosure
from mechanisms.claims import Order
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import FiniteLaw
from proofs_check.enclosure import Ball, Balls, Undecided, endpoints
from proofs_check.exponential import Exact

__all__ = ["Searched", "StatedLaws", "StatesLaw", "search"]

Neighbors = tuple[Any, Any]
ROUGH_BITS = 64


@runtime_checkable
class StatesLaw(Protocol):
    """A mechanism that states its law on every data set."""

    def exact_law(self, data: Any) -> Any:
        """State it.

        An `ExactLaw`, a `FiniteLaw`, a mapping of outcomes to their probabilities,
        pieces of constant density, or weights of points.
        """
        ...


@final
@dataclass(frozen=True, slots=True)
class Searched:
    """What was found on pairs of neighbors."""

    pairs: int
    cells: int
    """How many were gone through."""
    ratio: Ball | None
    """Encloses the largest ratio of probabilities, either way round; None where it is infinite."""
    excess: Enclosure
    """Encloses the largest P(S) - e^epsilon Q(S) over pairs and events S."""
    worst: Neighbors
    """Data and neighbor that have the largest ratio, the likelier side first."""
    broken: tuple[Any, Any, Excess] | None
    """Data, neighbor and event of the first pair that breaks the claim, the likelier side first."""

    @property
    def loss(self) -> Enclosure | None:
        """Encloses the largest privacy loss; None where it is infinite."""
        return None if self.ratio is None else endpoints(Balls(self.ratio.bits).log(self.ratio))


@final
@dataclass(slots=True)
class StatedLaws:
    """Laws of one mechanism, each asked for once."""

    mechanism: StatesLaw
    known: dict[Any, Any]
    order: Order

    def __call__(self, data: Any) -> Any:
        """Law on one data set: on a list of its records, where it has any, else as it is."""
        if not isinstance(data, tuple | list | np.ndarray) or getattr(data, "ndim", 1) == 0:
            return self._stated(data)
        records = [float(x) if isinstance(x, Fraction) else x for x in data]
        key = tuple(map(_told_apart, records))
        try:
            found = self.known.get(key)
        except TypeError:  # records that cannot be looked up
            return self._stated(records)
        if found is None:
            found = self.known[key] = self._stated(records)
            if self.order is Order.FREE and key != key[::-1]:
                self._check_order(found, records)
        return found

    def _stated(self, data: Any) -> Any:
        with reading(self.mechanism, "exact_law"):
            return stated(self.mechanism.exact_law(data))

    def _check_order(self, law: Any, records: list[Any]) -> None:
        """Only one order of each multiset is gone through: the law must be that of the others."""
        other = self._stated(records[::-1])
        if other == law or law is None or other is None:
            return
        with reading(self.mechanism, "exact_law"):
            if is_formula(law):
                same = False
            elif isinstance(law, FiniteLaw):
                same = same_masses(law, other)
            else:
                cells = law_cells(law, other).cells
                same = all(p == q for p, q in (cell.exact() for cell in cells))
        if not same:
            msg = (
                f"the stated law depends on the order of the records ({records}), though neighbors "
                "are told apart without it; state the order as fixed, or a law without it"
            )
            raise InvalidArgument(msg)


def _told_apart(record: Any) -> tuple[Any, ...]:
    """A record with what a mechanism may look at though it is equal: 0.0 is -0.0, and 1 is True."""
    if isinstance(record, tuple):
        return tuple(map(_told_apart, record))
    is_float = isinstance(record, float | np.floating)
    return type(record), record, is_float and copysign(1.0, record)


def search(
    mechanism: StatesLaw,
    pairs: Iterable[Neighbors],
    epsilon: Fraction,
    delta: Fraction,
    *,
    laws: StatedLaws | None = None,
) -> Searched:
    """Audit all pairs, both ways round; never decided by rounding.

    `pairs`, iterable of (data, neighbor): at least one. `epsilon`, `delta`: the claim. `laws`: what
    was asked for before, and is asked for here; of order FREE where each data set stands for all
    orders of its records. Raises InvalidArgument if a law that should not depend on the order of
    the records does. Raises Undecided if a pair may break the claim or just keep it, and none
    breaks it for certain; or if none does and only the law of a part of the release is known.
    """
    laws = laws or StatedLaws(mechanism, {}, Order.FIXED)
    found = _Worst(epsilon, delta)
    known: Known = {}
    undecided: Undecided | None = None
    part = ""
    for data, neighbor in pairs:
        law, other = laws(data), laws(neighbor)
        sides = (data, neighbor), (neighbor, data)
        found.pairs += 1
        with reading(mechanism, "exact_law"):
            part = part or part_told(law, other)
            if isinstance(law, FiniteLaw):
                try:
                    both_ways = compare(law, other, epsilon, delta, known)
                except Undecided as exc:
                    undecided = exc
                    continue
                for side, compared in zip(sides, both_ways, strict=True):
                    found.add_outcomes(side, compared)
            else:
                for side, cells in zip(sides, law_cells(law, other).both_ways(), strict=True):
                    found.add_cells(side, cells)
    if undecided is not None and found.broken is None:
        raise undecided
    if part and found.broken is None:
        raise Undecided(_of_a_part(part, found.searched()))
    return found.searched()


def _of_a_part(part: str, found: Searched) -> str:
    """Say that a claim about the release is not proved by the law of a part of it."""
    msg = f"the stated law tells only {part}"
    if found.loss is None:
        return msg
    return f"{msg}, which loses at most {float(found.loss[1]):.6g}; the release may lose more"


@final
@dataclass(slots=True)
class _Worst:
    """The largest ratio and the largest excess so far."""

    epsilon: Fraction
    delta: Fraction
    pairs: int = 0
    cells: int = 0
    worst: Neighbors | None = None
    largest: Exact = Fraction(0)
    at_least: Fraction = Fraction(0)
    at_most: Fraction = Fraction(0)
    infinite: bool = False
    excess: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    broken: tuple[Any, Any, Excess] | None = None

    def add_cells(self, side: Neighbors, pair: CellPair) -> None:
        """Add one direction of a pair whose masses are exact."""
        found = hockey_stick(pair, self.epsilon)
        self._add(side, found, found.value, broken=bool(found.value > self.delta))
        self.cells += len(pair.cells)
        for p, q in (cell.exact() for cell in pair.cells):
            if _surely_at_most(p, q, self.at_least) or not p > self.largest * q:
                continue
            self.largest, self.worst = quotient(p, q), side
            self.at_least, _ = endpoints(as_ball(self.largest, ROUGH_BITS))

    def add_outcomes(self, side: Neighbors, found: Compared) -> None:
        """Add one direction of a pair of finite laws."""
        self._add(side, found.excess, found.at_most, broken=found.exceeds(self.delta))
        self.cells += found.outcomes
        if self.infinite:
            return
        if found.ratio is None:
            self.infinite, self.worst = True, side
            return
        least, most = endpoints(found.ratio)
        if least > self.at_least:
            self.at_least, self.worst = least, side
        self.at_most = max(most, self.at_most)

    def _add(self, side: Neighbors, found: Excess, at_most: Mass, *, broken: bool) -> None:
        if broken and self.broken is None:
            self.broken = (*side, found)
        least, most = endpoints(as_ball(found.value))[0], endpoints(as_ball(at_most))[1]
        self.excess = max(self.excess[0], least), max(self.excess[1], most)

    def searched(self) -> Searched:
        """What was found."""
        if self.worst is None:
            msg = "there are no pairs of neighbors to audit"
            raise InvalidArgument(msg)
        ratio = as_ball(self.largest)
        if self.at_most:
            ratio = Balls(ratio.bits).between(self.at_least, self.at_most)
        return Searched(
            self.pairs,
            self.cells,
            None if self.infinite else ratio,
            self.excess,
            self.worst,
            self.broken,
        )


def _surely_at_most(p: Exact, q: Exact, ratio: Fraction) -> bool:
    """Whether p <= ratio q, as far as few bits tell."""
    (_, most), (least, _) = (endpoints(as_ball(x, ROUGH_BITS)) for x in (p, q))
    return most <= ratio * least
