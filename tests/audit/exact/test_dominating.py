"""Domination is decided exactly, and merging by ratio loses nothing."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells import Cell, CellPair, RatioRange, outcomes
from audit.exact.divergences import hockey_stick, largest_ratio
from audit.exact.dominating import by_ratio, dominates, pure_dominating_pair
from audit.exact.finite import FinitePmf, cells_of
from audit.exact.parts import adaptive, independent
from proofs_check.exponential import ExpSum
from tests.audit.exact.laws import EPSILONS, few, pairs_of_pmfs

Laws = tuple[FinitePmf, FinitePmf]
RATES = st.fractions(0, 3, max_denominator=6)


@given(pairs_of_pmfs(), RATES)
@few
def test_randomized_response_dominates_what_is_private_and_nothing_else(
    laws: Laws, epsilon: Fraction
) -> None:
    """It must hold exactly: domination at epsilon is a loss of at most epsilon both ways."""
    pair = cells_of(*laws)
    private = all(largest_ratio(one).at_most(epsilon) for one in pair.both_ways())
    dominated = [dominates(pure_dominating_pair(epsilon), one) for one in pair.both_ways()]
    assert dominated == [private, private]


@given(pairs_of_pmfs(most=4), pairs_of_pmfs(most=4), EPSILONS)
@few
def test_domination_orders_the_profiles(x: Laws, y: Laws, epsilon: Fraction) -> None:
    """It must hold at every epsilon, for a pair and itself, and for its images."""
    worse, pair = cells_of(*x), cells_of(*y)
    assert dominates(worse, worse)
    assert dominates(pair, cells_of(*(law.map(lambda z: z % 2) for law in y)))
    if dominates(worse, pair):
        assert hockey_stick(pair, epsilon).value <= hockey_stick(worse, epsilon).value


@given(
    st.lists(RATES, min_size=2, max_size=2),
    st.lists(pairs_of_pmfs(most=3), min_size=3, max_size=3),
    EPSILONS,
)
@few
def test_an_adaptive_composition_is_dominated_by_the_product(
    rates: list[Fraction], parts: list[Laws], epsilon: Fraction
) -> None:
    """It must hold that adaptive choices cannot beat randomized response at the same losses."""
    pairs = [cells_of(*laws) for laws in parts]
    losses = [max(bound_of(one) for one in pair.both_ways()) for pair in pairs]
    first, second = losses[0], max(losses)
    bound = independent([pure_dominating_pair(first), pure_dominating_pair(second)])
    chosen = adaptive(pairs[0], lambda where: pairs[where.data[1]])
    if max(losses) < 50:
        assert hockey_stick(chosen, epsilon).value <= hockey_stick(bound, epsilon).value
        assert dominates(bound, chosen)


def bound_of(pair: CellPair) -> Fraction:
    """A rational that the largest loss does not exceed; 50 where that is infinite."""
    found = largest_ratio(pair)
    return next((Fraction(n, 2) for n in range(20) if found.at_most(Fraction(n, 2))), Fraction(50))


@given(pairs_of_pmfs(), EPSILONS)
@few
def test_merging_by_ratio_changes_no_divergence(laws: Laws, epsilon: Fraction) -> None:
    """It must hold, with all ratios different afterwards."""
    pair = cells_of(*laws)
    merged = by_ratio(pair)
    assert dominates(pair, merged)
    assert dominates(merged, pair)
    assert largest_ratio(merged).ratio == largest_ratio(pair).ratio
    masses = [cell.exact() for cell in merged.cells]
    crossed = [a[0] * b[1] == b[0] * a[1] for i, a in enumerate(masses) for b in masses[:i]]
    assert not any(crossed)


def test_ten_randomized_responses_have_eleven_ratios() -> None:
    """It must hold that the tenfold composition has masses C(10, k) e^((10 - k) eps)."""
    one = pure_dominating_pair(Fraction(1, 10))
    whole = one
    for _ in range(9):
        whole = by_ratio(independent([whole, one]))
    e = ExpSum.exp(Fraction(1, 10))
    power = ExpSum.rational(1)
    for _ in range(10):
        power = power * (1 + e)
    assert whole.total == power
    assert len(whole.cells) == 11
    counts = sorted(cell.p for cell in whole.cells)
    assert counts == sorted(e_power(10 - k) * math.comb(10, k) for k in range(11))
    assert largest_ratio(whole).exact_log() == 1


def e_power(k: int) -> ExpSum:
    """e^(k / 10)."""
    return ExpSum.exp(Fraction(k, 10))


def test_cells_of_varying_ratio_are_kept() -> None:
    """It must hold that nothing is merged with them, and that empty cells vanish."""
    half = Fraction(1, 2)
    varying = Cell(half, Fraction(1, 4), outcomes("a"), RatioRange(1, 3))
    pair = CellPair(
        (
            Cell(0, 0, outcomes("never")),
            varying,
            Cell(half / 2, Fraction(3, 8), outcomes("b")),
            Cell(half / 2, Fraction(3, 8), outcomes("c")),
        )
    )
    merged = by_ratio(pair)
    assert varying in merged.cells
    assert [str(cell.where) for cell in merged.cells] == ["{b} or {c}", "{a}"]
