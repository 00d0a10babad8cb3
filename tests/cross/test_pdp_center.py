"""The law of the center of Algorithm 6 for one user against the ledger's.

The ledger (`range_law`) has no cap on the queries and integrates over the noisy threshold by
quadrature; the mechanism's law has a cap of 64 and a recurrence in closed form. What the cap
changes falls like 1 / cap^2 at worst.
"""

import math
from fractions import Fraction
from itertools import combinations

import pytest

from mechanisms.as_printed.center_law import CenterLaw, widths
from mechanisms.as_printed.range import PrintedRange
from mechanisms.personalized.diffusion.rates import RationalRates
from mechanisms.personalized.range.interval import PersonalizedRange
from mechanisms.personalized.sparse.silence import tie_masses
from mechanisms.personalized.users import BOT
from proofs_check.enclosure import Balls, endpoints
from proofs_check.papers.pdp.counterexamples.range import LOSSES, SMALL_BUDGET
from proofs_check.papers.pdp.range.discretization import grid_width, printed_grid_width
from proofs_check.papers.pdp.range.range_law import (
    DIGITS_6,
    RangeStage,
    center_probability,
    grid_law,
)
from proofs_check.papers.pdp.tools.svt import index_tail_on_ties
from tests.mechanisms.as_printed.centers import law_of

F = Fraction
NUMBERS = Balls(192)
PRINTED = frozenset(("E-10", "E-11", "E-12", "E-13"))
X, BETA = F(10013, 10), F(9, 10)
RECORDS = [X, None, F(1)]


def slow(*values):
    """Parameters of slow tests."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


def middle(ball):
    """A ball's middle in doubles, after a check that the ball is narrow."""
    lower, upper = endpoints(ball)
    assert upper - lower < lower / 10**5
    return float((lower + upper) / 2)


def hit(record, tau, slips, beta=BETA, cap=64, bits=192):
    """P(center in (x - 1, x]) if the record survives."""
    law = CenterLaw(record, RationalRates((F(1),)), tau, beta, X, slips, cap)
    return middle(law.masses(Balls(bits))[True])


@pytest.mark.parametrize("record", RECORDS, ids=["far", "placeholder", "near"])
@pytest.mark.parametrize("lag", [0, 1], ids=["radius repaired", "as printed"])
@pytest.mark.parametrize("epsilon", ["1/10", *slow("1/5", "1/2")])
def test_probabilities_are_the_ledgers(epsilon, lag, record):
    """They must agree to a part in 1,000, which a beta of 91/100 for 9/10 must not."""
    stage = RangeStage(F(epsilon), lag=lag)
    expected = middle(center_probability(stage, record, DIGITS_6))
    slips = PRINTED if lag else PRINTED - {"E-11"}
    assert hit(record, stage.tau, slips) == pytest.approx(expected, rel=1e-3)
    assert hit(record, stage.tau, slips, beta=F(91, 100)) != pytest.approx(expected, rel=1e-2)


@pytest.mark.parametrize("cap", [32, *slow(96)])
def test_the_cap_makes_the_difference(cap):
    """The largest difference must be below 4 / cap^2, that is why it is there."""
    stage = RangeStage(F(1, 10))
    expected = middle(center_probability(stage, F(1), DIGITS_6))
    found = hit(F(1), stage.tau, PRINTED, cap=cap, bits=4 * cap)
    assert 2 / cap**2 < 1 - found / expected < 4 / cap**2


def test_components_are_the_printed_ones():
    """P(event) for a survivor x, no survivor and a survivor 1, to digits that the cap leaves."""
    tau = RangeStage(F(1, 10)).tau
    for record, (_, text), apart in zip(RECORDS, SMALL_BUDGET, (2e-7, 2e-5, 1e-3), strict=True):
        assert hit(record, tau, PRINTED) == pytest.approx(float(text), rel=apart)


def test_widths_are_the_ledgers():
    """Ties, the widths of indices and the law of the printed width must be the same, exactly."""
    ties = tie_masses(64)
    for m in range(65):
        assert sum(ties[m:]) == index_tail_on_ties(F(m), F(1, 2**m))
    for slips, width in ((frozenset(), grid_width), (PRINTED, printed_grid_width)):
        law = {}
        for i, first in enumerate(ties, 1):
            for j, second in enumerate(ties, 1):
                b = width(i, j)
                law[b] = law.get(b, 0) + first * second
        assert widths(slips) == law
    assert all(widths(PRINTED)[F(1, 2**k)] == grid_law(k) for k in range(66))


def loss(mechanism, data, neighbor):
    """Log-ratio of the event's probabilities."""
    masses = [mechanism.exact_law([x]).masses(NUMBERS)[True] for x in (data, neighbor)]
    return float(endpoints(NUMBERS.log(masses[0] / masses[1]))[0])


@pytest.mark.parametrize("budget", ["0.2", *slow("0.3", "0.4", "0.5"), "1"])
def test_losses_are_the_printed_ones(budget):
    """With the rates of Algorithm 6 and of equation (7), to the printed digits."""
    ((first, second),) = (texts for row, *texts in LOSSES if row == budget)
    for rates, text in (("E-01", first), ("E-02", second)):
        slip = f"{rates}, E-10, E-11, E-12, E-13"
        found = loss(PrintedRange(budget, slip=slip), float(X), 1.0)
        assert abs(found - float(text)) <= 0.0005
    assert (loss(PrintedRange(budget), float(X), 1.0) > F(budget)) == (F(budget) <= F(1, 2))


@pytest.mark.parametrize("stages", ["printed", "repaired"])
@pytest.mark.parametrize("tau", ["1/2", *slow(1, 2), 4])
def test_right_rates_keep_the_budget(tau, stages):
    """With public tau the event must lose at most .0211 at eps = .1 and .1233 at .5, not nothing.

    Pairs are from x, x / 2, 1 and the placeholder; the radius is repaired, the rest is as printed,
    or all is repaired. The figures are reached by the print at tau = 1/2.
    """
    records = (float(X), float(X) / 2, 1.0, BOT)
    for budget, most in (("1/10", 0.0211), ("1/2", 0.1233)):
        mechanism = (
            PrintedRange(budget, slip="E-10, E-12, E-13", tau=tau)
            if stages == "printed"
            else PersonalizedRange(budget, beta=BETA, tau=tau)
        )
        laws = [law_of(mechanism, [x]).masses(NUMBERS)[True] for x in records]
        losses = [
            abs(math.log(middle(first) / middle(second))) for first, second in combinations(laws, 2)
        ]
        assert 0.0001 < round(max(losses), 4) <= most
        if (stages, tau) == ("printed", "1/2"):
            assert round(max(losses), 4) == most


def test_right_rates_at_the_printed_tau_lose_nothing():
    """The control of PDP-CX1: with p* at tau = 80.1 the printed stages lose less than 1e-6."""
    mechanism = PrintedRange("1/10", slip="E-10, E-11, E-12, E-13", tau="saturation")
    assert mechanism.tau == RangeStage(F(1, 10)).tau
    assert 0 < loss(mechanism, float(X), 1.0) < 1e-6
