"""A private quantile on a grid (PDP, Algorithm 2): the exponential mechanism, row by row.

A grid point x is released with probability proportional to e^(epsilon score(x) / 2). With m records
the score is centered on them, so that no rank has to be known,

    score(x) = -max(0, #{y < x} - m/2, m/2 - #{y <= x}),

or, as printed, it is minus the number of changes that make x the r'-th smallest record,

    score(x) = -max(0, #{y < x} - (r' - 1), r' - #{y <= x}),

where r' is the public rank r moved into the records: with c = (2/epsilon) ln(|X| / beta) it is c if
r < c, else m - c if r > m - c, else r; rounded up, and at least 1 (PDP-E-34). One record moves
either score by at most 1. Without records the release is uniform on the grid.

The score is constant between two neighboring distinct records, so a draw takes a cell (a record's
value, or the grid points between two) with weight (points in it) e^(epsilon score / 2), and then a
uniform point of the cell. The grid may have 2^66 points; no cell is a Python object.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from mechanisms.composition import ScoreStep
from mechanisms.personalized.quantile.rank_cells import log_weights
from mechanisms.personalized.quantile.uniform_integers import uniform_between

__all__ = ["ClampedRank", "draw_places", "draw_quantile", "median_step"]

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class ClampedRank:
    """A public rank, moved into the records as printed (PDP, Algorithm 2)."""

    rank: float
    """Public; need not be an integer."""
    beta: float
    """Failure probability, from 0 to 1, that sets how far from either end the rank must lie."""

    def moved(self, count: NDArray[np.int64], points: Floats, epsilon: float) -> Floats:
        """Return r' for `count` records on a grid of `points` points, elementwise."""
        margin = 2 / epsilon * np.log(points / self.beta)
        inner = np.where(self.rank > count - margin, count - margin, self.rank)
        moved = np.where(self.rank < margin, margin, inner)
        return np.asarray(np.maximum(np.ceil(moved), 1.0))


def median_step(words: str, epsilon: Fraction) -> ScoreStep:
    """State a centered quantile at `epsilon`: a record moves every score by at most 1."""
    return ScoreStep(words, Fraction(1), epsilon / 2)


def draw_quantile(
    values: Floats,
    counted: NDArray[np.bool_],
    b: Floats,
    radius: Floats,
    epsilon: float,
    *,
    rng: np.random.Generator,
    rank: ClampedRank | None = None,
) -> Floats:
    """Draw one quantile for each row on the multiples of b in [-radius, radius].

    `values`, shape (draws, n) or (n,): records, multiples of the row's b where they are counted.
    `counted`, shape (draws, n): which records there are; those with |x| > radius are left out too.
    `b`, `radius`, shape (draws,): spacing, a power of 2 so that quotients are exact, and reach of
    the grid. `epsilon`: privacy parameter of this stage, greater than 0. `rank`: a public rank;
    without it the score is centered on the records. Returns shape (draws,): multiples of b, in the
    unit of the values.
    """
    spacing = b[:, np.newaxis]
    with np.errstate(over="ignore", invalid="ignore"):
        inside = counted & (np.abs(values) <= radius[:, np.newaxis])
        places = np.where(inside, values / spacing, np.inf)
    reach = np.floor(radius / b)
    return b * draw_places(places, -reach, reach, epsilon, rng=rng, rank=rank)


def draw_places(
    places: Floats,
    first: Floats,
    last: Floats,
    epsilon: float,
    *,
    rng: np.random.Generator,
    rank: ClampedRank | None = None,
    size: int | None = None,
) -> Floats:
    """Draw one quantile for each row on the integers first, ..., last.

    `places`, shape (draws, n): integers from `first` to `last`, and inf where there is no record.
    `first`, `last`, shape (draws,): integers, first <= last. `epsilon`: privacy parameter, greater
    than 0. `rank`: a public rank; without it the score is centered on the records. `size`: so many
    draws from the only row, in place of one from each. Returns shape (draws,) or (size,): integers;
    beyond 2^53 the nearest doubles of them.
    """
    ordered = np.sort(places, axis=1)
    count = np.count_nonzero(ordered < np.inf, axis=1)
    if rank is None:
        most = least = count / 2
    else:
        least = rank.moved(count, last - first + 1, epsilon)
        most = least - 1
    reached = _reached(log_weights(ordered, count, first, last, epsilon, most, least))
    row, cell = _draw_cells(reached, size, rng)
    n = ordered.shape[1]
    found = np.empty(row.size)
    at_record = cell > n
    found[at_record] = ordered[row[at_record], cell[at_record] - n - 1]
    row, cell = row[~at_record], cell[~at_record]
    starts, stops = cell == 0, cell == count[row]
    lower, upper = first[row], last[row]
    lower[~starts] = ordered[row[~starts], cell[~starts] - 1]
    upper[~stops] = ordered[row[~stops], cell[~stops]]
    found[~at_record] = uniform_between(lower, upper, ~starts, ~stops, rng=rng)
    return found + 0.0


def _reached(log_weight: Floats) -> Floats:
    """Sums of the weights up to each cell, the largest weight being 1."""
    largest = np.max(log_weight, axis=1, keepdims=True)
    return np.cumsum(np.exp(log_weight - largest), axis=1)


def _draw_cells(
    reached: Floats, size: int | None, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw a cell for each row, or `size` cells of the only one: rows and cells."""
    draws = len(reached) if size is None else size
    row = np.arange(draws) if size is None else np.zeros(draws, dtype=np.int64)
    # The random number is at most 1 - 2^-53, so that the product is less than the total.
    target = rng.random(draws) * reached[row, -1]
    if len(reached) == 1:
        return row, np.searchsorted(reached[0], target, side="right")
    return row, np.count_nonzero(reached <= target[:, np.newaxis], axis=1)
