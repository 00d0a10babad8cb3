"""All pairs of neighbors among the multisets of a grid, gone through again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, Protocol

from audit.certificate.document import TooLarge, decimals
from audit.certificate.inverse_sensitivity import InverseSensitivity
from audit.certificate.thresholds import GridThreshold, Ratio, Records, Threshold
from mechanisms.errors import CertificateError
from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpSum

__all__ = [
    "LARGEST_EXPONENT",
    "LAWS",
    "RestatedLaw",
    "check_work",
    "evidence_of_multisets",
    "neighbors",
]

BITS = 192
ROUGH_BITS = 64

MOST_WORK = 6_000
"""Milliseconds on one core of 2 GHz, as the laws estimate: the multisets of 4 records among 5
points at 257 places take 3,300, 8 records among 12 points would take 40 minutes."""

LARGEST_EXPONENT = 2_000
"""Sums of e^x take as many bits as x: at an epsilon of 10^6 a pair takes 0.15 s instead of 2 ms."""


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

    def steepest(self, size: int) -> Fraction:
        """Largest exponent of a weight on a data set of so many records."""
        ...

    def work(self, size: int) -> tuple[Fraction, Fraction]:
        """Milliseconds for a data set of so many records, and for a pair of them, at most."""
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


def check_work(law: RestatedLaw, size: int, points: int, relation: str, epsilon: Fraction) -> None:
    """Count what there is to go through, before going through any of it.

    Raises TooLarge if it would take too long.
    """
    if max(law.steepest(size), epsilon) > LARGEST_EXPONENT:
        msg = f"exponentials of more than {LARGEST_EXPONENT} are not compared"
        raise TooLarge(msg)
    others = points if relation == "add-remove" else comb(points, 2)
    pairs = others * sum(comb(points + fewer - 1, fewer) for fewer in range(size))
    of_set, of_pair = law.work(size)
    if comb(points + size, size) * of_set + pairs * of_pair > MOST_WORK:
        msg = f"{pairs} pairs of data sets under such a law are too many to go through again"
        raise TooLarge(msg)


def evidence_of_multisets(
    law: RestatedLaw, size: int, points: Sequence[Fraction], relation: str, epsilon: Fraction
) -> tuple[dict[str, object], list[str]]:
    """Go through all pairs; return the evidence and the enclosure of the largest loss.

    Raises CertificateError if a pair loses more than epsilon.
    """
    if any(not law.low <= x <= law.high for x in points):
        msg = "the points of the grid must lie between the bounds"
        raise CertificateError(msg)
    totals: dict[Records, ExpSum] = {}
    factor = ExpSum.exp(epsilon)
    best: tuple[ExpSum, ExpSum, Records, Records] | None = None
    at_least, count = Fraction(0), 0
    for data, neighbor in neighbors(size, tuple(points), relation):
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


def neighbors(size: int, points: Records, relation: str) -> Iterator[tuple[Records, Records]]:
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
