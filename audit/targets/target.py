"""Something to draw from: what every kind of target becomes before it is audited."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, final

import numpy as np

from audit.targets.domain import Declared, Domain, RecordKind
from audit.targets.tables.table_schema import Schema
from mechanisms.claims import Order, PersonalizedDP, PrivacyClaim, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_bounds

NO_SAMPLER = "this target is only told of in a result; load it again to draw from it"


class Calls(StrEnum):
    """What a target does when it is asked for many draws."""

    MANY = "many"
    """It makes them in one call."""
    ONE = "one"
    """It is called once for each."""
    START = "start"
    """A program is started, which may take far longer than the draws."""


@final
@dataclass(frozen=True, slots=True)
class Target:
    """Something to draw from.

    Parameters
    ----------
    name : str
        As the user gave it.
    draw : callable (data, size, rng) -> outputs
        `size` outputs along the first axis, made from a fresh copy of the data. An exception, or
        an exception among the outputs, is an outcome.
    claim : PrivacyClaim or None
        Its own promise.
    order : Order
        How it reads the data.
    seedable : bool
        Whether the generator determines the outputs.
    bounds : (Fraction, Fraction) or None
        Its public bounds low and high.
    parameters : mapping
        What `load_target` needs besides the name to make it again; plain values.
    library : str or None
        Distribution that is audited, where there is one.
    pairs : tuple of (data, neighbor)
        Its own listed pairs; none for most targets.
    ledger : tuple of str
        Ids of the claims of the ledger about it; none but for registered mechanisms.
    promise : callable (relation, pairs) -> PrivacyClaim, or None
        Its own promise where that depends on which data sets are neighbors, or on how far apart
        listed pairs are.
    record_range : (Fraction, Fraction) or None
        Between which numbers records matter to it, where it says so and these are not its bounds.
    count : int or None
        The public number of records that its data must have, where it says so.
    counterexample : (data, neighbor) or None
        A pair known to break the claim of a printed form at these parameters.
    placeholder : bool
        Whether NaN is a record that is missing.
    domain : Declared
        What it declares of its records.
    domain_source : str
        Who says so, in words; "" where it is the user.
    found : Any
        The object that draws, as it was found or made: it is asked for what it states of itself,
        so that nothing is made a second time. None of a command.
    mechanism : Any
        The object, where it is no object of a name: see `target_of`.
    made_by : str
        Lines of Python that make `mechanism` in a script, for the witness of such an object; of a
        command those that make the target.
    command : tuple of str
        Words of an external command (`audit.targets.command`); none for other targets.
    notes : tuple of str
        What a reader of a report should know of how it was found.
    calls : Calls
        What it does when it is asked for many draws.
    given : mapping
        The words that `audit.load` found it with.
    again : callable or None
        Loads it again, with other arguments of `load_target`.
    schema : Schema or None
        Of its data, where these are tables.
    state : str
        Attributes of the user's object, in words: it is another one where they differ.
    """

    name: str
    draw: Callable[[Any, int, np.random.Generator], Any]
    claim: PrivacyClaim | None
    order: Order = Order.FREE
    seedable: bool = True
    bounds: tuple[Fraction, Fraction] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    library: str | None = None
    pairs: tuple[tuple[Any, Any], ...] = ()
    ledger: tuple[str, ...] = ()
    promise: Callable[[Relation | None, Sequence[tuple[Any, Any]]], PrivacyClaim] | None = None
    record_range: tuple[Fraction, Fraction] | None = None
    count: int | None = None
    counterexample: tuple[Any, Any] | None = None
    placeholder: bool = False
    domain: Declared = Declared.ANY
    domain_source: str = ""
    found: Any = None
    mechanism: Any = None
    made_by: str = ""
    command: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    calls: Calls = Calls.MANY
    given: Mapping[str, Any] = field(default_factory=dict)
    again: Callable[..., Target] | None = None
    schema: Schema | None = None
    state: str = ""

    def __getstate__(self) -> list[Any]:
        """It travels without the object: whoever draws elsewhere has its own."""
        return [None if item.name == "found" else getattr(self, item.name) for item in fields(self)]

    def without_sampler(self) -> Target:
        """What reports say of it: without what draws, which need not travel."""
        told: dict[str, Any] = {"promise": None, "again": None, "pairs": ()}
        return replace(self, draw=_drawn_no_more, found=None, mechanism=None, **told)

    def filled_bounds(
        self, low: Fraction | None, high: Fraction | None
    ) -> tuple[Fraction, Fraction] | None:
        """The user's bounds, each filled up from the target's own.

        Raises InvalidArgument if there is one without the other, or low exceeds high.
        """
        own_low, own_high = self.bounds or (None, None)
        low = own_low if low is None else low
        high = own_high if high is None else high
        if low is None and high is None:
            return None
        if low is None or high is None:
            given, other = ("--high", "--low") if low is None else ("--low", "--high")
            msg = f"{given} needs {other}: {self.name} has no bounds of its own"
            raise InvalidArgument(msg)
        return check_bounds(low, high)


def _drawn_no_more(*_: Any) -> Any:
    """The sampler of a target that was audited and is only told of."""
    raise InvalidArgument(NO_SAMPLER)


def domain_of(target: Target, claim: PrivacyClaim, min_size: int = 0) -> Domain:
    """The data sets that a claim about a target is about.

    `target`: its bounds, order and public number of records, and what it declares. `claim`: its
    relation; a personalized one has one record for each user, or at most one. `min_size`: fewest
    records.
    """
    kind, count, most = RecordKind.NUMBERS, target.count, None
    if isinstance(claim.level, PersonalizedDP):
        users = len(claim.level.budgets)
        if claim.relation is Relation.ADD_REMOVE:
            kind, most = RecordKind.MEMBERS, users
        else:
            count = users
    if target.schema is not None:
        kind = RecordKind.ROWS
    return Domain(
        claim.relation,
        target.order,
        target.bounds,
        min_size=min_size,
        max_size=most,
        count=count,
        kind=kind,
        records=target.domain,
        source=target.domain_source,
        placeholder=target.placeholder,
        schema=target.schema,
    )
