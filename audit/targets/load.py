"""What can be audited: registered mechanisms, adapters, the corpus, the user's own objects.

A target is named by a registry name ("ksw.shifted-laplace"), an adapter ("opendp.laplace"), a
mechanism of the corpus ("corpus.svt-1"), an attribute of a module ("pkg.mod:attr"), of a file
("file.py:attr") or of a notebook ("notebook.ipynb:attr").
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.declaration import declaration_of
from audit.faults import attribute, has, reading, users_faults
from audit.targets.additive import PREFIX, noisy_number
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
from audit.targets.declarations import declarations_of
from audit.targets.domain import Declared, declared_by
from audit.targets.modules import find_object, library_of
from audit.targets.recipe import Draw, DrawAtHand, LoadedDraw, Recipe
from audit.targets.target import Calls, Target
from audit.targets.written import state_of
from mechanisms.claims import Order, PrivacyClaim
from mechanisms.errors import InvalidArgument
from mechanisms.registry import MECHANISMS, NOISES, build_mechanism
from mechanisms.validation import Number, check_bounds

if TYPE_CHECKING:
    from audit.targets.libraries.offer import Offer

__all__ = ["can_draw", "load_mechanism", "load_target", "mechanism_of", "target_of"]

STATEMENTS = (
    *("exact_law", "noisy_query", "weighted_query", "threshold_laws", "epsilon_exact"),
    *("noise_values", "utility_claims", "utility_claims_under"),
)
"""Methods by which a mechanism states its law, or its errors."""

UNSEEDABLE = frozenset({"ksw.release-mean"})
"""Registered mechanisms that draw from the operating system's source."""


@users_faults()
def load_target(
    spec: str,
    *,
    parameters: Mapping[str, Any] | None = None,
    order: Order | None = None,
    low: Fraction | None = None,
    high: Fraction | None = None,
    budgets: tuple[Number, ...] = (),
) -> Target:
    """Find and wrap what the user named.

    Parameters
    ----------
    spec : str
        A registry name, an adapter, a name of the corpus, "pkg.mod:attr", "file.py:attr" or
        "notebook.ipynb:attr".
    parameters : mapping
        Arguments of the mechanism or function; text such as "5/3" is a number.
    order : Order or None
        How to read the data; None for the target's own declaration, and FREE for a function.
    low, high : Fraction or None
        Public bounds, passed on where the target has such arguments.
    budgets : tuple of Number
        Of a personalized claim, passed on where the target has such an argument: how many users
        there are is a part of both.

    Raises
    ------
    InvalidArgument
        If there is no such target, or its arguments do not fit.
    """
    recipe = Recipe(spec, dict(parameters or {}), order, low, high, str(Path.cwd()), budgets)
    target = _loaded(spec, parameters or {}, order, low, high, budgets)
    return replace(target, draw=LoadedDraw(target.draw, recipe, _load_again))


_draws_of_recipes: dict[bytes, Draw] = {}
"""Samplers of this process by their recipe: each is loaded once."""


def _load_again(recipe: Recipe) -> Draw:
    """Load the target in the process that reads the pickle."""
    key = recipe.key
    if key not in _draws_of_recipes:
        if recipe.folder not in sys.path:
            sys.path.insert(0, recipe.folder)
        _draws_of_recipes[key] = load_target(
            recipe.absolute,
            parameters=recipe.parameters,
            order=recipe.order,
            low=recipe.low,
            high=recipe.high,
            budgets=recipe.budgets,
        ).draw
    return _draws_of_recipes[key]


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
    asked = _asked(low, high, budgets)
    target = _wrapped(mechanism, name, _plain(parameters or {}), asked, order)
    words = {"parameters": parameters, "order": order, "low": low, "high": high}
    wrap = partial(_wrapped_again, mechanism, name, **words, budgets=budgets)
    if inspect.isclass(mechanism):
        mechanism, _ = _instance(mechanism, name, target.parameters)
    seedable = target.seedable and _registered_as(mechanism) not in UNSEEDABLE
    draw = DrawAtHand(target.draw, wrap)
    return replace(target, draw=draw, mechanism=mechanism, made_by=made_by, seedable=seedable)


def _wrapped_again(mechanism: Any, name: str, **words: Any) -> Draw:
    """Wrap the object in the process that reads the pickle."""
    return target_of(mechanism, name, **words).draw


def can_draw(found: Any, name: str) -> bool:
    """Whether an object at hand may be a target; of a class its objects tell."""
    return callable(found) or _is_sampler(found) or _offer_of(found, name) is not None


def mechanism_of(target: Target, *, corpus: bool = False) -> tuple[Any, bool]:
    """Find what a target states of itself.

    `corpus`: whether mechanisms of the corpus count; beside samples their laws are left out.
    Returns `mechanism`: the object. `floating_point`: whether it draws in plain double precision.
    Raises InvalidArgument as `load_mechanism` does.
    """
    if target.command:
        raise InvalidArgument(_states_no_law(target.name))
    if target.mechanism is None:
        if corpus and _is_in_corpus(target.name):
            from audit.corpus.registry import build_corpus

            return build_corpus(target.name, **_plain(target.parameters)), True
        return load_mechanism(target.name, parameters=target.parameters)
    if not _may_state(target.mechanism):
        raise InvalidArgument(_states_no_law(target.name))
    entry = MECHANISMS.get(_registered_as(target.mechanism))
    return target.mechanism, entry is None or entry.floating_point


def _registered_as(mechanism: Any) -> str:
    """A registry name of an object's class; "" where it has none."""
    path = f"{type(mechanism).__module__}:{type(mechanism).__name__}"
    return next((name for name, entry in MECHANISMS.items() if entry.path == path), "")


@users_faults()
def load_mechanism(spec: str, *, parameters: Mapping[str, Any]) -> tuple[Any, bool]:
    """Find a mechanism for what it states of itself.

    `spec`: as for `load_target`. `parameters`: those of the loaded target, bounds included. Returns
    `mechanism`: the object. `floating_point`: whether it draws in plain double precision. Raises
    InvalidArgument if the target is no registered mechanism, and no mechanism of the user's.
    """
    given = _plain(parameters)
    if spec in MECHANISMS:
        return build_mechanism(spec, **given), MECHANISMS[spec].floating_point
    if _is_noise(spec):
        mechanism = noisy_number(spec, **given)
        return mechanism, not hasattr(mechanism.noise, "pmf")
    if not (_is_adapter(spec) or _is_in_corpus(spec)):
        found, _ = find_object(spec)
        if inspect.isclass(found):
            found, _ = _instance(found, spec, given)
        if _may_state(found):
            return found, True
    raise InvalidArgument(_states_no_law(spec))


def _states_no_law(name: str) -> str:
    return f"{name} is no mechanism that states its law; leave out --mode exact"


def _loaded(
    spec: str,
    parameters: Mapping[str, Any],
    order: Order | None,
    low: Fraction | None,
    high: Fraction | None,
    budgets: tuple[Number, ...],
) -> Target:
    """Find the target; its sampler cannot travel yet."""
    given, asked = _plain(parameters), _asked(low, high, budgets)
    if spec in MECHANISMS:
        return _registered(spec, given, asked, order)
    if _is_adapter(spec):
        return _adapter(spec, given, asked, order)
    if _is_in_corpus(spec):
        return _from_corpus(spec, given, order)
    if _is_noise(spec):
        mechanism = noisy_number(spec, **given)
        return replace(_mechanism(mechanism, spec, given, order), pairs=mechanism.pairs)
    found, notes = find_object(spec, _names())
    return replace(_wrapped(found, spec, given, asked, order), notes=notes)


def _wrapped(
    found: Any, spec: str, given: dict[str, Any], asked: dict[str, Any], order: Order | None
) -> Target:
    """Wrap an object of the user's, with what is declared of it."""
    told = declaration_of(found)
    if told is None:
        return _of_user(found, spec, given, asked, order)
    low, high = told.bounds or (None, None)
    own = _asked(low, high, ()) | asked
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
        found, given = _instance(found, spec, parameters)
    offer = _offer_of(found, spec)
    finished = offer is not None or _is_mechanism(found) or _is_sampler(found)
    if given and not is_class and finished:
        msg = f"{spec} is a finished mechanism: it has no parameter {', '.join(given)} to set"
        raise InvalidArgument(msg)
    if offer is not None:
        return _offered(offer, spec, parameters, order)
    if _is_mechanism(found) or _is_sampler(found):
        return replace(_mechanism(found, spec, parameters, order), state=state_of(found))
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
        state=state_of(found),
    )


def _plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {key: plain(value) for key, value in parameters.items()}


def _asked(
    low: Fraction | None, high: Fraction | None, budgets: tuple[Number, ...]
) -> dict[str, Any]:
    """Bounds and budgets of the claim, for targets that take them."""
    public = {"low": low, "high": high, "budgets": ", ".join(map(str, budgets)) or None}
    return _plain({key: value for key, value in public.items() if value is not None})


def _registered(
    name: str, given: dict[str, Any], asked: dict[str, Any], order: Order | None
) -> Target:
    arguments = _accepted(MECHANISMS[name].path, asked) | given
    target = _mechanism(build_mechanism(name, **arguments), name, arguments, order)
    seedable = target.seedable and name not in UNSEEDABLE
    return replace(target, seedable=seedable, ledger=MECHANISMS[name].claims)


def _accepted(path: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Those of the bounds and budgets that a class "module:attribute" has among its parameters."""
    module, _, attribute = path.partition(":")
    known = inspect.signature(getattr(importlib.import_module(module), attribute)).parameters
    return {key: value for key, value in asked.items() if key in known}


def _mechanism(
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
        **declarations_of(mechanism, order=order, seedable=seedable),
    )


def _names() -> list[str]:
    """Names of targets that are no path."""
    from audit.corpus.registry import CORPUS
    from audit.targets.libraries.registry import ADAPTERS

    return [*MECHANISMS, *ADAPTERS, *CORPUS, *(f"{PREFIX}{name}" for name in NOISES)]


def _is_adapter(name: str) -> bool:
    from audit.targets.libraries.registry import ADAPTERS

    return name in ADAPTERS


def _adapter(
    name: str, given: dict[str, Any], asked: dict[str, Any], order: Order | None
) -> Target:
    from audit.targets.libraries.registry import ADAPTERS, build_adapter

    known = ADAPTERS[name].parameters
    arguments = {key: value for key, value in asked.items() if key in known} | given
    return _offered(build_adapter(name, **arguments), name, arguments, order)


def _is_noise(name: str) -> bool:
    return name.startswith(PREFIX) and name.removeprefix(PREFIX) in NOISES


def _is_in_corpus(name: str) -> bool:
    from audit.corpus.registry import CORPUS

    return name in CORPUS


def _from_corpus(name: str, given: dict[str, Any], order: Order | None) -> Target:
    from audit.corpus.registry import build_corpus

    mechanism = build_corpus(name, **given)
    return replace(_mechanism(mechanism, name, given, order), pairs=mechanism.pairs)


def _offer_of(found: Any, name: str) -> Offer | None:
    from audit.targets.libraries.measurements import offer_of

    return offer_of(found, name)


def _offered(offer: Offer, name: str, parameters: dict[str, Any], order: Order | None) -> Target:
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
        library=offer.library,
        count=offer.count,
        domain=Declared(offer.domain),
        domain_source=offer.domain_source,
    )


def _is_mechanism(found: Any) -> bool:
    return has(found, "claim") and callable(attribute(found, "sample"))


def _may_state(found: Any) -> bool:
    """Whether an object may state a law; one whose claim is the user's must do so."""
    if not callable(attribute(found, "sample")):
        return False
    own = declaration_of(found) is not None or has(found, "claim")
    return own or any(has(found, name) for name in STATEMENTS)


def _is_sampler(found: Any) -> bool:
    return not callable(found) and callable(attribute(found, "sample"))


def _instance(kind: type[Any], name: str, given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
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
