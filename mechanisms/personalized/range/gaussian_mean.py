"""The error of the private mean on Gaussian records (PDP-T11u, Theorem 11 with constants).

The range covers [mu - (z + 1) sigma, mu + z sigma] and is at most (8 u + 4) sigma wide
(`mechanisms.personalized.range.gaussian_range`), with radii that fail with probability beta / 24
each. Seven further events share the rest of beta, s = 11 beta / 84 each: four of the range, and
with the saturated halves of the budgets, their sum A, the weights w_i, W = sum w_i^2, w = max w_i,

    sampling    sigma sqrt(2 W ln(1 / s))
    clipping    sigma (phi(z) - z Q(z) + (2 / z) sqrt(Q(z) W ln(2 / s)) + (w / z) ln(2 / s))
    noise       sigma (8 u + 4) ln(1 / s) / A

bound the error together with probability at least 1 - beta. Clipping above pulls the mean down
only, and clipping below pulls it up only, so that the larger of the two counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from mechanisms.claims import Source
from mechanisms.personalized.budgets import as_floats
from mechanisms.personalized.public_tau import SHARES, STAGES
from mechanisms.personalized.range.gaussian_range import (
    EVENTS,
    RADII,
    Reach,
    range_stage,
    reach,
    tail,
)
from mechanisms.personalized.saturation import saturate
from mechanisms.utility_claims import Quantity, RecordLaw, UtilityClaim

__all__ = ["Weights", "error_bound", "error_claims", "event_share", "mean_error"]

MEAN_EVENTS = EVENTS + 3
"""Those of the range, and sampling, clipping and noise."""


@final
@dataclass(frozen=True, slots=True)
class Weights:
    """What of the weights the error depends on, or upper bounds of it."""

    squares: float
    """W, the sum of the squares."""
    largest: float
    """w, the largest one."""
    noise: float
    """1 / A, the scale of the noise for a range of width 1."""


def event_share(beta: Fraction) -> Fraction:
    """Return s: what the two radii leave of beta, divided by the number of events."""
    return beta * (1 - Fraction(RADII, SHARES * STAGES)) / MEAN_EVENTS


def error_bound(weights: Weights, found: Reach, share: float) -> float:
    """Return the bound of the error in standard deviations, see the module."""
    z, level, both = found.inside, math.log(1 / share), math.log(2 / share)
    beyond = tail(z)
    clipped = math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * beyond
    clipped += 2 / z * math.sqrt(beyond * weights.squares * both) + weights.largest / z * both
    sampling = math.sqrt(2 * weights.squares * level)
    return sampling + clipped + found.width * level * weights.noise


def mean_error(
    halves: Sequence[Fraction], tau: Fraction, beta: Fraction, mu: float, sigma: float
) -> float | None:
    """Bound the error on records of N(mu, sigma^2) with probability 1 - beta.

    `halves`: what each user spends on the range, and on the mean. `tau`: what the range spends on
    the survivors. Returns: in the unit of the data; None if nothing is known.
    """
    share = event_share(beta)
    found = reach(range_stage(halves, tau, beta / SHARES, share), mu, sigma)
    if found is None:
        return None
    spent = saturate(as_floats(halves))
    weights = Weights(
        (spent.squares - 8) / spent.total**2,
        float(spent.saturated.max()) / spent.total,
        1 / spent.total,
    )
    return sigma * error_bound(weights, found, float(share))


def error_claims(
    law: RecordLaw, bound: float | None, beta: Fraction, item: str
) -> tuple[UtilityClaim, ...]:
    """State that the mean is farther from that of the law than the bound with probability beta."""
    if bound is None:
        return ()
    ends = law.mean - bound, law.mean + bound
    return (UtilityClaim(Quantity.MISS, beta, Source("PDP", item), interval=ends),)
