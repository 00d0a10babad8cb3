"""The public level tau of the range stage: as much privacy for as many survivors as possible.

With survival rates min(1, (e^eps_i - 1) / (e^tau - 1)) any public tau > 0 keeps the promise. The
accuracy of the stage grows with

    tau E|D_F| = tau sum_i min(1, (e^eps_i - 1) / (e^tau - 1)),

whose maximum over tau > 0 is attained at one of the budgets: between two neighboring budgets it is
c tau + c' tau / (e^tau - 1), which is convex, and beyond the largest it decreases (PDP, Algorithm 6
with the rates of PDP-T10).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.budgets import LARGEST, as_floats
from mechanisms.validation import Number, check_fraction

__all__ = ["SHARES", "STAGES", "best_tau", "check_tau"]

STAGES = 4
"""Among which tau and beta are divided equally."""

SHARES = 6
"""Among which the mean divides beta; the range has one of them (PDP, Algorithm 7)."""

LEAST_TAU = Fraction(1, 10**9)
"""Of the range; noise of a smaller one hides the unit of a count."""


def best_tau(budgets: Sequence[Fraction]) -> Fraction:
    """Return the positive budget that maximizes tau E|D_F|.

    `budgets`: public, each from 0 to 1e9, in any order. Returns: one of the budgets. Where two are
    equally good up to rounding, either. Raises InvalidArgument if no budget is positive.
    """
    floats = as_floats(budgets)
    values, counts = np.unique(floats[floats > 0], return_counts=True)
    if not values.size:
        if not any(budgets):
            msg = "budgets must hold a positive budget, got only zeros"
            raise InvalidArgument(msg)
        return max(budgets)
    # The sums over smaller budgets and the shares that survive, as logarithms: e^eps overflows.
    logs = values + np.log(-np.expm1(-values))
    below = np.logaddexp.accumulate(logs + np.log(counts))
    above = np.cumsum(counts[::-1])[::-1] - counts
    with np.errstate(divide="ignore"):
        survivors = np.logaddexp(below - logs, np.log(above))
    best = values[np.argmax(np.log(values) + survivors)]
    return min(budgets[int(place)] for place in np.flatnonzero(floats == best))


def check_tau(tau: Number | None, budgets: Sequence[Fraction]) -> Fraction:
    """Read the public level of the range stage.

    `tau`: from 1e-9 to 1e9; None stands for the budget that `best_tau` chooses. `budgets`: what
    each user spends on the range. Returns: 0 if tau is None and no budget is positive. Raises
    InvalidArgument if tau is out of its range, or None and no budget reaches 1e-9, though one is
    positive.
    """
    if tau is not None:
        return check_fraction(tau, "tau", at_least=LEAST_TAU, at_most=LARGEST)
    if not any(budgets):
        return Fraction(0)
    found = best_tau(budgets)
    if found < LEAST_TAU:
        msg = (
            f"budgets must be 0 or give the range a tau of at least {float(LEAST_TAU):g}, "
            f"got tau={float(found):g}"
        )
        raise InvalidArgument(msg)
    return found
