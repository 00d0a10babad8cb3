"""Numbers of figures: exact ones from the verified tables, and simulated ones beside them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

__all__ = ["INTERVAL", "REPETITIONS", "Point", "exact", "grid", "measured", "scaled", "text"]

REPETITIONS = 10_000
"""Of a simulated point, as in the papers."""

INTERVAL = 0.01
"""Rate at which a simulated interval misses its number: the bars are 99 % intervals."""

DIGITS = 12

Point = Mapping[str, Fraction]
"""Quantities by name."""


def grid(words: str) -> tuple[Fraction, ...]:
    """Read a grid as `touchstone table` does: "0.1:10:log:25", "0:1:lin:101", "0,0.1"."""
    from proofs_check.tables.grid import read_grid

    return read_grid(words, "grid")


def exact(table: str, column: str, at: Point) -> str:
    """Decimals of one cell of a verified table; empty where it says nothing there."""
    return _cell(table, column, tuple(at.items()))


@cache
def _cell(table: str, column: str, at: tuple[tuple[str, Fraction], ...]) -> str:
    from proofs_check.enclosure import Undecided
    from proofs_check.tables.registry import find_table

    one = next(c for c in find_table(table).columns if c.name == column)
    try:
        return one.rounded(dict(at), one.digits)[0]
    except Undecided:
        return ""


def scaled(number: str, factor: Fraction) -> str:
    """Multiply decimals by a number."""
    return text(Fraction(number) * factor) if number else ""


def text(value: Fraction | float) -> str:
    """Write a number with enough digits to draw it."""
    return f"{float(value):.{DIGITS}g}"


def measured(
    column: str, at: Point, factor: Fraction, place: tuple[int, int, int]
) -> tuple[str, ...]:
    """Estimate an error by simulation: its mean and the ends of its interval, times a factor.

    `column`: of the table mse: which mechanism is run. `at`: n, epsilon and mean. `factor`: unit of
    the result. `place`, (int, int, int): seed, series and number of the point: its stream is its
    own.
    """
    from audit.draws.streams import Purpose, stream
    from audit.tables.empirical import interval
    from audit.tables.measured_sources import SOURCES

    whole: dict[str, object] = {**at, "n": int(at["n"])}
    seed, pair, arm = place
    rng = stream(seed, Purpose.FIGURE, pair=pair, arm=arm)
    draws = SOURCES["mse"][column].sample(whole, REPETITIONS, rng)
    low, high = interval(draws, INTERVAL)
    return tuple(text(float(factor) * value) for value in (float(draws.mean()), low, high))
