"""Exact discrete randomness."""

from __future__ import annotations

import ast
import inspect
import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.noise import exact_bits
from mechanisms.noise.exact_bits import bernoulli_exp, bernoulli_logistic, geometric, uniform_below
from tests.calibrated import assert_law, assert_not_law, draws_for

DISTANCE = 0.012
DRAWS = draws_for(DISTANCE)
WIDE = Fraction(10**25, 3 * 10**25 + 1)  # more than 64 bits: Python integers


def coin_cdf(p: float, *, left: bool = False) -> Callable[[NDArray], NDArray]:
    """Cdf of a coin on {0, 1}, P(X <= x) or P(X < x)."""
    zero, one = (0.0, 1 - p) if left else (1 - p, 1.0)
    return lambda x: np.where(x < 1, zero, one)


def geometric_cdf(rate: float, *, left: bool = False) -> Callable[[NDArray], NDArray]:
    """Cdf of the geometric law of ratio e^-rate, P(G <= i) or P(G < i)."""
    return lambda i: -np.expm1(-rate * (i + (0 if left else 1)))


def test_coin_has_its_probability(subtests: pytest.Subtests, dp_rng: np.random.Generator) -> None:
    """With k doublings the frequency must be that of 2^k e^-x, and not one 0.02 off."""
    for x, doublings in [
        ("1/3", 0),
        ("1", 0),
        ("9/5", 0),
        ("1", 1),
        ("12/5", 1),
        ("12/5", 2),
        ("3", 3),
    ]:
        with subtests.test(x=x, doublings=doublings):
            exact = Fraction(x)
            coins = bernoulli_exp(exact, DRAWS, dp_rng.bytes, doublings=doublings).astype(float)
            p = 2**doublings * math.exp(-exact)
            assert_law(coins, coin_cdf(p), DISTANCE, left_cdf=coin_cdf(p, left=True))
            for wrong in (p - 0.02, p + 0.02):
                assert_not_law(
                    coins, coin_cdf(wrong), DISTANCE, left_cdf=coin_cdf(wrong, left=True)
                )


def words_of(*words: int) -> Callable[[int], bytes]:
    """A source of these words, and of no others."""
    stream = itertools.chain.from_iterable(word.to_bytes(8, "little") for word in words)
    return lambda count: bytes(itertools.islice(stream, count))


def test_coin_compares_with_all_digits(subtests: pytest.Subtests) -> None:
    """A coin must show 1 for uniform numbers below its probability alone, to 192 digits."""
    for x in ["1/3", "1", "9/5", "40", "100", WIDE, Fraction(1, 10**30)]:
        for logistic in [False, True]:
            with subtests.test(x=x, logistic=logistic):
                exact = Fraction(x)
                with mpmath.workprec(400):
                    power = mpmath.exp(-mpmath.mpf(exact.numerator) / exact.denominator)
                    p = power / (1 + power) if logistic else power
                    digits = int(mpmath.floor(mpmath.ldexp(p, 192)))
                first, second, third = (digits >> shift & 2**64 - 1 for shift in (128, 64, 0))
                draw = bernoulli_logistic if logistic else bernoulli_exp
                below, above = (words_of(first, second, word) for word in (third - 1, third + 1))
                assert draw(exact, 1, below).tolist() == [True]
                assert draw(exact, 1, above).tolist() == [False]
                if first:
                    assert draw(exact, 1, words_of(first - 1)).tolist() == [True]
                if first < 2**64 - 1:
                    assert draw(exact, 1, words_of(first + 1)).tolist() == [False]


def test_logistic_coin_has_its_probability(dp_rng: np.random.Generator) -> None:
    """The frequency must be that of 1 / (1 + e^x), and not one 0.02 off."""
    coins = bernoulli_logistic(Fraction(3, 4), DRAWS, dp_rng.bytes).astype(float)
    p = 1 / (1 + math.exp(0.75))
    assert_law(coins, coin_cdf(p), DISTANCE, left_cdf=coin_cdf(p, left=True))
    for wrong in (p - 0.02, p + 0.02):
        assert_not_law(coins, coin_cdf(wrong), DISTANCE, left_cdf=coin_cdf(wrong, left=True))


def test_coin_with_a_wide_denominator(dp_rng: np.random.Generator) -> None:
    """A rational of more than 64 bits must give the same law, on Python integers."""
    n = draws_for(0.05)
    coins = bernoulli_exp(WIDE, n, dp_rng.bytes).astype(float)
    p = math.exp(-WIDE)
    assert_law(coins, coin_cdf(p), 0.05, left_cdf=coin_cdf(p, left=True))
    wrong = math.exp(-2 * WIDE)
    assert_not_law(coins, coin_cdf(wrong), 0.05, left_cdf=coin_cdf(wrong, left=True))


def test_certain_and_impossible_coins(dp_rng: np.random.Generator) -> None:
    """e^0 must be certain, and e^-200 must not happen."""
    assert bernoulli_exp(Fraction(0), 1000, dp_rng.bytes).all()
    assert not bernoulli_exp(Fraction(200), 1000, dp_rng.bytes).any()


@pytest.mark.parametrize("rate", ["1", "7/10", "1/10", "5/2"])
def test_geometric_law(rate: str, dp_rng: np.random.Generator) -> None:
    """G must have P(G >= i) = e^(-rate i), and not that of a rate wrong by 7 %."""
    right, wrong = float(Fraction(rate)), 1.07 * float(Fraction(rate))
    i = np.arange(60.0)
    assert np.abs(geometric_cdf(right)(i) - geometric_cdf(wrong)(i)).max() >= DISTANCE
    draws = geometric(Fraction(rate), DRAWS, dp_rng.bytes).astype(float)
    assert_law(draws, geometric_cdf(right), DISTANCE, left_cdf=geometric_cdf(right, left=True))
    assert_not_law(draws, geometric_cdf(wrong), DISTANCE, left_cdf=geometric_cdf(wrong, left=True))


@pytest.mark.parametrize("rate", [WIDE, Fraction(10**20), Fraction(1, 10**9)])
def test_geometric_of_extreme_rates(rate: Fraction, dp_rng: np.random.Generator) -> None:
    """Rates beyond 64 bits, huge and tiny ones must give the law too, on exact integers."""
    n = draws_for(0.05)
    draws = geometric(rate, n, dp_rng.bytes).astype(float)
    right = geometric_cdf(float(rate)), geometric_cdf(float(rate), left=True)
    assert_law(draws, right[0], 0.05, left_cdf=right[1])


@pytest.mark.parametrize("bound", [1, 2, 3, 10, 2**32, 2**63 - 1, 2**63, 10**25])
def test_uniform_integers(bound: int, dp_rng: np.random.Generator) -> None:
    """Integers must lie in 0..bound-1 and be uniform there."""
    n = draws_for(0.05)
    draws = uniform_below(bound, n, dp_rng.bytes)
    assert all(0 <= int(value) < bound for value in (draws.min(), draws.max()))
    scaled = np.array([int(value) / bound for value in draws])
    step = 1 / bound
    assert_law(scaled, lambda x: np.minimum(x + step, 1), 0.05, left_cdf=lambda x: x)


def test_every_word_leads_to_its_remainder() -> None:
    """Words past the last whole multiple of the bound must be drawn again: no remainder favored."""
    # 2^64 = 1 mod 3: one word too many
    bits = words_of(2**64 - 1, 2**64 - 2, 5, 2**64 - 1, 7)
    assert uniform_below(3, 2, bits).tolist() == [2, (2**64 - 2) % 3]
    assert uniform_below(3, 1, bits).tolist() == [7 % 3]


def test_source_fixes_the_draws() -> None:
    """The same bytes must give the same draws."""
    first, second = (np.random.default_rng(5).bytes for _ in range(2))
    rate = Fraction(3, 7)
    np.testing.assert_array_equal(geometric(rate, 500, first), geometric(rate, 500, second))


def test_no_floating_point() -> None:
    """The module must hold no float constant, no float name and no true division."""
    tree = ast.parse(inspect.getsource(exact_bits))
    for node in ast.walk(tree):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.Name) and node.id == "float")
        assert not (isinstance(node, ast.Attribute) and node.attr in {"float64", "exp", "log"})
        assert not isinstance(node, ast.Div)
