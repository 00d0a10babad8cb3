"""Means of released libraries beside ours: exact errors of what they compute (KSW-X2, X4, X5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofs_check.papers.ksw.common import laplace_moment
from proofs_check.papers.ksw.error.laplace_error import (
    INDEPENDENT,
    TRANSFORMED,
    Algorithm,
)
from proofs_check.tables.column import Column, Point
from proofs_check.tables.mse import hourglass_at, laplace_error
from proofs_check.tables.noise import EPSILON, MEAN, N
from proofs_check.tables.rounded_count import rounded_count_error
from proofs_check.tables.table import Table

__all__ = ["TABLE"]


def _laplace(algorithm: Algorithm) -> Callable[[Point, int], Any]:
    def value(at: Point, bits: int) -> Any:
        size = at["n"] * at["epsilon"]
        return laplace_error(algorithm, size, at["mean"], bits) * size**2

    return value


def _hourglass(at: Point, bits: int) -> Any:
    return hourglass_at(at, bits) * (at["n"] * at["epsilon"]) ** 2


def _rounded_count(at: Point, bits: int) -> Any:
    n, epsilon = int(at["n"]), at["epsilon"]
    found = rounded_count_error(n, epsilon, min(at["mean"], 1 - at["mean"]), bits)
    return None if found is None else found * (n * epsilon) ** 2


def _public(at: Point, bits: int) -> Any:
    del at, bits
    return laplace_moment(2, 1)


def _column(
    name: str, says: str, claims: tuple[str, ...], value: Callable[[Point, int], Any]
) -> Column:
    return Column(name, "(u - l)^2 / (n epsilon)^2", says, claims, value)


TABLE = Table(
    name="libraries",
    about=(
        "Exact errors of the algorithm that each library releases, on bits; with --empirical they "
        "are measured beside it, where the library is installed. Relations differ: under swap n is "
        "public, which is worth up to half of the error; only add-remove hides it."
    ),
    keys=(N, EPSILON, MEAN),
    columns=(
        _column(
            "diffprivlib_mean",
            "diffprivlib tools.mean: Laplace noise on the mean (swap, n public), not truncated.",
            ("KSW-T1",),
            _public,
        ),
        _column(
            "opendp_mean",
            "OpenDP sized mean: Laplace noise on the mean (swap, n public).",
            ("KSW-T1",),
            _public,
        ),
        _column(
            "opendp_sum_over_count",
            "OpenDP sum over count, epsilon / 2 each, clipped: Algorithm 1 (add-remove).",
            ("KSW-A1", "KSW-X4"),
            _laplace(INDEPENDENT),
        ),
        _column(
            "pydp_bounded_mean",
            "PyDP BoundedMean: Algorithm 2 (add-remove) with the noise of the count rounded to an "
            "integer, which costs up to 8 % at epsilon = 5; a count below 1 counts as 1. Empty for "
            "a very small epsilon.",
            ("KSW-A2",),
            _rounded_count,
        ),
        _column(
            "algorithm_3_laplace",
            "Ours, ksw.transformed-laplace: Algorithm 3 with Laplace noise (add-remove).",
            ("KSW-A3", "KSW-X2"),
            _laplace(TRANSFORMED),
        ),
        _column(
            "algorithm_3_hourglass",
            "Ours, ksw.transformed-hourglass: Algorithm 3 with the hourglass (add-remove).",
            ("KSW-A3", "KSW-X5"),
            _hourglass,
        ),
    ),
    default=({"n": "1000", "epsilon": "0.1,1,5", "mean": "0.1,0.5"},),
)
"""The table."""
