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
from pathlib import Path
from typing import Any

from audit.declaration import declaration_of
from audit.faults import attribute, has, is_ours, users_faults
from audit.targets.modules import find_object
from audit.targets.noisy_number import PREFIX, noisy_number
from audit.targets.recipe import Draw, LoadedDraw, Recipe
from audit.targets.target import Target
from audit.targets.wrap import (
    UNSEEDABLE,
    asked_words,
    of_mechanism,
    offered,
    plain_words,
    registered_as,
    wrapped,
)
from mechanisms.claims import Order
from mechanisms.errors import InvalidArgument
from mechanisms.registry import MECHANISMS, NOISES, build_mechanism
from mechanisms.validation import Number

STATEMENTS = (
    *("exact_law", "noisy_query", "weighted_query", "private_steps", "threshold_laws"),
    *("epsilon_exact", "noise_values", "utility_claims", "utility_claims_under"),
)
"""Methods by which a mechanism states its law, or its errors."""


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
    target = _loaded(recipe)
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
def mechanism_of(target: Target, *, corpus: bool = False) -> tuple[Any, bool]:
    """Find what a target states of itself: of the object that draws, which is made once.

    `corpus`: whether mechanisms of the corpus count; beside samples their laws are left out.
    Returns `mechanism`: the object. `floating_point`: whether it draws in plain double precision.
    Raises InvalidArgument if the target is no registered mechanism, and no mechanism of the user's.
    """
    mechanism, name = target.found, target.name
    if target.mechanism is not None:
        entry = MECHANISMS.get(registered_as(mechanism))
        if _may_state(mechanism):
            return mechanism, entry is None or entry.floating_point
    elif target.command or _is_adapter(name):
        pass
    elif name in MECHANISMS:
        return mechanism, MECHANISMS[name].floating_point
    elif _is_noise(name):
        return mechanism, not hasattr(mechanism.noise, "pmf")
    elif corpus if _is_in_corpus(name) else _may_state(mechanism):
        return mechanism, True
    msg = f"{name} is no mechanism that states its law; leave out --mode exact"
    raise InvalidArgument(msg)


def takes_numbers(target: Target) -> bool:
    """Whether a target is built in: such mechanisms take numbers, and nothing else."""
    if target.mechanism is not None:
        return is_ours(target.mechanism)
    name = target.name
    built_in = name in MECHANISMS or _is_noise(name) or _is_in_corpus(name)
    return built_in and not target.command


def _loaded(recipe: Recipe) -> Target:
    """Find the target; its sampler cannot travel yet."""
    spec, order = recipe.spec, recipe.order
    given = plain_words(recipe.parameters)
    asked = asked_words(recipe.low, recipe.high, recipe.budgets)
    if spec in MECHANISMS:
        entry = MECHANISMS[spec]
        module, _, name = entry.path.partition(":")
        known = inspect.signature(getattr(importlib.import_module(module), name)).parameters
        given = {key: value for key, value in asked.items() if key in known} | given
        target = of_mechanism(build_mechanism(spec, **given), spec, given, order)
        seedable = target.seedable and spec not in UNSEEDABLE
        return replace(target, seedable=seedable, ledger=entry.claims)
    if _is_adapter(spec):
        from audit.targets.libraries.adapters import ADAPTERS, build_adapter

        taken = ADAPTERS[spec].parameters
        given = {key: value for key, value in asked.items() if key in taken} | given
        return offered(build_adapter(spec, **given), spec, given, order)
    if _is_in_corpus(spec) or _is_noise(spec):
        from mechanisms.corpus.registry import build_corpus

        build = build_corpus if _is_in_corpus(spec) else noisy_number
        mechanism = build(spec, **given)
        return replace(of_mechanism(mechanism, spec, given, order), pairs=mechanism.pairs)
    found, notes = find_object(spec, _names())
    return replace(wrapped(found, spec, given, asked, order), notes=notes)


def _names() -> list[str]:
    """Names of targets that are no path."""
    from audit.targets.libraries.adapters import ADAPTERS
    from mechanisms.corpus.registry import CORPUS

    return [*MECHANISMS, *ADAPTERS, *CORPUS, *(f"{PREFIX}{name}" for name in NOISES)]


def _is_adapter(name: str) -> bool:
    from audit.targets.libraries.adapters import ADAPTERS

    return name in ADAPTERS


def _is_noise(name: str) -> bool:
    return name.startswith(PREFIX) and name.removeprefix(PREFIX) in NOISES


def _is_in_corpus(name: str) -> bool:
    from mechanisms.corpus.registry import CORPUS

    return name in CORPUS


def _may_state(found: Any) -> bool:
    """Whether an object may state a law; one whose claim is the user's must do so."""
    if not callable(attribute(found, "sample")):
        return False
    own = declaration_of(found) is not None or has(found, "claim")
    return own or any(has(found, name) for name in STATEMENTS)
