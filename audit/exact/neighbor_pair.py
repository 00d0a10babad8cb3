"""A pair of neighbors on which a noisy query loses too much, with exact probabilities.

Empty data against one record (for SWAP one record at either end of the range): the laws of the
noisy sums are the noise and the moved noise, whatever other records there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, final

from audit.exact.cells.cell import Cell, CellPair
from audit.exact.cells.cell_divergences import Excess, excess, largest_ratio
from audit.exact.cells.line.line_cells import cell_pair
from audit.exact.cells.line.line_noises import line_law
from audit.exact.exact_numbers import quotient
from audit.exact.stated_laws import plane_law
from audit.exact.step_limit import step
from mechanisms.claims import Relation
from mechanisms.noisy_query import NoisyQuery
from proofs_check.exponential import ExpSum

Records = tuple[Fraction, ...]


@final
@dataclass(frozen=True, slots=True)
class NeighborPair:
    """Two neighboring data sets and an event of the noisy query that tells them apart."""

    data: Records
    neighbor: Records
    """Records, in the unit of the data."""
    excess: Excess
    """The event and its exact probabilities, the first of them on the likelier side."""
    likelier: str
    """Which side that is."""


@final
@dataclass(frozen=True, slots=True)
class _Laws:
    """Laws of the noisy query on two neighbors, a pair for each independent part of the noise."""

    data: Records
    neighbor: Records
    parts: tuple[CellPair, ...]
    likelier: str

    def reached(self) -> Fraction | None:
        """The largest log-ratio, where it is rational in every part."""
        logs = [largest_ratio(part).exact_log() for part in self.parts]
        known = [log for log in logs if log is not None]
        return sum(known, start=Fraction(0)) if len(known) == len(logs) else None

    def event(self, epsilon: Fraction) -> Excess:
        """An event S with P(S) > e^epsilon Q(S), the likeliest of one part; else of value 0."""
        factor = ExpSum.exp(epsilon)
        if len(self.parts) == 1:
            return excess(self.parts[0], factor)
        # where every part has its largest ratio the product has
        cells = [_of_largest_ratio(part) for part in self.parts]
        total = prod((part.total for part in self.parts), start=Fraction(1))
        masses = zip(*(cell.exact() for cell in cells), strict=True)
        p, q = (quotient(prod(side, start=Fraction(1)), total) for side in masses)
        return Excess(factor, p - factor * q, (" x ".join(cell.where for cell in cells),), p, q)


def pair_that_shows(
    query: NoisyQuery, relation: Relation, epsilon: Fraction, delta: Fraction = Fraction(0)
) -> NeighborPair | None:
    """Look for two neighbors and an event S with P(S) > e^epsilon Q(S) + delta, exactly.

    `query`: sums and noises. `relation`: ADD_REMOVE or SWAP. `epsilon`, `delta`: the claim.
    Returns: None if the pairs tried show nothing.
    """
    for laws in laws_on_pairs(query, relation, (epsilon, -epsilon)):
        found = laws.event(epsilon)
        if found.value > delta:
            data, neighbor = (
                tuple(map(query.record, records)) for records in (laws.data, laws.neighbor)
            )
            return NeighborPair(data, neighbor, found, laws.likelier)
    return None


def loss_reached(query: NoisyQuery, relation: Relation) -> Fraction | None:
    """Largest loss that the same pairs reach; None where none is rational."""
    known = [laws.reached() for laws in laws_on_pairs(query, relation)]
    return max((loss for loss in known if loss is not None), default=None)


def losses_of_records(query: NoisyQuery) -> tuple[tuple[Fraction, Fraction], ...]:
    """Records at both ends and in the middle, and the exact loss of adding or removing each.

    The law of the noisy sums, less the sums of the other records, does not depend on these, so
    this is the loss whatever they are. Losses that are not rational are left out.
    """
    losses: dict[Fraction, Fraction] = {}
    for laws in laws_on_pairs(query, Relation.ADD_REMOVE):
        record, loss = query.record(laws.neighbor[0]), laws.reached()
        if loss is not None:
            losses[record] = max(loss, losses.get(record, loss))
    return tuple(sorted(losses.items()))


def laws_on_pairs(
    query: NoisyQuery, relation: Relation, levels: tuple[Fraction, ...] = ()
) -> Iterator[_Laws]:
    """Laws of the noisy query on some neighbors, either way round, cut at the levels."""
    lower, upper = query.records
    middle = (lower + upper) / 2
    inner = [] if query.whole and middle.denominator > 1 else [middle]
    pairs: list[tuple[Records, Records]] = [((), (x,)) for x in (upper, lower, *inner)]
    if relation is Relation.SWAP:
        pairs = [((lower,), (upper,))]
    noises: Sequence[Any] = query.noises
    plane = plane_law(noises[0]) if noises[0].dimension > 1 else None
    lines = [] if plane is not None else [line_law(noise) for noise in noises]
    for data, neighbor in pairs:
        step()
        moves = [[query.move(x) for x in records] for records in (data, neighbor)]
        sums = [
            [sum((move[i] for move in side), Fraction(0)) for i in range(len(query.moves))]
            for side in moves
        ]
        move = [y - x for x, y in zip(*sums, strict=True)]
        if plane is not None:
            parts: tuple[CellPair, ...] = (plane.cells(move[0], move[1]),)
        else:  # events are of one number, so cells of several need no cuts
            cuts = levels if len(lines) == 1 else ()
            both = zip(lines, move, strict=True)
            parts = tuple(cell_pair(law, law.moved(by), cuts) for law, by in both)
        yield _Laws(data, neighbor, parts, "data")
        yield _Laws(data, neighbor, tuple(part.swapped() for part in parts), "neighbor")


def _of_largest_ratio(pair: CellPair) -> Cell:
    """The cell with the largest ratio among those that have one ratio."""
    best, *others = (cell for cell in pair.cells if cell.ratio is None)
    for cell in others:
        (p, q), (over, under) = cell.exact(), best.exact()
        if p * under > over * q:
            best = cell
    return best
