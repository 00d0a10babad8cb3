"""Products of laws of losses that are multiples of one unit, for the check of certificates.

Probabilities are integers that are rounded up after each product; a product of many is one of two
large integers, in whose digits every coefficient has its slot.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import final

from audit.certificate.account_losses import MOST_OUTCOMES, FiniteLoss, LossUnit
from audit.certificate.document import TooLarge
from audit.certificate.fixed_point import FixedPoint

__all__ = ["LossProduct", "loss_product"]

MOST_DIGITS = 800_000
"""Binary ones of a product: 2,400 losses at delta 1e-5, half a second with all of its squares."""


@final
@dataclass(frozen=True, slots=True)
class LossProduct:
    """At least the probabilities of losses first, first + stride, ... times the unit."""

    masses: list[int]
    first: int
    stride: int
    unit: LossUnit
    beyond: int
    """At least the probability of losses that are left out."""


def loss_product(parts: Sequence[tuple[FiniteLoss, int]], numbers: FixedPoint) -> LossProduct:
    """The law of the sum of so many losses of each law.

    Raises TooLarge if they have no common unit, or are too many.
    """
    unit = _common_unit(law.unit for law, _ in parts)
    laws, beyond, outcomes = [], 0, 0
    for law, count in parts:
        factor = 1 if unit.is_logarithm else int(law.unit.of / unit.of)
        laws.append(({at * factor: p for at, p in law.masses(numbers).items()}, count))
        beyond += count * (0 if law.beyond is None else law.beyond(numbers))
        outcomes += len(laws[-1][0])
        if outcomes > MOST_OUTCOMES:  # a product of them has as many: those left need no look
            msg = f"laws of more than {MOST_OUTCOMES} outcomes are not gone through"
            raise TooLarge(msg)
    lows = [min(masses) for masses, _ in laws]
    gaps = [at - low for (masses, _), low in zip(laws, lows, strict=True) for at in masses]
    stride = math.gcd(*gaps) or 1
    nodes = 1 + sum(count * (max(m) - min(m)) // stride for m, count in laws)
    digits = 2 * numbers.places + 8 * (nodes.bit_length() // 8 + 2)
    if nodes * digits > MOST_DIGITS:
        msg = f"a product of {nodes} losses is not gone through"
        raise TooLarge(msg)
    slots = _Slots(numbers.places // 8, digits // 8)
    rows = [
        slots.power([masses.get(at, 0) for at in range(low, max(masses) + 1, stride)], count)
        for (masses, count), low in zip(laws, lows, strict=True)
    ]
    first = sum(low * count for low, (_, count) in zip(lows, laws, strict=True))
    return LossProduct(reduce(slots.times, rows), first, stride, unit, beyond)


def _common_unit(units: Iterable[LossUnit]) -> LossUnit:
    """The largest number of which all units are multiples."""
    known = sorted(set(units), key=lambda unit: (unit.is_logarithm, unit.of))
    if any(unit.is_logarithm for unit in known):
        if len(known) > 1:
            msg = "losses without a common unit are not gone through"
            raise TooLarge(msg)
        return known[0]
    under = math.lcm(*(unit.of.denominator for unit in known))
    return LossUnit(Fraction(math.gcd(*(int(unit.of * under) for unit in known)), under))


@final
@dataclass(frozen=True, slots=True)
class _Slots:
    """Products of sums by products of integers, in slots of bytes that hold every coefficient."""

    places: int
    """Bytes behind the point of a coefficient."""
    width: int
    """Bytes of a slot."""

    def times(self, first: list[int], second: list[int]) -> list[int]:
        """Multiply, and round each coefficient up."""
        size = len(first) + len(second) - 1
        whole = self._packed(first) * self._packed(second)
        data = whole.to_bytes(size * self.width, "little")
        unit = 1 << (8 * self.places)
        starts = range(0, len(data), self.width)
        found = (int.from_bytes(data[at : at + self.width], "little") for at in starts)
        return [-(-one // unit) for one in found]

    def power(self, base: list[int], exponent: int) -> list[int]:
        """Multiply so many of one, at least 1."""
        result: list[int] | None = None
        while True:
            if exponent & 1:
                result = base if result is None else self.times(result, base)
            exponent >>= 1
            if not exponent:
                assert result is not None
                return result
            base = self.times(base, base)

    def _packed(self, numbers: list[int]) -> int:
        return int.from_bytes(b"".join(n.to_bytes(self.width, "little") for n in numbers), "little")
