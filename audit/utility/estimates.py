"""Estimates of one case with their intervals, and the tests of its claims.

Every test is one end of an interval: a bound is refuted if it lies below the lower limit of what it
bounds, an equality also if it lies above the upper limit. With K ends in all and the false-alarm
rate a each has the error a / K, so that all together err with probability at most a. Ends that no
claim needs are shown at the same error, and decide nothing.

Errors below 1e-12 of the largest number in play are taken for rounding: claims are of real numbers.

Student's limits of a mean are approximate, and refused where the draws contradict them. For errors
of skewness g, P(T > z) is about (1 - Phi(z)) e^(-g z^3 / (3 sqrt(n))) [1]_. Where this factor may
be large a few draws carry the spread, and nothing is said. What is too rare to be among the draws
at all is not seen here: only a stated moment helps against it.

References
----------
.. [1] Jing, Shao, Wang, "Self-normalized Cramer-type large deviations for independent random
   variables", Ann. Prob. 31, 2003.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.binomial_tails import binomial_limits, student_limits
from audit.utility.error_cases import ErrorCase
from audit.utility.error_result import Estimate, Interval
from audit.utility.mean_bets import (
    RATES,
    catoni_lower,
    mean_lower,
    rates,
    small_mean_upper,
    symmetric_lower,
    symmetric_rate,
)
from mechanisms.utility_claims import Quantity, UtilityClaim

Array = NDArray[np.float64]

ROUNDING = 1e-12
"""Part of the largest number in play that an error of rounding may be."""

TINY, LARGEST = 1e-150, 1e70
"""Between which sizes fourth powers of errors can be summed."""

LEFT = 1e-6


@final
@dataclass(frozen=True, slots=True)
class Pilot:
    """What the first draws tell, from which rates and sample sizes are chosen."""

    square: float
    """Mean squared error."""
    spread_of_square: float
    """Standard deviation of squared errors."""
    size: float
    """Mean absolute error."""
    spread_of_size: float
    errors: Array


def pilot_of(errors: Array, slack: float) -> Pilot:
    """Summarize the pilot's errors; nothing is smaller than rounding makes it."""
    sizes, least = np.abs(errors), max(slack, TINY)
    squares = sizes**2
    return Pilot(
        max(float(squares.mean()), least**2),
        max(float(squares.std()), least**2),
        max(float(sizes.mean()), least),
        max(float(sizes.std()), least),
        errors,
    )


def rounding(case: ErrorCase) -> float:
    """Size of an error that rounding may make."""
    return ROUNDING * case.scale


def beyond_squares(errors: Array) -> str | None:
    """Say so if errors are too large to be squared."""
    many = int((np.abs(errors) > LARGEST).sum())
    if not many:
        return None
    return f"{many:,} of {errors.size:,} draws are more than {LARGEST:g} off, too far to be squared"


def by_student(case: ErrorCase) -> bool:
    """Whether a claim of the bias has no second moment, nor symmetry, to be tested with."""
    biases = case.of(Quantity.BIAS)
    return bool(biases) and not (case.of(Quantity.MSE) or any(claim.symmetric for claim in biases))


def ends_of(case: ErrorCase) -> int:
    """Number of tests of one side that the claims of a case need."""
    biases, misses = case.of(Quantity.BIAS), case.of(Quantity.MISS)
    ends = 2 * bool(biases) + len(misses) + len(case.fits)
    for quantity in (Quantity.MSE, Quantity.MAE):
        claims = case.of(quantity)
        ends += bool(claims) + (square_bound(case, quantity) is not None)
    return ends


def square_bound(case: ErrorCase, quantity: Quantity) -> float | None:
    """Smallest stated bound of the mean square of a squared (or absolute) error."""
    squares = [float(c.square) for c in case.of(quantity) if c.square is not None]
    if quantity is Quantity.MAE and any(claim.exactly for claim in case.of(quantity)):
        squares += [float(claim.bound) for claim in case.of(Quantity.MSE)]
    return min(squares, default=None)


def estimate_case(
    case: ErrorCase, estimates: Array, pilot: Pilot, error: float, failures: int = 0
) -> tuple[Estimate, ...]:
    """Estimate bias, variance, mean square and mean absolute error, and test the claims.

    `case`: what is promised. `estimates`, shape (n,): finite, n at least 2; independent of the
    pilot. `pilot`: from draws of its own. `error`: of each end. `failures`: draws besides that are
    no finite number: misses, where none are promised.
    """
    errors = estimates - float(case.truth.value)
    bias = _bias(case, errors, pilot, error)
    square = _mean(case, Quantity.MSE, errors**2, pilot, error)
    size = _mean(case, Quantity.MAE, np.abs(errors), pilot, error)
    if square.refuted:  # what is tested by a claimed mean square is not, where that is not there
        others = tuple(claim for claim in case.claims if claim.quantity is not Quantity.MSE)
        rest = replace(case, claims=others)
        bias = _bias(rest, errors, pilot, error)
        size = _mean(rest, Quantity.MAE, np.abs(errors), pilot, error)
    found = (bias, _variance(errors, bias, square), square, size)
    lost = 0 if case.given_success else failures
    misses = (
        _miss(claim, estimates, lost, error, rounding(case)) for claim in case.of(Quantity.MISS)
    )
    return (*found, *misses)


def _bias(case: ErrorCase, errors: Array, pilot: Pilot, error: float) -> Estimate:
    claims, slack, n = case.of(Quantity.BIAS), rounding(case), errors.size
    bounds = [float(claim.bound) for claim in case.of(Quantity.MSE)]
    if any(claim.symmetric for claim in claims):
        by, spread = "symmetry", math.sqrt(pilot.square)
        rate = symmetric_rate(spread, n, error)
        lower, upper = (
            sign * symmetric_lower(sign * errors, rate, error, spread) for sign in (1, -1)
        )
    elif bounds:
        by, largest = "claimed error", max((math.sqrt(min(bounds)) + slack) ** 2, TINY**2)
        claimed = min((float(claim.bound) for claim in claims), default=0.0)
        left = max(largest - claimed**2, LEFT * largest)  # for the variance, at that bias
        rate = symmetric_rate(math.sqrt(left), n, error)
        lower, upper = (
            sign * catoni_lower(sign * errors, largest, rate, error) for sign in (1, -1)
        )
    else:
        by = STUDENT
        lower, upper = student(errors, error)
        both = np.concatenate([pilot.errors, errors])
        if claims and draws_for_student(both, error, slack) > n:
            lower, upper = -math.inf, math.inf
    interval = Interval(lower, upper, by, by, error)
    beyond = tuple(claim for claim in claims if max(lower, -upper) > float(claim.bound) + slack)
    refuted, doubted = ((), beyond) if by == STUDENT else (beyond, ())
    return Estimate("bias", float(errors.mean()), interval, claims, refuted, doubted)


def _mean(
    case: ErrorCase, quantity: Quantity, values: Array, pilot: Pilot, error: float
) -> Estimate:
    """Mean square or mean absolute error."""
    claims, slack, n = case.of(quantity), rounding(case), values.size
    lower = mean_lower(values, 0.0, bets_on(case, quantity, pilot, n, error), error)
    square = square_bound(case, quantity)
    if square is None:
        upper, by = student(values, error)[1], STUDENT
    else:
        largest, by = max(square, TINY**2), "second moment"
        upper = small_mean_upper(
            values, largest, symmetric_rate(math.sqrt(largest), n, error), error
        )
    refuted = []
    for claim in claims:
        most, least = allowed(claim, slack)
        small = claim.exactly and square is not None and upper < least
        if lower > most or small:
            refuted.append(claim)
    interval = Interval(lower, max(upper, lower), "bet", by, error)
    return Estimate(quantity.value, float(values.mean()), interval, claims, tuple(refuted))


def bets_on(case: ErrorCase, quantity: Quantity, pilot: Pilot, draws: int, error: float) -> Array:
    """Rates of bets on squared or absolute errors, for those seen and for those at a far bound."""
    of_square = quantity is Quantity.MSE
    spread = pilot.spread_of_square if of_square else pilot.spread_of_size
    mean = pilot.square if of_square else pilot.size
    own = rates(spread, draws, error)
    times = min((float(claim.bound) for claim in case.of(quantity)), default=0.0) / mean
    if times <= 1 / RATES[0]:
        return own
    return np.concatenate([own, rates(times * spread, draws, error)])


def allowed(claim: UtilityClaim, slack: float) -> tuple[float, float]:
    """Largest mean that a bound allows, and smallest of an equality, with rounding."""
    bound = float(claim.bound)
    if claim.quantity is Quantity.MSE:
        root = math.sqrt(bound)
        return (root + slack) ** 2, max(root - slack, 0.0) ** 2
    return bound + slack, bound - slack


def _variance(errors: Array, bias: Estimate, square: Estimate) -> Estimate:
    """The mean square less the squared bias."""
    ends = bias.interval.lower, bias.interval.upper
    largest = max(end**2 for end in ends)
    smallest = 0.0 if ends[0] <= 0 <= ends[1] else min(end**2 for end in ends)
    interval = Interval(
        max(0.0, square.interval.lower - largest),
        square.interval.upper - smallest,
        "sum of limits",
        "sum of limits",
        2 * square.interval.error + bias.interval.error,
    )
    return Estimate("variance", float(errors.var(ddof=1)), interval)


def _miss(
    claim: UtilityClaim, estimates: Array, failures: int, error: float, slack: float
) -> Estimate:
    assert claim.interval is not None
    low, high = claim.interval
    hits = failures + int(((estimates < low - slack) | (estimates > high + slack)).sum())
    draws = failures + estimates.size
    lower, upper = binomial_limits(hits, draws, error)
    interval = Interval(lower, upper, "binomial", "binomial", error)
    refuted = (claim,) if interval.lower > float(claim.bound) else ()
    return Estimate("miss", hits / draws, interval, (claim,), refuted)


STUDENT = "Student's t"
"""Name of the limits. They are approximate: what they exclude is doubted, and never REFUTED."""

DISTORTION = 0.5
"""Largest g z^3 / (3 sqrt(n)) of Student's limits: one side errs at most 1.65 times as often."""


def draws_for_student(errors: Array, error: float, slack: float) -> float:
    """Draws from which on Student's limits distort the error rate by little.

    `errors`, shape (n,): from which the skewness is estimated. `error`: of each end. `slack`: what
    rounding may do.
    """
    from scipy.special import ndtri

    off = errors - errors.mean()
    largest = float(np.abs(off).max())
    if largest <= slack:
        return 0.0
    off /= largest
    skewness = abs(float((off**3).mean())) / float((off**2).mean()) ** 1.5
    return float((skewness * max(-float(ndtri(error)), 0.0) ** 3 / (3 * DISTORTION)) ** 2)


def student(values: Array, error: float) -> tuple[float, float]:
    """Student's limits of a mean, each with the given error."""
    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    return student_limits(values, error)
