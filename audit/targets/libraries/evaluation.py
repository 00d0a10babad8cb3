"""Calls of a table as targets: the expression is evaluated, and its budget is what is audited."""

from __future__ import annotations

import importlib.metadata
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.targets.libraries.call_tables import CallTable, LibraryCall, read_table
from audit.targets.libraries.library_imports import load_library, version_of
from audit.targets.libraries.measurements import offer_of
from audit.targets.libraries.offer import Offer, Pairs, Promise
from mechanisms.claims import ApproxDP, Level, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.group_privacy import under_relation

SHOWN = 200
"""Characters of an error of the library."""


def called(place: str, name: str) -> Any:
    """What a target "TABLE:NAME" stands for: an Offer, or an object without noise."""
    table = read_table(place)
    return object_of(table, table.find(name))


def object_of(table: CallTable, call: LibraryCall) -> Any:
    """Make a call ready.

    Raises InvalidArgument if the library refuses it. Raises MissingExtra if it is not installed.
    """
    names = _names(table)
    if call.release:
        return _released(table, call, names)
    made = _evaluated(call, names)
    offer = offer_of(made, call.name)
    if offer is None:
        return made
    return replace(
        offer,
        claim=None if call.relations else offer.claim,
        promise=_promise(table, call, offer),
        bounds=call.bounds or offer.bounds,
        count=offer.count if call.count is None else call.count,
        domain=call.domain if offer.domain == "any" else offer.domain,
        pairs=call.pairs,
    )


def _promise(table: CallTable, call: LibraryCall, offer: Offer) -> Promise:
    """What the object states, for the pairs of its own where it is about these."""

    def promise(relation: Relation | None, pairs: Pairs) -> PrivacyClaim:
        if call.relations:
            relation = _told(call, relation)
        if offer.promise is not None and relation not in (Relation.ADD_REMOVE, Relation.SWAP):
            return offer.promise(relation, pairs or call.pairs)
        if offer.promise is not None and offer.claim is None:
            return offer.promise(relation, pairs)
        if offer.claim is None:
            msg = f"{call.expression} states no claim with {table.distribution}"
            raise InvalidArgument(msg)
        return offer.claim if relation is None else under_relation(offer.claim, relation)

    return promise


def _told(call: LibraryCall, relation: Relation | None) -> Relation:
    """The relation, where one must be chosen; of a call about its own pairs it is given."""
    if not call.relations and relation in (None, Relation.LISTED):
        return Relation.LISTED
    if relation is None and len(call.relations) == 1:
        return call.relations[0]
    if relation not in call.relations:
        known = " or ".join(f"--relation {one}" for one in call.relations)
        msg = f"{call.name} is called for {known}: {call.source}"
        raise InvalidArgument(msg)
    return relation


def _released(table: CallTable, call: LibraryCall, names: Mapping[str, Any]) -> Offer:
    """A release on data, with the budget that it is given."""
    code = _code(call.expression)
    assert call.epsilon is not None
    level: Level = PureDP(call.epsilon)
    if call.delta is not None:
        level = ApproxDP(call.epsilon, call.delta)
    installed = _installed(table)
    source = Source(installed or table.library, call.expression)

    def releases(data: Any, rng: np.random.Generator) -> Callable[[], Any]:
        state = np.random.RandomState(rng.bit_generator)
        own = {**names, "data": np.array(data, dtype=np.float64), "state": state}
        return partial(eval, code, own)

    def promise(relation: Relation | None, pairs: Pairs) -> PrivacyClaim:  # noqa: ARG001
        return PrivacyClaim(level, _told(call, relation), source)

    return Offer(
        releases,
        table.distribution if installed else "",
        promise=promise,
        seedable="state" in code.co_names,
        bounds=call.bounds,
        count=call.count,
        domain=call.domain,
        domain_source="" if call.domain == "any" else f"{table.place}: {call.source}",
        pairs=call.pairs,
    )


def _installed(table: CallTable) -> str:
    """Name and version of the distribution; "" where none of this name is installed."""
    try:
        return version_of(table.distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


@cache
def _code(expression: str) -> CodeType:
    try:
        return compile(expression, "a table of calls", "eval")
    except SyntaxError as exc:
        msg = f"{expression!r} is no expression: {exc}"
        raise InvalidArgument(msg) from exc


def _evaluated(call: LibraryCall, names: Mapping[str, Any]) -> Any:
    code = _code(call.expression)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return eval(code, dict(names))
    except Exception as exc:
        text = " ".join(str(exc).split())[:SHOWN]
        msg = f"{call.expression} cannot be made: {type(exc).__name__}: {text}"
        raise InvalidArgument(msg) from exc


_prepared: dict[str, dict[str, Any]] = {}


def _names(table: CallTable) -> dict[str, Any]:
    """What the expressions of a table may name; it is prepared once a process."""
    if table.place not in _prepared:
        names: dict[str, Any] = {"np": np, "joined": joined}
        folder = str(Path(table.place).resolve().parent)
        if table.place.endswith(".toml") and folder not in sys.path:
            sys.path.insert(0, folder)  # as of a file of Python
        for name, module in table.imports.items():
            names[name] = load_library(module, table.library)
        if table.prepare:
            eval(table.prepare, names)
        _prepared[table.place] = names
    return _prepared[table.place]


def joined(*parts: Any) -> NDArray[np.float64]:
    """One vector of all numbers of several results: the release of a fitted estimator."""
    return np.concatenate([np.ravel(np.asarray(part, dtype=np.float64)) for part in parts])
