"""Saturated budgets: how much of its budget each user can spend (PDP, Section 3.2)."""

from __future__ import annotations

from proofs_check.tables.budgets import BUDGETS, EXAMPLES, adpm_error, saturated, sizes
from proofs_check.tables.column import Column, Rounding
from proofs_check.tables.table import Table

__all__ = ["TABLE"]


TABLE = Table(
    name="saturation",
    about=(
        "ADPM weighs a user by min(budget, tau) / A: budgets above tau, the least "
        "(sum of squares + 8) / sum over the k smallest budgets, do not help."
    ),
    keys=(BUDGETS,),
    columns=(
        *sizes("PDP-E-SAT"),
        Column(
            "k",
            "users",
            "Users whose budget is below tau.",
            ("PDP-E-SAT",),
            lambda at, _: saturated(at["budgets"]).k,
            Rounding.EXACT,
        ),
        Column(
            "tau",
            "1",
            "The saturation.",
            ("PDP-E-SAT",),
            lambda at, _: saturated(at["budgets"]).tau,
        ),
        Column(
            "A",
            "1",
            "Sum of the saturated budgets.",
            ("PDP-E-SAT",),
            lambda at, _: saturated(at["budgets"]).total,
        ),
        Column(
            "B",
            "1",
            "Sum of their squares, plus 8.",
            ("PDP-E-SAT",),
            lambda at, _: saturated(at["budgets"]).squares,
        ),
        Column(
            "largest_weight",
            "1",
            "The largest weight min(budget, tau) / A of a user.",
            ("PDP-A3", "PDP-E-SAT"),
            lambda at, _: saturated(at["budgets"]).budgets[-1] / saturated(at["budgets"]).total,
        ),
        Column(
            "error",
            "width of the interval",
            "sqrt(B) / (2 A): bound of ADPM's root mean squared error, attained by fair bits.",
            ("PDP-A3", "PDP-E-SAT"),
            adpm_error,
        ),
    ),
    default=({"budgets": EXAMPLES},),
)
"""The table."""
