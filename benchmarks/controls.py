"""How soon the positive controls of the reference suite are refuted.

Every audit of the suite that must be REFUTED from samples, at its own settings and at the level of
controls, with five seeds. A control that takes much of its budget could stay
unrefuted with another seed, and the gate would be red for no reason.

Run: python -m benchmarks.controls [TARGET ...]
"""

from __future__ import annotations

import sys

from audit.request.configuration import reference_config
from audit.request.privacy_plan import PrivacyPlan
from audit.results.verdict import Verdict
from audit.runs.privacy_run import budget_of, run_plan
from audit.suite.gate_run import plan_gate
from audit.suite.shares import level_of, share_of

SEEDS = range(1, 6)
MOST_SHARE = 0.5
"""Goal: no run takes more of its budget."""


def main(names: list[str]) -> int:
    """Print a line for each control; 1 if one took too much, or was not refuted."""
    config = reference_config()
    plans = plan_gate(config)
    share = share_of(config, plans)
    missed = 0
    print("| control | samples of 5 runs | largest share of the budget | goal |")
    print("| --- | --- | --- | --- |")
    for entry, plan in zip(config.entries, plans, strict=True):
        if not isinstance(plan, PrivacyPlan):  # of errors
            continue
        sampled = entry.expect == "refuted" and entry.request.mode != "exact"
        if not sampled or (names and entry.request.target not in names):
            continue
        level = level_of(entry, config, share)
        results = [run_plan(plan, seed=seed, false_alarm=level) for seed in SEEDS]
        budget = budget_of(plan, level).samples
        refuted = all(result.verdict is Verdict.REFUTED for result in results)
        most = max(result.samples for result in results) / budget
        missed += not refuted or most > MOST_SHARE
        counts = ", ".join(f"{result.samples:,}" for result in results)
        word = f"{most:.2f}" if refuted else "not refuted"
        print(f"| {entry.name} | {counts} | {word} | {MOST_SHARE} |", flush=True)
    print(f"\n{missed} controls beyond the goal")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
