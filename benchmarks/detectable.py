"""Whether the power statement of reports is true: the share of runs that find what it names.

For each class of events, probability, claim and number of draws: a run on equal laws with a budget
of n draws of each data set prints the smallest loss that it would have found with probability 0.9
(`detectable`). Events of that probability and exactly that loss are then audited with the same
budget, in the default configuration, and REFUTED is counted. A cell is *broken* if nine in ten
would give so few with probability below 1/1000 (252 or fewer of 300). Goals: no cell is broken, and
the mean share over the cells is at least 0.9.

A shape stands for a class that the statement names for its probability; with `--classes second`
the shapes are those of the second class, and the loss is what the statement says of them by name.
Shapes of which it says nothing are run with `--silent`, with the loss of the line of their
probability: they say what the restriction is for, and cannot be broken.

Every block of seeds is a line of the output file; the job may be stopped, and goes on where it was.
Run: python -m benchmarks.detectable --output FILE [--seeds 300] [--cells N --draw-seed S]
[--classes first,second] [--silent] [--minutes M] [--jobs 1]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, final

import numpy as np
from scipy.special import bdtr

from audit.draws.settings import Settings
from audit.engine.sequential import audit
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult, Detectable
from audit.results.verdict import Verdict
from audit.targets.target import Target
from benchmarks.events import FIRST_CLASS, SECOND_CLASS, event_sampler
from benchmarks.inefficiency import Cell as Event
from benchmarks.inefficiency import drawn
from benchmarks.journal import Journal, digest
from mechanisms.claims import Order

__all__ = ["Cell", "broken", "cells", "stated_loss"]

PAIR = Pair("event", 0.0, 1.0)
BLOCK, SEEDS = 25, 300
FOUND, RARELY = 0.9, 1e-3
"""What is stated, and the probability below which fewer are no chance."""

CLASSES = {
    "atom": "single value",
    "tail": "tail",
    "interval at .3": "one interval",
    "interval at .7": "one interval",
    "interval beside an atom": "one interval",
}
"""The words of the statement for each shape; those of the second class it names by their own name.

Where an engine has other words, this is to be changed.
"""
SHAPES = {"first": FIRST_CLASS, "second": SECOND_CLASS}

DRAWS = {0.5: (1_000, 3_000, 8_000), 0.1: (3_000, 8_000, 30_000), 0.01: (30_000, 100_000)}
"""Of each data set, by the probability of the event."""
LEVELS = ("epsilon 1", "epsilon 0.1", "epsilon 3", "(1, 0.01)", "GDP 1", "zCDP 0.1")
RATE = 0.05

HEADER = (
    "| event | mass | claim | n | loss stated | seeds | REFUTED | share | broken |\n" + "|---" * 9
) + "|"


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """An event's shape and probability, the claim, the draws of each data set."""

    shape: str
    mass: float
    level: str
    draws: int

    @property
    def event(self) -> Event:
        """The event, of which the oracle's draws play no part here."""
        return Event(self.shape, self.mass, 0, self.level)

    def audited(self, loss: float, seed: int) -> AuditResult:
        """Audit the event with some loss, in the default configuration."""
        p, q = self.event.probabilities(loss)
        sampler = event_sampler(self.shape, p, q)
        settings = Settings(
            seed=seed,
            false_alarm=RATE,
            ideal=True,
            budget_samples=2 * self.draws,
            budget_seconds=3600,
        )
        target = Target(name=self.shape, draw=sampler, claim=None, order=Order.FIXED)
        return audit(target, self.event.claim, [PAIR], settings)


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Some seeds of a cell."""

    cell: Cell
    first: int
    seeds: int = BLOCK

    def run(self) -> dict[str, Any]:
        """How often the loss that is stated was found: a line."""
        cell, started = self.cell, time.process_time()
        loss, stated = stated_loss(cell)
        results = [cell.audited(loss, seed) for seed in range(self.first, self.first + self.seeds)]
        return asdict(cell) | {
            "first": self.first,
            "runs": self.seeds,
            "loss": loss,
            "stated": stated,
            "refuted": sum(result.verdict is Verdict.REFUTED for result in results),
            "seconds": round(time.process_time() - started, 2),
        }


@cache
def statement(level: str, draws: int) -> Detectable:
    """What a run on equal laws says: one whose event has the same probability on both."""
    result = Cell("tail", 0.1, level, draws).audited(0.0, seed=0)
    if result.detectable is None:
        msg = f"no statement after {draws} draws at {level}: {result.verdict}, {result.reason}"
        raise RuntimeError(msg)
    return result.detectable


def stated_loss(cell: Cell) -> tuple[float, bool]:
    """The loss that a report states for the cell's probability; whether for events of its shape."""
    told = statement(cell.level, cell.draws)
    for wider in told.wider:
        if wider.mass == cell.mass and cell.shape in wider.shapes:
            return wider.epsilon, True
    place = told.masses.index(cell.mass)
    return told.epsilons[place], CLASSES.get(cell.shape) in told.classes[place]


def cells(classes: Sequence[str] = tuple(SHAPES), *, silent: bool) -> list[Cell]:
    """All cells with a finite loss; `silent` adds those of which the statement says nothing."""
    shapes = [shape for name in classes for shape in SHAPES[name]]
    return [cell for cell in _cells(shapes) if _counts(cell, silent=silent)]


def _cells(shapes: Sequence[str]) -> Iterator[Cell]:
    for mass, every in DRAWS.items():
        for draws in every:
            for shape in shapes:
                yield Cell(shape, mass, LEVELS[0], draws)
    for level in LEVELS[1:]:
        for shape in shapes:
            yield Cell(shape, 0.1, level, 8_000)


def _counts(cell: Cell, *, silent: bool) -> bool:
    loss, stated = stated_loss(cell)
    return bool(np.isfinite(loss)) and (stated or silent)


def broken(found: int, runs: int) -> bool:
    """Whether so few are no chance where nine in ten are found."""
    return bool(bdtr(found, runs, FOUND) < RARELY)


def table(wanted: Sequence[Cell], lines: Sequence[dict[str, Any]]) -> str:
    """Every cell that has runs, and the goals."""
    rows, shares, torn = [HEADER], [], 0
    for cell in wanted:
        of = [line for line in lines if all(line[k] == v for k, v in asdict(cell).items())]
        if not of:
            continue
        runs, found = (sum(line[key] for line in of) for key in ("runs", "refuted"))
        told = "not stated"
        if of[0]["stated"]:
            shares.append(found / runs)
            torn += broken(found, runs)
            told = "BROKEN" if broken(found, runs) else "no"
        rows.append(
            f"| {cell.shape} | {cell.mass} | {cell.level} | {cell.draws} | {of[0]['loss']:.3g} "
            f"| {runs} | {found} | {found / runs:.2f} | {told} |"
        )
    if shares:
        mean = float(np.mean(shares))
        met = "met" if mean >= FOUND and not torn else "MISSED"
        rows.append(
            f"\n{torn} of {len(shares)} cells broken (goal 0), mean share {mean:.3f} "
            f"(goal {FOUND}): {met}"
        )
    return "\n".join(rows)


def main() -> None:
    """Go on with the runs, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, help="JSON lines, appended to")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--cells", type=int, help="so many, drawn by --draw-seed")
    parser.add_argument("--draw-seed", type=int, default=0)
    parser.add_argument("--classes", default="first,second", help="of events")
    parser.add_argument("--silent", action="store_true", help="also what nothing is stated of")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no more after")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    journal = Journal(options.output, digest(), time.monotonic() + 60 * options.minutes)
    wanted = cells(options.classes.split(","), silent=options.silent)
    if options.cells is not None:
        wanted = drawn(wanted, options.cells, options.draw_seed)
    done = {(*(line[k] for k in asdict(wanted[0])), line["first"]) for line in journal.lines}
    blocks = (
        Block(cell, first, min(BLOCK, options.seeds - first))
        for first in range(0, options.seeds, BLOCK)
        for cell in wanted
    )
    journal.do(
        (block for block in blocks if (*asdict(block.cell).values(), block.first) not in done),
        processes=options.jobs,
    )
    print(table(wanted, journal.lines))


if __name__ == "__main__":
    # workers find what they are sent, and what is kept between blocks, in the module of this name
    from benchmarks import detectable

    detectable.main()
