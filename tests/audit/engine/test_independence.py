"""The smoke test of independence finds what voids the guarantees, and leaves the rest alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.draws.independence import find_dependence

Array = NDArray[np.float64]
SIZE = 400


def arms(*values: Array) -> tuple[Outcomes, Outcomes]:
    """Encode two arms of single values."""
    encoder = Encoder()
    return encoder.encode(values[0]), encoder.encode(values[1])


SOUND: dict[str, Callable[[np.random.Generator], Array]] = {
    "continuous": lambda rng: rng.laplace(size=SIZE),
    "bits": lambda rng: rng.integers(0, 2, SIZE).astype(float),
    "rare bits": lambda rng: (rng.random(SIZE) < 0.01).astype(float),
    "clipped": lambda rng: np.clip(rng.laplace(size=SIZE), 0, 1),
    "constant": lambda _: np.full(SIZE, 0.3),
    "a rare atom": lambda rng: (rng.random(SIZE) < 0.005).astype(float),
    "heavy tails": lambda rng: rng.standard_cauchy(size=SIZE),
}


@pytest.mark.long
@pytest.mark.parametrize("name", SOUND)
def test_independent_draws_pass(name: str, dp_rng: np.random.Generator) -> None:
    """Independent and constant outputs pass, 50 times over (level 1e-9 each)."""
    for _ in range(50):
        first = arms(SOUND[name](dp_rng), SOUND[name](dp_rng))
        second = arms(SOUND[name](dp_rng), SOUND[name](dp_rng))
        assert find_dependence(first, second) is None


def test_repeated_blocks_are_found(dp_rng: np.random.Generator) -> None:
    """Every draw returned twice is seen as a period."""
    repeated = np.repeat(dp_rng.laplace(size=SIZE // 2), 2)
    assert "repeat" in str(find_dependence(arms(repeated, dp_rng.laplace(size=SIZE))))


def test_a_cached_seed_is_found(dp_rng: np.random.Generator) -> None:
    """Two calls with the same draws are seen, also for two-valued outputs."""
    for draws in (dp_rng.laplace(size=SIZE), dp_rng.integers(0, 2, SIZE).astype(float)):
        first = arms(draws, dp_rng.laplace(size=SIZE))
        second = arms(draws, dp_rng.laplace(size=SIZE))
        assert find_dependence(first, second) == "two calls on the data return the same draws"


def test_shared_random_numbers_are_found(dp_rng: np.random.Generator) -> None:
    """Arms that use one stream are seen: T1 needs independent arms (.073 false alarms at .05)."""
    noise = dp_rng.laplace(size=SIZE)
    assert "share random numbers" in str(find_dependence(arms(noise, noise + 1)))


def test_serial_correlation_is_found(dp_rng: np.random.Generator) -> None:
    """A random walk is no sample."""
    walk = np.cumsum(dp_rng.normal(size=SIZE))
    assert find_dependence(arms(walk, dp_rng.normal(size=SIZE))) is not None
