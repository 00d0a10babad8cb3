"""Lower bounds of mode "bound" on the literature's mechanisms, beside other tools'.

Each row: 1e6 draws of each side for the bound, and before it 0.5e6 (one pair) to 2e6 (eight pairs)
in all that choose the pair and the event; error rate 0.05, `ideal`; once over all of the entry's
pairs (both directions) with no hint which one matters, and once with the oracle's best pair given,
which is what the oracle and the published final bounds know. "Attainable" is computed here for the
oracle of `benchmarks.attainable`, who has 1e6 draws of each side and needs none to choose.
Run: python -m benchmarks.corpus_bounds [--seeds 20] [--rows svt-1,...]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.corpus.registry import build_corpus, exact_of_pairs
from audit.draws.settings import Settings
from audit.engine.bound.audit import audit
from audit.engine.bound.training import training_share
from audit.pairs.neighbors import Pair
from audit.targets.load import load_target
from audit.targets.target import Target
from audit.verdict import AuditResult
from benchmarks.attainable import attainable
from benchmarks.corpus_laws import LAWS

SIDE = 1_000_000
SECONDS = 60.0
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


def run(target: Target, numbers: Sequence[int], seed: int) -> tuple[AuditResult, float]:
    """One audit of some of the pairs, and its CPU seconds."""
    assert target.claim is not None
    pairs = [Pair(f"pair {i}", *target.pairs[i]) for i in numbers]
    settings = Settings(
        seed=seed,
        false_alarm=FALSE_ALARM,
        budget_samples=math.ceil(2 * SIDE / (1 - training_share(len(pairs)))),
        budget_seconds=SECONDS,
        ideal=True,
    )
    started = time.process_time()
    result = audit(target, target.claim, pairs, settings)
    return result, time.process_time() - started


def summary(bounds: NDArray[np.float64], goal: float) -> str:
    """Mean and range of the bounds, and whether the mean is at the goal."""
    met = "" if math.isnan(goal) else ", met" if bounds.mean() >= goal else ", missed"
    return f"**{bounds.mean():.4f}** ({bounds.min():.4f} to {bounds.max():.4f}){met}"


def cells(row: Row, seeds: int) -> list[str]:
    """One line of the table."""
    name = f"corpus.{row.name}"
    exact, oracle = exact_of_pairs(name), attainable_of_pairs(name)
    target = load_target(name)
    best = int(np.argmax(exact if math.isnan(oracle[0]) else oracle))
    everything = [run(target, range(len(exact)), seed) for seed in range(seeds)]
    given = [run(target, [best], seed) for seed in range(seeds)] if len(exact) > 2 else []
    bounds, of_given = (
        np.array([r.limits["epsilon"] for r, _ in runs]) for runs in (everything, given)
    )
    goal = row.goal if row.goal is not None else SHARE * max(oracle)
    above = int((bounds > max(exact)).sum() + (of_given > exact[best]).sum())
    return [
        row.name,
        f"{max(exact):.4f}",
        f"{max(oracle):.4f}",
        row.attainable,
        row.sniper,
        row.sniper_network,
        row.statdp,
        summary(bounds, goal),
        summary(of_given, goal) if given else "-",
        f"{goal:.4f}",
        f"{above}/{len(bounds) + len(of_given)}",
        f"{everything[0][0].samples / 1e6:.1f} M",
        f"{max(seconds for _, seconds in everything):.1f}",
    ]


def main() -> None:
    """Print the table, row by row."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--rows", default="")
    options = parser.parse_args()
    wanted = options.rows.split(",") if options.rows else [row.name for row in ROWS]
    head = [
        "mechanism",
        "exact",
        "attainable",
        "published",
        "DP-Sniper LR",
        "MLP",
        "StatDP verified",
    ]
    head += ["ours, all pairs", "ours, best pair given", "goal"]
    head += ["above exact", "draws in all", "CPU s, all pairs"]
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    for row in ROWS:
        if row.name in wanted:
            print("| " + " | ".join(cells(row, options.seeds)) + " |", flush=True)


if __name__ == "__main__":
    main()
