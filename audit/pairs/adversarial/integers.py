"""Integer records whose sum passes the limit of an integer type: it wraps, or it saturates.

A wrapped sum of two neighbors differs by the whole range of the type. A saturating sum moves by no
more than a record does, but it depends on the order: what was cut off is not given back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from audit.pairs.adversarial.public import ENOUGH, MOST_RECORDS, Public, Runs, in_words, pair_of
from audit.pairs.worst_cases import Pair
from mechanisms.claims import Order, Relation

TYPES = tuple(np.dtype(f"{kind}{size}") for size in (1, 2, 4, 8) for kind in "iu")
"""From int8 and uint8 to int64 and uint64."""

WIDEST = np.iinfo(np.int64)


def integer_pairs(public: Public) -> Iterator[Pair]:
    """Pairs of int64 arrays, one more record of which takes the sum over the limit of a type.

    Only where both bounds are integers; of a data set the records are all at one end.
    """
    low, high = int(public.low), int(public.high)
    if not public.whole or low < WIDEST.min or high > WIDEST.max:
        return
    for kind in TYPES:
        limits = np.iinfo(kind)
        for end, other, limit in ((high, low, limits.max), (low, high, limits.min)):
            if not end or not limit or (end > 0) != (limit > 0):
                continue
            spare = max(other if end > 0 else -other, 0)  # the record that is replaced
            spare = 0 if public.relation is Relation.ADD_REMOVE else spare
            count = (abs(int(limit)) - spare) // abs(end)
            if not 1 <= count < MOST_RECORDS:
                continue
            yield _wrapped(public, kind, count, end, other)
            if public.mixed and public.order is Order.FREE and kind.kind == "i":
                yield from _saturated(kind, count, end, other)


def _wrapped(public: Public, kind: np.dtype[Any], count: int, end: int, other: int) -> Pair:
    if public.relation is Relation.ADD_REMOVE:
        data: Runs = [(end, count)]
        words = f"one more at {end}"
    else:
        data = [(end, count), (other, 1)]
        words = f"that at {other} replaced by {end}"
    label = f"overflow of {kind.name}: {in_words(data)}; {words}"
    return pair_of(label, data, [(end, count + 1)], np.int64)


def _saturated(kind: np.dtype[Any], count: int, end: int, other: int) -> Iterator[Pair]:
    """More than the type can hold and then some of the other sign, against these first."""
    more = -(-ENOUGH * abs(end - other) // abs(end)) + 1
    back = -(-more * abs(end) // abs(other))
    if count + more + back > MOST_RECORDS:
        return
    last: Runs = [(end, count + more), (other, back)]
    first: Runs = [(other, back), (end, count + more)]
    label = f"saturation of {kind.name}: {in_words(last)}, against those at {other} first"
    yield pair_of(label, last, first, np.int64)
