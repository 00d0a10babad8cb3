"""Data sets of random records, with one release each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Mechanism

__all__ = ["CallFailed", "TracingLaw", "draw_pairs"]

Array = NDArray[np.float64]

_VALUES = 2**22
"""Records that are held at a time."""


@final
@dataclass(frozen=True, slots=True)
class TracingLaw:
    """Records that are v with probability p and otherwise 0, and the clip of the release.

    Parameters
    ----------
    value, p : float
        v and p.
    records : int
        Number n of records.
    bound : float
        B.
    """

    value: float
    p: float
    records: int
    bound: float


class CallFailed(Exception):
    """A call for several draws raised."""


def draw_pairs(
    mechanism: Mechanism, law: TracingLaw, draws: int, rng: np.random.Generator, *, single: bool
) -> tuple[Array, Array]:
    """Draw S and the release, NaN where it is no number, shape (draws,) each."""
    outputs, s = np.empty(draws), np.empty(draws)
    size = max(1, _VALUES // law.records)
    for start in range(0, draws, size):
        part = slice(start, min(start + size, draws))
        bits = rng.random((part.stop - start, law.records)) < law.p
        counts = bits.sum(axis=1)
        s[part] = counts - law.records * law.p
        if mechanism.order is Order.FREE:  # equal counts then mean equal data
            bits = np.arange(law.records) < counts[:, None]
        if single:
            outputs[part] = [_one(mechanism, law.value * row, rng) for row in bits]
        else:
            outputs[part] = _many(mechanism, law.value, bits, rng)
    return s, outputs


def _one(mechanism: Mechanism, data: Array, rng: np.random.Generator) -> float:
    """Release once; NaN where the mechanism raises, which is an outcome."""
    try:
        drawn = mechanism.sample(data, 1, rng=rng)
    except (InvalidArgument, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - the mechanism's failure is an outcome
        return math.nan
    return float(_numbers(drawn, 1)[0])


def _many(
    mechanism: Mechanism, value: float, bits: NDArray[np.bool_], rng: np.random.Generator
) -> Array:
    """Release once for each row of bits; equal rows share a call."""
    keys = np.packbits(bits, axis=1)
    _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    ranks = place.ravel()
    groups = np.split(np.argsort(ranks, kind="stable"), np.cumsum(np.bincount(ranks))[:-1])
    outputs = np.empty(len(bits))
    for row, group in zip(bits[first], groups, strict=True):
        try:
            drawn = mechanism.sample(value * row, group.size, rng=rng)
        except (InvalidArgument, MemoryError):
            raise
        except Exception as failure:
            raise CallFailed from failure
        outputs[group] = _numbers(drawn, group.size)
    return outputs


def _numbers(outputs: Any, size: int) -> Array:
    """Read releases as doubles, one a draw; what is no number is NaN."""
    try:
        numbers = np.asarray(outputs, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array([_number(z) for z in outputs])
    if numbers.shape != (size,):
        msg = f"mechanism must release one number a draw, got shape {numbers.shape} for {size}"
        raise InvalidArgument(msg)
    return numbers


def _number(release: Any) -> float:
    try:
        return float(release)
    except (TypeError, ValueError, OverflowError):
        return math.nan
