"""Mechanisms built from parts: exact laws against sums, products and bounds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells import Cell, CellPair, RatioRange, Where, outcomes
from audit.exact.divergences import (
    LargestRatio,
    hockey_stick,
    largest_ratio,
    total_variation,
)
from audit.exact.finite import FinitePmf, cells_of, mixture
from audit.exact.numbers import as_ball
from audit.exact.parts import (
    adaptive,
    adaptive_ratio,
    independent,
    independent_ratio,
    processed,
    public_mixture,
)
from audit.exact.renyi import renyi_divergence, renyi_moment
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, endpoints
from proofs_check.exponential import ExpSum
from tests.audit.exact.laws import EPSILONS, few, pairs_of_pmfs, pmfs

Laws = tuple[FinitePmf, FinitePmf]
HALF = Fraction(1, 2)
WEIGHTS = st.fractions(0, 1, max_denominator=12)


def outcome(where: Where) -> object:
    """The only outcome of a cell."""
    _, only = where.data
    return only


def same_divergences(x: CellPair, y: CellPair, epsilon: Fraction) -> bool:
    """Whether two pairs agree in hockey-stick divergence and largest ratio, both ways."""
    return all(
        hockey_stick(a, epsilon).value == hockey_stick(b, epsilon).value
        and largest_ratio(a).ratio == largest_ratio(b).ratio
        for a, b in zip(x.both_ways(), y.both_ways(), strict=True)
    )


def two_sided(center: int, a: Fraction) -> FinitePmf:
    """Two-sided geometric noise on a center, clipped to 0..4."""
    inside = {z: a ** abs(z - center) * (1 - a) for z in range(1, 4)}
    return FinitePmf({**inside, **{z: a ** abs(z - center) for z in (0, 4)}}, 1 + a)


@given(pairs_of_pmfs(most=3), pairs_of_pmfs(most=3), EPSILONS)
@few
def test_independent_parts_have_the_product_law(x: Laws, y: Laws, epsilon: Fraction) -> None:
    """It must hold for every divergence, and the ratio of the vector is the product."""
    parts = [cells_of(*x), cells_of(*y)]
    joint = [law.then(lambda _, other=other: other) for law, other in zip(x, y, strict=True)]
    for law, (a, b) in zip(joint, zip(x, y, strict=True), strict=True):
        for pair in product(a, b):
            assert law.probability(pair) == a.probability(pair[0]) * b.probability(pair[1])
    composed = independent(parts)
    assert same_divergences(composed, cells_of(*joint), epsilon)
    expected = independent_ratio([largest_ratio(part) for part in parts])
    assert largest_ratio(composed).ratio == expected.ratio


@given(pairs_of_pmfs(most=3), pairs_of_pmfs(most=3))
@few
def test_moments_of_independent_parts_multiply(x: Laws, y: Laws) -> None:
    """It must hold exactly at order 2, infinite if one part's is."""
    parts = [cells_of(*x), cells_of(*y)]
    moments = [renyi_moment(part, 2) for part in parts]
    whole = renyi_moment(independent(parts), 2)
    if None in moments:
        assert whole is None
    else:
        assert whole == moments[0] * moments[1]


def test_the_loss_of_a_vector_is_the_sum_over_coordinates() -> None:
    """It must hold that noise on three counts loses the sum, and on 1 % less rate more than it."""
    a = Fraction(1, 2)
    for moved in product((0, 1), repeat=3):
        parts = [cells_of(two_sided(2, a), two_sided(2 + step, a)) for step in moved]
        assert largest_ratio(independent(parts)).ratio == (1 / a) ** sum(moved)
        mutant = [cells_of(two_sided(2, a * Fraction(99, 100)), two_sided(3, a)) for _ in moved]
        assert largest_ratio(independent(mutant)).ratio > (1 / a) ** 3


@given(pairs_of_pmfs(most=3), st.lists(pairs_of_pmfs(most=3), min_size=3, max_size=3), EPSILONS)
@few
def test_adaptive_parts_have_the_joint_law(
    first: Laws, seconds: list[Laws], epsilon: Fraction
) -> None:
    """It must hold where the second part depends on the first output, in exact numbers."""
    joint = [law.then(lambda x, i=i: seconds[x][i]) for i, law in enumerate(first)]
    composed = adaptive(cells_of(*first), lambda where: cells_of(*seconds[outcome(where)]))
    assert same_divergences(composed, cells_of(*joint), epsilon)
    found = adaptive_ratio(
        cells_of(*first), lambda where: largest_ratio(cells_of(*seconds[outcome(where)]))
    )
    assert largest_ratio(composed).ratio == found.ratio


@given(pairs_of_pmfs(most=3), st.lists(pairs_of_pmfs(most=3), min_size=3, max_size=3))
@few
def test_the_worst_case_of_sums_bounds_an_adaptive_choice(first: Laws, seconds: list[Laws]) -> None:
    """It must hold that the largest losses of the parts add up to at least the whole loss."""
    ratios = [largest_ratio(cells_of(*pair)) for pair in seconds]
    finite = [one for one in ratios if one.ratio is not None]
    worst = max(finite, key=lambda one: one.ratio, default=ratios[0])
    if len(finite) < len(ratios):
        worst = LargestRatio(None, outcomes("somewhere"))
    bound = independent_ratio([largest_ratio(cells_of(*first)), worst]).ratio
    whole = adaptive(cells_of(*first), lambda where: cells_of(*seconds[outcome(where)]))
    assert bound is None or largest_ratio(whole).ratio <= bound


@given(pairs_of_pmfs(most=4), st.lists(pmfs(most=3), min_size=4, max_size=4), EPSILONS)
@few
def test_a_channel_never_raises_a_divergence(
    laws: Laws, rows: list[FinitePmf], epsilon: Fraction
) -> None:
    """It must hold for random functions, whose exact law must be that of the channel."""
    before = cells_of(*laws)
    after = processed(before, lambda where: rows[outcome(where)])
    direct = cells_of(*(law.through(lambda x: rows[x]) for law in laws))
    assert same_divergences(after, direct, epsilon)
    for old, new in zip(before.both_ways(), after.both_ways(), strict=True):
        assert hockey_stick(new, epsilon).value <= hockey_stick(old, epsilon).value
        loss = largest_ratio(old).ratio
        assert loss is None or largest_ratio(new).ratio <= loss


@given(pairs_of_pmfs(), st.integers(1, 4), EPSILONS)
@few
def test_a_map_is_a_channel_of_points(laws: Laws, modulus: int, epsilon: Fraction) -> None:
    """It must hold that processing by point laws gives the law of the image."""
    mapped = cells_of(*(law.map(lambda x: x % modulus) for law in laws))
    by_points = processed(cells_of(*laws), lambda where: FinitePmf.point(outcome(where) % modulus))
    assert same_divergences(mapped, by_points, epsilon)


@given(pairs_of_pmfs(most=4), pairs_of_pmfs(most=4), WEIGHTS, EPSILONS)
@few
def test_mixtures_are_jointly_convex(x: Laws, y: Laws, weight: Fraction, epsilon: Fraction) -> None:
    """It must hold that a public index gives the weighted sum, and a hidden one at most that."""
    weights = (weight, 1 - weight)
    pairs = [cells_of(*x), cells_of(*y)]
    public = public_mixture(list(zip(weights, pairs, strict=True)))
    hidden = cells_of(
        *(mixture(list(zip(weights, laws, strict=True))) for laws in zip(x, y, strict=True))
    )
    by_weight = [
        w * hockey_stick(pair, epsilon).value for w, pair in zip(weights, pairs, strict=True)
    ]
    assert hockey_stick(public, epsilon).value == by_weight[0] + by_weight[1]
    assert hockey_stick(hidden, epsilon).value <= hockey_stick(public, epsilon).value
    losses = [largest_ratio(pair).ratio for w, pair in zip(weights, pairs, strict=True) if w]
    if None not in losses:
        assert largest_ratio(public).ratio == max(losses)
        assert largest_ratio(hidden).ratio <= max(losses)


@given(st.lists(pmfs(most=3), min_size=2, max_size=3), st.integers(0, 3))
@few
def test_a_mixture_has_the_weighted_probabilities(laws: list[FinitePmf], value: int) -> None:
    """It must hold exactly for weights that are exponentials."""
    e = ExpSum.exp(Fraction(-1))
    weights = [e, 1 - e, 0][: len(laws)]
    mixed = mixture(list(zip(weights, laws, strict=True)))
    parts = [law.probability(value) * weight for law, weight in zip(laws, weights, strict=True)]
    assert mixed.probability(value) == sum(parts[1:], start=parts[0])


def test_weights_that_do_not_add_up_are_refused() -> None:
    """It must hold for public and hidden indices, and for a vector without coordinates."""
    law = FinitePmf.point(0)
    with pytest.raises(InvalidArgument, match="add up"):
        mixture([(HALF, law), (Fraction(49, 100), law)])
    with pytest.raises(InvalidArgument, match="add up"):
        public_mixture([(HALF, cells_of(law, law)), (Fraction(49, 100), cells_of(law, law))])
    with pytest.raises(InvalidArgument, match="must not be empty"):
        independent([])


def test_an_infinite_part_makes_the_whole_infinite() -> None:
    """It must hold for vectors and for adaptive choices, and say at which outcome."""
    leak = cells_of(FinitePmf({0: HALF, 1: HALF}), FinitePmf.point(0))
    fair = cells_of(FinitePmf({0: HALF, 1: HALF}), FinitePmf({0: HALF, 1: HALF}))
    found = largest_ratio(independent([fair, leak]))
    assert found.ratio is None
    assert found.where.data == ("together", ("outcomes", 0), ("outcomes", 1))
    chosen = adaptive_ratio(fair, lambda where: largest_ratio(leak if outcome(where) else fair))
    assert (chosen.ratio, chosen.where.data[1]) == (None, ("outcomes", 1))
    assert independent_ratio([largest_ratio(fair), largest_ratio(leak)]).ratio is None


def varying(mass: object) -> CellPair:
    """Two cells; on the first the ratio ranges over [3/2, 3], its mass as given."""
    first = Cell(mass, Fraction(1, 4), outcomes("a"), RatioRange(Fraction(3, 2), 3))
    return CellPair((first, Cell(HALF, Fraction(3, 4), outcomes("b"))))


@pytest.mark.parametrize("mass", [HALF, as_ball(HALF)], ids=["exact", "enclosed"])
def test_ranges_of_ratios_multiply(mass: object) -> None:
    """It must hold for exact masses and for balls: in vectors, mixtures and after processing."""
    pair = varying(mass)
    fair = cells_of(
        FinitePmf({0: HALF, 1: HALF}), FinitePmf({0: Fraction(1, 4), 1: Fraction(3, 4)})
    )
    squared = independent([pair, pair])
    assert largest_ratio(squared).ratio == 9
    assert largest_ratio(squared.swapped()).ratio == Fraction(9, 4)
    assert largest_ratio(independent([pair, fair])).ratio == 6
    assert largest_ratio(public_mixture([(HALF, pair), (HALF, fair)])).ratio == 3
    swapped = processed(pair, lambda where: FinitePmf.point(outcome(where) == "a"))
    loss = largest_ratio(swapped).ratio
    assert loss == (3 if isinstance(mass, Ball) else 2)


def test_enclosed_masses_keep_their_width_through_parts() -> None:
    """It must hold that a composition of balls contains the exact value, to 1e-30."""
    e = ExpSum.exp(Fraction(-1))
    rest = Cell(1 - e, Fraction(3, 4), outcomes("b"))
    exact = CellPair((Cell(e, Fraction(1, 4), outcomes("a")), rest))
    ball = CellPair(
        (Cell(e.ball(128), Fraction(1, 4), outcomes("a"), RatioRange(e * 4, e * 4)), rest)
    )
    assert total_variation(exact).value == e - Fraction(1, 4)
    for build in (
        lambda pair: independent([pair, pair]),
        lambda pair: public_mixture([(HALF, pair), (HALF, exact)]),
    ):
        lower, upper = endpoints(total_variation(build(ball)).value)
        assert lower <= total_variation(build(exact)).value <= upper
        assert upper - lower < Fraction(1, 10**30)
        order = Fraction(5, 2)
        (a, b), (c, d) = (endpoints(renyi_divergence(build(x), order)) for x in (ball, exact))
        assert a <= d
        assert c <= b
