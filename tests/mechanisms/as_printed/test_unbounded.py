"""Algorithm 8 of PDP as printed: its noise, groups, budgets and padding, and what it loses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mechanisms.as_printed.unbounded_mean import SLIPS, PrintedUnboundedMean
from mechanisms.claims import Order, PersonalizedDP, Relation
from mechanisms.laws import FLOATS
from mechanisms.personalized.groups.mean import GroupMean
from mechanisms.personalized.groups.unbounded_mean import UnboundedMean

F = Fraction
BETA = F(9, 10)
SEED = 20240711
USERS = [[1.0, 1], [3.0, 1], [2.5, 2], [-1.0, 2], [math.nan, 2], [7.0, 4]]
ALPHA = 1e-9


def draws(mechanism: Any, data: Any, size: int = 300) -> np.ndarray:
    """Releases at the seed."""
    return np.asarray(mechanism.sample(data, size, rng=np.random.default_rng(SEED)))


@pytest.mark.parametrize(
    ("slip", "rate", "quotient", "groups"),
    [
        ("E-06", F(1), F(100), 5),
        ("E-28", F(1, 2), F(80), 14),
        ("E-06, E-28", F(1), F(80), 14),
        ("E-29", F(1, 2), F(100), 5),
        ("all", F(1), F(80), 14),
    ],
)
def test_noise_of_the_counts(slip: str, rate: Fraction, quotient: Fraction, groups: int) -> None:
    """With T = 16 the scale must be 1 / left, the logarithm of 2 floor(log2 T) / beta.

    Of the 16 groups two have left ends from 1024 on, and are left out.
    """
    mechanism = PrintedUnboundedMean(("1/16", 1), slip=slip)
    lefts = mechanism.left_ends
    assert lefts == tuple(F(2**i, 16) for i in range(groups))
    assert mechanism.counts.rates == tuple(rate * left for left in lefts)
    assert mechanism.counts.quotient == quotient


@pytest.mark.parametrize(("span", "groups", "factor"), [("1", 1, 1), ("1.9", 1, 1), ("2", 2, 1)])
def test_no_logarithm_of_zero(span: str, groups: int, factor: int) -> None:
    """With T < 2, where the print has ln 0, there must be one group and ln(2 / beta)."""
    mechanism = PrintedUnboundedMean(1, lowest=1, highest=span)
    assert len(mechanism.left_ends) == groups
    assert mechanism.counts.quotient == 2 * factor / F(1, 10)


def test_empty_groups_may_count() -> None:
    """A group above all budgets must be empty, and yet be counted with probability e^-rate / (2 q).

    With T = 4 the fourth of the 2^2 printed groups is such a group.
    """
    mechanism = PrintedUnboundedMean(("0.1", "0.4"), beta=BETA, slip="E-28", release="counts")
    law = mechanism.exact_law([[0.0, 0.4], [0.0, 7.0]])
    assert law is not None
    assert law.sizes == (0, 0, 2, 0)
    masses = law.masses(FLOATS)
    counted = sum(masses[z] for z in masses if z[3])  # type: ignore[index]
    assert counted == pytest.approx(math.exp(-0.4) / (2 * 4 / 0.9), rel=1e-9)
    assert draws(mechanism, [], 3000)[:, 3].any()


def test_many_printed_groups_need_no_memory() -> None:
    """With T = 1e18 the 2^59 printed groups must be as many as can ever be counted."""
    mechanism = PrintedUnboundedMean(1, lowest="1e-9", highest="1e9", slip="E-28")
    assert len(mechanism.left_ends) == 60
    assert np.isfinite(draws(mechanism, [[0.0, 1e9]], 2)).all()


def test_one_group_repairs_the_number_of_groups() -> None:
    """With T < 2 slip E-28 must change nothing at all."""
    data = [[x, 1.0] for x in (3.0, 4.0, 8.0)]
    printed = PrintedUnboundedMean(1, beta=BETA, slip="E-28", release="all")
    sound = UnboundedMean(1, beta=BETA, release="all")
    np.testing.assert_array_equal(draws(printed, data), draws(sound, data))


@pytest.mark.parametrize("slip", ["E-29", "E-32", "E-29, E-32"])
def test_counts_do_not_depend_on_the_mean_stage(slip: str) -> None:
    """Slips of the mean stage must leave the counts as they are, and change the means."""
    arguments: dict[str, Any] = {"budgets": (1, 2, 4), "beta": BETA, "release": "all"}
    printed = draws(PrintedUnboundedMean(**arguments, slip=slip), USERS)
    sound = draws(UnboundedMean(**arguments), USERS)
    np.testing.assert_array_equal(printed[:, :-1], sound[:, :-1])
    assert not np.array_equal(printed, sound)


@pytest.mark.parametrize("slip", ["E-29", "E-32", "E-29, E-32", "E-28"])
def test_mean_stage_is_the_printed_one(slip: str) -> None:
    """Draws must be those of Algorithm 7 at left / 4 (E-29) on samples with zeros (E-32)."""
    mechanism, data = PrintedUnboundedMean(2, beta=BETA, slip=slip), [[-3.0, 2], [1.0, 2]]
    rng = np.random.default_rng(SEED)
    counts = mechanism.counts.draw(np.array([2]), 200, rng=rng)
    assert {1, 2, 3} <= set(counts.ravel().tolist())
    budget = F(2) / (4 if "E-29" in slip else 2)
    users = np.array([-3.0, 1.0]), np.array([0, 2])
    stage = GroupMean(*users, (budget,), BETA / 2, "E-32" in slip)
    np.testing.assert_array_equal(draws(mechanism, data, 200), stage.draw(counts, rng=rng))


def test_zeros_pull_the_mean() -> None:
    """With many more places than users, zeros must pull the mean to 0, and placeholders not."""
    rng = np.random.default_rng(SEED)
    users = rng.normal(50, 1, 600), np.array([0, 600])
    medians = [
        float(np.median(GroupMean(*users, (F(8),), BETA, zeros).draw(counts, rng=rng)))
        for zeros in (False, True)
        for counts in [np.full((60, 1), 800)]
    ]
    assert abs(medians[0] - 50) < 0.5
    assert medians[1] < 45


def counted(left: Fraction, slip: str, users: int, count: int) -> float:
    """P(count) of one group, exactly up to rounding."""
    mechanism = PrintedUnboundedMean(left, beta=BETA, slip=slip, release="counts")
    law = mechanism.exact_law([[0.0, float(left)]] * users)
    assert law is not None
    return float(law.masses(FLOATS)[count,])


@pytest.mark.parametrize("left", ["3/10", "1", "2"])
def test_counts_alone_cost_the_whole_left_end(left: str) -> None:
    """Every count of at least 1 must be e^left times as likely with the user as without."""
    for slip, loss in (("all", F(left)), ("E-29, E-32", F(left) / 2)):
        for count in range(1, 12):
            ratio = counted(F(left), slip, 1, count) / counted(F(left), slip, 0, count)
            assert math.log(ratio) == pytest.approx(float(loss), abs=1e-9)


def positive(mechanism: PrintedUnboundedMean, data: Any, size: int, rng: Any) -> list[float]:
    """P(mean > 0) given the counts 1, 2, 3, each from `size` draws."""
    stage = mechanism._stage(data)
    return [
        float((stage.draw(np.full((size, 1), count), rng=rng) > 0).mean()) for count in (1, 2, 3)
    ]


@pytest.mark.parametrize("slip", ["all", pytest.param("E-06", marks=pytest.mark.long)])
def test_count_and_mean_break_the_claim(slip: str, dp_rng: np.random.Generator) -> None:
    """With one user at left = 2 the event mean > 0 must have a ratio above e^2 (PDP-CX7).

    Without slip E-06 it must stay below. Six shares are each within `error` of their
    probabilities but for a chance of 1e-9; counts above 3 are bounded.
    """
    mechanism = PrintedUnboundedMean(2, beta=BETA, slip=slip)
    pair = mechanism.counterexample
    assert pair is not None
    data, neighbor = pair
    size = 40_000
    error = math.sqrt(math.log(2 / ALPHA) / (2 * size))
    shares = positive(mechanism, data, size, dp_rng), positive(mechanism, neighbor, size, dp_rng)

    def ratio(slips: str, sign: int) -> float:
        """Bound of P(mean > 0 | one user) / P(mean > 0 | none): lower (1) or upper (-1)."""
        sides = []
        for users, side, way in ((1, shares[0], -sign), (0, shares[1], sign)):
            masses = [counted(F(2), slips, users, count) for count in (1, 2, 3)]
            rest = 1 - counted(F(2), slips, users, 0) - sum(masses)
            total = sum(p * (q + way * error) for p, q in zip(masses, side, strict=True))
            sides.append(total + rest * (way > 0))
        return sides[0] / sides[1]

    assert ratio("all", 1) > math.exp(2)
    assert ratio("E-29", -1) < math.exp(2)


@pytest.mark.slow
def test_the_release_itself_breaks_the_claim(dp_rng: np.random.Generator) -> None:
    """In 2e6 draws of either side the loss of mean > 0 must be above 2, and of the sound form not.

    Limits are those of Clopper and Pearson with an error of 1e-9 each.
    """
    from scipy import stats

    size = 2_000_000
    for mechanism in (PrintedUnboundedMean(2, beta=BETA), UnboundedMean(2, beta=BETA)):
        pair = PrintedUnboundedMean(2, beta=BETA).counterexample
        assert pair is not None
        with_user, without = (
            int((mechanism.sample(side, size, rng=dp_rng) > 0).sum()) for side in pair
        )
        least = stats.beta.ppf(ALPHA, with_user, size - with_user + 1)
        most = stats.beta.isf(ALPHA, without + 1, size - without)
        assert (math.log(least / most) > 2) == isinstance(mechanism, PrintedUnboundedMean)


def test_counterexample_needs_the_slip_and_the_mean() -> None:
    """A pair must be known only where the count's noise is printed and the mean released."""
    for budgets, left in (((1, "3/2"), 1.0), (("1/2", 1, 2, 4), 2.0), (("1/2", "3/4"), 0.5)):
        data, neighbor = PrintedUnboundedMean(budgets).counterexample or ([], [])
        assert np.asarray(data).tolist() == [[1e60, left]]
        assert np.asarray(neighbor).shape == (0, 2)
    assert PrintedUnboundedMean(1, release="all", slip="E-06, E-29").counterexample is not None
    assert PrintedUnboundedMean(1, release="counts").counterexample is None
    assert PrintedUnboundedMean(1, slip="E-28, E-29, E-32").counterexample is None
    assert PrintedUnboundedMean(1, lowest="3/4").counterexample is None
    assert PrintedUnboundedMean("1/3").counterexample is None  # no double is a third


def test_declares_the_promise_of_the_print() -> None:
    """The claim must be that of the sound form, and the data a multiset."""
    printed, sound = PrintedUnboundedMean((1, 2)), UnboundedMean((1, 2))
    assert printed.claim.level == sound.claim.level == PersonalizedDP((1, 2))
    assert printed.claim.relation is sound.claim.relation is Relation.ADD_REMOVE
    assert printed.order is Order.FREE
    assert printed.placeholder
    assert printed.record_range == sound.record_range
    assert printed.slips == set(SLIPS)
    assert printed.exact_law([]) is None
