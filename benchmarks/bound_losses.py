"""What a lower bound loses on the way from the exact loss: pair, event, training, finite draws.

From the law of the best pair, the engine's own test on the event that would give the largest limit,
with as many draws as the audit tests with (the event is given), and with all draws of the audit
(so is the split). Counts are simulated from the event's exact probabilities, the arms shared as is
best for it; the means of the limits stand between what the audit reached and the exact loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from audit.engine import berger_boos
from audit.engine.bound.conditional import conditional_epsilon_lower
from audit.engine.two_binomials import Counts
from benchmarks.attainable import events
from benchmarks.corpus_laws import Cells

__all__ = ["Event", "best_event", "mean_limit", "words_of"]

ALPHA, QUANTILE = 0.05, 1.645
LABEL_SHARES = np.arange(0.1, 0.91, 0.05)
LARGEST_CONDITIONAL = 0.05
"""As in `audit.engine.bound.choose`: rarer events are tested conditionally."""
SIMULATED, POINTS = 20, 241


@final
@dataclass(frozen=True, slots=True)
class Event:
    """Probabilities on the likelier and the other data set, and the share of draws of the first."""

    p: float
    q: float
    share: float

    @property
    def conditional(self) -> bool:
        """Whether the engine would test it conditionally."""
        return max(self.p, self.q) < LARGEST_CONDITIONAL


def best_event(law: Cells, draws: int) -> Event:
    """The event with the largest limit by the normal approximation, in either direction."""
    best, value = Event(1.0, 1.0, 0.5), -math.inf
    for cells in (law, law[::-1]):
        p, q = (np.minimum(mass, 1.0) for mass in events(cells))
        rare = np.maximum(p, q) < LARGEST_CONDITIONAL
        for share in LABEL_SHARES:
            hits, other = share * draws * p + 0.5, (1 - share) * draws * q + 0.5
            rest = np.where(rare, 1.0, 1 - p), np.where(rare, 1.0, 1 - q)
            spread = np.sqrt(rest[0] / hits + rest[1] / other)
            limit = np.log(hits / share) - np.log(other / (1 - share)) - QUANTILE * spread
            place = int(np.argmax(limit))
            if limit[place] > value:
                best, value = Event(float(p[place]), float(q[place]), float(share)), limit[place]
    return best


def mean_limit(event: Event, draws: int, *, seed: int = 0) -> float:
    """Mean limit of the engine's test on simulated counts of an event, of so many draws in all."""
    rng, limits = np.random.default_rng(seed), []
    for _ in range(SIMULATED):
        first = round(draws * event.share)
        if event.conditional:
            first = int(rng.binomial(draws, event.share))
        hits, other = rng.binomial(first, event.p), rng.binomial(draws - first, event.q)
        if event.conditional:
            limit = conditional_epsilon_lower(int(hits), int(other), ALPHA, label_share=event.share)
        else:
            limit = _unconditional(Counts(int(hits), int(other), first, draws - first))
        limits.append(max(0.0, limit))
    return float(np.mean(limits))


def _unconditional(counts: Counts) -> float:
    """Berger and Boos's limit, on a fine grid about the estimate."""
    hits, other = counts.hits + 0.5, counts.other_hits + 0.5
    center = math.log(hits / counts.draws) - math.log(other / counts.other_draws)
    reach = 6 * math.sqrt(1 / hits + 1 / other)
    grid = np.linspace(max(0.0, center - reach), max(0.0, center) + reach, POINTS)
    return float(berger_boos.epsilon_lower(counts, 0.0, grid.tolist(), alpha=ALPHA))


def words_of(
    steps: Sequence[tuple[str, float]], law: Cells, tested: int, whole: int, exact: float
) -> str:
    """Bounds from what was reached to the exact loss, and what each step adds.

    Parameters
    ----------
    steps : sequence of (str, float)
        What was reached, and with how much given.
    law : tuple of ndarray
        Cells of the best pair.
    tested, whole : int
        Draws of the audit's test, and of the audit.
    exact : float
        The largest loss.
    """
    known = [
        ("event given", mean_limit(best_event(law, tested), tested)),
        ("split given", mean_limit(best_event(law, whole), whole)),
        ("exact", exact),
    ]
    told, before = [], 0.0
    for name, bound in (*steps, *known):
        told.append(f"{name} {bound:.4f}" + (f" ({bound - before:+.4f})" if told else ""))
        before = bound
    return ", ".join(told)
