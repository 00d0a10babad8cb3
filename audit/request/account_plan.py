"""What a request for an account means: the steps of a plan, and the total that is claimed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from audit.accounting.foreign_events import is_foreign, steps_of
from audit.accounting.peers.comparison import check_peers
from audit.accounting.release_plan import AccountClaim, Step, read_plan
from audit.faults import users_faults
from audit.files.bounded_toml import read_toml
from audit.request.request import Request
from audit.targets.modules import find_object
from audit.targets.target import Target
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_choice, shown

__all__ = ["AccountPlan", "plan_account", "plan_object"]

Words = Mapping[str, Any]
"""Of a plan, as TOML has them."""


@final
@dataclass(frozen=True, slots=True)
class AccountPlan:
    """A request that has been understood."""

    request: Request
    """Its target is the plan's name."""
    target: Target
    """The name alone: nothing is drawn."""
    steps: tuple[Step, ...]
    """What is added up."""
    claim: AccountClaim
    """The total."""
    profile: bool = False
    """Whether delta is enclosed at other epsilons, too."""
    compare: tuple[str, ...] = ()
    """Libraries whose accountants are asked for the same total."""
    notes: tuple[str, ...] = ()
    """To be told with the result."""

    def without_sampler(self) -> AccountPlan:
        """What reports say of it."""
        return replace(self, target=self.target.without_sampler())


def _draws_nothing(*_: Any) -> Any:
    msg = "a plan is added up, and draws nothing"
    raise InvalidArgument(msg)


def plan_account(
    plan: object,
    *,
    relation: object = None,
    delta: object = None,
    claim: object = None,
    profile: bool = False,
    compare: str | None = None,
) -> AccountPlan:
    """Read a plan, and what is claimed of it.

    `plan`: a file of TOML, its content, or an object of a library that states its parts.
    `relation`, `delta`, `claim`: in place of the plan's own. `compare`: names of libraries, with
    commas between. Raises TouchstoneError if anything is missing or out of its domain.
    """
    for name, value in (("claim", claim), ("delta", delta)):
        if isinstance(value, float) and not math.isfinite(value):
            msg = f"{name} must be a finite number, got {name}={shown(value)}"
            raise InvalidArgument(msg)
    notes: tuple[str, ...] = ()
    peers = () if compare is None else check_peers(compare)
    given = {"relation": relation, "delta": delta, "claim": claim}
    told = {name: value for name, value in given.items() if value is not None}
    if isinstance(plan, Mapping):
        name, words = "plan", plan
        request = Request(name, call="audit.account(plan", mode="exact")
    elif isinstance(plan, str | Path):
        name, words = str(plan), read_toml(Path(plan), decimals=_as_typed)
        options = [w for key, value in told.items() for w in (f"--{key}", str(value))]
        more = [*(["--profile"] if profile else []), *(["--compare", compare] if compare else [])]
        asked = ("touchstone", "account", name, *options, *more)
        request = Request(name, repeat=asked, mode="exact")
    elif is_foreign(plan):
        name = "plan"
        words, notes = _foreign(plan, relation, delta)
        request = Request(name, call="audit.account(plan", mode="exact")
    else:
        msg = (
            "plan must be a file of TOML, a mapping with the words of one, or an object that "
            "states its parts (an event of dp-accounting, a measurement of OpenDP, a list), got "
            f"{shown(plan)} (type {type(plan).__name__})"
        )
        raise InvalidArgument(msg)
    if request.call:
        more = [f"{key}={str(value)!r}" for key, value in told.items()]
        more += ["profile=True"] if profile else []
        more += [f"compare={compare!r}"] if compare else []
        request = replace(request, repeat=(", ".join([request.call, *more]) + ")",))
    read = read_plan(words, **given)
    total = AccountClaim(read.relation, read.delta, read.claim)
    target = Target(name, _draws_nothing, None)
    return AccountPlan(request, target, read.steps, total, profile, peers, notes)


def _as_typed(text: str) -> str:
    """A decimal of TOML as a plan reads it: exactly, also where a double would round it."""
    return text.replace("_", "")


def _foreign(found: object, relation: object, delta: object) -> tuple[Words, tuple[str, ...]]:
    """Steps of an object that states its parts, and how they were read."""
    if relation is None:  # it says so
        read_plan({}, relation=relation, delta=delta)
    known = tuple(one.value for one in Relation)
    neighbors = Relation(check_choice(relation, "relation", known))
    with users_faults(found):
        steps, notes = steps_of(found, neighbors)
    return {"step": steps}, notes


def plan_object(place: str, **words: Any) -> AccountPlan:
    """Read a plan from an object, or what it makes, that "pkg.mod:attr" or "file.py:attr" names.

    `words`: as for `plan_account`. Raises TouchstoneError as that does, or if there is none.
    """
    found, notes = find_object(place)
    if callable(found) and not isinstance(found, Mapping) and not is_foreign(found):
        with users_faults(found):
            found = found()
    if isinstance(found, str | Path):
        msg = f"{place} must be a plan or an object that states its parts, got {shown(found)}"
        raise InvalidArgument(msg)
    plan = plan_account(found, **words)
    told = {name: value for name, value in words.items() if value not in (None, False)}
    options = [
        word
        for name, value in told.items()
        for word in ([f"--{name}"] if value is True else [f"--{name}", str(value)])
    ]
    repeat = ("touchstone", "account", "--from", place, *options)
    request = Request(place, repeat=repeat, mode="exact")
    target = replace(plan.target, name=place)
    return replace(plan, request=request, target=target, notes=(*plan.notes, *notes))
