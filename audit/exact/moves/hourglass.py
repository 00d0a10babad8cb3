"""The privacy of the hourglass for every record at once: KSW-T2, and on a grid KSW-D5.

A record x moves the pair (s1, s2) by (x, 1 - x), thus z1 by x and t = z1 + z2 by 1. The exponent
k(s, t) of the density changes by exactly 1 then, whatever z1, t and x are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from audit.exact.moves.lemma import MoveLemma
from audit.exact.moves.regions import boxes, places
from audit.exact.symbolic.levels import Number, grid_level, hourglass_exponent, level
from audit.exact.symbolic.region import Range

__all__ = ["discrete_hourglass_lemma", "hourglass_lemma"]


def hourglass_lemma(
    epsilon: Fraction,
    *,
    gamma: Fraction | None = None,
    exponent: Callable[[Number, Number], Number] = hourglass_exponent,
    records: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1)),
) -> MoveLemma:
    """Loss of a pair that moves by (x, 1 - x) under hourglass noise (KSW-T2).

    `epsilon`: height of one step of the log-density, and claimed bound of the loss. `gamma`: in (0,
    1]; left out, the lemma is for every gamma. `exponent`: k(s, t) of the density A e^(-epsilon k),
    s the level of z1 and t = z1 + z2. `records`: range of x; of length at most 2. Returns: to be
    checked.
    """
    lines: tuple[Range, ...] = ((0, None), (None, -1))
    parts: list[tuple[Sequence[Range], bool]] = [
        (places(2), True),
        (((0, 1),), False),
        (lines, True),
        ((records,), False),
        (((0, 1) if gamma is None else (gamma, gamma),), False),
    ]

    def loss(x: tuple[Number, ...]) -> Number:
        n, f, t, record, g = x
        z = n + f
        moved = exponent(level(z + record, g), t + 1)
        return (exponent(level(z, g), t) - moved) * epsilon

    width = "every gamma in (0, 1]" if gamma is None else f"gamma = {gamma}"
    return MoveLemma(
        "KSW-T2",
        "for all z1, all integers t and all x in "
        f"[{records[0]}, {records[1]}], |k(t + 1, s(z1 + x)) - k(t, s(z1))| <= 1; {width}",
        ("the query moves by (x, 1 - x) or its opposite", "the noise has the density A e^-eps k"),
        ("n", "f", "t", "x", "gamma"),
        boxes(parts),
        loss,
        lambda _: epsilon,
    )


def discrete_hourglass_lemma(epsilon: Fraction, grid: int, level0: int) -> MoveLemma:
    """Loss of a pair on the grid that moves by (i, grid - i) / grid, i an integer (KSW-D5).

    `epsilon`: height of one step of the log-pmf, and claimed bound of the loss. `grid`, `level0`: Q
    and r of the discrete hourglass, 1 <= r <= Q. Returns: to be checked.
    """
    parts: list[tuple[Sequence[Range], bool]] = [
        (places(1), True),
        (((0, grid - 1),), True),
        (((0, None), (None, -1)), True),
        (((0, grid),), True),
    ]

    def loss(x: tuple[Number, ...]) -> Number:
        n, place, t, record = x
        j = n * grid + place
        before = hourglass_exponent(grid_level(j, grid, level0), t)
        return (before - hourglass_exponent(grid_level(j + record, grid, level0), t + 1)) * epsilon

    return MoveLemma(
        "KSW-D5",
        f"for all integers j and t and all i in 0..{grid}, |k(t + 1, s(j + i)) - k(t, s(j))| <= 1",
        (
            f"the query moves by (i, {grid} - i) / {grid} or its opposite",
            "the noise has the pmf A_d e^-eps k",
        ),
        ("n", "place", "t", "i"),
        boxes(parts),
        loss,
        lambda _: epsilon,
    )
