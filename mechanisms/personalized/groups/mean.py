"""Algorithm 7 on samples of groups of users (PDP, Algorithm 8, last step, repaired).

Given the counts c_1, ..., c_J each group gives a sample without replacement of min(c_i, users) of
its users, padded to c_i with placeholders; each of the c_i has the budget s left_i, s = 1/2. The
samples of data sets with and without one user can be coupled so that one place of c_i changes, so
that the mean costs the user s left_i, whatever the counts are.

Placeholders never survive diffusion and count as the center of the range, so they need no place in
memory: with the weights w_i of `mechanisms.personalized.groups.plan` and a range [l, h] around m
the release is

    m + sum w_i (clip(x) - m) over the users of the samples + Lap((h - l) / A).

The print pads with zeros (erratum PDP-E-32), which are records like others, and has s = 1/4
(PDP-E-29).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.personalized.budgets import halves
from mechanisms.personalized.diffusion.rates import RightRates
from mechanisms.personalized.groups.exponential import choose
from mechanisms.personalized.groups.plan import plan, rate_of
from mechanisms.personalized.noisy_sum import add_laplace
from mechanisms.personalized.public_tau import SHARES
from mechanisms.personalized.range.stages import draw_stages
from mechanisms.personalized.sparse.pairs import CHUNK
from mechanisms.personalized.sparse.sparse_vector import CAP
from mechanisms.protocols import Arithmetic

__all__ = ["GroupMean", "SampleRates", "with_zeros"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class SampleRates:
    """Survival of the users of given samples, with one rate for each group."""

    rates: tuple[RightRates, ...]
    """Each of a single user, who stands for the group."""
    ends: NDArray[np.int64]
    """Shape (J + 1,): group i has the places from entry i - 1 up to, but not including, entry i."""
    chosen: NDArray[np.bool_]
    """Shape (draws, n): who is in the sample of each draw."""

    def draw(self, size: int, *, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Draw who survives, shape (size, n); `size` is the number of samples."""
        kept = self.chosen.copy()
        for rate, first, last in zip(self.rates, self.ends[:-1], self.ends[1:], strict=True):
            group = kept[:, first:last]
            if group.any():
                group &= rate.draw(group.size, rng=rng).reshape(size, -1)
        return kept

    def mass(self, user: int, numbers: Arithmetic[Any]) -> Any:
        """Survival probability of a user who is in the sample."""
        group = int(np.searchsorted(self.ends, user, side="right")) - 1
        return self.rates[group].mass(0, numbers)


@final
@dataclass(frozen=True, slots=True, eq=False)
class GroupMean:
    """The mean stage."""

    records: NDArray[np.float64]
    """Shape (n,): of the users, group by group; NaN is the placeholder."""
    ends: NDArray[np.int64]
    """Shape (J + 1,): where groups end."""
    budgets: tuple[Fraction, ...]
    """What Algorithm 7 may spend on a user of each group."""
    beta: Fraction
    """Its failure probability."""
    zeros: bool = False
    """Pad with zeros, as printed, and not with placeholders."""

    def draw(self, counts: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw a release for each row of counts, shape (draws, J); 0 where all of them are 0."""
        means = np.zeros(len(counts))
        distinct, which = np.unique(counts, axis=0, return_inverse=True)
        which, half = which.ravel(), halves(self.budgets)
        plans = [plan(half, tuple(row)) for row in distinct.tolist()]
        levels = np.array([found.level for found in plans])[which]
        weights = np.array([found.weights for found in plans])[which]
        scales = np.array([found.scale for found in plans])[which]
        for level, tau in enumerate(half):
            for part in self._parts(np.flatnonzero(levels == level), counts):
                means[part] = self._at(tau, counts[part], weights[part], scales[part], rng)
        return means

    def rates(self, tau: Fraction) -> tuple[RightRates, ...]:
        """Survival of a user of each group in the range stage, which has half of the budgets."""
        return tuple(rate_of(budget, tau) for budget in halves(self.budgets))

    def _parts(
        self, places: NDArray[np.int64], counts: NDArray[np.int64]
    ) -> Iterator[NDArray[np.int64]]:
        """Split draws into parts that fit into the memory, those with few zeros first."""
        missing = np.maximum(counts[places] - np.diff(self.ends), 0).sum(axis=1) * self.zeros
        order = np.argsort(missing, kind="stable")
        places, sizes = places[order], self.records.size + CAP + missing[order]
        while places.size:
            held = np.arange(1, places.size + 1) * sizes
            step = max(1, int(np.searchsorted(held, CHUNK, side="right")))
            yield places[:step]
            places, sizes = places[step:], sizes[step:]

    def _at(
        self,
        tau: Fraction,
        counts: NDArray[np.int64],
        weights: NDArray[np.float64],
        scales: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> NDArray[np.float64]:
        """Draw releases that have one level of the range stage."""
        records, ends, chosen = self.records, self.ends, choose(self.ends, counts, rng=rng)
        if self.zeros:
            records, ends, chosen = with_zeros(records, ends, chosen, counts)
        stages = draw_stages(
            records,
            SampleRates(self.rates(tau), ends, chosen),
            tau,
            self.beta / SHARES,
            len(counts),
            rng=rng,
        )
        center, radius = stages.center[:, np.newaxis], stages.second_radius[:, np.newaxis]
        parts = np.clip(records - center, -radius, radius)
        parts[~chosen | np.isnan(parts)] = 0.0
        means = stages.center
        for group, (first, last) in enumerate(pairwise(ends.tolist())):
            means = means + weights[:, group] * parts[:, first:last].sum(axis=1)
        return add_laplace(means, 2 * stages.second_radius * scales, rng=rng)


def with_zeros(
    records: NDArray[np.float64],
    ends: NDArray[np.int64],
    chosen: NDArray[np.bool_],
    counts: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Add zeros behind each group, as many as any draw lacks, each draw's own in its sample.

    `records`: shape (n,). `ends`: shape (J + 1,). `chosen`: shape (draws, n). `counts`: shape
    (draws, J). Returns: of the larger groups.
    """
    values, masks, sizes = [], [], []
    for group, (first, last) in enumerate(pairwise(ends.tolist())):
        missing = np.maximum(counts[:, group] - (last - first), 0)
        zeros = int(missing.max())
        values += [records[first:last], np.zeros(zeros)]
        masks += [chosen[:, first:last], np.arange(zeros) < missing[:, np.newaxis]]
        sizes.append(last - first + zeros)
    larger = np.append(0, np.cumsum(sizes)).astype(np.int64)
    return np.concatenate(values), larger, np.concatenate(masks, axis=1)
