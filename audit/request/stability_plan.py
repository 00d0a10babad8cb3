"""What a request for a test of a sensitivity means: its query, its claim and its pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from audit.faults import users_faults
from audit.pairs.literal import imports_of, literal
from audit.pairs.pair_files import COUNTEREXAMPLE, read_column, read_pair
from audit.pairs.tables.pairs_of_rows import pairs_with_records
from audit.pairs.worst_cases import Pair, pairs_from_records
from audit.request.privacy_plan import find_target, own_records, relation_of, schema_of_request
from audit.request.request import Request, SensitivityQuestion
from audit.request.word_table import NORMS
from audit.stability.claim import StabilityClaim
from audit.stability.norms import Norm
from audit.stability.space import Space, space_of
from audit.targets.domain import Declared, Domain, RecordKind
from audit.targets.libraries.library_imports import version_of
from audit.targets.libraries.opendp_transformation import Transformation, transformation_of
from audit.targets.load import load_target
from audit.targets.tables.table_schema import Schema, Table
from audit.targets.target import Calls, Target
from mechanisms.claims import Order, Relation, Source
from mechanisms.errors import InvalidArgument, InvalidData
from mechanisms.validation import check_bounds, check_choice, exact

__all__ = ["StabilityPlan", "plan_sensitivity"]

OF_LIBRARY = ("norm", "at_most", "count", "order", "low", "high", "domain", "min_size")
"""What a Transformation states itself."""

SCRIPT = """\
# asks about both data sets again; run it in the folder of the search
import numpy as np

import audit
{imported}{made}
data = {data}
neighbor = {neighbor}
print(audit.sensitivity(target, pair=(data, neighbor){words}))
"""


@final
@dataclass(frozen=True, slots=True)
class StabilityPlan:
    """A request that has been understood."""

    request: Request
    """With `sensitivity`."""
    target: Target
    """The query."""
    claim: StabilityClaim
    space: Space
    """The data sets that it is about."""
    transformation: Transformation | None = None
    """What a library states of it."""
    given: tuple[Pair, ...] = ()
    """The user's own pairs."""
    notes: tuple[str, ...] = ()
    """To be told with the result."""

    @property
    def make(self) -> bool:
        """Whether pairs are made."""
        listed = self.claim.relation is Relation.LISTED
        return not listed and (not self.request.pair or self.request.generate)

    def without_sampler(self) -> StabilityPlan:
        """What reports say of it: without the query, its object and the data, so it travels."""
        return replace(self, target=self.target.without_sampler(), transformation=None, given=())

    def script(self, pair: Pair) -> str:
        """A file that asks about a pair again."""
        target, claim = self.target, self.claim
        sides = [pair.data, pair.neighbor]
        if self.space.element in ("String", "bool"):
            sides = [self.space.carried(side) for side in sides]
        data, neighbor = map(literal, sides)
        given = dict(target.parameters)
        also = f", param={given!r}" if given else ""
        named = f"target = audit.load({target.name!r}{also})"
        made = f"{target.made_by}\ntarget = audit.load(mechanism{also})"
        words = {"relation": claim.relation.value, "rows": claim.rows, "strict": True}
        if self.space.domain.schema is not None:  # what the query gets has no units
            words["relation"] = Relation.LISTED.value
        if self.transformation is None:
            words |= {"norm": claim.norm.value, "at_most": str(claim.at_most)}
            words |= {"order": claim.order.value}
        return SCRIPT.format(
            imported="".join(f"{line}\n" for line in imports_of(data, neighbor)),
            made=named if target.mechanism is None else made,
            data=data,
            neighbor=neighbor,
            words="".join(f", {name}={value!r}" for name, value in words.items()),
        )


@users_faults()
def plan_sensitivity(
    request: Request, *, stated_in: str, load: Callable[..., Target] = load_target
) -> StabilityPlan:
    """Find the query, what is claimed of it, and on which data sets.

    Arguments and errors are those of `audit.request.privacy_plan.plan_audit`.
    """
    question = request.sensitivity
    assert question is not None
    question.check()
    request.check()
    target = find_target(request, load)
    _check_query(target)
    schema = schema_of_request(request)
    records = own_records(request, schema)
    if isinstance(records, Table):
        schema = records.schema
    stated = transformation_of(target.found, target.name)
    notes = list(target.notes)
    if schema is not None:
        _check_tables(question, stated)
    if stated is None:
        relation = relation_of(request, schema, target)
        claim = _claim(replace(request, relation=relation), question, target, stated_in)
        domain = _domain(request, question, target, claim, notes, schema)
    else:
        _check_left_out(request, stated)
        claim = _stated_claim(request, question, stated)
        notes.append(stated.words)
        domain = _stated_domain(stated, claim)
    space = space_of(domain, stated)
    given = _given(request, space)
    if records is not None:
        if fault := domain.fault(records):
            msg = f"the records of --data: {fault}"
            raise InvalidData(msg)
        own = (
            pairs_with_records(records, domain)
            if isinstance(records, Table)
            else pairs_from_records(records, domain)
        )
        given += list(space.admitted(own, set()))
    plan = StabilityPlan(request, target, claim, space, stated, tuple(given), tuple(notes))
    if plan.make and space.domain.bounds is None and schema is None:
        msg = (
            f"{target.name} has no bounds to make data sets from: give --low and --high, "
            "--data FILE.csv, or --pair FILE.json"
        )
        raise InvalidArgument(msg)
    return plan


def _check_tables(question: SensitivityQuestion, stated: Transformation | None) -> None:
    """Refuse what has no meaning for tables: their units are what joins, leaves or is replaced."""
    if stated is not None:
        msg = f"{stated.name} states its own domain; leave out --schema"
        raise InvalidArgument(msg)
    if question.count is not None or question.rows > 1:
        word = "--count" if question.count is not None else "--rows"
        msg = f"{word} is about records; with --schema neighbors differ in one unit: leave it out"
        raise InvalidArgument(msg)


def _check_query(target: Target) -> None:
    """Refuse what draws: it has a law for each data set, and no answer."""
    drawn = target.seedable or target.calls is not Calls.ONE or bool(target.command)
    if drawn or target.promise is not None:
        msg = (
            f"{target.name} draws at random, and a sensitivity is that of a query without noise, a "
            "function of the data alone; `touchstone audit` audits what is random"
        )
        raise InvalidArgument(msg)


def _relation(request: Request, known: tuple[str, ...], name: str) -> Relation:
    if request.relation is None and len(known) == 1:
        return Relation(known[0])
    if request.relation is None:
        msg = (
            f"a sensitivity of {name} needs the relation of its neighbors: --relation "
            f"{' or '.join(known)}"
        )
        raise InvalidArgument(msg)
    return Relation(check_choice(request.relation, "relation", known))


def _claim(
    request: Request, question: SensitivityQuestion, target: Target, stated_in: str
) -> StabilityClaim:
    if question.norm is None or question.at_most is None:
        name, others = ("at_most", "NUMBER") if question.norm else ("norm", " or ".join(NORMS))
        msg = f"a sensitivity of {target.name} is claimed with --{name.replace('_', '-')} {others}"
        raise InvalidArgument(msg)
    relation = _relation(request, tuple(Relation), target.name)
    if relation is Relation.LISTED and question.rows > 1:
        msg = "--rows is about neighbors that are made; leave it out with --relation listed"
        raise InvalidArgument(msg)
    if relation is Relation.ADD_REMOVE and question.count is not None:
        msg = "the number of records is not public under add-remove; leave out --count"
        raise InvalidArgument(msg)
    return StabilityClaim(
        Norm(question.norm),
        exact(question.at_most, "at_most"),
        relation,
        Source("user", stated_in),
        target.order,
        question.rows,
        is_strict=question.strict,
    )


def _domain(
    request: Request,
    question: SensitivityQuestion,
    target: Target,
    claim: StabilityClaim,
    notes: list[str],
    schema: Schema | None,
) -> Domain:
    bounds = target.filled_bounds(*request.bounds)
    if bounds is None and request.data is not None and schema is None:
        records = read_column(request.data, request.column, of_tables=True)
        bounds = check_bounds(Fraction(float(records.min())), Fraction(float(records.max())))
        ends = f"low = {float(bounds[0])!r} and high = {float(bounds[1])!r}"
        notes.append(f"{ends} were taken from the data; bounds should be public")
    return Domain(
        claim.relation,
        claim.order,
        bounds,
        min_size=request.min_size,
        count=question.count,
        records=Declared.ANY if request.domain is None else Declared(request.domain),
        rows=claim.rows,
        kind=RecordKind.NUMBERS if schema is None else RecordKind.ROWS,
        schema=schema,
    )


def _check_left_out(request: Request, stated: Transformation) -> None:
    told = request.told()
    wrong = [f"--{name.replace('_', '-')}" for name in OF_LIBRARY if name in told]
    if wrong:
        msg = (
            f"{stated.name} states its own domain, distances and claim; leave out "
            f"{', '.join(wrong)}"
        )
        raise InvalidArgument(msg)


def _stated_claim(
    request: Request, question: SensitivityQuestion, stated: Transformation
) -> StabilityClaim:
    distances = stated.distances()
    relation = _relation(request, tuple(key.value for key in distances), stated.name)
    d_in = distances[relation] * question.rows
    item = f"map({d_in}) under {stated.found.input_metric}"
    at_zero = stated.claimed(0) if stated.order is Order.FREE else None
    return StabilityClaim(
        Norm(stated.norm),
        stated.claimed(d_in),
        relation,
        Source(version_of("opendp"), item),
        stated.order,
        question.rows,
        at_zero,
        is_function=True,
        is_strict=question.strict,
    )


def _stated_domain(stated: Transformation, claim: StabilityClaim) -> Domain:
    bounds = stated.bounds
    return Domain(
        claim.relation,
        claim.order,
        bounds,
        count=stated.count,
        records=Declared.ANY if bounds is None else Declared.DECLARED,
        source="the input domain has none",
        rows=claim.rows,
    )


def _given(request: Request, space: Space) -> list[Pair]:
    """The user's own pairs, in the type of the records."""
    found = []
    for source in request.pair:
        if source == COUNTEREXAMPLE:
            msg = "the word counterexample stands for a pair of a printed form, which draws"
            raise InvalidArgument(msg)
        found.append(pair := space.read(read_pair(source)))
        space.domain.check(pair.label, pair.data, pair.neighbor)
    return found
