"""Whether the fresh draws of an event break the claim by themselves: how many, and their limit.

How many draws is a function of what the run has shown, never of the fresh draws: they are made
once, and looked at once. On a line p <= s q + t their limit is that of the exact test of Berger and
Boos (`audit.engine.berger_boos`, ENG-T8) on a grid that is fixed with their number; two
limits of Clopper and Pearson at half the error each need about twice the draws. A divergence is
bounded below by that of the corner of such two limits: with probability at least 1 - alpha the true
p and q lie beyond it, and the divergence of an event falls as p > q come nearer to each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from audit.engine import berger_boos
from audit.engine.two_binomials import Counts
from audit.engine.witness.allowance import allowance
from audit.levels import kind_of, line_of
from audit.levels.kind import Divergence
from audit.levels.moments import binary_divergence
from audit.levels.supporting_lines import LARGEST_EPSILON
from mechanisms.claims import Level

__all__ = [
    "ENOUGH",
    "FEWEST",
    "ClaimRule",
    "ConfirmedLimit",
    "DivergenceRule",
    "LineRule",
    "corner",
    "fresh_draws",
    "needed_draws",
    "rule_of",
]

POWER_Z = 0.8416
"""Quantile of the normal law at the power of the fresh draws, .8."""

FEWEST = 32
"""Least number of fresh draws of each arm: with fewer, limits at small rates of error say little
even of an event that all draws of one arm and none of the other are in."""

LEAST_SHARE = 1 / 16
"""Of the run's draws of each arm, which its witness takes: the pair that a run of many pairs finds
has luck beside its loss, and its estimates ask for too few draws."""

CAREFUL = 1.0
"""Standard errors by which the gap is taken to be smaller than it seems."""

LEAST_AT_MOST = 4_096
"""Draws from which on that share is not taken."""

ENOUGH = 20.0
"""Times the evidence that REFUTED needs: so much, and the verdict rests on the run alone."""

MORE_COUNTS = 2.0
"""Counts by which q may be larger, over log(1 / alpha): so power .8 is met where q is near 0."""

STEPS = 40
"""Points of the grid of limits up to the estimated loss, and beyond it again as many."""


@final
@dataclass(frozen=True, slots=True)
class ConfirmedLimit:
    """What fresh draws show: a lower limit of a measure, and what the claim allows of it."""

    measure: str
    lower: float
    allowed: float
    epsilon_lower: float

    @property
    def exceeds(self) -> bool:
        """Whether the claim is broken."""
        return self.lower > self.allowed


class ClaimRule(Protocol):
    """How an event's probabilities are held against a claim."""

    def line(self, q: float) -> tuple[float, float]:
        """Slope s and offset t of the line p = s q + t that the event has to clear at this q."""
        ...

    def limit(self, counts: Counts, guess: tuple[float, float], alpha: float) -> ConfirmedLimit:
        """What counts show; `guess` is what the run took p and q for."""
        ...


def rule_of(level: Level, line: tuple[float, float]) -> ClaimRule:
    """How events are held against a claim: by its divergences, or by the line that they break."""
    if (exact := line_of(level)) is not None:
        return LineRule(*map(float, exact))
    if (divergence := kind_of(level).divergence) is not None:
        return DivergenceRule(divergence(level))
    return LineRule(math.log(line[0]), line[1])


@final
@dataclass(frozen=True, slots=True)
class LineRule:
    """The claim p <= e^epsilon q + delta, or a line that supports it."""

    epsilon: float
    delta: float

    def line(self, q: float) -> tuple[float, float]:  # noqa: ARG002 - the same at every q
        """The line itself."""
        return math.exp(self.epsilon), self.delta

    def limit(self, counts: Counts, guess: tuple[float, float], alpha: float) -> ConfirmedLimit:
        """The last point of the grid before the first that the exact test does not reject."""
        grid = self._grid(*guess)
        if not berger_boos.rejects(counts, (grid[0], grid[0]), self.delta, alpha=alpha):
            return ConfirmedLimit("epsilon", min(0.0, grid[0]), self.epsilon, 0.0)
        lower = berger_boos.epsilon_lower(counts, self.delta, grid, alpha=alpha)
        return ConfirmedLimit("epsilon", lower, self.epsilon, max(0.0, lower))

    def _grid(self, p: float, q: float) -> list[float]:
        """Points up to twice the estimated excess, and farther ones; the claim is no point of it.

        The first point beyond the claim is a thousandth of the excess away: a limit that is a
        point exceeds the claim.
        """
        loss = math.log(max(p - self.delta, 1e-12) / q)
        excess = max(loss - self.epsilon, 0.01)
        near = self.epsilon + excess * np.linspace(0, 2, 2 * STEPS + 1)
        near[0] = self.epsilon + excess / 1000
        below = self.epsilon - max(abs(self.epsilon), excess) * np.linspace(0.1, 1, 10)
        far = self.epsilon + excess * np.geomspace(2, 64, 25)[1:]
        points = np.unique(np.concatenate([below, near, far]))
        return [float(x) for x in points if x <= LARGEST_EPSILON]


@final
@dataclass(frozen=True, slots=True)
class DivergenceRule:
    """Claimed divergences: D_a <= factor (of order a), for all the orders."""

    of: Divergence

    def line(self, q: float) -> tuple[float, float]:
        """The line through 0 at which the event's divergence leaves what is allowed, at this q."""
        slope = self._allowed(q) / q if q > 0 else 1.0
        return slope, 0.0

    def limit(
        self,
        counts: Counts,
        guess: tuple[float, float],  # noqa: ARG002 - no grid is needed
        alpha: float,
    ) -> ConfirmedLimit:
        """The largest of the orders' divergences at the corner of two exact limits."""
        lower = 0.0
        epsilon = 0.0
        p, q = corner(counts, alpha)
        if p > q:
            lower = self._measure(p, q)
            epsilon = math.log(p / q)
        return ConfirmedLimit(self.of.name, lower, self.of.bound, epsilon)

    def _measure(self, p: float, q: float) -> float:
        """The least value of the claimed parameter that allows p against q."""
        return max(
            binary_divergence(p, q, order) / (order if self.of.times_order else 1.0)
            for order in self.of.orders
        )

    def _allowed(self, q: float) -> float:
        """Largest p that the claim allows, by bisection: the measure grows with p above q."""
        low, high = q, 1.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (
                (middle, high) if self._measure(middle, q) <= self.of.bound else (low, middle)
            )
        return low


def corner(counts: Counts, alpha: float) -> tuple[float, float]:
    """Lower limit of p and upper limit of q by Clopper and Pearson, at half the error each."""
    from scipy.special import betaincinv

    hits, other = counts.hits, counts.other_hits
    p = float(betaincinv(hits, counts.draws - hits + 1, alpha / 2)) if hits else 0.0
    if other == counts.other_draws:
        return p, 1.0
    return p, float(betaincinv(other + 1, counts.other_draws - other, 1 - alpha / 2))


def fresh_draws(
    rule: ClaimRule,
    guess: tuple[float, float],
    alpha: float,
    samples: int,
    *,
    known_by: float = math.inf,
) -> int:
    """Draws of each arm of the witness: `needed_draws`, within bounds by the size of the run.

    Parameters
    ----------
    rule, guess, alpha
        See `needed_draws`.
    samples : int
        Of the run: the witness takes a sixteenth as many or more, within its `allowance`.
    known_by : float
        Draws of each arm that the guess is from.
    """
    guess = _careful(rule, guess, known_by)
    most = allowance(samples) // 2
    least = max(FEWEST, min(LEAST_AT_MOST, int(LEAST_SHARE * samples / 2)))
    return min(most, max(least, needed_draws(rule, guess, alpha, most)))


def _careful(rule: ClaimRule, guess: tuple[float, float], known_by: float) -> tuple[float, float]:
    """The guess, moved towards the claim until its gap has fallen by some standard errors."""
    p, q = guess
    slope, _ = rule.line(q)
    of_p, of_q = (x * (1 - x) / max(1.0, known_by) for x in guess)
    error = math.sqrt(of_p + slope**2 * of_q)
    if error == 0:
        return guess
    return p - CAREFUL * of_p / error, q + CAREFUL * slope * of_q / error


def needed_draws(rule: ClaimRule, guess: tuple[float, float], alpha: float, most: int) -> int:
    """Draws of each arm for which the limit exceeds the claim with power .8, at the estimates.

    Of p - s q the normal law asks for gap m >= z_alpha S_0 + z_.8 S_1, with S_0^2 the variance of
    m draws at the edge of the claim, where q may be some counts larger, and S_1^2 at the estimates.

    Parameters
    ----------
    rule : ClaimRule
        What the event is held against.
    guess : (float, float)
        p and q, as the run has them.
    alpha : float
        Error of the limit.
    most : int
        Answered where more are needed, or no number is enough.
    """
    from scipy.special import ndtri

    p, q = guess
    slope, offset = rule.line(q)
    gap = p - slope * q - offset
    if not gap > 0:
        return most
    z = -float(ndtri(alpha))
    here = p * (1 - p) + slope**2 * q * (1 - q)
    edge = min(1.0, slope * q + offset)
    at_edge = max(edge * (1 - edge) + slope**2 * q * (1 - q), here)
    unseen = slope * (1 + slope) * MORE_COUNTS * math.log(1 / alpha)
    low, high = 1.0, float(most)
    for _ in range(60):  # the condition holds from one number of draws on
        m = 0.5 * (low + high)
        needed = z * math.sqrt(at_edge * m + unseen) + POWER_Z * math.sqrt(here * m)
        low, high = (low, m) if gap * m >= needed else (m, high)
    return math.ceil(high)
