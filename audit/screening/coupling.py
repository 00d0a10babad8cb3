"""The search where a target goes by its seed: both sides from the same state of the generator.

Every candidate has a few draws; the best have more, and are climbed from; the best of those have
more again, and the first ones are made smaller. Each stage draws with a stream of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import final

import numpy as np

from audit.draws.streams import Purpose, stream
from audit.pairs.matched_records import Records
from audit.pairs.tables.reductions import reductions as smaller_tables
from audit.pairs.tables.split import Split
from audit.pairs.tables.table_steps import table_steps
from audit.pairs.vector_steps import steps_from
from audit.pairs.worst_cases import Pair
from audit.screening.calibration import Calibration
from audit.screening.caller import REQUEST, Caller
from audit.screening.candidate_pairs import Candidate, key_of_pair
from audit.screening.coupled_score import coupled_score
from audit.screening.event_counts import event_score
from audit.screening.ranking import HANDED_OVER, Ranked, best, handed_over
from audit.screening.size import CLIMBED, STEP_DRAWS, STEPS, ScreenSize
from audit.screening.yardstick import Yardstick
from audit.targets.domain import Domain
from audit.targets.outcomes import OutOfTime

__all__ = ["Coupled"]

FIRST, SECOND, CLIMB, THIRD, SHRINK = range(1, 6)
"""Stages of the streams."""

KEEPS = 0.9
"""Of its score that a smaller pair must have."""

TRIED = 12
"""Smaller pairs that are tried of each, and again after each success."""

TRIED_OF_TABLES = 40
"""The same of tables, which have rows, columns and cells: the six broken releases of
tests/audit/tables end at one to three units with it."""

LARGEST_CLIMBED = 100
"""Records of a pair that is climbed from: of many, a step changes little."""


@final
@dataclass(slots=True)
class Coupled:
    """A search by coupled draws.

    Parameters
    ----------
    caller : Caller
        Draws.
    known : Calibration
        What outputs look like.
    claim : Yardstick
        What is claimed.
    domain : Domain
        Of the claim.
    size : ScreenSize
        How much is drawn.

    Attributes
    ----------
    pairs : int
        Pairs that were scored.
    found : list of Ranked
        The best so far, should time be up.
    scored : tuple of Ranked
        All of the first stage; what it has come to, should time be up within it.
    moved, answered : bool
        Whether a pair has changed an output, bit for bit, and whether any call gave one.
    """

    caller: Caller
    known: Calibration
    claim: Yardstick
    domain: Domain
    size: ScreenSize
    pairs: int = 0
    found: tuple[Ranked, ...] = ()
    scored: tuple[Ranked, ...] = ()
    moved: bool = False
    answered: bool = False

    @property
    def most(self) -> int:
        """Candidates that are looked at: the first."""
        return self.size.pairs

    def search(self, candidates: Sequence[Candidate]) -> list[Ranked]:
        """Find the pairs to bet on."""
        for start in range(0, min(self.most, len(candidates)), REQUEST):
            part = candidates[start : min(start + REQUEST, self.most)]
            self.scored += tuple(self._scored(part, FIRST, self.size.first))
            late = self.caller.log.ask(
                "soon", lambda: time.monotonic() > self.caller.soon, back=bool
            )
            if late and self._has_the_worst():
                raise OutOfTime
        self.found = tuple(best(self.scored, max(self.size.kept, HANDED_OVER), self.domain))
        if not self.size.second:
            return handed_over(self.found, self.domain)
        second = self._scored([one.candidate for one in self.found], SECOND, self.size.second)
        self.found = tuple(best(second, self.size.kept, self.domain))
        climbed = self._climbed(self.found)
        last = best([*climbed, *self.found], self.size.last, self.domain)
        plain = [one for one in self.found if not self._strange(one)][: self.size.last // 4]
        wanted = {key_of_pair(one.pair): one.candidate for one in (*last, *plain)}
        third = self._scored(list(wanted.values()), THIRD, self.size.third, events=True)
        self.found = tuple(best(third, len(third), self.domain))
        chosen = handed_over(third, self.domain)
        if self.domain.schema is not None:
            return self._smallest_tables(chosen)
        smaller = {key_of_pair(s.pair): s for s in map(self._smaller, chosen)}
        missing = HANDED_OVER - len(smaller)  # two of them may be the same one
        others = [one for one in self.found if all(one is not other for other in chosen)]
        return [*smaller.values(), *others[:missing]]

    def _smallest_tables(self, chosen: Sequence[Ranked]) -> list[Ranked]:
        """Smaller pairs that differ from each other, of those chosen and of some more.

        Many tables come down to the same few rows, and a pair that is left as it was says less.
        """
        others = [one for one in self.found if all(one is not other for other in chosen)]
        smaller: dict[tuple[bytes, bytes], Ranked] = {}
        for one in (*chosen, *others)[: 2 * HANDED_OVER]:
            if len(smaller) < HANDED_OVER:
                made = self._smaller(one)
                smaller.setdefault(key_of_pair(made.pair), made)
        return list(smaller.values())

    def _has_the_worst(self) -> bool:
        """Whether as many pairs as are handed over differ in kind in every draw."""
        return sum(one.score.kind == 1 for one in self.scored) >= HANDED_OVER

    def _strange(self, one: Ranked) -> bool:
        return bool(self.domain.strange(one.pair.data, one.pair.neighbor))

    def _scored(
        self,
        candidates: Sequence[Candidate],
        stage: int,
        draws: int,
        *,
        events: bool = False,
    ) -> list[Ranked]:
        """Score candidates; of categories, where asked, by their counts."""
        sides = [side for one in candidates for side in (one.pair.data, one.pair.neighbor)]
        readings = self.caller.coupled(sides, stage, draws)
        found = []
        for place, candidate in enumerate(candidates):
            x, y = readings[2 * place], readings[2 * place + 1]
            self.moved |= (x.kinds, x.digest) != (y.kinds, y.digest)
            self.answered |= bool(x.digest)
            score = coupled_score(x, y, self.known, self.claim)
            if events and self.known.has_categories and not score.kind:
                of_events = event_score(x, y, self.claim)
                better = of_events.event > max(score.shift, score.factor)
                score = replace(
                    score,
                    category=0.0,
                    event=of_events.event,
                    why=of_events.why if better else score.why,
                )
            found.append(Ranked(candidate, score))
        self.pairs += len(candidates)
        return found

    def _climbed(self, found: Sequence[Ranked]) -> list[Ranked]:
        """Steps from the best, as long as they score higher."""
        bases = [one for one in found if not one.score.kind and _is_small(one.pair)]
        front = self._scored([one.candidate for one in bases[:CLIMBED]], CLIMB, STEP_DRAWS)
        for number in range(self.size.rounds):
            rng = stream(self.caller.seed, Purpose.SCREEN, batch=CLIMB, block=number + 1)
            steps = [self._steps(one, rng) for one in front]
            scored = iter(self._scored([s for each in steps for s in each], CLIMB, STEP_DRAWS))
            for place, each in enumerate(steps):
                higher = [next(scored) for _ in each]
                front[place] = max((front[place], *higher), key=lambda one: one.score.value)
        return front

    def _steps(self, one: Ranked, rng: np.random.Generator) -> list[Candidate]:
        steps = steps_from if self.domain.schema is None else table_steps
        pairs = _of_domain(steps(one.pair, self.domain, rng, STEPS), self.domain)
        return [replace(one.candidate, pair=pair, family="climb") for pair in pairs]

    def _smaller(self, one: Ranked) -> Ranked:
        """A smaller pair that keeps its score."""
        most = TRIED if self.domain.schema is None else TRIED_OF_TABLES
        while True:
            pairs = list(islice(_of_domain(_reductions(one.pair, self.domain), self.domain), most))
            tried = [replace(one.candidate, pair=pair) for pair in pairs]
            for found in self._scored([one.candidate, *tried], SHRINK, self.size.second)[1:]:
                if found.score.value >= KEEPS * one.score.value and bool(found.score.kind) == bool(
                    one.score.kind
                ):
                    one = found
                    break
            else:
                return one


def _is_small(pair: Pair) -> bool:
    return max(len(pair.data), len(pair.neighbor)) <= LARGEST_CLIMBED


def _of_domain(pairs: Iterable[Pair], domain: Domain) -> Iterator[Pair]:
    """Pairs of neighbors of the domain that differ."""
    for pair in pairs:
        if domain.schema is not None:
            differ = Split.of(pair.data, pair.neighbor).differ
            if differ and domain.admits(pair.data, pair.neighbor):
                yield pair
            continue
        records = Records.match(pair.data, pair.neighbor)
        if records is not None and records.differ and domain.admits(pair.data, pair.neighbor):
            yield pair


def _reductions(pair: Pair, domain: Domain) -> Iterator[Pair]:
    """Smaller pairs, the smallest first: fewer common records, at low; a plain changed one."""
    if domain.schema is not None:
        yield from smaller_tables(pair, domain)
        return
    records = Records.match(pair.data, pair.neighbor)
    if records is None:
        return
    common = len(records.common)
    low, _ = domain.ends
    made = []
    if domain.count is None:
        made += [records.without(slice(0, n)) for n in (common, common // 2, 1) if 0 < n <= common]
    rows = records.data[records.common[:, 0]]
    if common and (rows != low).any():
        made.append(records.with_common(slice(0, common), low))
    for arm in (0, 1):
        values = [
            side[places]
            for side, places in zip((records.data, records.neighbor), records.changed, strict=True)
        ]
        if values[arm].size and domain.name(values[arm][0]) not in ("low", "high", "the midpoint"):
            made += [records.with_changed(arm, value) for value in domain.simple[:2]]
    for sides in made:
        moved = Records.match(*sides)
        assert moved is not None
        yield Pair(moved.describe(domain), *sides, generated=True)
