"""Inverse sensitivity of SUB (Algorithm 5), stated again from the definition.

Records are rounded to the places 0..m-1 of the grid low, low + step, .., high, ties to even. The
release is a place t with a weight e^(-epsilon score / 2). The score `length` is the least number of
records that are added to a data set or removed from it until its statistic is t; `crossing` is the
larger of the least numbers until it is at least t - h and until it is at most t + h, h = 0 for
quantiles and 1/2 otherwise. Data must not become empty; without records scores are 1.

All edits are tried, up to removing all records and adding one. A lower quantile is on a side of t
if and only if the record of its rank is, so that numbers of records below, at and above t are
enough. The mean and the other minimizers are on a side of y if and only if a sum of c is on that
side of 0, c = sgn(x - y) |x - y|^(power - 1): any of the records may stay, and what is added is
worth anything from c of the lowest place to c of the highest one. Powers are kept as integers:
of |2 (x - y)|, and if these are not integers up to 2^32, scaled to that and rounded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, final

from audit.certificate.certificate_form import number
from audit.certificate.restated_thresholds import Ratio, Records
from mechanisms.errors import CertificateError
from proofs_check.exponential import ExpSum

EXACT = ("epsilon", "low", "high", "step", "level", "power")
WORDS = ("statistic", "score")

MOST_GRID_POINTS = 256
"""More would take long to go through again."""

MOST_POWER, MOST_DENOMINATOR = 64, 100
LARGEST = 2**32
"""Largest entry of a table of powers."""

HALF = Fraction(1, 2)

Edit = tuple[int, bool, bool]
"""Records added and removed; whether the statistic can then be on the upper and the lower side."""


@final
@dataclass(frozen=True, slots=True)
class InverseSensitivity:
    """Parameters of the mechanism, and the scores that were asked for."""

    epsilon: Fraction
    low: Fraction
    high: Fraction
    step: Fraction
    statistic: str
    level: Fraction
    power: Fraction
    score: str
    known: dict[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict, repr=False)
    powers: dict[int, int] = field(default_factory=dict, repr=False)

    @classmethod
    def restated(cls, parameters: Mapping[str, Any]) -> InverseSensitivity:
        """Read the parameters.

        Raises CertificateError if one is unknown, missing or out of its domain.
        """
        names = (*EXACT, *WORDS)
        if set(parameters) != set(names):
            msg = (
                f"parameters of sub.inverse-sensitivity are {', '.join(names)}, got {parameters!r}"
            )
            raise CertificateError(msg)
        values: dict[str, Any] = {
            name: value if name in WORDS else number(value, name)
            for name, value in parameters.items()
        }
        found = cls(**values)
        if not found._in_domain():
            msg = f"parameters out of their domain: {dict(parameters)!r}"
            raise CertificateError(msg)
        return found

    def _in_domain(self) -> bool:
        steps = (self.high - self.low) / self.step if self.step > 0 else Fraction(0)
        grid = steps.denominator == 1 and 1 <= steps < MOST_GRID_POINTS
        power = 1 < self.power <= MOST_POWER and self.power.denominator <= MOST_DENOMINATOR
        level = 0 < self.level < 1
        if not (self.epsilon > 0 and grid and power and level):
            return False
        if self.score not in ("crossing", "length"):
            return False
        unused = {
            "median": self.level == HALF and self.power == 2,
            "quantile": self.power == 2,
            "mean": self.level == HALF and self.power == 2,
            "power": self.level == HALF and (self.power == 2 or self.score == "crossing"),
        }
        return unused.get(str(self.statistic), False)

    @property
    def points(self) -> int:
        """Number m of places."""
        return int((self.high - self.low) / self.step) + 1

    def steepest(self, size: int) -> Fraction:
        """Largest exponent of a weight: a score is at most all records removed and one added."""
        return self.epsilon * (size + 1)

    def work(self, size: int) -> tuple[Fraction, Fraction]:
        """Milliseconds for a data set, and for a pair: measured, rounded up."""
        edits = 2**size * (size + 2) if self.statistic in ("mean", "power") else (size + 2) ** 2
        return Fraction(self.points * edits, 1000), 3 + Fraction(self.points, 50)

    def total(self, data: Records) -> ExpSum:
        """What the weights add up to."""
        weights = (self.weight(score) for score in self.scores(data))
        return sum(weights, start=ExpSum({}))

    def largest_ratios(self, data: Records, neighbor: Records) -> tuple[Ratio, Ratio]:
        """Largest weight on the data over that on the neighbor, and the other way round."""
        both = zip(self.scores(data), self.scores(neighbor), strict=True)
        gaps = [other - own for own, other in both]
        one = ExpSum.rational(1)
        return (self.weight(-max(gaps)), one), (self.weight(min(gaps)), one)

    def weight(self, score: int) -> ExpSum:
        """Weight of a score."""
        return ExpSum.exp(-self.epsilon * score / 2)

    def scores(self, data: Records) -> tuple[int, ...]:
        """Score of each place."""
        places = tuple(sorted(round((x - self.low) / self.step) for x in data))
        if places not in self.known:
            self.known[places] = tuple(self._score(places, t) for t in range(self.points))
        return self.known[places]

    def _score(self, places: tuple[int, ...], t: int) -> int:
        if not places:
            return 1
        if self.statistic in ("mean", "power"):
            return _least(self._sum_edits(places, t), self.score)
        had = sum(x < t for x in places), places.count(t), sum(x > t for x in places)
        return quantile_score(had, t > 0, t < self.points - 1, self.level, self.score)

    def _sum_edits(self, places: Iterable[int], t: int) -> Iterator[Edit]:
        """Keep some records and add others, as far as sums of c tell; y = t -+ h, doubled."""
        tolerance = int(self.score == "crossing")
        had = sorted(Counter(places).items())
        size, top = sum(count for _, count in had), self.points - 1
        tables = [
            [self._c(2 * (x - t) + side * tolerance) for x in range(top + 1)] for side in (1, -1)
        ]
        for kept in product(*(range(count + 1) for _, count in had)):
            least, most = (
                sum(table[x] * k for (x, _), k in zip(had, kept, strict=True)) for table in tables
            )
            for added in range(size + 2):
                if sum(kept) + added:
                    up = least + added * tables[0][top] >= 0
                    down = most + added * tables[1][0] <= 0
                    yield size - sum(kept) + added, up, down

    def _c(self, distance: int) -> int:
        """C at a distance 2 (x - y): a power with the sign of the distance."""
        if self.power == 2 or not distance:
            return distance
        if distance not in self.powers:
            self.powers[distance] = self._power(distance)
        return self.powers[distance]

    def _power(self, distance: int) -> int:
        exponent, longest = self.power - 1, 2 * self.points - 1
        a, b, size = exponent.numerator, exponent.denominator, abs(distance)
        if b == 1 and longest**a <= LARGEST:
            power = int(size**a)
        else:
            # Half of the integer root of (2 LARGEST)^b (size / longest)^a, rounded up.
            power = max(1, (root((2 * LARGEST) ** b * size**a // longest**a, b) + 1) // 2)
        return power if distance > 0 else -power


@lru_cache(maxsize=2**14)
def quantile_score(
    had: tuple[int, int, int], has_below: bool, has_above: bool, level: Fraction, score: str
) -> int:
    """Try all numbers of records below, at and above t, where there are places."""
    more = sum(had) + 2
    ranges = (range(more if may else 1) for may in (has_below, True, has_above))
    edits: list[Edit] = []
    for now in product(*ranges):
        if any(now):
            rank = math.ceil(level * sum(now))
            distance = sum(abs(a - b) for a, b in zip(now, had, strict=True))
            edits.append((distance, rank > now[0], rank <= now[0] + now[1]))
    return _least(edits, score)


def _least(edits: Iterable[Edit], score: str) -> int:
    """Fewest edits to both sides at once, or to the one that takes more."""
    edits = list(edits)
    if score == "length":
        return min(k for k, up, down in edits if up and down)
    return max(min(k for k, up, _ in edits if up), min(k for k, _, down in edits if down))


def root(value: int, degree: int) -> int:
    """Largest integer whose power of that degree is at most `value`."""
    lower, upper = 0, 1 << value.bit_length() // degree + 1
    while upper - lower > 1:
        middle = (lower + upper) // 2
        fits = bool(middle**degree <= value)
        lower, upper = (middle, upper) if fits else (lower, middle)
    return lower
