"""Two sparse vector algorithms on the same answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.sparse_vector import SparseVector
from mechanisms.corpus.svt_law import value_loss
from mechanisms.corpus.vectors import Pairs, any_entry_pairs, both_ways, claim_pure, vector
from mechanisms.validation import Number, check_fraction, check_integer

__all__ = ["ParallelSparseVector"]


@final
@dataclass(frozen=True, slots=True)
class ParallelSparseVector:
    """Algorithms 3 and 4 on the same answers, both outputs (DP-Sniper's SVT34Parallel)."""

    epsilon: Fraction
    c: int
    threshold: Fraction
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = any_entry_pairs(10)

    def __init__(self, epsilon: Number = "1/10", c: int = 2, threshold: Number = 1) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "c", check_integer(c, "c", at_least=1))
        object.__setattr__(self, "threshold", check_fraction(threshold, "threshold"))

    @property
    def parts(self) -> tuple[SparseVector, SparseVector]:
        """The two algorithms."""
        third, fourth = (
            SparseVector(self.epsilon, name, self.c, self.threshold) for name in ("svt3", "svt4")
        )
        return third, fourth

    @property
    def claim(self) -> PrivacyClaim:
        """Pure 2 epsilon, by composition of the two promises."""
        return claim_pure(2 * self.epsilon, "Lyu, Su, Li 2017", "Algorithms 3 and 4 together")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size, 2 n): the values, then the answers."""
        return np.hstack([part.sample(data, size, rng=rng) for part in self.parts])

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Sum of the two losses, in the worse direction: the parts are independent."""
        third, fourth = self.parts

        def loss(x: Any, y: Any) -> float:
            answers = float(np.log(fourth.law(x) / fourth.law(y)).max())
            patterns = third.patterns(vector(x).size)
            return value_loss(third.parts, vector(x), vector(y), patterns) + answers

        return both_ways(loss, data, neighbor)
