"""Saturated budgets: how much of its budget each user can spend (PDP, Section 3.2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from proofs_check.enclosure import Balls
from proofs_check.papers.pdp.mean.printed_rate import upper_error
from proofs_check.papers.pdp.mean.saturation import Saturation, saturation
from proofs_check.tables.budgets import BUDGETS, EXAMPLES, prefix_sums
from proofs_check.tables.column import Column, Point, Rounding
from proofs_check.tables.table import Table

__all__ = ["TABLE"]


@lru_cache(maxsize=16)
def _found(budgets: Any) -> Saturation:
    return saturation(budgets)


def _error(at: Point, bits: int) -> Any:
    numbers, found = Balls(bits), _found(at["budgets"])
    return upper_error(numbers.rational(found.total), numbers.rational(found.squares), numbers)


TABLE = Table(
    name="saturation",
    about=(
        "ADPM weighs a user by min(budget, tau) / A: budgets above tau, the least "
        "(sum of squares + 8) / sum over the k smallest budgets, do not help."
    ),
    keys=(BUDGETS,),
    columns=(
        Column(
            "n",
            "users",
            "Number of users.",
            ("PDP-E-SAT",),
            lambda at, _: len(at["budgets"]),
            Rounding.EXACT,
        ),
        Column(
            "total",
            "1",
            "Sum of the budgets.",
            ("PDP-E-SAT",),
            lambda at, _: prefix_sums(at["budgets"])[-1],
        ),
        Column(
            "k",
            "users",
            "Users whose budget is below tau.",
            ("PDP-E-SAT",),
            lambda at, _: _found(at["budgets"]).k,
            Rounding.EXACT,
        ),
        Column(
            "tau", "1", "The saturation.", ("PDP-E-SAT",), lambda at, _: _found(at["budgets"]).tau
        ),
        Column(
            "A",
            "1",
            "Sum of the saturated budgets.",
            ("PDP-E-SAT",),
            lambda at, _: _found(at["budgets"]).total,
        ),
        Column(
            "B",
            "1",
            "Sum of their squares, plus 8.",
            ("PDP-E-SAT",),
            lambda at, _: _found(at["budgets"]).squares,
        ),
        Column(
            "largest_weight",
            "1",
            "The largest weight min(budget, tau) / A of a user.",
            ("PDP-A3", "PDP-E-SAT"),
            lambda at, _: _found(at["budgets"]).budgets[-1] / _found(at["budgets"]).total,
        ),
        Column(
            "error",
            "width of the interval",
            "sqrt(B) / (2 A): bound of ADPM's root mean squared error, attained by fair bits.",
            ("PDP-A3", "PDP-E-SAT"),
            _error,
        ),
    ),
    default=({"budgets": EXAMPLES},),
)
"""The table."""
