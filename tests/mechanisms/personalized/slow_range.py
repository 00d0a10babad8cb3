"""The stages of a range and the mean a second time: plain loops, one draw at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

CAP = 64

Generator = np.random.Generator


def slow_scan(theta: float, epsilon: float, queries: Sequence[float], rng: Generator) -> int:
    """Index of the first query that fires (PDP, Algorithm 1)."""
    bar = theta + rng.laplace(scale=2 / epsilon)
    for i, query in enumerate(queries, 1):
        if query + rng.laplace(scale=4 / epsilon) > bar:
            return i
    return len(queries) + 1


def slow_width(data: Sequence[float], epsilon: float, rng: Generator) -> float:
    """Width of the grid (PDP, Algorithm 4, repaired)."""
    mixed = rng.permutation(data)
    gaps = [abs(mixed[k + 1] - mixed[k]) for k in range(0, len(mixed) - 1, 2)]
    half = len(gaps) / 2

    def within(size: float) -> int:
        return sum(gap <= size for gap in gaps)

    up = [within(2.0 ** (i - 1)) - half for i in range(1, CAP + 1)]
    down = [half - within(2.0 ** (1 - j)) for j in range(1, CAP + 1)]
    i = slow_scan(0, epsilon / 2, up, rng)
    j = slow_scan(0, epsilon / 2, down, rng)
    return (2.0 ** (i - 2) if i > 1 else 2.0 ** (1 - j)) / 2


def slow_radius(
    data: Sequence[float], epsilon: float, b: float, beta: float, rng: Generator
) -> float:
    """Radius that covers nearly all (PDP, Algorithm 5, repaired)."""
    queries = [-sum(abs(x) > 2.0 ** (i - 1) * b for x in data) for i in range(1, CAP + 1)]
    index = slow_scan(-6 / epsilon * math.log(2 / beta), epsilon, queries, rng)
    return float(2.0 ** (index - 1) * b)


def slow_center(
    data: Sequence[float], epsilon: float, b: float, radius: float, rng: Generator
) -> float:
    """Median of the records within the radius (PDP, Algorithm 2, centered).

    Points beyond all records, of which there may be many, are two cells; a uniform point of a cell
    is near enough to a grid point where there are 2^50 of them.
    """
    inside = [x for x in data if abs(x) <= radius]
    reach = math.floor(radius / b)
    places = sorted({round(x / b) for x in inside})
    cells = [(k, k) for k in places]
    cells += [
        (before + 1, after - 1)
        for before, after in zip([-reach - 1, *places], [*places, reach + 1], strict=True)
        if before + 1 <= after - 1
    ]
    scores = []
    for first, _ in cells:
        below = sum(x < first * b for x in inside)
        upto = sum(x <= first * b for x in inside)
        scores.append(-max(0.0, below - len(inside) / 2, len(inside) / 2 - upto))
    logs = np.log([last - first + 1 for first, last in cells]) + epsilon / 2 * np.array(scores)
    first, last = cells[int(np.argmax(logs + rng.gumbel(size=len(cells))))]
    return b * (first + math.floor(rng.random() * (last - first + 1)))


def slow_stages(
    data: Sequence[float], rates: Sequence[float], tau: float, beta: float, rng: Generator
) -> tuple[float, float, float, float]:
    """One draw of b, R1, m and R2 (PDP, Algorithm 6, repaired)."""
    alive = [x for x, p in zip(data, rates, strict=True) if rng.random() < p and not math.isnan(x)]
    b = slow_width(alive, tau / 4, rng)
    rounded = [b * math.floor(x / b) for x in alive]
    first = slow_radius(rounded, tau / 4, b, beta / 4, rng)
    center = slow_center(rounded, tau / 4, b, first, rng)
    second = slow_radius([x - center for x in rounded], tau / 4, b, beta / 4, rng)
    return b, first, center, second
