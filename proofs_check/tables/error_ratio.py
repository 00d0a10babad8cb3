"""Errors of Algorithms 1 to 3 with Laplace noise, over N = n epsilon (KSW-X2 to X4).)."""

from __future__ import annotations

from typing import Any

from proofs_check.papers.ksw.bounds.laplace_bounds import transformed_leading_constant
from proofs_check.papers.ksw.error.laplace_error import (
    INDEPENDENT,
    SHIFTED,
    TRANSFORMED,
    Algorithm,
)
from proofs_check.tables.column import Column, Point
from proofs_check.tables.keys import NumberKey
from proofs_check.tables.mse import laplace_error
from proofs_check.tables.noise import MEAN
from proofs_check.tables.table import Rival, Table

__all__ = ["SIZE", "TABLE"]

SIZE = NumberKey(
    "N", "n epsilon: with Laplace noise errors depend on it and the mean only.", above=0
)
"""Number of records times budget."""


def _scaled(algorithm: Algorithm, at: Point, bits: int) -> Any:
    return laplace_error(algorithm, at["N"], at["mean"], bits) * at["N"] ** 2


TABLE = Table(
    name="error-ratio",
    about=(
        "N = n epsilon; errors in units of (u - l)^2 (Algorithm 1 on [0, 1]). The worst-case bound "
        "2 / N^2 of Algorithm 3 holds for all N; the bound of Theorem 1 that depends on the mean, "
        "without its o(1), does not (erratum 11), and Algorithm 2 is not always worse (erratum 10)."
    ),
    keys=(SIZE, MEAN),
    columns=(
        Column(
            "scaled_1",
            "(u - l)^2 / N^2",
            "N^2 times the mean squared error of Algorithm 1.",
            ("KSW-X4",),
            lambda at, bits: _scaled(INDEPENDENT, at, bits),
        ),
        Column(
            "scaled_2",
            "(u - l)^2 / N^2",
            "N^2 times that of Algorithm 2, always below 4.",
            ("KSW-X3", "KSW-T1'"),
            lambda at, bits: _scaled(SHIFTED, at, bits),
        ),
        Column(
            "scaled_3",
            "(u - l)^2 / N^2",
            "N^2 times that of Algorithm 3, always below 2.",
            ("KSW-X2", "KSW-T1'"),
            lambda at, bits: _scaled(TRANSFORMED, at, bits),
        ),
        Column(
            "ratio_2_to_3",
            "1",
            "Error of Algorithm 2 over that of Algorithm 3.",
            ("KSW-X2", "KSW-X3"),
            lambda at, bits: _scaled(SHIFTED, at, bits) / _scaled(TRANSFORMED, at, bits),
        ),
        Column(
            "ratio_to_worst_case",
            "1",
            "Error of Algorithm 3 over 2 / N^2.",
            ("KSW-X2", "KSW-T1'"),
            lambda at, bits: _scaled(TRANSFORMED, at, bits) / 2,
        ),
        Column(
            "ratio_to_leading",
            "1",
            "Error of Algorithm 3 over the bound of Theorem 1 at this mean, without its o(1).",
            ("KSW-X2", "KSW-T1"),
            lambda at, bits: (
                _scaled(TRANSFORMED, at, bits) / transformed_leading_constant(at["mean"])
            ),
        ),
    ),
    default=(
        {"N": "0.1,1,2,5,8,10,100,1000", "mean": "0,0.01,0.1,0.5"},
        {"N": "500", "mean": "0,0.002,0.013579,0.5"},
    ),
    rivals=(
        Rival(
            "ksw.count-then-swap",
            "(u - l)^2 / N^2",
            "N^2 times the mean squared error of a noisy count, then a swap mean, on 1000 bits.",
        ),
        Rival(
            "ksw.swap-laplace",
            "(u - l)^2 / N^2",
            "The same of Laplace noise on the mean where n is public (swap), clipped.",
        ),
    ),
)
"""The table."""
