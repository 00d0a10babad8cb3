"""Exact levels of the entries, computed once for all tests."""

from __future__ import annotations

from functools import cache

from mechanisms.corpus.registry import exact_of_pairs

__all__ = ["exact_of"]


@cache
def exact_of(name: str) -> tuple[float, ...]:
    """Return the least level of each pair of an entry."""
    return tuple(exact_of_pairs(name))
