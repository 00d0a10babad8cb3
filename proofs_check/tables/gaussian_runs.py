"""What the errors of private Gaussian means depend on: runs of budgets, weights, reach (PDP-L17u).

A vector of budgets is taken in runs of equal ones, so that a million users are as quick as ten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import final

from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints
from proofs_check.papers.pdp.range.diffusion import private_rate
from proofs_check.papers.pdp.range.gaussian_range import (
    cut_off,
    median_need,
    normal_tail,
    record_spread,
    survivor_root,
)
from proofs_check.papers.pdp.range.grid_accuracy import rank_error

__all__ = [
    "BETA",
    "Runs",
    "SaturationProfile",
    "middle",
    "profile_of",
    "reach_of",
    "runs_of",
    "saturated_runs",
    "survivors_of",
]

BETA = Fraction(1, 10)
"""Failure probability of the mechanism, and so of the bound."""
PLACE = 16
"""Largest |mu| / sigma."""

STEP = Fraction(1, 1024)
"""z is a whole number of such steps."""

RANK_ERROR = Fraction(2236, 10_000)
Runs = tuple[tuple[Fraction, int], ...]
"""Budgets, ascending, each with its number of users."""


@final
@dataclass(frozen=True, slots=True)
class SaturationProfile:
    """What of halved budgets the bound depends on."""

    tau: Fraction
    survivors: Ball
    """Expected number at tau."""
    squares: Fraction
    largest: Fraction
    total: Fraction
    threshold: Fraction


def runs_of(budgets: Iterable[Fraction]) -> Runs:
    """Return the runs of ascending budgets."""
    return tuple((value, len(list(run))) for value, run in groupby(budgets))


def survivors_of(runs: Runs, tau: Fraction, *, numbers: Balls) -> Ball:
    """Expected number of survivors at tau, with the rates p* of PDP-A6."""
    found = numbers.rational(Fraction(0))
    for e, count in runs:
        rate = Fraction(1)
        if e < tau:
            rate = private_rate(numbers.rational(e), numbers.rational(tau), numbers=numbers)
        found = found + rate * count
    return found


def saturated_runs(runs: Runs) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Threshold, total, sum of squares and largest of the saturated budgets, group by group.

    The first k with eps_(k + 1) >= R_k: within a group of equal budgets e, R falls to e where the
    squares less e times the sum, which stay as they are there, allow it; so only R at its ends and
    its first user count.
    """
    total = squares = Fraction(0)
    squares += 8
    for place, (e, count) in enumerate(runs):
        if place and e * total >= squares:
            break
        # e >= (squares + j e^2) / (total + j e) for j of these users iff e total >= squares.
        total, squares = total + count * e, squares + count * e * e
    threshold = squares / total
    spent = [(min(e, threshold), count) for e, count in runs]
    whole = sum((e * count for e, count in spent), Fraction(0))
    second = sum((e * e * count for e, count in spent), Fraction(0))
    return threshold, whole, second, max(e for e, _ in spent)


@lru_cache(maxsize=32)
def profile_of(runs: Runs, bits: int) -> SaturationProfile:
    """Return the best tau among the budgets, and the weights of the saturated ones."""
    numbers = Balls(bits)
    values = [(middle(tau * survivors_of(runs, tau, numbers=numbers)), tau) for tau, _ in runs]
    tau = max(values)[1]
    threshold, total, second, largest = saturated_runs(runs)
    return SaturationProfile(
        tau,
        survivors_of(runs, tau, numbers=numbers),
        second / total**2,
        largest / total,
        total,
        threshold,
    )


def middle(ball: Ball) -> Fraction:
    """Middle of a ball, to choose by: whatever is chosen is public."""
    low, high = endpoints(ball)
    return (low + high) / 2


def _index(ratio: Ball) -> int:
    """The first k with 2^(k - 1) >= 1 + ratio, certainly."""
    k = 1
    while certainly_less(1 + ratio, Fraction(2) ** (k - 1)) is not True:
        k += 1
    return k


def reach_of(
    users: int, survivors: Ball, tau: Fraction, beta: Fraction, bits: int
) -> tuple[Fraction, Ball] | None:
    """z, the largest step that certainly holds, and u; None if a condition is not certain."""
    numbers = Balls(bits)
    share, radius = (numbers.rational(beta * part) for part in (Fraction(11, 84), Fraction(1, 24)))
    level = numbers.rational(tau)
    u = record_spread(numbers.rational(Fraction(users)), share, numbers=numbers)
    first, second = _index(8 * (PLACE + u)), _index(16 * u)
    pairs = survivors / 4 - Fraction(1, 2)
    if certainly_less(0, pairs) is not True:
        return None
    width = rank_error(pairs, 2, level / 4, share, numbers=numbers)
    kept = survivors / 2 - cut_off(first, level, radius, numbers=numbers)
    need = median_need(first, level, share, numbers.rational(Fraction(2) ** first), numbers=numbers)
    if certainly_less(width, RANK_ERROR) is not True or certainly_less(need, kept) is not True:
        return None
    y = survivor_root(
        numbers.log(3 / share), cut_off(second, level, radius, numbers=numbers), numbers=numbers
    )

    def enough(steps: int) -> bool:
        tail = normal_tail(numbers.rational(1 + STEP * steps), numbers=numbers)
        return certainly_less(y**2, survivors * tail) is True

    low, high = 0, 8 * STEP.denominator
    while high - low > 1:
        half = (low + high) // 2
        low, high = (half, high) if enough(half) else (low, half)
    return (STEP * low, u) if low else None
