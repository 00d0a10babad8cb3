"""Noisy counts of groups: the stated law, the sampler, what a user costs, and the public limit."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.laws import FLOATS
from mechanisms.personalized.groups.counts import CountsLaw, GroupCounts, lumped_from
from mechanisms.protocols import FiniteLaw
from tests.mechanisms.subset import chi_square

F = Fraction
MOST = 10**6
RATES = st.fractions("1/20", 2, max_denominator=20)


def slow_tail(count: int, users: int, rate: Fraction, quotient: Fraction) -> float:
    """P(floor(users + Lap(1 / rate) - offset) >= count) from the cdf of the Laplace law."""
    x = float(rate) * (count - users) + math.log(quotient)
    return 0.5 * math.exp(-x) if x >= 0 else 1 - 0.5 * math.exp(x)


def largest_loss(law: CountsLaw, neighbor: CountsLaw) -> float:
    """Largest logarithm of the ratio of two probabilities, either way round."""
    p, q = law.masses(FLOATS), neighbor.masses(FLOATS)
    assert p.keys() == q.keys()
    return max(abs(math.log(p[z] / q[z])) for z in p)


@given(
    sizes=st.lists(st.integers(0, 40), min_size=1, max_size=3),
    rate=RATES,
    quotient=st.fractions("11/10", 50, max_denominator=10),
)
def test_law_is_that_of_rounded_laplace_noise(
    sizes: list[int], rate: Fraction, quotient: Fraction
) -> None:
    """Masses must be differences of Laplace tails, group by group, and add up to 1."""
    rates = tuple(rate * (i + 1) for i in range(len(sizes)))
    law = GroupCounts(rates, quotient, MOST).law(sizes)
    assert isinstance(law, FiniteLaw)
    masses = law.masses(FLOATS)
    assert sum(masses.values()) == pytest.approx(1, abs=1e-12)
    for outcome in product((0, 1, law.last // 2, law.last), repeat=len(sizes)):
        expected = 1.0
        for count, users, r in zip(outcome, sizes, rates, strict=True):
            above = 0.0 if count == law.last else slow_tail(count + 1, users, r, quotient)
            expected *= (slow_tail(count, users, r, quotient) if count else 1.0) - above
        assert masses[outcome] == pytest.approx(expected, rel=1e-9, abs=1e-13)


def test_a_user_costs_the_rate(subtests: pytest.Subtests) -> None:
    """The loss of a count must be its rate, reached: left / 2, or left as printed."""
    for left in ["0.3", "1", "2"]:
        for users in [0, 1, 4, 30]:
            with subtests.test(left=left, users=users):
                for rate in (F(left) / 2, F(left)):
                    noise = GroupCounts((rate,), F(20), MOST)
                    loss = largest_loss(noise.law([users + 1]), noise.law([users]))
                    assert loss == pytest.approx(float(rate), abs=1e-12)


def test_losses_at_left_end_three_tenths() -> None:
    """At left = 0.3 a count must cost 0.15, and as printed 0.3, also beside other groups."""
    sound = GroupCounts((F("0.15"), F("0.3")), F(40), MOST)
    printed = GroupCounts((F("0.3"), F("0.6")), F(40), MOST)
    assert largest_loss(sound.law([1, 5]), sound.law([0, 5])) == pytest.approx(0.15, abs=1e-12)
    assert largest_loss(printed.law([1, 5]), printed.law([0, 5])) == pytest.approx(0.3, abs=1e-12)


def test_ratio_is_constant_above_the_size_of_the_group() -> None:
    """Every count of at least 1 must be e^rate times as likely with the only user as without."""
    noise = GroupCounts((F("0.3"),), F(20), MOST)
    p, q = noise.law([1]).masses(FLOATS), noise.law([0]).masses(FLOATS)
    for count in range(1, 65):
        assert p[count,] / q[count,] == pytest.approx(math.exp(0.3), rel=1e-11)
    assert p[0,] < q[0,]


def test_offset_of_the_reference() -> None:
    """(2 / left) ln(2 J / beta) at left = 0.1, J = 4, beta = 0.1 must be 87.6405326934776."""
    rates = tuple(F("0.1") * 2**i / 2 for i in range(4))
    noise = GroupCounts(rates, 2 * 4 / F("0.1"), MOST)
    np.testing.assert_allclose(noise.offsets[0], 87.6405326934776, rtol=1e-14)
    np.testing.assert_allclose(noise.offsets, noise.offsets[0] / 2.0 ** np.arange(4), rtol=1e-15)


def merged(p: np.ndarray, counts: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Cells of less than `least` as one."""
    small = p < least
    return np.append(p[~small], p[small].sum()), np.append(counts[~small], counts[small].sum())


@pytest.mark.parametrize("wrong", ["5 % larger rate", "offset without the 2", "rounded"])
def test_sampler_has_the_stated_law(wrong: str, dp_rng: np.random.Generator) -> None:
    """Draws must pass a chi-square test that rejects slightly wrong noise."""
    rates, quotient, sizes = (F(1, 2), F(1)), F(40, 9), np.array([6, 2])
    noise = GroupCounts(rates, quotient, MOST)
    law = noise.law(sizes.tolist())

    def table(draws: np.ndarray) -> np.ndarray:
        codes = np.minimum(draws, law.last) @ np.array([law.last + 1, 1])
        return np.bincount(codes, minlength=(law.last + 1) ** 2)

    other = {
        "5 % larger rate": GroupCounts((F(21, 40), F(1)), quotient, MOST),
        "offset without the 2": GroupCounts(rates, quotient / 2, MOST),
        "rounded": GroupCounts(rates, F(math.exp(math.log(quotient) - 0.25)), MOST),
    }[wrong]
    masses = np.array(list(law.masses(FLOATS).values()))
    others = np.array(list(other.law(sizes.tolist()).masses(FLOATS).values()))
    p, q = merged(masses, others, 1e-3)
    size = chi_square.draws_for(p, q)
    assert size < 2_000_000
    counts = table(noise.draw(sizes, size, rng=dp_rng))
    value, limit = chi_square.statistic(merged(masses, counts, 1e-3)[1].astype(np.int64), p)
    assert value < limit
    counts = table(other.draw(sizes, size, rng=dp_rng))
    value, limit = chi_square.statistic(merged(masses, counts, 1e-3)[1].astype(np.int64), p)
    assert value > limit


def test_counts_are_whole_and_limited(dp_rng: np.random.Generator) -> None:
    """Counts must be integers from 0 to the public limit, also with the widest noise."""
    noise = GroupCounts((F(1, 2 * 10**9), F(1)), F(20), 1000)
    draws = noise.draw(np.array([5, 5]), 2000, rng=dp_rng)
    assert draws.dtype == np.int64
    assert draws.min() == 0
    assert draws[:, 0].max() == 1000
    assert 0 < draws[:, 1].max() < 40


@pytest.mark.parametrize("most", [1, 3])
def test_a_limited_count_costs_no_more(most: int) -> None:
    """With a small limit the law must be its own cut, and the loss at most the rate."""
    noise, free = GroupCounts((F(1, 2),), F(5), most), GroupCounts((F(1, 2),), F(5), MOST)
    p, whole = noise.law([2]).masses(FLOATS), free.law([2]).masses(FLOATS)
    assert list(p) == [(c,) for c in range(most + 1)]
    above = sum(whole[c,] for c in range(most, 65))
    assert p[most,] == pytest.approx(above, rel=1e-12)
    assert largest_loss(noise.law([2]), noise.law([1])) <= 0.5 + 1e-12


def test_outcomes_of_the_law_are_few(subtests: pytest.Subtests) -> None:
    """The law must have at most 1024 outcomes, at least two a group, and at most 65."""
    for groups in range(1, 11):
        with subtests.test(groups=groups):
            last = lumped_from(groups, MOST)
            assert 1 <= last <= 64
            assert (last + 1) ** groups <= 1024
            assert last == 64 or (last + 2) ** groups > 1024


def test_no_law_is_stated_for_very_many_groups() -> None:
    """From 11 groups on there must be no law, as two outcomes a group are too many."""
    assert GroupCounts((F(1),) * 10, F(20), MOST).has_law
    assert not GroupCounts((F(1),) * 11, F(20), MOST).has_law


def test_outcomes_in_words() -> None:
    """A lumped count must be said to be one."""
    law = GroupCounts((F(1), F(1)), F(5), 3).law([0, 1])
    assert law.describe((0, 3)) == "counts = (0, 3 or more)"


def test_sign_of_a_tail_is_decided_exactly() -> None:
    """Where the offset nearly meets a whole number of scales, the right branch must be taken."""
    for nudge in (F(-1, 10**30), F(1, 10**30)):
        quotient = F(math.e) + nudge  # ln q - 1 is about 1e-16
        law = GroupCounts((F(1),), quotient, MOST).law([1])
        above = 1 - law.masses(FLOATS)[0,]
        assert above == pytest.approx(slow_tail(1, 1, F(1), quotient), rel=1e-12)
        assert law.masses(FLOATS)[0,] > 0


def test_law_without_users_is_that_of_noise_alone() -> None:
    """An empty group must count with probability e^-rate / (2 q)."""
    noise: Any = GroupCounts((F(1, 2),), F(20), MOST)
    masses = noise.law([0]).masses(FLOATS)
    assert 1 - masses[0,] == pytest.approx(math.exp(-0.5) / 40, rel=1e-12)
