"""Every word of an audit, one row each, in the order in which the help shows them.

The options of `touchstone audit` and `gate`, the keys of a configuration, the words of the pytest
mark and what is refused where are all made from this table (`audit.levels.word`).
"""

from __future__ import annotations

from audit.documents.report_forms import FORMS
from audit.levels import LEVELS
from audit.levels.word import Kind, Of, Word
from audit.targets.domain import ASKED
from audit.targets.tables.table_schema import FORMS as FORMS_OF_TABLES
from mechanisms.claims import Order, Relation

__all__ = ["CHOICES", "CLAIMS", "NORMS", "WORDS", "keys", "named"]

NORMS = ("l1", "l2", "linf", "hamming", "change-one", "symmetric", "insert-delete", "discrete")
"""Names of `audit.stability.norms.Norm`, which a test compares."""

CLAIMS = {word.name: word for kind in LEVELS for word in kind.words}
"""The words that state a claim; each kind has its own."""

WORDS: dict[str, Word] = {
    word.name: word
    for word in (
        Word("target", Kind.TEXTS, phrase="text or a list of texts", of=Of.ENTRY),
        Word("command", Kind.COMMAND, of=Of.ENTRY | Of.AUDIT),
        *CLAIMS.values(),
        Word(
            "param",
            Kind.TABLE,
            "An argument of the mechanism itself (repeatable).",
            metavar="NAME=VALUE",
            multiple=True,
        ),
        Word(
            "relation",
            Kind.TEXT,
            "Which data sets are neighbors; alone, the claim that the target's own implies.",
            of=Of.PRIVACY | Of.STABILITY,
            metavar="[add-remove|swap|listed]",
        ),
        Word("order", Kind.TEXT, "Whether the order of records is data.", metavar="[free|fixed]"),
        Word("low", Kind.EXACT, "Public lower bound of the records.", metavar="NUMBER"),
        Word("high", Kind.EXACT, "Public upper bound of the records.", metavar="NUMBER"),
        Word(
            "data",
            Kind.TEXT,
            "Records to make neighbors of as well.",
            of=Of.SAMPLES | Of.ERRORS | Of.STABILITY,
            metavar="FILE.csv",
        ),
        Word("column", Kind.TEXT, "Its column.", of=Of.DRAWN),
        Word(
            "schema",
            Kind.TEXT,
            "Data sets are tables with these columns, and rows of these units.",
            of=Of.SAMPLES | Of.STABILITY,
            metavar="FILE.toml",
        ),
        Word(
            "takes",
            Kind.TEXT,
            "What the target gets of a table; a command gets json or csv  [pandas; json]",
            of=Of.SAMPLES | Of.STABILITY,
            metavar=f"[{'|'.join(FORMS_OF_TABLES)}]",
        ),
        Word(
            "first_draws",
            Kind.COUNT,
            "Draws of each data set of a pair that only learn  [16; of a program 200; fewer where "
            "draws are slow]",
            of=Of.SEQUENTIAL,
            least=8,
        ),
        Word(
            "min_size",
            Kind.COUNT,
            "Fewest records.",
            of=Of.PRIVACY | Of.STABILITY,
            default=0,
        ),
        Word(
            "pair",
            Kind.TEXTS,
            '{"data": ..., "neighbor": ...} instead of generated pairs (repeatable); with '
            '--budgets also "user", counted from 1. The word counterexample stands for the known '
            "one of a printed form.",
            of=Of.PRIVACY | Of.STABILITY,
            metavar="FILE.json",
            phrase="a file name or a list of them",
            multiple=True,
        ),
        Word(
            "generate", Kind.FLAG, "Generated pairs besides --pair.", of=Of.SAMPLES | Of.STABILITY
        ),
        Word(
            "screen",
            Kind.COUNT,
            "Pairs that are looked at before any is bet on, to find those worth it; 0: none  "
            "[2048; fewer for slow targets and short runs]",
            of=Of.SAMPLES,
        ),
        Word(
            "domain",
            Kind.TEXT,
            "declared: leave out records that are NaN, infinite or out of range, which the "
            "mechanism never gets  [any, unless it declares its own]",
            of=Of.SAMPLES | Of.STABILITY,
            metavar="[any|declared]",
            phrase="'any' or 'declared'",
        ),
        Word(
            "constant",
            Kind.TEXT,
            "The output is meant to ignore the data: no pair changing it is no reason to doubt.",
            of=Of.SAMPLES,
            choices=("ok",),
        ),
        Word(
            "adversarial",
            Kind.FLAG,
            "Also data sets on which sums go wrong: rounding, overflow, another order.",
            of=Of.SAMPLES | Of.EXACT,
        ),
        Word(
            "mode",
            Kind.TEXT,
            "Stop at a violation, spend the budget on the tightest lower limit, or prove the claim "
            "from the stated law.",
            of=Of.PRIVACY,
            choices=("sequential", "bound", "exact"),
            default="sequential",
            shown=True,
        ),
        Word(
            "multisets",
            Kind.TEXT,
            "With --mode exact, where no lemma covers all data sets: go through all of at most "
            "SIZE records among POINTS numbers from low to high [default: 4,5].",
            of=Of.EXACT,
            metavar="SIZE,POINTS",
            phrase="text such as '4,5'",
        ),
        Word(
            "certificate",
            Kind.TEXT,
            "Write a proof there; needs --mode exact.",
            of=Of.COMMAND,
            within=Of.EXACT,
            metavar="FILE",
        ),
        Word(
            "profile",
            Kind.FLAG,
            "Also a lower limit on delta at several epsilons, holding jointly.",
            of=Of.SAMPLES,
        ),
        Word(
            "timeout",
            Kind.NUMBER,
            "For a call, or a start of a COMMAND, that makes at most 64 draws (more draws have "
            "more); then it is stopped, which is an outcome  [30]",
            of=Of.DRAWN,
            metavar="SECONDS",
        ),
        Word(
            "memory",
            Kind.COUNT,
            "That a call may take; more is the outcome MemoryError.",
            of=Of.DRAWN,
            metavar="MEGABYTES",
            least=1,
        ),
        Word(
            "in_process",
            Kind.FLAG,
            "Draw in this process, for debuggers: nothing contains what the target does to it.",
            of=Of.DRAWN,
        ),
        Word(
            "resume",
            Kind.TEXT,
            "Keep the run in FILE, and go on from there if it exists; --budget-seconds counts all "
            "sessions.",
            of=Of.COMMAND,
            within=Of.SAMPLES,
            metavar="FILE",
        ),
        Word(
            "utility",
            Kind.FLAG,
            "Audit errors instead of privacy: bias, variance, mean squared and mean absolute "
            "error, against what the target states of them or what the next options state.",
            of=Of.ERRORS,
        ),
        Word(
            "law",
            Kind.TEXTS,
            "With --utility: fresh records for each draw, of 'uniform A B', 'normal MU SIGMA', "
            "'bernoulli P', 'point X', 'points X:P X:P ...' or 'tilted ETA' (repeatable).",
            of=Of.ERRORS,
            metavar="'KIND NUMBERS'",
            phrase="text such as 'uniform 0 1', or a list of them",
            multiple=True,
        ),
        Word(
            "n",
            Kind.COUNT,
            "With --utility: records of a law, or of each data set at the bounds  [100]",
            of=Of.ERRORS,
            least=1,
        ),
        Word("unbiased", Kind.FLAG, "With --utility: claim a bias of 0.", of=Of.ERRORS),
        Word(
            "bias",
            Kind.EXACT,
            "With --utility: claim a bias of at most this.",
            of=Of.ERRORS,
            metavar="NUMBER",
        ),
        Word(
            "mse",
            Kind.EXACT,
            "With --utility: claim a mean squared error of at most this; it makes the test of a "
            "bias exact.",
            of=Of.ERRORS,
            metavar="NUMBER",
        ),
        Word(
            "mae",
            Kind.EXACT,
            "With --utility: claim a mean absolute error of at most this.",
            of=Of.ERRORS,
            metavar="NUMBER",
        ),
        Word(
            "truth",
            Kind.EXACT,
            "With --utility: what is estimated  [mean of the records, or of the law]",
            of=Of.ERRORS,
            metavar="mean|median|NUMBER",
            phrase="a number, 'mean' or 'median'",
        ),
        Word(
            "norm",
            Kind.TEXT,
            "Distance of the answers: of numbers, of data sets, or of anything.",
            of=Of.STABILITY,
            metavar=f"[{'|'.join(NORMS)}]",
        ),
        Word(
            "at_most",
            Kind.EXACT,
            "The claim: answers to neighbors are at most so far apart.",
            of=Of.STABILITY,
            metavar="NUMBER",
        ),
        Word(
            "rows",
            Kind.COUNT,
            "Neighbors differ in up to so many records.",
            of=Of.STABILITY,
            least=1,
            default=1,
            shown=True,
        ),
        Word(
            "count",
            Kind.COUNT,
            "The public number of records  [any number]",
            of=Of.STABILITY,
        ),
        Word(
            "budget_pairs",
            Kind.COUNT,
            "Pairs at most; each data set is asked about twice  [5000]",
            of=Of.STABILITY,
            least=1,
        ),
        Word(
            "strict",
            Kind.FLAG,
            "Refute also a claim that is broken by the rounding of floating-point answers alone.",
            of=Of.STABILITY,
        ),
        Word("expect", Kind.TEXT, of=Of.ENTRY),
        Word("slow", Kind.FLAG, of=Of.ENTRY),
        Word(
            "false_alarm",
            Kind.NUMBER,
            "Probability of REFUTED although every claim holds  [0.001]",
            of=Of.RUN,
            within=Of.SAMPLES | Of.ERRORS,
        ),
        Word(
            "budget_samples",
            Kind.DRAWS,
            "Draws of all data sets and pairs together; detectable: what the power statement needs "
            "on the pairs at hand, at most 20000000  [detectable; --mode bound: 2000000]",
            of=Of.RUN | Of.SAMPLES | Of.ERRORS,
            least=1,
        ),
        Word(
            "budget_seconds",
            Kind.NUMBER,
            "Cap of the wall time, which cuts what hangs  [audit: 600; gate: 600 for each of its "
            "audits, at most 3600 in all]",
            of=Of.RUN | Of.STABILITY,
            within=Of.SAMPLES | Of.ERRORS,
        ),
        Word(
            "resolution",
            Kind.NUMBER,
            "How far above the claim a violation may lie unseen  [max(0.5, claim / 2)]",
            of=Of.RUN | Of.SAMPLES | Of.ERRORS,
        ),
        Word(
            "seed",
            Kind.COUNT,
            "Seed of the run  [fresh, printed]",
            of=Of.RUN | Of.STABILITY,
            within=Of.SAMPLES | Of.ERRORS,
        ),
        Word(
            "jobs",
            Kind.COUNT,
            "Processes that draw; any number gives the same result  [audit: 1; gate: 2]",
            of=Of.RUN,
            within=Of.SAMPLES,
            least=1,
        ),
        Word(
            "backend",
            Kind.TEXT,
            "Where they run: here, or on a dask cluster (DASK_SCHEDULER_ADDRESS, or one of --jobs "
            "processes here).",
            of=Of.RUN,
            within=Of.SAMPLES,
            choices=("loky", "dask"),
            default="loky",
            shown=True,
        ),
        Word(
            "ideal",
            Kind.FLAG,
            "Audit the real-number algorithm: leave floating-point features out.",
            of=Of.RUN | Of.SAMPLES,
        ),
        Word("format", Kind.TEXT, of=Of.OUTPUT, choices=tuple(FORMS), default="text", shown=True),
        Word("output", Kind.TEXT, "Write the report to a file.", of=Of.OUTPUT, metavar="FILE"),
        Word(
            "report",
            Kind.TEXTS,
            "Also write the same report to a file, in another format (repeatable).",
            of=Of.OUTPUT,
            metavar="FORMAT=FILE",
            multiple=True,
        ),
        Word(
            "inconclusive",
            Kind.TEXT,
            "'ok': INCONCLUSIVE is exit status 0.",
            of=Of.OUTPUT,
            choices=("ok",),
        ),
    )
}
"""By name."""

CHOICES = {
    "relation": tuple(relation.value for relation in Relation),
    "order": tuple(order.value for order in Order),
    "domain": ASKED,
    "takes": FORMS_OF_TABLES,
    "norm": NORMS,
    **{word.name: word.choices for word in WORDS.values() if word.choices},
}
"""Words that are one of a few: the command checks some of them itself, a plan the others."""


def named(of: Of) -> list[Word]:
    """The words that have a meaning there."""
    return [word for word in WORDS.values() if word.of & of]


def keys() -> list[Word]:
    """The words of an entry of a configuration."""
    return named(Of.AUDIT | Of.ENTRY)
