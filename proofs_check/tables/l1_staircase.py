"""Best parameters and moments of the two-dimensional staircase (KSW-S4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofs_check.papers.ksw.noise.l1_staircase import (
    l1_height,
    l1_mean_absolute,
    l1_mean_quartic,
    l1_second_moment,
    l1_variance_quintic,
)
from proofs_check.papers.ksw.noise.staircase import best_variance, gamma_of_y
from proofs_check.tables.column import Column, Point
from proofs_check.tables.noise import EPSILON, b_of, best_l1, best_y
from proofs_check.tables.table import Table

__all__ = ["TABLE"]


def _of(
    closed: Callable[..., Any], polynomial: Callable[..., Any] = l1_variance_quintic
) -> Callable[[Point, int], Any]:
    """Make a column of a closed form in b and the best Y."""

    def value(at: Point, bits: int) -> Any:
        epsilon = at["epsilon"]
        return closed(b_of(epsilon, bits), best_l1(polynomial, epsilon, bits))

    return value


def _ratio(at: Point, bits: int) -> Any:
    epsilon = at["epsilon"]
    least = best_variance(b_of(epsilon, bits), best_y(epsilon, bits))
    return _of(l1_second_moment)(at, bits) / least


TABLE = Table(
    name="l1-staircase",
    about=(
        "Noise (Z1, Z2) whose density is a staircase in |Z1| + |Z2|, of sensitivity 1; "
        "Y = gamma + e^(-epsilon) (1 - gamma)."
    ),
    keys=(EPSILON,),
    columns=(
        Column("y", "1", "Y of the least variance.", ("KSW-S4",), _of(lambda _, y: y)),
        Column("gamma", "1", "gamma of the least variance.", ("KSW-S4",), _of(gamma_of_y)),
        Column("variance", "1", "E Z1^2 at that gamma.", ("KSW-S4",), _of(l1_second_moment)),
        Column("height", "1", "The density at 0 there.", ("KSW-D3", "KSW-S4"), _of(l1_height)),
        Column(
            "gamma_absolute",
            "1",
            "gamma of the least E |Z1|.",
            ("KSW-S4",),
            _of(gamma_of_y, l1_mean_quartic),
        ),
        Column(
            "mean_absolute",
            "1",
            "The least E |Z1|.",
            ("KSW-S4",),
            _of(l1_mean_absolute, l1_mean_quartic),
        ),
        Column(
            "variance_over_hourglass",
            "1",
            "Variance over that of the hourglass.",
            ("KSW-S4", "KSW-S2"),
            _ratio,
        ),
    ),
    default=({"epsilon": "0.1,0.5,1,2,5,10"},),
)
"""The table."""
