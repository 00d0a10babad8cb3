"""The exact law of the center of the released range for one user (PDP, Algorithm 6).

With one user every stage is explicit. No two records exist, so that all queries of the grid's two
scans equal their threshold: the width b does not depend on the data. Given b, the radius is the
index of a sparse vector whose queries are -1 until a radius covers the record, then 0 (`silence`).
Given both, the center is one of the points k b within the radius, by an exponential mechanism whose
scores are centered on a record within it; without one the center is uniform. Without a survivor all
queries of the radius are 0.

The law tells whether the center lies in (x - 1, x], for the repaired stages, or for printed ones:

    E-10  a record that is at most 0 after rounding has no part in the choice of the center
    E-11  the radius is 2^(i-2) b, half of the one that fired
    E-12  the width is 2^(-j-1) in place of 2^(-j)
    E-13  the public rank, at most 1/2, is moved to c = (2 / eps) ln(|X| / beta), at least 1
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.rates import Rates
from mechanisms.personalized.public_tau import STAGES
from mechanisms.personalized.sparse.silence import Silence, index_masses, silence, tie_masses
from mechanisms.personalized.sparse.sparse_vector import CAP
from mechanisms.protocols import Arithmetic
from mechanisms.validation import exact

__all__ = ["EVENT", "CenterLaw", "center_law", "widths"]

EVENT = Fraction(10013, 10)
"""The upper end x of the event that breaks Algorithm 6 as printed (PDP-CX1)."""


@final
@dataclass(frozen=True, slots=True)
class CenterLaw:
    """Law of one bit of the release: whether its center lies in (x - 1, x].

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithms 4, 5 and 6 (PDP-A6, PDP-CX1).
    """

    record: Fraction | None
    """Of the only user; None is the placeholder."""
    rates: Rates | None
    """With which probability it survives; None is that nobody has a budget and the center is 0."""
    tau: Fraction
    """Budget of all stages, greater than 0."""
    beta: Fraction
    """Failure probability of all stages, greater than 0 and at most 1."""
    x: Fraction = EVENT
    """Upper end of the event, in the unit of the record."""
    slips: frozenset[str] = frozenset()
    """Errata that the stages hold: some of E-10, E-11, E-12, E-13; others change nothing here."""
    cap: int = CAP
    """Number of queries of each scan."""
    rational: ClassVar[bool] = False
    cuts: ClassVar[tuple[Fraction, ...]] = ()

    @property
    def part(self) -> str:
        """What of the release the law tells."""
        return f"whether the center lies in {self._interval}"

    def masses(
        self,
        numbers: Arithmetic[Any],
        cuts: Sequence[Fraction] = (),  # noqa: ARG002 - there is no coin to cut
    ) -> Mapping[Hashable, Any]:
        """Probability that the center lies in the event (True), and outside (False).

        `numbers` are balls: the differences lose up to 2 bits a query, too much for doubles.
        """
        if self.rates is None:
            hit = numbers.rational(Fraction(self.x - 1 < 0 <= self.x))
            return {True: hit, False: 1 - hit}
        silent = silence(self.tau / STAGES, self.beta / STAGES, self.cap, numbers=numbers)
        found = self._hit(None, silent, numbers)
        if self.record is not None:
            kept = self.rates.mass(0, numbers)
            found = kept * self._hit(self.record, silent, numbers) + (1 - kept) * found
        return {True: found, False: 1 - found}

    def describe(self, outcome: Any) -> str:
        """Say where the center lies."""
        where = "in" if outcome else "outside"
        return f"the center lies {where} {self._interval}"

    @property
    def _interval(self) -> str:
        return f"({_text(self.x - 1)}, {_text(self.x)}]"

    def _hit(self, survivor: Fraction | None, silent: Silence, numbers: Arithmetic[Any]) -> Any:
        """Probability of the event if this record survives; None: no record does."""
        total = numbers.rational(Fraction(0))
        radii = [2**i >> ("E-11" in self.slips) for i in range(self.cap + 1)]
        weights = [self._weights(radius, numbers) for radius in radii]
        for b, chance in widths(self.slips, self.cap).items():
            event = math.floor((self.x - 1) / b) + 1, math.floor(self.x / b)
            if event[0] > event[1]:
                continue
            place = None if survivor is None else math.floor(survivor / b)
            law = index_masses(_misses(place), silent, self.cap)
            if "E-10" in self.slips and place is not None and place <= 0:
                place = None
            for mass, radius, (below, above) in zip(law, radii, weights, strict=True):
                if radius >= event[0] and -radius <= event[1]:
                    share = _share(event, place, radius, below, above)
                    total = total + mass * share * chance
        return total

    def _weights(self, radius: int, numbers: Arithmetic[Any]) -> tuple[Any, Any]:
        """Weights of the points below and above a record, relative to that of its own point.

        Centered scores are -1/2 on both sides and 0 on the record, those of rank 1 are -1 and 0. A
        larger rank is out of reach: the scores from the record on are equal, one less below it.
        """
        if "E-13" not in self.slips:
            half = numbers.exp(numbers.rational(-self.tau / STAGES / 4))
            return half, half
        one = numbers.exp(numbers.rational(-self.tau / STAGES / 2))
        points = numbers.rational((2 * radius + 1) * STAGES / self.beta)
        large = numbers.rational(self.tau / STAGES / 2) < numbers.log(points)
        return one, numbers.rational(Fraction(1)) if large else one


def center_law(
    values: NDArray[np.float64],
    rates: Rates | None,
    tau: Fraction,
    beta: Fraction,
    event: Fraction = EVENT,
    slips: frozenset[str] = frozenset(),
) -> CenterLaw:
    """State the law of the center on the record of one user.

    `values`, shape (1,): read by `users.user_records`. `rates`, `tau`, `beta`, `event`, `slips`: as
    in `CenterLaw`; `event` is its x. Raises InvalidArgument if there is more than one user.
    """
    if values.size != 1:
        msg = f"the exact law of the range is known for 1 user only, got {values.size} users"
        raise InvalidArgument(msg)
    value = float(values[0])
    record = Fraction(value) if math.isfinite(value) else None
    return CenterLaw(record, rates, tau, beta, event, slips)


def widths(slips: frozenset[str] = frozenset(), cap: int = CAP) -> dict[Fraction, Fraction]:
    """Law of the width b for one user: 2^(i-3) if i > 1, else 2^(-j), or 2^(-j-1) with E-12.

    The queries of both scans equal their threshold.
    """
    ties = tie_masses(cap)
    law = {Fraction(2) ** (i - 3): chance for i, chance in enumerate(ties, 1) if i > 1}
    for j, chance in enumerate(ties, 1):
        b = Fraction(1, 2 ** (j + ("E-12" in slips)))
        law[b] = law.get(b, Fraction(0)) + ties[0] * chance
    return law


def _misses(place: int | None) -> int:
    """How many of the radii 1, 2, 4, ... do not reach the record, all in units of b."""
    return (max(1, abs(place or 0)) - 1).bit_length()


def _share(event: tuple[int, int], place: int | None, radius: int, below: Any, above: Any) -> Any:
    """Probability that the point k, |k| <= radius, lies in the event; the record is at `place`."""
    first, last = max(event[0], -radius), min(event[1], radius)
    count = last - first + 1
    if place is None or abs(place) > radius:
        return Fraction(count, 2 * radius + 1)
    left, own = max(0, min(last + 1, place) - first), int(first <= place <= last)
    hit = left * below + own + (count - left - own) * above
    return hit / ((place + radius) * below + 1 + (radius - place) * above)


def _text(value: Fraction) -> str:
    """A decimal where it is one, else a quotient."""
    return str(float(value)) if exact(float(value)) == value else str(value)
