"""What a request means: its target, its claim and its pairs, before the first draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from audit.faults import users_faults
from audit.levels import line_of
from audit.levels.statement import stated_level, statements
from audit.pairs.pair_files import COUNTEREXAMPLE, RowsAtHand, read_column, read_pair
from audit.pairs.pair_sources import find_pairs
from audit.request.request import Request
from audit.targets.command import DOMAIN_OF_JSON, load_command, of_tables, seeded
from audit.targets.domain import Declared, Domain
from audit.targets.load import load_target, takes_numbers
from audit.targets.tables.draw import TableDraw
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_forms import given
from audit.targets.tables.table_rows import table_of
from audit.targets.tables.table_schema import Form, Schema, Table
from audit.targets.target import Target, domain_of
from mechanisms.claims import (
    Level,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    Relation,
    Source,
)
from mechanisms.errors import InvalidArgument
from mechanisms.group_privacy import under_relation
from mechanisms.validation import check_bounds, check_choice, exact, shown

if TYPE_CHECKING:
    from audit.pairs.worst_cases import Pair

__all__ = [
    "PrivacyPlan",
    "find_target",
    "own_records",
    "plan_audit",
    "relation_of",
    "schema_of_request",
]


@final
@dataclass(frozen=True, slots=True)
class PrivacyPlan:
    """A request that has been understood: every name found, every file read."""

    request: Request
    target: Target
    claim: PrivacyClaim
    pairs: tuple[Pair, ...]
    domain: Domain
    notes: tuple[str, ...] = ()

    def without_sampler(self) -> PrivacyPlan:
        """What reports say of it: without the sampler, its object and the data, so it travels."""
        return replace(self, target=self.target.without_sampler(), pairs=())


LARGEST_BUDGET = 10**300
"""Of a row that holds a record and its budget."""

OF_COMMANDS, OF_ALL = (Form.JSON, Form.CSV), (Form.VALUES,)
"""Forms of tables that commands get, and those that both get."""


@users_faults()
def plan_audit(
    request: Request,
    *,
    stated_in: str,
    load: Callable[..., Target] = load_target,
    claim: PrivacyClaim | None = None,
) -> PrivacyPlan:
    """Find the target, its claim and its pairs.

    `request`: what the user asks for. `stated_in`: where a claim of the user's was stated, for its
    source. `load`: finds the target: `load_target`, or one with its arguments for an object at
    hand. `claim`: what is claimed, with its source, in place of what the words of the request
    state. Raises TouchstoneError if anything is missing, contradictory or out of its domain.
    """
    level = stated_level(**request.stated, budgets=request.budgets)
    request.check()
    schema = schema_of_request(request)
    records = own_records(request, schema)
    if isinstance(records, Table):
        schema = records.schema
    low, high = request.bounds
    if request.low is not None and request.high is not None:
        check_bounds(request.low, request.high)
    target = find_target(request, load)
    notes = list(target.notes)
    relation = relation_of(request, schema, target)
    claim = claim or _claim(replace(request, relation=relation), target, level, stated_in)
    if isinstance(claim.level, PersonalizedDP):
        for budget in claim.level.budgets:  # records may stand beside them, in double precision
            if budget > LARGEST_BUDGET:
                msg = f"--budgets must be at most 10^300, got {shown(budget)}"
                raise InvalidArgument(msg)
        target = _with_places(target, claim.relation, request.order)
    if request.profile:
        _check_profile(request, claim)
    bounds = _places(target.filled_bounds(low, high), target)
    if bounds is None and isinstance(records, np.ndarray):
        bounds = (exact(float(records.min())), exact(float(records.max())))
        ends = f"low = {float(bounds[0])!r} and high = {float(bounds[1])!r}"
        notes.append(f"{ends} were taken from the data; a mechanism's bounds should be public")
    target = replace(target, bounds=bounds)
    if request.domain is not None:
        target = replace(target, domain=Declared(request.domain), domain_source="")
    if schema is not None:
        target = _of_schema(replace(target, bounds=None), schema)
    domain = domain_of(target, claim, request.min_size)
    pairs = find_pairs(
        target,
        claim,
        domain,
        files=request.pair,
        generate=request.generate,
        records=records,
        adversarial=request.adversarial and request.mode != "exact",
    )
    if takes_numbers(target):
        for pair in pairs:
            for name, side in (("data", pair.data), ("neighbor", pair.neighbor)):
                if not _are_numbers(side):
                    msg = f"{pair.label}: {target.name} takes numbers, got {name}={shown(side)}"
                    raise InvalidArgument(msg)
    if request.command:
        target = seeded(target, pairs[0].data, pairs[0].neighbor)
    return PrivacyPlan(request, target, claim, tuple(pairs), domain, tuple(notes))


def find_target(request: Request, load: Callable[..., Target] = load_target) -> Target:
    """Find what a request names, told what it says of order, bounds and budgets."""
    if request.command:
        load = partial(load_command, timeout=request.timeout)
    order, (low, high) = request.order, request.bounds
    return load(
        request.command or request.target,
        parameters=request.param,
        order=None if order is None else Order(check_choice(order, "order", tuple(Order))),
        low=low,
        high=high,
        budgets=request.budgets,
    )


def schema_of_request(request: Request) -> Schema | None:
    """The schema that a request names, with what the target gets; None where data are records.

    Raises InvalidArgument if a command is to get objects of Python, or a function its input; raises
    MissingExtra if what makes a table in this form is not installed.
    """
    if request.schema is None:
        return None
    schema = read_schema(request.schema)
    takes = schema.takes if request.takes is None else Form(request.takes)
    if request.command and takes is Form.PANDAS and request.takes is None:
        takes = Form.JSON
    known = [
        form.value
        for form in Form
        if form in OF_ALL or (form in OF_COMMANDS) == bool(request.command)
    ]
    if takes.value not in known:
        who = "a command" if request.command else "what is called in Python"
        msg = f"takes must be one of {', '.join(known)} for {who}, got takes={takes.value!r}"
        raise InvalidArgument(msg)
    schema = replace(schema, takes=takes)
    given(Table(schema, ()))  # what is not installed is missed here, and not at the first draw
    return schema


def relation_of(request: Request, schema: Schema | None, target: Target) -> str | None:
    """The relation that a request asks for, by its own word or by that of its schema.

    Raises InvalidArgument if two of the words, the schema's and the target's own, contradict each
    other.
    """
    asked = request.relation
    if schema is None or schema.relation is None or asked == Relation.LISTED:
        return asked
    own = schema.relation.value
    if asked is not None and asked != own:
        msg = f"the schema says relation = {own!r}, got relation={asked!r}"
        raise InvalidArgument(msg)
    if not request.stated and asked is None and target.claim is not None:
        claimed = target.claim.relation.value
        if claimed != own:
            msg = f"the schema says relation = {own!r}, and the target claims {claimed!r}"
            raise InvalidArgument(msg)
        return None
    return own


def _of_schema(target: Target, schema: Schema) -> Target:
    """A target that gets tables."""
    target = replace(target, schema=schema)
    if target.command:
        target = of_tables(target, schema.takes)
        if target.domain_source == DOMAIN_OF_JSON:  # CSV has a word for NaN
            target = replace(target, domain=Declared.ANY, domain_source="")
    return replace(target, draw=TableDraw(target.draw))


def own_records(request: Request, schema: Schema | None) -> NDArray[np.float64] | Table | None:
    """The user's own records, or rows of a table.

    Raises InvalidData if they are none of the schema's.
    """
    data = request.data
    if data is None:
        return None
    if schema is None:
        return read_column(data, request.column, of_tables=True)
    return table_of(schema, data.rows if isinstance(data, RowsAtHand) else data, str(data))


def _places(
    bounds: tuple[Fraction, Fraction] | None, target: Target
) -> tuple[Fraction, Fraction] | None:
    """Where records of pairs lie: between the bounds, unless the target's own are of other things.

    A user's bounds that the target does not take are about the records.
    """
    of_target = bounds is None or target.bounds is not None
    return target.record_range if of_target and target.record_range is not None else bounds


def _claim(request: Request, target: Target, level: Level | None, stated_in: str) -> PrivacyClaim:
    relation = None
    if request.relation is not None:
        relation = Relation(check_choice(request.relation, "relation", tuple(Relation)))
    own = target.claim
    if level is None:
        if target.promise is not None:
            files = [path for path in request.pair if path != COUNTEREXAMPLE]
            pairs = [read_pair(path) for path in files]
            return target.promise(relation, [(pair.data, pair.neighbor) for pair in pairs])
        if own is None:
            msg = (
                f"{target.name} makes no claim of its own; state one with {statements()}, "
                "and --relation"
            )
            raise InvalidArgument(msg)
        return own if relation is None else under_relation(own, relation)
    if relation is None and own is None:
        msg = (
            f"a claim about {target.name} needs its relation: --relation add-remove (the number "
            "of records is private), swap (public) or listed (with --pair)"
        )
        raise InvalidArgument(msg)
    if relation is None:
        assert own is not None
        relation = own.relation
    return PrivacyClaim(level, relation, Source("user", stated_in))


def _with_places(target: Target, relation: Relation, order: str | None) -> Target:
    """A budget belongs to a place among the records, so their order counts.

    Where users join and leave, it stands beside the record.
    """
    if relation is Relation.ADD_REMOVE:  # rows that hold their budget
        return target
    if order == Order.FREE:
        msg = "a personalized claim is about records in the order of the budgets: order is fixed"
        raise InvalidArgument(msg)
    return replace(target, order=Order.FIXED)


def _are_numbers(side: Any) -> bool:
    """Whether a data set is a number, or numbers in a list or an array."""
    try:
        np.asarray(side, dtype=np.float64)
        values = np.asarray(side)
    except (TypeError, ValueError, OverflowError):
        return False
    return values.dtype.kind in "biuf" or (
        values.dtype.kind == "O" and all(isinstance(x, Real) for x in values.flat)
    )


def _check_profile(request: Request, claim: PrivacyClaim) -> None:
    if line_of(claim.level) is None:
        msg = (
            "--profile goes with a pure or approximate claim, "
            f"got {claim.level} (type {type(claim.level).__name__})"
        )
        raise InvalidArgument(msg)
    if request.mode == "bound":
        msg = "--profile is a part of --mode sequential; leave it out with --mode bound"
        raise InvalidArgument(msg)
