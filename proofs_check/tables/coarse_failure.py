"""DPUCOARSE: how likely it misses (TRI, Proposition 4.1.3)."""

from __future__ import annotations

from typing import Any

from proofs_check.papers.tri.chapter4.coarse_utility import failure_bound
from proofs_check.tables.column import Column, Point
from proofs_check.tables.noise import EPSILON, N
from proofs_check.tables.table import Table
from proofs_check.tables.trilemma_keys import enclosed

__all__ = ["TABLE"]


def _failure(at: Point, bits: int) -> Any:
    return failure_bound(at["n"], at["epsilon"], numbers=enclosed(bits))


TABLE = Table(
    name="coarse-failure",
    about=(
        "For n >= 7 + (7 / epsilon) log(1 / delta) records of variance at most 1/64, any delta."
    ),
    keys=(N, EPSILON),
    columns=(
        Column(
            "failure",
            "probability",
            "exp(-n / 128) + (n / 2) exp(-n epsilon / 16); may exceed 1.",
            ("TRI-P4.1.3",),
            _failure,
        ),
    ),
    default=(
        {"n": "500", "epsilon": "0.5,1"},
        {"n": "1000", "epsilon": "0.1,0.2,0.5"},
        {"n": "2000", "epsilon": "0.1,0.2"},
        {"n": "5000", "epsilon": "0.1"},
    ),
)
"""The table."""
