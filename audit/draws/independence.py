"""Smoke test of independence: a sampler that repeats itself voids every guarantee.

Looks for repeated blocks within and across calls, for serial correlation, and for arms that share
their random numbers. Outputs that are constant given the data are point masses and pass. Each
check fires on independent draws with probability below 1e-9.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.draws.binomial_tails import binomial_above, ranks
from audit.draws.encode import Outcomes

BothArms = tuple[Outcomes, Outcomes]
"""Draws on the data, and on the neighbor."""

LAGS = (1, 2, 3, 4, 5, 8, 10, 16, 25, 32, 50, 64, 100, 128)
LEVEL = 1e-9
FEWEST = 32


def find_dependence(first: BothArms, second: BothArms | None = None) -> str | None:
    """Return a sentence about the first dependence found, None if there is none.

    `first`: draws of both arms of one batch. `second`: draws of the same pair's next batch.
    """
    for index, (arm, word) in enumerate(zip(first, ("data", "neighbor"), strict=True)):
        rows = _row_ids(arm if second is None else Outcomes.concatenate([arm, second[index]]))
        own = rows[: len(arm)]
        if len(own) < FEWEST or np.all(own == own[0]):
            continue
        for lag in (lag for lag in LAGS if len(own) - lag >= FEWEST):
            if _too_many_matches(own[lag:], own[:-lag]):
                return f"draws on the {word} repeat with period {lag}"
        if second is not None:
            later = rows[len(arm) :]
            size = min(len(own), len(later))
            if size >= FEWEST and _too_many_matches(own[:size], later[:size]):
                return f"two calls on the {word} return the same draws"
        if _correlated(arm.numbers[1:, 0], arm.numbers[:-1, 0]):
            return f"consecutive draws on the {word} are correlated"
    size = min(map(len, first))
    if size >= FEWEST and _correlated(first[0].numbers[:size, 0], first[1].numbers[:size, 0]):
        return "the draws on the data and on the neighbor are correlated: they share random numbers"
    return None


def in_turn(arms: BothArms, stretches: Sequence[Sequence[int]]) -> tuple[BothArms, BothArms] | None:
    """Draws of every other stretch, and those at equal places of the next one.

    `arms`: draws of both arms. `stretches`: of each arm the lengths of its calls, or of its
    batches. None where no stretch has a next one.
    """
    first: tuple[list[Outcomes], ...] = ([], [])
    second: tuple[list[Outcomes], ...] = ([], [])
    for arm, (outcomes, lengths) in enumerate(zip(arms, stretches, strict=True)):
        start = 0
        for here, there in zip(lengths[::2], lengths[1::2], strict=False):
            size, middle = min(here, there), start + here
            first[arm].append(outcomes[slice(start, start + size)])
            second[arm].append(outcomes[slice(middle, middle + size)])
            start = middle + there
    if not (all(first) and all(second)):
        return None
    one, other = ([Outcomes.concatenate(arm) for arm in parts] for parts in (first, second))
    return (one[0], one[1]), (other[0], other[1])


def _row_ids(arm: Outcomes) -> NDArray[np.intp]:
    """The same integer for the same outcome."""
    rows = np.column_stack([np.nan_to_num(arm.numbers, nan=0.0), arm.categories])
    _, ids = np.unique(rows, axis=0, return_inverse=True)
    return np.asarray(ids, dtype=np.intp).ravel()


def _too_many_matches(rows: NDArray[np.intp], others: NDArray[np.intp]) -> bool:
    """Whether equal places are more frequent than chance, given how often values repeat."""
    size = rows.size
    matches = int((rows == others).sum())
    if matches <= 1:
        return False
    counts = np.bincount(np.concatenate([rows, others]))
    chance = float((counts * (counts - 1)).sum() / (2 * size * (2 * size - 1)))
    # the matches themselves raise the estimate by at most 1 / (2 size) each; leave room for that
    chance_upper = min(1.0, chance + 6 * np.sqrt((chance + 1 / size) / size))
    if matches <= chance_upper * size:
        return False
    return binomial_above(matches - 1, size, chance_upper) < LEVEL


def _correlated(x: NDArray[np.float64], y: NDArray[np.float64]) -> bool:
    """Whether the ranks of two columns are correlated beyond chance (Bernstein's inequality)."""
    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < FEWEST:
        return False
    a, b = (ranks(column[both]) for column in (x, y))
    a, b = a - a.mean(), b - b.mean()
    log_level = np.log(2 / LEVEL)
    spread = np.sqrt(2 * log_level * a.size * a.var() * b.var())
    largest = log_level / 3 * np.abs(a).max() * np.abs(b).max()
    return bool(abs(float(a @ b)) > spread + largest)
