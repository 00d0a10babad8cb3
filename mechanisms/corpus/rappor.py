"""RAPPOR on one value: a Bloom filter, permanent and instantaneous randomized response.

Erlingsson, Pihur, Korolova 2014. Hash i of a value v is murmur3 (32 bits, signed) of str(v) with
seed i, modulo the number of bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.finite import bits_loss
from mechanisms.corpus.local import ZERO_ONE
from mechanisms.corpus.vectors import Pairs, Vector, both_ways, claim_pure, scalar
from mechanisms.validation import Number, check_fraction, check_size

__all__ = ["Rappor", "murmur3"]

WORD = 0xFFFFFFFF
BITS = 20
HASHES = 4
CLAIM_DIGITS = 4
"""The level is a logarithm; its claim is rounded up to this many decimals."""


def _rotate(x: int, by: int) -> int:
    return (x << by | x >> (32 - by)) & WORD


def murmur3(text: bytes, seed: int) -> int:
    """Signed 32-bit murmur3 hash (the x86 variant)."""
    h, whole = seed, len(text) // 4 * 4
    for start in range(0, len(text), 4):
        k = int.from_bytes(text[start : start + 4], "little") * 0xCC9E2D51 & WORD
        h ^= _rotate(k, 15) * 0x1B873593 & WORD
        if start < whole:
            h = _rotate(h, 13) * 5 + 0xE6546B64 & WORD
    h ^= len(text)
    h = (h ^ h >> 16) * 0x85EBCA6B & WORD
    h = (h ^ h >> 13) * 0xC2B2AE35 & WORD
    h ^= h >> 16
    return h - 2**32 if h >> 31 else h


@final
@dataclass(frozen=True, slots=True)
class Rappor:
    """Each Bloom bit b is 1 with probability f/2 + (1 - f) b, then q where 1 and p where 0.

    p = 0 and q = 1 stop after the permanent step ("one-time").
    """

    f: Fraction
    p: Fraction
    q: Fraction
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = ZERO_ONE

    def __init__(self, f: Number = "3/4", p: Number = "0.45", q: Number = "0.55") -> None:
        object.__setattr__(self, "f", check_fraction(f, "f", above=0, at_most=1))
        object.__setattr__(self, "p", check_fraction(p, "p", at_least=0, below=1))
        object.__setattr__(self, "q", check_fraction(q, "q", above=self.p, at_most=1))

    @property
    def claim(self) -> PrivacyClaim:
        """H ln(q* (1 - p*) / (p* (1 - q*))), rounded up."""
        low, high = self.one_given(0), self.one_given(1)
        level = HASHES * math.log(high * (1 - low) / (low * (1 - high)))
        unit = 10**CLAIM_DIGITS
        epsilon = Fraction(math.ceil(level * unit), unit)
        return claim_pure(epsilon, "Erlingsson et al. 2014", "Theorems 1 and 2")

    def one_given(self, bit: int) -> Fraction:
        """Probability p* or q* of reporting a 1 for a Bloom bit."""
        kept = self.f / 2 + (1 - self.f) * bit
        return kept * self.q + (1 - kept) * self.p

    def bits(self, data: Any) -> Vector:
        """Probability of a 1 in each reported bit, shape (20,)."""
        text = str(round(scalar(data))).encode()
        bloom = {murmur3(text, seed) % BITS for seed in range(HASHES)}
        return np.array([float(self.one_given(int(place in bloom))) for place in range(BITS)])

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int8]:
        """Draw, shape (size, 20): both steps at once, since each report is a fresh one."""
        return (rng.random((check_size(size), BITS)) < self.bits(data)).astype(np.int8)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Sum of the bits' largest log ratios, in the worse direction."""
        return both_ways(lambda x, y: bits_loss(self.bits(x), self.bits(y)), data, neighbor)
