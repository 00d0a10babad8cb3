"""Who may import whom: layers, as data.

A layer may import itself and every layer below it in its package; layers of one row do not import
each other. What it may import of the other packages is named (`others`). A name stands for itself
and all below it. Imports inside functions and under `if TYPE_CHECKING:` count as all others do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

__all__ = [
    *(
        "DOORS",
        "EMPTY",
        "ENCLOSURES",
        "INSIDE_FUNCTIONS",
        "LAYERS",
        "NEVER",
        "PLAIN",
    ),
    *("VOCABULARY", "Layer"),
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
NAMES = ("mechanisms.registry", "mechanisms.corpus")
NAMED = (*VOCABULARY, *NAMES)
ENCLOSURES = ("proofs_check.enclosure", "proofs_check.exponential", "proofs_check.rational")
COMPOSITION = ("proofs_check.composition", "proofs_check.ends")
LEDGER = (*NAMED, "proofs_check")


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
    """

    names: tuple[str, ...]
    others: tuple[str, ...] = VOCABULARY
    only: tuple[str, ...] | None = None


def _row(*names: str, others: tuple[str, ...] = VOCABULARY) -> tuple[Layer, ...]:
    """Layers that do not import each other; modules of one layer stand in one text."""
    return tuple(Layer(tuple(name.split()), others) for name in names)


RENDERED = (
    *("audit.documents", "audit.figures.result_plot", "audit.files", "audit.request.plans"),
    "audit.results",
    *("audit.runs.result_kinds", "audit.suite", "audit.surveys", "audit.tables"),
)
"""What reports may use: parts of documents, the registry of kinds, and what is told of whole runs;
never a folder of one kind of result."""

LAYERS: tuple[tuple[Layer, ...], ...] = (
    (Layer(VOCABULARY),),
    _row("mechanisms.laws", "mechanisms.query_draws", "mechanisms.records", "mechanisms.registry"),
    _row("mechanisms.noise"),
    _row("mechanisms.add_remove"),
    _row("mechanisms.trilemma", "mechanisms.personalized", "mechanisms.subset"),
    _row("mechanisms.as_printed"),
    # The checker shares no code with what it judges.
    _row("proofs_check"),
    # Auditors: never a mechanism's implementation.
    _row(
        "audit.files audit.declaration audit.faults audit.interrupts audit.draws.binomial_tails"
        " audit.results.number_words audit.results.versions audit.results.showing"
        " audit.results.verdict audit.results.document audit.results.plot_parts"
        " audit.results.base_result",
    ),
    # The check of certificates shares nothing with what makes them but their form.
    (
        Layer(
            ("audit.certificate",), (*VOCABULARY, *ENCLOSURES), only=("audit.files.bounded_json",)
        ),
    ),
    _row("audit.results audit.levels", others=(*VOCABULARY, *ENCLOSURES)),
    (
        *_row("audit.documents", others=(*VOCABULARY, "proofs_check.knowledge")),
        *_row("audit.floats", "mechanisms.corpus", others=LAWS),
    ),
    (
        Layer(("audit.targets",), (*LAWS, *NAMES)),
        Layer(("audit.exact.recheck",), only=("audit.certificate", "audit.results.exact_result")),
        Layer(("audit.exact",), (*LAWS, *ENCLOSURES, "proofs_check.smt")),
    ),
    _row("audit.pairs", "audit.draws"),
    (
        *_row("audit.engine", "audit.stability", "audit.screening"),
        Layer(("audit.utility",), (*LAWS, *NAMES)),
        Layer(("audit.accounting",), (*VOCABULARY, *ENCLOSURES, *COMPOSITION)),
    ),
    (
        *_row("audit.runs.session", "audit.scripts", "audit.tracing", "audit.strategies"),
        Layer(("audit.request",), NAMED),
        Layer(("audit.tables",), (*NAMED, "proofs_check.tables")),
    ),
    (Layer(("audit.runs",), NAMED),),
    _row("audit.suite audit.surveys", "audit.figures", others=LEDGER),
    (Layer(("audit.report",), LEDGER, only=RENDERED),),
    (
        *_row("audit.attestation audit.api", others=(*VOCABULARY, "proofs_check.registry")),
        *_row("audit.scaffold", "audit.testing"),
    ),
    _row("audit.cli", others=("mechanisms", "proofs_check")),
)
"""From the lowest to the highest; a package's `__init__` belongs to what lies below it."""

EMPTY = {"mechanisms": (), "audit": ("audit.results.showing",), "proofs_check": ()}
"""Packages whose `__init__` imports nothing but this: importing a part imports nothing beside it.
What is imported for types waits, and so does what is loaded when a name of `audit` is first read.
`audit` tells results where the reports are, so that no result imports one."""

DOORS = {
    "sympy": ("proofs_check.symbolic",),
    "z3": ("proofs_check.smt",),
    "cvc5": ("proofs_check.second_solver.cvc5_answers",),
    "flint": ("proofs_check.enclosure",),
    "click": ("audit.cli",),
    "rich": ("audit.cli",),
    # a run ends its idle workers where it ends: audits, gates and proofs
    "joblib.externals": ("audit.engine.counts.loky", "audit.suite.gate_run", "proofs_check.prove"),
    "distributed": ("audit.engine.counts.cluster",),
    "opendp": ("audit.targets.libraries.opendp",),
    "dp_accounting": ("audit.accounting.peers.dp_accounting",),
    "autodp": ("audit.accounting.peers.autodp",),
    "prv_accountant": ("audit.accounting.peers.prv",),
    "diffprivlib": ("audit.targets.libraries.diffprivlib",),
    "pydp": ("audit.targets.libraries.pydp",),
    "hypothesis": ("audit.strategies",),
    # `Result.plot` names the type of its axes, which only `audit.figures` makes
    "matplotlib": ("audit.figures", "audit.results.base_result"),
}
"""Libraries that only these modules may import: one module or package each, or a reason above."""

INSIDE_FUNCTIONS = (
    *("scipy", "statsmodels", "pandas", "joblib", "cloudpickle", "dask", "distributed", "rich"),
    *("cvc5", "opendp", "diffprivlib", "pydp", "sklearn", "dp_accounting", "autodp"),
    *("prv_accountant", "matplotlib"),
)
"""Libraries that are imported inside functions only, to keep the import of ours light."""

PLAIN = (*(v for v in VOCABULARY if v != "mechanisms.protocols"), "mechanisms.registry")
"""Modules that import the standard library only, outside functions."""

NEVER = ("tests", "benchmarks", "pytest", "_touchstone_pytest", "_pytest", "touchstone_dp")
"""What no module of ours imports."""
