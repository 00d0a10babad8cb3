"""Targets that `audit.load` has found: what they were loaded with counts wherever they are used.

`audit.load(x, **a)` in a call with the words b is x with the words a and b: where the call has new
words about the target itself, it is loaded again with both. Two values of one word contradict each
other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from audit.levels.statement import read_budgets
from audit.request.words import CLAIMS
from audit.targets.recipe import LoadedDraw
from audit.targets.target import Target
from mechanisms.errors import InvalidArgument
from mechanisms.validation import exact, shown

__all__ = ["loaded_with", "reloaded", "with_loaded"]

ARGUMENTS = ("order", "low", "high", "budgets")
"""What `load_target` takes besides parameters."""


def loaded_with(target: Target, load: Any, spec: str, words: Mapping[str, Any]) -> Target:
    """Keep the words that a target was loaded with, and how to load it again."""
    if isinstance(target.draw, LoadedDraw):  # another folder may be the current one then
        spec = target.draw.recipe.absolute
    return replace(target, given=dict(words), again=partial(load, spec))


def with_loaded(target: Target, words: Mapping[str, Any], claim: object) -> dict[str, Any]:
    """Words of a call, with those that its target was loaded with.

    Raises InvalidArgument if a word has two values, or a parameter is given to what is made
    already.
    """
    if "param" in words:
        msg = "this target is loaded already: give param to the audit.load that loaded it"
        raise InvalidArgument(msg)
    kept = {name: value for name, value in target.given.items() if name != "param"}
    for name, value in kept.items():
        if name in words and not _same(name, value, words[name]):
            msg = (
                f"{name} contradicts the target, which was loaded with {name}={shown(value)}: got "
                f"{name}={shown(words[name])}; load another target with it"
            )
            raise InvalidArgument(msg)
    states = claim is not None or any(name in words for name in CLAIMS)
    own = getattr(getattr(claim, "level", None), "budgets", ())
    of_target = states and "budgets" in target.parameters  # they are the mechanism's, and stay
    if of_target or ("budgets" in kept and _same("budgets", kept["budgets"], own)):
        kept.pop("budgets", None)
    return {**kept, **words}


def reloaded(target: Target, words: Mapping[str, Any]) -> Target:
    """The target, loaded again where a call tells it what it was not loaded with."""
    told = {name: words[name] for name in ARGUMENTS if words.get(name) not in (None, ())}
    new = {name: value for name, value in told.items() if name not in target.given}
    if target.again is None or not new.keys() - {"order"}:
        return replace(target, order=new.get("order", target.order))
    again = target.again(parameters=target.given.get("param", {}), **told)
    return replace(again, name=target.name, given=target.given, again=target.again)


def _same(name: str, one: Any, other: Any) -> bool:
    if name in ("low", "high", "timeout"):
        return exact(one, name) == exact(other, name)
    if name == "budgets":
        return [exact(b, name) for b in _list(one)] == [exact(b, name) for b in _list(other)]
    return bool(one == other)


def _list(budgets: Any) -> Any:
    return read_budgets(budgets) if isinstance(budgets, str) else budgets
