"""Pair files of any JSON, for every kind of target and every mode; most of them hold no pair."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from tests.bad_inputs.case import Case

__all__ = ["generate_pairs", "random_data"]

FUNCTIONS = """\
import numpy as np


def noisy(data, size, rng):
    return rng.laplace(size=size)


def total(data, size, rng):
    return np.sum(data) + rng.laplace(size=size)


def length(data, rng):
    return len(data) + rng.laplace()


def answer(data):
    return np.sum(data)


class Stated:
    def __init__(self, epsilon=1):
        from mechanisms.noise.laplace import Laplace

        self.noise = Laplace(float(1 / float(epsilon)))

    def sample(self, data, size, *, rng):
        return np.sum(data) + self.noise.sample(size, rng=rng)
"""

SCALARS: tuple[Any, ...] = (
    *(0, 1, -1, 0.5, 1e308, -0.0, 5e-324, 2**53 + 1, 10**30, 10**400, True, False, None, "", "a"),
    *("1", "nan", "\u0000", "\ud800", "🎲", float("nan"), float("inf"), float("-inf")),
)


def random_data(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value; more often lists of numbers than others."""
    kind = rng.random()
    if kind < 0.3 or depth > 3:
        return rng.choice(SCALARS)
    if kind < 0.55:
        return [rng.choice((0, 1, 0.5, 0.25, 2)) for _ in range(rng.randrange(5))]
    if kind < 0.7:
        width = rng.randrange(1, 4)
        return [[rng.choice((0, 1, 0.5)) for _ in range(width)] for _ in range(rng.randrange(4))]
    if kind < 0.85:
        return [random_data(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(("a", "b", "", "x", "data")): random_data(rng, depth + 1) for _ in range(2)}


def near(rng: random.Random, data: Any) -> Any:
    """A data set that differs in one record, or any other."""
    if isinstance(data, list) and rng.random() < 0.6:
        changed = list(data)
        if changed and rng.random() < 0.5:
            changed[rng.randrange(len(changed))] = random_data(rng, 3)
        else:
            changed.append(random_data(rng, 3))
        return changed
    return random_data(rng)


def targets() -> dict[str, tuple[str, ...]]:
    """Names of all that can be audited by name, by kind."""
    from audit.targets.libraries.adapters import ADAPTERS
    from mechanisms.corpus.registry import CORPUS
    from mechanisms.registry import MECHANISMS, NOISES

    named = ("noisy", "total", "length", "Stated")
    return {
        "mechanism": tuple(MECHANISMS),
        "noise": tuple(f"noise.{name}" for name in NOISES),
        "corpus": tuple(CORPUS),
        "function": tuple(f"pairs.py:{name}" for name in named),
        "adapter": tuple(sorted(ADAPTERS)),
    }


OPTIONS: tuple[tuple[str, ...], ...] = (
    (),
    ("--mode", "bound"),
    ("--domain", "declared"),
    ("--order", "fixed"),
    ("--low", "0", "--high", "1"),
    ("--in-process",),
    ("--ideal",),
)
"""Of audits that draw."""

CLAIMS = (
    (),
    ("--epsilon", "1"),
    ("--epsilon", "1/2", "--delta", "1e-5"),
    ("--rho", "1"),
    ("--mu", "1"),
    ("--tv", "1/2"),
    ("--epsilon", "1", "--alpha-order", "2"),
    ("--trade-off", "0:1,1:0"),
    ("--budgets", "1,2"),
)


def generate_pairs(seed: int, count: int) -> Iterator[Case]:
    """So many pair files with a command that reads them, the same for the same seed."""
    rng, known = random.Random(seed), targets()
    for number in range(count):
        kind = tuple(known)[number % len(known)]
        target = rng.choice(known[kind])
        data = random_data(rng)
        content: dict[str, Any] = {"data": data, "neighbor": near(rng, data)}
        if rng.random() < 0.1:
            content[rng.choice(("budgets", "user", "more"))] = random_data(rng)
        words = ["audit", target, "--pair", "any.json"]
        words += rng.choice((CLAIMS[1], CLAIMS[1], *CLAIMS))
        relation = rng.choice(("add-remove", "swap", "listed", "listed", "listed"))
        if "--budgets" not in words or relation != "listed":
            words += ["--relation", relation]
        if kind != "function" and rng.random() < 0.5:
            words += ["--mode", "exact"]
        else:
            words += [*rng.choice(OPTIONS), "--seed", "1", "--budget-samples", "400"]
            words += ["--budget-seconds", "5"]
        if kind == "function" and rng.random() < 0.2:
            words = ["sensitivity", "pairs.py:answer", "--pair", "any.json", "--seed", "1"]
            words += ["--norm", "l1", "--at-most", "1", "--relation", relation]
        files = {"any.json": json.dumps(content).encode(), "pairs.py": FUNCTIONS.encode()}
        yield Case(f"pair of a {kind}", tuple(words), files, frozenset({0, 1, 2, 3}))
