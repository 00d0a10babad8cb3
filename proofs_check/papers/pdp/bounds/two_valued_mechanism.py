"""The best two-valued mechanism for telling two product laws apart under PDP, by exact linear programs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.enclosure import Ball, certainly_less
from proofs_check.smt import exact, maximum

__all__ = ["FIRST", "SECOND", "most_shift", "rounded"]

FIRST = Fraction(9, 10)
"""Chance of a 1 under the first law."""

SECOND = Fraction(1, 10)
"""And under the second."""

DIGITS = 14

Data = tuple[int | None, ...]


def most_shift(
    states: Sequence[int | None],
    factors: Sequence[Fraction],
    laws: tuple[Fraction, Fraction] = (FIRST, SECOND),
) -> Fraction:
    """The largest P(1) - P'(1) of a two-valued mechanism on data of two laws of 0 and 1.

    `states` are the values of a record; None stands for a user who is absent, and then neighbors
    are those of add-remove. The factors are bounds of e^(eps_i).
    """
    data = list(product(states, repeat=len(factors)))
    names = [f"p{i}" for i in range(len(data))]
    place = {d: i for i, d in enumerate(data)}
    weights = [_mass(d, laws[0]) - _mass(d, laws[1]) for d in data]

    def constraints(*p: Any) -> list[Any]:
        found = [x >= 0 for x in p] + [x <= 1 for x in p]
        for d in data:
            for i, factor in enumerate(factors):
                for value in states:
                    if value == d[i] or (None in states and None not in (value, d[i])):
                        continue
                    x, y, a = p[place[d]], p[place[(*d[:i], value, *d[i + 1 :])]], exact(factor)
                    found += [x <= a * y, 1 - x <= a * (1 - y)]
        return found

    def objective(*p: Any) -> Any:
        return sum((exact(w) * x for w, x in zip(weights, p, strict=True) if w), exact(0))

    return maximum(names, objective, constraints).value


def _mass(data: Data, one: Fraction) -> Fraction:
    mass = Fraction(1)
    for x in data:
        mass *= Fraction(0) if x is None else (one if x else 1 - one)
    return mass


def rounded(x: Ball) -> tuple[Fraction, Fraction]:
    """Decimals just below and above a number."""
    unit = Fraction(1, 10**DIGITS)
    steps = 0
    for power in range(60, -1, -1):
        if certainly_less(unit * (steps + 2**power), x):
            steps += 2**power
    low, high = unit * steps, unit * (steps + 1)
    if certainly_less(low, x) and certainly_less(x, high):
        return low, high
    raise ArithmeticError(x)
