"""Plain samplers that the engine's tests audit, sound and broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.targets.target import Target
from mechanisms.claims import ApproxDP, Level, Order, PrivacyClaim, PureDP, Relation, Source

Draw = Callable[[Any, int, np.random.Generator], Any]


def target(draw: Draw, *, name: str = "test", seedable: bool = True) -> Target:
    """Wrap a sampler."""
    return Target(name=name, draw=draw, claim=None, order=Order.FREE, seedable=seedable)


def claim(
    epsilon: object, delta: object = 0, relation: Relation = Relation.ADD_REMOVE
) -> PrivacyClaim:
    """State a pure or approximate claim."""
    level = PureDP(epsilon) if delta == 0 else ApproxDP(epsilon, delta)  # type: ignore[arg-type]
    return stated(level, relation)


def stated(level: Level, relation: Relation = Relation.ADD_REMOVE) -> PrivacyClaim:
    """State a claim of any level."""
    return PrivacyClaim(level, relation, Source("user", "stated in a test"))


def laplace(scale: float = 1.0) -> Draw:
    """Scalar data plus Laplace noise."""
    return lambda data, size, rng: float(data) + rng.laplace(scale=scale, size=size)


def geometric(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Scalar data plus two-sided geometric noise of ratio 1/e."""
    p = 1 - np.exp(-1)
    return int(data) + rng.geometric(p, size) - rng.geometric(p, size)


def transformed_mean(scale: float = 1.0) -> Draw:
    """Algorithm 3 of KSW on [0, 1] with Laplace noise of a given scale."""

    def draw(data: NDArray[np.float64], size: int, rng: np.random.Generator) -> Any:
        s1 = data.sum() + rng.laplace(scale=scale, size=size)
        s2 = (1 - data).sum() + rng.laplace(scale=scale, size=size)
        return np.clip(s1 / (s1 + s2), 0, 1)

    return draw


def shifted_mean(count_scale: float, *, pair: bool = False) -> Draw:
    """Algorithm 2 of KSW on [0, 1] at epsilon = 1 with a given count noise."""

    def draw(data: NDArray[np.float64], size: int, rng: np.random.Generator) -> Any:
        total = (data - 0.5).sum() + rng.laplace(size=size)
        count = len(data) + rng.laplace(scale=count_scale, size=size)
        if pair:
            return np.column_stack([total, count])
        return np.clip(total / count, -0.5, 0.5) + 0.5

    return draw
