"""The smallest factors a + b / sqrt(N) that are above all measured ones, and the file of them.

`benchmarks.inefficiency` measures the cells; `audit.engine.factors` reads the file. The first class
is what CONSISTENT rests on: a shape of it that is not found in nine runs of ten stops the record,
and so does a kind of claim without the probability that decides. Nothing is carried over from an
earlier engine: what a record did not measure, reports do not say.
Shapes of the second class that are not found are left out. A fit of it is made only where every
cell of its kind and mass was measured, and keeps the shapes and the oracle's draws that it is of.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linprog

from audit.engine.detectable_power import FACTORS, LEARNING_DRAWS, LIMITED_MASS
from audit.levels import grid_of
from audit.levels.moments import MomentGrid
from benchmarks.events import FIRST_CLASS, SECOND_CLASS
from benchmarks.quantiles import Quantile, ranks
from mechanisms.claims import ApproxDP, PureDP

if TYPE_CHECKING:
    from benchmarks.inefficiency import Cell

__all__ = ["factors", "fit", "not_found", "record", "wider_factors"]

Points = dict[str, dict[float, list[tuple[int, float]]]]
"""By kind of claim and mass: the oracle's draws, and the factor's upper end."""


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


def not_found(found: dict[Cell, list[float]]) -> list[tuple[str, float]]:
    """Shapes and masses of which a cell has no upper end, although its runs are enough for one."""
    lost = [
        cell
        for cell, draws in found.items()
        if math.isinf(Quantile.of(draws).high) and ranks(len(draws))[1] is not None
    ]
    return sorted({(cell.shape, cell.mass) for cell in lost})


def kind_of(cell: Cell) -> str:
    """Kind of claim of a cell."""
    return "divergences" if isinstance(grid_of(cell.claim), MomentGrid) else "lines"


def points(found: dict[Cell, list[float]], class_: str) -> Points:
    """What a class's fits must be above, of the shapes that were found."""
    lost, above = set(not_found(found)), Points()
    for cell, draws in found.items():
        high = Quantile.of(draws).high
        if cell.class_ == class_ and (cell.shape, cell.mass) not in lost and math.isfinite(high):
            point = (cell.oracle, (high - LEARNING_DRAWS) / cell.oracle)
            above.setdefault(kind_of(cell), {}).setdefault(cell.mass, []).append(point)
    return above


def factors(found: dict[Cell, list[float]]) -> dict[str, dict[str, list[float]]]:
    """The fits of the first class: by kind of claim and mass a pair (a, b)."""
    return {
        kind: {repr(mass): list(fit(of)) for mass, of in sorted(by_mass.items(), reverse=True)}
        for kind, by_mass in points(found, "first").items()
    }


def least_epsilon(cells: Sequence[Cell]) -> float | None:
    """Of the claims of some cells the least epsilon, delta aside; None if none has one."""
    levels = [cell.claim.level for cell in cells]
    return min(
        (float(level.epsilon) for level in levels if isinstance(level, PureDP | ApproxDP)),
        default=None,
    )


def wider_factors(
    found: dict[Cell, list[float]], wanted: Sequence[Cell]
) -> dict[str, dict[str, dict[str, Any]]]:
    """The fits of the second class, with the shapes and the oracle's draws that they are of.

    A kind and mass of which a cell is missing has none, unless its shape is lost already.
    """
    lost = set(not_found(found))
    missing = {
        (kind_of(cell), cell.mass)
        for cell in wanted
        if cell not in found and (cell.shape, cell.mass) not in lost
    }
    fits: dict[str, dict[str, dict[str, Any]]] = {}
    for kind, by_mass in points(found, "second").items():
        for mass, of in sorted(by_mass.items(), reverse=True):
            if (kind, mass) in missing:
                continue
            second = [c for c in found if c.class_ == "second" and c.mass == mass]
            of_kind = [c for c in second if kind_of(c) == kind]
            shapes = {cell.shape for cell in of_kind} - {s for s, at in lost if at == mass}
            fits.setdefault(kind, {})[repr(mass)] = {
                "factor": list(fit(of)),
                "shapes": [shape for shape in SECOND_CLASS if shape in shapes],
                "epsilon": least_epsilon(of_kind),
                "oracle": [min(n for n, _ in of), max(n for n, _ in of)],
            }
    return fits


def record(found: dict[Cell, list[float]], wanted: Sequence[Cell], engine: str) -> None:
    """Write the fits for the engine; a class of which nothing was measured now stays as it was.

    Raises
    ------
    SystemExit
        If a cell of the first class was not found, which its statement includes, or a kind of claim
        has no cell of the probability on which CONSISTENT rests.
    """
    lost = not_found(found)
    if wrong := [f"{shape}, {mass}" for shape, mass in lost if shape in FIRST_CLASS]:
        msg = f"not found in nine runs of ten, and nothing is written: {wrong}"
        raise SystemExit(msg)
    text = json.loads(FACTORS.read_text())
    seeds = {
        c: [len(d) for cell, d in found.items() if cell.class_ == c] for c in ("first", "second")
    }
    if fits := factors(found):
        if lacking := [
            kind for kind in text["fits"] if repr(LIMITED_MASS) not in fits.get(kind, {})
        ]:
            msg = f"probability {LIMITED_MASS} was not measured, and nothing is written: {lacking}"
            raise SystemExit(msg)
        text |= {
            "command": "python -m benchmarks.inefficiency --output FILE --record",
            "sources": engine,
            "least seeds of a cell": min(seeds["first"]),
            "fits": dict(sorted(fits.items())),
        }
    if wider := wider_factors(found, [cell for cell in wanted if cell.class_ == "second"]):
        text["second class"] = {
            "command": "python -m benchmarks.inefficiency --classes second --output FILE --record",
            "sources": engine,
            "least seeds of a cell": min(seeds["second"]),
            "left out": [f"{shape}, {mass}" for shape, mass in lost],
            "fits": wider,
        }
    FACTORS.write_text(json.dumps(text, indent=1) + "\n")
