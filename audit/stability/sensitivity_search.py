"""The search for a pair of data sets whose answers are further apart than is claimed.

Families of candidates come first, the plain ones before those with records out of range; then
steps from the pairs that are furthest apart. The first pair that breaks a property ends it, but for
two kinds of pairs: one that breaks its claim by rounding alone, behind which more may be wrong, and
one that is answered twice otherwise though the claim is that it is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, final

import numpy as np

from audit.draws.streams import Purpose, stream
from audit.pairs.tables.mixed_tables import table_families
from audit.pairs.tables.table_steps import table_steps
from audit.pairs.vector_families import FAMILIES, OTHERS, widened
from audit.pairs.vector_steps import steps_from
from audit.pairs.worst_cases import Pair
from audit.stability.claim import StabilityClaim
from audit.stability.properties import (
    Measured,
    Property,
    is_fine,
    is_reordered,
    is_rounding,
    measured,
)
from audit.stability.query_calls import QueryCalls
from audit.targets.outcomes import OutOfTime, in_time
from audit.targets.record_keys import size_of
from audit.targets.tables.table_schema import Table

BATCH = 64
"""Pairs of a request to the process of the query: a hang is found behind at most so many."""

MOST_SILENT = 3
"""Pairs of which a call was given up, behind which there is no use in going on."""

SMALL = 10
"""Records up to which it is looked at whether a pair is two orders of the same ones."""

GIVEN, DRAWN, CLIMB = "given", "Hypothesis", "climb"
"""Families that are not made from the domain alone."""

Progress = Callable[[int, "Measured | None"], None]
"""Told pairs so far and the one that is furthest apart."""


BEST, ROUNDS, EACH = 6, 10, 8
"""Pairs that are climbed from, how often, and steps tried of each at a time: 480 in all, as many as
Hypothesis makes; chosen, not measured."""


@final
@dataclass(frozen=True, slots=True)
class PairCandidates:
    """Pairs that are not made here."""

    given: Sequence[Pair] = ()
    """The user's own."""
    drawn: Sequence[Pair] | None = ()
    """Those of Hypothesis; None where it is not installed."""
    make: bool = True
    """Whether others are made as well."""


@final
@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Of a search."""

    seed: int
    """Of its steps."""
    budget: int
    """Pairs at most."""


@final
@dataclass(slots=True)
class Findings:
    """What a search has found so far."""

    pairs: Counter[str] = field(default_factory=Counter)
    """Pairs that were measured, by family."""
    failed: Counter[str] = field(default_factory=Counter)
    """Pairs that failed on both sides, by how."""
    left_out: int = 0
    """Candidates that are not of the query's own domain."""
    silent: int = 0
    """Pairs of which a call was given up."""
    broken: dict[Property, Measured] = field(default_factory=dict)
    """The first pair found for each property that is broken."""
    furthest: Measured | None = None
    """The pair with the largest ratio to its bound."""
    leading: list[Measured] = field(default_factory=list)
    """The pairs to climb from."""
    shown: dict[str, Pair] = field(default_factory=dict)
    """Pairs that stand for what was tried: the smallest, the largest, an odd one ..."""
    cut_by_time: bool = False
    """Whether the deadline ended it."""
    is_spent: bool = False
    """Whether its budget did."""

    @property
    def total(self) -> int:
        """Pairs that were measured."""
        return self.pairs.total()


def search(
    calls: QueryCalls,
    claim: StabilityClaim,
    candidates: PairCandidates,
    settings: SearchSettings,
    *,
    progress: Progress | None = None,
) -> Findings:
    """Measure pairs until one breaks a property, or there are none left.

    `calls`: the query. `claim`: what is claimed. `candidates`: pairs besides those made here.
    `settings`: seed and budget. `progress`: told from time to time.
    """
    run = _Run(calls, claim, settings.budget, progress)
    try:
        if run.measure(GIVEN, candidates.given) and candidates.make:
            _made(run, candidates.drawn or (), settings.seed)
    except OutOfTime:
        run.found.cut_by_time = True
    return run.found


def _made(run: _Run, drawn: Sequence[Pair], seed: int) -> None:
    domain = run.calls.space.domain
    if domain.schema is not None:
        rng = stream(seed, Purpose.STABILITY)
        for name, pairs in table_families(domain, rng, deadline=run.calls.deadline).items():
            if not run.measure(name, run.calls.space.admitted(pairs, run.seen)):
                return
    for name, make in FAMILIES.items() if domain.schema is None else ():
        plain = replace(domain, rows=1)
        if not run.measure(name, _admitted(run, make(plain))):
            return
        if name == "orders" and not run.measure(DRAWN, _admitted(run, drawn)):
            return
    for number in range(ROUNDS):
        rng = stream(seed, Purpose.STABILITY, batch=number + 1)
        make_steps = steps_from if domain.schema is None else table_steps
        leading = (one.pair for one in run.found.leading)
        steps = [step for pair in leading for step in make_steps(pair, domain, rng, EACH)]
        if not run.measure(CLIMB, run.calls.space.admitted(steps, run.seen)):
            return


def _admitted(run: _Run, pairs: Iterable[Pair]) -> Iterator[Pair]:
    space, timely = run.calls.space, in_time(pairs, run.calls.deadline)
    if space.domain.rows == 1:
        yield from space.admitted(timely, run.seen)
        return
    for pair in timely:
        both = [pair, widened(pair, space.domain)]
        yield from space.admitted(both, run.seen)


@final
@dataclass(slots=True)
class _Run:
    """A search, and how far it is."""

    calls: QueryCalls
    claim: StabilityClaim
    budget: int
    progress: Progress | None
    found: Findings = field(default_factory=Findings)
    seen: set[tuple[int, int]] = field(default_factory=set)

    def measure(self, family: str, pairs: Iterable[Pair]) -> bool:
        """Ask about pairs; whether the search goes on."""
        waiting = iter(pairs)
        while batch := list(islice(waiting, min(BATCH, self.budget - self.found.total))):
            sides = [side for pair in batch for side in (pair.data, pair.neighbor)]
            answers = self.calls.twice(sides)
            for place, pair in enumerate(batch):
                self._keep(family, pair, answers[2 * place], answers[2 * place + 1])
            finite = [one for one in self.found.leading if 0 < one.rank < np.inf]
            # of equal ones the smaller, then the earlier
            finite.sort(key=lambda one: (-one.rank, len(one.pair.data)))
            self.found.leading = finite[:BEST]
            if self.progress is not None:
                self.progress(self.found.total, self.found.furthest)
            if self._is_over():
                return False
        self.found.is_spent = self.found.total >= self.budget
        return not self.found.is_spent

    def _is_over(self) -> bool:
        """Whether enough is broken."""
        broken = self.found.broken
        if self.found.silent >= MOST_SILENT:
            return True
        if Property.FUNCTION in broken and not self.claim.is_function:
            return True
        gross = [one for one in broken.values() if not is_rounding(self.claim, one)]
        return any(one.broken is not Property.FUNCTION for one in gross)

    def _keep(self, family: str, pair: Pair, first: Any, second: Any) -> None:
        found = self.found
        entries = measured(self.claim, pair, first, second)
        if not entries:
            found.left_out += 1
            return
        found.pairs[family] += 1
        if any(answer.is_silent for answer in (*first, *second)):
            found.silent += 1
        elif first[0].failure and second[0].failure:
            found.failed[first[0].failure] += 1
        self._show(pair)
        for entry in entries:
            if entry.broken is not None:
                self._choose(replace(entry, family=family))
        whole = replace(entries[0], family=family)
        if found.furthest is None or whole.rank > found.furthest.rank:
            found.furthest = whole
        if family != GIVEN or isinstance(pair.data, np.ndarray | Table):
            found.leading.append(whole)

    def _choose(self, entry: Measured) -> None:
        """Keep the plainest pair for each property.

        One that shows more than rounding comes first, then few records out of range, then few.
        """
        assert entry.broken is not None
        before = self.found.broken.get(entry.broken)
        if before is None or self._oddness(entry) < self._oddness(before):
            self.found.broken[entry.broken] = entry

    def _oddness(self, entry: Measured) -> tuple[bool, bool, int, int]:
        sides = (entry.pair.data, entry.pair.neighbor)
        size = sum(size_of(side) or 0 for side in sides)
        strange = self.calls.space.domain.strangeness(*sides)
        return is_fine(self.claim, entry), is_rounding(self.claim, entry), strange, size

    def _show(self, pair: Pair) -> None:
        """Keep the pairs that tell what was tried."""
        domain, shown = self.calls.space.domain, self.found.shown
        size = size_of(pair.data)
        if size is None:
            return
        for side in (pair.data, pair.neighbor) if domain.schema is not None else ():
            for words in domain.schema.strange(side):  # type: ignore[union-attr]
                shown.setdefault(words, pair)
        values = np.concatenate([domain.values(side) for side in (pair.data, pair.neighbor)])
        if np.isnan(values).any():
            shown.setdefault("NaN", pair)
        if domain.beyond(values):
            shown.setdefault("beyond", pair)
        if "order" not in shown and size <= SMALL and is_reordered(pair):
            shown["order"] = pair
        if domain.rows > 1 and "rows" not in shown and pair.label.endswith(OTHERS):
            shown["rows"] = pair
        for kind, sign in (("smallest", -1), ("largest", 1)):
            if kind not in shown or sign * size > sign * (size_of(shown[kind].data) or 0):
                shown[kind] = pair
