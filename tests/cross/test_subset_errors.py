"""Errors of SUB's subset mean with a noisy size, and of grid statistics, against the ledger."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.registry import build_mechanism
from mechanisms.subset.inverse_sensitivity import grid_scores
from mechanisms.subset.noisy_size_error import noisy_size_error
from mechanisms.subset.parameters import SPACINGS
from mechanisms.subset.points import grid_points
from mechanisms.subset.scores.statistic import Statistic
from mechanisms.utility_claims import Quantity
from proofs_check.enclosure import Balls, endpoints
from proofs_check.papers.sub.common import spread
from proofs_check.papers.sub.general.selection_error import score_reach
from proofs_check.papers.sub.mean.noisy_size_error import ROWS, count_reach, noisy_data_bound
from proofs_check.tables.registry import find_table

NUMBERS = Balls(160)


def ball(value):
    """Enclose a rational."""
    return NUMBERS.rational(Fraction(value))


@pytest.mark.parametrize("row", ROWS)
def test_the_noisy_bound_is_that_of_the_ledger(row):
    """SUB-T3.1b at the printed settings, by doubles."""
    n, radius, eps, gamma, d = (float(Fraction(text)) for text in row[:-1])
    found = noisy_size_error(int(n), radius, eps, gamma, 0.0, d)
    assert found == pytest.approx(float(row[-1]), rel=1e-13)


def test_the_bound_on_data_is_that_of_the_ledger():
    """Diff is that of the ledger, alpha has its floor, and the noisy size is within t."""
    data = np.linspace(-1, 1, 1001)
    mechanism = build_mechanism("sub.subset-mean-noisy-size", gamma="1/50")
    (claim,) = mechanism.utility_claims(data)
    assert claim.quantity is Quantity.MAE
    exact = tuple(Fraction(x) for x in data.tolist())
    n, gamma = ball(1001), ball("1/50")
    eta = gamma / n
    t = count_reach(ball(1), eta, numbers=NUMBERS)
    alpha = gamma / (n - t)
    finest = gamma / (n + t)
    beta = 2 * NUMBERS.log(2 * (n + t) / finest**2)
    parameters = alpha, alpha / (n - t), beta
    bound = noisy_data_bound(n, ball(1), ball(1), t, parameters, eta, ball(spread(exact, 1)))
    low, high = endpoints(bound)
    assert float(low) == pytest.approx(float(claim.bound), rel=1e-12)
    assert float(high) == pytest.approx(float(claim.bound), rel=1e-12)
    assert SPACINGS * np.spacing(1.0) < float(endpoints(alpha)[0])


CELLS_OF_THE_TABLE = [
    ("0*500 1*500", "1", True),
    ("0*500 1*500", "1/2", True),
    ("0*180 1*180", "1/4", False),  # ranks may cross
    ("0*500 1*500", "1/10", False),
    ("0:1:lin:241", "1", True),
    ("0:1:lin:211", "1", False),
    ("0*9 1001*900", "1", False),  # a record beyond the bounds
]


def test_the_table_has_what_the_mechanism_states(subtests: pytest.Subtests) -> None:
    """The column of subset-risk is the claim on its row, and empty where there is none."""
    for records, epsilon, stated in CELLS_OF_THE_TABLE:
        with subtests.test(records=records, epsilon=epsilon, stated=stated):
            table = find_table("subset-risk")
            point = {
                key.name: key.read(text)
                for key, text in zip(table.keys, (records, epsilon), strict=True)
            }
            (column,) = (one for one in table.columns if one.name == "noisy_size_bound")
            mechanism = build_mechanism(
                "sub.subset-mean-noisy-size", epsilon=epsilon, low=-1000, high=1000
            )
            claims = mechanism.utility_claims(np.array([float(x) for x in point["records"]]))
            (cell,) = column.rounded(point, 12)
            assert [bool(cell), bool(claims)] == [stated, stated]
            if stated:
                assert float(cell) == pytest.approx(float(claims[0].bound), rel=1e-10)


def test_nothing_is_stated_of_few_records_or_other_budgets():
    """Too few records, 1 / epsilon not whole, epsilon above 1, or records beyond must be silent."""
    for changes, n in (
        ({}, 100),
        ({"epsilon": "2/3"}, 4000),
        ({"epsilon": 3}, 4000),
        ({"gamma": 2}, 3),
    ):
        mechanism = build_mechanism("sub.subset-mean-noisy-size", **changes)
        assert mechanism.utility_claims(np.linspace(-1, 1, n)) == ()
    mechanism = build_mechanism("sub.subset-mean-noisy-size")
    assert mechanism.utility_claims(np.linspace(-1, 1.1, 4000)) == ()


def weighed(mechanism, data):
    """Grid points and their weights, from the scores."""
    statistic = Statistic(mechanism.statistic, mechanism.level, mechanism.power, mechanism.score)
    scores = grid_scores(data, mechanism.low, mechanism.high, mechanism.step, statistic)
    grid = grid_points(np.arange(scores.size), mechanism.low, mechanism.step)
    return grid, np.exp(-float(mechanism.epsilon) / 2 * (scores - scores.min()))


def test_scores_are_near_as_often_as_stated():
    """SUB-A5u by the exact law: no interval is missed more often than stated."""
    seen = 0
    for eps, n, statistic in itertools.product((1, 4, 20), (11, 40), ("median", "mean")):
        mechanism = build_mechanism("sub.inverse-sensitivity", epsilon=eps, statistic=statistic)
        data = np.linspace(0, 1, n) ** 2
        claims = mechanism.utility_claims(data)
        for claim in claims:
            seen += 1
            grid, weights = weighed(mechanism, data)
            low, high = claim.interval
            far = (grid < low) | (grid > high)
            assert weights[far].sum() <= float(claim.bound) * weights.sum()
    assert seen >= 6


def test_the_reach_of_scores_is_that_of_the_ledger():
    """The points that are near are those whose score is below the least one and the reach."""
    from mechanisms.subset.selection_error import score_claims

    for eps, size in itertools.product((Fraction(1, 100), Fraction(3)), (5, 50)):
        reach = score_reach(ball(size), ball(eps), ball("1/20"), numbers=NUMBERS)
        whole = int(endpoints(reach)[0])
        scores = np.abs(np.arange(size) - 2) * 10_000
        for far, near in ((whole, True), (whole + 1, False)):
            scores[3] = far
            claims = score_claims(scores.astype(np.int64), eps, Fraction(0), Fraction(1))
            assert claims[0].interval == (2.0, 3.0 if near else 2.0)


def test_errors_of_pruned_statistics_are_below_their_bounds():
    """SUB-T4.3s on data: by draws, and a hundredth of the bound is too little for a wide one."""
    rng = np.random.default_rng(11)
    for statistic, level in (("median", "1/2"), ("quantile", "1/4"), ("mean", "1/2")):
        mechanism = build_mechanism("sub.monotone", epsilon=20, statistic=statistic, level=level)
        data = np.round(rng.beta(1, 3, 260), 3)
        (claim,) = mechanism.utility_claims(data)
        errors = np.abs(mechanism.sample(data, 4000, rng=rng) - float(claim.truth.value))
        assert errors.mean() + 5 * errors.std() / 60 < float(claim.bound)
        r = 12
        ordered = np.sort(data)
        ends = [ordered[4 * r :], ordered[: -4 * r]]
        if statistic == "mean":
            own = [part.mean() for part in ends]
        else:
            share = 0.5 if statistic == "median" else 0.25
            own = [np.quantile(part, share, method="inverted_cdf") for part in ends]
        steps = 8 if statistic == "mean" else 7.5
        assert float(claim.bound) == pytest.approx(own[0] - own[1] + steps / 20, rel=1e-9)


def test_nothing_is_stated_of_other_statistics():
    """A length of the mean, minimizers, and n = 4.5 r records must be silent."""
    data = np.linspace(0, 1, 300)
    for changes in ({"statistic": "mean", "score": "length"}, {"statistic": "power", "power": 3}):
        for name in ("sub.monotone", "sub.inverse-sensitivity"):
            mechanism = build_mechanism(name, epsilon=20, **changes)
            assert mechanism.utility_claims(data) == ()
    mechanism = build_mechanism("sub.monotone", epsilon=20)
    assert mechanism.utility_claims(data[:54]) == ()
    assert mechanism.utility_claims(data[:55]) != ()
