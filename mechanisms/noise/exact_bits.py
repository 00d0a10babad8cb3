"""Exact discrete randomness from uniform bytes: integers, Bernoulli(e^-x), geometric.

Every draw has exactly the stated law if the bytes are uniform: comparisons of integers only, no
floating point. A coin of a fixed probability compares a uniform number with its binary digits, as
many of both as are needed; one whose probability varies from draw to draw is Canonne, Kamath and
Steinke's (2020, Algorithms 1 and 2). Arrays hold int64 where that cannot overflow, and Python
integers otherwise. The run time depends on the draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BitSource",
    "bernoulli_exp",
    "bernoulli_logistic",
    "geometric",
    "uniform_below",
]

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
    """Draw Bernoulli(2^k e^-x) for a rational x >= 0 and k = `doublings` <= x, shape (size,)."""
    return _coins(_Chance(x, doublings), size, bits) if x else np.ones(size, np.bool_)


def bernoulli_logistic(x: Fraction, size: int, bits: BitSource) -> NDArray[np.bool_]:
    """Draw Bernoulli(1 / (1 + e^x)) for a rational x > 0, shape (size,)."""
    return _coins(_Chance(x, odds=True), size, bits)


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
        alive = alive[bernoulli_exp(Fraction(1), alive.size, bits)]
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


def _bernoulli_exp_unit(u: Integers, t: int, bits: BitSource) -> NDArray[np.bool_]:
    """Draw Bernoulli(e^(-u/t)) for each u in 0..t: the first failure of Bernoulli(u/(t k)) is odd.

    Bernoulli(u / (t k)) is the conjunction of Bernoulli(u / t) and Bernoulli(1 / k).
    """
    result = np.zeros(u.shape, np.bool_)
    alive = np.arange(u.size)
    k = 1
    while alive.size:
        below = uniform_below(t, alive.size, bits) < u[alive]
        goes_on = below.astype(np.bool_) & (uniform_below(k, alive.size, bits) == 0)
        result[alive[~goes_on]] = k % 2 == 1
        alive = alive[goes_on]
        k += 1
    return result


@final
@dataclass(frozen=True, slots=True)
class _Chance:
    """The probability 2^k e^-x, or 1 / (1 + e^x), for a rational x > 0: irrational, below 1."""

    x: Fraction
    doublings: int = 0
    odds: bool = False

    def within(self, places: int) -> tuple[int, int]:
        """Bounds of 2^places times the probability."""
        low, high = _exp_bounds(self.x, places)
        if self.odds:  # e^-x / (1 + e^-x), which grows with e^-x
            one = 1 << places
            return (low << places) // (one + low), -(-(high << places) // (one + high))
        return low << self.doublings, high << self.doublings


def _coins(chance: _Chance, size: int, bits: BitSource) -> NDArray[np.bool_]:
    """Whether uniform numbers are below a probability, by as many words of both as are needed."""
    result = np.zeros(size, np.bool_)
    undecided, place = np.arange(size), 0
    while undecided.size:
        word = np.uint64(_word_of(chance, place))
        drawn = _words(undecided.size, bits)
        result[undecided[drawn < word]] = True
        undecided = undecided[drawn == word]
        place += 1
    return result


@lru_cache(maxsize=256)
def _word_of(chance: _Chance, place: int) -> int:
    """Word number `place`, of 64 binary digits, of a probability: its bounds agree on it."""
    digits = guard = 64
    digits *= place + 1
    while True:
        low, high = chance.within(digits + guard)
        if low >> guard == high >> guard:
            return (low >> guard) % _WORD
        guard *= 2


def _exp_bounds(x: Fraction, places: int) -> tuple[int, int]:
    """Bounds of 2^places e^-x: the alternating series at x / 2^j < 1/2, squared j times."""
    halvings = (x.numerator // x.denominator).bit_length() + 1
    more = halvings + 32  # a squaring doubles the error and adds a unit
    one = 1 << (places + more)
    numerator, denominator = x.numerator, x.denominator << halvings
    low = high = low_term = high_term = one
    step = 0
    while high_term > 1:
        step += 1
        low_term = low_term * numerator // (denominator * step)
        high_term = -(-high_term * numerator // (denominator * step))
        low, high = (
            (low - high_term, high - low_term) if step % 2 else (low + low_term, high + high_term)
        )
    low, high = low - high_term, high + high_term  # what is left out is less than the last term
    for _ in range(halvings):
        low, high = low * low // one, -(-high * high // one)
    return low >> more, -(-high >> more)


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
