"""The exact law of the largest of several Laplace scores above a threshold.

Scores C_j + Lap(s) have the density f(t - C_j) and the distribution function F(t - C_j), so that

    P[j is largest, above theta] = integral over t > theta of f(t - C_j) prod_(i != j) F(t - C_i),
    P[none is above theta]       = prod_j F(theta - C_j).

Between theta and the counts above it the integrand is a sum of exponentials. With the lower end l
of such a piece and v = e^(-(t - l) / s), a count C <= l has f = w v and F = 1 - w v, where
w = e^((C - l) / s) / 2, and a count C >= t has f = F = e^((l - C) / s) / (2 v).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mechanisms.protocols import Arithmetic
from mechanisms.trilemma.coarse.rule import CoarseRule

__all__ = ["argmax_law"]

HALF = Fraction(1, 2)


def argmax_law(
    tally: Mapping[int, int], rule: CoarseRule, *, numbers: Arithmetic[Any]
) -> tuple[dict[int, Any], Any]:
    """Probability of one given bin of each count, and of failure.

    `tally`: how many bins have each count. `rule`: noise scale and threshold. `numbers`: kind of
    numbers; n bins at or above the threshold lose about 1.6 n bits of it. Returns `released`: by
    count, the probability that a given bin of it is released; `fails`: probability of failure.
    """
    exact, theta = numbers.rational, rule.threshold(numbers)
    ahead = sorted(count for count in tally if theta < exact(Fraction(count)))
    passed = {count: many for count, many in tally.items() if count not in ahead}
    released = dict.fromkeys(tally, exact(Fraction(0)))
    lower = theta
    fails = _fails(tally, passed, theta, rule, numbers=numbers)
    while True:
        upper = exact(Fraction(ahead[0])) if ahead else None
        piece = _Piece(rule, numbers, lower, upper, {count: tally[count] for count in ahead})
        for count in tally:
            released[count] = released[count] + piece.mass(count, passed)
        if upper is None:
            return released, fails
        passed[ahead[0]] = tally[ahead[0]]
        lower = upper
        del ahead[0]


class _Piece:
    """One interval of t: its ends as numbers, and the counts above it."""

    def __init__(
        self,
        rule: CoarseRule,
        numbers: Arithmetic[Any],
        lower: Any,
        upper: Any | None,
        ahead: Mapping[int, int],
    ) -> None:
        self.numbers, self.rate, self.ahead = numbers, numbers.rational(1 / rule.scale), ahead
        self.lower = lower
        self.length = None if upper is None else (upper - lower) * self.rate
        self.above = sum(ahead.values())

    def mass(self, count: int, passed: Mapping[int, int]) -> Any:
        """Probability that a given bin of the count is released with a score of this piece."""
        zero, one = (self.numbers.rational(Fraction(k)) for k in (0, 1))
        series, power = [one], -self.above
        for other, many in passed.items():
            w = _half_exp(self._from_lower(other), numbers=self.numbers)
            for _ in range(many - (other == count)):
                shifted = [zero, *(w * term for term in series)]
                series = [a - b for a, b in zip([*series, zero], shifted, strict=True)]
            if other == count:
                series, power = [w * term for term in series], power + 1
        level = zero
        for other, many in self.ahead.items():
            level = level - self.numbers.rational(Fraction(many)) * self._from_lower(other)
        total = zero
        for k, term in enumerate(series):
            total = total + term * self._integral(power + k, level)
        return total * self.numbers.rational(HALF**self.above)

    def _from_lower(self, count: int) -> Any:
        return (self.numbers.rational(Fraction(count)) - self.lower) * self.rate

    def _integral(self, power: int, level: Any) -> Any:
        """Integrate e^level v^power over t / s; both exponents are at most 0."""
        top = self.numbers.exp(level)
        if self.length is None:
            return top * self.numbers.rational(Fraction(1, power))
        if power == 0:
            return top * self.length
        end = level - self.numbers.rational(Fraction(power)) * self.length
        return (top - self.numbers.exp(end)) * self.numbers.rational(Fraction(1, power))


def _half_exp(x: Any, *, numbers: Arithmetic[Any]) -> Any:
    """e^x / 2: the tail of the standard Laplace law beyond -x, for x <= 0."""
    return numbers.exp(x) * numbers.rational(HALF)


def _fails(
    tally: Mapping[int, int],
    passed: Mapping[int, int],
    theta: Any,
    rule: CoarseRule,
    *,
    numbers: Arithmetic[Any],
) -> Any:
    """Product of F(theta - C) over all bins."""
    one, rate = numbers.rational(Fraction(1)), numbers.rational(1 / rule.scale)
    product = one
    for count, many in tally.items():
        gap = (numbers.rational(Fraction(count)) - theta) * rate
        tail = _half_exp(
            gap if count in passed else numbers.rational(Fraction(0)) - gap, numbers=numbers
        )
        for _ in range(many):
            product = product * (one - tail if count in passed else tail)
    return product
