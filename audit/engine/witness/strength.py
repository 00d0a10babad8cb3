"""How strongly past draws show an event: its gap in standard errors, and a limit of its loss."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.bet_growth import z_score
from audit.engine.partitions.halves import counted_part, learned_part

__all__ = ["Halves", "Strength", "is_kept", "strength_of", "strength_of_counts"]

LIMIT_Z = 1.645
"""Quantile of the normal law of a one-sided limit of 95 %."""

HALVED_FROM = 8
"""Draws of each arm from which on an event is proposed by one half and judged by the other. By the
draws that proposed it, a union of three intervals seems to show more than the tail that violates:
of 300 draws of Laplace noise at half of its scale, z was 12 to 9, and its fresh draws failed."""

MOST_PROPOSED, MOST_JUDGED = 20_000, 50_000
"""Draws of each arm that are read to propose an event, and to judge it."""

LEAST_Z_KEPT = 0.95
"""Of its z, what an event with rounder numbers must have: fresh draws grow by 1/.95^2, a tenth."""

Mask = NDArray[np.bool_]
Masks = tuple[Mask, Mask]
"""Whether each draw of the likelier and of the other arm is in an event."""


@final
@dataclass(frozen=True, slots=True)
class Halves:
    """Draws of the data and of the neighbor: what proposes events, and what judges them."""

    proposing: tuple[Outcomes, Outcomes]
    judging: tuple[Outcomes, Outcomes]

    @classmethod
    def of(cls, arms: tuple[Outcomes, Outcomes]) -> Halves:
        """Split the past, if it is long enough."""
        whole = len(arms[0]) < HALVED_FROM
        proposing = arms if whole else (learned_part(arms[0]), learned_part(arms[1]))
        judging = arms if whole else (counted_part(arms[0]), counted_part(arms[1]))
        return cls(
            (proposing[0][slice(MOST_PROPOSED)], proposing[1][slice(MOST_PROPOSED)]),
            (judging[0][slice(MOST_JUDGED)], judging[1][slice(MOST_JUDGED)]),
        )


@final
@dataclass(frozen=True, slots=True)
class Strength:
    """What draws say of an event.

    Attributes
    ----------
    z : float
        Its gap p - s q - t in standard errors, with a draw less in p and one more in q: what
        decides how many fresh draws confirm it. (Of many rare events one has eight draws to none
        by luck, and fresh draws would be few for it.)
    limit, width : float
        Lower limit of its loss log((p - t) / q), by the delta method, and how far that lies below
        the estimate.
    """

    z: float
    limit: float
    width: float

    @property
    def floor(self) -> float:
        """Where the confidence interval about the limit ends: as strong as this is as strong."""
        return self.limit - self.width


def strength_of(masks: Masks, line: tuple[float, float]) -> Strength:
    """Judge an event by the draws of the likelier and of the other arm."""
    hits, other_hits = (int(mask.sum()) for mask in masks)
    return strength_of_counts((hits, other_hits), (masks[0].size, masks[1].size), line)


def strength_of_counts(
    hits: tuple[float, float], draws: tuple[float, float], line: tuple[float, float]
) -> Strength:
    """The same by counts, which may be shares of draws."""
    s, t = line
    n, m = draws
    worse = max(hits[0] - 0.5, 0.5) / (n + 1), min(hits[1] + 1.5, m + 0.5) / (m + 1)
    z = float(z_score(*(np.array(float(x)) for x in (*worse, n, s, t))))
    p, q = (hits[0] + 0.5) / (n + 1), (hits[1] + 0.5) / (m + 1)
    if p <= t:
        return Strength(z, -math.inf, 0.0)
    spread = math.sqrt(p * (1 - p) / (n * (p - t) ** 2) + (1 - q) / (m * q))
    loss = math.log((p - t) / q)
    return Strength(z, loss - LIMIT_Z * spread, LIMIT_Z * spread)


def is_kept(before: Masks, after: Masks, line: tuple[float, float], floor: float) -> bool:
    """Whether an event with other numbers loses nothing that the draws can tell.

    The gap that it loses lies within the one-sided interval about none, by the draws that are in
    one of the two alone; its loss stays above a floor; and its z is kept.
    """
    s, _ = line
    lost = variance = 0.0
    for sign, scale, old, new in zip((1.0, -1.0), (1.0, s), before, after, strict=True):
        out, come = int((old & ~new).sum()), int((new & ~old).sum())
        lost += sign * scale * (out - come) / old.size
        variance += scale**2 * (out + come) / old.size**2
    found = strength_of(after, line)
    return (
        lost <= LIMIT_Z * math.sqrt(variance)
        and found.limit >= floor
        and found.z >= LEAST_Z_KEPT * strength_of(before, line).z
    )
