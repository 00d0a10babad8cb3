"""Widths and seconds of composed privacy, on a grid of 226 compositions.

`python -m benchmarks.accounting [--delta 1e-5] [--event NAME ...]` encloses each composition as
`touchstone account` does, and prints for each event the engines, the widest relative width of
epsilon, how many rows miss their goal, and the seconds; the rows that miss it follow. Nothing is
drawn. The goals: 1e-10 for closed forms and lattices of the losses, 1e-6 for all others.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, final

from audit.accounting.account import directions_of
from audit.accounting.plan import read_steps
from mechanisms.claims import Relation
from proofs_check.composition.choice import compositions

EXACT, NEAR = 1e-10, 1e-6
TRIES = 8
"""Finer nodes than a claim needs are not waited for: as in `audit.accounting.account`."""

ADD_REMOVE, SWAP = "add-remove", "swap"


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A composition, and how it was enclosed."""

    event: str
    words: str
    engine: str
    width: float
    seconds: float

    @property
    def is_red(self) -> bool:
        """Whether it misses its goal."""
        is_exact = self.engine in ("closed form", "lattice of the losses")
        return self.width > (EXACT if is_exact else NEAR)


Steps = list[dict[str, Any]]


def _noises() -> Iterator[tuple[Steps, str]]:
    one = {"sensitivity": 1}
    grids = (
        ("gaussian", "sigma", ("1", "2", "5", "10", "20"), (1, 10, 100, 1000, 10_000)),
        ("laplace", "scale", ("1", "2", "10", "20"), (1, 10, 100, 1000)),
        ("geometric", "t", ("1", "2", "10", "20"), (1, 10, 100, 1000)),
        ("discrete-gaussian", "sigma_squared", ("1", "4", "25", "100"), (1, 10, 100, 1000)),
    )
    for name, key, values, counts in grids:
        for value, count in product(values, counts):
            step = {"event": name, key: value, "count": count, **one}
            for relation in (ADD_REMOVE, SWAP) if name == "gaussian" else (ADD_REMOVE,):
                yield [step], relation


def _stated() -> Iterator[tuple[Steps, str]]:
    for categories, keep, count in product((2, 4, 10), ("1/4", "1/2", "3/4"), (1, 10, 100, 1000)):
        event = {"event": "randomized-response", "keep": keep, "categories": categories}
        yield [event | {"count": count}], SWAP
    for epsilon, delta, count in product(("0.1", "1"), ("1e-8", "1e-12"), (1, 10, 100)):
        yield [{"event": "approx-dp", "epsilon": epsilon, "delta": delta, "count": count}], SWAP


def _sampled() -> Iterator[tuple[Steps, str]]:
    counts = (1, 10, 100, 1000, 10_000)
    for q, sigma, count in product(("0.0001", "0.001", "0.01", "0.1"), ("0.8", "1", "2"), counts):
        step = {"event": "poisson-gaussian", "sigma": sigma, "sensitivity": 1, "q": q}
        yield [step | {"count": count}], ADD_REMOVE
    for q, count in product(("0.001", "0.01", "0.1"), (1, 100, 1000, 10_000)):
        step = {"event": "poisson-laplace", "scale": 1, "sensitivity": 1, "q": q}
        yield [step | {"count": count}], ADD_REMOVE


def _mixed() -> Iterator[tuple[Steps, str]]:
    sampled = {"event": "poisson-gaussian", "sensitivity": 1}
    gaussian = {"event": "gaussian", "sigma": 5, "sensitivity": 1}
    laplace = {"event": "laplace", "scale": 10, "sensitivity": 1}
    response = {"event": "randomized-response", "keep": "1/2"}
    first = sampled | {"q": "0.01", "sigma": 1, "count": 500}
    second = sampled | {"q": "0.02", "sigma": 2, "count": 300}
    yield [first, second], ADD_REMOVE
    yield [first, second, gaussian], ADD_REMOVE
    yield [first | {"count": 5000}, second | {"count": 3000}], ADD_REMOVE
    yield [gaussian | {"count": 10}, laplace | {"count": 10}], ADD_REMOVE
    yield [first, laplace | {"count": 10}], ADD_REMOVE
    yield [gaussian | {"count": 10}, response | {"count": 2}], SWAP
    yield [gaussian, laplace | {"count": 100}], SWAP
    yield [response | {"count": 3}, response | {"count": 4, "categories": 4}], SWAP


def grid() -> list[tuple[Steps, str]]:
    """All compositions, and the relation of each."""
    return [*_noises(), *_stated(), *_sampled(), *_mixed()]


def enclosed(steps: Steps, relation: str, delta: Fraction) -> Row:
    """One row."""
    start = time.process_time()
    neighbors = Relation(relation)
    directions = directions_of(read_steps(steps, neighbors), neighbors)
    for number, tried in enumerate(compositions(directions, delta), 1):
        total = tried.composition.epsilon(delta)
        if total.width <= NEAR or number >= TRIES:
            break
    name = steps[0]["event"] if len(steps) == 1 else "several"
    words = "; ".join(" ".join(f"{k} {v}" for k, v in step.items()) for step in steps)
    return Row(name, words, tried.engine, total.width, time.process_time() - start)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delta", default="1e-5")
    parser.add_argument("--event", action="append")
    asked = parser.parse_args()
    rows: list[Row] = []
    for steps, relation in grid():
        name = steps[0]["event"] if len(steps) == 1 else "several"
        if asked.event is None or name in asked.event:
            rows.append(enclosed(steps, relation, Fraction(asked.delta)))
            last = rows[-1]
            print(
                f"{last.words}: {last.engine}, {last.width:.1e}, {last.seconds:.1f} s",
                file=sys.stderr,
                flush=True,
            )
    print(f"delta {asked.delta}: {len(rows)} compositions, nothing drawn\n")
    print(
        "| event | rows | engines | widest | rows that miss | seconds |\n|---|---|---|---|---|---|"
    )
    for name in dict.fromkeys(row.event for row in rows):
        some = [row for row in rows if row.event == name]
        engines = ", ".join(dict.fromkeys(row.engine for row in some))
        widest, red = max(row.width for row in some), sum(row.is_red for row in some)
        seconds = sum(row.seconds for row in some)
        print(f"| {name} | {len(some)} | {engines} | {widest:.1e} | {red} | {seconds:.1f} |")
    print()
    for row in rows:
        if row.is_red:
            print(f"misses: {row.words}: {row.engine}, {row.width:.1e}, {row.seconds:.1f} s")


if __name__ == "__main__":
    main()
