"""The sparse vector technique: the six published algorithms, and their relatives.

Lyu, Su, Li, "Understanding the sparse vector technique for differential privacy", PVLDB 2017,
Algorithms 1 to 6: answer 1 iff x_i + nu_i >= T + rho, stop after the c-th 1 (where it stops).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.svt_law import UNASKED, Scales, gap_loss, rows_of_answers, value_loss
from mechanisms.corpus.svt_variants import VARIANTS, Variant
from mechanisms.corpus.vectors import Pairs, Vector, any_entry_pairs, both_ways, claim_pure, vector
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_choice, check_fraction, check_integer, check_size

__all__ = ["SparseVector"]


@final
@dataclass(frozen=True, slots=True)
class SparseVector:
    """Answers about n thresholds: 0, 1 (or a value), and -1 (or NaN) after the stop."""

    epsilon: Fraction
    variant: str
    c: int
    threshold: Fraction
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = any_entry_pairs(10)

    def __init__(
        self, epsilon: Number = "1/10", variant: str = "svt1", c: int = 1, threshold: Number = 1
    ) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "variant", check_choice(variant, "variant", tuple(VARIANTS)))
        object.__setattr__(self, "c", check_integer(c, "c", at_least=1))
        object.__setattr__(self, "threshold", check_fraction(threshold, "threshold"))

    @property
    def rule(self) -> Variant:
        """Scales and rules of the variant."""
        return VARIANTS[self.variant]

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon; each answer may differ by 1."""
        return claim_pure(self.epsilon, "Lyu, Su, Li 2017", self.rule.item)

    @property
    def parts(self) -> Scales:
        """Scales of rho and nu, and the threshold."""
        return Scales(*self.rule.scales(self.epsilon, self.c), float(self.threshold))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """Draw, shape (size, n): int8 answers, or floats where a value is released."""
        x, parts = vector(data), self.parts
        noisy = x + parts.nu * rng.laplace(size=(check_size(size), x.size))
        bar = parts.bar + parts.scale * rng.laplace(size=size)
        above = _compare(noisy, bar, parts, rng if self.rule.redraws else None)
        over = (np.cumsum(above, axis=1) - above >= self.c) & self.rule.stops
        if self.rule.release == "answer":
            return np.where(over, UNASKED, above).astype(np.int8)
        if self.rule.release == "fresh":
            noisy = x + rng.laplace(scale=float(3 * self.c / self.epsilon), size=noisy.shape)
        elif self.rule.release == "gap":  # rho is drawn once in this variant
            noisy = noisy - bar[:, None]
        return np.where(over, np.nan, np.where(above, noisy, 0.0))

    def patterns(self, n: int) -> NDArray[np.int8]:
        """All answers of n queries that can come, shape (patterns, n)."""
        return rows_of_answers(n, self.c if self.rule.stops else n + 1)

    def law(self, data: Any) -> Vector:
        """Probabilities of `patterns`."""
        x, patterns = vector(data), self.patterns(vector(data).size)
        return (
            _redrawn(self.parts, x, patterns) if self.rule.redraws else self.parts.law(x, patterns)
        )

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Largest log ratio of outputs, both ways (of values: over a grid of one scale)."""
        return _epsilon(self, vector(data), vector(neighbor))


def _compare(
    noisy: NDArray[np.float64], bar: Vector, parts: Scales, rng: np.random.Generator | None
) -> NDArray[np.bool_]:
    """Answers, shape (size, n); with a generator the bar is drawn again after each 1."""
    if rng is None:
        return np.asarray(noisy >= bar[:, None])
    above = np.empty(noisy.shape, dtype=np.bool_)
    bar = bar.copy()
    for i in range(noisy.shape[1]):
        above[:, i] = noisy[:, i] >= bar
        again = parts.scale * rng.laplace(size=int(above[:, i].sum()))
        bar[above[:, i]] = parts.bar + again
    return above


def _redrawn(parts: Scales, x: Vector, patterns: NDArray[np.int8]) -> Vector:
    """Law where each 1 ends a segment with a rho of its own."""
    segment = np.cumsum(patterns == 1, axis=1) - (patterns == 1)
    laws = [
        parts.law(x, np.where(segment == s, patterns, UNASKED)) for s in range(segment.max() + 1)
    ]
    return np.asarray(np.prod(laws, axis=0))


def _epsilon(mechanism: SparseVector, x: Vector, y: Vector) -> float:
    parts, patterns = mechanism.parts, mechanism.patterns(x.size)
    release, c = mechanism.rule.release, mechanism.c
    if release == "value":
        return both_ways(lambda a, b: value_loss(parts, a, b, patterns), x, y)
    if release == "gap":
        if c != 1:
            msg = f"the exact epsilon of gaps is for c = 1, got c={c}"
            raise InvalidArgument(msg)
        return gap_loss(parts, x, y, patterns)
    p, q = mechanism.law(x), mechanism.law(y)
    if ((p > 0) != (q > 0)).any():
        return math.inf
    ratio = np.abs(np.log(p[p > 0] / q[p > 0]))
    if release == "fresh":  # the values do not depend on the comparison
        ones = patterns[p > 0] == 1
        ratio = ratio + ones @ np.abs(x - y) * float(mechanism.epsilon / (3 * c))
    return float(ratio.max())
