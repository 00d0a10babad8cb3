"""The range and the mean of PDP: what their stages spend and cut off, against the ledger's."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.as_printed.range import PrintedRange
from mechanisms.as_printed.range_stages import PrintedStages, far_and_near
from mechanisms.personalized.diffusion.rates import RationalRates
from mechanisms.personalized.range import stages
from mechanisms.personalized.range.interval import PersonalizedRange
from mechanisms.personalized.range.mean import PersonalizedMean
from mechanisms.personalized.sparse.radius import threshold
from proofs_check.enclosure import Balls, certainly_less, endpoints
from proofs_check.papers.pdp.common import NUMBERS as LEDGER
from proofs_check.papers.pdp.counterexamples.range import LOSSES, range_loss
from proofs_check.papers.pdp.mean.mean_estimation import range_loss as stage_loss
from proofs_check.papers.pdp.range.range_estimation import (
    share_kept,
    stage_budgets,
    survivor_budget,
)
from proofs_check.papers.pdp.range.range_law import DIGITS_3, RangeStage, center_probability
from proofs_check.papers.pdp.range.rates import diffused_loss, half_rate, printed_rate
from tests.calibrated import ALPHA

F = Fraction
NUMBERS = Balls(300)
SURE = RationalRates((F(1),))
PRINTED = frozenset(("E-10", "E-11", "E-12", "E-13"))
FAR = F(10013, 10)

budgets = st.lists(st.fractions(F(1, 20), 12, max_denominator=20), min_size=1, max_size=6)


def middle(ball):
    """A ball's middle in doubles."""
    lower, upper = endpoints(ball)
    return float((lower + upper) / 2)


@pytest.fixture
def called(monkeypatch):
    """The budgets and failure probabilities that the stages are called with, in their order."""
    found = []

    def watch(name, places):
        stage = getattr(stages, name)

        def call(*arguments, **rest):
            found.append((name, *arguments[places]))
            return stage(*arguments, **rest)

        monkeypatch.setattr(stages, name, call)

    watch("draw_grid", slice(2, 3))
    watch("draw_radius", slice(3, 5))
    watch("draw_quantile", slice(4, 5))
    return found


def test_stages_spend_what_the_ledger_says(called, dp_rng):
    """Two scans with tau / 8 each, then radius, center and radius with tau / 4, tau together."""
    PersonalizedRange((1, 2), tau="3/2").sample([1.0, 2.0], 1, rng=dp_rng)
    (_, grid), *rest = called
    assert [name for name, *_ in called[1:]] == ["draw_radius", "draw_quantile", "draw_radius"]
    spent = [grid / 2, grid / 2, *(epsilon for _, epsilon, *_ in rest)]
    assert spent == [float(part) for part in stage_budgets(F(3, 2))]
    assert sum(spent) == 1.5


@given(st.fractions(F(1, 100), F(9, 10)), st.fractions(F(1, 10), 10))
def test_radius_cuts_off_what_the_ledger_says(beta, tau):
    """The radii of the mean may miss 24 ln(48 / beta) / tau records, 148.2 / tau at beta = 1/10."""
    with pytest.MonkeyPatch.context() as patch:
        found = []

        def stage(values, counted, b, epsilon, share, *, rng):
            found.append(-threshold(epsilon, share))
            return b

        patch.setattr(stages, "draw_radius", stage)
        PersonalizedMean(1, beta, tau).sample([1.0], 1, rng=np.random.default_rng(1))
    expected = 24 * middle(LEDGER.log(LEDGER.rational(48 / beta))) / float(tau)
    assert found == pytest.approx([expected, expected], rel=1e-13)
    assert 24 * math.log(480) == pytest.approx(148.2, abs=0.05)


@settings(max_examples=20)
@given(budgets, st.fractions(F(1, 10), 6, max_denominator=10))
def test_both_stages_keep_the_budgets(values, tau):
    """ln(1 + p (e^tau - 1)) of the range and the spent half of the weights: at most eps_i.

    The range's loss is half of the budget, or tau; a percent more would be too much.
    """
    for chosen in (None, tau):
        mechanism = PersonalizedMean(values, tau=chosen)
        for user, budget in enumerate(values):
            p = mechanism.rates.mass(user, NUMBERS)
            loss = diffused_loss(p, NUMBERS.rational(mechanism.tau), numbers=NUMBERS)
            expected = stage_loss(budget / 2, mechanism.tau)
            assert abs(endpoints(loss - expected)[0]) < F(1, 10**60)
            weight = F(mechanism.saturation.saturated[user])
            assert weight <= budget / 2 * (1 + F(1, 10**15))
            assert endpoints(loss)[1] + weight <= budget * (1 + F(1, 10**14))


EXPECTED = {
    "1/10 and 1, n = 1000": (("1/10",) * 500 + (1,) * 500, F(1, 2), 540),
    "1/100 and 1/2, n = 2000": (("1/100",) * 200 + ("1/2",) * 1800, F(1, 4), 1804),
    "1/5, n = 5000": (("1/5",) * 5000, F(1, 10), 5000),
}


@pytest.mark.parametrize("case", EXPECTED)
def test_survivors_are_those_of_the_simulations(case):
    """They must be those of the mean's range, and the ledger's product tau times that."""
    values, tau, survivors = EXPECTED[case]
    mechanism = PersonalizedMean(values)
    assert mechanism.tau == tau
    masses = {budget: mechanism.rates.mass(values.index(budget), NUMBERS) for budget in set(values)}
    total = sum(
        (masses[budget] * values.count(budget) for budget in masses), NUMBERS.rational(F(0))
    )
    assert middle(total) == pytest.approx(survivors, abs=0.5)
    halves = [F(budget) / 2 for budget in values]
    assert middle(survivor_budget(halves, tau)) == pytest.approx(float(tau) * middle(total))


def test_printed_rank_is_the_number_of_survivors():
    """With the rates of equation (7) the public rank of E-13 is the expected number of survivors.

    With those of Algorithm 6 it is half of it.
    """
    values = (F(1, 2), F(1), F(2), F(4), F(8), F(16))
    for slip, parts in (("E-02, E-13", 1), ("E-01, E-13", 2)):
        found = PrintedRange(values, slip=slip).stages
        total = sum(map(float, found.rates.rates))
        assert found.rank == pytest.approx(total / parts, rel=1e-15)


def test_filter_keeps_the_share_that_the_ledger_says(dp_rng):
    """With E-10 the records above 0 have a part in the center: half at mu = 0, 2.3 % at mu = -2."""
    size, slack = 20_000, math.sqrt(math.log(2 / ALPHA) / 2 / 20_000)
    for mu in (0, -2):
        data = dp_rng.normal(mu, 1, size=size)
        kept = []

        def center(values, counted, b, *rest, kept=kept, **more):
            kept.append(counted.mean())
            return np.zeros_like(b)

        with pytest.MonkeyPatch.context() as patch:
            module = "mechanisms.as_printed.range_stages"
            patch.setattr(f"{module}.draw_quantile", center)
            patch.setattr(f"{module}.to_grid", lambda values, b: values[np.newaxis])
            PrintedRange((9,) * size, slip="E-10", tau=9).sample(data, 1, rng=dp_rng)
        share = middle(share_kept(LEDGER.rational(F(mu)), numbers=LEDGER))
        assert abs(kept[0] - share) < slack
        assert abs(kept[0] - share - 0.05) > slack


@pytest.mark.slow
@pytest.mark.parametrize(("lag", "size"), [(0, 60_000), (1, 700_000)])
def test_center_is_drawn_as_often_as_the_ledger_says(lag, size, dp_rng):
    """A survivor 1001.3 has its center in (1000.3, 1001.3] with the probability of the quadrature.

    That at beta = 4/5 in place of 9/10 must be rejected. Each mistake has probability 1e-9.
    """
    from scipy import stats

    right, wrong = (
        middle(center_probability(RangeStage(F(1, 10), beta, lag), FAR, DIGITS_3))
        for beta in (F(9, 10), F(4, 5))
    )
    if lag:
        assert right == pytest.approx(3.428686e-3, rel=1e-5)
    tau = RangeStage(F(1, 10)).tau
    slips = PRINTED if lag else PRINTED - {"E-11"}
    found = PrintedStages(SURE, tau, F(9, 10), float(F(1, 10) / (2 * tau)), slips)
    center = found.draw(np.array([float(FAR)]), size, rng=dp_rng).center
    hits = np.count_nonzero((center > float(FAR - 1)) & (center <= float(FAR)))
    low, high = stats.binom.ppf([ALPHA / 2, 1 - ALPHA / 2], size, right)
    assert stats.binom.cdf(high, size, wrong) - stats.binom.cdf(low, size, wrong) < ALPHA
    assert low <= hits <= high


CASES = [
    (budget, rate, slip, text)
    for budget, *texts in LOSSES[:3]
    for rate, slip, text in zip(
        (printed_rate, half_rate), ("all", "E-02, E-10, E-11, E-12, E-13"), texts, strict=True
    )
]


@pytest.mark.parametrize(
    ("budget", "rate", "slip", "text"),
    [CASES[0], *(pytest.param(*case, marks=pytest.mark.slow) for case in CASES[1:])],
)
def test_losses_of_the_counterexample_are_the_ledgers(budget, rate, slip, text):
    """The exact loss of the pair that the printed form states, with either of the printed rates."""
    numbers, mechanism = Balls(600), PrintedRange(budget, slip=slip)
    p, q = (mechanism.exact_law(side).masses(numbers)[True] for side in mechanism.counterexample)
    loss = numbers.log(p / q)
    ledger = range_loss(RangeStage(F(budget)), rate, DIGITS_3)
    assert middle(loss) == pytest.approx(middle(ledger), abs=2e-3)
    assert middle(loss) == pytest.approx(float(text), abs=1e-3)
    assert certainly_less(F(budget), loss)


OTHERS = ("", "E-11", "E-12", "E-13", "E-11, E-12", "E-11, E-13", "E-12, E-13", "E-11, E-12, E-13")


@pytest.mark.slow
@pytest.mark.parametrize("parts", [1, 2], ids=["range", "range of the mean"])
@pytest.mark.parametrize("rate", ["E-01", "E-02"])
def test_stated_counterexamples_lose_more_than_the_budget(rate, parts):
    """For all slips and budgets at the ends of what is stated the exact loss must be larger."""
    numbers, known = Balls(600), 0
    for rest in OTHERS:
        slip = f"{rate}, {rest}" if rest else rate
        for budget in map(F, ("1/1000", "3/10", "2/5", "1/2")):
            mechanism = PrintedRange(budget / parts, F(99, 100) / (1, 6)[parts - 1], slip)
            stated = mechanism.tau, mechanism.beta, mechanism.slips, parts
            pair = far_and_near(mechanism.budgets, *stated)
            if pair is not None:
                p, q = (mechanism.exact_law(side).masses(numbers)[True] for side in pair)
                assert certainly_less(budget, numbers.log(p / q))
                known += 1
    assert known == {"E-01": 30, "E-02": 22}[rate]
