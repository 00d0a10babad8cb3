"""The least budget with which another test shows a violation, with its best constants.

Budgets are tried in turn, each with ten seeds, in parts: a tuning that has failed twice is left. A
tuning and reading with nine successes is run with twenty other seeds, of which seventeen must
succeed. Every part is a line of a journal, and is not run again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from benchmarks.journal import Journal
from benchmarks.peer_cases import CASES
from benchmarks.peer_classifiers import prepare
from benchmarks.peer_tests import PEERS

__all__ = ["Bench", "Best", "Trial", "budgets", "sweep"]

STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)
FEWEST_BUDGET = 20
SHARE_OF_OURS, TIMES_OURS = 1 / 4, 16
SEEDS, ENOUGH, CONFIRMING, ENOUGH_CONFIRMED = 10, 9, 20, 17
FIRST_CONFIRMING = 1_000
"""First seed of the confirming runs: none chose anything."""
PIECES = ((0, 2), (2, 5), (5, SEEDS))
"""Seeds of a budget, in parts: a tuning with two failures is left after each of them."""


@final
@dataclass(frozen=True, slots=True)
class Trial:
    """Some seeds of another test at one budget, with one tuning."""

    case: str
    peer: str
    tuning: str
    budget: int
    first: int
    runs: int

    def run(self) -> dict[str, Any]:
        """A line: which seeds showed the violation, by reading."""
        peer, given = PEERS[self.peer], CASES[self.case].given()
        place = list(CASES).index(self.case)
        found: dict[str, list[bool]] = {}
        prepare()
        started = time.process_time()
        for seed in range(self.first, self.first + self.runs):
            rng = np.random.default_rng([seed, place])
            for reading, certified in peer.certify(given, self.tuning, self.budget, rng).items():
                found.setdefault(reading, []).append(bool(certified))
        return {
            "case": self.case,
            "peer": self.peer,
            "tuning": self.tuning,
            "budget": self.budget,
            "first": self.first,
            "runs": self.runs,
            "found": found,
            "seconds": round((time.process_time() - started) / self.runs, 4),
        }


@final
@dataclass(frozen=True, slots=True)
class Best:
    """The least budget of a test that was enough, and the largest tried that was not."""

    budget: float
    below: float
    words: str = ""
    seconds: float = math.nan
    confirmed: str = ""


@final
@dataclass(frozen=True, slots=True)
class Bench:
    """Journal, processes, and one test on one case; kinds of classifiers that are left out."""

    journal: Journal
    processes: int
    case: str
    peer: str
    without: tuple[str, ...] = ()

    @property
    def tunings(self) -> list[str]:
        """Constants of the test that are tried."""
        return [
            tuning
            for tuning in PEERS[self.peer].tunings
            if tuning.partition(",")[0] not in self.without
        ]

    def tried(self, tuning: str, budget: int, first: int, runs: int) -> list[dict[str, Any]]:
        """Lines of some seeds at a budget."""
        lines = self.journal.of(case=self.case, peer=self.peer, tuning=tuning, budget=budget)
        return [line for line in lines if first <= line["first"] < first + runs]

    def do(self, tunings: Sequence[str], budget: int, first: int, runs: int) -> None:
        """Run what is missing of these seeds."""
        self.journal.do(
            [
                Trial(self.case, self.peer, tuning, budget, first, runs)
                for tuning in tunings
                if not self.tried(tuning, budget, first, runs)
            ],
            processes=self.processes,
        )

    def found(self, tuning: str, budget: int, first: int, runs: int) -> dict[str, list[bool]]:
        """Which seeds showed the violation so far, by reading."""
        found: dict[str, list[bool]] = {}
        for line in self.tried(tuning, budget, first, runs):
            for reading, certified in line["found"].items():
                found.setdefault(reading, []).extend(certified)
        return found

    def candidates(self, budget: int) -> list[tuple[str, str]]:
        """Tunings and readings that are enough at a budget by its own seeds, the best one first."""
        tunings = self.tunings
        for start, stop in PIECES:
            self.do(tunings, budget, start, stop - start)
            tunings = [
                tuning
                for tuning in tunings
                if any(
                    certified.count(False) <= SEEDS - ENOUGH
                    for certified in self.found(tuning, budget, 0, SEEDS).values()
                )
            ]
        enough = [
            (-sum(certified), self.seconds(tuning, budget), tuning, reading)
            for tuning in tunings
            for reading, certified in self.found(tuning, budget, 0, SEEDS).items()
            if len(certified) == SEEDS and sum(certified) >= ENOUGH
        ]
        return [(tuning, reading) for *_, tuning, reading in sorted(enough)]

    def seconds(self, tuning: str, budget: int) -> float:
        """Mean processor time of a run at a budget."""
        lines = self.tried(tuning, budget, 0, SEEDS)
        return float(np.average([x["seconds"] for x in lines], weights=[x["runs"] for x in lines]))

    def enough(self, budget: int) -> Best | None:
        """Whether a budget is enough, confirmed with other seeds; None if not (yet)."""
        for tuning, reading in self.candidates(budget):
            self.do([tuning], budget, FIRST_CONFIRMING, CONFIRMING)
            certified = self.found(tuning, budget, FIRST_CONFIRMING, CONFIRMING).get(reading, [])
            if sum(certified) >= ENOUGH_CONFIRMED:
                words = ", ".join(part for part in (tuning, reading) if part)
                shown = f"{sum(certified)} of {len(certified)}"
                return Best(budget, 0, words, self.seconds(tuning, budget), shown)
        return None


def budgets(least: float, most: float) -> list[int]:
    """Budgets from the largest step that is at most `least`, to the last within `most`."""
    steps = [round(step * 10**power) for power in range(1, 10) for step in STEPS]
    first = max(step for step in steps if step <= max(min(least, most), FEWEST_BUDGET))
    return [step for step in steps if first <= step <= most]


def sweep(bench: Bench, ours: float) -> Best | None:
    """The least budget that is enough; infinite beyond the largest, None if time ran out."""
    peer, most = PEERS[bench.peer], TIMES_OURS * ours
    planned = budgets(SHARE_OF_OURS * ours, min(most, peer.most or math.inf))
    if not planned:
        return Best(math.inf, 0)
    below = 0.0
    for budget in planned:
        best = bench.enough(budget)
        if time.monotonic() >= bench.journal.until:
            return None
        if best is not None:
            if below == 0:
                return _downward(bench, best)
            return Best(best.budget, below, best.words, best.seconds, best.confirmed)
        below = budget
    return Best(math.inf, below)


def _downward(bench: Bench, best: Best) -> Best:
    """Smaller budgets, as long as they are enough."""
    for budget in budgets(0, best.budget - 1)[::-1]:
        less = bench.enough(budget)
        if less is None:
            return Best(best.budget, budget, best.words, best.seconds, best.confirmed)
        best = less
    return best
