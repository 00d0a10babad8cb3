"""The radius as Algorithm 5 of PDP prints it.

Erratum PDP-E-11. Query i asks for the radius 2^(i-1) b, and the print returns 2^(i-2) b, half of
the radius that fired: on equal records at distance b it covers nobody. It is as private as the
sound form, `mechanisms.personalized.sparse.radius`.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.slips import check_slips
from mechanisms.claims import Order, PrivacyClaim, Relation, Source
from mechanisms.personalized.sparse.radius import Radius, draw_radius
from mechanisms.personalized.sparse.stage_laws import RadiusLaw
from mechanisms.validation import Number

__all__ = ["SLIPS", "PrintedRadius", "draw_radius_as_printed"]

SLIPS = ("E-11",)
"""Errata of this form."""


@final
@dataclass(frozen=True, slots=True)
class PrintedRadius:
    """Algorithm 5: half of a radius within which nearly all records lie.

    Parameters
    ----------
    epsilon, beta, b
        As in `mechanisms.personalized.sparse.radius.Radius`.
    slip : str
        "all" or "E-11", its only erratum.

    Claims
    ------
    Pure, swap: epsilon. True; what fails is the guarantee that the radius covers the records.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 5 (PDP-A5, PDP-E-11).
    """

    epsilon: Fraction
    beta: Fraction
    b: Fraction
    slip: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        beta: Number = "1/10",
        b: Number = 1,
        slip: str = "all",
    ) -> None:
        sound = Radius(epsilon, beta, b)
        object.__setattr__(self, "epsilon", sound.epsilon)
        object.__setattr__(self, "beta", sound.beta)
        object.__setattr__(self, "b", sound.b)
        check_slips(slip, SLIPS)
        object.__setattr__(self, "slip", slip)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced, which half of a radius keeps."""
        source = Source("PDP", "Algorithm 5 (erratum PDP-E-11)")
        return PrivacyClaim(self._sound.claim.level, Relation.SWAP, source)

    @property
    def _sound(self) -> Radius:
        """The same with the right index."""
        return Radius(self.epsilon, self.beta, self.b)

    def exact_law(self, data: Any) -> RadiusLaw:
        """State the output law on `data`, array_like of shape (n,)."""
        return replace(self._sound.exact_law(data), early=1)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent radii.

        `data`, shape (n,): records; what is no finite number is a placeholder and lies within every
        radius. n may be 0. Returns shape (size,): b 2^k for a k from -1 to 63, in the unit of the
        data.
        """
        return self._sound.sample(data, size, rng=rng) / 2


def draw_radius_as_printed(
    values: NDArray[np.float64],
    counted: NDArray[np.bool_],
    b: NDArray[np.float64],
    epsilon: float,
    beta: float,
    slips: Set[str],
    *,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw radii with some of the slips E-10, E-11.

    `values`, `counted`, `b`, `epsilon`, `beta`: as of `draw_radius`. `slips`: with E-11 half of the
    radius that fired. With E-10 what does not survive, and placeholders, are records 0, in both
    counts of Count(D, r) - |D|; the difference of the counts, and so the law, stays the same. Other
    slips are not looked at. Returns shape (draws,): b 2^k for a k from 0 to 64, with E-11 from -1
    to 63.
    """
    if "E-10" in slips:
        values = np.where(counted & ~np.isnan(values), values, 0.0)
        counted = np.ones_like(counted)
    radius = draw_radius(values, counted, b, epsilon, beta, rng=rng)
    return radius / 2 if "E-11" in slips else radius
