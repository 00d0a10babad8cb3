"""All pairs of neighbors among the multisets of a grid, gone through again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Any, Protocol

from audit.certificate.document import decimals
from audit.certificate.inverse_sensitivity import InverseSensitivity
from audit.certificate.thresholds import GridThreshold, Ratio, Records, Threshold
from mechanisms.errors import CertificateError
from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpSum

__all__ = ["LAWS", "RestatedLaw", "evidence_of_multisets"]

BITS = 192
ROUGH_BITS = 64


class RestatedLaw(Protocol):
    """A law of weights for every data set."""

    @property
    def low(self) -> Fraction:
        """Least record."""
        ...

    @property
    def high(self) -> Fraction:
        """Largest record."""
        ...

    def total(self, data: Records) -> ExpSum:
        """What the weights add up to."""
        ...

    def largest_ratios(self, data: Records, neighbor: Records) -> tuple[Ratio, Ratio]:
        """Largest weight on the data over that on the neighbor, and the other way round."""
        ...


LAWS: Mapping[str, Callable[[Mapping[str, Any]], RestatedLaw]] = {
    "sub.threshold": Threshold.restated,
    "sub.threshold-grid": GridThreshold.restated,
    "sub.inverse-sensitivity": InverseSensitivity.restated,
}
"""Readers of parameters, by registry name."""


def evidence_of_multisets(
    law: RestatedLaw, size: int, points: Sequence[Fraction], relation: str, epsilon: Fraction
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
    for data, neighbor in _pairs(size, tuple(points), relation):
        z, other = (_total(totals, law, side) for side in (data, neighbor))
        count += 1
        sides = ((data, neighbor, z, other), (neighbor, data, other, z))
        ratios = law.largest_ratios(data, neighbor)
        for (side, from_side, own, others), (p, q) in zip(sides, ratios, strict=True):
            over, under = others * p, own * q
            if over > under * factor:
                msg = f"{side} against {from_side} loses more than epsilon = {epsilon}"
                raise CertificateError(msg)
            if (
                endpoints(over.ball(ROUGH_BITS))[1]
                <= at_least * endpoints(under.ball(ROUGH_BITS))[0]
            ):
                continue
            if best is None or over * best[1] > best[0] * under:
                best = over, under, side, from_side
                at_least = endpoints(over.ball(ROUGH_BITS) / under.ball(ROUGH_BITS))[0]
    if best is None:
        msg = f"there are no pairs of neighbors (relation {relation})"
        raise CertificateError(msg)
    worst = {
        "likelier on": [str(x) for x in best[2]],
        "than on": [str(x) for x in best[3]],
    }
    return {"pairs": count, "worst": worst}, decimals(best[0].ball(BITS) / best[1].ball(BITS))


def _pairs(size: int, points: Records, relation: str) -> Iterator[tuple[Records, Records]]:
    """Data of fewer than `size` records, and one record more; or two different ones more."""
    for fewer in range(size):
        for data in combinations_with_replacement(points, fewer):
            if relation == "add-remove":
                yield from ((data, (*data, x)) for x in points)
            elif relation == "swap":
                yield from (((*data, x), (*data, y)) for x, y in combinations(points, 2))


def _total(known: dict[Records, ExpSum], law: RestatedLaw, data: Records) -> ExpSum:
    key = tuple(sorted(data))
    if key not in known:
        known[key] = law.total(key)
    return known[key]
