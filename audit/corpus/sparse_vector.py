"""The sparse vector technique: the six published algorithms, and three that release a value.

Lyu, Su, Li, "Understanding the sparse vector technique for differential privacy", PVLDB 2017,
Algorithms 1 to 6: answer 1 iff x_i + nu_i >= T + rho, stop after the c-th 1 (where it stops).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.corpus.quadrature import log_cdf, log_density, log_survival, panels
from audit.corpus.svt_variants import VARIANTS
from audit.corpus.vectors import Pairs, Vector, any_entry_pairs, both_ways, claim_pure, vector
from mechanisms.claims import Order, PrivacyClaim
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_choice, check_fraction, check_integer, check_size

__all__ = ["SparseVector"]

UNASKED = -1
"""What stands for a query after the stop."""

NEVER = -1e9
"""ln 0, as a number that may be multiplied by 0."""


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
    def claim(self) -> PrivacyClaim:
        """Pure epsilon; each answer may differ by 1."""
        return claim_pure(self.epsilon, "Lyu, Su, Li 2017", VARIANTS[self.variant].item)

    @property
    def scales(self) -> tuple[float, float]:
        """Scales of rho and nu."""
        v = VARIANTS[self.variant]
        rho, nu = (
            scale * (self.c if by_c else 1) / self.epsilon
            for scale, by_c in ((v.rho, v.rho_by_c), (v.nu, v.nu_by_c))
        )
        return float(rho), float(nu)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """Draw, shape (size, n): int8 answers, or floats where a value is released."""
        x, v, (scale, nu) = vector(data), VARIANTS[self.variant], self.scales
        noisy = x + nu * rng.laplace(size=(check_size(size), x.size))
        bar = float(self.threshold) + scale * rng.laplace(size=size)
        above = np.empty(noisy.shape, dtype=np.bool_)
        for i in range(x.size):
            above[:, i] = noisy[:, i] >= bar
            if v.redraws:
                again = scale * rng.laplace(size=int(above[:, i].sum()))
                bar[above[:, i]] = float(self.threshold) + again
        over = (np.cumsum(above, axis=1) - above >= self.c) & v.stops
        if v.release == "answer":
            return np.where(over, UNASKED, above).astype(np.int8)
        if v.release == "fresh":
            noisy = x + rng.laplace(scale=float(3 * self.c / self.epsilon), size=noisy.shape)
        elif v.release == "gap":  # rho is drawn once in this variant
            noisy = noisy - bar[:, None]
        return np.where(over, np.nan, np.where(above, noisy, 0.0))

    def patterns(self, n: int) -> NDArray[np.int8]:
        """All answers of n queries that can come, shape (patterns, n)."""
        answers = np.array(list(product((0, 1), repeat=n)), dtype=np.int8)
        if not VARIANTS[self.variant].stops:
            return answers
        over = np.cumsum(answers, axis=1) - answers >= self.c
        return np.unique(np.where(over, UNASKED, answers), axis=0).astype(np.int8)

    def law(self, data: Any) -> Vector:
        """Probabilities of `patterns`, by quadrature over rho."""
        x, patterns = vector(data), self.patterns(vector(data).size)
        if not VARIANTS[self.variant].redraws:
            return self._integral(x, patterns)
        # each 1 ends a segment with a rho of its own
        segment = np.cumsum(patterns == 1, axis=1) - (patterns == 1)
        parts = [
            self._integral(x, np.where(segment == s, patterns, UNASKED)) for s in range(self.c)
        ]
        return np.asarray(np.prod(parts, axis=0))

    def _integral(self, x: Vector, patterns: NDArray[np.int8]) -> Vector:
        _, _, w, logs = self._integrand(x, x, patterns)
        return np.asarray((np.exp(logs) * w).sum(axis=1))

    def _integrand(
        self, x: Vector, kinks: Vector, patterns: NDArray[np.int8]
    ) -> tuple[Vector, Vector, Vector, NDArray[np.float64]]:
        """Panel edges, nodes, weights, and ln of the integrand, shape (patterns, nodes)."""
        scale, nu = self.scales
        bar = float(self.threshold)
        edges, t, w = panels([0.0, *(kinks - bar)], (scale, nu or scale))
        rho = t.ravel()
        u = bar + rho - x[:, None]  # no node lies on a kink
        above, below = (np.maximum(f(u, nu), NEVER) for f in (log_survival, log_cdf))
        logs = log_density(rho, scale) + (patterns == 1) @ above + (patterns == 0) @ below
        return edges, rho, w.ravel(), logs

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Largest log ratio of outputs, both ways (of values: over a grid of one scale)."""
        x, y, v = vector(data), vector(neighbor), VARIANTS[self.variant]
        if v.release == "value":
            return both_ways(self.value_loss, x, y)
        if v.release == "gap":
            return self._gap_epsilon(x, y)
        p, q = self.law(x), self.law(y)
        if ((p > 0) != (q > 0)).any():
            return math.inf
        ratio = np.abs(np.log(p[p > 0] / q[p > 0]))
        if v.release == "fresh":  # the values do not depend on the comparison
            ones = self.patterns(x.size)[p > 0] == 1
            ratio = ratio + ones @ np.abs(x - y) * float(self.epsilon / (3 * self.c))
        return float(ratio.max())

    def _gap_epsilon(self, x: Vector, y: Vector) -> float:
        """Largest log ratio of no answer above, and of gap densities over a grid (c = 1)."""
        if self.c != 1:
            msg = f"the exact epsilon of gaps is for c = 1, got c={self.c}"
            raise InvalidArgument(msg)
        p, q = self.law(x), self.law(y)
        patterns, (scale, nu) = self.patterns(x.size), self.scales
        gaps = np.concatenate([np.arange(0, 4.25, 0.25), np.array([0.5, 1, 4, 16, 64]) * scale])
        kinks = np.unique(np.concatenate([x, y])[:, None] - np.append(gaps, 0))
        asked = np.where(patterns == 1, UNASKED, patterns)
        logs = []
        for answers in (x, y):
            _, rho, w, before = self._integrand(answers, kinks, asked)
            u = gaps[:, None] + float(self.threshold) + rho
            tops = [
                np.log(np.exp(row + log_density(u - answers[pattern == 1], nu)) @ w)
                for row, pattern in zip(before, patterns, strict=True)
                if (pattern == 1).any()
            ]
            logs.append(np.array(tops))
        none = ~(patterns == 1).any(axis=1)
        worst = np.abs(np.log(p[none] / q[none])).max()
        return float(max(worst, np.abs(logs[0] - logs[1]).max()))

    def value_loss(self, x: Vector, y: Vector) -> float:
        """Largest ln P / Q of released values x_i + nu_i = v_i: they tell that rho <= min v - T.

        Given the least value m, a value beyond it is worth at most its ratio at v >= m.
        """
        patterns, kinks = self.patterns(x.size), np.concatenate([x, y])
        asked = np.where(patterns == 1, UNASKED, patterns)  # the density of values comes apart
        edges, _, w, logs = self._integrand(x, kinks, asked)
        other = self._integrand(y, kinks, asked)[3]
        shape = (len(patterns), edges.size - 1, -1)
        sums = [
            np.cumsum((np.exp(z) * w).reshape(shape).sum(axis=2), axis=1) for z in (logs, other)
        ]
        prefix = np.log(sums[0] / sums[1])
        m = edges[1:] + float(self.threshold)
        at = (np.abs(m - y[:, None]) - np.abs(m - x[:, None])) / self.scales[1]
        best = np.where(x >= y, (x - y) / self.scales[1], 0)[:, None]
        beyond = np.where((x >= y)[:, None], best, at)
        worst = -np.inf
        for row, pattern in zip(prefix, patterns, strict=True):
            ones = pattern == 1
            if not ones.any():
                worst = max(worst, float(row[-1]))
                continue
            least = (at[ones] - beyond[ones]).max(axis=0)
            worst = max(worst, float((row + beyond[ones].sum(axis=0) + least).max()))
        return worst
