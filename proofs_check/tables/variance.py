"""Variances of the noises at sensitivity 1, by relation (KSW, Sections 3 and 4)."""

from __future__ import annotations

from typing import Any

from proofs_check.papers.ksw.common import laplace_moment
from proofs_check.papers.ksw.noise.l1_staircase import l1_second_moment, l1_variance_quintic
from proofs_check.papers.ksw.noise.staircase import best_variance, geometric_variance
from proofs_check.tables.column import Column, Point
from proofs_check.tables.noise import EPSILON, b_of, best_l1, best_y
from proofs_check.tables.table import Table

__all__ = ["TABLE"]


def _laplace(at: Point, bits: int) -> Any:
    del bits
    return laplace_moment(2, 1 / at["epsilon"])


def _geometric(at: Point, bits: int) -> Any:
    return geometric_variance(b_of(at["epsilon"], bits))


def _staircase(at: Point, bits: int) -> Any:
    return best_variance(b_of(at["epsilon"], bits), best_y(at["epsilon"], bits))


def _l1_staircase(at: Point, bits: int) -> Any:
    best = best_l1(l1_variance_quintic, at["epsilon"], bits)
    return l1_second_moment(b_of(at["epsilon"], bits), best)


TABLE = Table(
    name="variance",
    about=(
        "Variance of noise of sensitivity 1 that makes an epsilon-private release, at the shape "
        "where it is least. Under swap (n public) it is that of a noisy sum of records in [0, 1]. "
        "Under add-remove it is that of either coordinate of Algorithm 3, (sum of x, sum of 1 - x)."
    ),
    keys=(EPSILON,),
    columns=(
        Column("laplace_swap", "1", "Laplace noise on a sum, n public.", ("KSW-T1",), _laplace),
        Column(
            "geometric_swap",
            "1",
            "Two-sided geometric noise on a sum of integers, n public.",
            ("KSW-S3",),
            _geometric,
        ),
        Column(
            "staircase_swap",
            "1",
            "Staircase noise on a sum, n public: sigma^2(epsilon).",
            ("KSW-S2", "KSW-E2"),
            _staircase,
        ),
        Column(
            "laplace_add_remove",
            "1",
            "Laplace noise on each coordinate.",
            ("KSW-T1",),
            _laplace,
        ),
        Column(
            "l1_staircase_add_remove",
            "1",
            "Two-dimensional staircase noise: variance of a coordinate.",
            ("KSW-S4",),
            _l1_staircase,
        ),
        Column(
            "hourglass_add_remove",
            "1",
            "Hourglass noise: its coordinates are staircases, so as little as under swap.",
            ("KSW-L3", "KSW-S2", "KSW-T2"),
            _staircase,
        ),
    ),
    default=({"epsilon": "0.1,0.2,0.5,1,2,5,10"},),
)
"""The table."""
