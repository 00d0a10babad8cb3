"""Exact laws of rows 23 to 31 on cells of constant likelihood ratio, from their definitions.

What the sampler adds to a kept bit, an event or a residue has one law on both data sets, so that
these alone are sufficient: the cells are few and exact. Nothing of a sampler is used but constants.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.hidden_rows import (
    BOX_LOSS,
    BOX_MASS,
    KEPT_BIT,
    LOW_MASS,
    NAMES,
    PIECES_LOSS,
    PIECES_MASS,
    RESIDUE_LOSS,
)

__all__ = ["HIDDEN_LAWS"]

Laws = tuple[NDArray[np.float64], NDArray[np.float64]]


def bit_laws(kept: float) -> Laws:
    """A bit that is kept."""
    p = np.array([kept, 1 - kept])
    return p, p[::-1].copy()


def event_laws(mass: float, loss: float) -> Laws:
    """An event of some probability on 0, and e^-loss times as much on 1."""
    other = mass * math.exp(-loss)
    return np.array([mass, 1 - mass]), np.array([other, 1 - other])


def names_laws() -> Laws:
    """Three classes of labels, each of one ratio: all that tells the data sets apart."""
    factors = np.array([math.exp(0.8), 1.0, math.exp(-0.5), 1.0])
    masses = np.zeros(4)
    for i in range(NAMES):
        masses[i % 4] += (i + 3) ** -0.9
    p, q = masses / masses.sum(), masses * factors
    return p, q / q.sum()


HIDDEN_LAWS: dict[str, Callable[[], Laws]] = {
    "23": lambda: (np.array([1.0, 0.0]), np.array([0.0, 1.0])),
    "24": lambda: bit_laws(math.exp(3) / (1 + math.exp(3))),
    "26": lambda: event_laws(LOW_MASS, RESIDUE_LOSS),
    "27": lambda: bit_laws(KEPT_BIT),
    "28": lambda: bit_laws(KEPT_BIT),
    "29": lambda: event_laws(PIECES_MASS, PIECES_LOSS),
    "30": lambda: event_laws(BOX_MASS, BOX_LOSS),
    "31": names_laws,
}
"""By row; row 25 is the Laplace mechanism, as rows 1 to 3."""
