"""The release of Algorithm 4 of SUB with all parameters as printed, for the lower median.

The grid is 0, ..., V (in units of beta, V = 2 R / beta). Thresholds l and u are independent draws of
the rounded Algorithm 2; the k lowest points move down by 1 and, of the others, the k highest up;
what lies in [l, u] goes to the inverse sensitivity mechanism on the grid points of [l, u].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from proofs_check.enclosure import Ball, Balls, endpoints
from proofs_check.papers.sub.thresholds.laws import GridLaw

__all__ = ["PrintedRelease", "instance", "median_length", "moved", "parameters", "printed_r"]

BITS = 256
NUMBERS = Balls(BITS)


def median_length(below: int, at: int, above: int) -> int:
    """Len of the lower median, max(0, L - E - G + 1, G - L - E)."""
    return max(0, below - at - above + 1, above - below - at)


def printed_r(ratio: int, epsilon: Fraction) -> Ball:
    """R = 32 log(6 R B / (L beta^2)) / epsilon for R / beta = ratio, B = 2 R and L = 1."""
    return 32 * NUMBERS.log(NUMBERS.rational(Fraction(12 * ratio**2))) / epsilon


def parameters(ratio: int, epsilon: Fraction) -> tuple[int, int]:
    """The rank ceil(r / 4) and the number k = floor(3 r / 2) of points that move to each side."""
    r = printed_r(ratio, epsilon)
    ranks = {-(-end.numerator // end.denominator) for end in endpoints(r / 4)}
    moves = {end.numerator // end.denominator for end in endpoints(r * 3 / 2)}
    (rank,), (k,) = ranks, moves
    return rank, k


def instance(ratio: int, place: int, epsilon: Fraction) -> tuple[dict[int, int], dict[int, int]]:
    """The pair of data sets that makes the release lose more than epsilon; they differ at `place`.

    The record added at `place` makes a record of the value V leave the window [l, u].
    """
    rank, k = parameters(ratio, epsilon)
    odd = (rank - 4) % 2
    g = (rank - 4 - odd) // 2
    top = 2 * ratio
    data = {0: k - 2 * g - 3, place: g, top - 1: 1, top: g + 2 + odd}
    return data, {**data, place: g + 1}


def moved(data: Mapping[int, int], k: int) -> dict[int, int]:
    """The k lowest points move down by 1; of the others the k highest move up by 1."""
    size = sum(data.values())
    image: dict[int, int] = {}
    rank = 0
    for x, count in sorted(data.items()):
        low = min(count, max(0, k - rank))
        high = min(count - low, max(0, rank + count - max(k, size - k)))
        for y, points in ((x - 1, low), (x, count - low - high), (x + 1, high)):
            if points:
                image[y] = image.get(y, 0) + points
        rank += count
    return image


@final
@dataclass(frozen=True, slots=True)
class PrintedRelease:
    """What Algorithm 4 releases on a data set.

    Parameters
    ----------
    top : int
        V; the grid is 0, ..., V.
    lower, upper : GridLaw
        Weights of l and u.
    of_lower, of_upper : Ball
        Their sums.
    image : mapping of int to int
        The data after they have moved.
    powers : dict
        e^(-c score) by score.
    exponent : Fraction
        c.
    """

    top: int
    lower: GridLaw
    upper: GridLaw
    of_lower: Ball
    of_upper: Ball
    image: Mapping[int, int]
    powers: dict[int, Ball]
    exponent: Fraction

    @classmethod
    def of(
        cls, data: Mapping[int, int], top: int, rank: int, k: int, epsilon: Fraction, c: Fraction
    ) -> PrintedRelease:
        """Work out the laws of both thresholds, each with budget epsilon / 4."""
        known: dict[Fraction, Ball] = {}

        def exponential(loss: Fraction) -> Ball:
            if loss not in known:
                known[loss] = NUMBERS.exp(NUMBERS.rational(-epsilon * loss / 8))
            return known[loss]

        size = sum(data.values())
        below, above = (GridLaw.of(data, top, r, exponential) for r in (rank, size - rank))
        return cls(top, below, above, below.total(), above.total(), moved(data, k), {}, c)

    def low(self, i: int) -> Ball:
        """Probability that l = i."""
        found: Ball = self.lower.weight(i) / self.of_lower
        return found

    def high(self, i: int) -> Ball:
        """Probability that u = i."""
        found: Ball = self.upper.weight(i) / self.of_upper
        return found

    def pieces(self, a: int, b: int) -> Iterator[tuple[int, int, Ball]]:
        """Ranges of t in [a, b] of one score, first to last, with their weight e^(-c score)."""
        inside = [(x, m) for x, m in sorted(self.image.items()) if a <= x <= b]
        below, size, begin = 0, sum(m for _, m in inside), a
        for x, m in [*inside, (b + 1, 0)]:
            if begin < x:
                yield begin, x - 1, self.power(median_length(below, 0, size - below))
            if x <= b:
                yield x, x, self.power(median_length(below, m, size - below - m))
            below, begin = below + m, x + 1

    def power(self, score: int) -> Ball:
        """e^(-c score)."""
        if score not in self.powers:
            self.powers[score] = NUMBERS.exp(NUMBERS.rational(-self.exponent * score))
        return self.powers[score]

    def given(self, t: int, a: int, b: int) -> Ball:
        """Probability of the release t, given the thresholds a <= b."""
        own, total = NUMBERS.rational(Fraction(0)), NUMBERS.rational(Fraction(0))
        for first, last, weight in self.pieces(a, b):
            total = total + weight * (last - first + 1)
            if first <= t <= last:
                own = weight
        return own / total

    def chance(self, t: int, starts: range | None = None) -> Ball:
        """Probability of the release t, of intervals that begin in `starts` only if given."""
        ends = [(b, self.low(b), self.high(b)) for b in range(t, self.top + 1)]
        total = NUMBERS.rational(Fraction(0))
        for a in starts or range(t + 1):
            low, high = self.low(a), self.high(a)
            for b, also_low, also_high in ends:
                both = low * also_high if a == b else low * also_high + also_low * high
                total = total + both * self.given(t, a, b)
        return total

    def law(self) -> list[Ball]:
        """Probabilities of all releases 0, ..., V."""
        zero = NUMBERS.rational(Fraction(0))
        steps: list[Any] = [zero] * (self.top + 2)
        lows, highs = ([of(i) for i in range(self.top + 1)] for of in (self.low, self.high))
        for a in range(self.top + 1):
            for b in range(a, self.top + 1):
                both = lows[a] * highs[b]
                if a < b:
                    both = both + lows[b] * highs[a]
                found = list(self.pieces(a, b))
                total = sum((w * (last - first + 1) for first, last, w in found), zero)
                share = both / total
                for first, last, weight in found:
                    steps[first] = steps[first] + share * weight
                    steps[last + 1] = steps[last + 1] - share * weight
        chances, running = [], zero
        for step in steps[:-1]:
            running = running + step
            chances.append(running)
        return chances
