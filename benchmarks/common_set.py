"""Seven common cases: samples and seconds to a verdict, beside the recorded ones of other tools.

Mechanisms at epsilon = 1; the default sequential audit at error rate 0.05, its default budget of
2e6 draws of all arms and pairs together, `ideal` (numpy's noise leaks through its bits, which is
another finding than these); a witness's fresh draws are counted. Others' numbers as recorded on a
2-core machine (BENCHMARK 3).
Run: python -m benchmarks.common_set [--seeds 20]
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from typing import final

import numpy as np

from audit.engine.sequential import Settings, audit
from audit.pairs.neighbors import Pair
from audit.run import DEFAULT_SAMPLES
from audit.targets.load import load_target
from audit.verdict import AuditResult, Verdict
from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source

SECONDS = 120.0
FEWER = 10
"""How many times fewer samples than the best other tool is the goal, on each violation."""

ZERO_ONE = (([0.0], [1.0]),)
FIVE = (([0.0] * 5, [1.0] * 5), ([1.0] * 5, [2.0] + [0.0] * 4))
TEN = (
    ([1.0] * 5 + [0.0] * 5, [0.0] * 5 + [1.0] * 5),
    ([1.0] * 10, [2.0] * 5 + [0.0] * 5),
)


@final
@dataclass(frozen=True, slots=True)
class Other:
    """A recorded run of another tool: whether it reported a violation, millions of samples, s."""

    found: bool
    millions: float
    seconds: float

    def __str__(self) -> str:
        """One cell of the table."""
        found = "violation" if self.found else "ok"
        return f"{found}, {self.millions:g} M, {self.seconds:g} s"


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A mechanism of the corpus, its claim and its pairs."""

    label: str
    name: str
    claim: str
    exact: float
    pairs: tuple[tuple[list[float], list[float]], ...]
    sniper: Other
    statdp: Other
    hockey: Other
    histogram: Other | None

    @property
    def fewest(self) -> float:
        """Samples of the most economical tool that found the violation."""
        others = [self.sniper, self.statdp, self.hockey, self.histogram]
        return 1e6 * min(other.millions for other in others if other is not None and other.found)


def sure(millions: float, seconds: float) -> Other:
    """A tool that reported a violation."""
    return Other(True, millions, seconds)


def silent(millions: float, seconds: float) -> Other:
    """A tool that reported none."""
    return Other(False, millions, seconds)


CASES = [
    Case("laplace", "laplace", "1", 1.0, ZERO_ONE,
         silent(30, 10.4), silent(1.4, 3.9), silent(2, 12.9), silent(2, 0.1)),
    Case("laplace", "laplace", "0.8", 1.0, ZERO_ONE,
         sure(30, 9.4), sure(1.4, 4.7), sure(2, 26.3), sure(2, 0.1)),
    Case("geometric", "geometric", "1", 1.0, ZERO_ONE,
         silent(30, 9.4), silent(1.4, 4.4), silent(2, 24.5), silent(2, 0.2)),
    Case("noisy max, index", "noisy-max-1", "1", 0.7786, FIVE,
         silent(40, 18.3), silent(2.6, 5.6), silent(4, 17.1), silent(4, 1.1)),
    Case("noisy max, value", "noisy-max-3", "1", 2.5, FIVE,
         sure(40, 29.5), sure(2.6, 7.3), sure(4, 13.5), sure(4, 1.2)),
    Case("SVT4, c = 1", "svt-4", "1", 1.7418, TEN,
         sure(40, 31.0), sure(2.6, 13.9), sure(4, 21.3), None),
    Case("SVT6", "svt-6", "1", 4.4862, TEN,
         sure(40, 23.3), sure(2.6, 22.0), sure(4, 21.2), None),
]  # fmt: skip
"""BENCHMARK section 3; DP-Auditorium's hockey-stick and histogram testers."""


def run(case: Case, seed: int) -> tuple[AuditResult, float]:
    """One audit, and its CPU seconds."""
    target = load_target(f"corpus.{case.name}", parameters={"epsilon": "1"})
    claim = PrivacyClaim(PureDP(case.claim), Relation.LISTED, Source("user", "benchmark"))
    pairs = [Pair(f"pair {i}", np.array(x), np.array(y)) for i, (x, y) in enumerate(case.pairs)]
    settings = Settings(
        seed=seed,
        false_alarm=0.05,
        budget_samples=DEFAULT_SAMPLES,
        budget_seconds=SECONDS,
        ideal=True,
    )
    started = time.process_time()
    result = audit(target, claim, pairs, settings)
    return result, time.process_time() - started


def cells(case: Case, seeds: int) -> list[str]:
    """One line of the table."""
    runs = [run(case, seed) for seed in range(seeds)]
    samples = np.array([result.samples for result, _ in runs])
    refuted = sum(result.verdict is Verdict.REFUTED for result, _ in runs)
    consistent = sum(result.verdict is Verdict.CONSISTENT for result, _ in runs)
    violated = case.exact > float(PureDP(case.claim).epsilon)
    q90 = float(np.quantile(samples, 0.9, method="higher"))
    factor = f"{case.fewest / q90:.0f}x fewer" if violated else "-"
    met = "-" if not violated else "met" if case.fewest / q90 >= FEWER else "missed"
    return [
        f"{case.label} ({case.claim})",
        f"{case.exact:g}",
        str(case.sniper),
        str(case.statdp),
        str(case.hockey),
        "no" if case.histogram is None else str(case.histogram),
        f"{refuted} refuted, {consistent} consistent of {seeds}",
        f"{np.median(samples):,.0f}",
        f"{q90:,.0f}",
        f"{np.median([seconds for _, seconds in runs]):.2f}",
        f"{np.median([result.limits['epsilon'] for result, _ in runs]):.3f}",
        factor,
        met,
    ]


def main() -> None:
    """Print the table, row by row."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args()
    head = ["case (claimed)", "exact", "DP-Sniper LR", "StatDP", "DA hockey-stick", "DA histogram"]
    head += ["ours", "samples, median", "q90", "CPU s, median", "lower bound, median"]
    head += ["q90 against the fewest of others", "goal (10x)"]
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    for case in CASES:
        print("| " + " | ".join(cells(case, options.seeds)) + " |", flush=True)


if __name__ == "__main__":
    main()
