"""Exhaustive audits of data-dependent laws: pair by pair, each in exact numbers.

Where the law depends on the data in more than a few sums, no lemma of ours speaks of all data sets.
On a finite domain all pairs of neighbors can be gone through.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, final, runtime_checkable

import numpy as np

from audit.exact.cells.cell import CellPair, OpenCell
from audit.exact.cells.cell_divergences import Excess, hockey_stick
from audit.exact.cells.finite_laws import Compared, Known, compare, same_masses
from audit.exact.density.tail_lemmas import NotCovered
from audit.exact.exact_numbers import Mass, as_ball, quotient
from audit.exact.sameness import FiniteStated, OutcomeKey, key_of, snapshot
from audit.exact.stated_laws import (
    TableLaw,
    compared,
    is_formula,
    law_cells,
    part_told,
    stated,
)
from audit.faults import is_ours, reading
from audit.results.refutation import Enclosure
from mechanisms.claims import Order
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import FiniteLaw
from mechanisms.validation import shown
from proofs_check.enclosure import Ball, Balls, Undecided, endpoints
from proofs_check.exponential import Exact

Neighbors = tuple[Any, Any]
ROUGH_BITS = 64
FACE = tuple(Fraction(k, 3) for k in (-29, -3, -1, 0, 1, 2, 3, 29))
"""Where a formula is looked at to know it again."""


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
    order: Order
    known: dict[Hashable, Any] = field(default_factory=dict)
    faces: dict[int, tuple[Any, Hashable]] = field(default_factory=dict)
    """Values of laws of a user's when they were stated."""
    notes: dict[str, None] = field(default_factory=dict)
    """What was seen of them that a reader must know, each once."""

    def __call__(self, data: Any) -> Any:
        """Law on one data set: on a list of its records, where it has any, else as it is."""
        if not isinstance(data, tuple | list | np.ndarray) or getattr(data, "ndim", 1) == 0:
            return self._stated(data)
        records = [float(x) if isinstance(x, Fraction) else x for x in data]
        keys = tuple(map(key_of, records))
        if keys not in self.known:
            found = self.known[keys] = self._stated(records)
            if self.order is Order.FREE and keys != keys[::-1]:
                self._check_order(found, records)
        return self.known[keys]

    def pair(self, data: Any, neighbor: Any) -> tuple[Any, Any]:
        """Laws on two data sets.

        Raises InvalidArgument if one of them is no longer what it was when it was stated.
        """
        laws = self(data), self(neighbor)
        for law in laws:
            _, face = self.faces.get(id(law), (law, None))
            if face is not None and face != _face(law):
                msg = (
                    "the law that exact_law returned changed afterwards; return a new object in "
                    "each call, which depends on the data alone"
                )
                raise InvalidArgument(msg)
        if not self.notes and all(isinstance(law, TableLaw) for law in laws):
            self.notes |= dict.fromkeys(_twins(*laws))
        return laws

    def _stated(self, data: Any) -> Any:
        with reading(self.mechanism, "exact_law"):
            given = self.mechanism.exact_law(data)
            law = stated(snapshot(given))
            if isinstance(law, FiniteStated) or not is_ours(getattr(law, "law", law)):
                self.faces[id(law)] = law, _face(law)
            return law

    def _check_order(self, law: Any, records: list[Any]) -> None:
        """Only one order of each multiset is gone through: the law must be that of the others."""
        other = self._stated(records[::-1])
        if law is None or other is None:
            return
        with reading(self.mechanism, "exact_law"):
            if is_formula(law):
                one = _one_formula(law, other)
            elif isinstance(law, FiniteLaw):
                one = same_masses(law, other)
            else:
                cells = law_cells(law, other).cells
                one = all(p == q for p, q in (cell.exact() for cell in cells))
        if one is None:
            msg = f"whether the stated law depends on the order of {shown(records)} stayed open"
            raise Undecided(msg)
        if not one:
            msg = (
                f"the stated law depends on the order of the records ({shown(records)}), though "
                "neighbors are told apart without it; state the order as fixed, or a law without it"
            )
            raise InvalidArgument(msg)


def _face(law: Any) -> Hashable:
    """Values of a law by which it is known again, whatever object it is."""
    if isinstance(law, FiniteStated):
        masses = law.masses(Balls(ROUGH_BITS), sorted(law.cuts))
        return tuple((z, endpoints(as_ball(p))) for z, p in masses.items())
    if not is_formula(law):
        return None
    plane = isinstance(getattr(law, "by", None), tuple)
    return tuple(_value(law, (x, x) if plane else x) for x in FACE)


def _value(law: Any, point: Any) -> Hashable:
    try:
        return endpoints(law.log_density(point, Balls(ROUGH_BITS)))
    except Exception:  # noqa: BLE001 - what a formula cannot say there is told where it is needed
        return None


def _one_formula(law: Any, other: Any) -> bool | None:
    """Whether two formulas are one law; None where that stays open."""
    if key_of(law) == key_of(other):
        return True
    try:
        answers = [compared(*pair).at_most(Fraction(0)) for pair in ((law, other), (other, law))]
    except (NotCovered, OpenCell, Undecided):
        return None
    return False if False in answers else None if None in answers else True


def _twins(law: TableLaw, other: TableLaw) -> Iterator[str]:
    """Outcomes of two tables that are one key in Python and do not look alike."""
    names = {outcome: outcome for outcome in other.table}
    for outcome in law.table:
        if isinstance(outcome, OutcomeKey):
            continue
        if outcome in names and repr(names[outcome]) != repr(outcome):
            yield (
                f"the outcomes {shown(outcome)} and {shown(names[outcome])} are equal in Python, "
                "and count as one outcome"
            )
            return


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
    laws = laws or StatedLaws(mechanism, Order.FIXED)
    found = _Worst(epsilon, delta)
    known: Known = {}
    undecided: Undecided | None = None
    part = ""
    for data, neighbor in pairs:
        law, other = laws.pair(data, neighbor)
        sides = (data, neighbor), (neighbor, data)
        found.pairs += 1
        with reading(mechanism, "exact_law"):
            part = part or part_told(law, other)
            if isinstance(law, FiniteLaw) and isinstance(other, FiniteLaw):
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
        msg, loss = f"the stated law tells only {part}", found.searched().loss
        if loss is not None:
            most = f"{float(loss[1]):.6g}"
            msg = f"{msg}, which loses at most {most}; the release may lose more"
        raise Undecided(msg)
    return found.searched()


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
            (_, most), (least, _) = (endpoints(as_ball(x, ROUGH_BITS)) for x in (p, q))
            if most <= self.at_least * least or not p > self.largest * q:
                continue  # few bits tell of most cells that p <= at_least q
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
