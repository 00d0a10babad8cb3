"""Samplers of the numbers of a table: draws whose mean is the number of a cell.

Our own mechanisms are built by name from the registry; released libraries go through the adapters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "TableSource",
    "absolute_errors",
    "bits_of_mean",
    "class_errors",
    "coin_errors",
    "gaussian_errors",
    "hourglass_noise",
    "mean_error",
    "noise",
    "passes",
    "scaled_error",
    "sum_over_count",
]

Draws = NDArray[np.float64]
Point = Mapping[str, Any]
Sampler = Callable[[Point, int, np.random.Generator], Draws]

OWN_DRAWS = 200_000
"""Of our own mechanisms, which draw in bulk."""

COIN_DRAWS = 10_000
"""Of a mechanism that gets new records for each draw."""

MOST_COINS, FEWEST_DRAWS = 20_000_000, 200
"""Records of all draws together, where they leave so many draws."""

GAUSSIAN_MEAN, GAUSSIAN_REACH, GAUSSIAN_DRAWS = 3.0, 20, 2_000
"""Mean of records, bounds of those that need them, and draws, each with new records."""

BOUNDED = ("pdp.adpm", "pdp.least-budget")
"""Personalized means with public bounds."""

WIDE = 1000
"""Public bounds of records whose own bounds nobody knows."""

RECORDS = 1_000
"""Number of records where only n epsilon matters."""


@final
@dataclass(frozen=True, slots=True)
class TableSource:
    """How a column can be measured."""

    label: str
    """The mechanism, or the library's call."""
    sample: Sampler
    """Draws at a point, whose mean is the column's number."""
    draws: int = OWN_DRAWS
    """How many by default."""
    library: str = ""
    """Distribution of a released library; empty for our own."""
    root: bool = False
    """Whether the number is the root of the draws' mean."""


def bits_of_mean(n: int, mean: Fraction) -> Draws:
    """Records in [0, 1] of a mean: zeros and ones, and one between them if need be."""
    total = n * mean
    ones = int(total)
    data = np.zeros(n)
    data[:ones] = 1.0
    if total != ones:
        data[ones] = float(total - ones)
    return data


def noise(name: str, power: int = 2, *, absolute: bool = False) -> TableSource:
    """Make a source of powers of noise of sensitivity 1, the first coordinate of a pair.

    Its shape is that of the least variance, or of the least mean absolute value.
    """

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from mechanisms.registry import build_noise

        made = build_noise(name, epsilon=at["epsilon"])
        if absolute:
            made = type(made).for_absolute_error(at["epsilon"])
        drawn = np.asarray(made.sample(size, rng=rng))
        first = drawn[:, 0] if drawn.ndim == 2 else drawn
        return np.abs(np.asarray(first, dtype=np.float64)) ** power

    return TableSource(f"noise {name}", sample)


def hourglass_noise(number: Callable[[Draws], Draws]) -> TableSource:
    """Make a source of a function of pairs (Z1, T), of the shape at gamma (0: the best)."""

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from mechanisms.registry import build_noise

        made = build_noise("hourglass", epsilon=at["epsilon"], gamma=at["gamma"] or None)
        drawn = np.asarray(made.sample(size, rng=rng), dtype=np.float64)
        return np.asarray(number(drawn), dtype=np.float64)

    return TableSource("noise hourglass", sample)


def mean_error(
    name: str, *, scaled: bool = False, library: str = "", draws: int = OWN_DRAWS
) -> TableSource:
    """Make a source of squared errors of a mean on bits; times (n epsilon)^2 if scaled.

    The mean is ours, or that of a released library.
    """

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from audit.targets.libraries.adapters import build_adapter
        from mechanisms.registry import build_mechanism

        build = build_adapter if library else build_mechanism
        mechanism = build(name, epsilon=at["epsilon"], low=0, high=1)
        data = bits_of_mean(int(at["n"]), at["mean"])
        outputs = np.asarray(mechanism.sample(data, size, rng=rng), dtype=np.float64)
        return _squares(outputs, at, scaled)

    return TableSource(name, sample, draws, library)


def _squares(outputs: Draws, at: Point, scaled: bool) -> Draws:
    squares = (outputs - float(at["mean"])) ** 2
    return squares * float(at["n"] * at["epsilon"]) ** 2 if scaled else squares


def scaled_error(name: str) -> TableSource:
    """Make a source of N^2 times squared errors of a mean with Laplace noise, at N = n epsilon."""
    found = mean_error(name, scaled=True)

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        point = {"n": RECORDS, "epsilon": at["N"] / RECORDS, "mean": at["mean"]}
        return found.sample(point, size, rng)

    return TableSource(name, sample)


def coin_errors(name: str = "pdp.adpm") -> TableSource:
    """Make a source of squared errors of a mean on fair coins: new coins for each draw."""

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from mechanisms.registry import build_mechanism

        budgets = at["budgets"]
        mean = build_mechanism(name, budgets=budgets, low=0, high=1)
        draws = min(size, max(FEWEST_DRAWS, MOST_COINS // len(budgets)))
        outputs = np.empty(draws)
        for k in range(draws):
            coins = rng.integers(0, 2, len(budgets)).astype(np.float64)
            (outputs[k],) = mean.sample(coins, 1, rng=rng)
        return (outputs - 0.5) ** 2

    return TableSource(f"{name} on fair coins", sample, COIN_DRAWS, root=True)


def gaussian_errors(name: str) -> TableSource:
    """Make a source of absolute errors of a mean on new records of N(3, 1) for each draw.

    A mechanism with bounds has [-20, 20]; one whose users are private gets rows.
    """

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from mechanisms.registry import build_mechanism

        budgets = at["budgets"]
        bounds = {"low": -GAUSSIAN_REACH, "high": GAUSSIAN_REACH}
        mean = build_mechanism(name, budgets=budgets, **(bounds if name in BOUNDED else {}))
        beside = np.array([float(e) for e in budgets]) if hasattr(mean, "row_budgets") else None
        draws = min(size, max(FEWEST_DRAWS, MOST_COINS // len(budgets)))
        outputs = np.empty(draws)
        for k in range(draws):
            data = rng.normal(GAUSSIAN_MEAN, 1.0, len(budgets))
            rows = data if beside is None else np.column_stack((data, beside))
            (outputs[k],) = mean.sample(rows, 1, rng=rng)
        return np.abs(outputs - GAUSSIAN_MEAN)

    return TableSource(f"{name} on N(3, 1)", sample, GAUSSIAN_DRAWS)


def absolute_errors(name: str) -> TableSource:
    """Make a source of absolute errors of a mean on given records, with the bounds +-1000."""

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from mechanisms.registry import build_mechanism

        data = np.array([float(x) for x in at["records"]])
        mean = build_mechanism(name, epsilon=at["epsilon"], low=-WIDE, high=WIDE)
        outputs = np.asarray(mean.sample(data, size, rng=rng), dtype=np.float64)
        return np.abs(outputs - float(data.mean()))

    return TableSource(name, sample)


def class_errors(name: str) -> TableSource:
    """Make a source of squared errors of a mean on records of N(1/2, s^2), E|X - mu|^lam = 1.

    The clipped mean has the bias of the row and the sharp margin; a mean of clipped moments knows
    lam; one with bounds has [-49.5, 50.5].
    """

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from mechanisms.registry import build_mechanism

        n, lam = int(at["n"]), float(at["lam"])
        given: dict[str, object] = {
            "tri.clipped-mean": {"beta": at["beta"], "moment": at["lam"], "constant": "sharp"},
            "sub.moment-mean": {"low": -WIDE, "high": WIDE, "moment": at["lam"]},
            "ksw.swap-laplace": {"low": "-49.5", "high": "50.5"},
        }[name]
        mean = build_mechanism(name, epsilon=at["epsilon"], **given)
        moment = 2 ** (lam / 2) * math.gamma((lam + 1) / 2) / math.sqrt(math.pi)
        spread = moment ** (-1 / lam)
        draws = min(size, max(FEWEST_DRAWS, MOST_COINS // n))
        outputs = np.empty(draws)
        for k in range(draws):
            (outputs[k],) = mean.sample(rng.normal(0.5, spread, n), 1, rng=rng)
        return (outputs - 0.5) ** 2

    return TableSource(f"{name} on a normal law", sample, COIN_DRAWS, root=True)


def sum_over_count(at: Point, size: int, rng: np.random.Generator) -> Draws:
    """Draw scaled squared errors of OpenDP's noisy sum over its noisy count, clipped.

    Each has half of the budget.
    """
    from audit.targets.libraries.adapters import build_adapter

    data = bits_of_mean(int(at["n"]), at["mean"])
    half = at["epsilon"] / 2
    sums = build_adapter("opendp.sum", epsilon=half, low=0, high=1).sample(data, size, rng=rng)
    counts = build_adapter("opendp.laplace", epsilon=half).sample(data.size, size, rng=rng)
    ratio = np.asarray(sums, dtype=np.float64) / np.asarray(counts, dtype=np.float64)
    return _squares(np.clip(ratio, 0.0, 1.0), at, True)


def passes(at: Point, size: int, rng: np.random.Generator) -> Draws:
    """Draw whether DPUCOARSE names the bin of a single record: 0 or 1."""
    from mechanisms.registry import build_mechanism

    mechanism = build_mechanism("tri.coarse", epsilon=at["epsilon"], delta=at["delta"])
    outputs = mechanism.sample(np.zeros(1), size, rng=rng)
    return np.asarray(~np.isnan(outputs), dtype=np.float64)
