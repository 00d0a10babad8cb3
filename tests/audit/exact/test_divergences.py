"""Divergences of finite laws: brute force over all events, closed forms, and general laws."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.cell import Cell, CellPair, OpenCell, RatioRange, outcomes
from audit.exact.cells.cell_divergences import (
    exact_log,
    excess,
    hockey_stick,
    largest_ratio,
)
from audit.exact.cells.finite_laws import FinitePmf, cells_of
from mechanisms.corpus.truncated_geometric import TruncatedGeometric
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, agrees_with_print, contains, endpoints
from proofs_check.exponential import Exact, ExpSum
from tests.audit.exact.laws import (
    EPSILONS,
    chance,
    events,
    few,
    merged,
    pairs_of_pmfs,
    pmfs,
    support,
)

Laws = tuple[FinitePmf, FinitePmf]
HALF = Fraction(1, 2)
RATES = st.fractions(Fraction(1, 10), 3, max_denominator=10)


def randomized_response(epsilon: Fraction) -> Laws:
    """The true bit with probability e^epsilon / (1 + e^epsilon)."""
    e = ExpSum.exp(epsilon)
    return FinitePmf.from_weights({0: e, 1: 1}), FinitePmf.from_weights({0: 1, 1: e})


def geometric(center: int, last: int, a: Fraction) -> FinitePmf:
    """Two-sided geometric noise of ratio a on a center, clipped to 0..last."""
    inside = {z: a ** abs(z - center) * (1 - a) for z in range(1, last)}
    ends = {z: a ** abs(z - center) for z in (0, last)}
    return FinitePmf({**inside, **ends}, 1 + a)


def probability(law: FinitePmf, excess_event: tuple[object, ...]) -> Exact:
    """Probability of the outcomes of some cells."""
    return chance(law, *(int(where.strip("{}")) for where in excess_event))


@given(pairs_of_pmfs(), EPSILONS)
@few
def test_no_event_exceeds_the_hockey_stick(laws: Laws, epsilon: Fraction) -> None:
    """It must hold against all events, and the stated event must reach the value, exactly."""
    p, q = laws
    e = ExpSum.exp(epsilon)
    found = hockey_stick(cells_of(p, q), epsilon)
    assert found.value == probability(p, found.event) - e * probability(q, found.event)
    assert (found.p, found.q) == (probability(p, found.event), probability(q, found.event))
    bound = found.value * p.total * q.total
    assert all(over - under * e <= bound for over, under in events(p, q))


@given(pairs_of_pmfs(most=6))
@few
def test_no_event_exceeds_the_largest_ratio(laws: Laws) -> None:
    """It must hold against all events, with equality at the stated cell."""
    p, q = laws
    found = largest_ratio(cells_of(p, q))
    if found.ratio is None:
        assert not found.at_most(Fraction(100))
        assert found.log() is None
        assert any(chance(p, z) > 0 == chance(q, z) for z in support(p))
        return
    assert any(chance(p, z) == found.ratio * chance(q, z) for z in support(p))
    assert all(over <= found.ratio * under for over, under in events(p, q))


@given(RATES)
@few
def test_randomized_response_loses_exactly_epsilon(epsilon: Fraction) -> None:
    """It must hold with equality, refute anything below, and give tanh(epsilon / 2) at 0."""
    e = ExpSum.exp(epsilon)
    for pair in cells_of(*randomized_response(epsilon)).both_ways():
        found = largest_ratio(pair)
        assert found.ratio == e
        assert found.exact_log() == epsilon
        assert contains(found.log(), epsilon)
        assert found.at_most(epsilon)
        assert not found.at_most(epsilon - Fraction(1, 10**40))
        assert hockey_stick(pair, epsilon).value == 0
        assert hockey_stick(pair, epsilon).event == ()
        assert hockey_stick(pair, Fraction(0)).value == (e - 1) / (e + 1)
        assert hockey_stick(pair, epsilon * Fraction(99, 100)).value > 0


@given(RATES, st.lists(st.fractions(0, 1, max_denominator=20), min_size=1, max_size=5))
@few
def test_the_two_outcome_law_has_the_profile_of_the_hourglass(
    epsilon: Fraction, parts: list[Fraction]
) -> None:
    """It must hold that delta(e') = (e^eps - e^e') / (1 + e^eps) for 0 <= e' <= eps, exactly."""
    e = ExpSum.exp(epsilon)
    points = [epsilon * part for part in parts]
    for pair in cells_of(*randomized_response(epsilon)).both_ways():
        deltas = [hockey_stick(pair, x).value for x in points]
        assert deltas == [(e - ExpSum.exp(x)) / (1 + e) for x in points]
        wrong = ExpSum.exp(epsilon * Fraction(101, 100))
        assert deltas != [(wrong - ExpSum.exp(x)) / (1 + wrong) for x in points]


@given(st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20), st.integers(0, 11))
@few
def test_the_truncated_geometric_has_ratio_one_over_a(a: Fraction, center: int) -> None:
    """It must hold exactly in both directions, with delta = 0 at that factor and not below it."""
    for pair in cells_of(geometric(center, 12, a), geometric(center + 1, 12, a)).both_ways():
        assert largest_ratio(pair).ratio == 1 / a
        assert excess(pair, 1 / a).value == 0
        assert excess(pair, (1 / a) * Fraction(99999, 100000)).value > 0


@pytest.mark.parametrize("count", range(5))
def test_the_corpus_mechanism_has_ratio_one_over_a(count: int) -> None:
    """It must hold that Algorithm 4.8 with ln for log2 has ratio 1 + 2^-k: its claim is false."""
    mechanism = TruncatedGeometric("1/10", 5)
    laws = [FinitePmf(dict(enumerate(mechanism.law(c)))) for c in (count, count + 1)]
    for pair in cells_of(*laws).both_ways():
        found = largest_ratio(pair)
        assert found.ratio == 1 + Fraction(1, 2**mechanism.k)
        assert not found.at_most(Fraction(1, 10))
        assert agrees_with_print(found.log(), "0.1178")


def test_the_clipped_geometric_at_a_rational_factor() -> None:
    """It must hold that delta(ln 2) = P(Z <= 0) - 2 P(Z <= -1), on 201 atoms."""
    a = Fraction(1, 3)
    pair = cells_of(geometric(100, 200, a), geometric(101, 200, a))
    assert excess(pair, Fraction(2)).value == (1 - 2 * a) / (1 + a)
    assert len(excess(pair, Fraction(2)).event) == 101


def test_mass_where_the_other_law_has_none() -> None:
    """It must hold that the ratio is infinite that way and finite the other way."""
    pair = cells_of(FinitePmf({0: HALF, 1: HALF}), FinitePmf({0: Fraction(1)}))
    there, back = (largest_ratio(direction) for direction in pair.both_ways())
    assert there.ratio is None
    assert there.exact_log() is None
    assert back.ratio == 2
    assert hockey_stick(pair, Fraction(50)).value == HALF


@given(pairs_of_pmfs())
@few
def test_the_profile_starts_at_total_variation(laws: Laws) -> None:
    """It must hold that delta(0) is the total variation distance, half the sum of |p - q|."""
    p, q = laws
    pair = cells_of(p, q)
    gaps = [chance(p, x) - chance(q, x) for x in support(p, q)]
    half_sum = sum((gap if gap > 0 else -gap for gap in gaps), start=Fraction(0)) * HALF
    assert hockey_stick(pair, Fraction(0)).value == half_sum
    assert hockey_stick(pair.swapped(), Fraction(0)).value == half_sum


@given(pairs_of_pmfs(), st.lists(EPSILONS, min_size=3, max_size=3, unique=True))
@few
def test_the_profile_is_decreasing_and_convex(laws: Laws, points: list[Fraction]) -> None:
    """It must hold that delta never rises in epsilon and is convex in e^epsilon."""
    points.sort()
    s, t, u = (ExpSum.exp(x) for x in points)
    first, middle, last = (hockey_stick(cells_of(*laws), x).value for x in points)
    assert first >= middle >= last >= 0
    assert middle * (u - s) <= first * (u - t) + last * (t - s)


@given(pairs_of_pmfs(), EPSILONS)
@few
def test_one_direction_gives_the_other(laws: Laws, epsilon: Fraction) -> None:
    """It must hold that delta(-e) of (P, Q) is 1 - e^-e + e^-e delta(e) of (Q, P)."""
    pair = cells_of(*laws)
    e = ExpSum.exp(-epsilon)
    there = hockey_stick(pair, -epsilon).value
    assert there == 1 - e + e * hockey_stick(pair.swapped(), epsilon).value


@given(pairs_of_pmfs(), EPSILONS, st.integers(1, 4))
@few
def test_processing_never_raises_a_divergence(laws: Laws, epsilon: Fraction, modulus: int) -> None:
    """It must hold for merged outcomes, in both directions."""
    p, q = laws
    fine = cells_of(p, q)
    coarse = cells_of(merged(p, modulus), merged(q, modulus))
    for before, after in zip(fine.both_ways(), coarse.both_ways(), strict=True):
        assert hockey_stick(after, epsilon).value <= hockey_stick(before, epsilon).value
        loss = largest_ratio(before).ratio
        assert loss is None or largest_ratio(after).ratio <= loss


@given(pmfs())
@few
def test_a_law_is_at_no_distance_from_itself(law: FinitePmf) -> None:
    """It must hold for every divergence."""
    pair = cells_of(law, law)
    assert largest_ratio(pair).exact_log() == 0
    assert hockey_stick(pair, Fraction(0)).value == 0


@given(RATES, RATES)
@few
def test_rational_logarithms_are_recognized(x: Fraction, y: Fraction) -> None:
    """It must hold for every form of e^x, and for nothing else."""
    e, f = ExpSum.exp(x), ExpSum.exp(y)
    assert exact_log(e) == x
    assert exact_log((e + e * f) / (1 + f)) == x
    assert exact_log((e + e * f) / (2 + f)) is None
    assert exact_log(e * 2) is None
    assert exact_log(Fraction(1)) == 0
    assert exact_log(Fraction(0)) is None


def test_cells_of_varying_ratio_are_taken_on_their_side_or_refused() -> None:
    """It must hold that a varying ratio counts whole, not at all, or is named as too coarse."""
    e = ExpSum.exp(Fraction(1))
    varying = Cell(HALF, Fraction(1, 4), outcomes("a"), RatioRange(Fraction(3, 2), e))
    pair = CellPair((varying, Cell(HALF, Fraction(3, 4), outcomes("b"))))
    assert hockey_stick(pair, Fraction(0)).value == Fraction(1, 4)
    assert excess(pair, Fraction(3, 2)).value == Fraction(1, 8)
    assert hockey_stick(pair, Fraction(1)).value == 0
    assert largest_ratio(pair).exact_log() == 1
    assert largest_ratio(pair.swapped()).ratio == Fraction(3, 2)
    with pytest.raises(OpenCell) as caught:
        excess(pair, Fraction(2))
    assert caught.value.cell == varying
    endless = Cell(HALF, Fraction(1, 4), outcomes("a"), RatioRange(Fraction(1), None))
    assert largest_ratio(CellPair((endless, pair.cells[1]))).ratio is None


def test_enclosed_masses_give_enclosed_divergences() -> None:
    """It must hold that the ball contains the exact value, and is as narrow as the masses."""
    e = ExpSum.exp(Fraction(-1))
    rest = Cell(1 - e, Fraction(2, 3), outcomes("b"))
    exact = CellPair((Cell(e, Fraction(1, 3), outcomes("a")), rest))
    ball = Cell(e.ball(128), Fraction(1, 3), outcomes("a"), RatioRange(1, 2))
    found = hockey_stick(CellPair((ball, rest)), Fraction(0)).value
    assert isinstance(found, Ball)
    lower, upper = endpoints(found)
    assert lower <= hockey_stick(exact, Fraction(0)).value <= upper
    assert upper - lower < Fraction(1, 10**35)


def test_arguments_outside_their_domain_are_refused() -> None:
    """It must hold for a negative factor."""
    pair = cells_of(*randomized_response(Fraction(1)))
    with pytest.raises(InvalidArgument, match="factor must be"):
        excess(pair, Fraction(-1))
