"""The law of the center for one user a second time: every grid point, in doubles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Set
from fractions import Fraction

from tests.mechanisms.personalized.index_reference import slow_index_law

Record = Fraction | None


def slow_hit(
    record: Record, tau: float, beta: float, x: Fraction, slips: Set[str], cap: int
) -> float:
    """P(center in (x - 1, x]) if the record survives, with `cap` queries in each scan."""
    epsilon, beta = tau / 4, beta / 4
    theta = -6 / epsilon * math.log(2 / beta)
    ties = slow_index_law([0.0] * cap, 0.0, 4 / epsilon, 8 / epsilon).tolist()
    total = 0.0
    for b, chance in _widths(ties, late="E-12" in slips):
        value = None if record is None else b * math.floor(record / b)
        reached = [value is None or abs(value) <= 2**i * b for i in range(cap)]
        answers = [0.0 if reach else -1.0 for reach in reached]
        for i, mass in enumerate(slow_index_law(answers, theta, 2 / epsilon, 4 / epsilon)):
            radius = 2**i * b / (2 if "E-11" in slips else 1)
            total += chance * float(mass) * _chosen(value, b, radius, epsilon, beta, x, slips)
    return total


def _widths(ties: list[float], *, late: bool) -> Iterator[tuple[Fraction, float]]:
    """Width and probability of all pairs of indices."""
    for i, first in enumerate(ties, 1):
        for j, second in enumerate(ties, 1):
            b = Fraction(2) ** (i - 3) if i > 1 else Fraction(2) ** (-j - late)
            yield b, first * second


def _chosen(
    value: Record,
    b: Fraction,
    radius: Fraction,
    epsilon: float,
    beta: float,
    x: Fraction,
    slips: Set[str],
) -> float:
    """Probability that the exponential mechanism on the multiples of b chooses from the event."""
    reach = math.floor(radius / b)
    points = [k * b for k in range(-reach, reach + 1)]
    data = [] if value is None or ("E-10" in slips and value <= 0) else [value]
    data = [y for y in data if abs(y) <= radius]
    if "E-13" in slips:
        margin = 2 / epsilon * math.log(len(points) / beta)
        rank = 0.25
        moved = margin if rank < margin else min(rank, len(data) - margin)
        rank = max(1, math.ceil(moved))
        most, least = rank - 1.0, float(rank)
    else:
        most = least = len(data) / 2
    weights = []
    for point in points:
        above = sum(y < point for y in data) - most
        below = least - sum(y <= point for y in data)
        weights.append(math.exp(-epsilon / 2 * max(0, above, below)))
    hit = sum(w for point, w in zip(points, weights, strict=True) if x - 1 < point <= x)
    return hit / sum(weights)
