"""Lower bounds for a Gaussian mean under personalized privacy (PDP, Theorems 9 and 12)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.enclosure import Balls
from proofs_check.papers.pdp.bounds.lower_bounds import lower_bound, root_half
from proofs_check.papers.pdp.mean.comparators import (
    least_budget_square,
    partitioned_square,
    sampled_square,
    stretched_square,
)
from proofs_check.tables.budgets import BUDGETS, EXAMPLES, adpm_error, closest, prefix_sums, sizes
from proofs_check.tables.column import Column, Point, Rounding
from proofs_check.tables.table import Table

__all__ = ["TABLE"]


def _bound(at: Point, bits: int, *, first: int, one: bool = False) -> Any:
    """The largest C / (S_k + 2 sqrt(n - k)) over k from `first` on, C = 1 / sqrt(2) or 1."""
    numbers, budgets = Balls(bits), at["budgets"]
    k, _ = closest(budgets, first, 2, bits)
    constant = Fraction(1) if one else root_half(numbers=numbers)
    rest = numbers.rational(Fraction(len(budgets) - k))
    return lower_bound(prefix_sums(budgets)[k], rest, constant, 1, numbers=numbers)


def _rate(at: Point, bits: int) -> Any:
    _, least = closest(at["budgets"], 0, 1, bits)
    return 1 / least


def _root(square: Callable[[Any], Fraction]) -> Callable[[Point, int], Any]:
    """Root of a rational mean square of the budgets."""
    return lambda at, bits: Balls(bits).sqrt(Balls(bits).rational(square(at["budgets"])))


def _sampled(at: Point, bits: int) -> Any:
    numbers = Balls(bits)
    return numbers.sqrt(sampled_square(at["budgets"], numbers=numbers))


def _compared(name: str, says: str, value: Callable[[Point, int], Any]) -> Column:
    """A column of a comparator's worst error; a reconstruction, constants ours."""
    return Column(name, "width of the interval", says, ("PDP-CMP",), value)


TABLE = Table(
    name="personalized",
    about=(
        "n users with known budgets and records from N(mu, sigma^2), mu unknown. Each bound: some "
        "mu is missed by that much with probability at least 1/4, whatever the mechanism. S_k is "
        "the sum of the k smallest budgets."
    ),
    keys=(BUDGETS,),
    columns=(
        *sizes("PDP-T9"),
        Column(
            "k",
            "users",
            "The k >= 1 of the next column; the smallest one if there are several.",
            ("PDP-T9", "PDP-T12"),
            lambda at, bits: closest(at["budgets"], 1, 2, bits)[0],
            Rounding.EXACT,
        ),
        Column(
            "bound_printed",
            "sigma",
            "max over k >= 1 of 1 / (sqrt(2) (S_k + 2 sqrt(n - k))), as printed.",
            ("PDP-T9", "PDP-T12"),
            lambda at, bits: _bound(at, bits, first=1),
        ),
        Column(
            "bound",
            "sigma",
            "The same with k = 0 too.",
            ("PDP-T9", "PDP-T12"),
            lambda at, bits: _bound(at, bits, first=0),
        ),
        Column(
            "bound_sharp",
            "sigma",
            "The same with the constant 1 for 1 / sqrt(2): bounded neighbors (a record changes).",
            ("PDP-T9",),
            lambda at, bits: _bound(at, bits, first=0, one=True),
        ),
        Column(
            "rate",
            "1",
            "max over k >= 0 of 1 / (S_k + sqrt(n - k)), what ADPM is compared with.",
            ("PDP-T1", "PDP-L12s"),
            _rate,
        ),
        Column(
            "adpm_error",
            "width of the interval",
            "sqrt(B) / (2 A): bound of ADPM's root mean squared error for records in an interval.",
            ("PDP-A3", "PDP-E-SAT"),
            adpm_error,
        ),
        Column(
            "rate_over_adpm",
            "1",
            "rate over adpm_error: at least 0.62456814976862.",
            ("PDP-L12s",),
            lambda at, bits: _rate(at, bits) / adpm_error(at, bits),
        ),
        _compared(
            "stretched_error",
            "Root mean squared error of pdp.stretched-mean on fair coins (after Alaggan et al.).",
            _root(stretched_square),
        ),
        _compared(
            "partitioned_error",
            "The same of pdp.partitioned-mean (after Li et al.).",
            _root(partitioned_square),
        ),
        _compared(
            "sampled_error",
            "The same of pdp.sampled-mean at the largest budget (after Jorgensen et al.).",
            _sampled,
        ),
        _compared(
            "least_budget_error",
            "The same of pdp.least-budget: everyone at the least budget.",
            _root(least_budget_square),
        ),
    ),
    default=({"budgets": EXAMPLES},),
)
"""The table."""
