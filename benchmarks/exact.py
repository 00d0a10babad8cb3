"""Proof times of the exact auditors on densities, beside the figures they are held against.

The figures are those of the design study (first-order jets, one machine, no wrapper around the
balls); each row here is the best of some repetitions, in processor time. Every row also checks its
answer.

Run: python -m benchmarks.exact [--repeat 9]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.exact.comparison.gaussians import gaussian_delta
from audit.exact.comparison.lattice_comparison import OfAtoms
from audit.exact.density.density_divergences import (
    hockey_stick,
    largest_log_ratio,
    log_ratio_at_most,
    renyi,
)
from audit.exact.density.pair import DensityPair
from audit.exact.density.tail_lemmas import Density
from audit.exact.jets.supremum import Decision, at_most, supremum
from mechanisms.laws import Moved
from mechanisms.noise.gaussian import GaussianLaw
from mechanisms.noise.geometric import GeometricLaw
from mechanisms.noise.laplace import LaplaceLaw
from proofs_check.enclosure import Balls, endpoints

ONE, TINY = Fraction(1), Fraction(1, 10**15)
LINE = Fraction(-50), Fraction(50)
CUT = Fraction(-50), Fraction(0), ONE, Fraction(50)
NUMBERS = Balls(64)
HEADER = "| proof | answer | cells | ms | goal | met |\n|" + "---|" * 6


def laplace_ratio(x: Any, n: Any) -> Any:
    """Log-ratio of Laplace noise of rate 1 about 1 and about 0."""
    return n.rational(abs(x - 1)) - n.rational(abs(x))


def mixture(x: Any, n: Any) -> Any:
    """Log-density of 0.7 Laplace(0, 1) + 0.3 Laplace(3, 2)."""
    near, far = n.exp(n.rational(-abs(x))), n.exp(n.rational(-abs(x - 3) / 2))
    return n.log(near * Fraction(7, 20) + far * Fraction(3, 40))


def mixture_ratio(x: Any, n: Any) -> Any:
    """Log-ratio of the mixture and its shift by 1."""
    return mixture(x, n) - mixture(x - 1, n)


def logistic(x: Any, n: Any) -> Any:
    """Log-density of the logistic law, which has no closed form here."""
    return n.rational(-x) - 2 * n.log(1 + n.exp(-x))


KINKS = (Fraction(0), Fraction(3))
LAPLACE = DensityPair(*(Density.from_law(LaplaceLaw(ONE), shift, KINKS[:1]) for shift in (0, 1)))
GAUSSIAN = DensityPair(*(Density.from_law(GaussianLaw(ONE), shift) for shift in (0, 1)))
MIXTURE = DensityPair(
    *(Density(mixture, shift, tuple(kink + shift for kink in KINKS)) for shift in (0 * ONE, ONE))
)
LOGISTIC = DensityPair(*(Density(logistic, shift) for shift in (0 * ONE, ONE)))


@final
@dataclass(frozen=True, slots=True)
class Row:
    """One proof: what it is, how to make and print it, and what it is held against."""

    name: str
    prove: Callable[[], Any]
    show: Callable[[Any], str]
    cells: Callable[[Any], int] | None = None
    goal_ms: float | None = None
    goal_cells: int | None = None


def decided(result: Any) -> str:
    """Print a decision."""
    holds = result.holds if isinstance(result, Decision) else result
    return {True: "proved", False: "refuted", None: "undecided"}[holds]


def between(result: Any) -> str:
    """Print an enclosure of a supremum."""
    return f"[{float(result.lower):.12f}, {float(result.upper):.12f}]"


def ball(value: Any) -> str:
    """Print a ball: digits and width."""
    low, high = endpoints(value)
    return f"{float(low):.15g} (width {float(high - low):.0e})"


def divergence(result: Any) -> str:
    """Print a divergence."""
    return ball(result.value)


def gap(result: Any) -> str:
    """Print the least and the most that the atoms leave open."""
    return f"[{float(endpoints(result.value)[0]):.12f}, {float(result.most):.12f}]"


def cells(result: Any) -> int:
    """Cells that a result took."""
    return int(result.cells)


NARROW = Fraction(1, 10**8)
WIDE = GeometricLaw(Fraction(1, 2_000))
"""So wide that the atoms of a decision end at their largest number."""


def by_atoms() -> OfAtoms:
    """A law on the integers and its shift, of which nothing but the probabilities is known."""
    return OfAtoms(Moved(WIDE, Fraction(0)), Moved(WIDE, Fraction(1)))


ROWS = (
    Row(
        "Laplace log-ratio <= 1 + 1e-15 on [-50, 50]",
        lambda: at_most(laplace_ratio, LINE, ONE + TINY, numbers=NUMBERS),
        decided,
        cells,
        1.8,
        169,
    ),
    Row(
        "the same, cut at the law's breakpoints",
        lambda: at_most(laplace_ratio, CUT, ONE + TINY, numbers=NUMBERS),
        decided,
        cells,
        1.8,
        169,
    ),
    Row(
        "the same on the whole line, tails by lemma",
        lambda: log_ratio_at_most(LAPLACE, ONE + TINY),
        decided,
        None,
        1.8,
    ),
    Row(
        "Laplace log-ratio <= 0.9 on [-50, 50]",
        lambda: at_most(laplace_ratio, LINE, Fraction(9, 10), numbers=NUMBERS),
        decided,
        cells,
        0.2,
    ),
    Row(
        "mixture of two Laplaces on [-50, 50], 1e-8",
        lambda: supremum(mixture_ratio, LINE, tolerance=NARROW, numbers=NUMBERS),
        between,
        cells,
        31,
        255,
    ),
    Row(
        "the same on the whole line, tails by lemma",
        lambda: largest_log_ratio(MIXTURE, tolerance=NARROW),
        between,
        cells,
        31,
        255,
    ),
    Row("Gaussian delta(1), mu = 1, by erfc", lambda: gaussian_delta(ONE, ONE), ball, None, 0.1),
    Row("Gaussian delta(1), mu = 1, by cells", lambda: hockey_stick(GAUSSIAN, ONE), divergence),
    Row("Laplace delta(1/2)", lambda: hockey_stick(LAPLACE, ONE / 2), divergence),
    Row("mixture delta(1/2)", lambda: hockey_stick(MIXTURE, ONE / 2), divergence),
    Row("mixture total variation", lambda: hockey_stick(MIXTURE, 0 * ONE), divergence),
    Row("Laplace Renyi divergence of order 2", lambda: renyi(LAPLACE, ONE * 2), ball),
    Row("mixture Renyi divergence of order 2", lambda: renyi(MIXTURE, ONE * 2), ball),
    Row(
        "logistic log-ratio, whole line, 1e-8",
        lambda: largest_log_ratio(LOGISTIC, tolerance=NARROW),
        between,
        cells,
    ),
    Row("logistic delta(1/2), Taylor cells", lambda: hockey_stick(LOGISTIC, ONE / 2), divergence),
    Row("geometric delta(1e-4), by atoms", lambda: by_atoms().gap(ONE / 10_000), gap),
)


def timed(row: Row, repeat: int) -> tuple[Any, float]:
    """Return the result of a row and its best processor time in ms; slow ones run once."""
    best, result = float("inf"), None
    for _ in range(repeat):
        start = time.process_time()
        result = row.prove()
        best = min(best, (time.process_time() - start) * 1e3)
        if best > 500:
            break
    return result, best


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}\n\n{HEADER}")
    for row in ROWS:
        result, ms = timed(row, options.repeat)
        count = row.cells(result) if row.cells else None
        goals = [f"{row.goal_ms} ms"] if row.goal_ms else []
        goals += [f"{row.goal_cells} cells"] if row.goal_cells else []
        fast = row.goal_ms is None or ms <= row.goal_ms
        few = row.goal_cells is None or (count or 0) <= row.goal_cells
        part = "cells only" if row.goal_cells and few else "no"
        met = "-" if not goals else "yes" if fast and few else part
        shown = "-" if count is None else str(count)
        print(
            f"| {row.name} | {row.show(result)} | {shown} | {ms:.2f} "
            f"| {', '.join(goals) or '-'} | {met} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
