"""The power statement `detectable`: which violations a run that found nothing would have found.

For an event of probability p on one side and q on the other, the growth-optimal bet on the event
against the claim refutes it after n draws of each arm with a probability that is a sum over
binomial counts, computed here exactly. The engine has to learn event and bet: where the oracle
needs N draws, the default configuration needs those that only learn, and N times a factor that has
been measured for the classes and probabilities of events that the statement names, and no others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from audit.draws.binomial_tails import binomial_at_most, binomial_point
from audit.engine.bet_growth import CLIP, boundary_point
from audit.engine.experts import Grid
from audit.engine.experts.moment_bets import two_cell_bet
from audit.engine.factors import FACTORS, first_class, second_class
from audit.levels.moments import MomentGrid, binary_divergence
from audit.levels.supporting_lines import LineGrid
from audit.results.sampled_result import Detectable, WiderClass

__all__ = [
    "FACTORS",
    "LEARNING_DRAWS",
    "LIMITED_MASS",
    "allowed",
    "detectable",
    "draws_needed",
    "factor",
    "oracle_power",
    "smallest_epsilon",
]

LIMITED_MASS = 0.1
"""Whose detectable loss decides whether a run that found nothing is CONSISTENT: its factor was
measured for every kind of claim."""
POWER = 0.9
MOST_DRAWS = 10**8
"""Of each arm of a pair: more are not planned with."""
LARGEST_EPSILON = 30.0
ANYWHERE = ("single value", "tail")
CLASSES = {0.5: (*ANYWHERE, "one interval"), 0.1: (*ANYWHERE, "one interval")}
"""Classes of events of one coordinate for which the factors were measured, by mass; at the other
masses `ANYWHERE`. In the middle of the line no cell holds much less than 1/64, so an interval of
probability .01 there is not found, however large its loss."""

LEARNING_DRAWS = 200
"""Draws of each arm that the factors leave out: they were measured with an engine that learned from
so many before its first bet. An engine that bets sooner needs no more; one that was told to learn
from more has so many fewer to bet."""
_SPAN = 9.0

Factors = tuple[float, float, float, float]
"""Logarithms of a bet's factors: in the event and not, on the likelier arm and on the other."""


def oracle_power(
    mass: float, epsilon: float, draws: int, *, grid: Grid, false_alarm: float
) -> float:
    """Probability that the oracle's bet on the event refutes the claim within `draws` draws.

    Parameters
    ----------
    mass : float
        Probability of the event on the likelier side; for a claim of one line, beyond its delta.
    epsilon : float
        True loss on the event: the other side has probability mass e^-epsilon.
    draws : int
        Draws of each arm, all spent on one bet.
    grid : Grid
        The claim, and others.
    false_alarm : float
        Level of the test.
    """
    p, q = _event(mass, epsilon, grid)
    if draws < 1 or p >= 1:
        return 0.0
    powers = (_power(p, q, draws, factors, false_alarm) for factors in _bets(p, q, grid))
    return max(powers, default=0.0)


def _event(mass: float, epsilon: float, grid: Grid) -> tuple[float, float]:
    """Probabilities of the event on the likelier and on the other arm."""
    beyond = 0.0
    if isinstance(grid, LineGrid) and len(grid.slopes) == 1:
        beyond = float(grid.offsets[0, grid.claimed])
    return min(1.0, beyond + mass), min(mass, 1 - beyond) * math.exp(-epsilon)


def _bets(p: float, q: float, grid: Grid) -> Iterator[Factors]:
    """The growth-optimal bet on the event against each line, or order, of the claim."""
    if isinstance(grid, MomentGrid):
        for order, bound in zip(grid.orders, grid.bounds[:, grid.claimed], strict=True):
            factors = two_cell_bet(p, q, float(order), float(bound))
            if factors is not None:
                yield factors
        return
    for s, t in zip(grid.slopes[:, grid.claimed], grid.offsets[:, grid.claimed], strict=True):
        if p <= s * q + t:
            continue
        q0 = float(boundary_point(*(np.array([x]) for x in (p, q, s, t)))[0])
        p0 = s * q0 + t
        mu = min((p - p0) / (p0 * (1 - p0)), CLIP / p0, CLIP / (s * (1 - q0)))
        yield (
            math.log1p(mu * (1 - p0)),
            math.log1p(-mu * p0),
            math.log1p(-s * mu * (1 - q0)),
            math.log1p(s * mu * q0),
        )


def _power(p: float, q: float, draws: int, factors: Factors, false_alarm: float) -> float:
    """Probability that a bet's wealth after all draws is at least 1/alpha, exactly."""
    inside, outside, other_inside, other_outside = factors
    per_hit, per_other = inside - outside, other_inside - other_outside
    if per_other >= 0:
        return 0.0
    none = draws * (outside + other_outside)
    spread = _SPAN * math.sqrt(draws * p * (1 - p)) + _SPAN**2
    hits = np.arange(max(0, int(draws * p - spread)), min(draws, int(draws * p + spread)) + 1)
    most = np.floor((none + hits * per_hit - math.log(1 / false_alarm)) / -per_other)
    return float((binomial_point(hits, draws, p) * _cdf(most, draws, q)).sum())


def _cdf(most: NDArray[np.float64], draws: int, q: float) -> NDArray[np.float64]:
    """P(Binomial(draws, q) <= most): sums of probabilities, quicker than one by one."""
    spread = _SPAN * math.sqrt(draws * q * (1 - q)) + _SPAN**2
    low, high = max(-1, int(draws * q - spread)), min(draws, int(draws * q + spread))
    below = np.cumsum(
        np.append(
            binomial_at_most(low, draws, q),
            binomial_point(np.arange(low + 1, high + 1), draws, q),
        )
    )
    return below[np.clip(most, low, high).astype(np.intp) - low]


def allowed(mass: float, grid: Grid) -> float:
    """Largest loss that the claim allows an event of this probability; as in `oracle_power`."""

    def violates(epsilon: float) -> bool:
        p, q = _event(mass, epsilon, grid)
        if isinstance(grid, MomentGrid):
            own = [binary_divergence(p, q, float(order)) for order in grid.orders]
            return bool((np.array(own) > grid.divergences[:, grid.claimed]).any())
        s, t = grid.slopes[:, grid.claimed], grid.offsets[:, grid.claimed]
        # the event, and its complement the other way round
        return bool((p > s * q + t).any() or (1 - q > s * (1 - p) + t).any())

    if (epsilon := _claimed_epsilon(grid)) is not None:
        return epsilon
    return _bisect(0.0, LARGEST_EPSILON, violates) if violates(LARGEST_EPSILON) else math.inf


def detectable(
    draws: int,
    pairs: int,
    *,
    grid: Grid,
    false_alarm: float,
    resolution: float | None,
    learned: int = LEARNING_DRAWS,
) -> Detectable:
    """Compute the power statement for `draws` draws of each arm on the least-sampled pair.

    `learned`: those of them that were only learned from; at least `LEARNING_DRAWS` are left out.
    """
    bet = max(0, draws - max(LEARNING_DRAWS, learned))
    fits = first_class(_kind(grid))
    epsilons = tuple(
        smallest_epsilon(mass, fit.oracle_draws(bet), grid, false_alarm)
        for mass, fit in fits.items()
    )
    return Detectable(
        masses=tuple(fits),
        epsilons=epsilons,
        draws=draws,
        pairs=pairs,
        limit=_limit(grid, resolution),
        classes=tuple(CLASSES.get(mass, ANYWHERE) for mass in fits),
        wider=tuple(_wider(bet, grid, false_alarm)),
    )


def _wider(bet: int, grid: Grid, false_alarm: float) -> Iterator[WiderClass]:
    """What holds for the second class: nothing where no factor was measured, or nothing is found.

    It never decides a verdict: that rests on events of one coordinate at `LIMITED_MASS`.
    """
    for mass in first_class(_kind(grid)):
        fit = second_class(_kind(grid), mass)
        if fit is None or not fit.covers(_claimed_epsilon(grid)):
            continue
        epsilon = smallest_epsilon(mass, fit.oracle_draws(bet), grid, false_alarm)
        if math.isfinite(epsilon):
            yield WiderClass(mass, epsilon, fit.shapes)


def draws_needed(
    grid: Grid,
    *,
    false_alarm: float,
    resolution: float | None,
    learned: int = LEARNING_DRAWS,
) -> float:
    """Draws of each arm that a pair needs for an event of probability 0.1 to be found in time.

    That is at the limit up to which a run is CONSISTENT; infinite where no number is enough.
    `learned`: as in `detectable`.
    """
    limit = _limit(grid, resolution)

    def found(log_draws: float) -> bool:
        draws = int(math.exp(log_draws))
        power = oracle_power(LIMITED_MASS, limit, draws, grid=grid, false_alarm=false_alarm)
        return power >= POWER

    most = math.log(MOST_DRAWS)
    if not (math.isfinite(limit) and found(most)):
        return math.inf
    oracle = math.exp(_bisect(0.0, most, found))
    return max(LEARNING_DRAWS, learned) + factor(LIMITED_MASS, oracle, grid) * oracle


def factor(mass: float, oracle: float, grid: Grid) -> float:
    """Draws of the default configuration that bet, over the oracle's `oracle` draws."""
    return first_class(_kind(grid))[mass].factor(oracle)


def _claimed_epsilon(grid: Grid) -> float | None:
    """Epsilon of a claim of one line; a curve, or a divergence, has none."""
    if isinstance(grid, LineGrid) and len(grid.slopes) == 1:
        return math.log(float(grid.slopes[0, grid.claimed]))
    return None


def _kind(grid: Grid) -> str:
    return "divergences" if isinstance(grid, MomentGrid) else "lines"


def _limit(grid: Grid, resolution: float | None) -> float:
    """Largest detectable loss of an event of this mass with which a run is CONSISTENT."""
    claimed = allowed(LIMITED_MASS, grid)
    return claimed + (max(0.5, claimed / 2) if resolution is None else resolution)


def smallest_epsilon(mass: float, draws: int, grid: Grid, false_alarm: float) -> float:
    """Smallest epsilon found with the wanted power, to 0.1 %; infinite where none is."""

    def found(epsilon: float) -> bool:
        return oracle_power(mass, epsilon, draws, grid=grid, false_alarm=false_alarm) >= POWER

    lower = allowed(mass, grid)
    if not (math.isfinite(lower) and found(lower + LARGEST_EPSILON)):
        return math.inf
    return _bisect(lower, lower + LARGEST_EPSILON, found)


def _bisect(lower: float, upper: float, holds: Callable[[float], bool]) -> float:
    """Smallest value at which a monotone condition holds, to 0.1 %; it holds at `upper`."""
    while upper - lower > 1e-3 * max(1.0, lower):
        middle = 0.5 * (lower + upper)
        lower, upper = (lower, middle) if holds(middle) else (middle, upper)
    return upper
