"""How much a pair of data sets looks worth betting on. Nothing is concluded from a score.

Let x = M(D; s) and y = M(D'; s) be outputs from one state of the generator. Where noise is added,
y - x is the difference of the answers for every s. Where its scale depends on the data,
(y_s - y_t) / (x_s - x_t) is the ratio of the scales for all (s, t). And for any outcomes
TV(M(D), M(D')) <= P(x != y), the coupling inequality (Lindvall 1992, section I.2): outcomes that
never differ hide the pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.screening.calibration import Calibration
from audit.screening.reading import Reading
from audit.screening.yardstick import Yardstick

__all__ = ["NOTHING", "PairScore", "coupled_score"]

Array = NDArray[np.float64]

LARGEST = 5e5
"""Where no noise hides a difference: less than a difference of kinds, more than any other."""

OF_KINDS = 1e6
"""Of a difference of kinds in every draw."""

SURE = 5.0
"""Scores from here on are alike: a few draws show them, and the plainest pair is the best."""

CONSTANT = 1e-6
"""Relative deviation up to which ratios of differences are one ratio: doubles have 1e-16, and
cancellation takes some of it."""

LAPLACE, NORMAL = 1 / math.log(2), 1.4826
"""Scale and standard deviation of a law with median absolute deviation 1."""


@final
@dataclass(frozen=True, slots=True)
class PairScore:
    """Of a pair, in units of the claim: 1 is what it allows.

    Parameters
    ----------
    kind : float
        Share of the draws whose kinds differ.
    shift, factor, category, event : float
        Of numbers moved, of noise made wider, of outcomes that differ, of an event's counts.
    why : str
        The largest of them in words.
    """

    kind: float = 0.0
    shift: float = 0.0
    factor: float = 0.0
    category: float = 0.0
    event: float = 0.0
    why: str = ""

    @property
    def value(self) -> float:
        """The score."""
        return OF_KINDS * self.kind + max(self.shift, self.factor, self.category, self.event)

    @property
    def worth(self) -> float:
        """The score, where scores that a few draws show are alike."""
        others = max(self.shift, self.factor, self.category, self.event)
        return min(SURE, others + 2 * SURE * self.kind)


NOTHING = PairScore()
"""Of a pair that shows nothing."""


def coupled_score(x: Reading, y: Reading, known: Calibration, claim: Yardstick) -> PairScore:
    """Score a pair by draws from the same states of the generator."""
    apart = np.array([_apart(a, b, known) for a, b in zip(x.kinds, y.kinds, strict=True)])
    kind = float(apart.mean())
    width = min(x.width, y.width)
    same = ~apart
    rows, others = x.values[same, :width], y.values[same, :width]
    texts = np.array([a != b for a, b in zip(x.texts, y.texts, strict=True)])[same]
    texts |= np.array([a != b for a, b in zip(x.kinds, y.kinds, strict=True)])[same]
    shift = factor = 0.0
    lumps = known.lumps_for(width)
    differ = texts | (rows != others)[:, lumps].any(axis=1)
    if len(rows) and not lumps.all():
        spread = known.spread_for(width)[~lumps]
        rows, others = rows[:, ~lumps], others[:, ~lumps]
        shift = float(np.median(_shifts(rows, others, spread, claim)))
        ratio = _ratio(rows, others)
        factor = 1 + abs(math.log(ratio)) / claim.epsilon if ratio else 0.0
    category = float(differ.mean()) / claim.distance if differ.any() else 0.0
    found: dict[float, Callable[[], str]] = {
        category: lambda: f"the outcome differs in {differ.mean():.0%} of the draws",
        factor: lambda: _factor_words(_ratio(rows, others)),
        shift: lambda: _shift_words(shift),
    }
    why = _kind_words(x, y, apart) if kind else found[max(found)]()
    return PairScore(kind, shift, factor, category, why=_with_words(why, x, y))


def _apart(kind: str, other: str, known: Calibration) -> bool:
    """Whether two kinds differ, other than by chance as on plain data."""
    return kind != other and not {kind, other} <= known.kinds


def _shifts(rows: Array, others: Array, spread: Array, claim: Yardstick) -> Array:
    """Of each draw how far it has moved, in units of the claim."""
    moved = np.abs(others - rows)
    spread = spread * (LAPLACE if claim.pure else NORMAL)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        each = np.where(moved > 0, moved / spread, 0.0)
        whole = each.sum(axis=1) if claim.pure else np.sqrt((each**2).sum(axis=1))
    return np.asarray(np.minimum(whole / claim.epsilon, LARGEST))


def _ratio(rows: Array, others: Array) -> float:
    """The constant ratio of the differences of consecutive draws, furthest from 1; else 0."""
    found = 0.0
    for first, second in zip(np.diff(rows, axis=0).T, np.diff(others, axis=0).T, strict=True):
        moves = (first != 0) & (second != 0)
        if moves.sum() < 2:
            continue
        with np.errstate(over="ignore"):
            ratios = np.abs(second[moves] / first[moves])
        middle = float(np.median(ratios))
        if not 0 < middle < math.inf or np.abs(ratios / middle - 1).max() > CONSTANT:
            continue
        size = abs(math.log(middle))
        if size > CONSTANT and (not found or size > abs(math.log(found))):
            found = middle
    return found


def _kind_words(x: Reading, y: Reading, apart: NDArray[np.bool_]) -> str:
    first = int(np.flatnonzero(apart)[0])
    sides = [side.kinds[first] or "a number" for side in (x, y)]
    return f"another kind of output: {sides[0]} against {sides[1]}"


def _factor_words(ratio: float) -> str:
    side, wider = ("neighbor", ratio) if ratio > 1 else ("data", 1 / ratio if ratio else 1.0)
    return f"the noise on the {side} is {wider:.4g} times as wide"


def _shift_words(shift: float) -> str:
    if shift >= LARGEST:
        return "no noise hides the difference"
    return f"the same noise moves by {shift:.3g} of its widths for each epsilon"


def _with_words(why: str, x: Reading, y: Reading) -> str:
    if x.words == y.words:
        return why
    return f"{why}; it reads {x.words} and {y.words} random words"
