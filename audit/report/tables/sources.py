"""Where the numbers of a table can be measured: draws whose mean is the number of a cell.

Our own mechanisms are built by name from the registry; released libraries go through the adapters,
and are left out where they are not installed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Source", "bits_of_mean", "sources_of"]

Draws = NDArray[np.float64]
Point = Mapping[str, Any]
Sampler = Callable[[Point, int, np.random.Generator], Draws]

OWN_DRAWS = 200_000
"""Of our own mechanisms, which draw in bulk."""


@final
@dataclass(frozen=True, slots=True)
class Source:
    """How a column can be measured.

    Parameters
    ----------
    label : str
        The mechanism, or the library's call.
    sample : callable
        Draws at a point, whose mean is the column's number.
    draws : int
        How many by default.
    library : str
        Distribution of a released library; empty for our own.
    """

    label: str
    sample: Sampler
    draws: int = OWN_DRAWS
    library: str = ""


def sources_of(table: str) -> tuple[dict[str, Source], tuple[str, ...]]:
    """Sources of a table by column, and why others are left out."""
    sources = SOURCES.get(table, {})
    missing = {
        name: source.library
        for name, source in sources.items()
        if source.library and find_spec(IMPORTED[source.library]) is None
    }
    left_out = tuple(f"{name}: {library} is not installed" for name, library in missing.items())
    return {name: one for name, one in sources.items() if name not in missing}, left_out


IMPORTED = {"diffprivlib": "diffprivlib", "opendp": "opendp", "python-dp": "pydp"}
"""Module by distribution."""


def bits_of_mean(n: int, mean: Fraction) -> Draws:
    """Records in [0, 1] of a mean: zeros and ones, and one between them if need be."""
    total = n * mean
    ones = int(total)
    data = np.zeros(n)
    data[:ones] = 1.0
    if total != ones:
        data[ones] = float(total - ones)
    return data


def _noise(name: str) -> Source:
    """Squares of noise of sensitivity 1, the first coordinate of a pair, at its best shape."""

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from mechanisms.registry import build_noise

        drawn = np.asarray(build_noise(name, epsilon=at["epsilon"]).sample(size, rng=rng))
        first = drawn[:, 0] if drawn.ndim == 2 else drawn
        return np.asarray(first, dtype=np.float64) ** 2

    return Source(f"noise {name}", sample)


def _error(name: str, scaled: bool = False) -> Source:
    """Squared error of a registered mean on bits; times (n epsilon)^2 if scaled."""

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from mechanisms.registry import build_mechanism

        mechanism = build_mechanism(name, epsilon=at["epsilon"], low=0, high=1)
        data = bits_of_mean(int(at["n"]), at["mean"])
        off = np.asarray(mechanism.sample(data, size, rng=rng), dtype=np.float64)
        return _squares(off, at, scaled)

    return Source(name, sample)


def _squares(outputs: Draws, at: Point, scaled: bool) -> Draws:
    squares = (outputs - float(at["mean"])) ** 2
    return squares * float(at["n"] * at["epsilon"]) ** 2 if scaled else squares


def _adapter(name: str, library: str, draws: int) -> Source:
    """Scaled squared error of a released library's mean on bits."""

    def sample(at: Point, size: int, rng: np.random.Generator) -> Draws:
        from audit.adapters.registry import build_adapter

        mean = build_adapter(name, epsilon=at["epsilon"], low=0, high=1)
        data = bits_of_mean(int(at["n"]), at["mean"])
        return _squares(np.asarray(mean.sample(data, size, rng=rng), dtype=np.float64), at, True)

    return Source(name, sample, draws, library)


def _sum_over_count(at: Point, size: int, rng: np.random.Generator) -> Draws:
    """OpenDP's noisy sum over its noisy count of records, half of the budget each, clipped."""
    from audit.adapters.registry import build_adapter

    data = bits_of_mean(int(at["n"]), at["mean"])
    half = at["epsilon"] / 2
    sums = build_adapter("opendp.sum", epsilon=half, low=0, high=1).sample(data, size, rng=rng)
    counts = build_adapter("opendp.laplace", epsilon=half).sample(data.size, size, rng=rng)
    ratio = np.asarray(sums, dtype=np.float64) / np.asarray(counts, dtype=np.float64)
    return _squares(np.clip(ratio, 0.0, 1.0), at, True)


def _passes(at: Point, size: int, rng: np.random.Generator) -> Draws:
    """Whether DPUCOARSE names the bin of a single record: 0 or 1."""
    from mechanisms.registry import build_mechanism

    mechanism = build_mechanism("tri.coarse", epsilon=at["epsilon"], delta=at["delta"])
    outputs = mechanism.sample(np.zeros(1), size, rng=rng)
    return np.asarray(~np.isnan(outputs), dtype=np.float64)


SOURCES: dict[str, dict[str, Source]] = {
    "variance": {
        "laplace_swap": _noise("laplace"),
        "geometric_swap": _noise("geometric"),
        "staircase_swap": _noise("staircase"),
        "laplace_add_remove": _noise("laplace"),
        "l1_staircase_add_remove": _noise("l1-staircase"),
        "hourglass_add_remove": _noise("hourglass"),
    },
    "staircase": {"variance": _noise("staircase")},
    "l1-staircase": {"variance": _noise("l1-staircase")},
    "mse": {
        "algorithm_1_laplace": _error("ksw.independent-laplace"),
        "algorithm_2_laplace": _error("ksw.shifted-laplace"),
        "algorithm_3_laplace": _error("ksw.transformed-laplace"),
        "algorithm_3_hourglass": _error("ksw.transformed-hourglass"),
        "algorithm_3_l1_staircase": _error("ksw.transformed-staircase"),
    },
    "coarse": {"delta_exact": Source("tri.coarse", _passes)},
    "libraries": {
        "diffprivlib_mean": _adapter("diffprivlib.mean", "diffprivlib", 6_000),
        "opendp_mean": _adapter("opendp.mean", "opendp", 2_000),
        "opendp_sum_over_count": Source(
            "opendp.sum over opendp.laplace of the count", _sum_over_count, 2_000, "opendp"
        ),
        "pydp_bounded_mean": _adapter("pydp.mean", "python-dp", 8_000),
        "algorithm_3_laplace": _error("ksw.transformed-laplace", scaled=True),
        "algorithm_3_hourglass": _error("ksw.transformed-hourglass", scaled=True),
    },
}
"""By table and column."""
