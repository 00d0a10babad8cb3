"""Finite laws compared: the hockey-stick divergence, and counts of draws by outcome."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.protocols import FiniteLaw
from mechanisms.trilemma.coarse.law import FAILURE


def hockey_stick(law: FiniteLaw, other: FiniteLaw, epsilon: Fraction, numbers: Any) -> Any:
    """Sum of the positive parts of P - e^epsilon Q over all outcomes."""
    cuts = sorted({*law.cuts, *other.cuts})
    p, q = (one.masses(numbers, cuts) for one in (law, other))
    total = zero = numbers.rational(Fraction(0))
    factor = numbers.exp(numbers.rational(epsilon))
    for outcome, mass in p.items():
        excess = mass - factor * q.get(outcome, zero)
        if zero < excess:
            total = total + excess
    return total


def coarse_counts(
    draws: NDArray[np.float64], masses: Mapping[Hashable, float]
) -> NDArray[np.int64]:
    """How many draws of a coarse estimate show each outcome of its law, in the law's order.

    Draws next to an integer plus one half are not told apart: their bin depends on the last bit.
    """
    places = np.ceil(draws - 0.5)
    coins = draws - places
    counts = []
    for outcome in masses:
        if outcome == FAILURE:
            counts.append(np.count_nonzero(np.isnan(draws)))
        else:
            ((lower, upper), place) = outcome  # type: ignore[misc]
            inside = (float(lower) < coins) & (coins <= float(upper)) & (places == place)
            counts.append(np.count_nonzero(inside))
    assert sum(counts) == draws.size, "a draw that is none of the law's outcomes"
    return np.array(counts)
