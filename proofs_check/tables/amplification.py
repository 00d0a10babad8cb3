"""Amplification by shuffling (TRI, Theorem 2.2.2)."""

from __future__ import annotations

from typing import Any

from proofs_check.enclosure import certainly_less
from proofs_check.papers.tri.chapter2.shuffle_law import shuffled_delta, shuffled_epsilon
from proofs_check.tables.column import Column, Point
from proofs_check.tables.keys import NumberKey
from proofs_check.tables.table import Table
from proofs_check.tables.trilemma_keys import enclosed

__all__ = ["TABLE"]


def _applies(at: Point, bits: int) -> bool:
    """Whether delta_1 is at least 2 exp(-m / (16 e^eps0)), where the theorem begins."""
    f = enclosed(bits)
    least = 2 * f.exp(-at["blocks"] / (16 * f.exp(at["epsilon"])))
    return not certainly_less(at["delta_1"], least)


def _epsilon(at: Point, bits: int) -> Any:
    if not _applies(at, bits):
        return None
    return shuffled_epsilon(at["epsilon"], at["blocks"], at["delta_1"], numbers=enclosed(bits))


def _delta(at: Point, bits: int) -> Any:
    if not _applies(at, bits):
        return None
    row = at["epsilon"], at["blocks"], at["delta_1"], at["delta_0"]
    return shuffled_delta(*row, numbers=enclosed(bits))


def _factor(at: Point, bits: int) -> Any:
    found = _epsilon(at, bits)
    return None if found is None else at["epsilon"] / found


TABLE = Table(
    name="amplification",
    about=(
        "m adaptive mechanisms, each (epsilon, delta_0)-private in its block, run on blocks whose "
        "rows are shuffled: together (epsilon_1, delta)-private under swap. Empty: delta_1 is "
        "below 2 exp(-m / (16 e^epsilon)), where the theorem says nothing."
    ),
    keys=(
        NumberKey("epsilon", "Budget of each mechanism.", above=0),
        NumberKey("blocks", "Number m of blocks.", at_least=1, whole=True),
        NumberKey("delta_1", "Part of delta that shuffling costs.", above=0, at_most=1),
        NumberKey("delta_0", "delta of each mechanism.", at_least=0, at_most=1),
    ),
    columns=(
        Column("epsilon_1", "1", "The amplified epsilon (2.2).", ("TRI-T2.2.2",), _epsilon),
        Column("delta", "1", "The total delta.", ("TRI-T2.2.2",), _delta),
        Column("gain", "1", "epsilon over epsilon_1.", ("TRI-T2.2.2",), _factor),
    ),
    default=(
        {"epsilon": "1", "blocks": "1000", "delta_1": "1e-6", "delta_0": "0,1e-12"},
        {"epsilon": "0.5", "blocks": "10000", "delta_1": "1e-9", "delta_0": "0,1e-12"},
        {"epsilon": "2", "blocks": "5000", "delta_1": "1e-5", "delta_0": "0,1e-12"},
        {"epsilon": "0.1", "blocks": "400", "delta_1": "1e-4", "delta_0": "0,1e-12"},
        {"epsilon": "0.5", "blocks": "300", "delta_1": "1e-3", "delta_0": "0"},
        {"epsilon": "1", "blocks": "600", "delta_1": "1e-5", "delta_0": "0"},
    ),
)
"""The table."""
