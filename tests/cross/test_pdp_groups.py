"""Groups, their counts and what they lose, against the ledger's closed forms on balls."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.as_printed.unbounded_mean import PrintedUnboundedMean
from mechanisms.personalized.groups.counts import GroupCounts
from mechanisms.personalized.groups.exponential import group_ends, left_ends
from mechanisms.personalized.groups.unbounded_mean import MOST, UnboundedMean
from proofs_check.enclosure import Balls, certainly_less, endpoints
from proofs_check.papers.pdp.counterexamples.counts import count_weight
from proofs_check.papers.pdp.groups import group_counts, rounding_steps, unknown_privacy

NUMBERS = Balls(200)
TINY = Fraction(1, 10**40)
BETA = st.integers(1, 99).map(lambda k: Fraction(k, 100))
LEAST = st.integers(1, 40).map(lambda k: Fraction(k, 20))
SPAN = st.fractions(1, 2000, max_denominator=16)


def same(first, second, tolerance=TINY):
    """Whether two balls agree, closely."""
    lower, upper = endpoints(first - second)
    return lower <= 0 <= upper and upper - lower < tolerance


def near(double, ball):
    """Whether a double is a ball, up to rounding."""
    lower, upper = endpoints(ball)
    return abs(Fraction(double) - (lower + upper) / 2) < Fraction(1, 10**13) * abs(upper)


@given(least=LEAST, span=SPAN)
def test_number_of_groups_is_the_ledgers(least, span):
    """J must be that of PDP-A8, and the printed numbers those of PDP-E-28."""
    groups = unknown_privacy.number_of_groups(span)
    lefts = left_ends(least, least * span)
    assert len(lefts) == groups
    assert lefts == tuple(unknown_privacy.group_left_end(i, least) for i in range(1, groups + 1))
    octaves = unknown_privacy.fewer_groups(span)
    printed = PrintedUnboundedMean(1, lowest=least, highest=least * span, slip="E-28")
    assert printed.counts.quotient == 2 * (octaves or groups) * 10
    assert len(printed.left_ends) == 2**octaves or 2 * printed.left_ends[-1] >= 1024


@given(least=LEAST, span=SPAN, data=st.data())
def test_group_of_a_budget_is_the_ledgers(least, span, data):
    """Every budget must be in the ledger's group, whose left end is the one it is rounded to."""
    lefts = left_ends(least, least * span)
    thousandths = st.integers(1000 * least.numerator // least.denominator + 1, 4_000_000)
    budgets = [k / 1000 for k in data.draw(st.lists(thousandths, max_size=8))]
    budgets = sorted([*(float(left) for left in lefts), *budgets])
    ends = group_ends(np.array(budgets), lefts)
    for place, budget in enumerate(budgets):
        typed = Fraction(repr(budget))
        if least <= typed <= least * span:
            found = int(np.searchsorted(ends, place, side="right"))
            assert found == unknown_privacy.group_of(typed, least)
            assert lefts[found - 1] == rounding_steps.group_left_end(typed, least)


@given(least=LEAST, span=SPAN, beta=BETA)
def test_offsets_are_the_ledgers(least, span, beta):
    """They must be (2 / left) ln(2 J / beta), of either claim."""
    mechanism = UnboundedMean(1, lowest=least, highest=least * span, beta=beta)
    offsets = mechanism.counts.offsets
    for left, offset in zip(mechanism.left_ends, offsets, strict=True):
        arguments = NUMBERS.rational(left), len(offsets), NUMBERS.rational(beta)
        assert near(offset, unknown_privacy.count_offset(*arguments, numbers=NUMBERS))
        assert near(offset, group_counts.count_offset(*arguments, numbers=NUMBERS))


def test_offset_of_the_reference():
    """At left = 0.1, J = 4, beta = 0.1 it must be 87.6405326934776, of the ledger and of ours."""
    mechanism = UnboundedMean(1, lowest="0.1", highest=1)
    assert len(mechanism.left_ends) == 4
    exact = unknown_privacy.count_offset(
        NUMBERS.rational(Fraction(1, 10)), 4, NUMBERS.rational(Fraction(1, 10)), numbers=NUMBERS
    )
    assert near(mechanism.counts.offsets[0], exact)
    assert abs(Fraction("87.6405326934776") - endpoints(exact)[0]) < Fraction(1, 10**12)


@settings(max_examples=20)
@given(beta=BETA, rate=LEAST, users=st.integers(0, 3))
def test_counts_have_the_ledgers_law(beta, rate, users):
    """P(C = c) of one group must be that of PDP-CX7 for c >= d, and one with e^rate more not."""
    masses = GroupCounts((rate,), 2 / beta, MOST).law([users]).masses(NUMBERS)
    for count in range(max(users, 1), users + 5):
        exact = count_weight(users, count, beta, rate).ball(200)
        assert same(masses[count,], exact)
        assert not same(masses[count,], count_weight(users + 1, count, beta, rate).ball(200))


@settings(max_examples=20)
@given(left=LEAST, beta=BETA)
def test_loss_of_the_counts_is_the_ledgers(left, beta):
    """P(C >= 1) must change by e^(left / 2) with the only user, and by e^left as printed."""
    for mechanism, share in ((UnboundedMean, Fraction(1, 2)), (PrintedUnboundedMean, Fraction(1))):
        arguments = {"lowest": left, "highest": left, "beta": beta, "release": "counts"}
        noise = mechanism(1, **arguments).counts
        one, none = (noise.law([users]).masses(NUMBERS) for users in (1, 0))
        factor = NUMBERS.exp(NUMBERS.rational(share * left))
        assert same(one[1,], none[1,] * factor)
        assert same(1 - one[0,], (1 - none[0,]) * factor)


@settings(max_examples=20)
@given(groups=st.integers(1, 6), beta=BETA, rate=st.sampled_from([Fraction(1), Fraction(1, 4)]))
def test_a_dropped_group_is_small(groups, beta, rate):
    """Groups of more than 2 s L users must be dropped w.p. at most e^-L / 2 (PDP-E22).

    L = ln q; here q = 2 J / beta, so that the bound is beta / (4 J). Groups of 1.9 s L users are
    dropped more often, and those of s L users, as printed, with a probability near 1/2.
    """
    quotient = 2 * groups / beta
    noise = GroupCounts((rate,), quotient, MOST)
    offset = noise.offsets[0]
    large, printed = int(2 * offset) + 2, int(offset) + 1
    bound = NUMBERS.rational(1 / (2 * quotient))
    assert certainly_less(noise.law([large]).masses(NUMBERS)[0,], bound)
    smaller = noise.law([int(1.9 * offset)]).masses(NUMBERS)[0,]
    assert certainly_less(bound, smaller)
    dropped = noise.law([printed]).masses(NUMBERS)[0,]
    assert certainly_less(NUMBERS.rational(Fraction(1, 5)), dropped)


@given(
    groups=st.sampled_from([1, 3, 10]), beta=st.sampled_from([Fraction(1, 10), Fraction(1, 100)])
)
def test_equation_23_fails_as_often_as_the_ledger_says(groups, beta):
    """P(Count - C <= s L / 2) must be e^(-L / 2) / 2 with the printed offset s L (PDP-E23).

    The rate is small, so that whole numbers of users are close to s L / 2.
    """
    rate, quotient = Fraction(1, 4000), groups / beta
    noise = GroupCounts((rate,), quotient, MOST)
    exact = group_counts.printed_deletions_hold(groups, NUMBERS.rational(beta), numbers=NUMBERS)
    lost = int(noise.offsets[0] / 2)
    law = noise.law([lost + 1])  # C >= 1 is a loss of at most `lost` users
    some = 1 - law.masses(NUMBERS)[0,]
    fewer = 1 - noise.law([lost + 2]).masses(NUMBERS)[0,]
    assert certainly_less(some, exact * (1 + TINY))
    assert certainly_less(exact, fewer * (1 + TINY))
    assert certainly_less(fewer, exact * Fraction(1001, 1000))
