"""Draws per second of the noise samplers, as a ratio to numpy's own `Generator.laplace`.

Run from the repository:  python -m benchmarks.samplers

Laplace and the sampler take turns, so that both meet the same machine; the median of the ratios
of one run is printed beside the goal.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from mechanisms.registry import build_noise

GOALS = {"staircase": 2 / 5, "hourglass": 3 / 10}
"""Least ratio of draws per second; an hourglass draw is a pair (z1, T)."""

OTHERS = ("geometric", "gaussian", "l1-staircase", "discrete-hourglass")


def seconds(draw: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    draw()
    return time.perf_counter() - start


def ratios(name: str, size: int, repeats: int, seed: int) -> tuple[float, float]:
    """Median ratio of draws per second to Laplace, and median nanoseconds of one draw."""
    rng = np.random.default_rng(seed)
    law = build_noise(name)
    sampler = getattr(law, "sample_parts", law.sample)
    pairs = []
    for _ in range(repeats):
        baseline = seconds(lambda: rng.laplace(size=size))
        pairs.append((baseline, seconds(lambda: sampler(size, rng=rng))))
    ratio = statistics.median(baseline / own for baseline, own in pairs)
    return ratio, statistics.median(own for _, own in pairs) / size * 1e9


def main() -> None:
    """Print one line per law."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--seed", type=int, default=20240607)
    options = parser.parse_args()
    print(f"size {options.size}, {options.repeats} repeats, epsilon = 1, numpy {np.__version__}")
    print(f"{'law':<20} {'ns/draw':>8} {'laplace = 1':>12} {'goal':>6}")
    for name in (*GOALS, *OTHERS):
        ratio, nanoseconds = ratios(name, options.size, options.repeats, options.seed)
        goal = GOALS.get(name)
        shown = "" if goal is None else f"{goal:>6.2f}  {'met' if ratio >= goal else 'missed'}"
        print(f"{name:<20} {nanoseconds:>8.1f} {ratio:>12.2f} {shown}".rstrip())


if __name__ == "__main__":
    main()
