"""Best parameters and moments of the univariate staircase (KSW-S1 to S3)."""

from __future__ import annotations

from typing import Any

from proofs_check.enclosure import Balls
from proofs_check.papers.ksw.noise.staircase import (
    best_variance,
    fourth_moment,
    gamma_of_y,
    mean_absolute,
    mean_absolute_best_gamma,
)
from proofs_check.tables.column import Column, Point
from proofs_check.tables.noise import EPSILON, b_of, best_y
from proofs_check.tables.table import Table

__all__ = ["TABLE"]


def _best(at: Point, bits: int) -> tuple[Any, Any]:
    """Values of b and y*."""
    return b_of(at["epsilon"], bits), best_y(at["epsilon"], bits)


def _absolute_gamma(at: Point, bits: int) -> Any:
    numbers = Balls(bits)
    return mean_absolute_best_gamma(numbers.exp(numbers.rational(at["epsilon"] / 2)))


def _absolute(at: Point, bits: int) -> Any:
    return mean_absolute(b_of(at["epsilon"], bits), b_of(at["epsilon"] / 2, bits))


TABLE = Table(
    name="staircase",
    about=(
        "Staircase noise Z of sensitivity 1: gamma is the share of a unit step on its upper level, "
        "y = gamma + e^(-epsilon) (1 - gamma)."
    ),
    keys=(EPSILON,),
    columns=(
        Column(
            "y", "1", "y* of the least variance.", ("KSW-S2",), lambda at, bits: _best(at, bits)[1]
        ),
        Column(
            "gamma",
            "1",
            "gamma* of the least variance.",
            ("KSW-S2",),
            lambda at, bits: gamma_of_y(*_best(at, bits)),
        ),
        Column(
            "variance",
            "1",
            "E Z^2 at gamma*: sigma^2(epsilon).",
            ("KSW-S2", "KSW-E2"),
            lambda at, bits: best_variance(*_best(at, bits)),
        ),
        Column(
            "fourth_moment",
            "1",
            "E Z^4 at gamma*.",
            ("KSW-S2", "KSW-S3"),
            lambda at, bits: fourth_moment(*_best(at, bits)),
        ),
        Column("gamma_absolute", "1", "gamma of the least E |Z|.", ("KSW-S2",), _absolute_gamma),
        Column("mean_absolute", "1", "The least E |Z|.", ("KSW-S1", "KSW-S2"), _absolute),
    ),
    default=({"epsilon": "0.1,0.5,1,2,5,10"},),
)
"""The table."""
