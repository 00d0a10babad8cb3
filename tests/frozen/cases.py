"""The fifteen runs that are kept, with their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

__all__ = ["AUDITS", "CERTIFICATE", "CONFIGURATION", "IN_EVERY_FORM", "Case"]


@final
@dataclass(frozen=True, slots=True)
class Case:
    """One audit: a name for its files, and the words of the command after `touchstone audit`."""

    name: str
    words: str

    @property
    def argv(self) -> list[str]:
        """The command line, seeded."""
        seeded = [] if "--mode exact" in self.words else ["--seed", "1"]
        return ["audit", *self.words.split(" "), *seeded]


SMALL = "--budget-samples 40000 --false-alarm 0.05"
BOUNDS = "--low 0 --high 1"

AUDITS = (
    Case("registered-refuted", f"ksw.shifted-laplace --epsilon 1/2 {SMALL} --ideal"),
    Case("as-printed", f"sub.inverse-sensitivity-as-printed {SMALL} --ideal --pair counterexample"),
    Case("floating-point", f"ksw.swap-laplace {SMALL} --adversarial"),
    Case("gaussian", f"corpus.gaussian-gdp --mu 1/2 {SMALL} --ideal"),
    Case(
        "personalized",
        f"targets.py:weighted --budgets 1,.05,1 --relation swap {BOUNDS} {SMALL} --ideal",
    ),
    Case("hostile", f"targets.py:total --epsilon 1 --relation add-remove {BOUNDS} {SMALL}"),
    Case("drifting", f"targets.py:drifting --epsilon 1 --relation swap {BOUNDS} {SMALL}"),
    Case(
        "vector",
        "targets.py:vector --epsilon 1 --relation add-remove --pair places.json --ideal "
        f"{SMALL} --order fixed",
    ),
    Case(
        "command",
        f"--epsilon 1 --relation add-remove {BOUNDS} --budget-samples 12000 --ideal --first-draws "
        "200 --screen 52 --seed 1 -- python program.py 2",
    ),
    Case("bound", f"ksw.shifted-laplace --mode bound --epsilon 1/2 {SMALL} --ideal"),
    Case("exact-proved", "ksw.transformed-hourglass --mode exact"),
    Case("exact-refuted", "ksw.transformed-staircase --epsilon 1/2 --mode exact"),
    Case(
        "errors-refuted",
        f"targets.py:clipped --utility --unbiased --mse 1/50 --n 4 {BOUNDS} "
        "--budget-samples 100000",
    ),
)
"""Each mode, and what a report may have: a pair that is made, drift, users, vectors, a program."""

IN_EVERY_FORM = ("registered-refuted", "exact-proved", "errors-refuted")

CERTIFICATE = "tri.clipped-mean"

CONFIGURATION = """
false_alarm = 0.01
proofs = ["KSW-T2"]

[[audit]]
target = "ksw.swap-laplace"
ideal = true
resolution = 3
budget_samples = 20000

[[audit]]
target = "targets.py:half"
epsilon = "1"
relation = "add-remove"
low = 0
high = 1
expect = "refuted"
budget_samples = 40000

[[audit]]
target = "targets.py:drifting"
epsilon = "1"
relation = "swap"
low = 0
high = 1
budget_samples = 20000

[[audit]]
target = "ksw.transformed-hourglass"
mode = "exact"
param = {epsilon = ["1", "1/2"]}

[[audit]]
target = "targets.py:Stated"
utility = true
budget_samples = 40000
"""
