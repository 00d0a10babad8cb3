"""Constants of clipping: margins and biases, printed and sharp (TRI, Lemma B.1.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.papers.tri.chapter3.clipped_mean import clipping_margin, sharp_margin
from proofs_check.papers.tri.chapter3.clipping_bias import excess_bound, scarf_bound
from proofs_check.papers.tri.chapter3.combined_estimator import tail_constant
from proofs_check.papers.tri.common import clipping_constant
from proofs_check.tables.column import Column, Point
from proofs_check.tables.table import Table
from proofs_check.tables.trilemma_keys import BETA, LAM, enclosed

__all__ = ["TABLE"]

ONE = Fraction(1)


def _tail(at: Point, bits: int) -> Any:
    return tail_constant(at["lam"], numbers=enclosed(bits)) if at["lam"] > 2 else None


def _margin(at: Point, bits: int) -> Any:
    return clipping_margin(at["beta"], at["lam"], numbers=enclosed(bits))


def _printed(at: Point, bits: int) -> Any:
    return _margin(at, bits) if at["lam"] >= 2 else None


def _sharp(at: Point, bits: int) -> Any:
    return sharp_margin(at["beta"], at["lam"], numbers=enclosed(bits)) if at["lam"] >= 2 else None


def _excess(at: Point, bits: int) -> Any:
    return excess_bound(at["lam"], _margin(at, bits), ONE, numbers=enclosed(bits))


def _scarf(at: Point, bits: int) -> Any:
    return scarf_bound(_margin(at, bits), numbers=enclosed(bits)) if at["lam"] == 2 else None


TABLE = Table(
    name="clip",
    about=(
        "Records with E|X - mu|^lam <= 1 are clipped to an interval that reaches a margin beyond "
        "all means in question; clipping moves the mean by at most K(lam) / margin^(lam - 1)."
    ),
    keys=(BETA, LAM),
    columns=(
        Column(
            "K",
            "1",
            "K(lam) = (lam - 1)^(lam - 1) / lam^lam.",
            ("TRI-LB.1.1", "TRI-LB.1.2"),
            lambda at, bits: clipping_constant(at["lam"], numbers=enclosed(bits)),
        ),
        Column(
            "square_constant",
            "1",
            "Constant of the mean squared excess, 4 (lam - 2)^(lam - 2) / lam^lam (lam > 2).",
            ("TRI-P3.0.3-exact",),
            _tail,
        ),
        Column(
            "margin_printed",
            "unit of the records",
            "Margin of Proposition 3.0.1, beta^(-1/(lam - 1)) (lam >= 2).",
            ("TRI-P3.0.1",),
            _printed,
        ),
        Column(
            "margin_sharp",
            "unit of the records",
            "The least margin that our bounds allow for the bias beta (lam >= 2).",
            ("TRI-P3.0.1-sharp", "TRI-LB.1.2"),
            _sharp,
        ),
        Column(
            "bias_at_printed_margin",
            "unit of the records",
            "Bound of the bias at the margin beta^(-1/(lam - 1)): K(lam) beta, not beta.",
            ("TRI-LB.1.2",),
            _excess,
        ),
        Column(
            "bias_attained",
            "unit of the records",
            "The largest bias at that margin, approached by a law (lam = 2).",
            ("TRI-LB.1.2",),
            _scarf,
        ),
    ),
    default=(
        {"beta": "0.2,0.1,0.01", "lam": "2,3,4,10"},
        {"beta": "0.1", "lam": "1.5,6"},
    ),
)
"""The table."""
