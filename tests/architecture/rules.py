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
        inside=("audit.figures.result", "audit.report.present"),
        siblings=False,
    ),
    Rule("audit.verdict", (*VOCABULARY, "audit.result"), siblings=False),
    Rule("audit.limits", (*VOCABULARY, "audit.levels", "audit.verdict"), siblings=False),
    Rule("audit.declaration", VOCABULARY, siblings=False),
    Rule("audit.session", (), inside=("audit.engine.counts",), siblings=False),
    Rule("audit.targets.domain", VOCABULARY, siblings=False),
    Rule("audit.pairs.coverage", (*VOCABULARY, "audit.targets.domain"), siblings=False),
    # The check of certificates shares nothing with what makes them but their form.
    Rule("audit.certificate", (*VOCABULARY, *ENCLOSURES, "audit.bounded_json")),
    Rule("audit.bounded_json", ("mechanisms.errors",), siblings=False),
    Rule("audit.bounded_toml", ("audit.bounded_json", "mechanisms.errors"), siblings=False),
    Rule("audit.recheck", (*VOCABULARY, "audit.certificate", "audit.verdict"), siblings=False),
    Rule("audit.targets.outcomes", VOCABULARY, siblings=False),
    Rule("audit.tails", (), siblings=False),
    Rule("audit.plain", (), siblings=False),
    Rule("audit.levels", VOCABULARY),
    Rule("audit.request.words", (*VOCABULARY, "audit.levels"), siblings=False),
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
    Rule(
        "audit.targets.bind",
        (*VOCABULARY, "audit.targets.outcomes", "audit.targets.target"),
        siblings=False,
    ),
    Rule(
        "audit.targets.load",
        (
            *VOCABULARY,
            "mechanisms.registry",
            "audit.targets.additive",
            "audit.declaration",
            "audit.targets.domain",
            "audit.targets.bind",
            "audit.targets.modules",
            "audit.targets.recipe",
            "audit.targets.target",
        ),
        inside=(
            "audit.targets.libraries.measurements",
            "audit.targets.libraries.offer",
            "audit.targets.libraries.registry",
            "audit.corpus.registry",
        ),
        siblings=False,
    ),
    Rule("audit.targets.target", (*VOCABULARY, "audit.targets.domain"), siblings=False),
    Rule("audit.targets.notebooks", (*VOCABULARY, "audit.bounded_json"), siblings=False),
    Rule(
        "audit.targets.modules",
        (*VOCABULARY, "audit.targets.exits", "audit.targets.notebooks"),
        siblings=False,
    ),
    Rule(
        "audit.targets.recipe",
        (*VOCABULARY, "audit.targets.modules"),
        inside=("audit.targets.load",),
        siblings=False,
    ),
    Rule("audit.targets.processes", VOCABULARY, siblings=False),
    Rule(
        "audit.targets.external_draw",
        (*VOCABULARY, "audit.targets.outcomes", "audit.targets.processes"),
        siblings=False,
    ),
    Rule(
        "audit.targets.command",
        (
            *VOCABULARY,
            "audit.targets.domain",
            "audit.targets.external_draw",
            "audit.targets.target",
        ),
        siblings=False,
    ),
    Rule("audit.targets.libraries", (*VOCABULARY, "audit.targets.outcomes")),
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
            "audit.targets.child",
            "audit.targets.domain",
            "audit.levels",
            "audit.targets.modules",
            "audit.targets.journal",
            "audit.targets.messages",
            "audit.targets.outcomes",
            "audit.tails",
            "audit.targets.target",
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
            "audit.targets.target",
        ),
    ),
    Rule(
        "audit.targets.additive",
        (*VOCABULARY, "mechanisms.laws", "mechanisms.registry"),
        inside=("audit.floats",),
        siblings=False,
    ),
    Rule(
        "audit.utility",
        (
            *VOCABULARY,
            "mechanisms.laws",
            "audit.draws.blocks",
            "audit.draws.encode",
            "audit.draws.independence",
            "audit.draws.streams",
            "audit.draws.supervisor",
            "audit.pairs.literal",
            "audit.targets.outcomes",
            "audit.result",
            "audit.rounding",
            "audit.tails",
            "audit.targets.target",
            "audit.verdict",
        ),
    ),
    Rule(
        "audit.request.errors",
        (*VOCABULARY, "audit.levels.word", "audit.request.words"),
        siblings=False,
    ),
    Rule(
        "audit.utility.noises",
        (*VOCABULARY, "mechanisms.registry", "audit.targets.target", "audit.utility"),
    ),
    Rule(
        "audit.request.error_plan",
        (
            *VOCABULARY,
            "mechanisms.registry",
            "audit.pairs.data",
            "audit.targets.command",
            "audit.request.request",
            "audit.targets.target",
            "audit.targets.load",
            "audit.utility",
        ),
    ),
    Rule(
        "audit.run_errors",
        (*VOCABULARY, "audit.draws.supervisor", "audit.run", "audit.utility"),
    ),
    Rule("audit.tracing", (*VOCABULARY, "audit.engine.betting")),
    # What a user asks for, on the way from the command line, or from Python, to the engine.
    Rule(
        "audit.arrays", (*VOCABULARY, "audit.pairs.data", "audit.pairs.neighbors"), siblings=False
    ),
    Rule("audit.keywords", VOCABULARY, siblings=False),
    Rule(
        "audit.call",
        (
            *VOCABULARY,
            "audit.arrays",
            "audit.levels",
            "audit.loading.objects",
            "audit.request.request",
            "audit.targets.target",
            "audit.targets.load",
            "audit.request.errors",
            "audit.request.words",
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
            "audit.targets.target",
            "audit.verdict",
        ),
        inside=ALL_OURS,
        siblings=False,
    ),
    Rule(
        "audit.scripts",
        ("audit.draws.events", "audit.utility.laws", "audit.utility.noises"),
        siblings=False,
    ),
    Rule(
        "audit.pairs.data",
        (*VOCABULARY, "audit.bounded_json", "audit.pairs.neighbors"),
        siblings=False,
    ),
    Rule("audit.pairs.adversarial", (*VOCABULARY, "audit.targets.domain", "audit.pairs.neighbors")),
    Rule(
        "audit.pairs.given",
        (
            *VOCABULARY,
            "audit.pairs.adversarial",
            "audit.pairs.data",
            "audit.targets.domain",
            "audit.engine",
            "audit.targets.target",
        ),
        siblings=False,
    ),
    Rule(
        "audit.request.request",
        (
            *VOCABULARY,
            "audit.targets.domain",
            "audit.levels",
            "audit.request.errors",
            "audit.request.words",
        ),
        inside=("audit.pairs.data", "audit.pairs.neighbors"),
        siblings=False,
    ),
    Rule(
        "audit.request.plan",
        (
            *VOCABULARY,
            "audit.pairs.data",
            "audit.targets.domain",
            "audit.pairs.neighbors",
            "audit.targets.command",
            "audit.pairs.given",
            "audit.request.request",
            "audit.levels",
            "audit.targets.target",
            "audit.targets.load",
        ),
        siblings=False,
    ),
    Rule(
        "audit.run",
        (
            *VOCABULARY,
            "audit.pairs.coverage",
            "audit.engine",
            "audit.exact",
            "audit.targets.command",
            "audit.limits",
            "audit.request.plan",
            "audit.recheck",
            "audit.request.request",
            "audit.targets.load",
            "audit.utility",
            "audit.verdict",
        ),
        siblings=False,
    ),
    Rule(
        "audit.request.configuration",
        (
            *VOCABULARY,
            "audit.bounded_toml",
            "audit.pairs.data",
            "audit.declaration",
            "audit.targets.modules",
            "audit.request.request",
            "audit.levels",
            "audit.request.titles",
            "audit.request.errors",
            "audit.request.words",
        ),
        siblings=False,
    ),
    Rule("audit.request.titles", (*VOCABULARY, "audit.request.request"), siblings=False),
    Rule(
        "audit.suite.shares",
        (*VOCABULARY, "audit.request.configuration", "audit.request.plan", "audit.utility"),
        siblings=False,
    ),
    Rule(
        "audit.strategies",
        (*VOCABULARY, "audit.targets.domain", "audit.pairs.neighbors", "audit.levels"),
    ),
    # What a gate takes from earlier runs, and the first configuration.
    Rule(
        "audit.suite.changes",
        (*VOCABULARY, "audit.bounded_json", "audit.request.configuration", "audit.pairs.data"),
        inside=ALL_OURS,
    ),
    Rule(
        "audit.suite.baseline",
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
        "audit.suite.nights",
        (*VOCABULARY, "audit.bounded_json", "audit.engine.nights", "audit.suite.night_records"),
        inside=ALL_OURS,
        siblings=False,
    ),
    Rule("audit.suite.night_records", (*VOCABULARY, "audit.verdict"), siblings=False),
    Rule(
        "audit.suite.history",
        (
            *VOCABULARY,
            "audit.suite.baseline",
            "audit.suite.changes",
            "audit.suite",
            "audit.request.configuration",
            "audit.suite.nights",
            "audit.suite.shares",
            "audit.request.error_plan",
            "audit.verdict",
        ),
        inside=ALL_OURS,
        siblings=False,
    ),
    Rule(
        "audit.scaffold",
        (
            *VOCABULARY,
            "audit.request.configuration",
            "audit.declaration",
            "audit.targets.domain",
            "audit.draws.blocks",
            "audit.draws.supervisor",
            "audit.draws.streams",
            "audit.targets.modules",
            "audit.targets.outcomes",
            "audit.request.plan",
            "audit.targets.target",
        ),
    ),
    # Gate, tests, reports and commands: anything, inside functions.
    Rule("audit.testing", (*VOCABULARY, "audit.verdict"), inside=ALL_OURS, siblings=False),
    Rule(
        "audit.suite.run",
        (
            *VOCABULARY,
            "audit.suite",
            "audit.request.configuration",
            "audit.request.plan",
            "audit.suite.proofs",
            "audit.run",
            "audit.suite.shares",
            "audit.suite.tables",
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
            "audit.suite.baseline.compare",
            "audit.suite.changes.select",
            "audit.request.configuration",
            "audit.suite.proofs",
            "audit.result",
            "audit.suite.shares",
            "audit.suite.exits",
            "audit.suite.tables",
            "audit.utility.result",
            "audit.verdict",
        ),
        siblings=False,
    ),
    Rule(
        "audit.suite.preparation",
        (*VOCABULARY, "audit.request.configuration", "audit.suite.history", "audit.suite.run"),
        siblings=False,
    ),
    Rule("audit.suite", ()),
    Rule("audit.versions", (), inside=ALL_OURS, siblings=False),
    Rule("audit.suite.proofs", (*VOCABULARY, "audit.suite.exits"), inside=ALL_OURS, siblings=False),
    Rule(
        "audit.suite.tables",
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
            "audit.request.plan",
            "audit.suite.proofs",
            "audit.result",
            "audit.rounding",
            "audit.run",
            "audit.suite.shares",
            "audit.suite",
            "audit.suite.tables",
            "audit.tails",
            "audit.utility",
            "audit.verdict",
            "audit.versions",
        ),
        inside=ALL_OURS,
    ),
    Rule(
        "audit.cli.progress",
        (
            *VOCABULARY,
            "audit.request.configuration",
            "audit.suite.proofs",
            "audit.suite.outcome",
            "audit.suite.tables",
        ),
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
            "audit.request.words",
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
    "opendp": ("audit.targets.libraries.opendp", "audit.targets.libraries.opendp_measurement"),
    "diffprivlib": (
        "audit.targets.libraries.diffprivlib",
        "audit.targets.libraries.diffprivlib_noise",
    ),
    "pydp": ("audit.targets.libraries.pydp", "audit.targets.libraries.pydp_noise"),
    "hypothesis": ("audit.strategies",),
    "matplotlib": ("audit.figures", "audit.result"),
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
