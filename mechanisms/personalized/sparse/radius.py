"""A radius that covers nearly all records (PDP, Algorithm 5, repaired).

Query i counts the records farther than 2^(i-1) b from 0, and the radius that fires is released:

    i = SVT(-(6 / epsilon) ln(2 / beta), Count(D, 2^(i-1) b) - |D|),   radius = 2^(i-1) b

With probability at least 1 - beta the radius is at most max(b, 2 max |x|), and at most
(6 / epsilon) (ln(2 / beta) + ln(2 k / beta)) records lie outside, where query k is the first whose
radius covers all. The print returns 2^(i-2) b, half of the radius that fired (PDP-E-11).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.composition import Composition
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.personalized.sparse.octaves import counts_within, octaves
from mechanisms.personalized.sparse.sparse_vector import CAP, above_threshold, scan_step
from mechanisms.personalized.sparse.stage_laws import RadiusLaw
from mechanisms.personalized.sparse.utility import radius_claim
from mechanisms.records import records
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_fraction, check_size

__all__ = ["Radius", "check_beta", "draw_radius", "outside_counts", "threshold"]

BETA_LEAST = Fraction(1, 10**100)
"""Of a failure probability: parts of it are still doubles."""


@final
@dataclass(frozen=True, slots=True)
class Radius:
    """A multiple 2^(i-1) b of the unit within which nearly all records lie.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    beta : int, float, str or Fraction
        Probability of failure, greater than 0 and less than 1; at least 1e-100.
    b : int, float, str or Fraction
        The smallest radius, in the unit of the data; public, from 1e-75 to 1e75.

    Claims
    ------
    Pure, swap: epsilon.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 5 (PDP-A5, PDP-L6, PDP-E-11).
    """

    epsilon: Fraction
    beta: Fraction
    b: Fraction
    order: ClassVar[Order] = Order.FREE

    def __init__(self, epsilon: Number = 1, beta: Number = "1/10", b: Number = 1) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "beta", check_beta(beta))
        object.__setattr__(self, "b", check_scale(check_fraction(b, "b"), "b"))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced, also from or to the placeholder."""
        source = Source("PDP", "Algorithm 5, repaired")
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    def outside(self, data: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the unit as a double, shape (1,), and the counts of `outside_counts` in it."""
        values, unit = records(data)[np.newaxis], np.array([float(self.b)])
        return unit, outside_counts(values, np.isfinite(values), unit)

    def private_steps(self) -> Composition:
        """State the scan of the counts of records beyond a radius."""
        return Composition(Relation.SWAP, scan_step("the radius", self.epsilon), 0, "PDP-A5p")

    def exact_law(self, data: Any) -> RadiusLaw:
        """State the output law on `data`, array_like of shape (n,)."""
        unit, outside = self.outside(data)
        counts = tuple(int(count) for count in outside[0])
        return RadiusLaw(self.epsilon, self.beta, Fraction(float(unit[0])), counts)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State how rarely the radius on `data` is too large, or leaves out too many of them."""
        values = records(data)
        if not values.size or not np.isfinite(values).all():
            return ()
        unit, outside = self.outside(data)
        return radius_claim(outside[0], float(unit[0]), float(self.epsilon), self.beta)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent radii.

        `data`, shape (n,): records; what is no finite number is a placeholder and lies within every
        radius. n may be 0. Returns shape (size,): b 2^k for a k from 0 to 64, in the unit of the
        data.
        """
        size = check_size(size)
        unit, outside = self.outside(data)
        epsilon, bar = float(self.epsilon), threshold(float(self.epsilon), float(self.beta))
        index = above_threshold(-outside, bar, epsilon, rng=rng, size=size)
        return np.asarray(np.ldexp(unit, index - 1))


def check_beta(beta: object) -> Fraction:
    """Check a failure probability: greater than 0 and less than 1, and at least 1e-100."""
    check_fraction(beta, "beta", above=0, below=1)
    return check_fraction(beta, "beta", at_least=BETA_LEAST)


def threshold(epsilon: float, beta: float) -> float:
    """Return -(6 / epsilon) ln(2 / beta): as many records may be cut off even without noise."""
    return -6 / epsilon * math.log(2 / beta)


def outside_counts(
    values: NDArray[np.float64], counted: NDArray[np.bool_], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Count, row by row, the records farther from 0 than b, 2 b, ..., 2^63 b, shape (draws, 64)."""
    rows, places = np.nonzero(counted & ~np.isnan(values))
    found = octaves(np.abs(np.broadcast_to(values, counted.shape)[rows, places]), b[rows])
    within, total = counts_within(found, rows, counted.shape[0], 0, CAP - 1)
    return (total[:, np.newaxis] - within).astype(np.float64)


def draw_radius(
    values: NDArray[np.float64],
    counted: NDArray[np.bool_],
    b: NDArray[np.float64],
    epsilon: float,
    beta: float,
    *,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw radii.

    `values`, shape (n,) or (draws, n): records; NaN is a placeholder, an infinite one lies outside
    every radius. `counted`, shape (draws, n): which records survive. `b`, shape (draws,): the
    smallest radius of each draw, in the unit of the records; at most 1e75. `epsilon`, `beta`:
    privacy parameter and failure probability of the stage. Returns shape (draws,): b 2^k for a k
    from 0 to 64.
    """
    outside = outside_counts(values, counted, b)
    index = above_threshold(-outside, threshold(epsilon, beta), epsilon, rng=rng)
    return np.asarray(np.ldexp(b, index - 1))
