"""How many more draws the default configuration needs than the oracle's bet on the known event.

The power statement `detectable` names the events that it holds for: a single value, a tail, or one
interval of one coordinate. A cell is such an event of probability p whose loss is so large that
the oracle's bet refutes the claim with probability 0.9 after exactly N draws of each arm. The
engine's draws to a refutation are counted over seeds; the factor of the cell is

    (U - draws that only learn) / N,

U being the upper end of the 95 % order-statistics interval of their 0.9 quantile. For each
probability `--record` writes the smallest a + b / sqrt(N) that is at least every factor (a linear
program), which `audit.engine.power` reads. Divergences have a fit of their own.

Every cell and every block of seeds is a line of the output file: the job may be stopped, and goes
on where it was. Run: python -m benchmarks.inefficiency --output FILE [--seeds 60] [--minutes M]
[--jobs 1] [--record]; with `--minutes 0` it only prints the table.
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
from joblib import Parallel, delayed
from scipy.optimize import linprog
from scipy.special import bdtr, bdtrc

from audit.draws.settings import Settings
from audit.engine.experts import Grid
from audit.engine.power import FACTORS, LEARNING_DRAWS, smallest_epsilon
from audit.engine.rounds import FIRST_RUN_SHARE
from audit.engine.run import Run
from audit.levels import grid_of
from audit.levels.moments import MomentGrid
from audit.pairs.neighbors import Pair
from audit.targets.target import Target
from benchmarks.calibration import digest, read_lines
from benchmarks.nulls import end_of
from mechanisms.claims import (
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

MOST_TIMES_ORACLE, MOST_BESIDES = 12, 4_000
"""A run ends without a refutation after so many times the oracle's draws, and so many more."""

SHAPES = ("atom", "tail", "interval at .3", "interval at .7", "interval beside an atom")
EVERYWHERE = SHAPES[:2]
"""The shapes that are looked for at every probability: cells in the middle hold 1/64 and more."""
WIDTH = 0.1
ATOM = 0.25
"""Probability, outside the event, of the atom that the last shape has at the event's lower end."""

LEVELS: dict[str, Level] = {
    "epsilon 1": PureDP(1),
    "zCDP 0.1": ZeroConcentratedDP("0.1"),
    "Renyi (2, 0.25)": RenyiDP(2, "0.25"),
}
QUANTILE, CONFIDENCE = 0.9, 0.95


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

    def run(self, first: int, seeds: int) -> dict[str, Any]:
        """Draws of each arm to a refutation, of some seeds (null where none): a line."""
        loss, started = self.loss(), time.process_time()
        draw = event_sampler(self.shape, self.mass, self.mass * math.exp(-loss))
        target = Target(name=self.shape, draw=draw, claim=None, order=Order.FIXED)
        most = LEARNING_DRAWS + MOST_TIMES_ORACLE * self.oracle + MOST_BESIDES
        grid = alone(grid_of(self.claim))
        draws: list[int | None] = []
        for seed in range(first, first + seeds):
            settings = Settings(
                seed=seed,
                false_alarm=self.false_alarm,
                ideal=True,
                budget_samples=2 * most,
                budget_seconds=3600,
            )
            run = Run.start(target, self.claim, [PAIR], settings, grid, None, FIRST_RUN_SHARE)
            draws.append(run.samples // 2 if end_of(run) == "refuted" else None)
        seconds = round(time.process_time() - started, 2)
        return asdict(self) | {"first": first, "loss": loss, "draws": draws, "seconds": seconds}


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


def _cells() -> Iterator[Cell]:
    """The reduced table, the cells that decide most first."""
    for mass in (0.1, 0.5):
        yield from (Cell(s, mass, oracle) for oracle in (500, 150, 2_000, 10_000) for s in SHAPES)
    for oracle in (3_000, 500):
        yield from (Cell(s, m, oracle, "zCDP 0.1") for m in (0.1, 0.5) for s in SHAPES[::-1])
    for mass, draws in ((0.01, (2_000, 10_000)), (1e-3, (15_000,)), (1e-4, (150_000,))):
        yield from (Cell(shape, mass, oracle) for oracle in draws for shape in EVERYWHERE)
    yield from (Cell(s, 0.01, 3_000, "zCDP 0.1") for s in EVERYWHERE)
    yield from (Cell(s, 0.1, n, "epsilon 1", 0.001) for n in (500, 2_000) for s in SHAPES)
    yield from (Cell(s, m, 3_000, "Renyi (2, 0.25)") for m in (0.1, 0.5) for s in SHAPES[1:3])


CELLS = [cell for cell in _cells() if math.isfinite(cell.loss())]


def event_sampler(shape: str, p: float, q: float) -> Any:
    """Outputs in [0, 1) with an event of probability p on data set 0 and q on the other.

    What lies outside has the same law on both. Only the order of values matters to the engine, so
    an interval's width is none of its properties, and the place is the share that lies below it.
    """
    below = {"tail": 0.0, "interval at .7": 0.7}.get(shape, 0.3)
    place = below * (1 - WIDTH)

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        inside = rng.random(size) < (p if data == 0 else q)
        outside = rng.random(size) * (1 - WIDTH)
        outside = np.where(outside < place, outside, outside + WIDTH)
        if shape == "interval beside an atom":
            outside = np.where(rng.random(size) < ATOM, place, outside)
        event = np.full(size, place + WIDTH / 2)
        if shape != "atom":
            event = place + WIDTH * rng.random(size)
        return np.where(inside, event, outside)

    return draw


def quantile_interval(draws: Sequence[float]) -> tuple[float, float, float]:
    """The 0.9 quantile, and the ends of its distribution-free 95 % interval.

    The upper end is infinite where there are too few runs (of 36 or more there is one).
    """
    runs, values = len(draws), sorted(draws)
    tail = (1 - CONFIDENCE) / 2
    ranks = np.arange(1, runs + 1)
    lower = [k for k in ranks.tolist() if bdtr(k - 1, runs, QUANTILE) <= tail]
    upper = [k for k in ranks.tolist() if bdtrc(k - 1, runs, QUANTILE) <= tail]
    return (
        values[math.ceil(QUANTILE * runs) - 1],
        values[max(lower, default=1) - 1],
        values[min(upper) - 1] if upper else math.inf,
    )


def fit(points: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """The least a + b / sqrt(N), both at least 0, that is at least every measured factor.

    Least is meant in the mean over the points, of the logarithm's first order: each factor counts
    relative to its own size.
    """
    root = np.array([1 / math.sqrt(n) for n, _ in points])
    needed = np.array([factor for _, factor in points])
    found = linprog(
        [float((1 / needed).sum()), float((root / needed).sum())],
        A_ub=-np.column_stack([np.ones(len(points)), root]),
        b_ub=-needed,
        bounds=[(1, None), (0, None)],
    )
    a, b = found.x
    return math.ceil(100 * a) / 100, math.ceil(10 * b) / 10  # rounded up: no factor is below


def measured(lines: Sequence[dict[str, Any]], seeds: int) -> dict[Cell, list[float]]:
    """Draws to a refutation by cell, of the cells whose seeds are complete."""
    found: dict[Cell, list[float]] = {}
    for cell in CELLS:
        of = [line for line in lines if all(line[k] == v for k, v in asdict(cell).items())]
        draws = [math.inf if n is None else n for line in of for n in line["draws"]]
        if len(draws) >= min(seeds, 40):
            found[cell] = draws
    return found


def factors(found: dict[Cell, list[float]]) -> dict[str, dict[str, list[float]]]:
    """The fits: by kind of claim and mass a pair (a, b)."""
    fits: dict[str, dict[str, list[float]]] = {"lines": {}, "divergences": {}}
    for kind, of in fits.items():
        points: dict[float, list[tuple[int, float]]] = {}
        for cell, draws in found.items():
            is_divergence = isinstance(grid_of(cell.claim), MomentGrid)
            if is_divergence == (kind == "divergences"):
                upper = quantile_interval(draws)[2]
                point = (cell.oracle, (upper - LEARNING_DRAWS) / cell.oracle)
                points.setdefault(cell.mass, []).append(point)
        of.update({repr(mass): list(fit(p)) for mass, p in sorted(points.items(), reverse=True)})
    return fits


def table(found: dict[Cell, list[float]]) -> str:
    """Every complete cell."""
    rows = [
        "| event | mass | claim | false alarm | oracle n | loss | seeds | median | q90 [l, u] "
        "| factor | its upper end |\n" + "|---" * 11 + "|"
    ]
    for cell, draws in found.items():
        q90, low, high = quantile_interval(draws)
        median = float(np.median(draws))
        factor, upper = ((x - LEARNING_DRAWS) / cell.oracle for x in (q90, high))
        rows.append(
            f"| {cell.shape} | {cell.mass} | {cell.level} | {cell.false_alarm} | {cell.oracle} "
            f"| {cell.loss():.3g} | {len(draws)} | {median:.0f} | {q90:.0f} [{low:.0f}, {high:.0f}]"
            f" | {factor:.2f} | {upper:.2f} |"
        )
    return "\n".join(rows)


def record(fits: dict[str, dict[str, list[float]]], engine: str, seeds: int) -> None:
    """Write the fits for the engine; what was not measured now stays, and is named."""
    before = json.loads(FACTORS.read_text())["fits"]
    carried = {kind: sorted(set(before[kind]) - set(fits[kind])) for kind in fits}
    text = {
        "command": "python -m benchmarks.inefficiency --output FILE --record",
        "sources": engine,
        "least seeds of a cell": seeds,
        "carried over, 1.5 times the factors of commit a04b179": carried,
        "fits": {kind: before[kind] | fits[kind] for kind in fits},
    }
    FACTORS.write_text(json.dumps(text, indent=1) + "\n")


def main() -> None:
    """Go on with the runs, print the table, and write the fits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, help="JSON lines, appended to")
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no more after")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write the fits for the engine")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    engine = digest()
    lines = read_lines(options.output, engine)
    done = {(*(line[k] for k in asdict(CELLS[0])), line["first"]) for line in lines}
    missing = [
        (cell, first)
        for cell in CELLS
        for first in range(0, options.seeds, BLOCK)
        if (*asdict(cell).values(), first) not in done
    ]
    with (
        options.output.open("a") as file,
        Parallel(n_jobs=options.jobs, return_as="generator_unordered") as parallel,
    ):
        while time.monotonic() < end and missing:
            some, missing = missing[: options.jobs], missing[options.jobs :]
            for line in parallel(delayed(cell.run)(first, BLOCK) for cell, first in some):
                lines.append(line | {"engine": engine})
                print(json.dumps(lines[-1]), file=file, flush=True)
    found = measured(lines, options.seeds)
    print(table(found))
    fits = factors(found)
    print(json.dumps(fits))
    if options.record:
        record(fits, engine, min(map(len, found.values())))


if __name__ == "__main__":
    main()
