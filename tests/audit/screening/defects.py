"""Broken releases that nobody is told the pair of, and sound ones beside them.

Each claims epsilon = 1, for records in [0, 1] under add-remove unless its row says otherwise. What
is wrong stands in the first line of each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = ["BROKEN", "SOUND", "Row"]

Data = NDArray[np.float64]
Rng = np.random.Generator
Release = Callable[..., Any]


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A release and what is said of its data."""

    release: Release
    relation: str = "add-remove"
    low: float = 0
    high: float = 1
    most_records: int = 3
    """Of the witness."""

    @property
    def name(self) -> str:
        """Of its function."""
        return self.release.__name__


def _clipped(data: Data, low: float = 0.0, high: float = 1.0) -> Data:
    """Records between the bounds, NaN at low."""
    return np.clip(np.nan_to_num(data, nan=low), low, high)


def _laplace(rng: Rng, size: int, scale: float = 1.0) -> NDArray[np.float64]:
    return rng.laplace(scale=scale, size=size)


def _geometric(rng: Rng, size: int, epsilon: float) -> NDArray[np.int64]:
    p = 1 - np.exp(-epsilon)
    return np.asarray(rng.geometric(p, size) - rng.geometric(p, size))


def no_clip(data: Data, size: int, *, rng: Rng) -> Any:
    """A sum whose records are not clipped."""
    with np.errstate(over="ignore", invalid="ignore"):
        return data.sum() + _laplace(rng, size)


def nan_through_clip(data: Data, size: int, *, rng: Rng) -> Any:
    """A sum whose clip lets NaN pass."""
    return np.clip(data, 0, 1).sum() + _laplace(rng, size)


def private_size(data: Data, size: int, *, rng: Rng) -> Any:
    """A noisy sum over the number of records, which is private."""
    return (_clipped(data).sum() + _laplace(rng, size)) / max(1, len(data))


def no_noise(data: Data, size: int, *, rng: Rng) -> Any:
    """Noise of scale 0."""
    return np.full(size, _clipped(data).sum())


def seen_domain(data: Data, size: int, *, rng: Rng) -> Any:
    """A histogram of the values that come in the data."""
    _, counts = np.unique(_clipped(data), return_counts=True)
    return counts + rng.laplace(size=(size, counts.size))


def sum_and_count(data: Data, size: int, *, rng: Rng) -> Any:
    """The budget is spent twice."""
    answers = np.array([_clipped(data).sum(), len(data)])
    return answers + rng.laplace(size=(size, 2))


def first_seen(data: Data, size: int, *, rng: Rng) -> Any:
    """The winner among candidates in the order of their first record, with noise for each."""
    votes = np.minimum((4 * _clipped(data)).astype(int), 3)
    names = [*dict.fromkeys(votes.tolist()), *range(4)]
    order = np.array(list(dict.fromkeys(names)))
    counts = np.array([(votes == name).sum() for name in order])
    return np.argmax(counts + rng.exponential(1.0, (size, 4)), axis=1)


def seen_bins(data: Data, size: int, *, rng: Rng) -> Any:
    """Ten bins between the smallest and the largest record."""
    records = _clipped(data)
    counts = np.histogram(records, bins=10)[0] if records.size else np.zeros(10)
    return counts + rng.laplace(size=(size, 10))


def integer_private_size(data: Data, size: int, *, rng: Rng) -> Any:
    """An integer sum with integer noise, over the private number of records."""
    total = int(np.round(_clipped(data)).sum())
    return (total + _geometric(rng, size, 1.0)) / max(1, len(data))


def running_sum(data: Data, size: int, *, rng: Rng) -> Any:
    """A sum in single precision, record by record, of records that this cannot hold."""
    records = _clipped(data, 2.0**23, 2.0**23 + 1).astype(np.float32)
    total = np.add.accumulate(records)[-1] if records.size else np.float32(0)
    return float(total) + _laplace(rng, size)


def wrapped_sum(data: Data, size: int, *, rng: Rng) -> Any:
    """A sum of integers that wraps around at 32 bits."""
    records = np.round(_clipped(data, -(2.0**30), 2.0**30)).astype(np.int64)
    total = int(records.sum() + 2**31) % 2**32 - 2**31
    return total + _laplace(rng, size, 2.0**31)


def narrow(data: Data, size: int, *, rng: Rng) -> Any:
    """Records between .30 and .31 count 30 times."""
    records = _clipped(data)
    weights = np.where((records > 0.30) & (records < 0.31), 30.0, 1.0)
    return (records * weights).sum() + _laplace(rng, size)


BROKEN = (
    Row(no_clip),
    Row(nan_through_clip),
    Row(private_size),
    Row(no_noise),
    Row(seen_domain),
    Row(sum_and_count),
    Row(first_seen, most_records=12),
    Row(seen_bins),
    Row(integer_private_size),
    Row(running_sum, "swap", 2.0**23, 2.0**23 + 1, 12),
    Row(wrapped_sum, "swap", -(2.0**30), 2.0**30),
    Row(narrow),
)


def clean_sum(data: Data, size: int, *, rng: Rng) -> Any:
    """Laplace noise at the claim."""
    return _clipped(data).sum() + _laplace(rng, size)


def clean_count(data: Data, size: int, *, rng: Rng) -> Any:
    """Geometric noise at the claim."""
    return len(data) + _geometric(rng, size, 1.0)


def clean_bins(data: Data, size: int, *, rng: Rng) -> Any:
    """Ten bins between the bounds."""
    counts = np.histogram(_clipped(data), bins=10, range=(0, 1))[0]
    return counts + rng.laplace(size=(size, 10))


def clean_winner(data: Data, size: int, *, rng: Rng) -> Any:
    """The noisy winner of four candidates (report noisy max, exponential noise of scale 1)."""
    votes = np.minimum((4 * _clipped(data)).astype(int), 3)
    counts = np.bincount(votes, minlength=4)
    return np.argmax(counts + rng.exponential(1.0, (size, 4)), axis=1)


def clean_ratio(data: Data, size: int, *, rng: Rng) -> Any:
    """A noisy sum over a noisy count, half of the budget each."""
    total = _clipped(data).sum() + _laplace(rng, size, 2.0)
    return total / np.maximum(1.0, len(data) + _laplace(rng, size, 2.0))


def clean_above(data: Data, size: int, *, rng: Rng) -> Any:
    """Which of four counts is the first above 2 (sparse vector, half of the budget each)."""
    counts = np.bincount(np.minimum((4 * _clipped(data)).astype(int), 3), minlength=4)
    level = 2.0 + _laplace(rng, size, 2.0)
    above = counts + rng.laplace(scale=4.0, size=(size, 4)) >= level[:, None]
    return np.where(above.any(axis=1), above.argmax(axis=1), 4)


def clean_median(data: Data, size: int, *, rng: Rng) -> Any:
    """The exponential mechanism for the median on a grid of 21 points."""
    grid = np.linspace(0, 1, 21)
    records = np.sort(_clipped(data))
    below = np.searchsorted(records, grid, side="right")
    weights = np.exp(-np.abs(below - len(records) / 2) / 2)
    return rng.choice(grid, size=size, p=weights / weights.sum())


SOUND = (
    Row(clean_sum),
    Row(clean_count),
    Row(clean_bins),
    Row(clean_winner),
    Row(clean_ratio),
    Row(clean_above),
    Row(clean_median),
)
