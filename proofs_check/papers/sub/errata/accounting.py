"""Erratum 4, step by step: moved images of neighbors are no neighbors, and what that costs.

Step 5 of Algorithm 4 moves the k lowest points down by 1 (in units of beta) and the k highest up.
The record that joins the k lowest moves, and so does the one that it displaces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from proofs_check.checks import mutant, refutes
from proofs_check.claim import Finding, Method, every, exactly
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.papers.sub.common import add, distance, multisets
from proofs_check.papers.sub.general.edits import (
    Reach,
    crossing,
    length,
    mean_reach,
    quantile_reach,
    release,
)
from proofs_check.printed_values import as_printed

__all__ = [
    "cancelling",
    "family_loss",
    "images_are_far_apart",
    "losses_of_small_cases",
    "low_first",
    "scores_move_by_two",
    "stays",
]

Image = Callable[[tuple[int, ...], int], tuple[int, ...]]
NUMBERS = Balls(192)

MEDIAN = quantile_reach(Fraction(1, 2))
PROPERTIES: tuple[tuple[str, Reach], ...] = (
    ("median", MEDIAN),
    ("3/4-quantile", quantile_reach(Fraction(3, 4))),
    ("mean", mean_reach),
)

SMALL = (
    (MEDIAN, (0, 0, 0, 1), 5, 2, (1, 6), ((1, 2), (2, 6)), "1.50491343826158"),
    (mean_reach, (5,), 2, 1, (0, 4), ((4,), (1,)), "1.093527053778962"),
    (MEDIAN, (2, 5), 1, 2, (0, 4), ((1, 4), (0, 1)), "1.420111976985242"),
)
"""Property, D, added point, k, (l, u), images in [l, u]; loss over eps / 2 at eps = 1."""


def low_first(data: tuple[int, ...], k: int) -> tuple[int, ...]:
    """The k lowest move down; of the others the k highest move up."""
    high = max(k, len(data) - k)
    return tuple(sorted(x - (i < k) + (i >= high) for i, x in enumerate(data)))


def cancelling(data: tuple[int, ...], k: int) -> tuple[int, ...]:
    """The k lowest move down and the k highest up; a point may do both."""
    return tuple(sorted(x - (i < k) + (i >= len(data) - k) for i, x in enumerate(data)))


def stays(data: tuple[int, ...], _: int) -> tuple[int, ...]:
    """No point moves: the form without step 5."""
    return data


@refutes("Moved images of neighbors are at distance 3, or 5 where points move twice.", Method.EXACT)
@mutant("no point moves", image=stays)
@mutant("the two rules exchanged", image=cancelling, also=low_first)
def images_are_far_apart(image: Image = low_first, also: Image = cancelling) -> Finding:
    """Images of neighbors are at distances up to 3, and 5 where a point may be moved twice."""
    data, next_data = (2, 5, 8), (0, 2, 5, 8)
    example = image(data, 1), image(next_data, 1)
    worst: Counter[str] = Counter()
    for case in multisets(range(0, 9, 2), range(6)):
        for x in range(-1, 10):
            for k in (1, 2, 3):
                for name, move in (("low first", image), ("cancel", also)):
                    found = distance(move(case, k), move(add(case, x), k))
                    small = " and n < 2k" if len(case) < 2 * k else ""
                    worst[name + small] = max(found, worst[name + small])
    wanted = {"low first": 3, "low first and n < 2k": 3, "cancel": 3, "cancel and n < 2k": 5}
    holds = example == ((1, 5, 9), (-1, 2, 5, 9)) and distance(*example) == 3
    return exactly(holds and dict(worst) == wanted, f"{example}; worst {dict(worst)}")


@refutes(
    "len and the crossing score change by up to 2 from one neighbor to the other.", Method.EXACT
)
@mutant("no point moves", image=stays)
def scores_move_by_two(image: Image = low_first) -> Finding:
    """For each property len and the crossing score change by 2 and no more, after pruning."""

    @cache
    def scores(name: int, data: tuple[int, ...], low: int, high: int, t: int) -> tuple[int, int]:
        best = PROPERTIES[name][1](data, range(low, high + 1), t)
        found = (of(lambda *_: best, data, (), t) for of in (length, crossing))
        exact, cross = (-1 if score is None else score for score in found)
        return exact, cross

    worst: Counter[Any] = Counter()
    pairs = {
        (image(case, k), image(add(case, x), k))
        for case in multisets(range(4), range(1, 3))
        for x in range(4)
        for k in (1, 2)
    }
    for old, new in pairs:
        for low in range(-1, 5):
            for high in range(low + 1, 5):
                a, b = (tuple(y for y in z if low <= y <= high) for z in (old, new))
                if a == b:
                    continue
                for name, (words, _) in enumerate(PROPERTIES):
                    for t in range(low, high + 1):
                        both = (scores(name, z, low, high, t) for z in (a, b))
                        for kind, (u, v) in zip(
                            ("len", "cross"), zip(*both, strict=True), strict=True
                        ):
                            worst[kind, words] = max(worst[kind, words], abs(u - v))
    return exactly(
        set(worst.values()) == {2} and len(worst) == 6, f"{len(pairs)} pairs, worst {dict(worst)}"
    )


def step_loss(
    edits_to: Reach, images: Sequence[tuple[int, ...]], ends: tuple[int, int], c: Fraction
) -> Ball:
    """Largest log-ratio of the inverse sensitivity step on two images in [l, u]."""
    grid = range(ends[0], ends[1] + 1)
    p, q = (release([length(edits_to, z, grid, t) for t in grid], c) for z in images)
    ratios = [x / y for x, y in zip(p, q, strict=True)]
    worst = max([*ratios, *(1 / x for x in ratios)])
    return NUMBERS.log(worst.ball(192))


@refutes("The smallest cases in which the step with nominal eps / 2 loses more.", Method.EXACT)
@mutant("the sound exponent eps / 12", c=Fraction(1, 12))
@mutant("no point moves", image=stays)
@mutant("c = 0.2525 for 0.25", c=Fraction(101, 400))
def losses_of_small_cases(
    image: Image = low_first, c: Fraction = Fraction(1, 4), bound: Fraction = Fraction(1)
) -> Finding:
    """On the smallest cases the step with nominal eps / 2 loses more, by the printed factor."""
    rows, beyond = [], []
    for edits_to, data, x, k, ends, images, text in SMALL:
        found = tuple(
            tuple(y for y in image(z, k) if ends[0] <= y <= ends[1]) for z in (data, add(data, x))
        )
        if found != images:
            return exactly(False, f"images {found} of {data} and {x}")
        factor = step_loss(edits_to, found, ends, c) / (2 * Fraction(1, 4))
        beyond.append(certainly_less(bound, factor) is True)
        rows.append((f"D = {data}", text, factor))
    return every([exactly(all(beyond), "each more than eps / 2"), as_printed(rows)])


def family_factor(c: Any, cells: Any, triple: int = 3, *, numbers: Any) -> Any:
    """Loss over 2 c for T cells: [2c + log((e^-2c + 1 + (T-2) e^-c)/(1 + e^-c + (T-2) e^-3c))]/2c."""
    one = numbers.exp(-c)
    top = one**2 + 1 + (cells - 2) * one
    bottom = 1 + one + (cells - 2) * one**triple
    return (2 * c + numbers.log(top / bottom)) / (2 * c)


@refutes(
    "A family of pairs on which the step loses nearly eps, twice its nominal eps / 2.",
    Method.ENCLOSURE,
)
@mutant("e^(-2c) for e^(-3c)", triple=2)
@mutant("c = 0.2525 for 0.25", c=Fraction(101, 400))
def family_loss(image: Image = low_first, c: Fraction = Fraction(1, 4), triple: int = 3) -> Finding:
    """D = {0^(k+g+1), 1, h^g} and D + {h}, k = 2g + 2: images, medians' scores and the loss."""
    ball = NUMBERS.rational(c)
    for g in (1, 2, 5):
        h, k = 5, 2 * g + 2
        data = (0,) * (k + g + 1) + (1,) + (h,) * g
        old, new = (tuple(y for y in image(z, k) if y >= 1) for z in (data, add(data, h)))
        top = (h + 1,)
        if (old, new) != ((1,) * (g + 1) + (2,) + top * g, (1,) * g + (2,) + top * (g + 1)):
            return exactly(False, f"images {old} and {new}")
        direct = step_loss(MEDIAN, (old, new), (1, h + 1), c) / (2 * c)
        gap = abs(direct - family_factor(ball, h + 1, triple, numbers=NUMBERS))
        if certainly_less(gap, Fraction(1, 10**30)) is not True:
            return exactly(False, f"the closed form is off by {gap!r} at g = {g}")
    rows = [
        (f"T = {cells}", text, family_factor(ball, cells, triple, numbers=NUMBERS))
        for cells, text in ((6, "1.50491343826158"), (100, "1.96624985871619"))
    ]
    near = certainly_less(Fraction(1999, 1000), family_factor(ball, 10**6, triple, numbers=NUMBERS))
    return every([as_printed(rows), exactly(near is True, "above 1.999 for 10^6 cells")])
