"""Scores of pairs: what additive noise, its scale, kinds and outcomes must show, and must not."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from audit.screening.calibration import Calibration, calibration_of
from audit.screening.coupled_score import LARGEST, PairScore, coupled_score
from audit.screening.reading import Reading, failed, read
from audit.screening.yardstick import Yardstick, yardstick_of
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    PureDP,
    RenyiDP,
    TradeOff,
    ZeroConcentratedDP,
)

UNIT = yardstick_of(PureDP(1))


def noise(seed: int, size: int, law: str = "laplace") -> Any:
    """The noise of one state of the generator."""
    return getattr(np.random.Generator(np.random.Philox(seed)), law)(size=size)


def known(*outputs: Any) -> Calibration:
    """What plain data look like."""
    return calibration_of([read(np.asarray(one)) for one in outputs], goes_by_seed=True)


LAPLACE = known(noise(1, 20_000))


@pytest.mark.parametrize("moved", [0.5, 1.0, 2.0, 30.0])
def test_one_state_shows_the_difference_of_two_answers(moved: float) -> None:
    """It must hold of additive noise that the shift is the loss; of two states it is not seen."""
    x, y = read(noise(2, 8)), read(moved + noise(2, 8))
    score = coupled_score(x, y, LAPLACE, UNIT)
    assert score.shift == pytest.approx(moved, rel=0.03)
    assert not score.kind
    assert not score.factor
    others = [coupled_score(x, read(noise(s, 8)), LAPLACE, UNIT).shift for s in range(3, 23)]
    assert max(others) > 1.5  # draws of different states move without any loss


@pytest.mark.parametrize("factor", [2.0, 0.5, 1.001])
def test_two_states_show_the_ratio_of_two_scales(factor: float) -> None:
    """It must hold whatever the answers are; an honest shift has none."""
    x, y = read(noise(2, 8)), read(3.0 + factor * noise(2, 8))
    score = coupled_score(x, y, LAPLACE, UNIT)
    assert score.factor == pytest.approx(1 + abs(math.log(factor)), rel=1e-6)
    wide = "neighbor" if factor > 1 else "data"
    if abs(factor - 1) > 0.1:
        assert f"noise on the {wide} is" in coupled_score(x, x, LAPLACE, UNIT).why or (
            score.shift > score.factor or wide in score.why
        )


def test_noise_of_another_state_has_no_ratio() -> None:
    """It must hold that a ratio which is not constant is none: such noise tells nothing."""
    x, y = read(noise(2, 8)), read(2 * noise(3, 8))
    assert coupled_score(x, y, LAPLACE, UNIT).factor == 0


@pytest.mark.parametrize(
    "other",
    [
        read(np.full(8, np.nan)),
        read(np.full(8, np.inf)),
        read(np.zeros((8, 2))),
        failed("raises ValueError", 8),
        read([{"a": 1.0}] * 8),
    ],
)
def test_another_kind_of_output_comes_before_any_number(other: Reading) -> None:
    """It must hold of NaN, infinities, shapes, keys and exceptions; the same kinds are none."""
    score = coupled_score(read(noise(2, 8)), other, LAPLACE, UNIT)
    assert score.kind == 1
    assert score.value >= 1e6 > LARGEST
    assert "another kind of output" in score.why
    same = coupled_score(other, other, LAPLACE, UNIT)
    assert same.value == 0


def test_kinds_that_plain_data_have_by_chance_are_outcomes() -> None:
    """It must hold of a release that is NaN at random: it is no sign, and a new kind is one."""
    at_random = np.where(noise(1, 512) > 0, np.nan, noise(2, 512))
    plain = known(at_random)
    x, y = (read(np.where(noise(s, 8) > 0, np.nan, 1.0)) for s in (3, 4))
    assert x.kinds != y.kinds
    assert coupled_score(x, y, plain, UNIT).kind == 0
    assert coupled_score(x, failed("raises ValueError", 8), plain, UNIT).kind == 1
    assert coupled_score(x, y, LAPLACE, UNIT).kind > 0


def test_no_noise_hides_nothing() -> None:
    """It must hold of constants that differ; equal constants show nothing."""
    constant = known(np.zeros(64))
    x = read(np.zeros(8))
    assert coupled_score(x, read(np.full(8, 1e-9)), constant, UNIT).shift == LARGEST
    assert coupled_score(x, x, constant, UNIT).value == 0


def test_noise_that_is_mostly_zero_is_a_category() -> None:
    """It must hold of geometric noise at a weak claim: its middle half is one point, no scale."""
    p = 1 - math.exp(-1.5)
    rng = np.random.default_rng(1)
    plain = known(rng.geometric(p, 4000) - rng.geometric(p, 4000))
    assert plain.spread[0] == 0
    assert plain.lumps.all()
    x = read(np.arange(8.0))
    assert coupled_score(x, read(np.arange(8.0) + 1), plain, yardstick_of(PureDP("1.5"))).shift == 0


def test_outcomes_that_never_differ_hide_a_pair() -> None:
    """It must hold by the coupling inequality: the score is the share that differs, in units."""
    plain = known(np.array([0, 1] * 32))
    assert plain.lumps.all()
    x, y = read(np.array([0, 1, 0, 1])), read(np.array([0, 1, 1, 1]))
    score = coupled_score(x, y, plain, UNIT)
    assert score.category == pytest.approx(0.25 / math.tanh(0.5))
    assert coupled_score(x, x, plain, UNIT).value == 0


def test_shifts_add_up_where_the_claim_is_pure() -> None:
    """It must hold of vectors: losses of Laplace noise add, those of Gaussian noise by squares."""
    x = read(np.stack([noise(2, 8), noise(3, 8)], axis=1))
    y = read(x.values + 1)
    plain = known(np.stack([noise(4, 20_000), noise(5, 20_000)], axis=1))
    assert coupled_score(x, y, plain, UNIT).shift == pytest.approx(2, rel=0.05)
    normal = np.stack([noise(s, 20_000, "standard_normal") for s in (4, 5)], axis=1)
    of_mu = yardstick_of(GaussianDP(1))
    shift = coupled_score(x, y, known(normal), of_mu).shift
    assert shift == pytest.approx(math.sqrt(2), rel=0.05)


def test_yardsticks_of_claims_that_say_the_same_are_the_same() -> None:
    """It must hold of Gaussian noise of scale 1, as zCDP, Renyi, GDP and approximate DP."""
    stick = yardstick_of(GaussianDP(1))
    assert yardstick_of(ZeroConcentratedDP("1/2")) == stick
    assert yardstick_of(RenyiDP(8, 4)) == stick
    assert yardstick_of(ApproxDP(1, "0.126937")).epsilon == pytest.approx(1, abs=1e-4)
    assert yardstick_of(ApproxDP(1, "0.13")).epsilon > 1.005
    assert yardstick_of(PureDP(1)) == Yardstick(1.0, True, math.tanh(0.5), (1.0, 0.0))
    assert stick.distance == pytest.approx(0.3829, abs=1e-4)


def test_an_event_at_the_claim_shows_one_unit() -> None:
    """It must hold of lines with and without delta, and of Gaussian noise; below it is less."""
    e = math.e
    assert yardstick_of(PureDP(1)).loss(0.1 * e, 0.1) == pytest.approx(1)
    approximate = yardstick_of(ApproxDP(1, "0.05"))
    assert approximate.loss(0.05 + 0.1 * e, 0.1) == pytest.approx(1)
    assert approximate.loss(0.05, 1e-9) == 0  # as rare as what delta allows
    quantile = NormalDist()
    p, q = quantile.cdf(0.5), quantile.cdf(-0.5)
    assert yardstick_of(GaussianDP(1)).loss(p, q) == pytest.approx(1)
    assert yardstick_of(ZeroConcentratedDP(2)).loss(p, q) == pytest.approx(0.5)
    curve = TradeOff(((0, 1), ("0.1", "0.5"), (1, 0)))
    assert not yardstick_of(curve).known


def test_sure_scores_are_alike() -> None:
    """It must hold that of pairs which a few draws tell apart the plain one counts."""
    assert PairScore(shift=LARGEST).worth == PairScore(shift=7.0).worth == PairScore(kind=1.0).worth
    assert PairScore(shift=1.2).worth < PairScore(shift=1.7).worth < PairScore(shift=7.0).worth
