"""Calls of every public function of Python with a value that has no meaning there."""

from __future__ import annotations

import datetime
import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, final

import numpy as np

import audit
from audit.request.call import ACCURACY, AUDIT, LOAD, PROVE, SENSITIVITY

__all__ = ["BadCall", "complaint_of_call", "generate_calls"]


class Strange:
    """An object whose every text is an error."""

    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __repr__


JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, float("nan"), float("inf"), 10**400, -(10**400), 2**64),
    *(
        "",
        "x",
        "\ud800",
        "1e400",
        "1/0",
        "7" * 5_000,
        b"x",
        [],
        [1],
        [[]],
        (),
        {},
        {"a": 1},
        {1: 2},
    ),
    *(
        set(),
        object(),
        print,
        int,
        Strange(),
        Decimal("NaN"),
        Decimal("sNaN"),
        Fraction(10**300, 7),
    ),
    *(np.array([]), np.array([1.0, np.nan]), np.array("x"), np.float64("nan"), np.int64(-5)),
    *(Path("nowhere"), datetime.date(2020, 1, 1), 1j, range(3), iter([1]), lambda: 1, audit),
)


def noisy(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Noise alone."""
    return rng.laplace(size=size)


def answer(data: Any) -> Any:
    """A query."""
    return float(np.sum(data))


CLAIM = audit.pure(1, relation="swap")
OF_RUN = {"budget_samples": 400, "budget_seconds": 5, "seed": 1, "screen": 0}
OF_NUMBERS = {"epsilon": 1, "relation": "swap", "low": 0, "high": 1}

CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any], tuple[str, ...]]] = {
    "audit": ((noisy,), {**OF_NUMBERS, **OF_RUN}, AUDIT),
    "prove": (("noise.laplace",), {}, PROVE),
    "accuracy": ((noisy,), {"bias": 1, "low": 0, "high": 1, "n": 3, **OF_RUN}, ACCURACY),
    "sensitivity": (
        (answer,),
        {"norm": "l1", "at_most": 1, "relation": "swap", "low": 0, "high": 1, "seed": 1},
        SENSITIVITY,
    ),
    "load": ((noisy,), {}, LOAD),
    "draw": ((noisy, 0.0, 3), {"seed": 1}, ("seed", "stream")),
    "recount": (
        (noisy, 0.0, 1.0, bool),
        {"draws": 3, "seed": 1},
        ("draws", "seed", "timeout", "memory", "one_a_call"),
    ),
    "account": (
        ([{"mechanism": "gaussian", "sigma": 5, "sensitivity": 1}],),
        {"relation": "swap", "delta": "1e-5"},
        ("relation", "delta", "claim", "profile", "compare"),
    ),
    "pure": ((1,), {"relation": "swap"}, ("relation",)),
    "approx": ((1, "1e-5"), {"relation": "swap"}, ("relation",)),
    "zcdp": ((1,), {"relation": "swap"}, ("relation",)),
    "gdp": ((1,), {"relation": "swap"}, ("relation",)),
    "renyi": ((2, 1), {"relation": "swap"}, ("relation",)),
    "total_variation": (("1/2",), {"relation": "swap"}, ("relation",)),
    "trade_off": (([(0, 1), (1, 0)],), {"relation": "swap"}, ("relation",)),
    "personalized": (([1, 2],), {"relation": "swap"}, ("relation",)),
    "mechanism": ((CLAIM,), {}, ("low", "high", "order")),
    "verify": (({},), {}, ()),
    "gate": (("touchstone.toml",), {}, ("seed", "jobs", "false_alarm", "budget_seconds")),
}
"""A good call of each function, and the words that it knows."""


@final
@dataclass(frozen=True)
class BadCall:
    """A function, and what it is called with."""

    name: str
    positional: tuple[Any, ...]
    words: dict[str, Any]

    def __str__(self) -> str:
        kinds = [type(x).__name__ for x in self.positional]
        told = {k: f"{type(v).__name__} {_text(v)}" for k, v in self.words.items()}
        return f"audit.{self.name}({kinds}, {told}) with {[_text(x) for x in self.positional]}"


def _text(value: Any) -> str:
    try:
        return repr(value)[:60]
    except Exception:  # noqa: BLE001 - of what has no text
        return "(no text)"


def generate_calls(seed: int, count: int) -> Iterator[BadCall]:
    """So many calls, the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        name = rng.choices(tuple(CALLS), [8, 3, 4, 4, 2, *[1] * (len(CALLS) - 5)])[0]
        positional, words, known = CALLS[name]
        places = [*range(len(positional)), *known]
        if name == "draw":
            places.remove(1)  # data are handed on as they are
        if name == "recount":
            places = [x for x in places if x not in (1, 2)]
        place = rng.choice(places)
        junk = rng.choice(JUNK)
        if name in ("audit", "sensitivity", "prove") and rng.random() < 0.15:
            place, junk = "pair", {"data": rng.choice(JUNK), "neighbor": rng.choice(JUNK)}
            words = {**words, "relation": "listed"} if name != "prove" else words
        if isinstance(place, int):
            given = (*positional[:place], junk, *positional[place + 1 :])
            yield BadCall(name, given, dict(words))
        else:
            yield BadCall(name, positional, {**words, place: junk})


def complaint_of_call(call: BadCall) -> str:
    """What is wrong with what comes of a call; empty if nothing is."""
    function: Callable[..., Any] = getattr(audit, call.name)
    try:
        function(*call.positional, **call.words)
    except (audit.TouchstoneError, TypeError) as exc:
        text = str(exc)
        if isinstance(exc, TypeError) and not _is_of_a_call(exc):
            return f"TypeError from within: {text[:200]}"
        if len(text) > LONGEST or "\n" in text or "Fraction(" in text:
            return f"{type(exc).__name__} of {len(text)} characters: {text[:300]!r}"
    except Exception as exc:  # noqa: BLE001 - whatever it is, it is a fault
        return f"{type(exc).__name__}: {_text(exc)[:200]} {inspect.trace()[-1][1:4]}"
    return ""


LONGEST = 300


def _is_of_a_call(exc: TypeError) -> bool:
    """Whether it says that words do not fit a signature, or names one that is unknown."""
    return "unexpected" in str(exc) or "argument" in str(exc)
