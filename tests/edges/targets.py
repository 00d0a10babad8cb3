"""Targets at the edges: each does something that real code does; tests say what must come out.

Every function takes (data, size, rng) and returns `size` draws, or (data, rng) and returns one.
Records lie in [0, 1]; the claim is epsilon = 1 under add-remove unless a line says otherwise.
"""

import asyncio
import itertools
import os
import sys
import time
from fractions import Fraction

import numpy as np

from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source

_count = itertools.count()
_calls = itertools.count()
_walk = [0.0]


def _sum(data):
    return np.clip(np.nan_to_num(np.asarray(data, float), nan=0.0), 0, 1).sum()


def good(data, size, rng):
    """A clipped sum with the noise that it needs."""
    return _sum(data) + rng.laplace(size=size)


def half(data, size, rng):
    """Half of the noise that it needs."""
    return _sum(data) + 0.5 * rng.laplace(size=size)


# -- private, but draws are not independent or their law changes: never REFUTED -------------------


def drift(data, size, rng):
    """The output moves a little with every draw."""
    steps = np.array([next(_count) for _ in range(size)])
    return good(data, size, rng) + 2e-5 * steps


def random_walk(data, size, rng):
    """An offset wanders from draw to draw."""
    steps = _walk[0] + np.cumsum(rng.normal(0, 0.02, size))
    _walk[0] = float(steps[-1])
    return good(data, size, rng) + steps


def shared_offset(data, size, rng):
    """All draws of a call share an offset; the data are ignored. The claim is epsilon = 0.1."""
    return rng.normal(scale=0.7) + rng.laplace(size=size)


class RateLimited(Exception):
    """Too many calls."""


_tokens, _last = 300.0, time.monotonic()


def rate_limited(data, rng):
    """Ignores its data; answers 300 calls at once, then 3,000 a second."""
    global _tokens, _last
    now = time.monotonic()
    _tokens, _last = min(300.0, _tokens + 3000 * (now - _last)), now
    if _tokens < 1:
        raise RateLimited
    _tokens -= 1
    return float(rng.laplace())


def warm_up(data, size, rng):
    """The noise is ten times too large at first, and settles."""
    steps = np.array([next(_count) for _ in range(size)])
    return _sum(data) + (1 + 9 * np.exp(-steps / 30_000)) * rng.laplace(size=size)


def antithetic(data, size, rng):
    """Every second call repeats the noise of the one before with the other sign."""
    call = next(_calls)
    return _sum(data) + (1 - 2 * (call % 2)) * np.random.default_rng(call // 2).laplace(size=size)


# -- not private, or the law changes for the worse: never CONSISTENT without a note ---------------


def constant_after_3000(data, size, rng):
    """A clipped sum that is always 0 after 3,000 draws."""
    used = np.array([next(_count) for _ in range(size)])
    return np.where(used > 3000, 0.0, good(data, size, rng))


def cents(data, size, rng, low=0, high=9_999_999, epsilon=1.0):
    """Integer sum; noise rounded to 5, the sum is not: output mod 5 gives the neighbor away."""
    noise = 5 * np.round(rng.laplace(scale=high / epsilon, size=size) / 5)
    return np.clip(data, low, high).sum() + noise


def parity(data, size, rng):
    """The lowest bit of an integer is that of the number of records."""
    return 2 * rng.integers(0, 2**40, size) + int(len(data) % 2)


def token(data, size, rng):
    """The same, as text."""
    return [f"tok{2 * k + len(data) % 2:05d}" for k in rng.integers(0, 2000, size).tolist()]


def signed_zero(data, size, rng):
    """The sign of a zero gives the data away."""
    z = np.round(good(data, size, rng))
    z[z == 0] = -0.0 if _sum(data) > 0 else 0.0
    return z


def nan_payload(data, size, rng):
    """The payload of a NaN gives the data away."""
    bits = 0x7FF8000000000001 + int(_sum(data)) % 2
    return np.full(size, np.array([bits], dtype=np.uint64).view(float)[0])


def one_percent_exact(data, size, rng):
    """One draw in a hundred has no noise."""
    return np.where(rng.random(size) < 0.01, _sum(data), good(data, size, rng))


def five_intervals(data, size, rng, moved=0.9):
    """A fifth of each of five stretches of [0, 1) is left by most draws if a record is there.

    Its probability is 0.1, and 0.1 (1 - 0.9 moved) of an odd number of records: a loss of 1.66,
    of 0.99 where 0.7 are moved.
    """
    u = rng.random(size)
    leaves = (u * 10 % 2 < 0.2) & (rng.random(size) < moved) & (len(data) % 2 == 1)
    return np.where(leaves, rng.random(size), u)


def five_intervals_kept(data, size, rng):
    """The same within its claim."""
    return five_intervals(data, size, rng, moved=0.7)


def sign_product(data, size, rng, turned=0.8):
    """Two coordinates whose product is seldom negative for an odd number of records.

    That has probability 1/2, and (1 - turned) / 2: a loss of 1.61, of 0.92 where 0.6 are turned.
    The coordinate between says nothing.
    """
    a, between, b = rng.normal(size=(3, size))
    turns = (a * b < 0) & (rng.random(size) < turned) & (len(data) % 2 == 1)
    return np.column_stack([np.where(turns, -a, a), between, b])


def sign_product_kept(data, size, rng):
    """The same within its claim."""
    return sign_product(data, size, rng, turned=0.6)


# -- inputs ---------------------------------------------------------------------------------------


def unclipped(data, size, rng):
    """A sum without a clip."""
    return np.asarray(data, float).sum() + rng.laplace(size=size)


def nan_through_clip(data, size, rng):
    """A NaN record passes `numpy.clip` and makes every output NaN."""
    total = np.clip(np.asarray(data, float), 0, 1).sum()
    return total + rng.laplace(size=size)


class FourRecords:
    """A swap-model sum of 4 records, a public number: other sizes are outside of its domain."""

    low, high, count, order = 0.0, 1.0, 4, "free"

    def __init__(self):
        self.claim = PrivacyClaim(
            PureDP(Fraction(1)), Relation.SWAP, Source("edge case", "4 records")
        )

    def sample(self, data, size, *, rng):
        """Private for 4 records only."""
        total = _sum(data)
        return (total if len(data) == 4 else 100 * total) + rng.laplace(size=size)


# -- processes ------------------------------------------------------------------------------------


def os_exit(data, size, rng):
    """Ends the process."""
    os._exit(0)


def os_exit_later(data, size, rng):
    """Ends the process after some calls."""
    if next(_calls) > 6:
        os._exit(0)
    return good(data, size, rng)


def cancelled(data, size, rng):
    """Raises what is no `Exception`."""
    raise asyncio.CancelledError


class PanicException(BaseException):
    """What a library in Rust raises."""


def panic_on_three(data, rng):
    """Panics on three records or more."""
    if len(data) >= 3:
        raise PanicException
    return float(good(data, 1, rng)[0])


def hang(data, size, rng):
    """Waits for ever."""
    while True:
        time.sleep(1)


def busy(data, size, rng):
    """Computes for ever."""
    while True:
        pass


def float_errors_raise(data, size, rng):
    """Changes how numpy treats errors, for the whole process."""
    np.seterr(all="raise")
    return good(data, size, rng)


def system_exit(data, size, rng):
    """Asks the interpreter to end."""
    sys.exit(0)


def memory(data, size, rng):
    """Runs out of memory."""
    raise MemoryError


async def asynchronous(data, size, rng):
    """A coroutine."""
    return good(data, size, rng)


def slow_leak(data, rng):
    """Takes as long as a fit, and releases the number of records."""
    time.sleep(0.26)
    return float(len(data))


def frame(data, size, rng):
    """A table of draws."""
    import pandas as pd

    return pd.DataFrame({"total": good(data, size, rng)})


def mapping(data, rng):
    """A dictionary with one number that needs more noise."""
    return {"total": float(half(data, 1, rng)[0]), "rows": 0}


class Estimator:
    """A class with epsilon and sample, and no claim: `--epsilon` states it."""

    def __init__(self, epsilon=1.0):
        self.epsilon = epsilon

    def sample(self, data, size, *, rng):
        """A clipped sum."""
        return _sum(data) + rng.laplace(scale=1 / self.epsilon, size=size)
