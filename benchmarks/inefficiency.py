"""How many more draws the default configuration needs than the oracle's bet on the known event.

The power statement `detectable` names the events that it holds for (`benchmarks.events`). A cell is
such an event of probability p whose loss is so large that the oracle's bet refutes the claim with
probability 0.9 after exactly N draws of each arm. The engine's draws to a refutation are counted
over seeds; the factor of the cell is

    (U - draws that only learn) / N,

U being the upper end of the 95 % order-statistics interval of their 0.9 quantile. For each
probability `--record` writes the smallest a + b / sqrt(N) that is at least every factor (a linear
program), which `audit.engine.detectable_power` reads. Divergences have a fit of their own, and so
has the second class; a shape of it of which a cell was not found in nine runs of ten is left out,
and named. In the first class such a cell stops `--record`: the statement would be false.

Every cell and every block of seeds is a line of the output file: the job may be stopped, and goes
on where it was. Run: python -m benchmarks.inefficiency --output FILE [--classes first,second]
[--only NAME=VALUE ...] [--seeds 60] [--cells N --draw-seed S] [--minutes M] [--jobs 1] [--record];
`--cells N` runs N cells that its own seed draws; with `--minutes 0` it only prints the table.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np

from audit.draws.settings import Settings
from audit.engine.detectable_power import LEARNING_DRAWS, smallest_epsilon
from audit.engine.experts import Grid
from audit.engine.loop import FIRST_RUN_SHARE
from audit.engine.run_state import Run
from audit.levels import grid_of
from audit.levels.moments import MomentGrid
from audit.pairs.worst_cases import Pair
from audit.targets.target import Target
from benchmarks.events import FIRST_CLASS, SECOND_CLASS, event_sampler
from benchmarks.factor_fits import factors, not_found, record, wider_factors
from benchmarks.journal import Journal, digest
from benchmarks.nulls import end_of
from benchmarks.quantiles import Quantile, ranks
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    Order,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    ZeroConcentratedDP,
)

PAIR = Pair("event", 0.0, 1.0)
BLOCK = 20
"""Seeds of a line."""

ONLY = "NAME=VALUE: cells of this shape, mass, oracle, level or false_alarm; may be given again"

MOST_TIMES_ORACLE = {"first": 12, "second": 24}
MOST_BESIDES = 4_000
"""A run ends without a refutation after so many times the oracle's draws, and so many more."""
FEWEST_SEEDS = 40
"""Of a cell that counts: fewer than 36 have no upper end."""

EVERYWHERE = FIRST_CLASS[:2]
"""The shapes that are looked for at every probability: cells in the middle hold 1/64 and more."""

LEVELS: dict[str, Level] = {
    "epsilon 1": PureDP(1),
    "epsilon 0.1": PureDP("0.1"),
    "epsilon 3": PureDP(3),
    "(1, 0.01)": ApproxDP(1, "0.01"),
    "GDP 1": GaussianDP(1),
    "zCDP 0.1": ZeroConcentratedDP("0.1"),
    "Renyi (2, 0.25)": RenyiDP(2, "0.25"),
}


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """An event's shape and probability, the oracle's draws, the claim, the rate."""

    shape: str
    mass: float
    oracle: int
    level: str = "epsilon 1"
    false_alarm: float = 0.05

    @property
    def claim(self) -> PrivacyClaim:
        """The claim, for listed pairs."""
        return PrivacyClaim(LEVELS[self.level], Relation.LISTED, Source("benchmark", "stated"))

    def loss(self) -> float:
        """The loss that the oracle finds with probability 0.9 after its draws; may be infinite."""
        level = FIRST_RUN_SHARE * self.false_alarm
        return smallest_epsilon(self.mass, self.oracle, grid_of(self.claim), level)

    @property
    def class_(self) -> str:
        """Which class of events the shape is of."""
        return "first" if self.shape in FIRST_CLASS else "second"

    def probabilities(self, loss: float) -> tuple[float, float]:
        """Of the event on the two data sets: for a claim with a delta, beyond it."""
        level = LEVELS[self.level]
        beyond = float(level.delta) if isinstance(level, ApproxDP) else 0.0
        return beyond + self.mass, self.mass * math.exp(-loss)


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Some seeds of a cell."""

    cell: Cell
    first: int
    seeds: int = BLOCK

    def run(self) -> dict[str, Any]:
        """Draws of each arm to a refutation (null where none): a line."""
        cell = self.cell
        loss, started = cell.loss(), time.process_time()
        draw = event_sampler(cell.shape, *cell.probabilities(loss))
        target = Target(name=cell.shape, draw=draw, claim=None, order=Order.FIXED)
        most = LEARNING_DRAWS + MOST_TIMES_ORACLE[cell.class_] * cell.oracle + MOST_BESIDES
        grid = alone(grid_of(cell.claim))
        draws: list[int | None] = []
        for seed in range(self.first, self.first + self.seeds):
            settings = Settings(
                seed=seed,
                false_alarm=cell.false_alarm,
                ideal=True,
                budget_samples=2 * most,
                budget_seconds=3600,
            )
            run = Run.start(target, cell.claim, [PAIR], settings, grid, None, FIRST_RUN_SHARE)
            draws.append(run.samples // 2 if end_of(run) == "refuted" else None)
        seconds = round(time.process_time() - started, 2)
        return asdict(cell) | {
            "first": self.first,
            "loss": loss,
            "draws": draws,
            "seconds": seconds,
        }


def alone(grid: Grid) -> Grid:
    """The claim itself, without the nested ones that are for limits: half of the time.

    The bets on each point of a grid are made by themselves, so a run goes as with all of them.
    """
    point = slice(grid.claimed, grid.claimed + 1)
    axes = (replace(grid.axes[0], values=np.zeros(1)),)
    if isinstance(grid, MomentGrid):
        return replace(grid, divergences=grid.divergences[:, point], axes=axes, claimed=0)
    lines = {"slopes": grid.slopes[:, point], "offsets": grid.offsets[:, point]}
    return replace(grid, **lines, axes=axes, claimed=0)


def _first_class() -> Iterator[Cell]:
    """The cells that decide most come first."""
    for mass in (0.1, 0.5):
        for oracle in (500, 150, 2_000, 10_000, 50_000):
            yield from (Cell(shape, mass, oracle) for shape in FIRST_CLASS)
    for oracle in (3_000, 500):
        for mass in (0.1, 0.5):
            yield from (Cell(s, mass, oracle, "zCDP 0.1") for s in FIRST_CLASS[::-1])
    for mass, draws in ((0.01, (2_000, 10_000)), (1e-3, (15_000,)), (1e-4, (150_000,))):
        yield from (Cell(shape, mass, oracle) for oracle in draws for shape in EVERYWHERE)
    yield from (Cell(s, 0.01, 3_000, "zCDP 0.1") for s in EVERYWHERE)
    yield from (Cell(s, 0.1, n, "epsilon 1", 0.001) for n in (500, 2_000) for s in FIRST_CLASS)
    yield from (Cell(s, m, 3_000, "Renyi (2, 0.25)") for m in (0.1, 0.5) for s in FIRST_CLASS[1:3])
    yield from _other_claims(FIRST_CLASS)


def _second_class() -> Iterator[Cell]:
    for mass in (0.1, 0.5, 0.01):
        for oracle in (500, 2_000, 10_000, 150, 50_000):
            yield from (Cell(shape, mass, oracle) for shape in SECOND_CLASS)
    yield from _other_claims(SECOND_CLASS)


def _other_claims(shapes: Sequence[str]) -> Iterator[Cell]:
    """Claims beside epsilon 1, and a small rate, at two numbers of draws and one mass."""
    for oracle in (500, 10_000):
        for level in ("epsilon 0.1", "epsilon 3", "(1, 0.01)", "GDP 1", "zCDP 0.1"):
            yield from (Cell(shape, 0.1, oracle, level) for shape in shapes)
        yield from (Cell(shape, 0.1, oracle, false_alarm=1e-4) for shape in shapes)


def cells(classes: Sequence[str]) -> list[Cell]:
    """All cells of some classes that a finite loss belongs to, each once."""
    of = {"first": _first_class, "second": _second_class}
    wanted = dict.fromkeys(cell for name in classes for cell in of[name]())
    return [cell for cell in wanted if math.isfinite(cell.loss())]


def chosen(every: Sequence[Cell], only: Sequence[str]) -> list[Cell]:
    """The cells of certain values: `NAME=VALUE`; several values of a name are alternatives.

    Raises
    ------
    SystemExit
        If no cell has such a value, which is a slip of the pen.
    """
    values: dict[str, set[str]] = {}
    for text in only:
        name, _, value = text.partition("=")
        if all(str(asdict(cell).get(name)) != value for cell in every):
            msg = f"no cell has {text!r}"
            raise SystemExit(msg)
        values.setdefault(name, set()).add(value)
    kept = [
        cell
        for cell in every
        if all(str(asdict(cell)[name]) in some for name, some in values.items())
    ]
    if not kept:
        msg = f"no cell has all of {list(only)}"
        raise SystemExit(msg)
    return kept


def drawn(every: Sequence[Cell], count: int, seed: int) -> list[Cell]:
    """Some of the cells, drawn by a seed of its own, in the order of the table."""
    places = np.random.default_rng(seed).choice(len(every), min(count, len(every)), replace=False)
    return [every[place] for place in sorted(places.tolist())]


def measured(
    every: Sequence[Cell], lines: Sequence[dict[str, Any]], seeds: int
) -> dict[Cell, list[float]]:
    """Draws to a refutation by cell, of the cells whose seeds are complete."""
    found: dict[Cell, list[float]] = {}
    for cell in every:
        of = [line for line in lines if all(line[k] == v for k, v in asdict(cell).items())]
        draws = [math.inf if n is None else n for line in of for n in line["draws"]]
        if len(draws) >= min(seeds, FEWEST_SEEDS):
            found[cell] = draws
    return found


def is_lost(cell: Cell, lines: Sequence[dict[str, Any]], seeds: int) -> bool:
    """Whether a cell of the second class cannot count any more, whatever its other runs find.

    So many runs of one of the cells of its shape and probability found nothing that the interval
    has no upper end: the shape is left out, and its other cells would decide nothing.
    """
    upper = ranks(seeds)[1]
    if cell.class_ == "first" or upper is None:
        return False
    missed: dict[tuple[Any, ...], int] = {}
    for line in lines:
        if (line["shape"], line["mass"]) == (cell.shape, cell.mass):
            key = (line["oracle"], line["level"], line["false_alarm"])
            missed[key] = missed.get(key, 0) + line["draws"].count(None)
    return any(count > seeds - upper for count in missed.values())


def table(found: dict[Cell, list[float]]) -> str:
    """Every complete cell."""
    rows = [
        "| event | mass | claim | false alarm | oracle n | loss | seeds | median | q90 [l, u] "
        "| factor | its upper end |\n" + "|---" * 11 + "|"
    ]
    for cell, draws in found.items():
        q90 = Quantile.of(draws)
        median = float(np.quantile(draws, 0.5, method="inverted_cdf"))
        factor, upper = ((x - LEARNING_DRAWS) / cell.oracle for x in (q90.value, q90.high))
        rows.append(
            f"| {cell.shape} | {cell.mass} | {cell.level} | {cell.false_alarm} | {cell.oracle} "
            f"| {cell.loss():.3g} | {len(draws)} | {median:.0f} | {q90} | {factor:.2f} "
            f"| {upper:.2f} |"
        )
    return "\n".join(rows)


def main() -> None:
    """Go on with the runs, print the table, and write the fits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, help="JSON lines, appended to")
    parser.add_argument("--classes", default="first,second", help="of events")
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--only", action="append", default=[], help=ONLY)
    parser.add_argument("--cells", type=int, help="so many, drawn by --draw-seed")
    parser.add_argument("--draw-seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no more after")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write the fits for the engine")
    options = parser.parse_args()
    engine = digest()
    journal = Journal(options.output, engine, time.monotonic() + 60 * options.minutes)
    wanted = chosen(cells(options.classes.split(",")), options.only)
    if options.cells is not None:
        wanted = drawn(wanted, options.cells, options.draw_seed)
    done = {(*(line[k] for k in asdict(wanted[0])), line["first"]) for line in journal.lines}
    blocks = (Block(cell, first) for cell in wanted for first in range(0, options.seeds, BLOCK))
    journal.do(
        (
            block
            for block in blocks
            if (*asdict(block.cell).values(), block.first) not in done
            and not is_lost(block.cell, journal.lines, options.seeds)
        ),
        processes=options.jobs,
    )
    found = measured(wanted, journal.lines, options.seeds)
    print(table(found))
    print(json.dumps(factors(found)))
    print(json.dumps(wider_factors(found, [cell for cell in wanted if cell.class_ == "second"])))
    for shape, mass in not_found(found):
        print(f"not found in nine runs of ten, and left out: {shape}, probability {mass}")
    if options.record:
        record(found, wanted, engine)


if __name__ == "__main__":
    main()
