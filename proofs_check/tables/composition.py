"""What sums of mechanisms lose together: epsilon of a delta, between two ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from proofs_check.enclosure import Balls
from proofs_check.tables.column import Column, Point, Rounding, Value
from proofs_check.tables.enclosed_sums import (
    goal_of,
    is_lower,
    is_upper,
    sum_of,
    tries_of,
    width_text,
)
from proofs_check.tables.keys import NumberKey, WordKey
from proofs_check.tables.mechanism_words import (
    ADD_REMOVE,
    SWAP,
    mechanism_words,
    relation_words,
)
from proofs_check.tables.rounding import read_decimal
from proofs_check.tables.table import Table

__all__ = ["CLAIMS", "KEYS", "TABLE"]

CLAIMS = ("ENG-K1", "ENG-K3", "ENG-K4", "ENG-K5", "ENG-K6")
"""Composition, and the ends on nodes."""

KEYS = (
    WordKey("steps", "The mechanisms, of sensitivity 1.", mechanism_words),
    NumberKey("k", "How often all of them.", at_least=1, at_most=10**6, whole=True),
    WordKey("relation", "Neighbors: add-remove or swap.", relation_words),
    NumberKey("delta", "Privacy parameter.", above=0, at_most=1),
)
"""What is added up."""

ENDS = ("epsilon lower", "epsilon upper")


def _epsilon(at: Point, bits: int) -> Value:
    lower, upper, _ = sum_of(at)
    return Balls(max(bits, 256)).between(lower, upper)


def _stored(stored: Mapping[str, str]) -> tuple[Fraction, Fraction] | None:
    found = [read_decimal(stored[header]) for header in ENDS]
    lower, upper = found
    return None if lower is None or upper is None or not 0 <= lower <= upper else (lower, upper)


def _checked(at: Point, stored: Mapping[str, str]) -> tuple[str, ...]:
    """The stored ends, where delta there shows that they are; else what they must be."""
    ends = _stored(stored)
    if ends is not None:
        delta = at["delta"]
        for tried in tries_of(at):
            if is_lower(tried, ends[0], delta) and is_upper(tried, ends[1], delta):
                return stored[ENDS[0]], stored[ENDS[1]]
    return COLUMN.rounded(at, COLUMN.digits)


COLUMN = Column(
    "epsilon",
    "1",
    "The epsilon of this delta, of all together.",
    CLAIMS,
    _epsilon,
    Rounding.OUTWARD,
    16,
    _checked,
)


def _width(at: Point, bits: int) -> Value:  # noqa: ARG001
    lower, upper = (Fraction(text) for text in COLUMN.rounded(at, COLUMN.digits))
    return width_text(lower, upper)


def _width_checked(at: Point, stored: Mapping[str, str]) -> tuple[str, ...]:
    ends = _stored(stored)
    return (str(_width(at, 0)) if ends is None else width_text(*ends),)


def _engine(at: Point, bits: int) -> Value:  # noqa: ARG001
    return sum_of(at)[2]


def _engine_checked(at: Point, stored: Mapping[str, str]) -> tuple[str, ...]:  # noqa: ARG001
    return (next(tries_of(at)).engine,)


def _goal(at: Point, bits: int) -> Value:
    return goal_of(sum_of(at)[2], Fraction(str(_width(at, bits))))


def _goal_checked(at: Point, stored: Mapping[str, str]) -> tuple[str, ...]:
    width = _width_checked(at, stored)[0]
    return (goal_of(_engine_checked(at, stored)[0], Fraction(width)),)


def _words(name: str, values: Mapping[str, str], more: str = "") -> str:
    """Mechanisms of one kind, with each value of a parameter."""
    ((word, grid),) = values.items()
    return "; ".join(f"{name} {more}{word}={value}" for value in grid.split())


def _default() -> Iterator[dict[str, str]]:
    usual = {"k": "1,10,100,1000", "relation": ADD_REMOVE, "delta": "1e-5"}
    sigmas = _words("gaussian", {"sigma": "1 2 5 10 20"})
    yield usual | {"steps": sigmas, "k": "1,10,100,1000,10000", "relation": "add-remove; swap"}
    yield usual | {"steps": _words("laplace", {"scale": "1 2 10 20"})}
    yield usual | {"steps": _words("geometric", {"t": "1 2 10 20"})}
    yield usual | {"steps": _words("discrete-gaussian", {"sigma_squared": "1 4 25 100"})}
    keeps = [
        _words("randomized-response", {"keep": "1/4 1/2 3/4"}, f"categories={categories} ")
        for categories in (2, 4, 10)
    ]
    yield usual | {"steps": "; ".join(keeps), "relation": SWAP}
    claims = [_words("approx-dp", {"delta": "1e-8 1e-12"}, f"epsilon={e} ") for e in ("0.1", "1")]
    yield usual | {"steps": "; ".join(claims), "k": "1,10,100", "relation": SWAP}
    rates = [
        _words("poisson-gaussian", {"sigma": "0.8 1 2"}, f"q={q} ")
        for q in ("0.0001", "0.001", "0.01", "0.1")
    ]
    yield usual | {"steps": "; ".join(rates), "k": "1,10,100,1000,10000"}
    laplace = _words("poisson-laplace", {"q": "0.001 0.01 0.1"}, "scale=1 ")
    yield usual | {"steps": laplace, "k": "1,100,1000,10000"}
    first = "500 of poisson-gaussian q=0.01 sigma=1 + 300 of poisson-gaussian q=0.02 sigma=2"
    mixed = [
        first,
        f"{first} + gaussian sigma=5",
        "500 of poisson-gaussian q=0.01 sigma=1 + 10 of laplace scale=10",
        "10 of gaussian sigma=5 + 10 of laplace scale=10",
    ]
    yield usual | {"steps": "; ".join(mixed), "k": "1"}
    yield usual | {"steps": first, "k": "10"}
    responses = [
        "10 of gaussian sigma=5 + 2 of randomized-response keep=1/2 categories=2",
        "gaussian sigma=5 + 100 of laplace scale=10",
        " + ".join(
            f"{count} of randomized-response keep=1/2 categories={categories}"
            for count, categories in ((3, 2), (4, 4))
        ),
    ]
    yield usual | {"steps": "; ".join(responses), "k": "1", "relation": SWAP}
    small = "poisson-gaussian q=0.01 sigma=1"
    yield usual | {"steps": small, "k": "1000,10000", "delta": "1e-10,1e-12,1e-20"}


TABLE = Table(
    name="composition",
    about=(
        "What a list of mechanisms loses together, between two ends that are both theorems; "
        "nothing is drawn. `width` is relative; `goal` says MISSED where it is above 1e-10 (closed "
        "forms, lattices of the losses) or 1e-6 (all others). A stored end is checked by delta at "
        "its place, so that it holds on any machine. Of a delta far below those of the rows a sum "
        "of few rare steps, or of claims that lose nearly all of it at infinity, may be MISSED."
    ),
    keys=KEYS,
    columns=(
        COLUMN,
        Column(
            "width",
            "1",
            "Distance of the ends over the upper one.",
            CLAIMS[:1],
            _width,
            Rounding.WORDS,
            check=_width_checked,
        ),
        Column(
            "engine",
            "1",
            "What encloses it, in each direction.",
            CLAIMS[:1],
            _engine,
            Rounding.WORDS,
            check=_engine_checked,
        ),
        Column(
            "goal",
            "1",
            "Whether the ends are as near as is asked for.",
            CLAIMS[:1],
            _goal,
            Rounding.WORDS,
            check=_goal_checked,
        ),
    ),
    default=tuple(_default()),
)
"""The table."""
