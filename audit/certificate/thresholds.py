"""The threshold of SUB (Algorithm 2), stated again and gone through on all multisets of a grid.

On [low, high] the density is proportional to e^(-epsilon loss(z) / 2) with

    loss(z) = distance of r from [#{x < z - alpha}, #{x <= z + alpha}],

r counted from below, or n - r where it is counted from above. Between the points x +- alpha of two
data sets both losses are constant, so the largest density ratio is e^(epsilon d / 2) Z' / Z with d
the largest difference of the losses and Z the integrals of e^(-epsilon loss / 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from typing import Any, final

from audit.certificate.document import decimals, number
from mechanisms.errors import CertificateError
from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpSum

__all__ = ["Threshold", "evidence_of_threshold"]

Records = tuple[Fraction, ...]
BITS = 192
ROUGH_BITS = 64


@final
@dataclass(frozen=True, slots=True)
class Threshold:
    """Parameters of the mechanism."""

    epsilon: Fraction
    low: Fraction
    high: Fraction
    rank: Fraction
    side: str
    alpha: Fraction

    @classmethod
    def restated(cls, parameters: Mapping[str, Any]) -> Threshold:
        """Read the parameters.

        Raises
        ------
        CertificateError
            If one is unknown, missing or out of its domain.
        """
        names = ("epsilon", "low", "high", "rank", "side", "alpha")
        if set(parameters) != set(names):
            msg = f"parameters of sub.threshold are {', '.join(names)}, got {dict(parameters)!r}"
            raise CertificateError(msg)
        values = {name: number(parameters[name], name) for name in names if name != "side"}
        side = parameters["side"]
        found = cls(side=side, **values)
        if not (found.epsilon > 0 and found.low < found.high and found.alpha > 0) or (
            side not in ("below", "above")
        ):
            msg = f"parameters out of their domain: {dict(parameters)!r}"
            raise CertificateError(msg)
        return found

    def ends(self, data: Records) -> set[Fraction]:
        """Where the loss may change."""
        inner = (x + sign * self.alpha for x in data for sign in (-1, 1))
        return {self.low, self.high} | {end for end in inner if self.low < end < self.high}

    def loss(self, data: Records, z: Fraction) -> Fraction:
        """Distance of the rank at z, which is no end."""
        below = sum(x < z - self.alpha for x in data)
        within = sum(x <= z + self.alpha for x in data)
        rank = self.rank if self.side == "below" else len(data) - self.rank
        return max(Fraction(0), below - rank, rank - within)

    def total(self, data: Records) -> ExpSum:
        """Integral of e^(-epsilon loss / 2)."""
        terms: dict[Fraction, Fraction] = {}
        for lower, upper in pairwise(sorted(self.ends(data))):
            exponent = -self.epsilon * self.loss(data, (lower + upper) / 2) / 2
            terms[exponent] = terms.get(exponent, Fraction(0)) + upper - lower
        return ExpSum(terms)

    def rises(self, data: Records, neighbor: Records) -> tuple[Fraction, Fraction]:
        """Largest loss on the neighbor above that on the data, and the other way round."""
        ends = sorted(self.ends(data) | self.ends(neighbor))
        middles = [(lower + upper) / 2 for lower, upper in pairwise(ends)]
        gaps = [self.loss(neighbor, z) - self.loss(data, z) for z in middles]
        return max(gaps), -min(gaps)


def evidence_of_threshold(
    law: Threshold, size: int, points: Sequence[Fraction], epsilon: Fraction
) -> tuple[dict[str, Any], list[str]]:
    """Go through all pairs; return the evidence and the enclosure of the largest loss.

    Raises
    ------
    CertificateError
        If a pair loses more than epsilon.
    """
    if any(not law.low <= x <= law.high for x in points):
        msg = "the points of the grid must lie between the bounds"
        raise CertificateError(msg)
    totals: dict[Records, ExpSum] = {}
    factor = ExpSum.exp(epsilon)
    best: tuple[ExpSum, ExpSum, Records, Records] | None = None
    at_least, count = Fraction(0), 0
    for data, neighbor in _pairs(size, tuple(points)):
        z, other = (_total(totals, law, side) for side in (data, neighbor))
        count += 1
        sides = ((data, neighbor, z, other), (neighbor, data, other, z))
        for (side, from_side, below, above), rise in zip(
            sides, law.rises(data, neighbor), strict=True
        ):
            over = above * ExpSum.exp(law.epsilon * rise / 2)
            if over > below * factor:
                msg = f"{side} against {from_side} loses more than epsilon = {epsilon}"
                raise CertificateError(msg)
            if (
                endpoints(over.ball(ROUGH_BITS))[1]
                <= at_least * endpoints(below.ball(ROUGH_BITS))[0]
            ):
                continue
            if best is None or over * best[1] > best[0] * below:
                best = over, below, side, from_side
                at_least = endpoints(over.ball(ROUGH_BITS) / below.ball(ROUGH_BITS))[0]
    assert best is not None
    worst = {
        "likelier on": [str(x) for x in best[2]],
        "than on": [str(x) for x in best[3]],
    }
    return {"pairs": count, "worst": worst}, decimals(best[0].ball(BITS) / best[1].ball(BITS))


def _pairs(size: int, points: Records) -> Iterator[tuple[Records, Records]]:
    """Data of fewer than `size` records, and one record more."""
    for fewer in range(size):
        for data in combinations_with_replacement(points, fewer):
            yield from ((data, (*data, x)) for x in points)


def _total(known: dict[Records, ExpSum], law: Threshold, data: Records) -> ExpSum:
    key = tuple(sorted(data))
    if key not in known:
        known[key] = law.total(key)
    return known[key]
