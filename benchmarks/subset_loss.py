"""How near the subset means come to the 3 epsilon that they claim, for all that they are made of.

Of both thresholds, the noisy sum and the noisy count the loss of a pair of data sets D, D + (x) is
the largest value, over lower and upper thresholds l and u, of the sum of the two log-ratios of the
thresholds' densities, of |clip(x, [l, u]) - m| / w times epsilon for the sum, and of epsilon / 2
for the count. Public parameters (the form with a public size), bounds 0 and 1; thresholds on a grid
of POINTS, so the numbers are lower limits of the loss up to the width of the grid. Random data sets
and the extreme ones: the worst case is open.

Run: python -m benchmarks.subset_loss
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SEED, POINTS, EPSILON = 1, 301, 1.0
GRID = np.linspace(0.0, 1.0, POINTS)
RANKS, ALPHAS, SIZES = (1, 2, 3, 5, 8), (0.001, 0.01, 0.05), (0, 1, 2, 3, 5, 8, 12, 20, 40)


def log_density(data: Array, rank: float, alpha: float) -> Array:
    """Log-density of a threshold of a rank from below on the grid, shape (POINTS,)."""
    below = np.searchsorted(data, GRID - alpha, side="left")
    upto = np.searchsorted(data, GRID + alpha, side="right")
    loss = np.maximum(0, np.maximum(below - rank, rank - upto))
    weights = -EPSILON / 2 * loss
    return np.asarray(weights - np.log(np.mean(np.exp(weights - weights.max()))) - weights.max())


def largest_loss(data: Array, record: float, rank: int, alpha: float) -> float:
    """Largest loss of all four numbers together, either way round."""
    more = np.sort(np.append(data, record))
    low = log_density(more, rank, alpha) - log_density(data, rank, alpha)
    n = data.size
    high = log_density(more, n + 1 - rank, alpha) - log_density(data, n - rank, alpha)
    first, last = np.minimum.outer(GRID, GRID), np.maximum.outer(GRID, GRID)
    width = last - first
    off = np.abs(np.clip(record, first, last) - (first + last) / 2)
    total = np.divide(EPSILON * off, width, out=np.zeros_like(width), where=width > 0)
    both = low[:, None] + high[None, :]
    return float(max(np.max(both + total), np.max(total - both)) + EPSILON / 2)


def data_sets(n: int, rng: np.random.Generator) -> list[Array]:
    """All at one end, half at either end, equal somewhere, and spread."""
    halves = np.repeat([0.0, 1.0], [n // 2, n - n // 2])
    equal = [np.full(n, place) for place in rng.random(3)]
    return [np.zeros(n), halves, *equal, *(np.sort(rng.random(n)) for _ in range(3))]


def main() -> None:
    """Print the largest loss found for each rank and number of records."""
    rng = np.random.default_rng(SEED)
    print("| records | " + " | ".join(f"rank {rank}" for rank in RANKS) + " |")
    print("|---" * (len(RANKS) + 1) + "|")
    for n in SIZES:
        sets = data_sets(n, rng)
        cells = []
        for rank in RANKS:
            found = [
                largest_loss(data, record, rank, alpha)
                for data, alpha in itertools.product(sets, ALPHAS)
                for record in (0.0, 0.5, 1.0, float(rng.random()))
            ]
            cells.append(f"{max(found):.2f}")
        print(f"| {n} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
