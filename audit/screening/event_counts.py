"""The score of a pair by counts of events, where draws are independent or outcomes are few.

Of an event with a hits on one data set and c on the other, Wilson's lower limit of a and his upper
limit of c (Brown, Cai and DasGupta 2001, for rare events) are held against the claim. Events are
thresholds of a coordinate, or, of a coordinate of few values, each value, and each pair of values
of two such coordinates; kinds and texts are values of a coordinate, too. It only orders pairs: a
maximum over many events of limits is no limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from audit.screening.coupled_score import PairScore
from audit.screening.reading import Reading
from audit.screening.yardstick import Yardstick

__all__ = ["event_score", "rough_score"]

Array = NDArray[np.float64]

THRESHOLDS = 25
"""Of a coordinate that is a number."""

FEW_VALUES, FEW_COORDINATES = 12, 10
"""A coordinate of at most so many values has an event for each; so many coordinates have events
with another."""

CAREFUL = 1.64
"""Standard errors of each count: the 95 % quantile of a normal law."""

SPREAD_OF_MAD = 1.17
"""Standard error of log MAD times sqrt(n), of a normal law (Serfling 1980, section 2.6)."""


def event_score(x: Reading, y: Reading, claim: Yardstick, *, careful: float = CAREFUL) -> PairScore:
    """Score a pair by its best event in either direction, by limits at so many standard errors."""
    best, why = 0.0, ""
    for words, first, second in _events(x, y):
        for one, other, side in ((first, second, "data"), (second, first, "neighbor")):
            value = claim.loss(*_limits(one, other, len(x), careful))
            if value > best:
                best = value
                why = f"{words}: {one:.0f} of {len(x)} draws against {other:.0f}, on the {side}"
    return PairScore(event=best, why=why)


def _limits(hits: float, others: float, draws: int, z: float) -> tuple[float, float]:
    """A low estimate of the one probability, and a high one of the other."""
    half = z * z / 2
    low = hits + half - z * math.sqrt(hits + half / 2)
    high = others + half + z * math.sqrt(others + half / 2)
    return low / draws, high / draws


def rough_score(x: Reading, y: Reading, known: frozenset[str], claim: Yardstick) -> PairScore:
    """Score a pair by a few independent draws: kinds, medians, spreads.

    `known`: kinds that plain data sets have at random.
    """
    kind = _distance(x, y, known)
    usual = max(set(x.kinds), key=x.kinds.count)
    rows, others = (s.values[[k == usual for k in s.kinds]] for s in (x, y))
    shift = spread = 0.0
    if min(len(rows), len(others)) > 1 and rows.shape[1] == others.shape[1]:
        middles = [np.median(side, axis=0) for side in (rows, others)]
        own = [
            np.median(np.abs(s - m), axis=0) for s, m in zip((rows, others), middles, strict=True)
        ]
        shift = _rough_shift(middles, own, claim)
        spread = _rough_factor(own, len(rows), claim)
    why = "other kinds of outputs" if kind else "medians" if shift > spread else "spreads"
    return PairScore(kind=kind, shift=shift, factor=spread, why=why)


def _rough_shift(middles: list[Array], own: list[Array], claim: Yardstick) -> float:
    moved = np.abs(middles[1] - middles[0])
    wide = np.maximum(own[0], own[1]) / math.log(2)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        each = np.where(moved > 0, moved / wide, 0.0)
    return float(min(each.max(initial=0.0) / claim.epsilon, 5e5))


def _rough_factor(own: list[Array], draws: int, claim: Yardstick) -> float:
    both = (own[0] > 0) & (own[1] > 0)
    if not both.any():
        return 0.0
    ratio = float(np.abs(np.log(own[1][both] / own[0][both])).max())
    return max(0.0, ratio - CAREFUL * SPREAD_OF_MAD * math.sqrt(2 / draws)) / claim.epsilon


def _distance(x: Reading, y: Reading, known: frozenset[str]) -> float:
    """Total variation of the kinds that are not seen on plain data by chance."""
    kinds = (set(x.kinds) | set(y.kinds)) - known
    apart = sum(abs(x.kinds.count(k) / len(x) - y.kinds.count(k) / len(y)) for k in kinds)
    return float(apart / 2)


def _events(x: Reading, y: Reading) -> Iterator[tuple[str, float, float]]:
    """Events in words, and their hits on either side."""
    for label, sides in (("kind", (x.kinds, y.kinds)), ("text", (x.texts, y.texts))):
        said = set(sides[0]) | set(sides[1])
        if len(said) > 1:
            for one in sorted(said)[:FEW_VALUES]:
                words = f"{label} '{one or 'a number'}'"
                yield words, float(sides[0].count(one)), float(sides[1].count(one))
    width = min(x.width, y.width)
    few: list[tuple[int, Array]] = []
    for place in range(width):
        first, second = x.values[:, place], y.values[:, place]
        values = np.unique(np.concatenate([first, second]))
        if values.size <= FEW_VALUES:
            few.append((place, values))
            for value in values:
                words = f"output[{place}] is {value:g}"
                yield words, float((first == value).sum()), float((second == value).sum())
        else:
            yield from _thresholds(place, first, second)
    yield from _of_two(x, y, few[:FEW_COORDINATES])


def _thresholds(place: int, first: Array, second: Array) -> Iterator[tuple[str, float, float]]:
    both = np.concatenate([first, second])
    for cut in np.unique(np.quantile(both, np.linspace(0, 1, THRESHOLDS + 2)[1:-1])):
        below = float((first <= cut).sum()), float((second <= cut).sum())
        yield f"output[{place}] <= {cut:g}", *below
        yield f"output[{place}] > {cut:g}", first.size - below[0], second.size - below[1]


def _of_two(
    x: Reading, y: Reading, few: list[tuple[int, Array]]
) -> Iterator[tuple[str, float, float]]:
    for number, (i, values) in enumerate(few):
        for j, others in few[number + 1 :]:
            for v in values[:4]:
                for w in others[:4]:
                    hits = [
                        float(((s.values[:, i] == v) & (s.values[:, j] == w)).sum()) for s in (x, y)
                    ]
                    yield f"output[{i}] is {v:g} and output[{j}] is {w:g}", hits[0], hits[1]
