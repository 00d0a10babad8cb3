"""A function of a complex variable at equally spaced points of a vertical line.

The points are c + i n h for n = 0, ..., N. Values of sum_j w_j exp(i n h l_j) at all of them are
one product of two matrices: with n = a s + b, (w_j exp(i a s h l_j)) times exp(i b h l_j), so that
2 sqrt(N) exponentials of each j are needed, and no product of more than two balls (repeated
products of complex balls lose a bit at every second step).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from flint import acb, acb_mat, arb, ctx, fmpz

from proofs_check.enclosure.ball import Ball, Balls, Undecided

__all__ = ["Line"]

BLOCK = 2_000
"""Terms of a sum that are multiplied at once: 50 MB at 64 rows."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Values at the points, from the real one on."""

    values: tuple[acb, ...]
    bits: int

    @classmethod
    def of_sums(
        cls, weights: Sequence[Ball], losses: Sequence[Ball], step: Ball, count: int, error: Ball
    ) -> Line:
        """Values of sum_j w_j exp(i n h l_j), each up to an error of at most `error`."""
        size = math.isqrt(count) + 1
        bits = step.bits
        with ctx.workprec(bits):
            total = acb_mat(size, size)
            for start in range(0, len(weights), BLOCK):
                some = slice(start, start + BLOCK)
                angles = [step.value * loss.value for loss in losses[some]]
                left = acb_mat(
                    [
                        [
                            weight.value * _turn(x * (a * size))
                            for weight, x in zip(weights[some], angles, strict=True)
                        ]
                        for a in range(size)
                    ]
                )
                right = acb_mat([[_turn(x * b) for b in range(size)] for x in angles])
                total = total + left * right
            spread = arb(0, error.value.abs_upper())
            around = acb(spread, spread)
            found = [value + around for value in total.entries()]
        return cls(tuple(found[: count + 1]), bits)

    @classmethod
    def of_exponentials(cls, square: Ball, start: Ball, step: Ball, count: int) -> Line:
        """Values of exp(a z (z + 1)) at z = start + i n h."""
        with ctx.workprec(step.bits):
            points = (acb(start.value, step.value * n) for n in range(count + 1))
            values = tuple((square.value * z * (z + 1)).exp() for z in points)
        return cls(values, step.bits)

    def power(self, exponent: int) -> Line:
        """Each value to a power."""
        with ctx.workprec(self.bits):
            return Line(tuple(value ** fmpz(exponent) for value in self.values), self.bits)

    def __mul__(self, other: Line) -> Line:
        with ctx.workprec(self.bits):
            pairs = zip(self.values, other.values, strict=True)
            return Line(tuple(one * two for one, two in pairs), self.bits)

    def over_poles(self, start: Ball, step: Ball) -> Line:
        """Each value over z (z + 1)."""
        with ctx.workprec(self.bits):
            points = (acb(start.value, step.value * n) for n in range(len(self.values)))
            pairs = zip(self.values, points, strict=True)
            return Line(tuple(value / (z * (z + 1)) for value, z in pairs), self.bits)

    def trapezoid(self, at: Ball, step: Ball) -> Ball:
        """The sum over all n, those below 0 too, of h value exp(-i n h at), which is real."""
        with ctx.workprec(self.bits):
            total = arb(0)
            for n, value in enumerate(self.values):
                turned = (value * _turn(-step.value * at.value * n)).real
                total += turned if n == 0 else 2 * turned
            total *= step.value
        if not total.is_finite():
            msg = "the sum is not certainly finite"
            raise Undecided(msg)
        return Ball(total, self.bits)

    @property
    def numbers(self) -> Balls:
        """At the precision of its values."""
        return Balls(self.bits)


def _turn(angle: arb) -> acb:
    """The complex number exp(i angle)."""
    sine, cosine = angle.sin_cos()
    return acb(cosine, sine)
