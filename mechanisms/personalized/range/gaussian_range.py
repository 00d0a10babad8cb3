"""How far a private range reaches on Gaussian records (PDP-L17u, Lemma 17 with constants).

Records are independent N(mu, sigma^2), record i survives with probability p_i, and M = sum p_i.
Each radius fails with probability beta', each of four further events with probability s: the width
b of the grid, the median, who survives, and how far out any record lies. With L = ln(3 / s) and

    u = sqrt(2 ln(n / s)),    m(k) = (24 / tau) (ln(2 / beta') + ln(2 k / beta')),
    k = 1 + ceil(log2(1 + 16 u)),    k1 = 1 + ceil(log2(1 + 8 (|mu| / sigma + u))),
    y = (sqrt(2 L) + sqrt(2 L + 4 m(k))) / 2,

the range covers [mu - (z + 1) sigma, mu + z sigma] for every z with M Q(z + 1) >= y^2, Q the normal
tail, and its width is at most (8 u + 4) sigma, but for a chance of 2 beta' + 4 s, if

    M / 2 - m(k1) >= (16 / tau) ln((2^k1 + 1) / s),
    (48 / (tau g)) ln(6 (2 + ceil|log2 sigma|) / s) + sqrt(ln(6 / s) / (2 g)) <= 0.2236

for g = M / 4 - 1/2 pairs. The first makes the center lie among the survivors (no budgets are known
for which it fails and the others hold), the second makes b lie in [sigma / 8, sigma] (PDP-L16).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Source
from mechanisms.personalized.budgets import as_floats
from mechanisms.personalized.public_tau import STAGES
from mechanisms.personalized.sparse.sparse_vector import CAP
from mechanisms.utility_claims import Quantity, RecordLaw, Truth, UtilityClaim

__all__ = [
    "EVENTS",
    "RADII",
    "RangeStage",
    "Reach",
    "range_claims",
    "range_share",
    "range_stage",
    "reach",
    "survival",
    "tail",
]

RANK_ERROR = 0.2236
"""Of the median difference, as a share of the pairs: the width is good up to it (PDP-L16)."""

RADII, EVENTS = 2, 4
"""Stages that fail with a probability of the mechanism's, and other events."""

STEPS = 1024
"""Per standard deviation: z is a whole number of such steps."""

MARGIN = 1e-9
"""Relative, where a condition is compared in doubles; z may only become smaller by it."""

FARTHEST = 2.0**40
"""Standard deviations between 0 and the mean: doubles still resolve the grid there."""

ITEM = "Lemma 17, with constants (ours)"


@final
@dataclass(frozen=True, slots=True)
class RangeStage:
    """What of the users and of public parameters the reach of a range depends on."""

    users: int
    """Number n of users who may survive."""
    survivors: float
    """Expected number M of survivors, or a lower bound of it."""
    tau: float
    """What the stages spend on the survivors."""
    radius_share: float
    """Failure probability beta' of each radius."""
    share: float
    """Probability s of each other failure."""


@final
@dataclass(frozen=True, slots=True)
class Reach:
    """How far ranges and records reach, in standard deviations."""

    inside: float
    """z: the range reaches so far above the mean, and one more below it."""
    spread: float
    """u: no record that survives is farther from the mean."""

    @property
    def width(self) -> float:
        """Largest width of the range."""
        return 8 * self.spread + 4


def tail(z: float) -> float:
    """Return Q(z), the chance of a standard Gaussian beyond z."""
    return math.erfc(z / math.sqrt(2)) / 2


def range_share(beta: Fraction) -> Fraction:
    """Return s of a range alone: what the two radii leave of beta, divided by the other events."""
    return beta * (1 - Fraction(RADII, STAGES)) / EVENTS


def range_stage(
    budgets: Sequence[Fraction], tau: Fraction, beta: Fraction, share: Fraction
) -> RangeStage:
    """Describe the stages of a range on users of given budgets.

    `budgets`: what each user spends on the range. `tau`: on the survivors. `beta`: failure
    probability of all stages, as the mechanism divides it. `share`: of each other failure.
    """
    spent, level = as_floats(budgets), float(tau)
    spent = spent[spent > 0]
    kept = math.fsum(survival(spent, level))
    return RangeStage(spent.size, kept, level, float(beta / STAGES), float(share))


def survival(spent: NDArray[np.float64], tau: float) -> NDArray[np.float64]:
    """Return min(1, (e^spent - 1) / (e^tau - 1)), the chances of survival, elementwise."""
    gains = np.exp(np.minimum(spent - tau, 0.0)) * np.expm1(-spent) / math.expm1(-tau)
    return np.where(spent >= tau, 1.0, gains)


def reach(stage: RangeStage, mu: float, sigma: float) -> Reach | None:
    """Return how far the range reaches on records of N(mu, sigma^2); None if nothing is known."""
    if not stage.users or abs(mu) > FARTHEST * sigma:
        return None
    spread = math.sqrt(2 * math.log(stage.users / stage.share))
    first = _first_index(8 * (abs(mu) / sigma + spread))
    second = _first_index(16 * spread)
    fair = _width_is_fair(stage, sigma) and _center_is_inside(stage, first)
    if not fair or max(first, second) > CAP:
        return None
    level = math.log(3 / stage.share)
    root = (math.sqrt(2 * level) + math.sqrt(2 * level + 4 * _cut_off(stage, second))) / 2
    need = root**2 / stage.survivors * (1 + MARGIN)
    steps = _last_step(need)
    return Reach(steps / STEPS, spread) if steps > 0 else None


def range_claims(
    law: RecordLaw, found: Reach, release: str, beta: Fraction
) -> tuple[UtilityClaim, ...]:
    """State where the low end of the range lies, or its center where that is what is released.

    `law`: of the records, normal. `found`: how far the range reaches. `release`: "range", "center"
    or "all". `beta`: with which probability it is elsewhere.
    """
    mu, sigma, source = law.mean, math.sqrt(law.variance), Source("PDP", ITEM)
    least = mu - sigma * (found.spread + 1)
    if release == "range":
        inner = mu - sigma * (found.inside + 1)
        truth, ends = (
            Truth(inner, "point that the range must reach"),
            (least - sigma * found.width / 2, inner),
        )
    else:
        truth, ends = Truth(mu, "mean"), (least, mu + sigma * found.spread)
    return (UtilityClaim(Quantity.MISS, beta, source, truth=truth, interval=ends),)


def _first_index(ratio: float) -> int:
    """Return 1 + ceil(log2(1 + ratio)): the first index whose radius covers."""
    return 1 + math.ceil(math.log2((1 + ratio) * (1 + MARGIN)))


def _cut_off(stage: RangeStage, index: int) -> float:
    """Return how many survivors a radius may leave out that fires at `index` at the latest."""
    share = stage.radius_share
    return 24 / stage.tau * (math.log(2 / share) + math.log(2 * index / share))


def _width_is_fair(stage: RangeStage, sigma: float) -> bool:
    """Whether the width of the grid is surely enough between sigma / 8 and sigma."""
    pairs = stage.survivors / 4 - 0.5
    index = 2 + math.ceil(abs(math.log2(sigma)) * (1 + MARGIN))
    if pairs <= 0 or index > CAP:
        return False
    noise = 48 / (stage.tau * pairs) * math.log(6 * index / stage.share)
    return noise + math.sqrt(math.log(6 / stage.share) / (2 * pairs)) <= RANK_ERROR * (1 - MARGIN)


def _center_is_inside(stage: RangeStage, index: int) -> bool:
    """Whether so many survivors lie within the first radius that the median is one of them."""
    need = 16 / stage.tau * math.log((2.0**index + 1) / stage.share)
    return stage.survivors / 2 - _cut_off(stage, index) >= need * (1 + MARGIN)


def _last_step(need: float) -> int:
    """Largest number of steps z with Q(z + 1) >= need; 0 if there is none above 0."""
    low, high = 0, 8 * STEPS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if tail(middle / STEPS + 1) >= need else (low, middle)
    return low
