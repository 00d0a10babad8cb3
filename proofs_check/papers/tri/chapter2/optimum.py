"""The best mechanism for one record on {0, v}, by an exact linear program on a grid of outputs.

A mechanism is two laws on the grid, for a record 0 and a record v, with probability ratios up to
E = e^eps (up to delta); all numbers are rational. Its optimum is a true statement on mechanisms
with those outputs, against which the lower bounds are measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.smt import exact, maximum

__all__ = ["least_deviation", "rational_family"]

SHARES = tuple(Fraction(i, 4) for i in range(5))
"""Fractions of b at which the error is measured."""


def rational_family(t: int) -> tuple[Fraction, Fraction]:
    """B = 1/(1 + t^2) and v = (1 + t^2)/t: then v = (b (1 - b))^(-1/2), and both are rational."""
    return Fraction(1, 1 + t * t), Fraction(1 + t * t, t)


def least_deviation(
    e: Fraction,
    family: tuple[Fraction, Fraction],
    beta: Fraction,
    grid: Sequence[Fraction],
    *,
    delta: Fraction | None = None,
    power: int = 1,
) -> Fraction:
    """Least error over mechanisms on a grid with bias at most beta on D(v, p), 0 <= p <= b.

    Parameters
    ----------
    e : Fraction
        e^eps.
    family : (b, v)
        The largest p and the value.
    beta : Fraction
        Bound on the bias.
    grid : sequence of Fraction
        Possible outputs.
    delta : Fraction, optional
        For approximate privacy.
    power : int
        1 for the mean absolute deviation, 2 for the mean square error; the largest one over
        p = 0, b/4, ..., b is minimized.
    """
    b, v = family
    size = len(grid)
    slack = 2 * size if delta is not None else 0
    names = [f"x{i}" for i in range(2 * size + slack)] + ["error"]

    def constraints(*terms: Any) -> Iterable[Any]:
        zero, one, excess = terms[:size], terms[size : 2 * size], terms[2 * size : -1]
        yield from (term >= 0 for term in terms)
        yield sum(zero) == 1
        yield sum(one) == 1
        for i, (x, y) in enumerate(zip(zero, one, strict=True)):
            over, under = (excess[i], excess[size + i]) if excess else (0, 0)
            yield x <= exact(e) * y + over
            yield y <= exact(e) * x + under
        if delta is not None:
            yield sum(excess[:size]) <= exact(delta)
            yield sum(excess[size:]) <= exact(delta)
        for p in (Fraction(0), b):
            mean = _mean(grid, p, zero, one)
            yield mean - exact(v * p) <= exact(beta)
            yield exact(v * p) - mean <= exact(beta)
        for p in (share * b for share in SHARES):
            off = [abs(y - v * p) ** power for y in grid]
            yield _mean(off, p, zero, one) <= terms[-1]

    return -maximum(names, lambda *terms: -terms[-1], constraints).value


def _mean(values: Sequence[Fraction], p: Fraction, zero: Sequence[Any], one: Sequence[Any]) -> Any:
    """Mean of a function of the output if the record is v with probability p."""
    return sum(
        exact((1 - p) * value) * x + exact(p * value) * y
        for value, x, y in zip(values, zero, one, strict=True)
    )
