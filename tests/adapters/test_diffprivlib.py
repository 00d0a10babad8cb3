import math
from fractions import Fraction

import numpy as np
import pytest

from audit.cli.options import read_param
from mechanisms.claims import ApproxDP, PureDP, Relation
from mechanisms.errors import InvalidArgument
from tests.adapters import maker

CountNonzero, Gaussian, Geometric, Histogram, Laplace, Mean, Median, Sum = (
    maker(f"diffprivlib.{name}")
    for name in (
        "count-nonzero",
        "gaussian",
        "geometric",
        "histogram",
        "laplace",
        "mean",
        "median",
        "sum",
    )
)


def at_least(successes, draws, limit):
    """Whether the hit rate is above `limit` beyond doubt (Hoeffding, error 1e-9)."""
    return successes / draws - math.sqrt(math.log(1e9) / (2 * draws)) > limit


def test_claims_are_what_was_asked_for():
    """The level must be the exact parameters, the relation that of a moved value."""
    assert Laplace("1/3").claim.level == PureDP("1/3")
    assert Gaussian("1/2", "1e-6").claim.level == ApproxDP("1/2", "1e-6")
    assert Geometric(2, 3).claim.level == PureDP(2)
    assert Laplace().claim.relation is Relation.LISTED
    assert str(Mean(2).claim.source) == "diffprivlib 0.6.6, tools.mean, epsilon=2, [0, 1]"


def test_the_classical_gaussian_stops_at_epsilon_one():
    """Above epsilon = 1 only the analytic calibration is offered by the library."""
    with pytest.raises(InvalidArgument, match="epsilon must be at most 1"):
        Gaussian("1.01")
    assert Gaussian("1.01", analytic=True).claim.level == ApproxDP("1.01", "1e-5")


def test_the_analytic_gaussian_is_less_noisy(dp_rng):
    """At one budget the analytic scale (3.73) must be below the classical one (4.84)."""
    spread = [
        Gaussian(analytic=analytic).sample(0.0, 20_000, rng=dp_rng).std()
        for analytic in (False, True)
    ]
    assert spread[0] > 4.4 > spread[1] > 3.4


@pytest.mark.parametrize("data", [2, 2.0, [2], np.array(2.0), np.array([2])])
def test_one_number_may_come_in_any_shape(data, dp_rng):
    """A scalar, and an array or list of one element, must be read alike."""
    assert all(isinstance(z, int) for z in Geometric(30).sample(data, 5, rng=dp_rng))
    assert Geometric(30).sample(data, 5, rng=dp_rng) == [2] * 5


def test_a_fraction_is_no_integer(dp_rng):
    """The geometric mechanism must refuse a value between the integers."""
    with pytest.raises(InvalidArgument, match="one integer"):
        Geometric().sample(0.5, 1, rng=dp_rng)


def test_the_mean_stays_in_its_bounds(dp_rng):
    """Out-of-range records are clipped by the library and the output is truncated."""
    outputs = Mean(epsilon=1, low=-1, high=3).sample([100.0, -100.0], 500, rng=dp_rng)
    assert outputs.min() == -1
    assert outputs.max() == 3


@pytest.mark.long
def test_the_sum_tells_sizes_apart_but_not_swaps(dp_rng):
    """V06: bounds (10, 11), one record more: P(sum > 215) goes from < 0.01 to > 0.9.

    Under SWAP the same adapter keeps its promise: the ratio of the two rates stays below e.
    """
    sums = Sum(epsilon=1, low=10, high=11)
    n = 2_000
    fewer = int((sums.sample([10.5] * 20, n, rng=dp_rng) > 215).sum())
    more = int((sums.sample([10.5] * 21, n, rng=dp_rng) > 215).sum())
    assert at_least(more, n, 0.5)
    assert at_least(n - fewer, n, 0.9)
    assert sums.claim.relation is Relation.SWAP


def test_the_histogram_counts_each_record_once(dp_rng):
    """The released value must be the counts (not the edges), near the truth at a high epsilon."""
    outputs = Histogram(epsilon=40, bins=3, high=3).sample([0.5, 1.5, 1.6, 9.0], 5, rng=dp_rng)
    assert [z.tolist() for z in outputs] == [[1, 2, 0]] * 5


@pytest.mark.long
def test_the_histogram_is_calibrated_to_one_record_more_or_less(dp_rng):
    """V07: a swap moves two bins, so the event of the case must exceed e times its neighbor."""
    histogram, n = Histogram(), 4_000
    low, high = [
        sum(bool(z[0] >= 20 and z[1] <= 20) for z in histogram.sample(data, n, rng=dp_rng))
        for data in ([0.2] * 19 + [0.8] * 21, [0.2] * 20 + [0.8] * 20)
    ]
    margin = math.sqrt(math.log(2e9) / (2 * n))
    assert high / n - margin > math.e * (low / n + margin)
    assert histogram.claim.relation is Relation.ADD_REMOVE


def test_count_nonzero_is_truncated_at_the_public_size(dp_rng):
    """The count lies in [0, n], which is why the size must be public."""
    outputs = CountNonzero().sample([0.0, 5.0, -1.0], 300, rng=dp_rng)
    assert {0, 3} <= set(outputs) <= {0, 1, 2, 3}
    assert CountNonzero().claim.relation is Relation.SWAP


@pytest.mark.parametrize(("zeros", "fails"), [(2982, False), (2983, True)])
def test_a_crash_of_the_median_is_an_outcome(zeros, fails, dp_rng):
    """V04: with 2983 zeros and a one every weight under-runs; with one zero less none does."""
    outputs = Median().sample([0.0] * zeros + [1.0], 20, rng=dp_rng)
    assert len(outputs) == 20
    assert [isinstance(z, RuntimeError) for z in outputs] == [fails] * 20


def test_the_median_holds_under_either_relation():
    """The score's sensitivity 1 covers both relations; the user chooses which is claimed."""
    assert Median().claim.relation is Relation.ADD_REMOVE
    assert Median(relation="swap").claim.relation is Relation.SWAP
    with pytest.raises(InvalidArgument, match="relation must be 'add-remove' or 'swap'"):
        Median(relation="listed")


def test_nan_shows_in_the_mean(dp_rng):
    """V10: one NaN record makes every release NaN, which the adapter must carry through."""
    assert np.isnan(Mean().sample([0.0] * 99 + [math.nan], 10, rng=dp_rng)).all()


def test_the_default_accountant_of_the_user_is_left_alone(dp_rng):
    """Draws of an audit must not be booked on (or refused by) the user's own accountant."""
    from diffprivlib import BudgetAccountant

    own = BudgetAccountant(epsilon=1, delta=0).set_default()
    try:
        outputs = Mean(epsilon=1).sample([0.0, 1.0], 5, rng=dp_rng)
    finally:
        BudgetAccountant.pop_default()
    assert not any(isinstance(z, Exception) for z in outputs)
    assert own.spent_budget == []


def test_parameters_are_exact():
    """Bounds are kept as the decimals that were typed."""
    assert Mean(low=0.1, high="1/3").bounds == (Fraction(1, 10), Fraction(1, 3))


@pytest.mark.parametrize("text", ["false", "False", "0", "no"])
def test_a_flag_is_true_or_false(text):
    """As typed: both spellings are read, and what is no truth value is not taken for one."""
    name, value = read_param(f"analytic={text}")
    if text in ("false", "False"):
        assert Gaussian(**{name: value}).claim == Gaussian().claim
    else:
        with pytest.raises(InvalidArgument, match="analytic must be true or false, got analytic="):
            Gaussian(**{name: value})
