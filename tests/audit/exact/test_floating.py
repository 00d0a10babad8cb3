"""Outputs in machine numbers that one data value reaches and the other does not."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.draws.encode import Encoder
from audit.engine.partitions.float_lattice import LowestBit, MantissaClass
from audit.floats.generator import generator_at, of_generator
from audit.floats.inverse_transform import InverseTransform
from audit.floats.machine_numbers import FloatType, add, addends, first_where, nth, rank
from audit.floats.multiples import Multiples
from audit.floats.reachable_sums import audit_reachability, tried_words
from audit.results.verdict import Verdict
from mechanisms.claims import ApproxDP, GaussianDP, Level, PureDP, TradeOff, ZeroConcentratedDP
from mechanisms.errors import InvalidArgument
from tests.slow import by_default

PURE = PureDP(1)


def textbook(uniform: Any) -> float:
    """Laplace noise of scale 1: -sign(v) log(1 - 2 |v|), v = u - 1/2."""
    v = float(uniform) - 0.5
    return -math.copysign(1.0, v) * math.log(1.0 - 2.0 * abs(v))


def in_single(uniform: Any) -> Any:
    """The same with every step in single precision."""
    one, v = np.float32(1), uniform - np.float32(0.5)
    return -np.copysign(one, v) * np.log(one - 2 * np.abs(v))


def from_numpy(generator: np.random.Generator) -> float:
    """Draw the Laplace noise of numpy."""
    return generator.laplace()


SAMPLERS = {
    "textbook": InverseTransform(textbook),
    "numpy": InverseTransform(of_generator(from_numpy)),
    "single precision": InverseTransform(in_single, np.float32),
}


@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize(
    ("value", "neighbor"), by_default([(0, 1), (0.5, 0.25)], [(101, 100), (0, 1), (0.5, 0.25)])
)
def test_laplace_noise_in_machine_numbers_is_refuted(
    name: str, value: float, neighbor: float
) -> None:
    """It must hold that some output is reachable from one of two neighbors only."""
    noise = SAMPLERS[name]
    result = audit_reachability(PURE, value, neighbor, noise)
    witness = result.witness
    assert result.verdict is Verdict.REFUTED
    assert witness is not None
    assert {float(witness.value), float(witness.neighbor)} == {value, neighbor}
    assert witness.reached.hits
    assert not witness.missed.hits
    assert witness.probability == Fraction(len(witness.reached.hits), 2**noise.bits - 1)
    assert all(witness.value + noise.value(k) == witness.output for k in witness.reached.hits)
    around = range(witness.missed.first - 300, witness.missed.last + 300)
    inside = [k for k in around if noise.first <= k <= noise.last]
    assert not any(witness.neighbor + noise.value(k) == witness.output for k in inside)


@pytest.mark.parametrize("name", by_default(["textbook", "single precision"], SAMPLERS))
def test_100_and_101_are_told_apart_within_one_binade(name: str) -> None:
    """It must hold that the output found shows in no lattice: same sign, binade, trailing zeros."""
    witness = audit_reachability(PURE, 100, 101, SAMPLERS[name]).witness
    assert witness is not None
    assert witness.same_binade
    assert 64 <= witness.output < 128


def test_the_lattices_of_the_black_box_do_not_tell_100_from_101() -> None:
    """It must hold that the gap the white box fills is one: equal features but for chance.

    Within the binade of 64..128 both data sets give every class of the lattice at the same rate:
    with 20,000 draws each, no class is further apart than 6 standard deviations.
    """
    rng = np.random.default_rng(5)
    draws = 20_000
    outputs = [value + rng.laplace(size=draws) for value in (100.0, 101.0)]
    encoder = Encoder()
    encoder.fix_layout(outputs)
    arms = [encoder.encode(side) for side in outputs]
    for kind in (LowestBit, MantissaClass):
        (partition,) = kind.fit_columns(encoder, *arms)
        counts = [np.bincount(partition.codes(arm), minlength=partition.size) for arm in arms]
        gap = np.abs(counts[0] - counts[1])
        assert np.all(gap <= 6 * np.sqrt(counts[0] + counts[1] + 1))


# Against every value of a small sampler


def jittered(uniform: Any) -> float:
    """Steps of 1/4 with up to 3 units in the last place (of single precision) up and down."""
    value = np.float32(coarse(uniform) + 0.1)
    k = int(float(uniform) * 2**12)
    return float(nth(rank(value) + 7 * k % 4, np.float32))


def falling(uniform: Any) -> float:
    """A sampler that falls where the uniform rises."""
    return -3 * textbook(uniform)


def coarse(uniform: Any) -> float:
    """Noise rounded to multiples of 1/4: many uniforms for each value."""
    return round(4 * textbook(uniform)) / 4


SMALL: dict[str, Callable[[Any], float]] = {
    "textbook": textbook,
    "jittered": jittered,
    "falling": falling,
    "coarse": coarse,
}


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("value", "neighbor"), by_default([(0, 1)], [(100, 101), (0, 1), (3, 2.5), (1e6, 1e6 + 1)])
)
def test_every_output_is_decided_as_by_enumeration(
    name: str, dtype: FloatType, value: float, neighbor: float
) -> None:
    """It must hold that a witness is one, and that all preimages are found, for 2^12 uniforms."""
    slack = 4 if dtype is np.float32 else 4 * 2**29  # the jitter is that of single precision
    noise = InverseTransform(SMALL[name], dtype, bits=12, slack=slack)
    a, b = dtype(value), dtype(neighbor)
    values = {k: noise.value(k) for k in range(noise.first, noise.last + 1)}
    from_a = {a + z for z in values.values()}
    from_b = {b + z for z in values.values()}
    result = audit_reachability(PURE, value, neighbor, noise)
    witness = result.witness
    assert (result.verdict is Verdict.REFUTED) == (from_a != from_b)
    if witness is not None:
        assert witness.output in from_a ^ from_b
        hits = tuple(k for k, z in values.items() if witness.value + z == witness.output)
        assert witness.reached.hits == hits
    for k in range(noise.first, noise.last + 1, 97):
        lower, upper = sorted((noise.value(k), noise.value(min(k + 5, noise.last))))
        window = noise.between(lower, upper)
        assert window is not None
        assert window.hits == tuple(j for j, z in values.items() if lower <= z <= upper)


def test_too_little_slack_is_seen() -> None:
    """It must hold that a sampler less monotone than stated is an error, not a verdict."""
    with pytest.raises(InvalidArgument, match="must be monotone up to 0 units in the last place"):
        InverseTransform(jittered, np.float32, bits=12, slack=0)
    with pytest.raises(InvalidArgument, match="must be monotone"):
        InverseTransform(lambda u: float(u) % 0.3)


doubles = st.floats(allow_nan=False, allow_infinity=False)
singles = st.floats(allow_nan=False, allow_infinity=False, width=32)


@pytest.mark.parametrize(("dtype", "numbers"), [(np.float64, doubles), (np.float32, singles)])
def test_addends_are_all_that_lead_to_a_sum(
    dtype: FloatType, numbers: st.SearchStrategy[float]
) -> None:
    """It must hold that the interval has the addend, and that just outside of it the sum moves."""

    @given(numbers, numbers)
    def holds(x: float, z: float) -> None:
        value, addend = dtype(x), dtype(z)
        output = add(value, addend)
        if not np.isfinite(output):
            return
        interval = addends(value, output)
        assert interval is not None
        lower, upper = interval
        assert lower <= addend <= upper
        for end, step in ((lower, -1), (upper, 1)):
            assert add(value, end) == output
            assert add(value, nth(rank(end) + step, dtype)) != output

    holds()


def test_some_sums_cannot_be_reached_at_all() -> None:
    """It must hold that a bit below the spacing of the value is out of reach where it must be."""
    assert addends(np.float64(1), np.float64(2.0**-60)) is None
    assert addends(np.float64(0), np.float64(2.0**-60)) is not None


@given(doubles, st.integers(-1000, 1000))
def test_ranks_number_the_doubles_in_order(x: float, steps: int) -> None:
    """It must hold that the rank of the next number is the next rank."""
    value = np.float64(x)
    assert nth(rank(value), np.float64) == value
    up = math.nextafter(x, math.inf)
    assert rank(np.float64(up)) == rank(value) + 1
    assert first_where(lambda n: n >= steps, -1000, 1000) == steps


# What is exact is not accused


@pytest.mark.parametrize(
    ("value", "neighbor"), by_default([(0, 1)], [(100, 101), (0, 1), (-7, 2**40)])
)
@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 1024)])
def test_exact_discrete_noise_is_not_accused(value: int, neighbor: int, step: Fraction) -> None:
    """It must hold that integers plus noise on the integers, or a finer grid, leave no trace."""
    result = audit_reachability(PURE, value, neighbor, Multiples(step))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.witness is None
    assert result.tried > 100
    assert result.reason == tried_words(result.tried, 0)


def test_a_grid_that_does_not_fit_the_data_is_refuted() -> None:
    """It must hold that a step wrong by 1 in 128 gives the data away (the mutant of the above)."""
    result = audit_reachability(PURE, 100, 101, Multiples(Fraction(129, 128)))
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert result.witness.probability is None


# What a claim gives up, and arguments


@pytest.mark.parametrize(
    ("level", "verdict"),
    [
        (ApproxDP(1, 0), Verdict.REFUTED),
        (ApproxDP(1, Fraction(1, 2**60)), Verdict.REFUTED),
        (ApproxDP(1, Fraction(1, 10**9)), Verdict.INCONCLUSIVE),
        (ZeroConcentratedDP(1), Verdict.REFUTED),
        (GaussianDP(1), Verdict.REFUTED),
        (TradeOff(((0, 1), (1, 0))), Verdict.REFUTED),
        (TradeOff(((0, Fraction(1, 2)), (1, 0))), Verdict.INCONCLUSIVE),
    ],
)
def test_a_claim_may_give_up_the_probability_of_the_output(level: Level, verdict: Verdict) -> None:
    """It must hold that an impossible event of probability at most delta refutes nothing."""
    result = audit_reachability(level, 100, 101, SAMPLERS["textbook"])
    assert result.verdict is verdict
    assert result.witness is not None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: audit_reachability(PURE, 0.1, 1, SAMPLERS["single precision"]), "finite float32"),
        (lambda: audit_reachability(PURE, Fraction(1, 3), 1, SAMPLERS["textbook"]), "float64"),
        (lambda: audit_reachability(PURE, math.inf, 1, SAMPLERS["textbook"]), "finite float64"),
        (lambda: InverseTransform(textbook, first=5, last=5), "0 <= first < last < 2\\^bits"),
        (lambda: InverseTransform(textbook, bits=54), "bits <= 53"),
        (lambda: InverseTransform(lambda u: math.inf), "the noise must be finite"),
        (lambda: Multiples(Fraction(0)), "step must be a positive float64"),
        (lambda: Multiples(Fraction(1, 3)), "step must be a finite float64"),
    ],
)
def test_wrong_arguments_are_told(make: Callable[[], object], message: str) -> None:
    """It must hold that each wrong argument is an error that names it."""
    with pytest.raises(InvalidArgument, match=message):
        make()


# numpy's samplers, uniform by uniform


@given(st.integers(0, 2**53 - 1))
def test_the_next_uniform_of_numpy_can_be_chosen(index: int) -> None:
    """It must hold that the first double of the generator is exactly the wanted one."""
    assert generator_at(index).random() == index * 2.0**-53


@pytest.mark.parametrize("name", ["laplace", "gumbel", "logistic"])
def test_numpy_draws_what_its_uniform_says(name: str) -> None:
    """It must hold that a draw of any seed is the one at its uniform."""
    for seed in range(20):
        uniform = np.random.Generator(np.random.MT19937(seed)).random()
        drawn = getattr(np.random.Generator(np.random.MT19937(seed)), name)(0.0, 1.0)
        function = of_generator(lambda generator: getattr(generator, name)(0.0, 1.0))
        assert function(np.float64(uniform)) == drawn


def test_a_sampler_that_is_no_function_of_one_uniform_is_an_error() -> None:
    """It must hold that numpy's normal draws (another algorithm) and sums of two are refused."""
    with pytest.raises(InvalidArgument, match=r"must (be monotone|be a function of one uniform)"):
        InverseTransform(of_generator(lambda generator: generator.normal()))
    with pytest.raises(InvalidArgument, match=r"one uniform number .* it drew 4 words"):
        InverseTransform(of_generator(lambda g: g.laplace() + g.laplace()))
    with pytest.raises(InvalidArgument, match=r"one uniform number .* it drew 0 words"):
        InverseTransform(of_generator(lambda g: 1.0))


def test_outputs_that_were_tried_are_counted_in_one_sentence() -> None:
    """It must hold of one output, of several, and of some that are undecided."""
    both = "reachable from both data values"
    assert tried_words(1, 0) == f"of 1 output tried, it is {both}"
    assert tried_words(598, 0) == f"of 598 outputs tried, all are {both}"
    assert tried_words(9, 1) == f"of 9 outputs tried, 8 are {both} and 1 is undecided"
    assert tried_words(9, 8) == f"of 9 outputs tried, 1 is {both} and 8 are undecided"
