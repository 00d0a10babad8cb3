"""The hourglass: height, law of the sum, covariance and mixed moments (KSW-H1 to H3)."""

from __future__ import annotations

from typing import Any

from proofs_check.papers.ksw.noise.hourglass import hourglass_height
from proofs_check.papers.ksw.noise.hourglass_moments import (
    covariance,
    mixed_moment,
    sum_fourth_moment,
    sum_probability,
)
from proofs_check.papers.ksw.noise.staircase import gamma_of_y, second_moment, y_of_gamma
from proofs_check.tables.column import Column, Point, Rounding
from proofs_check.tables.keys import NumberKey
from proofs_check.tables.noise import EPSILON, b_of, best_y
from proofs_check.tables.table import Table

__all__ = ["TABLE"]


def _y(at: Point, bits: int) -> tuple[Any, Any]:
    """Values of b and y."""
    b = b_of(at["epsilon"], bits)
    gamma = at["gamma"]
    return b, y_of_gamma(b, gamma) if gamma else best_y(at["epsilon"], bits)


def _gamma(at: Point, bits: int) -> tuple[Any, Any]:
    """Values of b and gamma."""
    b, y = _y(at, bits)
    return b, at["gamma"] or gamma_of_y(b, y)


TABLE = Table(
    name="hourglass",
    about=(
        "Hourglass noise (Z1, Z2) with T = Z1 + Z2, an integer. gamma = 0 stands for gamma*, where "
        "the variance is least and the covariance is 0."
    ),
    keys=(EPSILON, NumberKey("gamma", "Shape; 0 for gamma*.", at_least=0, at_most=1)),
    columns=(
        Column(
            "height",
            "1",
            "Density along a line at the center.",
            ("KSW-D4",),
            lambda at, bits: hourglass_height(*_y(at, bits)),
        ),
        Column(
            "sum_is_0",
            "1",
            "P(T = 0).",
            ("KSW-H1",),
            lambda at, bits: sum_probability(*_gamma(at, bits), 0),
        ),
        Column(
            "sum_is_1",
            "1",
            "P(T = 1).",
            ("KSW-H1",),
            lambda at, bits: sum_probability(*_gamma(at, bits), 1),
        ),
        Column(
            "variance",
            "1",
            "E Z1^2.",
            ("KSW-L3", "KSW-S1"),
            lambda at, bits: second_moment(*_y(at, bits)),
        ),
        Column(
            "covariance",
            "1",
            "E Z1 Z2.",
            ("KSW-H2",),
            lambda at, bits: covariance(*_y(at, bits)),
            Rounding.PLACE,
        ),
        Column(
            "sum_fourth_moment",
            "1",
            "E T^4.",
            ("KSW-H3",),
            lambda at, bits: sum_fourth_moment(*_gamma(at, bits)),
        ),
        Column(
            "mixed_moment",
            "1",
            "E Z1^2 T^2.",
            ("KSW-H3",),
            lambda at, bits: mixed_moment(*_gamma(at, bits)),
        ),
    ),
    default=(
        {"epsilon": "0.5,1,2,5,10", "gamma": "0"},
        {"epsilon": "1", "gamma": "0.2,0.8"},
        {"epsilon": "2", "gamma": "0.5"},
    ),
)
"""The table."""
