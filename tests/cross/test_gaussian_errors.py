"""Errors of the range and of both means on Gaussian records against the ledger's closed forms."""

import itertools
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from mechanisms.personalized.groups.gaussian_groups import count_box, group_error
from mechanisms.personalized.public_tau import best_tau
from mechanisms.personalized.range.gaussian_mean import event_share, mean_error
from mechanisms.personalized.range.gaussian_range import (
    RangeStage,
    range_share,
    range_stage,
    reach,
)
from proofs_check.enclosure import Balls, certainly_less, endpoints
from proofs_check.papers.pdp.groups.gaussian_groups import ROWS as GROUP_ROWS
from proofs_check.papers.pdp.groups.gaussian_groups import group_bound
from proofs_check.papers.pdp.groups.unknown_privacy import count_offset
from proofs_check.papers.pdp.mean.gaussian_mean import EVENTS, ROWS, gaussian_error
from proofs_check.papers.pdp.range.gaussian_range import (
    cut_off,
    median_need,
    normal_tail,
    record_spread,
    survivor_root,
)
from proofs_check.papers.pdp.range.grid_accuracy import rank_error
from proofs_check.papers.pdp.range.range_estimation import survivor_budget
from proofs_check.papers.pdp.tools.saturation import saturation

F = Fraction
NUMBERS = Balls(160)
BETA = F(1, 10)
STEP = F(1, 1024)
CLOSE = F(1, 10**12)


def ball(value):
    """Enclose a rational, or a double as it is."""
    return NUMBERS.rational(F(value))


def near(found, exact, relative=CLOSE):
    """Whether a double lies within a relative distance of a ball."""
    low, high = endpoints(exact)
    return low * (1 - relative) <= F(found) <= high * (1 + relative)


def stages():
    """Stages whose range is known to reach, or not, with places of the mean and deviations."""
    shares = (float(BETA / 24), float(event_share(BETA)))
    sizes = ((500, 500.0), (1000, 100.0), (4000, 20.0), (20_000, 0.5), (300, 30.0), (1800, 5.0))
    for (users, tau), part, mu, sigma in itertools.product(
        sizes, (1.0, 0.6), (0.0, -30.0), (1.0, 0.03)
    ):
        yield RangeStage(users, part * users, tau, *shares), mu, sigma


def first_index(ratio):
    """The first k with 2^(k - 1) >= 1 + ratio, by comparison."""
    return next(k for k in range(1, 99) if not certainly_less(ball(2 ** (k - 1)), 1 + ratio))


def reaches(stage, mu, sigma):
    """What the ledger says: u, y^2 and whether both conditions hold."""
    share, radius, tau = (ball(x) for x in (stage.share, stage.radius_share, stage.tau))
    u = record_spread(ball(stage.users), share, numbers=NUMBERS)
    first = first_index(8 * (abs(ball(mu)) / ball(sigma) + u))
    second = first_index(16 * u)
    pairs = ball(stage.survivors) / 4 - F(1, 2)
    octaves = next(k for k in range(99) if 2.0**-k <= sigma <= 2.0**k)
    width = rank_error(pairs, 2 + octaves, tau / 4, share, numbers=NUMBERS)
    kept = ball(stage.survivors) / 2 - cut_off(first, tau, radius, numbers=NUMBERS)
    need = median_need(first, tau, share, ball(2**first), numbers=NUMBERS)
    holds = certainly_less(width, F(2236, 10000)) and certainly_less(need, kept)
    level = NUMBERS.log(3 / share)
    y = survivor_root(level, cut_off(second, tau, radius, numbers=NUMBERS), numbers=NUMBERS)
    return u, y**2, bool(holds)


def test_reach_is_that_of_the_ledger():
    """PDP-L17u: u to 1e-12, the conditions alike, and z the largest step that M Q(z + 1) allows."""
    known = 0
    for stage, mu, sigma in stages():
        found = reach(stage, mu, sigma)
        u, square, holds = reaches(stage, mu, sigma)
        tail = [normal_tail(ball(1 + STEP * k), numbers=NUMBERS) for k in (0, 1)]
        enough = certainly_less(square, ball(stage.survivors) * tail[1])
        assert (found is not None) == (holds and bool(enough)), (stage, mu, sigma)
        if found is None:
            continue
        known += 1
        assert near(found.spread, u)
        z = F(found.inside)
        tails = [normal_tail(ball(z + 1 + k * STEP), numbers=NUMBERS) for k in (0, 1)]
        assert certainly_less(square, ball(stage.survivors) * tails[0])
        assert certainly_less(ball(stage.survivors) * tails[1], square * F(1_000_001, 1_000_000))
    assert 8 <= known < len(list(stages()))


def test_shares_of_failures_are_those_of_the_ledger():
    """Two radii and the other events must share beta: four in the range, seven in the mean."""
    assert 2 * BETA / 4 + 4 * range_share(BETA) == BETA
    assert 2 * BETA / 24 + sum(EVENTS.values()) * event_share(BETA) == BETA
    assert range_stage((F(1),), F(1), BETA / 6, event_share(BETA)).radius_share == float(BETA / 24)


def test_survivors_are_those_of_the_ledger():
    """M is the sum of the rates p*, for mixed budgets and any public tau."""
    budgets = (F(1, 10), F(1, 2), F(1, 2), F(2), F(30))
    for tau in (F(1, 2), F(1), F(7)):
        stage = range_stage(budgets, tau, BETA, range_share(BETA))
        assert near(stage.survivors * float(tau), survivor_budget(budgets, tau), F(1, 10**9))


@pytest.mark.parametrize(
    "profile", [((1000, 500),), ((900, 100), (1000, 400)), ((30, 700), (40, 1500))]
)
def test_errors_of_the_mean_are_those_of_the_ledger(profile):
    """PDP-T11u at the z that the mechanism chose, and 1 part in 10^11 less is too little."""
    halves = [F(budget, 2) for budget, count in profile for _ in range(count)]
    tau, share = best_tau(halves), event_share(BETA)
    found = mean_error(halves, tau, BETA, 3.0, 2.0)
    reached = reach(range_stage(halves, tau, BETA / 6, share), 3.0, 2.0)
    spent = saturation(halves)
    squares = sum((e * e for e in spent.budgets), F(0)) / spent.total**2
    exact = 2 * gaussian_error(
        ball(reached.inside),
        record_spread(ball(len(halves)), ball(share), numbers=NUMBERS),
        ball(squares),
        ball(max(spent.budgets) / spent.total),
        ball(spent.total),
        ball(share),
        numbers=NUMBERS,
    )
    assert near(found, exact)
    assert not near(found * (1 - 1e-11), exact)


def test_counts_lie_in_the_box_of_the_ledger():
    """Counts lie from d - 2 a, rounded down, to d, with the offsets a of PDP-A8."""
    ends, sizes = (F(1, 2), F(1), F(2)), (40, 1000, 3)
    least, most = count_box(sizes, ends, BETA)
    assert most.tolist() == list(sizes)
    for end, size, low in zip(ends, sizes, least.tolist(), strict=True):
        exact = size - 2 * count_offset(ball(end), 3, ball(BETA), numbers=NUMBERS)
        lower, upper = endpoints(exact)
        assert low == max(0, lower.__floor__()) == max(0, upper.__floor__())


ONE_GROUP, *OTHER_GROUPS = GROUP_ROWS


@pytest.mark.parametrize("row", [pytest.param(ONE_GROUP, marks=pytest.mark.long), *OTHER_GROUPS])
def test_errors_of_the_group_mean_are_those_of_the_ledger(row):
    """PDP-T13u for sizes of the ledger's own rows."""
    sizes, ends, least, z, _ = row
    left = [F(end) for end in ends]
    low, _ = count_box(sizes, left, BETA)
    assert low.tolist() == [int(count) for count in least.split()]
    few, most = (
        saturation([e / 4 for e, c in zip(left, counts, strict=True) for _ in range(c)])
        for counts in (low.tolist(), sizes)
    )
    total = sum(int(c) * min(e / 4, most.tau) for c, e in zip(low, left, strict=True))
    share = ball(event_share(BETA / 2))
    u = record_spread(ball(sum(sizes)), share, numbers=NUMBERS)
    largest = ball(few.squares / few.total**2)
    exact = group_bound(ball(z), u, largest, ball(total), share, numbers=NUMBERS)
    assert near(group_error(sizes, left, BETA, 3.3, 1.0), exact)


def test_printed_errors_by_another_library():
    """The printed bounds of PDP-T11u, by mpmath with a quadrature for the clipping."""
    mpmath.mp.dps = 25
    s = mpmath.mpf(11) / 840
    for n, text, printed in ROWS:
        z, log = mpmath.mpf(text), mpmath.log
        beyond = mpmath.quad(lambda x, z=z: (x - z) * mpmath.npdf(x), [z, z + 2, z + 6, mpmath.inf])
        tail = 1 - mpmath.ncdf(z)
        found = mpmath.sqrt(2 * log(1 / s) / n) + beyond
        found += 2 / z * mpmath.sqrt(tail * log(2 / s) / n) + log(2 / s) / (z * n)
        found += (8 * mpmath.sqrt(2 * log(n / s)) + 4) * log(1 / s) * 2 / n
        assert abs(found / mpmath.mpf(printed) - 1) < 1e-13


def test_the_error_falls_with_every_user():
    """V and the bound of the groups must not grow when a group does."""
    ends = (F(400), F(800))
    found = [group_error((size, 900), ends, BETA, 3.0, 1.0) for size in (0, 50, 400, 900)]
    assert None not in found
    assert all(np.diff(found) < 1e-12)
