"""The mean bet over where a violation may lie, one account for each size of it (ENGINE T1 to T3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.betting import CLIP, boundary_point, z_score
from audit.engine.candidates import Candidates
from audit.engine.lines import LineGrid

__all__ = ["EFFECTS", "PosteriorBets", "event_scores"]

Array = NDArray[np.float64]

EFFECTS: Array = 10.0 ** np.arange(-5.0, -0.2, 0.5)
"""Growth per draw of each arm that the accounts aim at."""

MOST_EVENTS = 48
VIOLATION = 0.5
"""Prior probability that a direction is violated, over all pairs."""


def event_scores(candidates: Candidates, grid: LineGrid) -> Array:
    """Estimated gap of every event in standard errors against every line, shape (E, L, G)."""
    p, q, n = (a[:, :, None] for a in (candidates.p, candidates.q, candidates.n))
    z = z_score(p, q, n, grid.slopes, grid.offsets)
    if grid.one_way:
        z = np.where(candidates.direction[:, None, None] == 1, z, -np.inf)
    return z


@final
@dataclass(frozen=True, slots=True)
class PosteriorBets:
    """Bets for every account and point of the grid; made before the batch is drawn.

    log_factors: for each partition in use the (account, point) pairs on it and the logarithms of
    the factors of its cells on the two arms, shape (c, K) each.
    """

    log_factors: dict[int, tuple[NDArray[np.intp], Array, Array]]
    points: int

    @classmethod
    def make(
        cls,
        candidates: Candidates,
        counts: Sequence[Array],
        grid: LineGrid,
        z: Array,
        *,
        pairs: int = 1,
    ) -> PosteriorBets:
        line = z.argmax(axis=1)
        best = np.take_along_axis(z, line[:, None, :], axis=1)[:, 0]
        shape = (EFFECTS.size, grid.points)
        top = np.full(shape, -np.inf)
        where = np.zeros(shape, dtype=np.intp)
        made: list[tuple[Array, Array]] = []
        for index, by_half in enumerate(counts):
            size = by_half.shape[2]
            da, db = np.zeros((2, *shape, size))
            evidence = np.zeros(shape)
            for direction in (0, 1):
                if grid.one_way and direction == 0:
                    continue
                on_likelier, on_other, gain = _direction(
                    candidates, index, direction, size, grid, best, line, VIOLATION / pairs
                )
                evidence += gain
                if direction == 0:
                    da, db = da + on_likelier, db + on_other
                else:
                    da, db = da + on_other, db + on_likelier
            made.append((da, db))
            better = evidence > top
            top[better], where[better] = evidence[better], index
        factors = {}
        for index in np.unique(where):
            chosen = np.flatnonzero(where.ravel() == index)
            da, db = (x.reshape(-1, x.shape[-1])[chosen] for x in made[index])
            lowest = np.minimum(da.min(axis=1), db.min(axis=1))
            scale = np.minimum(1.0, CLIP / np.maximum(-lowest, 1e-12))[:, None]
            factors[int(index)] = (chosen, np.log1p(scale * da), np.log1p(scale * db))
        return cls(factors, grid.points)

    def log_e(self, counts: Sequence[Array], size: int) -> Array:  # noqa: ARG002
        """Logarithms of the accounts' e-values of the batch, shape (A, G)."""
        values = np.zeros(EFFECTS.size * self.points)
        for partition, (chosen, a, b) in self.log_factors.items():
            arm, other = counts[partition]
            values[chosen] = a @ arm + b @ other
        return values.reshape(EFFECTS.size, self.points)


def _direction(
    candidates: Candidates,
    partition: int,
    direction: int,
    size: int,
    grid: LineGrid,
    best: Array,
    line: NDArray[np.intp],
    violation: float,
) -> tuple[Array, Array, Array]:
    events = np.flatnonzero(
        (candidates.group // 3 == partition) & (candidates.direction == direction)
    )
    points = np.arange(grid.points)
    z = best[events]
    if len(events) > MOST_EVENTS:
        kept = np.argpartition(-z, MOST_EVENTS - 1, axis=0)[:MOST_EVENTS]
    else:
        kept = np.broadcast_to(np.arange(len(events))[:, None], (len(events), grid.points))
    z = np.take_along_axis(z, kept, axis=0)
    chosen = events[kept]
    lines = line[chosen, points]
    s, t = grid.slopes[lines, points], grid.offsets[lines, points]
    p, q, n = (a[chosen, 0] for a in (candidates.p, candidates.q, candidates.n))
    q0 = boundary_point(p, q, s, t)
    p0 = s * q0 + t
    per_unit = np.maximum(p0 * (1 - p0) + s**2 * q0 * (1 - q0), 1e-300)
    largest = CLIP * np.minimum(1 / p0, 1 / (s * (1 - q0)))
    effects = EFFECTS[:, None, None]
    mu = np.minimum(np.sqrt(2 * effects / per_unit), largest)
    z_effect = np.sqrt(2 * n * effects)
    log_weight = np.log(candidates.prior[chosen]) + z * z_effect - z_effect**2 / 2
    highest = np.maximum(log_weight.max(axis=1), 0.0)[:, None]
    weight = np.exp(log_weight - highest)
    total = (1 - violation) * np.exp(-highest[:, 0]) + violation * weight.sum(axis=1)
    stake = violation * weight / total[:, None] * mu
    member = candidates.members(chosen, size).astype(np.float64)  # (M, G, K)
    on_likelier = np.einsum("amg,mgk->agk", stake, member)
    on_likelier -= (stake * p0).sum(axis=1)[:, :, None]
    on_other = -np.einsum("amg,mgk->agk", stake * s, member)
    on_other += (stake * s * q0).sum(axis=1)[:, :, None]
    return on_likelier, on_other, highest[:, 0] + np.log(total)
