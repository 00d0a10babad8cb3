"""How many draws to make, and what they would have shown with probability 0.9.

Both are about errors of the shape that was seen, moved (a bias) or all multiplied by one factor (a
larger mean square): normal limits of what the tests add up. A resolution R asks that a bias of R
root mean squared errors beyond the claim, a mean square, mean absolute error or chance of a miss
of 1 + R times the claimed one, and a law at a distance of R / 5 (a scale that is a factor of about
1 + R off) be seen.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from audit.draws.binomial_tails import binomial_above, first_above
from audit.utility.error_cases import ErrorCase
from audit.utility.error_result import Estimate, Seen
from audit.utility.estimates import (
    Pilot,
    allowed,
    bets_on,
    by_student,
    draws_for_student,
    rounding,
    square_bound,
)
from audit.utility.fit import CdfLaw, band, draws_for_band
from audit.utility.mean_bets import LARGEST_SHARE, RATES, symmetric_rate
from mechanisms.utility_claims import Quantity, UtilityClaim

Array = NDArray[np.float64]

CHANCE_QUANTILE = 1.2815515655446004
"""Of the normal law, at 0.9."""
MISS = 0.1

SAFETY = 2.0
"""Times the draws that the pilot asks for."""

FEWEST = 4_000
DISTANCE = 0.2
"""Distance in cdf, by the resolution."""

LARGEST_FACTOR = 1e9
MOST_NEEDED = 1e8
MOST_MISSED = 3
"""Times the variance of squares in a pilot that a stated moment may let one expect."""

LOOKED_AT = 20_000
"""Draws whose shape the power of bets is computed from."""


def draws_needed(case: ErrorCase, pilot: Pilot, error: float, resolution: float) -> int:
    """Draws that show an excess of the resolution with probability 0.9, by the pilot.

    `case`: what is tested. `pilot`: moments of the errors. `error`: of each end. `resolution`: R.
    """
    need = math.log(2 * len(RATES)) - math.log(error)  # several rates share the wealth
    reach = (math.sqrt(2 * need) + CHANCE_QUANTILE) / resolution
    ratios = [1.0] if case.of(Quantity.BIAS) else []
    for claim in case.of(Quantity.MISS):
        bound = max(float(claim.bound), 1e-6)
        ratios.append((1 - bound) / bound)
    needed = [reach**2 * ratio for ratio in ratios]
    if by_student(case):
        needed.append(min(draws_for_student(pilot.errors, error, rounding(case)), MOST_NEEDED))
    if case.fits:
        needed.append(draws_for_band(DISTANCE * resolution, error))
    needed += [
        _needed_for(case, quantity, pilot, error, (reach, resolution))
        for quantity in (Quantity.MSE, Quantity.MAE)
        if case.of(quantity)
    ]
    return max(FEWEST, math.ceil(SAFETY * max(needed, default=0.0)))


def _needed_for(
    case: ErrorCase, quantity: Quantity, pilot: Pilot, error: float, goal: tuple[float, float]
) -> float:
    """Draws for a mean square or mean absolute error: by its variance, then by trying the bets."""
    reach, resolution = goal
    of_square = quantity is Quantity.MSE
    spread, mean = pilot.spread_of_size, pilot.size
    if of_square:
        spread, mean = pilot.spread_of_square, pilot.square
    claims = case.of(quantity)
    ratio = (spread / mean) ** 2
    stated = max(map(_stated_ratio, claims)) if of_square else 0.0
    draws = max(FEWEST / SAFETY, reach**2 * max(ratio, min(stated, MOST_MISSED * ratio)))
    values = pilot.errors**2 if of_square else np.abs(pilot.errors)
    claim = min(claims, key=lambda one: one.bound)
    if float(values.mean()) == 0 or allowed(claim, rounding(case))[0] == 0:
        return draws
    while draws < MOST_NEEDED:
        test = error, math.ceil(draws)
        bets = bets_on(case, quantity, pilot, test[1], error)
        if _won(case, claim, values, bets, test, 1 + resolution):
            break
        draws *= 1.25
    return draws


def _stated_ratio(claim: UtilityClaim) -> float:
    """Variance of a squared error over its squared mean, where the claim states both."""
    if claim.square is None or claim.bound == 0:
        return 0.0
    return float(claim.square) / float(claim.bound) ** 2 - 1


def seen_of(
    case: ErrorCase, estimates: tuple[Estimate, ...], errors: Array, pilot: Pilot, error: float
) -> Seen:
    """What the draws that were made would have shown.

    `case`: what was tested. `estimates`: of the same errors. `errors`, shape (n,): estimates less
    the truth. `pilot`: from which the rates were chosen. `error`: of each end.
    """
    by_name = {estimate.quantity: estimate for estimate in estimates}
    bias = _bias(case, by_name["bias"], errors) if "bias" in by_name else None
    factors, small = [], []
    for quantity in (Quantity.MSE, Quantity.MAE):
        claims = case.of(quantity)
        if not claims:
            continue
        values = errors**2 if quantity is Quantity.MSE else np.abs(errors)
        claim = min(claims, key=lambda one: one.bound)
        bets = bets_on(case, quantity, pilot, values.size, error)
        found = _factor(case, claim, values, bets, (error, values.size))
        factors.append((quantity.value, found))
        square = square_bound(case, quantity)
        if square is not None and claim.exactly and square >= float(claim.bound) ** 2:
            small.append((quantity.value, _small_factor(claim, values, square, error)))
    factors += [
        (Quantity.MISS.value, _miss_factor(float(claim.bound), errors.size, error))
        for claim in case.of(Quantity.MISS)
    ]
    lines = [law for law in case.fits if isinstance(law, CdfLaw)]
    distance = None
    if lines:
        distance = band(errors.size, error) + band(errors.size, MISS)
    scaled = None if bias is None else _scaled(case, bias, errors)
    return Seen(bias, scaled, tuple(factors), tuple(small), distance)


def coarse(seen: Seen, resolution: float) -> str | None:
    """Say what would have stayed unseen although the resolution asks for it; None if nothing."""
    if seen.bias_scaled is not None and seen.bias_scaled > resolution:
        return f"a bias of {seen.bias_scaled:.3g} root mean squared errors"
    for name, factor in seen.factors:
        if factor > 1 + resolution:
            words = {"mse": "MSE", "mae": "MAE", "miss": "chance of a miss"}[name]
            return (
                f"{'an' if name != 'miss' else 'a'} {words} of {factor:.3g} times the claimed one"
            )
    if seen.distance is not None and seen.distance > DISTANCE * resolution:
        return f"a law at a distance of {seen.distance:.3g}"
    return None


def _bias(case: ErrorCase, estimate: Estimate, errors: Array) -> float | None:
    """Smallest absolute bias: the claimed one, half an interval, and the spread of its middle."""
    if not estimate.claims:
        return None
    value, interval = estimate.value, estimate.interval
    half = max(value - interval.lower, interval.upper - value)
    spread = float(errors.std()) / math.sqrt(errors.size)
    claimed = min(float(claim.bound) for claim in estimate.claims)
    return claimed + rounding(case) + half + CHANCE_QUANTILE * spread


def _scaled(case: ErrorCase, bias: float, errors: Array) -> float:
    claimed = min(float(claim.bound) for claim in case.of(Quantity.BIAS))
    bounds = [float(claim.bound) for claim in case.of(Quantity.MSE)]
    symmetric = any(claim.symmetric for claim in case.of(Quantity.BIAS))
    square = float((errors**2).mean())
    if bounds and not symmetric:
        square = max(square, min(bounds))
    excess, root, slack = bias - claimed, math.sqrt(square), rounding(case)
    if root > slack:
        return excess / root  # what passes for rounding is unseen, too
    return (excess - slack) / slack if slack > 0 else 0.0


def _factor(
    case: ErrorCase, claim: UtilityClaim, values: Array, bets: Array, test: tuple[float, int]
) -> float:
    """Smallest r for which bets on r times values of mean at the bound would have been won."""
    values = values[:LOOKED_AT]
    most, _ = allowed(claim, rounding(case))
    if float(values.mean()) == 0 or most == 0:
        return 1.0
    low, high = 1.0, 1.125
    while not _won(case, claim, values, bets, test, high):
        low, high = high, 1 + 2 * (high - 1)
        if high > LARGEST_FACTOR:
            return math.inf
    for _ in range(10):
        middle = (low + high) / 2
        won = _won(case, claim, values, bets, test, middle)
        low, high = (low, middle) if won else (middle, high)
    return high * (most / float(claim.bound) if claim.bound else 1.0)


def _won(
    case: ErrorCase,
    claim: UtilityClaim,
    values: Array,
    bets: Array,
    test: tuple[float, int],
    factor: float,
) -> bool:
    """Whether one of the bets is won with probability 0.9, if the mean is `factor` times the bound.

    The test has an error and a number of draws; the values, of another mean, tell the shape.
    """
    most, _ = allowed(claim, rounding(case))
    error, draws = test
    shape = values * (most / float(values.mean()))
    need = math.log(bets.size) - math.log(error)
    for rate in np.minimum(bets, LARGEST_SHARE / most):
        logs = np.log1p(rate * (factor * shape - most))
        spread = CHANCE_QUANTILE * math.sqrt(draws) * float(logs.std())
        if draws * float(logs.mean()) - spread >= need:
            return True
    return False


def _small_factor(claim: UtilityClaim, values: Array, square: float, error: float) -> float:
    """Largest r < 1 for which r times values of mean at the bound would have been too small."""
    bound, n = float(claim.bound), values.size
    mean = float(values.mean())
    if mean == 0 or bound == 0:
        return 1.0
    rate = symmetric_rate(math.sqrt(square), n, error)
    spread = CHANCE_QUANTILE * math.sqrt(n) * float(values.std()) * bound / mean
    allowance = -n * math.log1p(-rate * bound + rate**2 * square / 2) + math.log(error)
    return max(0.0, allowance / (rate * (n * bound + spread)))


def _miss_factor(bound: float, draws: int, error: float) -> float:
    """Smallest chance of a miss, by the bound, that an exact binomial test shows."""
    if bound >= 1:
        return 1.0
    least = first_above(error, draws, bound) + 1  # so many hits exclude the bound
    low, high = bound, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (low, middle)
            if binomial_above(least - 1, draws, middle) >= 1 - MISS
            else (middle, high)
        )
    return high / bound if bound else math.inf
