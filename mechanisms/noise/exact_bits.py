"""Exact discrete randomness from uniform bytes: integers, Bernoulli(e^-x), geometric.

Every draw has exactly the stated law if the bytes are uniform: comparisons of integers only, no
floating point (Canonne, Kamath and Steinke 2020, Algorithms 1 and 2). Arrays hold int64 where
that cannot overflow, and Python integers otherwise. The run time depends on the draws.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["BitSource", "bernoulli_exp", "geometric", "uniform_below"]

BitSource: TypeAlias = Callable[[int], bytes]
"""A function n -> n uniform bytes, such as `os.urandom`."""

Integers: TypeAlias = NDArray[Any]
"""Array of int64, or of Python integers (dtype object) where int64 could overflow."""

_WORD = 2**64
_SMALL = 2**31  # products of two such numbers fit into int64


def uniform_below(bound: int, size: int, bits: BitSource) -> Integers:
    """Draw integers uniform on 0..bound-1, shape (size,).

    Words at or above the largest multiple of `bound` are drawn again.
    """
    if bound == 1:
        return np.zeros(size, np.int64)
    if bound > 2**63:
        return _long_uniform_below(bound, size, bits)
    limit = _WORD - _WORD % bound
    accepted = _words(size, bits)
    while limit < _WORD and (over := np.flatnonzero(accepted >= np.uint64(limit))).size:
        accepted[over] = _words(over.size, bits)
    return (accepted % np.uint64(bound)).astype(np.int64)


def bernoulli_exp(
    x: Fraction, size: int, bits: BitSource, *, doublings: int = 0
) -> NDArray[np.bool_]:
    """Draw Bernoulli(2^k e^-x) for a rational x >= 0 and k = `doublings` <= x, shape (size,).

    2^k e^-x = (e^-1)^(floor(x) - k) (2 e^-1)^k e^-(x - floor(x)): that many independent draws
    must all succeed.
    """
    result = np.ones(size, np.bool_)
    whole, numerator = divmod(x.numerator, x.denominator)
    step = 0
    while step <= whole and (alive := np.flatnonzero(result)).size:
        u, t = (numerator, x.denominator) if step == whole else (1, 1)
        first = 3 if whole - doublings <= step < whole else 1
        u_all = np.full(alive.size, u, np.int64 if u < _SMALL else object)
        result[alive] = _bernoulli_exp_unit(u_all, t, bits, first=first)
        step += 1
    return result


def geometric(rate: Fraction, size: int, bits: BitSource) -> Integers:
    """Draw G with P(G = i) = (1 - b) b^i, b = e^-rate, for a rational rate > 0; shape (size,).

    With rate = s / t in lowest terms: U uniform on 0..t-1 is kept with probability e^(-U/t), V
    counts the successes of Bernoulli(e^-1) before a failure; then U + t V is geometric of ratio
    e^(-1/t), and G = floor((U + t V) / s).
    """
    s, t = rate.numerator, rate.denominator
    u = _thinned_below(t, size, bits)
    v = np.zeros(size, np.int64)
    alive = np.arange(size)
    while alive.size:
        success = _bernoulli_exp_unit(np.ones(alive.size, np.int64), 1, bits)
        alive = alive[success]
        v[alive] += 1
    if t > _SMALL or s > _SMALL:
        u, v = u.astype(object), v.astype(object)
    return (u + t * v) // s


def _thinned_below(t: int, size: int, bits: BitSource) -> Integers:
    """Draw U on 0..t-1 with P(U = u) proportional to e^(-u/t), by rejection; shape (size,)."""
    u = uniform_below(t, size, bits)
    pending = np.arange(size) if t > 1 else np.zeros(0, np.int64)
    while pending.size:
        pending = pending[~_bernoulli_exp_unit(u[pending], t, bits)]
        u[pending] = uniform_below(t, pending.size, bits)
    return u


def _bernoulli_exp_unit(
    u: Integers, t: int, bits: BitSource, *, first: int = 1
) -> NDArray[np.bool_]:
    """Draw Bernoulli(e^(-u/t)) for each u in 0..t: the first failure of Bernoulli(u/(t k)) is odd.

    Bernoulli(u / (t k)) is the conjunction of Bernoulli(u / t) and Bernoulli(1 / k). With u = t
    and `first` = 3 the steps k = 1 and 2, passed with probability 1/2, count as passed, and the
    probability is 2 (1/2! - 1/3! + 1/4! - ..) = 2 / e.
    """
    result = np.zeros(u.shape, np.bool_)
    alive = np.arange(u.size)
    k = first
    while alive.size:
        below = uniform_below(t, alive.size, bits) < u[alive]
        goes_on = below.astype(np.bool_) & (uniform_below(k, alive.size, bits) == 0)
        result[alive[~goes_on]] = k % 2 == 1
        alive = alive[goes_on]
        k += 1
    return result


def _words(size: int, bits: BitSource) -> NDArray[np.uint64]:
    return np.frombuffer(bits(8 * size), dtype="<u8").astype(np.uint64)


def _long_uniform_below(bound: int, size: int, bits: BitSource) -> Integers:
    width = (bound - 1).bit_length()
    length = -(-width // 8)
    excess = 8 * length - width
    values: list[int] = []
    while len(values) < size:
        value = int.from_bytes(bits(length), "little") >> excess
        if value < bound:
            values.append(value)
    return np.array(values, dtype=object)
