"""Queries without noise, sound and broken, and some that only look broken."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["BROKEN", "LOOKS_BROKEN", "RANDOM"]


def on_grid(data: Any) -> Any:
    """Records as multiples of 1/64, so that sums of a few thousand are exact."""
    return np.round(np.clip(np.nan_to_num(data, nan=0.0), 0, 1) * 64) / 64


def clipped_sum(data: Any) -> float:
    """Of sensitivity 1."""
    return float(on_grid(data).sum())


def no_clip(data: Any) -> float:
    return float(np.sum(data))


def nan_through(data: Any) -> float:
    return float((np.round(np.clip(data, 0, 1) * 64) / 64).sum())


def narrow(data: Any) -> float:
    """Thirty times too much in an interval of width .01."""
    values = np.asarray(data)
    return clipped_sum(data) + 29.0 * float(((values > 0.30) & (values < 0.31)).sum())


def at_a_size(data: Any) -> float:
    """Off by one where the number of records is 257."""
    return clipped_sum(data) + 5.0 * (len(data) == 257)


def by_order(data: Any) -> float:
    """The first record counts twice."""
    values = on_grid(data)
    return float(values.sum() + (values[0] if len(values) else 0.0))


def raises_on_none(data: Any) -> float:
    if len(data) == 0:
        raise ValueError
    return clipped_sum(data)


def ends_the_process(data: Any) -> float:
    if (np.asarray(data) > 0.9).any():
        os._exit(0)
    return clipped_sum(data)


def crashes(data: Any) -> float:
    if (np.asarray(data) > 0.9).any():
        os.kill(os.getpid(), 11)
    return clipped_sum(data)


def keys_of_the_data(data: Any) -> dict[float, int]:
    values, counts = np.unique(on_grid(data), return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def overflow(data: Any) -> int:
    """A sum in 32 bits of records up to 2^30."""
    with np.errstate(all="ignore"):
        return int(
            (np.clip(np.nan_to_num(data), 0, 1) * 2**30).astype(np.int32).sum(dtype=np.int32)
        )


BROKEN: dict[str, tuple[Callable[[Any], Any], dict[str, Any], str]] = {
    "no clip": (no_clip, {"at_most": 1}, "P1"),
    "NaN": (nan_through, {"at_most": 1}, "P1"),
    "an interval": (narrow, {"at_most": 1, "domain": "declared"}, "P1"),
    "a size": (at_a_size, {"at_most": 1, "domain": "declared"}, "P1"),
    "half the claim": (clipped_sum, {"at_most": "1/2"}, "P1"),
    "the order": (by_order, {"at_most": "3/2", "domain": "declared"}, ""),
    "no records": (raises_on_none, {"at_most": 1}, "P4"),
    "the end of the process": (ends_the_process, {"at_most": 1}, "P4"),
    "a crash": (crashes, {"at_most": 1}, "P4"),
    "keys": (keys_of_the_data, {"at_most": 1}, "P1"),
    "two rows": (clipped_sum, {"at_most": 1, "rows": 2}, "P1"),
    "32 bits": (overflow, {"at_most": 2**30, "domain": "declared"}, "P1"),
}
"""Query, words, and the property that it breaks ("": any)."""


def mutates(data: Any) -> float:
    """It sorts and clips its own data in place."""
    data.sort()
    data[:] = on_grid(data)
    return float(data.sum())


def returns_its_input(data: Any) -> Any:
    """A view of its data, which it changes afterwards on the next call."""
    data *= 0.0
    return data[:1] if len(data) else np.zeros(1)


_seen: dict[bytes, float] = {}


def remembers(data: Any) -> float:
    """A cache: state, but the same answer."""
    key = np.sort(data).tobytes()
    return _seen.setdefault(key, clipped_sum(data))


def minus_zero(data: Any) -> float:
    """0.0 or -0.0, by the parity of the size: the same number."""
    return -0.0 if len(data) % 2 else 0.0


def beyond_doubles(data: Any) -> int:
    """Integers beyond 2^53 that differ by 1: in doubles by 0 or 2."""
    return 2**53 + len(data)


def unsigned(data: Any) -> Any:
    """Unsigned integers, whose difference in numpy wraps around."""
    return np.uint64(len(data))


def of_other_types(data: Any) -> Any:
    """A Python integer, a numpy scalar and an array without dimensions, by the size."""
    kinds: tuple[Callable[[int], Any], ...] = (int, np.int32, np.float64, np.array)
    return kinds[len(data) % 4](len(data))


def of_other_sequences(data: Any) -> Any:
    """A list, a tuple and an array of equal length."""
    count = len(data)
    return ([count, 0], (count, 0), np.array([count, 0.0]))[count % 3]


def sorted_rows(data: Any) -> Any:
    """A data set in another order each time it is longer."""
    values = on_grid(data).tolist()
    return values[::-1] if len(values) % 2 else values


def as_sets(data: Any) -> set[float]:
    """A set of what is there: without an order."""
    return set(on_grid(data).tolist())


LOOKS_BROKEN: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "mutation of its data": (mutates, {"at_most": 1}),
    "a view of its data": (returns_its_input, {"at_most": 0, "domain": "declared"}),
    "a cache": (remembers, {"at_most": 1}),
    "-0.0": (minus_zero, {"at_most": 0}),
    "-0.0, discrete": (minus_zero, {"at_most": 0, "norm": "discrete"}),
    "integers beyond 2^53": (beyond_doubles, {"at_most": 1}),
    "unsigned integers": (unsigned, {"at_most": 1}),
    "types of numbers": (of_other_types, {"at_most": 1}),
    "types of sequences": (of_other_sequences, {"at_most": 1}),
    "order-free data": (sorted_rows, {"at_most": 1, "norm": "symmetric"}),
    "order-free sets": (as_sets, {"at_most": 1, "norm": "symmetric"}),
    "a sum that is exact": (clipped_sum, {"at_most": 1}),
    "several rows": (clipped_sum, {"at_most": 3, "rows": 3}),
    "order that is data": (by_order, {"at_most": 2, "order": "fixed"}),
}
"""Queries that hold what is claimed, and what a careless comparison would trip over."""


_calls = [0]


def counts_calls(data: Any) -> float:
    """State: the answer follows the number of calls."""
    _calls[0] += 1
    return len(data) + float(_calls[0])


def last_one(data: Any, _last: list[Any] = [0.0]) -> float:  # noqa: B006 - that is the fault
    """State: the answer is about the data of the call before."""
    before, _last[0] = _last[0], clipped_sum(data)
    return float(before)


def largest_so_far(data: Any, _most: list[float] = [0.0]) -> float:  # noqa: B006 - likewise
    """State that grows: most calls answer the same twice."""
    _most[0] = max(_most[0], float(len(data)))
    return _most[0]


def noisy(data: Any) -> float:
    return len(data) + random.random()


def noisy_in_numpy(data: Any) -> float:
    return float(len(data) + np.random.laplace())  # noqa: NPY002


def by_the_clock(data: Any) -> float:
    return len(data) + time.perf_counter()


def seldom_random(data: Any) -> float:
    """Random in one call of ten."""
    return len(data) + (random.random() < 0.1)


RANDOM: dict[str, Callable[[Any], Any]] = {
    "a counter": counts_calls,
    "the call before": last_one,
    "a maximum": largest_so_far,
    "random": noisy,
    "numpy.random": noisy_in_numpy,
    "the clock": by_the_clock,
    "seldom random": seldom_random,
}
"""Queries that have no sensitivity."""
