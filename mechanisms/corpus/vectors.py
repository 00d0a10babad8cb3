"""What the corpus shares: vectors of query answers, the literature's pairs, two-sided losses.

Data are vectors x of true answers of queries of sensitivity 1; neighbors are the listed pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Level, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument

__all__ = [
    "Pairs",
    "Vector",
    "any_entry_pairs",
    "both_ways",
    "claim_listed",
    "claim_pure",
    "one_entry_pairs",
    "scalar",
    "vector",
]

Vector: TypeAlias = NDArray[np.float64]
"""Query answers, shape (n,)."""

Pairs: TypeAlias = tuple[tuple[Vector, Vector], ...]
"""Neighboring vectors; each pair is audited both ways."""


def vector(data: Any) -> Vector:
    """Read the query answers, shape (n,) with n at least 1; a number is a vector of one."""
    x = np.atleast_1d(np.asarray(data, dtype=np.float64))
    if x.ndim != 1 or x.size == 0:
        msg = f"data must be a vector of query answers, got data={data!r}"
        raise InvalidArgument(msg)
    return x


def scalar(data: Any) -> float:
    """Read one query answer: a number, or a vector of one."""
    x = vector(data)
    if x.size != 1:
        msg = f"data must be one query answer, got data={data!r}"
        raise InvalidArgument(msg)
    return float(x[0])


def claim_listed(level: Level, paper: str, item: str) -> PrivacyClaim:
    """State a level about listed pairs."""
    return PrivacyClaim(level, Relation.LISTED, Source(paper, item))


def claim_pure(epsilon: Fraction, paper: str, item: str) -> PrivacyClaim:
    """State a pure level about listed pairs."""
    return claim_listed(PureDP(epsilon), paper, item)


def both_ways(loss: Callable[[Any, Any], float], data: Any, neighbor: Any) -> float:
    """Return the larger of a privacy loss max ln P(z) / Q(z) and its reverse."""
    return max(loss(data, neighbor), loss(neighbor, data))


def one_entry_pairs(n: int) -> Pairs:
    """Pairs in which one of n answers differs by 1 (StatDP's patterns of this kind)."""
    ones, lower, higher = np.ones(n), np.ones(n), np.ones(n)
    lower[0], higher[0] = 0, 2
    return ((ones, lower), (ones, higher))


def any_entry_pairs(n: int) -> Pairs:
    """Pairs in which any of n answers differ by at most 1 (StatDP's eight patterns)."""
    ones = np.ones(n)
    first, head = np.arange(n) == 0, np.arange(n) < n // 2
    return (
        *one_entry_pairs(n),
        (ones, np.where(first, 2.0, 0.0)),
        (ones, np.where(first, 0.0, 2.0)),
        (ones, np.where(head, 2.0, 0.0)),
        (ones, 2 * ones),
        (ones, 0 * ones),
        (head.astype(np.float64), (~head).astype(np.float64)),
    )
