"""From a claim to the lines that support it: P(S) <= s Q(S) + t for every event S (ENG-T5).

A pure or approximate claim is one line, s = e^epsilon and t = delta, in both directions; a
Gaussian one is the intersection of the lines (e^epsilon, delta_mu(epsilon)) over epsilon >= 0; a
trade-off curve f of those with s minus a slope of f and t = 1 + f*(-s); a personalized one is the
pure claim of the user whose record changes. An event may be bet against any line that the past
chooses.

The confidence limits (T4, see `nested`) need the same test for a grid of nested claims, the claim
itself among them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.levels.nesting import Axis
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

Array = NDArray[np.float64]
Lines = Sequence[tuple[float, float]]

LARGEST_EPSILON = 200
FACTORS = (0.1, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5, 2.0, 3.0)
STEPS = (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
DELTAS = (1e-5, 1e-4, 1e-3, 0.003, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 0.97)
COARSE_FACTORS, COARSE_STEPS, COARSE_DELTAS = (0.5, 0.8, 0.9, 1.25), (1.0, 3.0), (0.01, 0.1, 0.3)
"""Of a grid for many pairs, whose bets are made anew most often."""
PROFILE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
"""Epsilons of the privacy profile."""


@final
@dataclass(frozen=True, slots=True)
class LineGrid:
    """Nested claims as lines, fixed before the first bet."""

    slopes: Array
    offsets: Array
    """s and t of each point's lines, of shape (L, G)."""
    axes: tuple[Axis, ...]
    """What the points are; their sizes sum to G."""
    claimed: int
    """Index of the claim itself."""
    one_way: bool = False
    """Whether the lines bound only the neighbor's probabilities by the data's (an asymmetric
    trade-off curve for listed pairs); otherwise both directions are claimed."""

    @property
    def points(self) -> int:
        """Number of points G."""
        return int(self.slopes.shape[1])

    def at_claim(self) -> LineGrid:
        """The claim alone, as a grid of one point."""
        only = [self.claimed]
        return replace(
            self, slopes=self.slopes[:, only], offsets=self.offsets[:, only], axes=(), claimed=0
        )

    @property
    def said(self) -> Array:
        """What each point says, shape (2 L, G)."""
        return np.vstack([self.slopes, self.offsets])


def line_grid(
    points: Sequence[Lines], axes: tuple[Axis, ...], claimed: int, *, one_way: bool = False
) -> LineGrid:
    """Make a grid of points that are lines (s, t); those with fewer lines repeat their last."""
    most = max(map(len, points))
    filled = [[*lines, *[lines[-1]] * (most - len(lines))] for lines in points]
    both = np.array(filled, dtype=np.float64)
    slopes, offsets = both[:, :, 0].T.copy(), both[:, :, 1].T.copy()
    return LineGrid(slopes, offsets, axes, claimed, one_way)


def exponential(
    exact_epsilon: Fraction, exact_delta: Fraction, *, profile: bool, coarse: bool
) -> LineGrid:
    """Nested claims around P(S) <= e^epsilon Q(S) + delta.

    `exact_epsilon`, `exact_delta`: the claim. `profile`: add a simultaneous band for the privacy
    profile: a delta axis at each of `PROFILE`. `coarse`: fewer points.
    """
    factors, steps, larger = (
        (COARSE_FACTORS, COARSE_STEPS, COARSE_DELTAS) if coarse else (FACTORS, STEPS, DELTAS)
    )
    check_epsilon(exact_epsilon)
    epsilon, delta = float(exact_epsilon), float(exact_delta)
    points = {0.0, epsilon} | {f * epsilon for f in factors} | {epsilon + a for a in steps}
    # no sample rejects a point beyond, and the square of its slope may overflow
    epsilons = sorted(e for e in points if e <= LARGEST_EPSILON)
    below = {f * delta for f in (0.0, 0.5, 0.8, 0.9)}
    deltas = sorted({delta} | below | {d for d in larger if d > 1.01 * delta})
    axes = [Axis("epsilon", np.array(epsilons)), Axis("delta", np.array(deltas))]
    lines = [(e, delta) for e in epsilons] + [(epsilon, d) for d in deltas]
    for at in PROFILE if profile else ():
        axes.append(Axis("delta", np.array((0.0, *DELTAS)), 1 / len(PROFILE), at))
        lines += [(at, d) for d in (0.0, *DELTAS)]
    points_as_lines = [[(math.exp(e), d)] for e, d in lines]
    return line_grid(points_as_lines, tuple(axes), epsilons.index(epsilon))


def check_epsilon(epsilon: Fraction, word: str = "--epsilon") -> None:
    """Refuse what no number of draws could refute."""
    if epsilon > LARGEST_EPSILON:
        msg = (
            f"{word} must be at most {LARGEST_EPSILON} to be audited by draws, got {shown(epsilon)}"
        )
        raise InvalidArgument(msg)
