"""Draws and processor time until a violation is shown: ours, and other tests at their best.

Other tests are given the pair, the direction and their best constants (`benchmarks.peer_tests`).
Budgets 1, 1.5, 2, 3, 5, 7 x 10^k of all draws are tried from a quarter of our 0.9 quantile up to 16
times it (down from there where the first one is enough). A test's figure is the least budget with
which at least 9 of 10 seeds show a loss above the claim at level .05, for one of its tunings and
readings; it is confirmed with 20 other seeds, of which at least 17 must show it, or the sweep goes
on. A tuning that has failed twice at a budget is not run there again. One test is a mixture of two
tools that nobody has published: it stands beside the others, and goals do not count it.

Ours is the 0.9 quantile of all draws (both data sets) over 60 seeds, in the default configuration:
on all listed pairs, and on the given one, to the refutation and with the witness's fresh draws. The
ratio is the other test's budget over ours; its interval is from the last budget that was not enough
over the upper end of our 95 % interval, to the budget over the lower end, and a goal is met, missed
or open by it. Nothing is divided by a budget that a test did not need. Processor times are means
of whole runs, draws included.

The output folder has ours.jsonl and peers.jsonl, each with the digest of what it depends on: a new
engine does not make the other tests run again. The job may be stopped, and goes on.

Networks take most of a full run. `--without network` leaves them out, and the last line says so.

Run: python -m benchmarks.peers --output FOLDER [--cases 1-3,9] [--peers sniper,statdp]
[--without network] [--seeds 60] [--minutes M] [--jobs 2]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from benchmarks import peer_classifiers, peer_sweep, peer_tests
from benchmarks.journal import Journal, digest
from benchmarks.peer_cases import CASES, Case
from benchmarks.peer_sweep import Bench, Best, sweep
from benchmarks.peer_tests import PEERS
from benchmarks.power import audit_row
from benchmarks.power_rows import Row
from benchmarks.quantiles import Quantile

OUR_SEEDS, OUR_BLOCK = 60, 10
MUST = 250_000
"""A quarter of the draws of each data set that the default budget has (`power.BUDGET`)."""
SOURCES = (
    "benchmarks.peer_",
    "benchmarks.kernel_bets",
    "benchmarks.hidden_rows",
    "benchmarks.power_rows",
    "mechanisms.corpus.",
)
"""What the runs of other tests depend on."""
LIMITS = {"half": 0.5, "never more": 1.0, "witness": 1.2}
FAST, SLOW, TIMES_FAST, TIMES_SLOW = 100.0, 1_000.0, 3.0, 1.0
"""Nanoseconds of a draw, and how many times the best peer's processor time ours may take."""


@final
@dataclass(frozen=True, slots=True)
class Ours:
    """Some seeds of our audit of a case."""

    case: str
    given: bool
    first: int
    runs: int

    def run(self) -> dict[str, Any]:
        """A line: draws of both data sets to the refutation, and with the witness."""
        case = CASES[self.case]
        pairs = [case.best] if self.given else case.pairs
        row = Row(self.case, case.name, case.draw, case.level, MUST, None, pairs)
        seeds = range(self.first, self.first + self.runs)
        outcomes = [audit_row(row, seed) for seed in seeds]
        return {
            "case": self.case,
            "given": self.given,
            "first": self.first,
            "draws": [_recorded(2 * outcome.draws) for outcome in outcomes],
            "all": [_recorded(2 * outcome.all_draws) for outcome in outcomes],
            "seconds": [round(outcome.seconds, 3) for outcome in outcomes],
        }


def _recorded(draws: float) -> float | None:
    return None if math.isinf(draws) else draws


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """Ours on a case: draws to the refutation, with the witness, and processor seconds."""

    draws: Quantile
    every: Quantile
    seconds: float


def ours_of(journal: Journal, case: str, *, given: bool) -> Measured | None:
    """What was measured of ours on a case, if anything."""
    lines = journal.of(case=case, given=given)
    if not lines:
        return None
    draws, every = (
        Quantile.of([math.inf if n is None else n for line in lines for n in line[key]])
        for key in ("draws", "all")
    )
    return Measured(draws, every, float(np.mean([s for line in lines for s in line["seconds"]])))


def measure_ours(journal: Journal, case: str, seeds: int, processes: int) -> None:
    """Run what is missing of ours on a case."""
    for given in (True, False) if len(CASES[case].pairs) > 1 else (True,):
        done = {line["first"] for line in journal.of(case=case, given=given)}
        blocks = [
            Ours(case, given, first, min(OUR_BLOCK, seeds - first))
            for first in range(0, seeds, OUR_BLOCK)
            if first not in done
        ]
        journal.do(blocks, processes=processes)


def nanoseconds(case: Case) -> float:
    """Processor time of a draw of the given pair, the least of three."""
    given, rng, size = case.given(), np.random.default_rng(0), 50_000
    times = []
    for _ in range(3):
        started = time.process_time()
        given.arms(size, rng)
        times.append(time.process_time() - started)
    return 1e9 * min(times) / (2 * size)


def _judged(ratio: Quantile, limit: float) -> str:
    """Whether ours takes at most so many times the draws of the other test: by the interval."""
    if ratio.low >= 1 / limit:
        return "met"
    return "missed" if ratio.high < 1 / limit else "open"


HEADER = (
    "| case | ns a draw | ours q90 [l, u] | with the witness | all pairs, with it | best other "
    "| its draws, confirmed | ratio [interval] | ratio with the witness | CPU s ours | CPU s other "
    "| it stops early | half, never more, witness, time |\n" + "|---" * 13 + "|"
)


@final
@dataclass(frozen=True, slots=True)
class Compared:
    """A case: ours beside the best other test."""

    case: Case
    given: Measured
    listed: Measured
    others: dict[str, Best]

    @property
    def peer(self) -> str:
        """The published test that needs the fewest draws; of equal ones the quickest."""
        tools = [peer for peer in self.others if PEERS[peer].published]
        return min(tools, key=lambda p: (self.others[p].budget, self.others[p].seconds))

    @property
    def ratio(self) -> Quantile:
        """Draws of the best other test over ours, given the same pair."""
        return self._over(self.given.draws)

    @property
    def goals(self) -> tuple[str, str, str, str]:
        """At most half of the draws, never more, the witness counted: each by its interval.

        The last one, processor time, compares means, which have none.
        """
        best, each = self.others[self.peer], nanoseconds(self.case)
        times = TIMES_FAST if each < FAST else TIMES_SLOW if each >= SLOW else None
        quick = "-"
        if times is not None and math.isfinite(best.budget):
            quick = "met" if self.given.seconds <= times * best.seconds else "missed"
        limits = LIMITS["half"], LIMITS["never more"], LIMITS["witness"]
        ratios = self.ratio, self.ratio, self._over(self.given.every)
        half, never, witness = map(_judged, ratios, limits)
        return half, never, witness, quick

    def _over(self, ours: Quantile) -> Quantile:
        """Its draws over ours; from what was not enough to what was, by our interval's ends."""
        best = self.others[self.peer]
        if math.isinf(ours.value):
            return Quantile(0.0, 0.0, best.budget / ours.low)
        return Quantile(best.budget / ours.value, best.below / ours.high, best.budget / ours.low)

    def line(self) -> str:
        """One line of the table."""
        peer, best, mine = self.peer, self.others[self.peer], self.given
        ratio = f"{self.ratio.value:.2f} [{self.ratio.low:.2f}, {self.ratio.high:.2f}]"
        budget = f"{best.budget:.0f}, {best.confirmed}"
        if math.isinf(best.budget):
            ratio, budget = f"> {self.ratio.low:.1f}", f"> {best.below:.0f}"
        words = "; given " + ", ".join(["pair", "direction", *filter(None, [best.words])])
        return (
            "| "
            + " | ".join(
                [
                    self.case.name,
                    f"{nanoseconds(self.case):.0f}",
                    str(mine.draws),
                    str(mine.every),
                    str(self.listed.every),
                    f"{PEERS[peer].name}{words}",
                    budget,
                    ratio,
                    f"{best.budget / mine.every.value:.2f}",
                    f"{mine.seconds:.2f}",
                    f"{best.seconds:.2f}",
                    "yes" if PEERS[peer].stops_early else "no",
                    ", ".join(self.goals),
                ]
            )
            + " |"
        )


def table_of_others(compared: Sequence[Compared], peers: Sequence[str]) -> str:
    """Least budgets of every test on every case."""
    rows = ["| case | " + " | ".join(PEERS[peer].name for peer in peers) + " |"]
    rows.append("|---" * (1 + len(peers)) + "|")
    for one in compared:
        cells = []
        for peer in peers:
            best = one.others[peer]
            shown = f"{best.budget:.0f} ({best.words or 'no constants'}; {best.seconds:.2f} s)"
            cells.append(f"> {best.below:.0f}" if math.isinf(best.budget) else shown)
        rows.append(f"| {one.case.name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def compare(
    case: str, ours: Journal, theirs: Journal, peers: Sequence[str], options: argparse.Namespace
) -> Compared | None:
    """Measure a case, or go on with it; None if the time ran out."""
    measure_ours(ours, case, options.seeds, options.jobs)
    given = ours_of(ours, case, given=True)
    listed = ours_of(ours, case, given=len(CASES[case].pairs) == 1)
    if given is None or listed is None or time.monotonic() >= ours.until:
        return None
    others: dict[str, Best] = {}
    for peer in peers:
        start = given.draws.value if math.isfinite(given.draws.value) else 2.0 * MUST
        best = sweep(Bench(theirs, options.jobs, case, peer, _listed(options.without)), start)
        if best is None:
            return None
        others[peer] = best
    return Compared(CASES[case], given, listed, others)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(",")))


def chosen(text: str | None) -> Iterator[str]:
    """Cases by number, from 1: "1-3,9"."""
    names = list(CASES)
    for part in (text or f"1-{len(names)}").split(","):
        first, _, last = part.partition("-")
        yield from names[int(first) - 1 : int(last or first)]


def left_out(peers: Sequence[str], without: Sequence[str]) -> list[str]:
    """What of the comparison was not run: tests, and kinds of classifiers."""
    return [PEERS[peer].name for peer in PEERS if peer not in peers] + [*without]


def main() -> None:
    """Go on with the comparison, and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, help="folder of JSON lines")
    parser.add_argument("--cases", help="numbers, as 1-3,9")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--without", default="", help="classifiers that are left out: network")
    parser.add_argument("--seeds", type=int, default=OUR_SEEDS, help="of ours")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no more after")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes
    options.output.mkdir(parents=True, exist_ok=True)
    apart = [module.__file__ or "" for module in (peer_classifiers, peer_sweep, peer_tests)]
    ours = Journal(options.output / "ours.jsonl", digest(__file__, *apart), until)
    theirs = Journal(options.output / "peers.jsonl", digest(__file__, of=SOURCES), until)
    peers, compared = _listed(options.peers), []
    if unknown := set(_listed(options.without)) - set(peer_classifiers.CLASSIFIERS):
        parser.error(f"no such classifier: {', '.join(sorted(unknown))}")
    print(HEADER, flush=True)
    for case in chosen(options.cases):
        one = compare(case, ours, theirs, peers, options)
        if one is None:
            print("the time has run out; the same command goes on", flush=True)
            break
        compared.append(one)
        print(one.line(), flush=True)
    if compared:
        goals = ("half of the draws (10 of 14)", "never more", "the witness counted", "time")
        print("\n" + table_of_others(compared, peers) + "\n")
        for place, goal in enumerate(goals):
            found = [one.goals[place] for one in compared]
            counts = ", ".join(f"{found.count(word)} {word}" for word in ("met", "open", "missed"))
            print(f"{goal}: {counts}, of {len(compared)} cases")
        left = ", ".join(left_out(peers, _listed(options.without)))
        print(f"not run: {left or 'nothing'}")


if __name__ == "__main__":
    main()
