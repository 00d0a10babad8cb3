"""Shared by the tables on personalized budgets: key, first columns, saturation, best k."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm, sqrt
from typing import Any

from proofs_check.enclosure import Ball, Balls, endpoints
from proofs_check.papers.pdp.mean.printed_rate import upper_error
from proofs_check.papers.pdp.tools.saturation import Saturation, saturation
from proofs_check.tables.column import Column, Point, Rounding
from proofs_check.tables.keys import VectorKey

__all__ = ["BUDGETS", "EXAMPLES", "adpm_error", "closest", "prefix_sums", "saturated", "sizes"]

BUDGETS = VectorKey(
    "budgets",
    'Budgets of all users, in runs: "0.1*10 1*10" is ten users with 0.1 and ten with 1.',
    positive=True,
)
"""A vector of budgets."""

EXAMPLES = (
    "0.1*100; 1*100; 0.05*50 1*50; 0.001:1:lin:1000; 0.01*10 0.5*990; 0.1*10 1*10; "
    "0.5 1 2 4 8 16; 0.01:1:lin:100; 0.1; 2 8*2"
)
"""Vectors of the stored tables."""

MARGIN = 1e-12
"""Relative error of the floats that leave cases out: a few roundings of 1e-16."""

Budgets = tuple[Fraction, ...]


@lru_cache(maxsize=16)
def prefix_sums(budgets: Budgets) -> tuple[Fraction, ...]:
    """S_0, ..., S_n, the sums of the smallest budgets, exactly."""
    common = lcm(*(budget.denominator for budget in set(budgets)))
    sums = accumulate(
        (budget.numerator * (common // budget.denominator) for budget in budgets), initial=0
    )
    return tuple(Fraction(total, common) for total in sums)


def closest(budgets: Budgets, first: int, root_times: int, bits: int) -> tuple[int, Ball]:
    """The k from `first` on with the least S_k + c sqrt(n - k), and an enclosure of that.

    Parameters
    ----------
    budgets : tuple of Fraction
        Ascending.
    first : int
        0 or 1.
    root_times : int
        The factor c.
    bits : int
        Working precision. Of cases that it cannot tell apart the first one counts.
    """
    numbers, sums, n = Balls(bits), prefix_sums(budgets), len(budgets)
    rough = [float(sums[k]) + root_times * sqrt(n - k) for k in range(first, n + 1)]
    limit = min(rough) * (1 + MARGIN)
    near = [k for k, value in enumerate(rough, first) if value <= limit]

    def exact(k: int) -> Ball:
        return numbers.rational(sums[k]) + root_times * numbers.sqrt(
            numbers.rational(Fraction(n - k))
        )

    found = [(k, *endpoints(exact(k))) for k in near]
    lowest, highest = min(low for _, low, _ in found), min(high for _, _, high in found)
    best = next(k for k, low, _ in found if low <= highest)
    return best, numbers.between(lowest, highest)


@lru_cache(maxsize=16)
def saturated(budgets: Budgets) -> Saturation:
    """The saturation of a vector of budgets."""
    return saturation(budgets)


def adpm_error(at: Point, bits: int) -> Any:
    """The error of ADPM on fair coins, as the tables show it."""
    numbers, found = Balls(bits), saturated(at["budgets"])
    return upper_error(
        numbers.rational(found.total), numbers.rational(found.squares), numbers=numbers
    )


def sizes(claim: str) -> tuple[Column, Column]:
    """Columns of the number of users and of the sum of the budgets, which rest on a claim."""
    return (
        Column(
            "n",
            "users",
            "Number of users.",
            (claim,),
            lambda at, _: len(at["budgets"]),
            Rounding.EXACT,
        ),
        Column(
            "total",
            "1",
            "Sum of the budgets.",
            (claim,),
            lambda at, _: prefix_sums(at["budgets"])[-1],
        ),
    )
