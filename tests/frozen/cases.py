"""The runs that are kept: each level, relation, mode and kind of target, with its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

__all__ = ["AUDITS", "CERTIFICATES", "CONFIGURATION", "IN_EVERY_FORM", "Case"]


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
    # registered mechanisms, by samples
    Case("registered-refuted", f"ksw.shifted-laplace --epsilon 1/2 {SMALL} --ideal"),
    Case("registered-consistent", f"ksw.swap-laplace {SMALL} --ideal --resolution 3 --profile"),
    Case("registered-approximate", f"tri.combined {SMALL} --ideal --resolution 3"),
    Case("registered-personalized", f"pdp.adpm {SMALL} --ideal --resolution 3"),
    Case("as-printed", f"sub.inverse-sensitivity-as-printed {SMALL} --ideal --pair counterexample"),
    Case("floating-point", f"ksw.swap-laplace {SMALL} --adversarial"),
    # every level, from the corpus of the literature or from the words
    Case("zero-concentrated", f"corpus.gaussian-zcdp --rho 1/8 {SMALL} --ideal"),
    Case("gaussian", f"corpus.gaussian-gdp --mu 1/2 {SMALL} --ideal"),
    Case("renyi", f"corpus.gaussian-renyi {SMALL} --ideal --resolution 3"),
    Case("trade-off", f"targets.py:Line --pair number.json {SMALL} --ideal"),
    Case("sparse-vector", f"corpus.svt-3 {SMALL} --resolution 3"),
    Case("local", f"corpus.symmetric-unary-sticky {SMALL}"),
    Case(
        "personalized",
        f"targets.py:weighted --budgets 1,.05,1 --relation swap {BOUNDS} {SMALL} --ideal",
    ),
    # functions of a user
    Case("hostile", f"targets.py:total --epsilon 1 --relation add-remove {BOUNDS} {SMALL}"),
    Case(
        "declared",
        f"targets.py:half --epsilon 1 --relation add-remove {BOUNDS} --domain declared {SMALL}",
    ),
    Case(
        "vector",
        "targets.py:vector --epsilon 1 --relation add-remove --pair places.json --ideal "
        f"{SMALL} --order fixed",
    ),
    Case("dictionary", f"targets.py:named --epsilon 1 --relation listed --pair named.json {SMALL}"),
    Case(
        "one-by-one",
        f"targets.py:one_by_one --epsilon 1 --relation add-remove {BOUNDS} --budget-samples 8000",
    ),
    Case("drifting", f"targets.py:drifting --epsilon 1 --relation swap {BOUNDS} {SMALL}"),
    Case(
        "approximate",
        f"targets.py:gauss --epsilon 1 --delta 1/100 --relation listed --pair number.json {SMALL}",
    ),
    Case(
        "own-data",
        "targets.py:total --epsilon 1 --relation swap --low 0 --high 1 --data ages.csv "
        f"--column age {SMALL} --ideal",
    ),
    Case(
        "notebook", f"notebook.ipynb:mean --epsilon 1/10 --relation swap {BOUNDS} {SMALL} --ideal"
    ),
    Case(
        "command",
        f"--epsilon 1 --relation add-remove {BOUNDS} --budget-samples 12000 --ideal --first-draws "
        "200 --screen 52 --seed 1 -- python program.py 2",
    ),
    Case(
        "released-library", f"diffprivlib.laplace --pair number.json {SMALL} --ideal --resolution 3"
    ),
    # a fixed budget for the tightest limit
    Case("bound", f"ksw.shifted-laplace --mode bound --epsilon 1/2 {SMALL} --ideal"),
    Case("bound-approximate", f"tri.combined --mode bound {SMALL} --ideal"),
    Case("refused-bound", f"corpus.gaussian-gdp --mu 1/2 --mode bound {SMALL} --ideal"),
    # from the stated law
    Case("exact-proved", "ksw.transformed-hourglass --mode exact"),
    Case("exact-refuted", "ksw.transformed-staircase --epsilon 1/2 --mode exact"),
    Case("exact-multisets", "sub.threshold --mode exact --multisets 3,3"),
    Case("exact-by-user", "pdp.weighted-mean --mode exact"),
    # errors
    Case("errors-registered", "ksw.transformed-laplace --utility --budget-samples 100000"),
    Case("errors-stated", "targets.py:Stated --utility --budget-samples 100000"),
    Case(
        "errors-refuted",
        f"targets.py:clipped --utility --unbiased --mse 1/50 --n 4 {BOUNDS} "
        "--budget-samples 100000",
    ),
    Case(
        "errors-of-a-law",
        f"targets.py:mean --utility --mse 1/10 --n 10 {BOUNDS} --law "
        "bernoulli_1/4 --budget-samples 60000",
    ),
)
"""Words are split at blanks; an underscore in the words of a law stands for one."""

IN_EVERY_FORM = (
    "registered-refuted",
    "registered-consistent",
    "personalized",
    "drifting",
    "bound",
    "exact-proved",
    "exact-refuted",
    "errors-refuted",
    "errors-stated",
)

CERTIFICATES = (
    "ksw.independent-laplace",
    "ksw.shifted-laplace",
    "ksw.transformed-laplace",
    "ksw.transformed-staircase",
    "ksw.transformed-hourglass",
    "ksw.swap-laplace",
    "ksw.swap-staircase",
    "tri.clipped-mean",
    "tri.tilted-sign",
    "sub.bounded-mean",
    "sub.threshold",
    "sub.inverse-sensitivity",
    "pdp.weighted-mean",
    "pdp.adpm",
)

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
