"""Shared by the claims of PDP: working precision, comparison of balls, minima for z3, positivity."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_check.claim import Finding
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints
from proofs_check.smt import choose

__all__ = ["LESS", "NUMBERS", "PERCENT", "ball", "below", "larger", "smaller"]

NUMBERS = Balls(192)
"""Working precision of printed values."""

PERCENT = Fraction(101, 100)
"""What mutants multiply a constant by."""

LESS = Fraction(99, 100)
"""The same, downwards."""


def ball(value: Fraction | int | str) -> Ball:
    """Enclose an exact rational, such as "0.1"."""
    return NUMBERS.rational(Fraction(value))


def below(rows: Sequence[tuple[str, Ball | Fraction | int, Ball | Fraction | int]]) -> Finding:
    """Decide whether in every row (name, x, y) the number x is certainly less than y."""
    undecided = ""
    for name, x, y in rows:
        answer = certainly_less(x, y)
        if answer is False:
            return Finding(holds=False, detail=f"{name}: {_text(x)} is not less than {_text(y)}")
        if answer is None:
            undecided = undecided or name
    if undecided:
        return Finding(holds=None, detail=f"not decided: {undecided}")
    return Finding(
        holds=True, detail="; ".join(f"{n}: {_text(x)} < {_text(y)}" for n, x, y in rows)
    )


def smaller(x: Any, y: Any) -> Any:
    """Write min(x, y) for z3."""
    return choose(x <= y, x, y)


def larger(x: Any, y: Any) -> Any:
    """Write max(x, y) for z3."""
    return choose(x >= y, x, y)


def _text(x: Ball | Fraction | int) -> str:
    low, high = endpoints(x) if isinstance(x, Ball) else (x, x)
    return f"{float((low + high) / 2):.10g}"
