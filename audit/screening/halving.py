"""The search where a target does not go by its seed: successive halving on independent draws.

Each stage has a fourth of the pairs of the one before, and four times its draws. A part of those
that the first stages keep is chosen at random, as a few draws say little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from audit.draws.streams import Purpose, stream
from audit.screening.calibration import Calibration
from audit.screening.caller import Caller
from audit.screening.candidate_pairs import Candidate
from audit.screening.event_counts import event_score, rough_score
from audit.screening.ranking import HANDED_OVER, Ranked, best, handed_over
from audit.screening.yardstick import Yardstick
from audit.targets.domain import Domain

__all__ = ["STAGES", "Halving"]

STAGE = 50
"""The first of the streams of its stages."""

STAGES, FIRST_DRAWS, FACTOR = 5, 4, 4
"""4 draws a side see kinds, missing noise, and shifts of many scales; after five stages 4 pairs
have 1,024."""

EVENTS_FROM = 64
"""Draws a side from which on events are counted."""

RANDOM_STAGES, RANDOM_SHARE = 2, 0.25
"""Of the pairs that these stages keep, chosen at random: without it noise twice as wide was lost
after the first one."""


@final
@dataclass(slots=True)
class Halving:
    """A search by independent draws; parameters and attributes as of `Coupled`.

    Parameters
    ----------
    budget : int
        Draws.
    first : int
        Draws a side of the first stage.
    """

    caller: Caller
    known: Calibration
    claim: Yardstick
    domain: Domain
    budget: int
    first: int = FIRST_DRAWS
    pairs: int = 0
    found: tuple[Ranked, ...] = ()
    scored: tuple[Ranked, ...] = ()

    @property
    def most(self) -> int:
        """Candidates that are looked at: the first."""
        return max(HANDED_OVER, self.budget // (STAGES * 2 * self.first))

    def search(self, candidates: Sequence[Candidate]) -> list[Ranked]:
        """Find the pairs to bet on."""
        alive = list(candidates[: self.most])
        draws = self.first
        for number in range(STAGES):
            scored = self._scored(alive, STAGE + number, draws)
            self.scored = self.scored or tuple(scored)
            self.found = tuple(best(scored, len(scored), self.domain))
            kept = max(HANDED_OVER, len(scored) // FACTOR)
            if number == STAGES - 1 or len(alive) <= HANDED_OVER:
                break
            alive = self._survivors(number, kept)
            draws *= FACTOR
        return handed_over(self.found, self.domain)

    def _scored(self, candidates: Sequence[Candidate], stage: int, draws: int) -> list[Ranked]:
        firsts = self.caller.independent([one.pair.data for one in candidates], stage, draws)
        seconds = self.caller.independent(
            [one.pair.neighbor for one in candidates], stage + STAGES, draws
        )
        self.pairs += len(candidates)
        found = []
        for candidate, x, y in zip(candidates, firsts, seconds, strict=True):
            if draws < EVENTS_FROM:
                score = rough_score(x, y, self.known.kinds, self.claim)
            else:
                score = event_score(x, y, self.claim)
            found.append(Ranked(candidate, score))
        return found

    def _survivors(self, number: int, kept: int) -> list[Candidate]:
        """The best, and in the first stages some at random of the others."""
        lucky = int(RANDOM_SHARE * kept) if number < RANDOM_STAGES else 0
        first, rest = self.found[: kept - lucky], self.found[kept - lucky :]
        rng = stream(self.caller.seed, Purpose.SCREEN, batch=STAGE, block=number + 1)
        places = sorted(rng.permutation(len(rest))[:lucky].tolist())
        return [one.candidate for one in (*first, *(rest[place] for place in places))]
