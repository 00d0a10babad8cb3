"""Quantiles, diffused answers and parallel counts of PDP against the ledger's closed forms."""

from fractions import Fraction
from math import ceil, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.as_printed.count_law import NoisyCounts
from mechanisms.as_printed.diffused_quantile import PrintedDiffusedQuantile
from mechanisms.as_printed.diffusion import PrintedDiffusedAnswers
from mechanisms.as_printed.parallel_counts import PrintedCounts
from mechanisms.as_printed.rates import printed_rates
from mechanisms.personalized.diffusion.answer_law import AnswerLaw
from mechanisms.personalized.diffusion.answers import DiffusedAnswers
from mechanisms.personalized.quantile.diffused_quantile import DiffusedQuantile
from mechanisms.personalized.quantile.draw import ClampedRank
from mechanisms.personalized.quantile.find_quantile import FindQuantile
from mechanisms.personalized.quantile.law import ranked_law
from mechanisms.personalized.quantile.point_grid import PointGrid
from proofs_check.enclosure import Balls, endpoints
from proofs_check.exponential import ExpRatio, ExpSum
from proofs_check.papers.pdp.counterexamples.small import quantile_loss
from proofs_check.papers.pdp.range.rates import (
    answer_probability,
    diffused_loss,
    exact_right_rate,
    half_rate,
    printed_rate,
    right_rate,
)
from proofs_check.papers.pdp.tools.parallel import part_sizes
from proofs_check.papers.pdp.tools.quantile import centerd_score, quantile_margin, rank_score
from proofs_check.papers.pdp.tools.saturation import saturation

NUMBERS = Balls(200)
TINY = Fraction(1, 10**40)
GRID = PointGrid(Fraction(0), Fraction(8), Fraction(1))
RECORDS = st.lists(st.integers(0, 8), max_size=6)
EPSILON = st.integers(1, 12).map(lambda k: Fraction(k, 4))


def same(first, second, tolerance=TINY):
    """Whether two balls agree, closely."""
    lower, upper = endpoints(first - second)
    return lower <= 0 <= upper and upper - lower < tolerance


def law_of(data, score, epsilon):
    """The exponential mechanism with a score of the ledger, in exact sums."""
    counts = [(sum(y < x for y in data), sum(y <= x for y in data)) for x in range(9)]
    weights = [ExpSum.exp(epsilon * score(*count) / 2) for count in counts]
    total = sum(weights[1:], weights[0])
    return [ExpRatio(weight, total).ball(200) for weight in weights]


@given(data=RECORDS, epsilon=EPSILON)
def test_the_centered_law_is_the_ledgers(data, epsilon):
    """It must hold at every point, and a center that is one rank higher must show."""
    found = FindQuantile(epsilon, 0, 8).exact_law([float(x) for x in data]).masses(NUMBERS)
    agree = []
    for more in (0, 2):
        size = Fraction(len(data) + more)
        law = law_of(data, lambda under, upto, m=size: centerd_score(under, upto, m), epsilon)
        agree.append(all(same(found[Fraction(x)], law[x]) for x in range(9)))
    assert agree[0]
    if len(set(data)) > 1:
        assert not agree[1]


@given(data=RECORDS, epsilon=EPSILON, rank=st.fractions(0, 7, max_denominator=3))
def test_the_law_at_a_rank_is_the_ledgers(data, epsilon, rank):
    """The score at the clamped rank, rounded up, must be that of PDP-A2's closed form."""
    beta = Fraction(9, 10)
    law = ranked_law(epsilon, GRID, data, ClampedRank(float(rank), float(beta)))
    failure, size, eps = (NUMBERS.rational(x) for x in (beta, Fraction(9), epsilon))
    c = float(sum(endpoints(quantile_margin(size, failure, eps, numbers=NUMBERS)))) / 2
    moved = max(1, ceil(c if rank < c else min(rank, len(data) - c)))
    assert (law.most, law.least) == (moved - 1, moved)
    slow = law_of(data, lambda under, upto: rank_score(under, upto, moved), epsilon)
    found = law.masses(NUMBERS)
    assert all(same(found[Fraction(x)], slow[x]) for x in range(9))


@given(
    budget=st.integers(0, 30).map(lambda k: Fraction(k, 10)),
    tau=st.integers(1, 60).map(lambda k: Fraction(k, 7)),
    slip=st.sampled_from(["", "E-01", "E-02"]),
)
def test_rates_and_answers_are_the_ledgers(budget, tau, slip):
    """Rates below tau, P(1), and the loss of Theorem 10 must be the ledger's."""
    rates = printed_rates((budget,), tau, frozenset({slip}))
    p = rates.mass(0, NUMBERS)
    if 0 < budget < tau:
        rate = {"": right_rate, "E-01": printed_rate, "E-02": half_rate}[slip]
        slow = rate(budget, tau, numbers=NUMBERS)
        slow = NUMBERS.rational(slow) if isinstance(slow, Fraction) else slow
        assert same(p, slow)
        kept = exact_right_rate(budget, tau) if not slip else rate(budget, tau)
        for one in (True, False):
            found = _chance(AnswerLaw(tau, rates, (one,)))
            assert found == answer_probability(kept, tau, int(one))
    ratio = _chance(AnswerLaw(tau, rates, (True,))) / _chance(AnswerLaw(tau, rates, (False,)))
    granted = diffused_loss(p, NUMBERS.rational(tau), numbers=NUMBERS)
    assert same(NUMBERS.log(ratio.ball(200)), granted)


def _chance(law):
    """P(1) of the only user, exactly."""
    weights = [
        sum((ExpSum.exp(-law.epsilon * loss / 2, r) for r, loss in terms), start=ExpSum({}))
        for terms in law.weights
    ]
    return ExpRatio(weights[1], weights[0] + weights[1])


def test_the_forms_of_cx2_use_these_rates():
    """It must hold that the mechanisms have the rates that were compared."""
    for slip in ("E-01", "E-02"):
        mechanism = PrintedDiffusedAnswers(("1/2", 1), 9, slip)
        assert mechanism.rates == printed_rates(mechanism.budgets, Fraction(9), frozenset({slip}))
    sound = DiffusedAnswers(("1/2", 1), 9)
    assert sound.rates == printed_rates(sound.budgets, Fraction(9), frozenset())


@pytest.mark.parametrize("high", [7, 1000, 10**6])
@pytest.mark.parametrize(("slip", "rate"), [("E-01", printed_rate), ("E-02", half_rate)])
def test_the_loss_of_the_median_stage_is_the_ledgers(high, slip, rate):
    """P(N | N) / P(N | none) must be that of PDP-CX3; centered, that with tau / 16."""
    budget = Fraction(1, 10)
    tau = saturation([budget]).tau
    for more, scale in ((", E-13", 1), ("", 2)):
        mechanism = PrintedDiffusedQuantile(budget, high=high, slip=slip + more)
        assert mechanism.tau == tau
        laws = [mechanism.exact_law([x]) for x in (float(high), float("nan"))]
        cuts = sorted({*laws[0].cuts, *laws[1].cuts})
        last = (Fraction(high), Fraction(high + 1)) if cuts else Fraction(high)
        p, q = (law.masses(NUMBERS, cuts)[last] for law in laws)
        closed = quantile_loss(
            NUMBERS.rational(rate(budget, tau)),
            high,
            NUMBERS.rational(tau / scale),
            numbers=NUMBERS,
        )
        assert same(NUMBERS.log(p / q), closed)


def test_the_right_rates_keep_the_median_within_the_grant():
    """The loss of one user at the right rates must be the same closed form, below ln(1 + p(..))."""
    budget, tau, high = Fraction(1, 2), Fraction(6), 10**6
    mechanism = DiffusedQuantile(budget, tau, 0, high)
    laws = [mechanism.exact_law([x]) for x in (float(high), float("nan"))]
    cuts = sorted({*laws[0].cuts, *laws[1].cuts})
    p, q = (law.masses(NUMBERS, cuts)[Fraction(high), Fraction(high + 1)] for law in laws)
    kept = right_rate(budget, tau, numbers=NUMBERS)
    loss = quantile_loss(kept, high, NUMBERS.rational(tau / 2), numbers=NUMBERS)
    assert same(NUMBERS.log(p / q), loss)
    granted = diffused_loss(kept, NUMBERS.rational(tau / 4), numbers=NUMBERS)
    assert endpoints(loss)[1] < endpoints(granted)[0] < budget


@given(data=st.lists(st.integers(-3, 3), max_size=6))
def test_the_parts_have_the_ledgers_sizes(data):
    """Counts below 0 and from 0 on must be those of PDP-L3."""
    law = PrintedCounts().exact_law([float(x) for x in data])
    assert isinstance(law, NoisyCounts)
    assert law.counts == part_sizes(data)
    assert PrintedCounts(noise="none").exact_law(data).release == part_sizes(data)


def test_the_margin_in_doubles_is_the_ledgers():
    """It must hold that (2 / eps) ln(|X| / beta) is rounded up as its double is."""
    for points, beta, epsilon in ((20, 0.5, 1.0), (1001, 0.1, 1.0), (2**61, 0.025, 0.02)):
        c = 2 / epsilon * log(points / beta)
        moved = ClampedRank(0.0, beta).moved(np.array([10**9]), np.array([float(points)]), epsilon)
        assert moved[0] == ceil(c)
    one = NUMBERS.rational(Fraction(1))
    margin = quantile_margin(1001 * one, one / 10, one, numbers=NUMBERS)
    assert float(sum(endpoints(margin))) / 2 == pytest.approx(18.4226797446185, rel=1e-14)
