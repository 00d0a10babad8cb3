"""Long integers by flint's fast products, and numbers in fixed point between two integers."""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, ctx, fmpz, fmpz_poly

from proofs_check.enclosure.ball import Ball, Undecided

__all__ = ["fixed_point", "polynomial_at", "product"]


def product(x: int, y: int) -> int:
    """Return x * y; of a million digits in milliseconds, where Python takes minutes."""
    return int(fmpz(x) * fmpz(y))


def fixed_point(x: Ball, bits: int) -> tuple[int, int]:
    """Integers (lower, upper) with lower <= 2^bits x <= upper for all numbers of the ball."""
    with ctx.workprec(max(x.bits, 64) + 64):
        scaled = x.value * arb(fmpz(1) << bits)
        radius = int(scaled.rad().ceil().unique_fmpz() or 0)
        middle = scaled.mid()
        lower, upper = middle.floor().unique_fmpz(), middle.ceil().unique_fmpz()
    if lower is None or upper is None:
        msg = f"the ball {x!r} has more digits before the point than its precision"
        raise Undecided(msg)
    return int(lower) - radius, int(upper) + radius


def polynomial_at(coefficients: Sequence[int], x: Ball) -> Ball:
    """Enclose the sum of coefficients[i] x^i."""
    with ctx.workprec(x.bits):
        return Ball(fmpz_poly(list(coefficients))(x.value), x.bits)
