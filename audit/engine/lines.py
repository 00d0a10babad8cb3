"""From a claim to the lines that support it: P(S) <= s Q(S) + t for every event S (ENGINE T5).

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
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.nested import Axis
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PureDP,
    Relation,
    TradeOff,
)
from mechanisms.errors import InvalidArgument
from mechanisms.implications import gaussian_to_approx

__all__ = ["LineGrid", "lines_of", "supporting_line"]

Array = NDArray[np.float64]
Lines = list[tuple[float, float]]

LARGEST_EPSILON = 200
LARGEST_MU = 12
FACTORS = (0.1, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5, 2.0, 3.0)
STEPS = (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
DELTAS = (1e-5, 1e-4, 1e-3, 0.003, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 0.97)
COARSE_FACTORS, COARSE_STEPS, COARSE_DELTAS = (0.5, 0.8, 0.9, 1.25), (1.0, 3.0), (0.01, 0.1, 0.3)
"""Of a grid for many pairs, whose bets are made anew most often."""
MUS = (0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5, 2.0, 3.0)
TANGENTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
"""Where a Gaussian curve is touched: epsilon = mu times this."""
PROFILE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
"""Epsilons of the privacy profile."""


@final
@dataclass(frozen=True, slots=True)
class LineGrid:
    """Nested claims as lines, fixed before the first bet.

    Parameters
    ----------
    slopes, offsets : ndarray of float, shape (L, G)
        s and t of each point's lines.
    axes : tuple of Axis
        What the points are; their sizes sum to G.
    claimed : int
        Index of the claim itself.
    one_way : bool
        Whether the lines bound only the neighbor's probabilities by the data's (an asymmetric
        trade-off curve for listed pairs); otherwise both directions are claimed.
    """

    slopes: Array
    offsets: Array
    axes: tuple[Axis, ...]
    claimed: int
    one_way: bool = False

    @property
    def points(self) -> int:
        """Number of points G."""
        return int(self.slopes.shape[1])


def supporting_line(level: Level) -> tuple[Fraction, Fraction]:
    """Return (epsilon, delta) of the one line of a pure or approximate claim, exactly.

    Raises
    ------
    InvalidArgument
        For other levels.
    """
    match level:
        case PureDP(epsilon=epsilon):
            return epsilon, Fraction(0)
        case ApproxDP(epsilon=epsilon, delta=delta):
            return epsilon, delta
        case _:
            msg = f"a pure or approximate claim is needed, got {level} ({type(level).__name__})"
            raise InvalidArgument(msg)


def lines_of(
    level: Level,
    relation: Relation,
    *,
    user: int | None = None,
    profile: bool = False,
    coarse: bool = False,
) -> LineGrid:
    """Make the grid of nested claims around a claim that lines support.

    Parameters
    ----------
    level : PureDP, ApproxDP, GaussianDP, TradeOff or PersonalizedDP
        The claim.
    relation : Relation
        Under LISTED an asymmetric trade-off curve holds one way: T(data, neighbor) >= f.
    user : int or None
        Whose record changes, for a personalized claim.
    profile : bool
        Add a simultaneous band for the privacy profile: a delta axis at each of `PROFILE`.
    coarse : bool
        Fewer points around a pure or approximate claim.
    """
    match level:
        case PureDP() | ApproxDP():
            return _exponential(*supporting_line(level), profile=profile, coarse=coarse)
        case GaussianDP(mu=mu):
            return _gaussian(mu)
        case TradeOff(knots=knots):
            lines = _of_curve(knots)
            one_way = relation is Relation.LISTED and not _symmetric(level)
            return LineGrid(*_stack([lines]), (Axis("claim", np.ones(1)),), 0, one_way)
        case PersonalizedDP(budgets=budgets):
            if user is None or not 0 <= user < len(budgets):
                msg = (
                    "a personalized claim needs the user whose record changes, from 0 to "
                    f"{len(budgets) - 1}, got user={user!r}"
                )
                raise InvalidArgument(msg)
            return _personalized(budgets[user])
        case _:
            msg = f"no lines support a claim of the kind {type(level).__name__}, got {level}"
            raise InvalidArgument(msg)


def _exponential(
    exact_epsilon: Fraction, exact_delta: Fraction, *, profile: bool, coarse: bool
) -> LineGrid:
    factors, steps, larger = (
        (COARSE_FACTORS, COARSE_STEPS, COARSE_DELTAS) if coarse else (FACTORS, STEPS, DELTAS)
    )
    _check_epsilon(exact_epsilon)
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
    return LineGrid(*_stack(points_as_lines), tuple(axes), epsilons.index(epsilon))


def _gaussian(exact_mu: Fraction) -> LineGrid:
    if exact_mu > LARGEST_MU:
        msg = (
            f"mu must be at most {LARGEST_MU} to be audited (no number of samples refutes a "
            f"larger claim), got mu={exact_mu}"
        )
        raise InvalidArgument(msg)
    mu = float(exact_mu)
    mus = sorted({mu, 0.05, 0.25} | {f * mu for f in MUS} | {mu + 0.5, mu + 1, mu + 2})
    lines = [_gaussian_lines(exact_mu if m == mu else Fraction(m)) for m in mus]
    return LineGrid(*_stack(lines), (Axis("mu", np.array(mus)),), mus.index(mu))


def _gaussian_lines(mu: Fraction) -> Lines:
    """Tangents of the curve of N(0, 1) against N(mu, 1), each delta rounded up."""
    epsilons = [mu * Fraction(x) for x in TANGENTS]
    implied = [gaussian_to_approx(GaussianDP(mu), epsilon) for epsilon in epsilons]
    # t is widened by the rounding of s
    return [
        (math.exp(float(line.epsilon)), min(1.0, float(line.delta) + 1e-15))
        for line in implied
        if line.epsilon <= LARGEST_EPSILON
    ]


def _of_curve(knots: tuple[tuple[Fraction, Fraction], ...]) -> Lines:
    """Lines Q(S) <= s P(S) + 1 + f*(-s), one for each slope -s of the curve.

    f*(-s) is the largest of -s a - f(a), which a knot attains.
    """
    slopes = {(b0 - b1) / (a1 - a0) for (a0, b0), (a1, b1) in pairwise(knots)}
    return [
        (float(s), float(min(Fraction(1), 1 + max(-s * a - b for a, b in knots))))
        for s in sorted(slopes)
        if s > 0
    ] or [(1.0, 1.0)]


def _symmetric(curve: TradeOff) -> bool:
    """Whether the curve is its own inverse: then both directions hold."""
    first = next(i for i, (_, b) in enumerate(curve.knots) if b == 0)
    # the curve and its inverse are linear between these levels and their errors
    return all(curve(b) == a for a, b in curve.knots[: first + 1])


def _personalized(exact_epsilon: Fraction) -> LineGrid:
    _check_epsilon(exact_epsilon)
    epsilon = float(exact_epsilon)
    factors = np.array(sorted({1.0, *FACTORS, 5.0, 10.0}))
    # the same axis for every user; no number of samples refutes the largest slopes
    slopes = np.exp(np.minimum(factors * epsilon, LARGEST_EPSILON))[None, :]
    claimed = int(np.flatnonzero(factors == 1.0)[0])
    axes = (Axis("budget_factor", factors),)
    return LineGrid(slopes, np.zeros_like(slopes), axes, claimed)


def _check_epsilon(epsilon: Fraction) -> None:
    if epsilon > LARGEST_EPSILON:
        msg = (
            f"epsilon must be at most {LARGEST_EPSILON} to be audited (no number of samples "
            f"refutes a larger claim), got epsilon={epsilon}"
        )
        raise InvalidArgument(msg)


def _stack(points: list[Lines]) -> tuple[Array, Array]:
    """Slopes and offsets, shape (L, G) each; points with fewer lines repeat their last."""
    most = max(map(len, points))
    filled = [lines + [lines[-1]] * (most - len(lines)) for lines in points]
    both = np.array(filled, dtype=np.float64)
    return both[:, :, 0].T.copy(), both[:, :, 1].T.copy()
