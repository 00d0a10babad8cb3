"""Goodness of fit of draws to a stated law, at error rates that hold for every number of draws.

Numbers on a line: the largest distance of the empirical cdf from the stated one exceeds
sqrt(log(2 / a) / (2 n)) with probability at most a, whatever the law is (Dvoretzky, Kiefer and
Wolfowitz with Massart's constant; with atoms it is even smaller).

Cells: with frequencies f and stated probabilities p of k cells, n KL(f, p), half of the likelihood
ratio statistic, is at least t > k - 1 with probability at most e^(-t) (e t / (k - 1))^(k - 1)
(Agrawal). The chi-square limit of that statistic has no such guarantee for rare cells.

References
----------
.. [1] Massart, "The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality", Ann. Prob. 18,
   1990.
.. [2] Agrawal, "Finite-sample concentration of the multinomial in relative entropy", IEEE Trans.
   Inf. Theory 66, 2020, Theorem I.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Cdf = Callable[[Array], Array]

FEWEST = 10.0
"""Expected draws of a cell that is not pooled with its neighbor."""


@final
@dataclass(frozen=True, slots=True)
class CdfLaw:
    """A law on a line, as its cdf."""

    words: str
    cdf: Cdf
    left_cdf: Cdf
    """P(Z <= z) and P(Z < z), elementwise."""
    column: Callable[[NDArray[np.generic]], Array] | None = None
    """Number of a draw that has the law; None for the draw itself."""


@final
@dataclass(frozen=True, slots=True)
class CellLaw:
    """Probabilities of cells, numbered from 0."""

    words: str
    chances: Array
    """They add up to 1."""
    cell: Callable[[NDArray[np.generic]], NDArray[np.int64]]
    """Number of the cell of each draw."""


def band(draws: int, error: float) -> float:
    """Largest distance that the true law exceeds with probability at most `error`."""
    return math.sqrt(math.log(2 / error) / (2 * draws))


def draws_for_band(distance: float, error: float, miss: float = 0.1) -> int:
    """Draws that show a law at this distance, but for a probability `miss`."""
    both = math.sqrt(math.log(2 / error)) + math.sqrt(math.log(2 / miss))
    return math.ceil(both**2 / (2 * distance**2))


def cdf_distance(draws: Array, law: CdfLaw) -> float:
    """Largest distance of the empirical cdf of the draws, shape (n,), from that of the law."""
    values, counts = np.unique(draws, return_counts=True)
    right = np.cumsum(counts) / draws.size
    left = right - counts / draws.size
    above, below = np.abs(right - law.cdf(values)), np.abs(left - law.left_cdf(values))
    return float(max(above.max(), below.max()))


def divergence(counts: NDArray[np.int64], chances: Array) -> float:
    """Return n KL(f, p) of the frequencies f of cells from their stated probabilities p.

    `counts`, shape (k,): draws in each cell; infinite divergence where one is in a cell of
    probability 0. `chances`, shape (k,).
    """
    seen = counts > 0
    with np.errstate(divide="ignore"):
        logs = np.log(counts[seen] / counts.sum()) - np.log(chances[seen])
    return float((counts[seen] * logs).sum())


def divergence_limit(cells: int, error: float) -> float:
    """Smallest t with e^(-t) (e t / (k - 1))^(k - 1) <= error, t > k - 1.

    `cells`: k, at least 1; with one cell nothing can differ. `error`: probability that the true law
    reaches it.
    """
    free = cells - 1
    if free == 0:
        return 0.0

    def excess(t: float) -> float:
        return t - free - free * math.log(t / free) + math.log(error)

    low, high = float(free), 2.0 * free - 2 * math.log(error) + 10
    while excess(high) < 0:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return high


def pooled(chances: Array, draws: int) -> NDArray[np.int64]:
    """Join neighboring cells until each expects 10 draws; depends on the law only.

    `chances`, shape (k,): of ordered cells. `draws`: draws to come. Returns shape (k,): new number
    of each cell, ascending from 0.
    """
    places, place, held = np.empty(chances.size, np.int64), 0, 0.0
    rest = np.append(np.cumsum(chances[::-1])[::-1], 0.0) * draws
    for i, chance in enumerate(chances):
        places[i] = place
        held += chance * draws
        if held >= FEWEST and rest[i + 1] >= FEWEST:
            place, held = place + 1, 0.0
    return places
