"""The privacy of additive noise, for every move of the query at once.

By the symmetry of the statements (loss and -loss) a move and its opposite are one case. That a law
states a density with one normalizer is checked before (`line_law`, `l1_law`).

Of the hourglass: a record x moves the pair (s1, s2) by (x, 1 - x), thus z1 by x and t = z1 + z2 by
1. The exponent k(s, t) of the density changes by exactly 1 then, whatever z1, t and x are (KSW-T2,
and on a grid KSW-D5).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from audit.exact.cells.line.line_noises import is_lattice, line_law, spacing
from audit.exact.cells.plane.plane_noises import l1_law
from audit.exact.moves.lemma import MoveLemma, boxes, places
from audit.exact.symbolic.affine import NotAffine, Range
from audit.exact.symbolic.log_numbers import Number, exponent, grid_level, hourglass_exponent, level
from audit.files.plain import spelled
from mechanisms.protocols import ExactLaw, Noise


def shift_lemma(noise: Noise, sensitivity: Fraction, epsilon: Fraction) -> MoveLemma:
    """Loss of one number under noise, for every shift of at most the sensitivity.

    For the staircase this is the lemma that the level is even, grows by one a period and never
    falls in |z|, so that |s(z + d) - s(z)| <= 1 for 0 <= d <= sensitivity (KSW-D2).

    `noise`: of dimension 1, its law piecewise exponential. `sensitivity`: largest move of the
    query, greater than 0 (integral for a law on the integers). `epsilon`: claimed bound of the
    loss. Returns: to be checked.
    """
    line_law(noise)
    law = noise.exact_law()
    if is_lattice(law):
        step = spacing(law)
        most = math.floor(sensitivity / step)
        regions = boxes([(((0, None), (None, -1)), True), (((0, most),), True)])
        names: tuple[str, ...] = ("n", "d")

        def loss(x: tuple[Number, ...]) -> Number:
            return _loss(law, (x[0] + x[1]) * step, x[0] * step)

    elif (period := _period(law)) is None:
        regions = boxes([(((0, None), (None, 0)), False), (((0, sensitivity),), False)])
        names = ("z", "d")

        def loss(x: tuple[Number, ...]) -> Number:
            return _loss(law, x[0] + x[1], x[0])

    else:
        step = period
        where = places(math.ceil(sensitivity / step))
        most_move = sensitivity / step
        regions = boxes([(where, True), (((0, 1),), False), (((0, most_move),), False)])
        names = ("n", "f", "d")

        def loss(x: tuple[Number, ...]) -> Number:
            z = (x[0] + x[1]) * step
            return _loss(law, z + x[2] * step, z)

    return MoveLemma(
        "KSW-D2",
        f"for all z and all 0 <= d <= {sensitivity}, |ln f(z + d) - ln f(z)| <= {epsilon}",
        (f"the query moves by at most {sensitivity}", f"the noise has the law {spelled(law)}"),
        names,
        regions,
        loss,
        lambda _: epsilon,
    )


def l1_lemma(noise: Noise, sensitivity: Fraction, epsilon: Fraction) -> MoveLemma:
    """Loss of a pair under noise with a stated density, for every move of the l1 ball (KSW-D3).

    `noise`: of dimension 2 with a density of period `sensitivity` along each axis. `sensitivity`:
    largest l1 norm of a move. `epsilon`: claimed bound of the loss. Returns: to be checked.
    """
    l1_law(noise, sensitivity)
    law = noise.exact_law()
    unit: tuple[Range, ...] = ((0, 1),)
    regions = []
    for sign in (1, -1):  # the second move has the sign of the first, or the other one
        ends: tuple[Range, ...] = ((0, 1) if sign > 0 else (-1, 0),)
        second = places(1) if sign > 0 else places(0, 1)
        whole = [(places(1), True), (unit, False), (second, True), (unit, False)]
        for region in boxes([*whole, (unit, False), (ends, False)]):
            ball = tuple(map(Fraction, (0, 0, 0, 0, -1, -sign, 1)))
            cut = region.cut(ball)
            regions.extend([] if cut is None else [cut])

    def loss(x: tuple[Number, ...]) -> Number:
        z1, z2 = (x[0] + x[1]) * sensitivity, (x[2] + x[3]) * sensitivity
        return _loss(law, (z1 + x[4] * sensitivity, z2 + x[5] * sensitivity), (z1, z2))

    return MoveLemma(
        "KSW-D3",
        f"for all z and all moves d of l1 norm at most {sensitivity}, "
        f"|ln f(z + d) - ln f(z)| <= {epsilon}",
        (
            f"the query moves by at most {sensitivity} in l1",
            f"the noise has the law {spelled(law)}",
        ),
        ("n1", "f1", "n2", "f2", "d1", "d2"),
        tuple(regions),
        loss,
        lambda _: epsilon,
    )


def record_lemma(
    noises: Sequence[Noise],
    moves: Sequence[tuple[Fraction, Fraction]],
    records: tuple[Fraction, Fraction],
    bound: Callable[[Number], Number],
    claim: str,
) -> MoveLemma:
    """Loss of a vector with independent noises that one record x moves by c x + d, for every x.

    `noises`: of dimension 1, without periods (Laplace), one for each coordinate. `moves`, sequence
    of (Fraction, Fraction): c and d of each coordinate. `records`: range of x. `bound`: claimed
    bound of the loss, of the record. `claim`: id of what is proved. Returns: to be checked.
    """
    for noise in noises:
        line_law(noise)
    laws = [noise.exact_law() for noise in noises]
    half_lines: tuple[Range, ...] = ((0, None), (None, 0))

    def loss(x: tuple[Number, ...]) -> Number:
        total: Number = Fraction(0)
        for law, z, (slope, offset) in zip(laws, x, moves, strict=False):
            total = total + _loss(law, z + x[-1] * slope + offset, z)
        return total

    return MoveLemma(
        claim,
        f"for all z and all x in [{records[0]}, {records[1]}], the loss is at most the bound at x",
        (
            "a record x moves each coordinate of the query by c x + d, (c, d) = "
            + ", ".join(map(spelled, moves)),
            f"the noises have the laws {', '.join(map(spelled, laws))}",
        ),
        (*(f"z{i + 1}" for i in range(len(laws))), "x"),
        boxes([*((half_lines, False) for _ in laws), ((records,), False)]),
        loss,
        lambda x: bound(x[-1]),
    )


def _loss(law: ExactLaw, moved: object, point: object) -> Number:
    """Ln f(point + move) - ln f(point) of a stated law with one normalizer."""
    return exponent(law, moved) - exponent(law, point)


def _period(law: ExactLaw) -> Fraction | None:
    """Period of a density; None where it has finitely many breakpoints."""
    try:
        return spacing(law)
    except NotAffine:
        return None


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
