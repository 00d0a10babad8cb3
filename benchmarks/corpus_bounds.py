"""Lower bounds of mode "bound" on the literature's mechanisms, beside other tools'.

Each row: 1e6 draws of each side for the bound, and before it 0.5e6 (one pair) to 2e6 (eight pairs)
in all that choose the pair and the event; error rate 0.05, `ideal`; once over all of the entry's
pairs (both directions) with no hint which one matters, and once with the oracle's best pair given,
which is what the oracle and the published final bounds know. "Attainable" is computed here for the
oracle of `benchmarks.attainable`, who has 1e6 draws of each side and needs none to choose.

The mean over seeds has a 95 % interval (Student's t): a goal is met if its lower end is at least
the goal, missed if the upper end is below it, and open in between. `--decompose` says of each row
that is not met where the rest of the exact loss goes (`benchmarks.bound_losses`). With `--output`
every audit is a line of a file, and the job goes on where it was.

Run: python -m benchmarks.corpus_bounds [--seeds 20] [--rows svt-1,...] [--decompose]
[--output FILE] [--minutes M] [--jobs 1]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
from scipy.special import stdtrit

from audit.draws.settings import Settings
from audit.engine.bound.bound_audit import audit
from audit.engine.bound.training import training_share
from audit.pairs.worst_cases import Pair
from audit.targets.load import load_target
from benchmarks.attainable import attainable
from benchmarks.bound_losses import words_of
from benchmarks.corpus_laws import LAWS
from benchmarks.journal import Journal, digest
from mechanisms.corpus.registry import build_corpus, exact_of_pairs

SIDE = 1_000_000
SECONDS = 1e6  # never: a busy machine would cut draws
FALSE_ALARM = 0.05
SHARE = 0.95
"""Of the attainable bound: the goal of a row without one of its own."""


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A mechanism, and what others report for it (BENCHMARK 2.2; empty where nothing is known).

    Parameters
    ----------
    name : str
        Of the corpus.
    attainable, sniper, sniper_network, statdp : str
        The oracle's bound as published, DP-Sniper with logistic regression and with a network,
        StatDP's verified bounds of two runs.
    goal : float or None
        A goal of its own in place of a share of the attainable bound.
    """

    name: str
    attainable: str
    sniper: str
    sniper_network: str
    statdp: str
    goal: float | None = None


ROWS = [
    Row("laplace", "0.0959", "0.0968", "0.0976", "0.0998, 0.0996"),
    Row("truncated-geometric", "0.1139", "0.1156", "0.1155", "0.1159, 0.1169"),
    Row("noisy-histogram-1", "-", "0.0978", "0.0977", "0.0828, 0.0994"),
    Row("noisy-histogram-2", "9.5995", "4.6020", "4.6015", "9.7169, 10.0022"),
    Row("noisy-max-1", "0.0865", "0.0923", "0.0925", "0.0920, 0.0921"),
    Row("noisy-max-2", "0.0924", "0.0975", "0.0979", "0.0996, 0.0997"),
    Row("noisy-max-3", "0.2268", "0.2478", "0.2488", "0.1991, 0.1961"),
    Row("noisy-max-4", "0.9473", "0.3463", "0.3534", "0.1960, 0.1988"),
    Row("svt-1", "0.0621", "0.0858", "0.0858", "0.0298, 0.0298"),
    Row("svt-2", "0.0620", "0.0859", "0.0852", "0.0316, 0.0407"),
    Row("svt-3", "0.1714", "0.1716", "0.1822", "0.0231, 0.1793"),
    Row("svt-4", "0.1416", "0.1687", "0.1696", "0.1709, 0.1719"),
    Row("svt-5", "9.4809", "1.7612", "1.7610", "14.3143, 14.3143"),
    Row("svt-6", "0.2725", "0.2720", "0.2698", "0.3220, 0.3200"),
    Row("rappor", "-", "0.2930", "0.3008", "0.2416, 0.0243"),
    Row("one-time-rappor", "-", "0.5978", "0.5999", "0.4706, 0.0602"),
    Row("laplace-parallel", "0.0290", "0.0350", "0.0299", "0.0126, 0.0135", goal=0.025),
    Row("svt-34-parallel", "-", "0.2610", "0.2616", "0.1371, 0.1963"),
    Row("prefix-sum", "0.8481", "0.5040", "0.5774", "0.3516, 0.3446", goal=0.80),
    Row("svt-numerical", "-", "0.0343", "0.0345", "error"),
]


def attainable_of_pairs(name: str) -> list[float]:
    """Attainable bound of each pair, NaN where the law is not available."""
    law, mechanism = LAWS.get(name), build_corpus(name)
    if law is None:
        return [math.nan]
    return [attainable(law(mechanism, x, y), SIDE) for x, y in mechanism.pairs]


def best_pair(name: str) -> int:
    """The pair with the largest attainable bound, or exact loss where that is not known."""
    oracle = attainable_of_pairs(name)
    return int(np.argmax(exact_of_pairs(name) if math.isnan(oracle[0]) else oracle))


def budget(pairs: int) -> int:
    """Draws of an audit of so many pairs: 1e6 of each side are left for the test."""
    return math.ceil(2 * SIDE / (1 - training_share(pairs)))


@final
@dataclass(frozen=True, slots=True)
class Audit:
    """One audit of some of the pairs of an entry."""

    row: str
    pairs: tuple[int, ...]
    seed: int

    def run(self) -> dict[str, Any]:
        """A line: the bound, draws in all, processor seconds."""
        target = load_target(f"corpus.{self.row}")
        assert target.claim is not None
        settings = Settings(
            seed=self.seed,
            false_alarm=FALSE_ALARM,
            budget_samples=budget(len(self.pairs)),
            budget_seconds=SECONDS,
            ideal=True,
        )
        pairs = [Pair(f"pair {i}", *target.pairs[i]) for i in self.pairs]
        started = time.process_time()
        result = audit(target, target.claim, pairs, settings)
        return {
            "row": self.row,
            "pairs": list(self.pairs),
            "seed": self.seed,
            "bound": result.limits["epsilon"],
            "samples": result.samples,
            "seconds": round(time.process_time() - started, 2),
        }


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of some seeds: their mean, the ends of its 95 % interval, and the runs."""

    mean: float
    low: float
    high: float
    lines: Sequence[dict[str, Any]]

    @classmethod
    def of(cls, lines: Sequence[dict[str, Any]]) -> Bounds:
        """Student's interval; of a single run there is none."""
        bounds = np.array([line["bound"] for line in lines])
        reach = math.inf
        if bounds.size > 1:
            quantile = float(stdtrit(bounds.size - 1, 0.975))
            reach = quantile * float(bounds.std(ddof=1)) / math.sqrt(bounds.size)
        mean = float(bounds.mean())
        return cls(mean, mean - reach, mean + reach, lines)

    def verdict(self, goal: float) -> str:
        """Whether the mean is at the goal."""
        if math.isnan(goal):
            return ""
        return "met" if self.low >= goal else "missed" if self.high < goal else "open"

    def show(self, goal: float) -> str:
        """Mean, interval, verdict."""
        return f"**{self.mean:.4f}** [{self.low:.4f}, {self.high:.4f}] {self.verdict(goal)}".strip()


def bounds_of(
    journal: Journal, row: str, pairs: Sequence[int], seeds: int, processes: int
) -> Bounds | None:
    """Audit with the seeds that are missing; None if the time ran out before the first."""
    done = {line["seed"] for line in journal.of(row=row, pairs=list(pairs))}
    audits = (Audit(row, tuple(pairs), seed) for seed in range(seeds) if seed not in done)
    journal.do(audits, processes=processes)
    lines = [line for line in journal.of(row=row, pairs=list(pairs)) if line["seed"] < seeds]
    return Bounds.of(lines) if lines else None


def cells(row: Row, everything: Bounds, given: Bounds | None) -> list[str]:
    """One line of the table."""
    name = f"corpus.{row.name}"
    exact, oracle = exact_of_pairs(name), attainable_of_pairs(name)
    goal = goal_of(row)
    runs = [(everything, max(exact)), *([] if given is None else [(given, exact[best_pair(name)])])]
    above = sum(line["bound"] > true for bounds, true in runs for line in bounds.lines)
    return [
        row.name,
        f"{max(exact):.4f}",
        f"{max(oracle):.4f}",
        row.attainable,
        row.sniper,
        row.sniper_network,
        row.statdp,
        everything.show(goal),
        "-" if given is None else given.show(goal),
        f"{goal:.4f}",
        f"{above}/{sum(len(bounds.lines) for bounds, _ in runs)}",
        f"{everything.lines[0]['samples'] / 1e6:.1f} M",
        f"{max(line['seconds'] for line in everything.lines):.1f}",
    ]


def goal_of(row: Row) -> float:
    """The row's own goal, or a share of the attainable bound."""
    oracle = attainable_of_pairs(f"corpus.{row.name}")
    return row.goal if row.goal is not None else SHARE * max(oracle)


def losses(row: Row, everything: Bounds, given: Bounds | None) -> str:
    """Where the rest of the exact loss goes; empty where the law is not available."""
    name, mechanism = f"corpus.{row.name}", build_corpus(f"corpus.{row.name}")
    if name not in LAWS:
        return f"{row.name}: no exact law, so there is nothing to compare with"
    exact, best = exact_of_pairs(name), best_pair(name)
    law = LAWS[name](mechanism, *mechanism.pairs[best])
    steps = [("all pairs", everything.mean)]
    if given is not None:
        steps.append(("pair given", given.mean))
    return f"{row.name}: " + words_of(steps, law, 2 * SIDE, budget(len(exact)), max(exact))


def main() -> None:
    """Print the table, row by row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--rows", default="")
    parser.add_argument("--decompose", action="store_true", help="of rows that are not met")
    parser.add_argument("--output", type=Path, help="JSON lines, appended to")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no more after")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes
    journal = Journal(options.output, digest(__file__), until)
    wanted = options.rows.split(",") if options.rows else [row.name for row in ROWS]
    head = ["mechanism", "exact", "attainable", "published", "DP-Sniper LR", "MLP"]
    head += ["StatDP verified", "ours, all pairs", "ours, best pair given", "goal"]
    head += ["above exact", "draws in all", "CPU s, all pairs"]
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    lost: list[str] = []
    for row in (row for row in ROWS if row.name in wanted):
        pairs, every = range(len(exact_of_pairs(f"corpus.{row.name}"))), options.seeds
        everything = bounds_of(journal, row.name, pairs, every, options.jobs)
        given = None
        if len(pairs) > 2:
            one = [best_pair(f"corpus.{row.name}")]
            given = bounds_of(journal, row.name, one, every, options.jobs)
        if everything is None:
            continue
        print("| " + " | ".join(cells(row, everything, given)) + " |", flush=True)
        if options.decompose and everything.verdict(goal_of(row)) != "met":
            lost.append(losses(row, everything, given))
    print("\n" + "\n".join(lost))


if __name__ == "__main__":
    main()
