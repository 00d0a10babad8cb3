"""Files of schemas and account plans, and words of the commands beside `audit`, with one fault."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from tests.bad_inputs.case import Case
from tests.bad_inputs.claims import NUMBERS
from tests.bad_inputs.junk import BAD_NUMBERS, found_at, other_kind, places, replaced

__all__ = ["generate_documents"]

SCHEMA: dict[str, Any] = {
    "unit": "person",
    "max_rows": 2,
    "takes": "records",
    "columns": {
        "person": {"type": "id"},
        "age": {"type": "int", "low": 0, "high": 99, "nullable": True},
        "income": {"type": "float", "low": 0, "high": 1},
        "born": {"type": "date", "low": "1990-01-01", "high": "2000-01-01"},
        "region": {"type": "category", "values": ["N", "S"]},
        "bought": {"type": "bool"},
    },
}

PLAN: dict[str, Any] = {
    "relation": "swap",
    "delta": "1e-5",
    "claim": "8, 1e-5",
    "step": [
        {"mechanism": "gaussian", "sigma": 5, "sensitivity": 1, "count": 10},
        {"mechanism": "laplace", "scale": "1/2", "sensitivity": 1, "count": 2},
        {"mechanism": "randomized-response", "keep": "1/2"},
        {"mechanism": "sampled-gaussian", "sigma": 2, "q": ".01", "count": 100},
    ],
}

SOURCE = """\
import numpy as np


def rows(data, size, rng):
    return len(data) + rng.laplace(size=size)


def answer(data):
    return float(np.sum(data))
"""


def _as_toml(value: Any) -> str:
    """A value in one line of TOML; null has no word there."""
    if isinstance(value, dict):
        inside = (f"{json.dumps(str(k))} = {_as_toml(v)}" for k, v in value.items())
        return "{" + ", ".join(inside) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_toml, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    return "null" if value is None else json.dumps(value)


def _document(value: Any) -> bytes:
    if not isinstance(value, dict):
        return _as_toml(value).encode()
    lines = (f"{json.dumps(str(k))} = {_as_toml(v)}" for k, v in value.items())
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _faulty(rng: random.Random, whole: dict[str, Any]) -> Any:
    """A document with one value of another kind, none, or out of range."""
    changed: Any = whole
    for _ in range(rng.choice((1, 1, 2))):
        place = rng.choice([p for p in places(changed) if p])
        old = found_at(changed, place)
        new = rng.choice((other_kind(rng, old), rng.choice(NUMBERS), rng.choice(BAD_NUMBERS), ...))
        if new is ... and isinstance(place[-1], int):
            new = []
        changed = replaced(changed, place, new)
    if rng.random() < 0.1:
        changed = {**changed, "more": 1}
    return changed


def generate_documents(seed: int, count: int) -> Iterator[Case]:
    """So many, the same for the same seed."""
    rng = random.Random(seed)
    makes = (_schema, _plan, _plan, _account, _sensitivity, _other)
    for number in range(count):
        yield makes[number % len(makes)](rng)


ALL = frozenset({0, 1, 2, 3})


def _schema(rng: random.Random) -> Case:
    files = {"s.toml": _document(_faulty(rng, SCHEMA)), "t.py": SOURCE.encode()}
    words = ("audit", "t.py:rows", "--epsilon", "1", "--relation", "add-remove", "--schema")
    run = ("--seed", "1", "--budget-samples", "400", "--budget-seconds", "5", "--screen", "0")
    return Case("schema", (*words, "s.toml", *run), files, ALL)


def _plan(rng: random.Random) -> Case:
    return Case("plan", ("account", "p.toml"), {"p.toml": _document(_faulty(rng, PLAN))}, ALL)


def _account(rng: random.Random) -> Case:
    words = ["account", "p.toml"]
    given = (*NUMBERS, *BAD_NUMBERS, "swap", "1, 1e-5", "1,2,3")
    options = rng.sample(("--relation", "--delta", "--claim", "--profile", "--compare"), 2)
    words += [f"{option}={rng.choice(given)}" for option in options]
    return Case("account", tuple(words), {"p.toml": _document(PLAN)}, ALL)


def _sensitivity(rng: random.Random) -> Case:
    words = ["sensitivity", "t.py:answer", "--norm=l1", "--at-most=1", "--relation=swap"]
    words += ["--low=0", "--high=1", "--seed=1", "--budget-seconds=2"]
    for option in ("--at-most", "--low", "--high", "--rows", "--count", "--max-size", "--norm"):
        if rng.random() < 0.25:
            words.append(f"{option}={rng.choice((*NUMBERS, *BAD_NUMBERS))}")
    return Case("sensitivity", tuple(words), {"t.py": SOURCE.encode()}, ALL)


def _other(rng: random.Random) -> Case:
    junk = rng.choice((*BAD_NUMBERS, *NUMBERS, "t.py", ".", "no.json", "t.py:rows", "--x"))
    words = rng.choice(
        (
            ("schema", junk),
            ("schema", "d.csv", f"--unit={junk}"),
            ("report", junk),
            ("report", "t.py", "--format", junk),
            ("evidence", junk),
            ("survey", "t", f"--budget-seconds={junk}"),
            ("survey", junk, "--budget-seconds=1"),
            ("init", junk),
            ("figure", "wealth-paths", f"--seed={junk}"),
            ("table", "variance", f"--epsilon={junk}"),
            ("prove", junk),
            ("verify", junk),
            ("list", junk),
            (junk,),
        )
    )
    files = {"t.py": SOURCE.encode(), "d.csv": b"person,x\n1,2\n"}
    return Case(f"words of {words[0][:20]}", words, files, ALL)
