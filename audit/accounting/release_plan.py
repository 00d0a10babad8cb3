"""A plan of releases: PLAN.toml, or steps in Python.

relation = "add-remove"
delta = "1e-5"
claim = "1.83"          # total epsilon; left out, both ends are printed

[[step]]
event = "poisson-gaussian"
sigma = "1"
sensitivity = "1"
q = "0.01"
count = 1000
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.accounting.account_events import (
    Event,
    GaussianEvent,
    Masses,
    Noise,
    Poisson,
    Pure,
    RandomizedResponseEvent,
    Scalar,
    Stated,
)
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument, close_names
from mechanisms.validation import (
    check_choice,
    check_fraction,
    check_integer,
    check_several,
    shown,
)

__all__ = ["EVENTS", "AccountClaim", "AccountPlanFile", "Step", "read_plan", "read_steps"]

MOST_COUNT = 10**9
"""Of one step: nobody releases more often, and the bits of a larger number would decide."""
MOST_CATEGORIES = 10**9
LARGEST_RATIO = 1000
"""Of a sensitivity to its noise, and of an epsilon: one release that loses more is no privacy."""
LARGEST_CLAIM = 10**300
"""Of a total: more is no double, and no promise."""

Words = Mapping[str, Any]


@final
@dataclass(frozen=True, slots=True)
class AccountClaim:
    """A total that is claimed of a plan."""

    relation: Relation
    delta: Fraction
    epsilon: Fraction | None
    """None for no claim."""

    def __str__(self) -> str:
        if self.epsilon is None:
            return f"total epsilon at delta {_decimal(self.delta)}, {self.relation.value}"
        return (
            f"({_decimal(self.epsilon)}, {_decimal(self.delta)})-DP in total, {self.relation.value}"
        )


def _decimal(number: Fraction) -> str:
    short = f"{float(number):.12g}"
    return short if Fraction(short) == number else str(number)


@final
@dataclass(frozen=True, slots=True)
class Step:
    """An event, and how often it is released."""

    event: Event
    count: int
    words: str
    """As it was given."""


@final
@dataclass(frozen=True, slots=True)
class AccountPlanFile:
    """What a plan says."""

    steps: tuple[Step, ...]
    relation: Relation
    delta: Fraction
    claim: Fraction | None


def _scalar(words: Words) -> Scalar:
    """How far answers are apart: a replaced record is one that is removed and one that is added."""
    once, swap = check_fraction(words["sensitivity"], "sensitivity", at_least=0), None
    if "swap_sensitivity" in words:
        swap = check_fraction(words["swap_sensitivity"], "swap_sensitivity", at_least=0)
        if swap > 2 * once:
            msg = (
                "swap_sensitivity must be at most twice the sensitivity, got "
                f"swap_sensitivity={swap} and sensitivity={once}"
            )
            raise InvalidArgument(msg)
    return Scalar(once, swap)


def _checked(scale: Scalar, noise: Fraction, name: str) -> Scalar:
    for value in (scale.sensitivity, scale.swap_sensitivity or 0):
        if value > LARGEST_RATIO * noise:
            msg = f"sensitivity must be at most {LARGEST_RATIO} times {name}, got {value}"
            raise InvalidArgument(msg)
    return scale


def _gaussian(words: Words) -> GaussianEvent:
    sigma = check_fraction(words["sigma"], "sigma", above=0)
    return GaussianEvent(sigma, _checked(_scalar(words), sigma, "sigma"))


def _noise(name: str, key: str) -> Callable[[Words], Noise]:
    def read(words: Words) -> Noise:
        parameter = check_fraction(words[key], key, above=0)
        return Noise(name, parameter, _checked(_scalar(words), parameter, key))

    return read


def _discrete_gaussian(words: Words) -> Noise:
    variance = check_fraction(words["sigma_squared"], "sigma_squared", above=0, at_most=10**6)
    return Noise("discrete-gaussian", variance, _scalar(words))


def _response(words: Words) -> RandomizedResponseEvent:
    keep = check_fraction(words["keep"], "keep", at_least=0, at_most=1)
    categories = check_integer(words.get("categories", 2), "categories", at_least=2)
    if categories > MOST_CATEGORIES:
        msg = f"categories must be at most {MOST_CATEGORIES}, got categories={categories}"
        raise InvalidArgument(msg)
    return RandomizedResponseEvent(keep, categories)


def _pure(words: Words) -> Pure:
    epsilon = check_fraction(words["epsilon"], "epsilon", at_least=0, at_most=LARGEST_RATIO)
    delta = check_fraction(words.get("delta", 0), "delta", at_least=0, at_most=1)
    return Pure(epsilon, delta)


def _stated(words: Words) -> Stated:
    return Stated(check_fraction(words["mu"], "mu", at_least=0, at_most=LARGEST_RATIO))


def _masses(words: Words) -> Masses:
    sides = []
    for name in ("p", "q"):
        side = [
            check_fraction(one, name, at_least=0)
            for one in check_several(words[name], name, "probabilities")
        ]
        if sum(side) != 1:
            msg = f"{name} must add up to 1, got a sum of {shown(str(sum(side)))}"
            raise InvalidArgument(msg)
        sides.append(side)
    if len(sides[0]) != len(sides[1]):
        msg = f"p and q must be as long, got {len(sides[0])} and {len(sides[1])} probabilities"
        raise InvalidArgument(msg)
    return Masses(tuple(zip(*sides, strict=True)))


def _poisson(inner: Callable[[Words], GaussianEvent | Noise]) -> Callable[[Words], Poisson]:
    def read(words: Words) -> Poisson:
        return Poisson(check_fraction(words["q"], "q", at_least=0, at_most=1), inner(words))

    return read


@final
@dataclass(frozen=True, slots=True)
class EventKind:
    """How one kind of event is read."""

    read: Callable[[Words], Event]
    needs: tuple[str, ...]
    may: tuple[str, ...] = ()


SCALED = ("sensitivity",)
OF_SCALE = ("swap_sensitivity",)
ADDITIVE: Mapping[str, tuple[str, Callable[[Words], GaussianEvent | Noise]]] = {
    "gaussian": ("sigma", _gaussian),
    "laplace": ("scale", _noise("laplace", "scale")),
    "geometric": ("t", _noise("geometric", "t")),
    "discrete-gaussian": ("sigma_squared", _discrete_gaussian),
}
"""Additive noise: the name of its parameter, and how it is read."""

EVENTS: Mapping[str, EventKind] = {
    **{name: EventKind(read, (key, *SCALED), OF_SCALE) for name, (key, read) in ADDITIVE.items()},
    **{
        f"poisson-{name}": EventKind(_poisson(read), (key, *SCALED, "q"), OF_SCALE)
        for name, (key, read) in ADDITIVE.items()
    },
    "randomized-response": EventKind(_response, ("keep",), ("categories",)),
    "pure-dp": EventKind(_pure, ("epsilon",)),
    "approx-dp": EventKind(_pure, ("epsilon", "delta")),
    "gdp": EventKind(_stated, ("mu",)),
    "law": EventKind(_masses, ("p", "q")),
}
"""By name; a new kind of event is one row."""

KEYS = ("relation", "delta", "claim", "step")
OF_EVERY_STEP = ("event", "count")


def read_steps(steps: object, relation: Relation) -> tuple[Step, ...]:
    """Read a list of steps, each a table of words.

    Raises InvalidArgument if one of them is wrong.
    """
    found = []
    for number, words in enumerate(check_several(steps, "step", "tables"), 1):
        if not isinstance(words, Mapping):
            msg = f"step {number} must be a table of words such as event, got {shown(words)}"
            raise InvalidArgument(msg)
        try:
            found.append(_step(words, relation))
        except InvalidArgument as exc:
            msg = f"step {number}: {exc}"
            raise InvalidArgument(msg) from exc
    return tuple(found)


def _step(words: Words, relation: Relation) -> Step:
    name = words.get("event")
    if not isinstance(name, str) or name not in EVENTS:
        msg = f"event must be one of {', '.join(EVENTS)}, got event={shown(name)}"
        raise InvalidArgument(msg + (close_names(name, EVENTS) if isinstance(name, str) else ""))
    kind = EVENTS[name]
    known = (*OF_EVERY_STEP, *kind.needs, *kind.may)
    for word in words:
        if word not in known:
            msg = f"unknown word {shown(word)} of {name}: it has {', '.join(known)}"
            raise InvalidArgument(msg)
    missing = [word for word in kind.needs if word not in words]
    if missing:
        msg = f"{name} needs {' and '.join(missing)}"
        raise InvalidArgument(msg)
    event = kind.read(words)
    if relation not in event.relations:
        allowed = ", ".join(event.relations)
        msg = f"{name} has no stated law under {relation.value}, only under {allowed}"
        raise InvalidArgument(msg)
    count = check_integer(words.get("count", 1), "count", at_least=0)
    if count > MOST_COUNT:
        msg = f"count must be at most {MOST_COUNT}, got count={shown(count)}"
        raise InvalidArgument(msg)
    event.dominated(relation)
    told = ", ".join(f"{word} {words[word]}" for word in known[2:] if word in words)
    return Step(event, count, f"{name} ({told})")


def read_plan(
    words: Words, *, relation: object = None, delta: object = None, claim: object = None
) -> AccountPlanFile:
    """Read a plan; what is given beside it stands in place of its own.

    Raises InvalidArgument if it is wrong.
    """
    for word in words:
        if word not in KEYS:
            msg = f"unknown word {shown(word)} of a plan: it has {', '.join(KEYS)}"
            raise InvalidArgument(msg)
    own = {
        name: words.get(name) if given is None else given
        for name, given in (("relation", relation), ("delta", delta), ("claim", claim))
    }
    if own["relation"] is None or own["delta"] is None:
        name = "relation" if own["relation"] is None else "delta"
        example = {"relation": '"add-remove", "swap" or "listed"', "delta": '"1e-5"'}[name]
        msg = f"a plan needs {name}, such as {example}"
        raise InvalidArgument(msg)
    known = tuple(one.value for one in Relation)
    neighbors = Relation(check_choice(own["relation"], "relation", known))
    total = None
    if own["claim"] not in (None, "none"):
        total = check_fraction(own["claim"], "claim", at_least=0, at_most=LARGEST_CLAIM)
    return AccountPlanFile(
        read_steps(words.get("step", ()), neighbors),
        neighbors,
        check_fraction(own["delta"], "delta", at_least=0, below=1),
        total,
    )
