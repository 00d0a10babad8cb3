"""The width of a grid for rounding records (PDP, Algorithm 4, repaired).

The survivors are matched at random, whatever their values: each is in at most one pair, and one is
left over if their number is odd. With G the differences |x - x'| of the pairs, two scans of budget
epsilon / 2 look for the power of 2 at their median, and b is half of what they find:

    i = SVT(0, Count(G, 2^(i-1)) - |G| / 2),   j = SVT(0, |G| / 2 - Count(G, 2^(1-j)))
    b = 2^(i-3) if i > 1, else 2^(-j)

A changed record changes one pair. The print takes all pairs (PDP-E-08) of the positive records
(PDP-E-10), and 2^(-j-1) in the second case (PDP-E-12).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.composition import Composition, InTurn
from mechanisms.noise.parameters import check_epsilon
from mechanisms.personalized.sparse.octaves import counts_within, octaves
from mechanisms.personalized.sparse.pairs import chunks, matched_differences, scan, sorted_records
from mechanisms.personalized.sparse.sparse_vector import CAP, scan_step
from mechanisms.personalized.sparse.stage_laws import MOST_MATCHED, WidthLaw, matched_octaves
from mechanisms.personalized.sparse.utility import width_claim
from mechanisms.records import records
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_size

__all__ = ["Discretization", "draw_grid", "to_grid", "width_step"]

WHOLE = 2.0**53
"""From here on all doubles are integers."""


@final
@dataclass(frozen=True, slots=True)
class Discretization:
    """A power of 2 near a quarter to a half of the median difference of two records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter, half for each of two scans of 64 queries.

    Claims
    ------
    Pure, swap: epsilon.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 4 (PDP-A4, PDP-L16, PDP-E-08, PDP-E-10, PDP-E-12).
    """

    epsilon: Fraction
    order: ClassVar[Order] = Order.FREE

    def __init__(self, epsilon: Number = 1) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced, also from or to the placeholder."""
        source = Source("PDP", "Algorithm 4, repaired")
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    def private_steps(self) -> Composition:
        """State both scans."""
        return Composition(Relation.SWAP, width_step(self.epsilon), 0, "PDP-A4")

    def exact_law(self, data: Any) -> WidthLaw | None:
        """State the output law on `data`, array_like of shape (n,); None if n is more than 9."""
        values = sorted_records(data)
        if values.size > MOST_MATCHED:
            return None
        differences = matched_octaves(values[np.isfinite(values)])
        return WidthLaw(self.epsilon, CAP, differences)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State how rarely the width is far from the median difference of two of the `data`."""
        values = records(data)
        return width_claim(values, float(self.epsilon)) if np.isfinite(values).all() else ()

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent widths.

        `data`, shape (n,): records; what is no finite number is a placeholder and in no pair. n may
        be 0. Returns shape (size,): powers of 2 from 2^-65 to 2^62, in the unit of the data.
        """
        size = check_size(size)
        values = sorted_records(data)
        kept = (np.ones((draws, values.size), np.bool_) for draws in chunks(size, values.size))
        return np.concatenate([draw_grid(values, k, float(self.epsilon), rng=rng) for k in kept])


def width_step(epsilon: Fraction) -> InTurn:
    """State both scans of the counts of matched pairs: a record changes one pair."""
    scans = (scan_step(f"the scan {way}", epsilon / 2) for way in ("upwards", "downwards"))
    return InTurn(tuple(scans))


def draw_grid(
    values: NDArray[np.float64],
    kept: NDArray[np.bool_],
    epsilon: float,
    *,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw widths of the grid.

    `values`, shape (n,) or (draws, n): records; placeholders (NaN, also infinities) are in no pair.
    `kept`, shape (draws, n): which records survive. `epsilon`: privacy parameter of the stage.
    Returns shape (draws,): the width b of each draw, a power of 2.
    """
    differences, rows = matched_differences(values, kept, rng=rng)
    within, total = counts_within(octaves(differences), rows, kept.shape[0], 1 - CAP, CAP - 1)
    up, down = scan(within, total, epsilon, rng=rng)
    return np.ldexp(1.0, np.where(up > 1, up - 3, -down))


def to_grid(values: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round records down to multiples of b, each by itself.

    `values`, shape (n,) or (draws, n): records; placeholders stay. Doubles from 2^53 b on are
    multiples of b and stay, too. `b`, shape (draws,): powers of 2, in the unit of the records.
    Returns shape (draws, n): b floor(x / b).
    """
    unit = b[:, np.newaxis]
    with np.errstate(over="ignore", under="ignore"):
        steps = np.floor(values / unit)
        steps = np.where((steps == 0) & (values < 0), -1.0, steps)
        return np.where(np.abs(values) < WHOLE * unit, unit * steps, values) + 0.0
