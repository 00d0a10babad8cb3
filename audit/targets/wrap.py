"""Objects at hand as targets: mechanisms, classes of them, callables, objects of libraries."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.declaration import declaration_of
from audit.faults import attribute, has, reading, users_faults
from audit.targets.bind import (
    BOUNDS,
    bind,
    check_synchronous,
    exact_argument,
    fresh_copy,
    missing_bounds,
    own_bounds,
    plain,
)
from audit.targets.domain import Declared, declared_by
from audit.targets.file_state import state_of
from audit.targets.modules import library_of
from audit.targets.recipe import Draw, DrawAtHand
from audit.targets.target import Calls, Target
from mechanisms.claims import Order, PrivacyClaim
from mechanisms.errors import InvalidArgument
from mechanisms.registry import MECHANISMS
from mechanisms.validation import Number, check_bounds, check_integer, shown

if TYPE_CHECKING:
    from audit.targets.libraries.offer import Offer

UNSEEDABLE = frozenset({"ksw.release-mean"})
"""Registered mechanisms that draw from the operating system's source."""


@users_faults()
def target_of(
    mechanism: Any,
    name: str,
    *,
    parameters: Mapping[str, Any] | None = None,
    order: Order | None = None,
    low: Fraction | None = None,
    high: Fraction | None = None,
    budgets: tuple[Number, ...] = (),
    made_by: str = "",
) -> Target:
    """Wrap an object at hand: a mechanism, a class of them, or a plain callable.

    `mechanism`: the object. Its sampler stays in this process. `name`: what reports call it.
    `parameters`, `order`, `low`, `high`, `budgets`: as in `load_target`. `made_by`: lines of Python
    that make it in a script, under the name `mechanism`. Raises InvalidArgument if it is none of
    these, or its arguments do not fit.
    """
    asked = asked_words(low, high, budgets)
    target = wrapped(mechanism, name, plain_words(parameters or {}), asked, order)
    words = {"parameters": parameters, "order": order, "low": low, "high": high}
    wrap = partial(_wrapped_again, mechanism, name, **words, budgets=budgets)
    made = target.found
    seedable = target.seedable and registered_as(made) not in UNSEEDABLE
    draw = DrawAtHand(target.draw, wrap)
    return replace(target, draw=draw, mechanism=made, made_by=made_by, seedable=seedable)


def _wrapped_again(mechanism: Any, name: str, **words: Any) -> Draw:
    """Wrap the object in the process that reads the pickle."""
    return target_of(mechanism, name, **words).draw


def can_draw(found: Any, name: str) -> bool:
    """Whether an object at hand may be a target; of a class its objects tell."""
    return callable(found) or _is_sampler(found) or _offer_of(found, name) is not None


def registered_as(mechanism: Any) -> str:
    """A registry name of an object's class; "" where it has none."""
    path = f"{type(mechanism).__module__}:{type(mechanism).__name__}"
    return next((name for name, entry in MECHANISMS.items() if entry.path == path), "")


def wrapped(
    found: Any, spec: str, given: dict[str, Any], asked: dict[str, Any], order: Order | None
) -> Target:
    """Wrap an object of the user's, with what is declared of it."""
    told = declaration_of(found)
    if told is None:
        return _of_user(found, spec, given, asked, order)
    low, high = told.bounds or (None, None)
    own = asked_words(low, high, ()) | asked
    target = _of_user(found, spec, given, own, order or told.order)
    return replace(target, claim=target.claim or told.claim, bounds=target.bounds or told.bounds)


def _of_user(
    found: Any, spec: str, given: dict[str, Any], asked: dict[str, Any], order: Order | None
) -> Target:
    """Wrap an object of the user's: a mechanism, a class of them, or any callable."""
    parameters, is_class = given, inspect.isclass(found)
    if is_class:
        try:
            missing = missing_bounds(found, given)
        except ValueError as exc:
            msg = f"the arguments of {spec} cannot be read ({exc}); make an object in a file"
            raise InvalidArgument(msg) from exc
        parameters = given | {key: asked[key] for key in missing if key in asked}
        found, given = instance_of(found, spec, parameters)
    offer = _offer_of(found, spec)
    finished = offer is not None or _is_mechanism(found) or _is_sampler(found)
    if given and not is_class and finished:
        msg = f"{spec} is a finished mechanism: it has no parameter {', '.join(given)} to set"
        raise InvalidArgument(msg)
    if offer is not None:
        return replace(offered(offer, spec, parameters, order), found=found)
    if _is_mechanism(found) or _is_sampler(found):
        return replace(of_mechanism(found, spec, parameters, order), state=state_of(found))
    if not callable(found):
        msg = (
            f"{spec} must be callable, or have sample(data, size, *, rng), "
            f"got an object of type {type(found).__name__}"
        )
        raise InvalidArgument(msg)
    filled = {key: asked[key] for key in missing_bounds(found, given) if key in asked}
    given, parameters = given | filled, parameters | filled
    draw, seedable, calls = bind(found, spec, given)
    return Target(
        name=spec,
        draw=draw,
        claim=None,
        order=order or Order.FREE,
        seedable=seedable,
        bounds=own_bounds(found, given),
        parameters=parameters,
        library=library_of(found),
        calls=calls,
        found=found,
        state=state_of(found),
    )


def of_mechanism(
    mechanism: Any, name: str, parameters: dict[str, Any], order: Order | None
) -> Target:
    """Wrap an object that has a sampler, and a claim unless the user states it."""
    check_synchronous(mechanism.sample, name)
    claim = attribute(mechanism, "claim")
    if _is_mechanism(mechanism) and not isinstance(claim, PrivacyClaim):
        msg = f"the claim of {name} must be a PrivacyClaim, got {claim!r}"
        raise InvalidArgument(msg)

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return mechanism.sample(fresh_copy(data), size, rng=rng)

    claimless = not _is_mechanism(mechanism)  # any form of `sample` will do
    bound = bind(mechanism.sample, name, {}) if claimless else (draw, True, Calls.MANY)
    drawn, seedable, calls = bound
    low, high = (attribute(mechanism, key) for key in BOUNDS)
    with reading(mechanism, "low and high"):
        bounds = None if low is None or high is None else check_bounds(low, high)
    return Target(
        name=name,
        draw=drawn,
        claim=claim,
        bounds=bounds,
        parameters=parameters,
        library=library_of(type(mechanism)),
        domain=declared_by(mechanism, name),
        calls=calls,
        found=mechanism,
        **declarations_of(mechanism, order=order, seedable=seedable),
    )


def _offer_of(found: Any, name: str) -> Offer | None:
    from audit.targets.libraries.measurements import offer_of

    return offer_of(found, name)


def offered(offer: Offer, name: str, parameters: dict[str, Any], order: Order | None) -> Target:
    """Wrap an object of a library that states its budget."""
    return Target(
        name=name,
        draw=lambda data, size, rng: offer.sample(data, size, rng=rng),
        claim=offer.claim,
        promise=offer.promise,
        order=order or offer.order,
        seedable=offer.seedable,
        bounds=offer.bounds,
        parameters=parameters,
        library=offer.library or None,
        count=offer.count,
        domain=Declared(offer.domain),
        domain_source=offer.domain_source,
        pairs=tuple(offer.pairs),
    )


def instance_of(kind: type[Any], name: str, given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Make an object of a class; what is left over is for the object's own call, if it has one."""
    known = inspect.signature(kind).parameters
    is_function = any("__call__" in vars(base) for base in kind.__mro__)
    rest = {key: value for key, value in given.items() if is_function and key not in known}
    arguments = {key: exact_argument(value) for key, value in given.items() if key not in rest}
    try:
        inspect.signature(kind).bind(**arguments)
    except TypeError as exc:
        names = ", ".join(known) or "none"
        msg = f"{name} cannot be made: {exc}; set its parameters ({names}) with --param NAME=VALUE"
        raise InvalidArgument(msg) from exc
    with users_faults(kind, "__init__"):
        return kind(**arguments), rest


def plain_words(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a target, as what they stand for."""
    return {key: plain(value) for key, value in parameters.items()}


def asked_words(
    low: Fraction | None, high: Fraction | None, budgets: tuple[Number, ...]
) -> dict[str, Any]:
    """Bounds and budgets of the claim, for targets that take them."""
    public = {"low": low, "high": high, "budgets": ", ".join(map(str, budgets)) or None}
    return plain_words({key: value for key, value in public.items() if value is not None})


def _is_mechanism(found: Any) -> bool:
    return has(found, "claim") and callable(attribute(found, "sample"))


def _is_sampler(found: Any) -> bool:
    return not callable(found) and callable(attribute(found, "sample"))


def _truth(value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise TypeError
    return bool(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _range(value: Any) -> Any:
    if value is None:
        return None
    low, high = _two(value)
    return check_bounds(low, high)


def _two(value: Any) -> tuple[Any, Any]:
    if not isinstance(value, tuple | list):
        raise TypeError
    first, second = value
    return first, second


def _pair(value: Any) -> Any:
    return None if value is None else _two(value)


def _count(value: Any) -> Any:
    return None if value is None else check_integer(value, "count", at_least=0)


READERS: Mapping[str, tuple[Callable[[Any], Any], str]] = {
    "order": (Order, f"one of {', '.join(Order)}"),
    "seedable": (_truth, "True or False"),
    "record_range": (_range, "a pair of numbers, or None"),
    "count": (_count, "an integer of at least 0, or None"),
    "counterexample": (_pair, "a pair of data sets, or None"),
    "placeholder": (_truth, "True or False"),
    "domain_source": (_text, "text"),
}
"""How each attribute is read, and what it must be."""


def declarations_of(
    mechanism: Any, *, order: Order | None = None, seedable: bool = True
) -> dict[str, Any]:
    """Attributes of a mechanism, by the names that `Target` has for them; only those it has.

    `mechanism`: the object. `order`: what the user says in its place. `seedable`: what it is where
    it does not say. Raises InvalidArgument if an attribute is none of what it must be. Raises
    TargetFault if it raises.
    """
    told: dict[str, Any] = {"seedable": seedable}
    for name, (read, must_be) in READERS.items():
        value = attribute(mechanism, name, _MISSING)
        if value is not _MISSING and (name != "order" or order is None):
            told[name] = _read(mechanism, name, value, read, must_be)
    return told | ({} if order is None else {"order": order})


_MISSING = object()


def _read(mechanism: Any, name: str, value: Any, read: Callable[[Any], Any], must_be: str) -> Any:
    with reading(mechanism, name):
        try:
            return read(value)
        except (TypeError, ValueError) as exc:
            msg = f"{name} must be {must_be}, got {shown(value)}"
            raise InvalidArgument(msg) from exc
