"""All pairs of neighbors among the multisets of a grid, gone through again.

Of a mechanism that nobody states again this is all that can be rechecked: that the table has a law
for every data set, and that these laws keep the claim. That the mechanism has them, it says itself;
the sentence names the table.

With e^epsilon irrational (or 1), p <= e^epsilon q is decided by sums of exponentials, whose sign is
always found; most outcomes are decided by an enclosure of e^epsilon before that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement
from math import comb
from typing import Any, Protocol

from audit.certificate.certificate_form import INFINITE, TooLarge, decimals, number
from audit.certificate.inverse_sensitivity import InverseSensitivity
from audit.certificate.restated_thresholds import GridThreshold, Ratio, Records, Threshold
from mechanisms.errors import CertificateError
from proofs_check.enclosure import Balls, endpoints
from proofs_check.exponential import ExpSum

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


MOST_COMPARED = 200_000
"""Outcomes of all pairs together: about 1 s on one core of 2 GHz."""

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
    sizes = (combinations_with_replacement(points, count) for count in range(size + 1))
    known = {
        data: _law(row, data) for row, data in zip(laws, chain.from_iterable(sizes), strict=True)
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
