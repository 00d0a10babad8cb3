"""Exact survival draws: enclosures of p, the slow path, tiny rates, laws and speed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath.ctx_iv import MPIntervalContext

from mechanisms.laws import FLOATS
from mechanisms.personalized.diffusion import rates as diffusion
from mechanisms.personalized.diffusion.enclosures import enclose, word_bounds
from mechanisms.personalized.diffusion.rates import Rates, RationalRates, RightRates
from tests.calibrated import assert_law, assert_not_law, draws_for
from tests.speed import calls_of

F = Fraction
WORD = 2**64
"""Seconds for 100,000 different budgets; measured 0.17 and 0.0005."""

REFERENCE = {
    (F(1), F(9)): "2.12078996443234e-4",
    (F(1, 10), F(801, 10)): "1.71754318128751e-36",
    (F(1, 10), F(81, 10)): "3.19331827944267e-5",
    (F(1, 10), F(17, 10)): "0.0235074105408838",
    (F(1, 10), F(18, 100)): "0.533274131703553",
}
"""The right rate at a budget and a level."""

sizes = st.one_of(
    st.fractions(F(1, 1000), 3, max_denominator=1000),
    st.fractions(F(1), 2000, max_denominator=7),
    st.builds(lambda k, e: F(k, 10**e), st.integers(1, 999), st.integers(1, 450)),
)
levels = st.builds(lambda low, gap: (low, low + gap), sizes, sizes)
"""Budget and level, the level above."""


def survival(budget: Fraction, tau: Fraction, bits: int) -> tuple[int, int]:
    """Round p 2^bits down and up, in another arithmetic: intervals of thousands of bits."""
    intervals = MPIntervalContext()
    intervals.prec = 3400 + bits
    e, t = (intervals.mpf(x.numerator) / x.denominator for x in (budget, tau))
    p = (intervals.exp(e) - 1) / (intervals.exp(t) - 1) * intervals.mpf(2) ** bits
    with mpmath.workprec(intervals.prec):
        return int(mpmath.floor(p.a)), int(mpmath.ceil(p.b))


class Words:
    """A source of given words, and how many were taken."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words: Iterator[int] = iter(words)
        self.taken = 0

    def take(self, shape: tuple[int, ...], _rng: np.random.Generator) -> np.ndarray:
        """Return the next words."""
        count = math.prod(shape)
        self.taken += count
        return np.array(list(itertools.islice(self.words, count)), dtype=np.uint64).reshape(shape)


def survives(
    rates: Rates, words: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> tuple[bool, int]:
    """Whether the only user survives when U begins with these words, and how many were read."""
    source = Words(words)
    monkeypatch.setattr(diffusion, "_words", source.take)
    kept = rates.draw(1, rng=np.random.default_rng(0))
    assert kept.shape == (1, 1)
    return bool(kept[0, 0]), source.taken


def pieces(number: int, count: int) -> list[int]:
    """Cut an integer of 64 count bits into words, the highest first, and zeros without end."""
    words = [(number >> 64 * (count - 1 - i)) % WORD for i in range(count)]
    return [*words, *[0] * 50]


def of_code(probabilities: Sequence[float]) -> tuple[object, object]:
    """P(Z <= z) and P(Z < z) of codes 0, 1, .. with these probabilities."""
    sums = np.concatenate([[0.0], np.cumsum(probabilities)])
    last = len(probabilities)
    return (
        lambda z: sums[np.clip(np.floor(z).astype(int) + 1, 0, last)],
        lambda z: sums[np.clip(np.ceil(z).astype(int), 0, last)],
    )


@pytest.mark.parametrize(("pair", "rate"), REFERENCE.items())
def test_reference_values(pair: tuple[Fraction, Fraction], rate: str) -> None:
    """Rates must be the known ones, in doubles and in integers."""
    budget, tau = pair
    assert RightRates((budget,), tau).mass(0, FLOATS) == pytest.approx(float(rate), rel=1e-13)
    lower, upper = enclose(budget, tau, 256)
    assert float(F(lower, 2**256)) == pytest.approx(float(rate), rel=1e-14)
    assert upper - lower <= 2


@given(levels, st.integers(1, 700))
def test_enclosures_hold_the_rate(pair: tuple[Fraction, Fraction], bits: int) -> None:
    """Integers at most 2 apart must lie on the two sides of p 2^bits, for any number of bits."""
    lower, upper = enclose(*pair, bits)
    least, most = survival(*pair, bits)
    assert 0 <= lower <= least
    assert most <= upper <= 2**bits
    assert upper - lower <= 2


@given(st.lists(levels, min_size=1, max_size=5))
def test_bounds_in_doubles_hold_the_rate(pairs: list[tuple[Fraction, Fraction]]) -> None:
    """Bounds must enclose p 2^64, and be no wider than 2^-38 of it and 2."""
    for budget, tau in pairs:
        lower, upper = (int(x) for x in word_bounds([budget], tau)[:, 0])
        least, most = survival(budget, tau, 64)
        assert 0 <= lower <= least
        assert most <= upper <= WORD
        assert upper - lower <= most * 2.0**-38 + 2


@given(st.lists(sizes, min_size=1, max_size=5), sizes)
def test_words_decide_as_the_bounds_say(budgets: list[Fraction], tau: Fraction) -> None:
    """A word below `below` must mean U < p for certain, one above `last` U >= p."""
    rates = RightRates(tuple(budgets), tau)
    limits = rates.limits
    assert limits.always.tolist() == [x >= tau for x in budgets]
    assert limits.users.tolist() == [i for i, x in enumerate(budgets) if x < tau]
    for place, below, last in zip(
        limits.users.tolist(), limits.below.tolist(), limits.last.tolist(), strict=True
    ):
        least, most = survival(budgets[place], tau, 64)
        assert below <= least
        assert last + 1 >= most


@given(levels, st.integers(-3, 3), st.integers(2, 6))
def test_slow_path_compares_all_bits(
    pair: tuple[Fraction, Fraction], shift: int, count: int
) -> None:
    """U that equals p in 64 count bits, and a few units more or less, must be compared rightly."""
    floor = survival(*pair, 64 * count)[0]
    number = floor + shift
    assume(0 <= number < 2 ** (64 * count))
    with pytest.MonkeyPatch.context() as patch:
        kept, _ = survives(RightRates((pair[0],), pair[1]), pieces(number, count), patch)
    assert kept == (shift <= 0)


@pytest.mark.parametrize("power", [-2, -1, 0, 1])
def test_last_bit_of_the_first_word(power: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the word that p lies in, the answer must be certain; in it more bits must be read."""
    budget, tau = F(1, 10), F(38)  # p 2^64 is about 60,000: bounds are one word apart
    word = survival(budget, tau, 64)[0]
    kept, taken = survives(RightRates((budget,), tau), pieces(word + power, 1), monkeypatch)
    assert kept == (power <= 0)
    assert taken == (2 if power == 0 else 1)


@pytest.mark.parametrize("exponent", [36, 100, 400, 1000])
def test_tiny_rates_never_survive_wrongly(exponent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At p near 10^-exponent a word 0 must not be enough: U must be below p."""
    budget = F(1, 10)
    tau = budget + F(math.log(10)) * exponent
    rates = RightRates((budget,), tau)
    words = math.ceil(exponent * math.log2(10) / 64)
    digits = 64 * (words + 3)
    floor = survival(budget, tau, digits)[0]
    for zeros in range(1, words + 2):
        below = floor >> (digits - 64 * (zeros + 1)) >= 1  # U = 2^-64 (zeros + 1) < p
        kept, taken = survives(rates, [0] * zeros + [1] + [0] * 99, monkeypatch)
        assert kept == below
        assert zeros + 1 >= words or not kept
        assert taken >= min(zeros + 1, words)
    assert survives(rates, [0] * 99, monkeypatch)[0]


def test_random_double_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """At p = 2^-60 only 16 of 2^64 words may survive; a double below p would be 2^-53 at least."""
    rates = RationalRates((F(1, 2**60),))
    assert [survives(rates, [word], monkeypatch)[0] for word in (0, 15, 16, 2047)] == [
        True,
        True,
        False,
        False,
    ]


def test_rational_rates_are_compared_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """At p = 1/3 the word 0x55..5 must not decide, and the digits after it must."""
    rates, third = RationalRates((F(1, 3),)), (WORD - 1) // 3
    assert survives(rates, [third - 1], monkeypatch) == (True, 1)
    assert survives(rates, [third + 1], monkeypatch) == (False, 1)
    assert survives(rates, [third, third, third - 1], monkeypatch) == (True, 3)
    assert survives(rates, [third, third, third + 1], monkeypatch) == (False, 3)


@given(st.lists(st.fractions(0, 1, max_denominator=10**25), min_size=1, max_size=5))
def test_limits_of_rational_rates(rates: list[Fraction]) -> None:
    """Limits must be p 2^64 rounded down and up, for rates that are random."""
    limits = RationalRates(tuple(rates)).limits
    random = [p for p in rates if 0 < p < 1]
    assert limits.below.tolist() == [math.floor(p * WORD) for p in random]
    assert limits.last.tolist() == [math.ceil(p * WORD) - 1 for p in random]
    assert limits.always.tolist() == [p == 1 for p in rates]


MIXED = RightRates((F(2), F(1, 2), F(0), F(1)), F(1))
HALF = math.expm1(0.5) / math.expm1(1)


def test_each_rate_is_right(dp_rng: np.random.Generator) -> None:
    """Draws must have the right rate, and a rate 0.01 off, as of eps / tau, must be told apart."""
    distance = 0.01
    kept = MIXED.draw(draws_for(distance), rng=dp_rng)
    assert kept.dtype == np.bool_
    np.testing.assert_array_equal(kept[:, [0, 2, 3]], np.tile([True, False, True], (len(kept), 1)))
    draws = kept[:, 1].astype(float)
    right, left = of_code([1 - HALF, HALF])
    assert_law(draws, right, distance, left_cdf=left)  # type: ignore[arg-type]
    for wrong in (HALF + distance, HALF - distance, 0.5):
        right, left = of_code([1 - wrong, wrong])
        assert_not_law(draws, right, distance, left_cdf=left)  # type: ignore[arg-type]


def test_users_and_draws_are_independent(dp_rng: np.random.Generator) -> None:
    """Two users must survive independently of each other, and in neighboring draws."""
    distance, size = 0.01, draws_for(0.01)
    kept = RightRates((F(1, 2), F(1, 2)), F(1)).draw(size + 1, rng=dp_rng)
    for codes in (2 * kept[1:, 0] + kept[1:, 1], 2 * kept[1:, 0] + kept[:-1, 0]):
        q = 1 - HALF
        right, left = of_code([q * q, q * HALF, HALF * q, HALF * HALF])
        assert_law(codes.astype(float), right, distance, left_cdf=left)  # type: ignore[arg-type]
        right, left = of_code([q * q + 0.01, q * HALF - 0.01, HALF * q - 0.01, HALF**2 + 0.01])
        assert_not_law(codes.astype(float), right, distance, left_cdf=left)  # type: ignore[arg-type]


@given(st.lists(st.one_of(st.just(F(0)), sizes), min_size=1, max_size=6), st.randoms())
def test_rates_follow_their_budgets(budgets: list[Fraction], keys: object) -> None:
    """Permuted budgets must have the permuted rates and limits."""
    places = list(range(len(budgets)))
    keys.shuffle(places)  # type: ignore[attr-defined]
    tau = max(*budgets, F(1)) * F(2, 3)
    before = RightRates(tuple(budgets), tau)
    after = RightRates(tuple(budgets[i] for i in places), tau)
    for new, old in enumerate(places):
        assert after.mass(new, FLOATS) == before.mass(old, FLOATS)
    np.testing.assert_array_equal(after.limits.always, before.limits.always[places])
    assert sorted(after.limits.below.tolist()) == sorted(before.limits.below.tolist())


def test_mass_is_what_is_drawn() -> None:
    """The mass must be 1 from the level on, 0 at a budget 0, and the rate between."""
    assert [MIXED.mass(user, FLOATS) for user in (0, 2, 3)] == [1, 0, 1]
    assert MIXED.mass(1, FLOATS) == pytest.approx(HALF, rel=1e-15)
    assert RationalRates((F(1, 8), F(0))).mass(0, FLOATS) == 0.125
    assert RightRates((F(1),), F(10**9)).mass(0, FLOATS) == 0


def test_shapes(subtests: pytest.Subtests, dp_rng: np.random.Generator) -> None:
    """A draw must have one row for each draw and one column for each user, whatever the rates."""
    for count in [0, 1, 3]:
        for size in [1, 5]:
            for budget in [F(0), F(1, 2), F(1)]:
                with subtests.test(count=count, size=size, budget=budget):
                    assert RightRates((budget,) * count, F(1)).draw(size, rng=dp_rng).shape == (
                        size,
                        count,
                    )
                    assert RationalRates((budget,) * count).draw(size, rng=dp_rng).shape == (
                        size,
                        count,
                    )


def test_many_users_are_fast(dp_rng: np.random.Generator) -> None:
    """10,000 different budgets must be read one by one, and drawn all at once."""
    places = dp_rng.permutation(10**4) + 1
    budgets = tuple(F(k, 10**5) for k in places.tolist())
    to_read, rates = calls_of(lambda: RightRates(budgets, F(1)))
    to_draw, kept = calls_of(lambda: rates.draw(1, rng=dp_rng))
    assert to_read < 100 * 10**4
    assert to_draw < 1000
    expected = np.expm1(places / 10**5) / math.expm1(1)
    # Six standard deviations, 2e-9.
    assert abs(kept.sum() - expected.sum()) < 6 * math.sqrt((expected * (1 - expected)).sum())
