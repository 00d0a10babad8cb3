"""Laws that a certificate holds itself: rational probabilities of each data set, compared again.

Of a mechanism that nobody states again this is all that can be rechecked: that the table has a law
for every data set, and that these laws keep the claim. That the mechanism has them, it says itself;
the sentence names the table.

With e^epsilon irrational (or 1), p <= e^epsilon q is decided by sums of exponentials, whose sign is
always found; most outcomes are decided by an enclosure of e^epsilon before that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any

from audit.certificate.document import INFINITE, TooLarge, decimals, number
from audit.certificate.multisets import LARGEST_EXPONENT, neighbors
from mechanisms.errors import CertificateError
from proofs_check.enclosure import Balls, endpoints
from proofs_check.exponential import ExpSum

__all__ = ["MOST_COMPARED", "evidence_of_tables", "fits"]

MOST_COMPARED = 200_000
"""Outcomes of all pairs together: about 1 s on one core of 2 GHz."""

BITS = 192

Records = tuple[Fraction, ...]
Law = Mapping[str, Fraction]


def fits(size: int, points: int, outcomes: int) -> bool:
    """Whether laws of so many outcomes each are gone through, whatever the relation is."""
    pairs = max(points, comb(points, 2)) * sum(comb(points + k - 1, k) for k in range(size))
    return 2 * pairs * outcomes <= MOST_COMPARED


def evidence_of_tables(
    laws: Any,
    size: int,
    points: Sequence[Fraction],
    relation: str,
    epsilon: Fraction,
    delta: Fraction,
) -> tuple[dict[str, object], list[str]]:
    """Go through all pairs; return the evidence and the enclosure of the largest loss.

    `laws`: rows [records, {outcome: probability}], as they stand in a certificate. `size`,
    `points`, `relation`: which data sets and neighbors there are. `epsilon`, `delta`: the claim.
    Raises CertificateError if a law is missing or is none, or an event has more than delta beyond
    e^epsilon. Raises TooLarge if there is too much to go through.
    """
    if epsilon > LARGEST_EXPONENT:
        msg = f"exponentials of more than {LARGEST_EXPONENT} are not compared"
        raise TooLarge(msg)
    if not isinstance(laws, list) or len(laws) != comb(len(points) + size, size):
        msg = "laws must have a row for each multiset of the points"
        raise CertificateError(msg)
    most = max((len(row[1]) for row in laws if _is_row(row)), default=0)
    if not fits(size, len(points), most):
        msg = f"laws of {most} outcomes on {len(laws)} data sets are too many to go through again"
        raise TooLarge(msg)
    known = {
        data: _law(row, data) for row, data in zip(laws, _multisets(size, points), strict=True)
    }
    claim = _Claim(epsilon, delta)
    count, largest = 0, Fraction(0)
    for data, neighbor in neighbors(size, tuple(points), relation):
        count += 1
        sides = [known[tuple(sorted(side))] for side in (data, neighbor)]
        ways: tuple[tuple[Law, Law, Records], ...]
        ways = (sides[0], sides[1], data), (sides[1], sides[0], neighbor)
        for p, q, on in ways:
            claim.check(p, q, on)
            largest = max(largest, *(x / q[z] for z, x in p.items() if z in q))
            claim.infinite |= any(z not in q for z in p)
    if not count:
        msg = f"there are no pairs of neighbors (relation {relation})"
        raise CertificateError(msg)
    loss = INFINITE if claim.infinite else decimals(Balls(BITS).rational(largest))
    return {"laws": laws, "pairs": count}, loss


def _multisets(size: int, points: Sequence[Fraction]) -> Iterator[Records]:
    for count in range(size + 1):
        yield from combinations_with_replacement(points, count)


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 2 and isinstance(row[1], dict)


def _law(row: Any, data: Records) -> Law:
    """The law of a row, which must be the one of these records."""
    if not _is_row(row) or row[0] != list(map(str, data)):
        msg = f"laws must have a row for {list(map(str, data))}"
        raise CertificateError(msg)
    law = {outcome: number(p, "a probability") for outcome, p in row[1].items()}
    if min(law.values(), default=Fraction(0)) <= 0 or sum(law.values()) != 1:
        msg = f"probabilities must be positive and add up to 1, got {row[1]!r} on {row[0]}"
        raise CertificateError(msg)
    return law


class _Claim:
    """P(S) <= e^epsilon Q(S) + delta for every event S."""

    def __init__(self, epsilon: Fraction, delta: Fraction) -> None:
        self.epsilon, self.delta, self.infinite = epsilon, delta, False
        self.factor = ExpSum.exp(epsilon)
        self.least, self.most = endpoints(self.factor.ball(BITS))

    def exceeds(self, p: Fraction, q: Fraction) -> bool:
        """Whether p > e^epsilon q."""
        if p <= self.least * q:
            return False
        return p > self.most * q or bool(self.factor * q < p)

    def check(self, p: Law, q: Law, data: Records) -> None:
        """Look at the event of all outcomes that are more than e^epsilon times as likely."""
        event = [z for z, x in p.items() if self.exceeds(x, q.get(z, Fraction(0)))]
        over = sum((p[z] for z in event), Fraction(0)) - self.delta
        if event and self.exceeds(over, sum((q.get(z, Fraction(0)) for z in event), Fraction(0))):
            msg = (
                f"on {list(map(str, data))} an event loses more than epsilon = {self.epsilon}, "
                f"delta = {self.delta}: {', '.join(sorted(event))}"
            )
            raise CertificateError(msg)
