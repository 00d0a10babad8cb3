"""Shuffling and tracing of TRI against the ledger's formulas, enclosed by balls."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from audit.tracing.auditor import largest_shares
from mechanisms.errors import InvalidArgument
from mechanisms.trilemma.amplification import shuffle_delta_upper, shuffle_epsilon_upper
from proofs_check.arithmetic import ENCLOSED
from proofs_check.enclosure import endpoints
from proofs_check.papers.tri.chapter2.pure_steps import lower_integral, upper_integral
from proofs_check.papers.tri.chapter2.shuffle_law import (
    EXACT,
    in_domain,
    shuffled_delta,
    shuffled_epsilon,
)

EPSILON = st.fractions(Fraction(1, 1000), 3, max_denominator=1000)
BLOCKS = st.integers(12, 10**7)
DELTA = st.fractions(Fraction(1, 10**9), 1, max_denominator=10**9)
PLACE = Fraction(1, 10**18)


@given(epsilon=EPSILON, blocks=BLOCKS, delta=DELTA)
def test_epsilon_of_shuffling_is_the_ledgers_rounded_up(
    epsilon: Fraction, blocks: int, delta: Fraction
) -> None:
    """It must be at least the ledger's and less than a unit of the last place above it."""
    assume(in_domain(epsilon, Fraction(blocks), delta).holds)
    lower, upper = endpoints(shuffled_epsilon(epsilon, blocks, delta, numbers=ENCLOSED))
    assert upper <= shuffle_epsilon_upper(epsilon, blocks, delta) < lower + PLACE * 11 / 10


@pytest.mark.parametrize("row", EXACT)
def test_epsilon_of_the_thesis_is_rounded_up(row: Any) -> None:
    """At the ledger's own examples a value rounded down must be seen as too small."""
    epsilon, blocks, delta = Fraction(row[0][0]), row[0][1], Fraction(row[0][2])
    lower, upper = endpoints(shuffled_epsilon(epsilon, blocks, delta, numbers=ENCLOSED))
    value = shuffle_epsilon_upper(epsilon, blocks, delta)
    assert value - PLACE < lower <= upper < value


@given(epsilon=EPSILON, blocks=BLOCKS, delta=DELTA, block_delta=st.fractions(0, 1))
def test_total_delta_of_shuffling_is_the_ledgers_rounded_up(
    epsilon: Fraction, blocks: int, delta: Fraction, block_delta: Fraction
) -> None:
    """It must be at least the ledger's, and at most 10^-15 of it above."""
    assume(in_domain(epsilon, Fraction(blocks), delta).holds)
    lower, upper = endpoints(shuffled_delta(epsilon, blocks, delta, block_delta, numbers=ENCLOSED))
    total = shuffle_delta_upper(epsilon, blocks, delta, block_delta)
    assert total <= lower * (1 + Fraction(1, 10**15))
    assert total >= upper or total == delta


@given(epsilon=EPSILON, blocks=st.integers(12, 400), delta=DELTA)
def test_domain_of_shuffling_is_the_ledgers(
    epsilon: Fraction, blocks: int, delta: Fraction
) -> None:
    """Parameters must be refused exactly where the ledger has them outside the domain."""
    if in_domain(epsilon, Fraction(blocks), delta).holds:
        assert shuffle_epsilon_upper(epsilon, blocks, delta) > 0
    else:
        with pytest.raises(InvalidArgument, match="2 exp"):
            shuffle_epsilon_upper(epsilon, blocks, delta)


@given(epsilon=EPSILON, percent=st.integers(1, 50))
def test_shares_of_tracing_are_the_derivatives_of_the_ledgers_integrals(
    epsilon: Fraction, percent: int
) -> None:
    """k+ and k- must be I+' and I-' of SH-bal, to 10^-15."""
    p, step = Fraction(percent, 100), Fraction(1, 10**20)
    growth = ENCLOSED.exp(epsilon) - 1
    for share, integral in zip(
        largest_shares(growth, p), (upper_integral, lower_integral), strict=True
    ):
        slope = (
            integral(epsilon, p + step, numbers=ENCLOSED) - integral(epsilon, p, numbers=ENCLOSED)
        ) / step
        lower, upper = endpoints(share - slope)
        assert max(-lower, upper) < Fraction(1, 10**15)
