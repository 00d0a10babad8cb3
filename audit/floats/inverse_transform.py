"""Noise by inverse transform: one value for each uniform, so its values have gaps.

A uniform is k 2^-53 (k 2^-24 in single precision), and the noise a monotone function of it, such
as -scale sign(v) log(1 - 2 |v|) with v = u - 1/2 for Laplace's law. In the tails the values are
further apart than the machine numbers of a sum are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import SupportsFloat, final

import numpy as np

from audit.floats.machine_numbers import Float, FloatType, first_where, precision, rank
from audit.floats.noise_values import MOST_SEARCHED, Window
from mechanisms.errors import InvalidArgument

PLACES = (0, 3, 5, 6)
"""Of the uniforms to try in each octave of the tails, in eighths."""


@final
@dataclass(frozen=True, slots=True)
class InverseTransform:
    """Noise that is a monotone function of one uniform k 2^-bits, first <= k <= last."""

    function: Callable[[Float], SupportsFloat]
    """Of the uniform, a float of the format of the noise (a double where that has too few bits). It
    stands for a monotone function, up to rounding."""
    dtype: FloatType = np.float64
    """numpy.float64 or numpy.float32: what the noise is rounded to."""
    bits: int = 0
    """Of the uniform; by default 53, or 24 in single precision."""
    first: int = 1
    last: int = -1
    """Uniforms that are used; by default all but 0, at which most logarithms fail."""
    slack: int = 4
    """How far a value may be from that function, in units in the last place. It is the user's
    statement (a relative error: not for a transform that cancels near 0); where the values of a
    window contradict it, that is an error."""

    def __post_init__(self) -> None:
        bits = self.bits or precision(self.dtype)
        last = 2**bits - 1 if self.last < 0 else self.last
        if not 0 <= self.first < last < 2**bits or bits > 53 or self.slack < 0:
            msg = (
                "first, last, bits and slack must satisfy 0 <= first < last < 2^bits, bits <= 53 "
                f"and slack >= 0, got first={self.first!r}, last={last!r}, bits={bits!r}, "
                f"slack={self.slack!r}"
            )
            raise InvalidArgument(msg)
        object.__setattr__(self, "bits", bits)
        object.__setattr__(self, "last", last)
        some = sorted({k for index in self.examples() for k in (index, index + 1) if k <= last})
        steps = some if self._rising else some[::-1]
        self._check_monotone((k, rank(self.value(k))) for k in steps)

    @property
    def indices(self) -> int:
        """All uniforms are equally likely."""
        return self.last - self.first + 1

    def value(self, index: int) -> Float:
        """Noise of the uniform index 2^-bits."""
        kind = self.dtype if self.bits <= precision(self.dtype) else np.float64
        uniform = kind(math.ldexp(index, -self.bits))
        found: Float = self.dtype(self.function(uniform))
        if not math.isfinite(found):
            msg = f"the noise must be finite, got {found!r} at the uniform {float(uniform)!r}"
            raise InvalidArgument(msg)
        return found

    def examples(self) -> Iterator[int]:
        """A few uniforms in each octave from either end, those in the middle first, the ends last.

        The noise of the ends is the largest there is: added to the larger data value, it is out of
        reach of the other one whatever the gaps.
        """
        for octave in range(self.bits - 2, 2, -1):
            for place in PLACES:
                offset = (8 + place) << (octave - 3)
                for index in (self.first + offset, self.last - offset):
                    if self.first < index < self.last:
                        yield index
        yield from (self.first, self.last)

    def between(self, lower: Float, upper: Float) -> Window | None:
        """Search all uniforms that can give a value of the interval.

        Beyond the window, a value is more than twice the slack away from the interval at the
        nearest uniform, so for all others more than once: none of them is in it.
        """
        start, end = rank(lower) - 2 * self.slack, rank(upper) + 2 * self.slack
        span, rising = self.last - self.first, self._rising

        def place(step: int) -> int:
            return self.first + step if rising else self.last - step

        def rank_at(step: int) -> int:
            return rank(self.value(place(step)))

        low = first_where(lambda step: rank_at(step) >= start, 0, span)
        high = first_where(lambda step: rank_at(step) > end, low, span)
        if high - low > MOST_SEARCHED:
            return None
        ranks = [(place(step), rank_at(step)) for step in range(low, high)]
        self._check_monotone(ranks)
        hits = sorted(k for k, number in ranks if rank(lower) <= number <= rank(upper))
        first, last = (low, high - 1) if rising else (span - high + 1, span - low)
        first, last = self.first + first, self.first + last
        edges = [k for k in (first - 1, last + 1) if self.first <= k <= self.last]
        return Window(first, last, tuple(hits), tuple(edges))

    @property
    def _rising(self) -> bool:
        return bool(self.value(self.first) <= self.value(self.last))

    def _check_monotone(self, ranks: Iterable[tuple[int, int]]) -> None:
        """Check that ranks (index, rank) fall by no more than the slack of two values."""
        highest = -math.inf
        for index, number in ranks:
            if number < highest - 2 * self.slack:
                msg = (
                    f"the noise must be monotone up to {self.slack} units in the last place; it is "
                    f"not at k = {index}, where it is {float(self.value(index))!r}"
                )
                raise InvalidArgument(msg)
            highest = max(highest, number)
