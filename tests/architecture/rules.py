"""Who may import whom: layers, as data.

A layer may import itself and every layer below it in its package; layers of one row do not import
each other. What it may import of the other packages is named (`others`). A name stands for itself
and all below it. Imports inside functions and under `if TYPE_CHECKING:` count as all others do,
except where a layer names what is `light`: only that may be imported outside functions there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

__all__ = [
    "ALL_OURS",
    "DOORS",
    "EMPTY",
    "ENCLOSURES",
    "INSIDE_FUNCTIONS",
    "LAYERS",
    "NEVER",
    "PLAIN",
    "SEVERAL",
    "VOCABULARY",
    "Layer",
]

VOCABULARY = (
    "mechanisms.claims",
    "mechanisms.composition",
    "mechanisms.group_privacy",
    "mechanisms.implications",
    "mechanisms.noisy_query",
    "mechanisms.weighted_query",
    "mechanisms.protocols",
    "mechanisms.errors",
    "mechanisms.utility_claims",
    "mechanisms.validation",
)
LAWS = (*VOCABULARY, "mechanisms.laws")
ENCLOSURES = ("proofs_check.enclosure", "proofs_check.exponential", "proofs_check.rational")
COMPOSITION = ("proofs_check.composition", "proofs_check.ends")
LEDGER = ("proofs_check", "mechanisms.registry")
ALL_OURS = ("mechanisms", "audit", "proofs_check")


@final
@dataclass(frozen=True, slots=True)
class Layer:
    """What lies on one level.

    Parameters
    ----------
    names : tuple of str
        Modules and packages that are one layer: they may import each other.
    others : tuple of str
        Of the other packages.
    only : tuple of str or None
        Of the layers below, where it is less than all.
    light : tuple of str or None
        What may be imported outside functions, where it is less than all that may be.
    """

    names: tuple[str, ...]
    others: tuple[str, ...] = VOCABULARY
    only: tuple[str, ...] | None = None
    light: tuple[str, ...] | None = None


def _apart(*names: str, others: tuple[str, ...] = VOCABULARY) -> tuple[Layer, ...]:
    """Layers of one row."""
    return tuple(Layer((name,), others) for name in names)


PAPER = (
    *VOCABULARY,
    *(f"mechanisms.{name}" for name in ("laws", "noise", "query_draws", "records")),
)
"""What the implementations of every paper may use."""

RENDERED = (
    *("audit.bounded_json", "audit.plain", "audit.request.plans", "audit.result", "audit.rounding"),
    *("audit.documents", "audit.kinds", "audit.suite", "audit.surveys", "audit.tables"),
    *("audit.verdict", "audit.versions"),
)
"""What reports may use: parts of documents, the registry of kinds, and what is told of whole runs;
never a folder of one kind of result."""

LAYERS: tuple[tuple[Layer, ...], ...] = (
    (Layer(VOCABULARY),),
    (
        *_apart("mechanisms.laws", "mechanisms.query_draws", "mechanisms.records"),
        Layer(("mechanisms.registry",), only=("mechanisms.claims", "mechanisms.errors")),
    ),
    (Layer(("mechanisms.noise",), only=LAWS),),
    (Layer(("mechanisms.add_remove",), only=PAPER),),
    (
        Layer(("mechanisms.trilemma",), only=PAPER),
        Layer(("mechanisms.personalized",), only=PAPER),
        Layer(
            ("mechanisms.subset",),
            only=(*PAPER, "mechanisms.add_remove.grid", "mechanisms.add_remove.ratio"),
        ),
    ),
    (Layer(("mechanisms.as_printed",)),),  # all papers
    # The checker shares no code with what it judges.
    _apart("proofs_check.rational"),
    (Layer(("proofs_check",)),),
    # Auditors: never a mechanism's implementation.
    _apart("audit.interrupts"),
    _apart("audit.declaration", "audit.faults", "audit.result"),
    (
        *_apart("audit.bounded_json", "audit.floats.machine", "audit.plain"),
        *_apart("audit.rounding", "audit.tails"),
    ),
    # The check of certificates shares nothing with what makes them but their form.
    (Layer(("audit.certificate",), (*VOCABULARY, *ENCLOSURES), only=("audit.bounded_json",)),),
    (Layer(("audit.verdict", "audit.exact_result", "audit.control_flow", "audit.screened_pairs")),),
    (Layer(("audit.bounded_toml",)), Layer(("audit.levels",), (*VOCABULARY, *ENCLOSURES))),
    (Layer(("audit.documents",), (*VOCABULARY, "proofs_check.knowledge")),),
    (
        Layer(("audit.floats",)),
        Layer(("audit.corpus",), LAWS),
    ),
    (
        Layer(("audit.targets",), (*LAWS, "mechanisms.registry")),
        Layer(("audit.recheck",), only=("audit.certificate", "audit.exact_result")),
        Layer(("audit.exact",), (*LAWS, *ENCLOSURES, "proofs_check.smt")),
    ),
    _apart("audit.pairs", "audit.draws"),
    (
        Layer(("audit.engine",)),
        Layer(("audit.utility",), (*LAWS, "mechanisms.registry")),
        Layer(("audit.stability",)),
        Layer(("audit.accounting",), (*VOCABULARY, *ENCLOSURES, *COMPOSITION)),
        Layer(("audit.screening",)),
    ),
    (
        Layer(("audit.request",), (*VOCABULARY, "mechanisms.registry")),
        Layer(("audit.tables",), (*VOCABULARY, "mechanisms.registry", "proofs_check.tables")),
        *_apart("audit.session", "audit.scripts", "audit.tracing", "audit.strategies"),
    ),
    (
        Layer(
            (
                "audit.run",
                "audit.run_account",
                "audit.run_advice",
                "audit.run_errors",
                "audit.run_screening",
                "audit.run_stability",
            )
        ),
        Layer(("audit.places",), (*VOCABULARY, "mechanisms.registry")),
        Layer(("audit.versions",)),
    ),
    _apart("audit.kinds"),
    (Layer(("audit.suite",), (*VOCABULARY, *LEDGER)),),
    _apart("audit.surveys", "audit.readers"),
    (Layer(("audit.report",), (*VOCABULARY, *LEDGER), only=RENDERED),),
    (Layer(("audit.attestation",)),),
    (
        Layer(("audit.figures",), (*VOCABULARY, *LEDGER)),
        Layer(("audit.scaffold",)),
        Layer(("audit.testing",)),
        Layer(("audit.api",), (*VOCABULARY, "proofs_check.registry")),
    ),
    (
        Layer(
            ("audit.cli",),
            ALL_OURS,
            light=(
                *VOCABULARY,
                "audit.bounded_json",
                "audit.documents.forms",
                "audit.exact_result",
                "audit.levels.word",
                "audit.request.words",
                "audit.session",
                "audit.suite.exits",
                "audit.verdict",
            ),
        ),
    ),
)
"""From the lowest to the highest; a package's `__init__` belongs to what lies below it."""

EMPTY = ("mechanisms", "audit", "proofs_check")
"""Packages whose `__init__` imports nothing: importing a part imports nothing beside it. What is
imported for types waits, and so does what is loaded when a name of `audit` is first read."""

UPWARD = {
    "audit.result": ("audit.report.present", "audit.figures.result", "audit.documents.document")
}
"""The one arrow upward: methods of a result by which it shows itself, loaded when they are called.
What is audited, proved or checked needs none of it."""

DOORS = {
    "sympy": ("proofs_check.symbolic",),
    "z3": ("proofs_check.smt",),
    "cvc5": ("proofs_check.second_solver.cvc5_answers",),
    "flint": ("proofs_check.enclosure",),
    "click": ("audit.cli",),
    "rich": ("audit.cli",),
    "joblib.externals": ("audit.engine.counts.loky", "audit.suite.run", "proofs_check.prove"),
    "distributed": ("audit.engine.counts.cluster",),
    "opendp": ("audit.targets.libraries.opendp",),
    "dp_accounting": ("audit.accounting.peers.dp_accounting",),
    "autodp": ("audit.accounting.peers.autodp",),
    "prv_accountant": ("audit.accounting.peers.prv",),
    "diffprivlib": ("audit.targets.libraries.diffprivlib",),
    "pydp": ("audit.targets.libraries.pydp",),
    "hypothesis": ("audit.strategies",),
    "matplotlib": ("audit.figures", "audit.result"),
}
"""Libraries that only these modules may import: one module or package each, but for `SEVERAL`."""

SEVERAL = {
    "joblib.externals": "a run ends its idle workers where it ends: audits, gates and proofs",
    "matplotlib": "`Result.plot` names the type of its axes, which only `audit.figures` makes",
}
"""Libraries with several doors, and why."""

INSIDE_FUNCTIONS = (
    "scipy",
    "statsmodels",
    "pandas",
    "joblib",
    "cloudpickle",
    "dask",
    "distributed",
    "rich",
    "cvc5",
    "opendp",
    "diffprivlib",
    "pydp",
    "sklearn",
    "dp_accounting",
    "autodp",
    "prv_accountant",
    "matplotlib",
)
"""Libraries that are imported inside functions only, to keep the import of ours light."""

PLAIN = (*(v for v in VOCABULARY if v != "mechanisms.protocols"), "mechanisms.registry")
"""Modules that import the standard library only, outside functions."""

NEVER = ("tests", "benchmarks", "pytest", "_touchstone_pytest", "_pytest", "touchstone_dp")
"""What no module of ours imports."""
