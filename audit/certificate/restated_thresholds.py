"""The threshold of SUB (Algorithm 2), stated again.

On [low, high] the density is proportional to e^(-epsilon loss(z) / 2) with

    loss(z) = distance of r from [#{x < z - alpha}, #{x <= z + alpha}],

r counted from below, or n - r where it is counted from above. Between the points x +- alpha of two
data sets both losses are constant, so the largest density ratio is e^(epsilon d / 2) Z' / Z with d
the largest difference of the losses and Z the integrals of e^(-epsilon loss / 2).

On a grid of step gamma (Corollary 3.8) records are rounded to it, ties to even, and the release is
that of the same algorithm with alpha = gamma / 3, rounded too: a point has the integral over what
is nearer to it than to others. The exponential mechanism on the grid itself ("direct") takes the
loss with alpha = 0 at the points.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, NoReturn, final

from audit.certificate.certificate_form import number
from mechanisms.errors import CertificateError
from proofs_check.exponential import ExpSum

Records = tuple[Fraction, ...]
"""A data set."""

Ratio = tuple[ExpSum, ExpSum]
"""Numerator and denominator."""

COMMON = ("epsilon", "low", "high", "rank", "side")
AS_THEY_ARE = ("side", "points", "rule")
"""Parameters that are no exact numbers."""

MOST_GRID_POINTS = 1024
"""More would take long to go through again."""


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

        Raises CertificateError if one is unknown, missing or out of its domain.
        """
        found = cls(**_read("sub.threshold", parameters, (*COMMON, "alpha")))
        if not found.alpha > 0:
            _out_of_domain(parameters)
        return found

    def steepest(self, size: int) -> Fraction:
        """Largest exponent of a weight on a data set of so many records."""
        return self.epsilon * (abs(self.rank) + size) / 2

    def work(self, size: int) -> tuple[Fraction, Fraction]:
        """Milliseconds for a data set, and for a pair: measured, rounded up."""
        return Fraction(1), Fraction(size + 4, 4)

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

    def integral(self, data: Records, lower: Fraction, upper: Fraction) -> ExpSum:
        """Integral of e^(-epsilon loss / 2) from one number to another."""
        cuts = {lower, upper} | {end for end in self.ends(data) if lower < end < upper}
        terms: dict[Fraction, Fraction] = {}
        for left, right in pairwise(sorted(cuts)):
            exponent = -self.epsilon * self.loss(data, (left + right) / 2) / 2
            terms[exponent] = terms.get(exponent, Fraction(0)) + right - left
        return ExpSum(terms)

    def total(self, data: Records) -> ExpSum:
        """What the weights add up to."""
        return self.integral(data, self.low, self.high)

    def largest_ratios(self, data: Records, neighbor: Records) -> tuple[Ratio, Ratio]:
        """Largest weight on the data over that on the neighbor, and the other way round."""
        ends = sorted(self.ends(data) | self.ends(neighbor))
        middles = [(lower + upper) / 2 for lower, upper in pairwise(ends)]
        gaps = [self.loss(neighbor, z) - self.loss(data, z) for z in middles]
        one = ExpSum.rational(1)
        return (
            (ExpSum.exp(self.epsilon * max(gaps) / 2), one),
            (ExpSum.exp(-self.epsilon * min(gaps) / 2), one),
        )


@final
@dataclass(frozen=True, slots=True)
class GridThreshold:
    """Parameters of the mechanism on a grid, and the weights that were asked for."""

    epsilon: Fraction
    low: Fraction
    high: Fraction
    rank: Fraction
    side: str
    points: int
    rule: str
    known: dict[tuple[int, ...], ExpSum] = field(default_factory=dict, repr=False)

    @classmethod
    def restated(cls, parameters: Mapping[str, Any]) -> GridThreshold:
        """Read the parameters, as `Threshold.restated`."""
        found = cls(**_read("sub.threshold-grid", parameters, (*COMMON, "points", "rule")))
        inside = type(found.points) is int and 2 <= found.points <= MOST_GRID_POINTS
        if not inside or found.rule not in ("rounded", "direct"):
            _out_of_domain(parameters)
        return found

    def steepest(self, size: int) -> Fraction:
        """Largest exponent of a weight on a data set of so many records."""
        return self.epsilon * (abs(self.rank) + size) / 2

    def work(self, size: int) -> tuple[Fraction, Fraction]:
        """Milliseconds for a data set, and for a pair: measured, rounded up."""
        return Fraction(1), 3 + Fraction(self.points * (size + 1), 150)

    def weights(self, data: Records) -> tuple[ExpSum, ...]:
        """Weight of each point of the grid."""
        step = (self.high - self.low) / (self.points - 1)
        places = sorted(round((x - self.low) / step) for x in data)
        return tuple(
            self._weight(
                i,
                bisect_left(places, i),
                bisect_right(places, i),
                tuple(self.low + place * step for place in places),
            )
            for i in range(self.points)
        )

    def _weight(self, i: int, below: int, within: int, rounded: Records) -> ExpSum:
        """Weight of point i, of a data set with so many records below it, and at most there.

        It depends on nothing else: records at other points are farther than alpha from all that
        is nearer to this one.
        """
        key = (i == 0, i == self.points - 1, below, within, len(rounded))
        if key not in self.known:
            step = (self.high - self.low) / (self.points - 1)
            z = self.low + i * step
            shape = self.epsilon, self.low, self.high, self.rank, self.side
            if self.rule == "direct":
                loss = Threshold(*shape, Fraction(0)).loss(rounded, z)
                self.known[key] = ExpSum.exp(-self.epsilon * loss / 2)
            else:
                ends = max(z - step / 2, self.low), min(z + step / 2, self.high)
                self.known[key] = Threshold(*shape, step / 3).integral(rounded, *ends)
        return self.known[key]

    def total(self, data: Records) -> ExpSum:
        """What the weights add up to."""
        return sum(self.weights(data), start=ExpSum({}))

    def largest_ratios(self, data: Records, neighbor: Records) -> tuple[Ratio, Ratio]:
        """Largest weight on the data over that on the neighbor, and the other way round."""
        both = set(zip(self.weights(data), self.weights(neighbor), strict=True))
        return _largest(both), _largest({(q, p) for p, q in both})


def _largest(ratios: Iterable[Ratio]) -> Ratio:
    best: Ratio | None = None
    for p, q in ratios:
        if best is None or p * best[1] > best[0] * q:
            best = p, q
    assert best is not None
    return best


def _read(name: str, parameters: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Read parameters; a CertificateError if one is unknown, missing or out of its domain."""
    if set(parameters) != set(names):
        msg = f"parameters of {name} are {', '.join(names)}, got {dict(parameters)!r}"
        raise CertificateError(msg)
    values = {
        key: value if key in AS_THEY_ARE else number(value, key)
        for key, value in parameters.items()
    }
    inside = values["epsilon"] > 0 and values["low"] < values["high"]
    if not inside or values["side"] not in ("below", "above"):
        _out_of_domain(parameters)
    return values


def _out_of_domain(parameters: Mapping[str, Any]) -> NoReturn:
    msg = f"parameters out of their domain: {dict(parameters)!r}"
    raise CertificateError(msg)
