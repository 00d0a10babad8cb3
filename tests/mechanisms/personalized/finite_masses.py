"""Finite laws in doubles, and chi-square tests of draws from them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_check.enclosure import Balls, endpoints
from tests.mechanisms.personalized.index_reference import merged
from tests.mechanisms.subset import chi_square

Array = NDArray[np.float64]

BITS = 256


def stated(mechanism: Any, data: Any) -> Any:
    """The law that a mechanism states, if it states one."""
    law = mechanism.exact_law(data)
    assert law is not None
    return law


@cache
def masses(law: Any) -> dict[float, float]:
    """Probability of each release of a finite law, ascending."""
    found: Any = law.masses(Balls(BITS))
    return {float(z): float(sum(endpoints(found[z]), Fraction(0)) / 2) for z in sorted(found)}


def fits(draws: Array, law: Any, least: float) -> bool:
    """Whether draws pass the chi-square test of a law, rare neighboring releases together."""
    values, p = _columns(masses(law))
    assert np.isin(draws, values).all(), "a release that the law does not have"
    groups = merged(p, least)
    starts = values[[group.start for group in groups]]
    counts = np.bincount(np.searchsorted(starts, draws, side="right") - 1, minlength=len(groups))
    value, limit = chi_square.statistic(counts, np.array([p[group].sum() for group in groups]))
    return value < limit


def _columns(law: dict[float, float]) -> tuple[Array, Array]:
    return np.array(list(law)), np.array(list(law.values()))
