"""What draws show against a claim while they are made, at any time: evidence that stops a run.

Each test is a bet of `audit.utility.mean_bets` at rates that the pilot alone chooses. Its wealth
has a mean of at most 1 at every time, if the claim holds, and so ever reaches K / a with
probability at most a / K. K is a million, and the tests of the report are made on other draws:
together they err with probability at most a (1 + 1 / K). So looks cost nothing, however many there
are, and a claim that is broken by little is decided by all of its draws, as if there had been none.

A chance of a miss, a stated law and Student's t have no such test: they do not stop a run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.utility.error_cases import ErrorCase
from audit.utility.estimates import Pilot, allowed, rounding, square_bound
from audit.utility.mean_bets import above, catoni_wealth, mixed, symmetric_rate, symmetric_wealth
from mechanisms.utility_claims import Quantity, UtilityClaim

Array = NDArray[np.float64]

MARGIN = 1e6
"""Times the evidence that a test needs."""

DRAWS = tuple(4.0**k for k in range(2, 12))
"""Numbers of draws for which there is a rate; with a factor 4 between them, the best of these rates
is at most sqrt(2) away from the best of all."""


def far_refuted(
    case: ErrorCase, estimates: Array, pilot: Pilot, error: float
) -> tuple[UtilityClaim, ...]:
    """Claims against which the evidence is `MARGIN` times what REFUTED needs.

    `case`: what is promised. `estimates`, shape (n,): finite; independent of the pilot. `pilot`:
    from draws of its own. `error`: of each end.
    """
    errors = estimates - float(case.truth.value)
    need = math.log(MARGIN) - math.log(error)

    def refuted(of: ErrorCase, claims: tuple[UtilityClaim, ...]) -> tuple[UtilityClaim, ...]:
        return tuple(
            claim
            for claim in claims
            if any(evidence >= need for evidence in _evidence(of, claim, errors, pilot, error))
        )

    squares = case.of(Quantity.MSE)
    others = tuple(claim for claim in case.claims if claim not in squares)
    false = refuted(case, squares)
    # the others may take a mean square for granted
    rest = replace(case, claims=others) if false else case
    return (*false, *refuted(rest, others))


def _evidence(
    case: ErrorCase, claim: UtilityClaim, errors: Array, pilot: Pilot, error: float
) -> Iterator[float]:
    """Logarithms of the wealth of bets against one claim, from each side that has a test."""
    slack = rounding(case)
    if claim.quantity is Quantity.BIAS:
        yield from _of_bias(case, float(claim.bound) + slack, errors, pilot, error)
    elif claim.quantity in (Quantity.MSE, Quantity.MAE):
        of_square = claim.quantity is Quantity.MSE
        values = errors**2 if of_square else np.abs(errors)
        most, least = allowed(claim, slack)
        spread = pilot.spread_of_square if of_square else pilot.spread_of_size
        yield above(values, most, 0.0, _rates(spread, error))
        square = square_bound(case, claim.quantity)
        if claim.exactly and square is not None and square > least**2:
            rates = _rates(math.sqrt(square), error)
            costs = np.log1p(-rates * least + rates**2 * square / 2)
            yield mixed(-rates * float(values.sum()) - values.size * costs)


def _of_bias(
    case: ErrorCase, bound: float, errors: Array, pilot: Pilot, error: float
) -> Iterator[float]:
    bounds = [float(claim.bound) for claim in case.of(Quantity.MSE)]
    symmetric = any(claim.symmetric for claim in case.of(Quantity.BIAS))
    square = max((math.sqrt(min(bounds)) + rounding(case)) ** 2, 1e-300) if bounds else 0.0
    if not symmetric and not bounds:
        return
    rates = _rates(math.sqrt(pilot.square if symmetric else square), error)
    for sign in (1, -1):
        x = sign * errors
        with np.errstate(over="ignore"):
            logs = [
                symmetric_wealth(x, bound, rate)
                if symmetric
                else catoni_wealth(x, bound, square, rate)
                for rate in rates
            ]
        yield mixed(np.array(logs))


def _rates(spread: float, error: float) -> Array:
    return np.array([symmetric_rate(spread, 1, error) / math.sqrt(draws) for draws in DRAWS])
