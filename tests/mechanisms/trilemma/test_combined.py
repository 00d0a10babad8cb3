"""The combined estimator: its law, no bias for any margin, and its exact loss."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from mechanisms.claims import ApproxDP
from mechanisms.protocols import Mechanism
from mechanisms.trilemma.clipped_mean import ClippedMean
from mechanisms.trilemma.combined_mean import CombinedMean, combined_excess
from mechanisms.trilemma.errors import mse_combined_exact
from mechanisms.trilemma.name_and_shame import NamedLaw
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance
from tests.mechanisms.trilemma.laplace_mixture import mixture_cdf
from tests.mechanisms.trilemma.printed import as_printed
from tests.mechanisms.trilemma.rationals import RATIONALS

F = Fraction
FAR = [-30.0, 0.25, 0.5, 2.0, 45.0]
"""Records with an excess on either side."""


@pytest.mark.parametrize(
    ("count", "arguments", "margin"),
    [
        (1000, (1, "0.000001", 0, 1, 1, 4), "74.767439061061"),
        (1000, ("0.1", "0.000001", 0, 1, 2, 4), "47.2870804501588"),
        (100_000, ("0.5", "1e-9", 0, 1, "1.5", 3), "13283.2321147826"),
        (200, (2, "0.01", -1, 1, 1, 6), "3.6124173075513"),
    ],
)
def test_margins_are_the_reference(count: int, arguments: tuple[Any, ...], margin: str) -> None:
    """TRI-P3.0.3: the printed digits of c must come out of the ends, which follow n."""
    mechanism = CombinedMean(*arguments)
    lower, upper = mechanism.ends(count)
    c = float(margin)
    assert float(mechanism.low) - lower == pytest.approx(c, rel=1e-13)
    assert upper - float(mechanism.high) == pytest.approx(c, rel=1e-13)


def test_a_margin_of_ones_own_does_not_follow_the_count() -> None:
    """It must be the same for every n, and 0 is allowed."""
    assert (
        CombinedMean(distance="3/2").ends(1) == CombinedMean(distance="3/2").ends(99) == (-1.5, 2.5)
    )
    assert CombinedMean(distance=0).ends(7) == (0.0, 1.0)


def test_release_has_the_law_of_noise_and_coins(dp_rng: np.random.Generator) -> None:
    """Draws must have the exact mixture, and not one of delta or a scale 10 % off (1e-9 each)."""
    mechanism = CombinedMean("1/2", "1/4", 0, 1, distance=1)
    assert isinstance(mechanism, Mechanism)
    assert mechanism.claim.level == ApproxDP("1/2", "1/4")
    data = [-4.0, 0.5, 6.0]  # excesses -3 and 4
    center, scale = (-1 + 0.5 + 2) / 3, 3 / (0.5 * 3)

    def mixture(delta: float, scale: float) -> Any:
        named = ((-3.0, delta), (0.0, 1 - delta)), ((4.0, delta), (0.0, 1 - delta))
        parts = [(p * q, center + (x + y) / (3 * 0.25)) for (x, p), (y, q) in product(*named)]
        return mixture_cdf(parts, scale)

    true = mixture(0.25, scale)
    others = [mixture(d, s * scale) for d, s in ((0.275, 1), (0.225, 1), (0.25, 1.1), (0.25, 0.9))]
    grid = np.linspace(-30, 30, 6001)
    distance = min(law_distance(true, wrong, grid) for wrong in others)
    draws = mechanism.sample(data, draws_for(distance), rng=dp_rng)
    assert_law(draws, true, distance)
    for wrong in others:
        assert_not_law(draws, wrong, distance)


@pytest.mark.parametrize("distance", [None, 0, "0.3", "1.118", 2, 100])
def test_no_bias_for_any_margin(distance: Any, dp_rng: np.random.Generator) -> None:
    """The mean of draws must be within 6 sigma (2e-9) of that of the records.

    A fifth of the mean excess must show: what coins of a rate 20 % off would add. The variance of a
    draw is 2 (width / (n epsilon))^2 + (1 / delta - 1) / n^2 sum of excess^2.
    """
    mechanism, size = CombinedMean(1, "1/4", distance=distance), 200_000
    lower, upper = mechanism.ends(len(FAR))
    excess = np.array(FAR) - np.clip(FAR, lower, upper)
    n = len(FAR)
    variance = 2 * ((upper - lower) / n) ** 2 + 3 / n**2 * float(np.sum(excess**2))
    limit = 6 * math.sqrt(variance / size)
    found = float(mechanism.sample(FAR, size, rng=dp_rng).mean())
    assert abs(found - float(np.mean(FAR))) < limit
    assert not excess.any() or 2 * limit < float(excess.mean()) / 5


def test_clipping_alone_is_biased_there(dp_rng: np.random.Generator) -> None:
    """The clipped mean with the same ends must miss the records' mean by far."""
    clipped, size = ClippedMean(1, 0, 1, "1/2"), 100_000
    assert clipped.ends == CombinedMean(distance=2).ends(5)
    found = float(clipped.sample(FAR, size, rng=dp_rng).mean())
    expected = float(np.mean(np.clip(FAR, -2, 3)))
    assert abs(found - expected) < 6 * math.sqrt(2 / size)
    assert abs(expected - float(np.mean(FAR))) > 2


@pytest.mark.parametrize(
    ("z", "exact"),
    [
        ("0.001", "4.87705755e-4"),
        ("0.01", "3.934693403e-3"),
        ("0.1", "9.93262053e-3"),
        ("1", "0.0100000000"),
    ],
)
def test_loss_is_the_reference(z: str, exact: str) -> None:
    """TRI-A.COMB: delta (1 - e^-u) must have the measured values, to the printed digits."""
    found = combined_excess(float(z), float(z), width=2, delta=0.01, epsilon=1)
    assert found == as_printed(exact)


@pytest.mark.parametrize(("below", "above"), [(0.0, 3.0), (1.0, 4.0), (2.0, 2.0)])
def test_the_other_direction_loses_no_more(below: float, above: float) -> None:
    """Over half-lines the divergence must be the closed form one way, and at most that back.

    Back it is 1 - sqrt(A B), A = 1 - delta (1 - e^-u) of either excess, in units of the noise.
    """
    epsilon, delta = 1.0, 0.2
    p = mixture_cdf([(1 - delta, epsilon), (delta, epsilon + above)], 1)
    q = mixture_cdf([(1 - delta, 0.0), (delta, -below)], 1)
    grid = np.linspace(-10, 10, 200_001)
    forth = (1 - p(grid) - math.exp(epsilon) * (1 - q(grid))).max()
    back = (q(grid) - math.exp(epsilon) * p(grid)).max()
    z = [u * delta / epsilon for u in (below, above)]
    closed = combined_excess(z[0], z[1], width=1, delta=delta, epsilon=epsilon)
    kept = [1 + delta * math.expm1(-u) for u in (below, above)]
    assert forth == pytest.approx(closed, rel=1e-7)
    assert back == pytest.approx(1 - math.sqrt(kept[0] * kept[1]), rel=1e-7)
    assert back <= forth * (1 + 1e-12)


def test_record_range_shows_the_loss(subtests: pytest.Subtests) -> None:
    """Records from its ends must lose delta, to a relative 1e-8, for each number of records."""
    for distance in [None, 0, 5]:
        for count in [1, 2, 30, 1000]:
            with subtests.test(distance=distance, count=count):
                mechanism = CombinedMean("1/3", "1/50", -1, 3, 2, 5, distance)
                (lower, upper), (lowest, highest) = mechanism.ends(count), mechanism.record_range
                width, delta = upper - lower, float(mechanism.delta)
                both = (lower - float(lowest), float(highest) - upper)
                for below, above in (both, (0, both[1]), (both[0], 0)):
                    found = combined_excess(below, above, width=width, delta=delta, epsilon=1 / 3)
                    assert delta * (1 - 1e-8) < found <= delta


@pytest.mark.parametrize("c", [F(0), F(1, 2), F(3)])
def test_error_is_the_stated_identity(c: Fraction) -> None:
    """For two records of a law on three points TRI-P3.0.3-exact must be exact, for every margin."""
    points = ((F(-1), F(1, 2)), (F(1), F(1, 3)), (F(4), F(1, 6)))
    delta, epsilon = F(1, 5), F(3, 2)

    def clip(x: Fraction) -> Fraction:
        return min(max(x, -c), F(1, 2) + c)

    mu = sum((x * p for x, p in points), F(0))
    var = sum(((x - mu) ** 2 * p for x, p in points), F(0))
    tail = sum(((x - clip(x)) ** 2 * p for x, p in points), F(0))
    width = F(1, 2) + 2 * c
    bias, square = F(0), F(0)
    for (x, p), (y, q) in product(points, repeat=2):
        coins: Any = NamedLaw((x - clip(x), y - clip(y)), delta).masses(RATIONALS)
        for z, m in coins.items():
            off = (clip(x) + clip(y)) / 2 + z - mu
            bias += p * q * m * off
            square += p * q * m * off**2
    assert bias == 0
    square += 2 * (width / (2 * epsilon)) ** 2  # of the noise, which is independent
    stated = mse_combined_exact(2, epsilon, delta, width, var, tail)
    assert float(square) == pytest.approx(stated, rel=1e-14)
