"""Leading constants: n^2 times the mean squared error for large n, by algorithm (KSW-H4, H5)."""

from __future__ import annotations

from typing import Any

from proofs_check.enclosure import Balls
from proofs_check.papers.ksw.bounds.laplace_bounds import (
    shifted_leading_constant,
    transformed_leading_constant,
)
from proofs_check.papers.ksw.common import laplace_moment
from proofs_check.papers.ksw.error.count_then_swap import count_then_swap_constant
from proofs_check.papers.ksw.error.second_order import independent_second_order, leading_constant
from proofs_check.papers.ksw.noise.l1_staircase import l1_second_moment, l1_variance_quintic
from proofs_check.papers.ksw.noise.staircase import best_variance
from proofs_check.tables.column import Column, Point
from proofs_check.tables.noise import EPSILON, MEAN, b_of, best_l1, best_y
from proofs_check.tables.table import Table

__all__ = ["TABLE"]


def _independent(at: Point, bits: int) -> Any:
    """The part without 1/N^2 of the expansion a + c/N^2, from its values at N = 1 and 2."""
    del bits
    one, two = (independent_second_order(at["mean"], N) for N in (1, 2))
    return (4 * two - one) / 3 / at["epsilon"] ** 2


def _l1_staircase(at: Point, bits: int) -> Any:
    """(1 - 2 q) V2*: half of Laplace's constant times V2*, as coordinates are uncorrelated."""
    best = best_l1(l1_variance_quintic, at["epsilon"], bits)
    share = transformed_leading_constant(at["mean"]) / 2
    return share * l1_second_moment(b_of(at["epsilon"], bits), best)


def _hourglass(at: Point, bits: int) -> Any:
    q = at["mean"] * (1 - at["mean"])
    return leading_constant(
        b_of(at["epsilon"], bits), best_y(at["epsilon"], bits), Balls(bits).rational(q)
    )


def _count_then_swap(at: Point, bits: int) -> Any:
    numbers, mean = Balls(bits), at["mean"]
    eps = numbers.rational(at["epsilon"])
    return count_then_swap_constant(eps, mean, mean * (1 - mean), numbers=numbers)


TABLE = Table(
    name="leading",
    about=(
        "Limit of n^2 times the mean squared error over the squared width u - l of the bounds, for "
        "a fixed budget and mean as n grows (away from layers at both ends, see the tables mse and "
        "layer). Algorithms 1 to 3 hide n (add-remove); the first two columns reveal it (swap)."
    ),
    keys=(EPSILON, MEAN),
    columns=(
        Column(
            "laplace_swap",
            "1",
            "Laplace noise on the sum, n public (swap); exact for every n before clipping.",
            ("KSW-T1",),
            lambda at, _: laplace_moment(2, 1 / at["epsilon"]),
        ),
        Column(
            "staircase_swap",
            "1",
            "Staircase noise on the sum, n public (swap): sigma^2(epsilon).",
            ("KSW-S2", "KSW-E2"),
            lambda at, bits: best_variance(b_of(at["epsilon"], bits), best_y(at["epsilon"], bits)),
        ),
        Column(
            "algorithm_1_laplace",
            "1",
            "Algorithm 1 on [0, 1] (add-remove).",
            ("KSW-H5",),
            _independent,
        ),
        Column(
            "algorithm_2_laplace",
            "1",
            "Algorithm 2 (add-remove).",
            ("KSW-L2", "KSW-H5"),
            lambda at, _: shifted_leading_constant(at["mean"]) / at["epsilon"] ** 2,
        ),
        Column(
            "algorithm_3_laplace",
            "1",
            "Algorithm 3 with Laplace noise (add-remove).",
            ("KSW-T1", "KSW-H5"),
            lambda at, _: transformed_leading_constant(at["mean"]) / at["epsilon"] ** 2,
        ),
        Column(
            "algorithm_3_l1_staircase",
            "1",
            "Algorithm 3 with the two-dimensional staircase (add-remove).",
            ("KSW-S4", "KSW-L5"),
            _l1_staircase,
        ),
        Column(
            "algorithm_3_hourglass",
            "1",
            "Algorithm 3 with the hourglass (add-remove).",
            ("KSW-H4", "KSW-T3"),
            _hourglass,
        ),
        Column(
            "count_then_swap",
            "1",
            "A noisy count, then a swap mean (add-remove), on bits; a reconstruction.",
            ("KSW-CMP",),
            _count_then_swap,
        ),
    ),
    default=({"epsilon": "0.1,0.5,1,5,10", "mean": "0,0.1,0.5"},),
)
"""The table."""
