"""What a survey goes through: each call of a table under each relation, and what has no call."""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass, replace
from typing import Any, final

from audit.levels.claim_constructors import STATED_IN
from audit.request.privacy_plan import PrivacyPlan, plan_audit
from audit.request.request import Request, SensitivityQuestion
from audit.request.stability_plan import StabilityPlan, plan_sensitivity
from audit.surveys.library_constructors import constructors_of, constructors_of_module
from audit.surveys.survey_result import RESOLUTION
from audit.targets.libraries.call_tables import SHIPPED, TABLES, CallTable, LibraryCall, read_table
from audit.targets.libraries.evaluation import object_of
from audit.targets.libraries.offer import Offer
from mechanisms.claims import Relation
from mechanisms.errors import TouchstoneError

__all__ = ["Scope", "SurveyCase", "plan_of", "scope_of"]

NO_ARGUMENTS = "no arguments known: no row of the table calls it"
"""Why a constructor of a library with a table is not audited, where the table does not say."""

NO_CLAIM = "no claim stated: it takes a budget, and says neither of what nor for which neighbors"
"""The same of another module: what is promised is not guessed."""

PLAINEST, SCREENED = 4, 512
"""Pairs that are bet on beside the three that screening finds, and candidates of these: a fourth of
what an audit takes of either. The four calls that tests/audit/screening/test_libraries.py refutes
are refuted with them (docs/reference/survey.md)."""

FEWEST_SCREENED = 16
"""Candidates of a slow call: chosen, a few of each family."""

SENSITIVITY_PAIRS = 1_500
"""Pairs of a call without noise: they reach every family (docs/how-to/sensitivity.md names them),
and a survey has some forty such calls."""


@final
@dataclass(frozen=True, slots=True)
class SurveyCase:
    """One row before it is run."""

    name: str
    constructor: str
    """As of a `SurveyRow`."""
    target: str = ""
    """What commands call it; empty where it is not audited."""
    kind: str = "none"
    """One of "audit", "sensitivity" and "none"."""
    call: LibraryCall | None = None
    """What the table says of it."""
    relation: Relation | None = None
    """Under which it is audited."""
    why_not: str = ""
    """Why it is not."""

    @property
    def relations(self) -> int:
        """Relations under which its call is audited."""
        return 1 if self.call is None else max(1, len(self.call.relations))


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """All rows of a survey."""

    name: str
    """What was asked for."""
    distribution: str
    version: str
    """What is installed; empty for a module of no distribution."""
    cases: tuple[SurveyCase, ...]
    """In the order of the table, then what has no call."""

    @property
    def sharing(self) -> int:
        """Rows that can raise a false alarm: those from samples."""
        return sum(case.kind == "audit" for case in self.cases)

    @property
    def subject(self) -> str:
        """Library and version."""
        return f"{self.distribution} {self.version}" if self.version else self.name


def scope_of(name: str, rows: str | None = None) -> Scope:
    """All rows of a library that has a table, of a module, or of a user's own table.

    `name`: one of `TABLES`, or a module. `rows`: a table of the user's, whose calls come first.
    Raises TouchstoneError if a table cannot be read, or the library is not installed.
    """
    tables = [] if rows is None else [read_table(rows)]
    if name in TABLES:
        tables.append(read_table(f"{SHIPPED}{name}"))
    cases = [case for table in tables for case in _called(table)]
    own_table = next((table for table in tables if table.library == name and table.modules), None)
    known: dict[str, bool]
    if own_table is None:
        known = constructors_of_module(name)
    else:
        known = dict.fromkeys(constructors_of(own_table), False)
    left_out = {key: why for table in tables for key, why in table.left_out.items()}
    has_call = {case.constructor for case in cases}
    for own, claims in known.items():
        if own not in has_call:
            why_not = left_out.get(own, NO_ARGUMENTS if own_table is not None else "")
            cases.append(_uncalled(name, own, why_not, claims=claims))
    distribution = tables[-1].distribution if tables else name.partition(".")[0]
    return Scope(name, distribution, _version(distribution), tuple(_unique(cases)))


def _unique(cases: list[SurveyCase]) -> list[SurveyCase]:
    """The first case of each name: a user's own call takes the place of a shipped one."""
    return list({case.name: case for case in reversed(cases)}.values())[::-1]


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _called(table: CallTable) -> list[SurveyCase]:
    """The calls of a table, each under each of its relations."""
    cases = []
    for call in table.calls:
        target = f"{table.place}:{call.name}"
        try:
            kind, why_not = (
                "audit" if isinstance(object_of(table, call), Offer) else "sensitivity",
                "",
            )
        except TouchstoneError as exc:
            kind, why_not = "none", str(exc)
        for relation in call.relations or (None,):
            is_open = len(call.relations) > 1
            name = f"{call.name} ({relation.value})" if is_open and relation else call.name
            cases.append(SurveyCase(name, call.constructor, target, kind, call, relation, why_not))
    return cases


def _uncalled(module: str, name: str, why_not: str, *, claims: bool) -> SurveyCase:
    """A constructor that no row of a table calls; one with a claim of its own needs none."""
    if why_not:
        return SurveyCase(name, name, why_not=why_not)
    if not claims:
        return SurveyCase(name, name, why_not=NO_CLAIM)
    return SurveyCase(name, name, f"{module}:{name}", "audit")


def plan_of(
    case: SurveyCase,
    *,
    samples: int | None = None,
    resolution: float | None = None,
    ideal: bool = False,
) -> PrivacyPlan | StabilityPlan:
    """Understand one row that is to be audited.

    A row about its own pairs has the resolution of every audit, unless another is asked for.

    Raises TouchstoneError if it cannot be: the row says why.
    """
    relation = None if case.relation is None else case.relation.value
    words: dict[str, Any] = {"relation": relation}
    if case.kind == "sensitivity":
        question = SensitivityQuestion(budget_pairs=SENSITIVITY_PAIRS)
        request = Request(case.target, sensitivity=question, **words)
        return plan_sensitivity(request, stated_in=STATED_IN)
    if case.call is not None:
        words["min_size"] = case.call.min_size
        samples = None if samples is None else max(1, samples // case.call.steps)
    words |= {"budget_samples": samples, "resolution": resolution, "ideal": ideal}
    plan = plan_audit(Request(case.target, **words), stated_in=STATED_IN)
    if plan.claim.relation is Relation.LISTED:
        return plan
    resolution = RESOLUTION if resolution is None else resolution
    steps = 1 if case.call is None else case.call.steps
    screened = max(FEWEST_SCREENED, SCREENED // steps)
    request = replace(plan.request, screen=screened, resolution=resolution)
    return replace(plan, request=request, pairs=plan.pairs[:PLAINEST])
