"""Who may import whom: the whole table, as data.

A rule is for a module and all below it; of two rules the one for the longer name counts. `may`
names what may be imported anywhere, `inside` what may be imported inside functions besides. A name
stands for itself and all below it, and each module may import its own package (`own`: a rule with
`siblings=False` may not). Imports under `if TYPE_CHECKING:` count as imports inside functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

VOCABULARY = (
    "mechanisms.claims",
    "mechanisms.group_privacy",
    "mechanisms.implications",
    "mechanisms.noisy_query",
    "mechanisms.weighted_query",
    "mechanisms.protocols",
    "mechanisms.errors",
    "mechanisms.utility_claims",
    "mechanisms.validation",
)
SHARED = (
    *VOCABULARY,
    "mechanisms.laws",
    "mechanisms.noise",
    "mechanisms.query_draws",
    "mechanisms.records",
)
"""What the implementations of every paper may use."""

ENCLOSURES = ("proofs_check.enclosure", "proofs_check.exponential", "proofs_check.rational")
LEDGER = tuple(f"proofs_check.{name}" for name in ("claim", "decide", "prove", "registry", "store"))
ALL_OURS = ("mechanisms", "audit", "proofs_check")


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """What a module, and every module below it, may import of ours."""

    module: str
    may: tuple[str, ...]
    inside: tuple[str, ...] = ()
    siblings: bool = True


RULES = (
    # The vocabulary knows itself only.
    *(Rule(name, VOCABULARY, siblings=False) for name in VOCABULARY),
    Rule("mechanisms.registry", ("mechanisms.claims", "mechanisms.errors"), siblings=False),
    Rule("mechanisms.laws", VOCABULARY, siblings=False),
    Rule("mechanisms.query_draws", VOCABULARY, siblings=False),
    Rule("mechanisms.records", ("mechanisms.errors",), siblings=False),
    # Implementations: the vocabulary, the noise laws, their own paper.
    Rule("mechanisms.noise", (*VOCABULARY, "mechanisms.laws")),
    Rule("mechanisms.add_remove", SHARED),
    Rule("mechanisms.trilemma", SHARED),
    Rule(
        "mechanisms.subset",
        (*SHARED, "mechanisms.add_remove.grid", "mechanisms.add_remove.ratio"),
    ),
    Rule("mechanisms.personalized", SHARED),
    Rule(
        "mechanisms.as_printed",
        (
            *SHARED,
            "mechanisms.add_remove",
            "mechanisms.personalized",
            "mechanisms.subset",
            "mechanisms.trilemma",
        ),
    ),
    # The checker shares no code with what it judges.
    Rule("proofs_check", VOCABULARY),
    Rule("proofs_check.rational", VOCABULARY, siblings=False),
    # Auditors: never a mechanism's implementation, never the command line.
    # Methods of a result that present it are the one arrow upward.
    Rule(
        "audit.result",
        VOCABULARY,
        inside=("audit.report.figures.result", "audit.report.present"),
        siblings=False,
    ),
    Rule("audit.verdict", (*VOCABULARY, "audit.result"), siblings=False),
    Rule("audit.limits", (*VOCABULARY, "audit.levels", "audit.verdict"), siblings=False),
    Rule("audit.declaration", VOCABULARY, siblings=False),
    Rule("audit.session", (), inside=("audit.engine.counts",), siblings=False),
    Rule("audit.domain", VOCABULARY, siblings=False),
    Rule("audit.coverage", (*VOCABULARY, "audit.domain"), siblings=False),
    # The check of certificates shares nothing with what makes them but their form.
    Rule("audit.certificate", (*VOCABULARY, *ENCLOSURES, "audit.bounded_json")),
    Rule("audit.bounded_json", ("mechanisms.errors",), siblings=False),
    Rule("audit.bounded_toml", ("audit.bounded_json", "mechanisms.errors"), siblings=False),
    Rule("audit.rechecked", (*VOCABULARY, "audit.certificate", "audit.verdict"), siblings=False),
    Rule("audit.outcomes", VOCABULARY, siblings=False),
    Rule("audit.tails", (), siblings=False),
    Rule("audit.plain", (), siblings=False),
    Rule("audit.levels", VOCABULARY),
    Rule("audit.words", (*VOCABULARY, "audit.levels"), siblings=False),
    Rule("audit.rounding", (), siblings=False),
    Rule("audit.loading", VOCABULARY, siblings=False),
    *(
        Rule(f"audit.loading.{name}", tuple(f"audit.loading.{one}" for one in may), siblings=False)
        for name, may in (
            ("child", ("journal", "messages", "service")),
            ("service", ("journal", "messages")),
        )
    ),
    Rule("audit.loading.objects", (), siblings=False),
    Rule("audit.loading.binding", (*VOCABULARY, "audit.outcomes", "audit.target"), siblings=False),
    Rule(
        "audit.targets",
        (
            *VOCABULARY,
            "mechanisms.registry",
            "audit.additive",
            "audit.declaration",
            "audit.domain",
            "audit.loading.binding",
            "audit.loading.imported",
            "audit.loading.recipe",
            "audit.target",
        ),
        inside=(
            "audit.adapters.measurements",
            "audit.adapters.offer",
            "audit.adapters.registry",
            "audit.corpus.registry",
        ),
        siblings=False,
    ),
    Rule("audit.target", (*VOCABULARY, "audit.domain"), siblings=False),
    Rule("audit.loading.notebooks", (*VOCABULARY, "audit.bounded_json"), siblings=False),
    Rule(
        "audit.loading.imported",
        (*VOCABULARY, "audit.loading.exits", "audit.loading.notebooks"),
        siblings=False,
    ),
    Rule(
        "audit.loading.recipe",
        (*VOCABULARY, "audit.loading.imported"),
        inside=("audit.targets",),
        siblings=False,
    ),
    Rule("audit.loading.processes", VOCABULARY, siblings=False),
    Rule(
        "audit.loading.external_draw",
        (*VOCABULARY, "audit.outcomes", "audit.loading.processes"),
        siblings=False,
    ),
    Rule(
        "audit.external",
        (*VOCABULARY, "audit.domain", "audit.loading.external_draw", "audit.target"),
        siblings=False,
    ),
    Rule("audit.adapters", (*VOCABULARY, "audit.outcomes")),
    # The literature's mechanisms share no code with ours.
    Rule("audit.corpus", (*VOCABULARY, "mechanisms.laws")),
    *(
        Rule(f"audit.corpus.{name}", ("mechanisms.claims", "audit.corpus.entry"), siblings=False)
        for name in ("entry", "entries", "entries_local")
    ),
    Rule(
        "audit.corpus.registry",
        (
            "mechanisms.errors",
            "audit.corpus.entry",
            "audit.corpus.entries",
            "audit.corpus.entries_local",
        ),
        siblings=False,
    ),
    Rule(
        "audit.engine",
        (
            *VOCABULARY,
            *ENCLOSURES,
            "audit.bounded_json",
            "audit.loading.child",
            "audit.domain",
            "audit.levels",
            "audit.loading.imported",
            "audit.loading.journal",
            "audit.loading.messages",
            "audit.outcomes",
            "audit.tails",
            "audit.target",
            "audit.verdict",
        ),
    ),
    Rule(
        "audit.exact",
        (
            *VOCABULARY,
            *ENCLOSURES,
            "proofs_check.smt",
            "mechanisms.laws",
            "audit.certificate.document",
            "audit.rounding",
            "audit.verdict",
            "audit.target",
        ),
    ),
    Rule(
        "audit.additive",
        (*VOCABULARY, "mechanisms.laws", "mechanisms.registry"),
        inside=("audit.exact.floating",),
        siblings=False,
    ),
    Rule(
        "audit.utility",
        (
            *VOCABULARY,
            "mechanisms.laws",
            "audit.engine.draws",
            "audit.engine.encode",
            "audit.engine.independence",
            "audit.engine.streams",
            "audit.engine.supervisor",
            "audit.engine.witness.literal",
            "audit.outcomes",
            "audit.result",
            "audit.rounding",
            "audit.tails",
            "audit.target",
            "audit.verdict",
        ),
    ),
    Rule("audit.utility.asked", (*VOCABULARY, "audit.levels.word", "audit.words"), siblings=False),
    Rule(
        "audit.utility.noises",
        (*VOCABULARY, "mechanisms.registry", "audit.target", "audit.utility"),
    ),
    Rule(
        "audit.utility.plan",
        (
            *VOCABULARY,
            "mechanisms.registry",
            "audit.data",
            "audit.external",
            "audit.request",
            "audit.target",
            "audit.targets",
            "audit.utility",
        ),
    ),
    Rule(
        "audit.utility.run",
        (*VOCABULARY, "audit.engine.supervisor", "audit.run", "audit.utility"),
    ),
    Rule("audit.tracing", (*VOCABULARY, "audit.engine.betting")),
    # What a user asks for, on the way from the command line, or from Python, to the engine.
    Rule("audit.arrays", (*VOCABULARY, "audit.data", "audit.engine.neighbors"), siblings=False),
    Rule("audit.keywords", VOCABULARY, siblings=False),
    Rule(
        "audit.call",
        (
            *VOCABULARY,
            "audit.arrays",
            "audit.levels",
            "audit.loading.objects",
            "audit.request",
            "audit.target",
            "audit.targets",
            "audit.utility.asked",
            "audit.words",
        ),
        siblings=False,
    ),
    Rule(
        "audit.api",
        (
            *VOCABULARY,
            "audit.call",
            "audit.keywords",
            "audit.session",
            "audit.target",
            "audit.verdict",
        ),
        inside=ALL_OURS,
        siblings=False,
    ),
    Rule(
        "audit.scripts",
        ("audit.engine.events", "audit.utility.laws", "audit.utility.noises"),
        siblings=False,
    ),
    Rule(
        "audit.data",
        (*VOCABULARY, "audit.bounded_json", "audit.engine.neighbors"),
        siblings=False,
    ),
    Rule("audit.adversarial", (*VOCABULARY, "audit.domain", "audit.engine.neighbors")),
    Rule(
        "audit.pairs",
        (
            *VOCABULARY,
            "audit.adversarial",
            "audit.data",
            "audit.domain",
            "audit.engine",
            "audit.target",
        ),
        siblings=False,
    ),
    Rule(
        "audit.request",
        (*VOCABULARY, "audit.domain", "audit.levels", "audit.utility.asked", "audit.words"),
        inside=("audit.data", "audit.engine.neighbors"),
        siblings=False,
    ),
    Rule(
        "audit.plan",
        (
            *VOCABULARY,
            "audit.data",
            "audit.domain",
            "audit.engine.neighbors",
            "audit.external",
            "audit.pairs",
            "audit.request",
            "audit.levels",
            "audit.target",
            "audit.targets",
        ),
        siblings=False,
    ),
    Rule(
        "audit.run",
        (
            *VOCABULARY,
            "audit.coverage",
            "audit.engine",
            "audit.exact",
            "audit.external",
            "audit.limits",
            "audit.plan",
            "audit.rechecked",
            "audit.request",
            "audit.targets",
            "audit.utility",
            "audit.verdict",
        ),
        siblings=False,
    ),
    Rule(
        "audit.config",
        (
            *VOCABULARY,
            "audit.bounded_toml",
            "audit.data",
            "audit.declaration",
            "audit.loading.imported",
            "audit.request",
            "audit.levels",
            "audit.titles",
            "audit.utility.asked",
            "audit.words",
        ),
        siblings=False,
    ),
    Rule("audit.titles", (*VOCABULARY, "audit.request"), siblings=False),
    Rule(
        "audit.shares",
        (*VOCABULARY, "audit.config", "audit.plan", "audit.utility"),
        siblings=False,
    ),
    Rule(
        "audit.strategies", (*VOCABULARY, "audit.domain", "audit.engine.neighbors", "audit.levels")
    ),
    # What a gate takes from earlier runs, and the first configuration.
    Rule(
        "audit.changes",
        (*VOCABULARY, "audit.bounded_json", "audit.config", "audit.data"),
        inside=ALL_OURS,
    ),
    Rule(
        "audit.baseline",
        (
            *VOCABULARY,
            "audit.bounded_json",
            "audit.levels",
            "audit.plain",
            "audit.utility.result",
            "audit.verdict",
        ),
        inside=ALL_OURS,
    ),
    Rule(
        "audit.nights",
        (*VOCABULARY, "audit.bounded_json", "audit.engine.nights", "audit.night_records"),
        inside=ALL_OURS,
        siblings=False,
    ),
    Rule("audit.night_records", (*VOCABULARY, "audit.verdict"), siblings=False),
    Rule(
        "audit.history",
        (
            *VOCABULARY,
            "audit.baseline",
            "audit.changes",
            "audit.suite",
            "audit.config",
            "audit.nights",
            "audit.shares",
            "audit.utility.plan",
            "audit.verdict",
        ),
        inside=ALL_OURS,
        siblings=False,
    ),
    Rule(
        "audit.scaffold",
        (
            *VOCABULARY,
            "audit.config",
            "audit.declaration",
            "audit.domain",
            "audit.engine.draws",
            "audit.engine.supervisor",
            "audit.engine.streams",
            "audit.loading.imported",
            "audit.outcomes",
            "audit.plan",
            "audit.target",
        ),
    ),
    # Gate, tests, reports and commands: anything, inside functions.
    Rule("audit.in_tests", (*VOCABULARY, "audit.verdict"), inside=ALL_OURS, siblings=False),
    Rule(
        "audit.suite.run",
        (
            *VOCABULARY,
            "audit.suite",
            "audit.config",
            "audit.plan",
            "audit.proofs",
            "audit.run",
            "audit.shares",
            "audit.tables",
            "audit.utility",
            "audit.verdict",
        ),
        inside=ALL_OURS,
        siblings=False,
    ),
    Rule("audit.suite.exits", ("audit.utility.result", "audit.verdict"), siblings=False),
    Rule(
        "audit.suite.outcome",
        (
            "audit.baseline.compare",
            "audit.changes.select",
            "audit.config",
            "audit.proofs",
            "audit.result",
            "audit.shares",
            "audit.suite.exits",
            "audit.tables",
            "audit.utility.result",
            "audit.verdict",
        ),
        siblings=False,
    ),
    Rule(
        "audit.suite.preparation",
        (*VOCABULARY, "audit.config", "audit.history", "audit.suite.run"),
        siblings=False,
    ),
    Rule("audit.suite", ()),
    Rule("audit.versions", (), inside=ALL_OURS, siblings=False),
    Rule("audit.proofs", (*VOCABULARY, "audit.suite.exits"), inside=ALL_OURS, siblings=False),
    Rule(
        "audit.tables",
        (*VOCABULARY, "audit.bounded_json", "audit.suite.exits"),
        inside=ALL_OURS,
        siblings=False,
    ),
    *(
        Rule(
            f"audit.report.{name}",
            (*VOCABULARY, "audit.report", "audit.verdict", *LEDGER),
            inside=ALL_OURS,
        )
        for name in ("ledger_text", "ledger_json", "ledger_md")
    ),
    Rule(
        "audit.report",
        (
            *VOCABULARY,
            "audit.levels",
            "audit.plain",
            "audit.plan",
            "audit.proofs",
            "audit.result",
            "audit.rounding",
            "audit.run",
            "audit.shares",
            "audit.suite",
            "audit.tables",
            "audit.tails",
            "audit.utility",
            "audit.verdict",
            "audit.versions",
        ),
        inside=ALL_OURS,
    ),
    Rule(
        "audit.cli.progress",
        (*VOCABULARY, "audit.config", "audit.proofs", "audit.suite.outcome", "audit.tables"),
        siblings=False,
    ),
    Rule(
        "audit.cli",
        (
            *VOCABULARY,
            "audit.bounded_json",
            "audit.levels.word",
            "audit.session",
            "audit.verdict",
            "audit.words",
        ),
        inside=ALL_OURS,
    ),
)
"""Direction of imports among our own modules; packages' `__init__` fall under their own rule."""

EMPTY = ("mechanisms", "audit", "proofs_check")
"""Packages whose `__init__` imports nothing: importing a part imports nothing beside it. What is
imported for types waits, and so does what is loaded when a name of `audit` is first read."""

DOORS = {
    "sympy": ("proofs_check.symbolic",),
    "z3": ("proofs_check.smt",),
    "flint": ("proofs_check.enclosure",),
    "click": ("audit.cli",),
    "rich": ("audit.cli",),
    "joblib.externals": ("audit.engine.counts.loky", "audit.suite.run", "proofs_check.prove"),
    "distributed": ("audit.engine.counts.cluster",),
    "opendp": ("audit.adapters.opendp", "audit.adapters.opendp_measurement"),
    "diffprivlib": ("audit.adapters.diffprivlib", "audit.adapters.diffprivlib_noise"),
    "pydp": ("audit.adapters.pydp", "audit.adapters.pydp_noise"),
    "hypothesis": ("audit.strategies",),
    "matplotlib": ("audit.report.figures", "audit.result"),
}
"""Libraries that only these modules may import."""

INSIDE_FUNCTIONS = (
    "scipy",
    "statsmodels",
    "pandas",
    "joblib",
    "cloudpickle",
    "dask",
    "distributed",
    "rich",
    "opendp",
    "diffprivlib",
    "pydp",
    "sklearn",
    "matplotlib",
)
"""Libraries that are imported inside functions only, to keep the import of ours light."""

PLAIN = (*(v for v in VOCABULARY if v != "mechanisms.protocols"), "mechanisms.registry")
"""Modules that import the standard library only, outside functions."""

NEVER = ("tests", "benchmarks", "pytest", "_touchstone_pytest", "_pytest", "touchstone_dp")
"""What no module of ours imports."""
