"""A grid point by its score on the data between two noisy thresholds (SUB, Algorithm 4).

Two independent thresholds a and b of the places 0 .. m-1 are put in order, a <= b. The data, moved
by rank (`moves`), are cut to a .. b, and a place t of a .. b is released with probability

    e^(-c score(t)) / W(a, b),    W(a, b) = sum over t of e^(-c score(t)),

so that the law of the release alone is

    P(t) = sum over a <= t <= b of P(a, b) e^(-c score(t)) / W(a, b).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.grid import grid_indices
from mechanisms.protocols import Arithmetic
from mechanisms.records import records
from mechanisms.subset.moves import moved
from mechanisms.subset.points import PointLaw, draw_places, grid_points
from mechanisms.subset.scores.statistic import Statistic
from mechanisms.subset.threshold_grid import GridThreshold

__all__ = ["PrunedLaw", "PrunedSelection"]

Counts = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class PrunedLaw:
    """Law of the release, without the thresholds: a `FiniteLaw`."""

    lower: PointLaw
    upper: PointLaw
    """`lower`, `upper`: laws of the two thresholds, over the places 0 .. m-1."""
    inside: tuple[int, ...]
    """Moved records at these places."""
    statistic: Statistic
    """What the scores are for."""
    exponent: Fraction
    """c."""
    releases: tuple[Fraction, ...]
    """What the places stand for."""
    rational: ClassVar[bool] = False
    cuts: ClassVar[tuple[Fraction, ...]] = ()

    def masses(
        self, numbers: Arithmetic[Any], cuts: Sequence[Fraction] = ()
    ) -> Mapping[Fraction, Any]:
        """Probability of each grid point, the sum over all windows; `cuts` change nothing."""
        del cuts
        first, second = (list(law.atoms(numbers).values()) for law in (self.lower, self.upper))
        counts = np.array(self.inside, dtype=np.int64)
        known: dict[int, Any] = {}
        masses = [numbers.rational(Fraction(0))] * counts.size
        for a in range(counts.size):
            for b in range(a, counts.size):
                both = first[a] * second[b]
                if a < b:
                    both = both + first[b] * second[a]
                scores = self.statistic.scores(counts[a : b + 1])
                above = (scores - scores.min()).tolist()
                shares = self._shares(above, both, numbers, known)
                for place, score in enumerate(above, start=a):
                    masses[place] = masses[place] + shares[score]
        return dict(zip(self.releases, masses, strict=True))

    def describe(self, outcome: Any) -> str:
        """Say what the release is."""
        return f"z = {outcome}"

    def _shares(
        self, scores: list[int], both: Any, numbers: Arithmetic[Any], known: dict[int, Any]
    ) -> dict[int, Any]:
        """Probability of the window and of one place of it, by score."""
        total = numbers.rational(Fraction(0))
        places = {score: scores.count(score) for score in set(scores)}
        for score, count in places.items():
            if score not in known:
                known[score] = numbers.exp(numbers.rational(-self.exponent * score))
            total = total + known[score] * numbers.rational(Fraction(count))
        share = both / total
        return {score: share * known[score] for score in places}


@final
@dataclass(frozen=True, slots=True)
class PrunedSelection:
    """The thresholds, the move, the cut and the choice, with all parameters decided."""

    epsilon: Fraction
    """Privacy parameter of each threshold."""
    low: Fraction
    high: Fraction
    """`low`, `high`: first and last point of the grid."""
    steps: int
    """m - 1, the number of steps from `low` to `high`; 0 if they are equal."""
    rank: int
    """Of the lower threshold from below, and of the upper one from above."""
    k: int
    """Records that move to each side."""
    statistic: Statistic
    """What the scores are for."""
    exponent: Fraction
    """c."""

    def exact_law(self, data: Any) -> PrunedLaw:
        """State the law on `data`, array_like of shape (n,), read as `sample` reads it."""
        places = self._places(data)
        lower, upper = (t.exact_law(places.astype(np.float64)) for t in self._thresholds())
        inside = tuple(self._inside(places).tolist())
        step = (self.high - self.low) / max(self.steps, 1)
        releases = tuple(self.low + i * step for i in range(self.steps + 1))
        return PrunedLaw(lower, upper, inside, self.statistic, self.exponent, releases)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw releases, shape (size,); draws with the same thresholds share their scores."""
        places = self._places(data)
        as_data = places.astype(np.float64)
        drawn = [t.sample(as_data, size, rng=rng).astype(np.int64) for t in self._thresholds()]
        low, high = np.minimum(*drawn), np.maximum(*drawn)
        inside = self._inside(places)
        codes, window = np.unique(low * inside.size + high, return_inverse=True)
        order = np.argsort(window, kind="stable")
        starts = np.searchsorted(window[order], np.arange(1, codes.size))
        released = np.empty(size, np.int64)
        for draws in np.split(order, starts):
            a, b = low[draws[0]], high[draws[0]]
            scores = self.statistic.scores(inside[a : b + 1])
            weights = np.exp(-float(self.exponent) * (scores - scores.min()))
            released[draws] = a + draw_places(weights, draws.size, rng=rng)
        step = (self.high - self.low) / max(self.steps, 1)
        return grid_points(released, self.low, step)

    def _thresholds(self) -> tuple[GridThreshold, GridThreshold]:
        """Both thresholds, over the places."""
        grid = (self.epsilon, 0, self.steps, self.steps + 1, self.rank)
        return GridThreshold(*grid, "below"), GridThreshold(*grid, "above")

    def _places(self, data: Any) -> Counts:
        """Place of each record, shape (n,); NaN is the midpoint, the rest is clipped."""
        return grid_indices(records(data), self.low, self.high, self.steps)

    def _inside(self, places: Counts) -> Counts:
        """Moved records at the places, shape (m,); those off the grid are in no window."""
        return moved(np.bincount(places, minlength=self.steps + 1), self.k)[1:-1]
