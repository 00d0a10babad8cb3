"""Saturation, weights, rates and lower bounds of PDP against the ledger's."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.as_printed.adpm import raw_recursion
from mechanisms.personalized.adpm import ADPM
from mechanisms.personalized.bounds import (
    BOUNDED,
    PRINTED,
    UNBOUNDED,
    bounded_error_lower,
    errors_lower,
    unbounded_error_lower,
)
from mechanisms.personalized.diffusion.enclosures import enclose
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates
from mechanisms.personalized.saturation import slow_saturate
from mechanisms.personalized.weighted_mean import WeightedMean
from proofs_check.enclosure import Balls, certainly_less, endpoints
from proofs_check.papers.pdp.bounds.lower_bounds import (
    VECTORS,
    bounded_output_shift,
    lower_bound,
    root_half,
)
from proofs_check.papers.pdp.bounds.unbounded_neighbors import unbounded_output_shift
from proofs_check.papers.pdp.mean.weighted_mean import (
    adpm_objective,
    adpm_weights,
    weighted_mean_scale,
)
from proofs_check.papers.pdp.mean.weighted_mean import raw_recursion as ledger_recursion
from proofs_check.papers.pdp.range.rates import diffused_loss, exact_right_rate, printed_rate
from proofs_check.papers.pdp.tools.saturation import EXAMPLES, saturation

F = Fraction
NUMBERS = Balls(300)

budget = st.fractions(F(1, 50), 20, max_denominator=50)
budgets = st.lists(budget, min_size=1, max_size=7)
levels = st.tuples(budget, budget).filter(lambda pair: pair[0] < pair[1])


def close(ball, other):
    """Whether two balls agree, closely."""
    lower, upper = endpoints(ball - other)
    return lower <= 0 <= upper and upper - lower < F(1, 10**60)


@given(budgets)
def test_saturation_is_the_ledgers(values):
    """Count, threshold, vector, sum and squares must be equal, exactly."""
    found, ledger = slow_saturate(values), saturation(sorted(values))
    assert (found.count, found.threshold) == (ledger.k, ledger.tau)
    assert tuple(sorted(found.saturated)) == ledger.budgets
    assert (found.total, found.squares) == (ledger.total, ledger.squares)


@pytest.mark.parametrize("name", EXAMPLES)
def test_weights_of_examples_are_the_ledgers(name):
    """Weights and error bound of ADPM must be equal, exactly and up to rounding."""
    ordered = sorted(EXAMPLES[name])
    mechanism = ADPM(ordered)
    assert mechanism.weighted_query().weights == adpm_weights(ordered)
    objective = adpm_objective(saturation(ordered).budgets)
    assert mechanism.mse_upper() == pytest.approx(float(objective) / 4, rel=1e-13)


@given(budgets)
def test_raw_recursion_is_the_ledgers(values):
    """The printed recursion must be equal, exactly."""
    assert tuple(raw_recursion(sorted(values))) == ledger_recursion(sorted(values))


@given(budgets, budget)
def test_scale_of_the_weighted_mean_is_the_ledgers(weights, epsilon):
    """The scale must be equal, exactly."""
    found = WeightedMean(epsilon, weights, 1, 4).scale
    assert found == weighted_mean_scale(F(3), max(weights), epsilon)


@given(levels)
def test_right_rate_is_the_ledgers(pair):
    """Mass and enclosure must agree with the exact quotient, whose loss is the budget."""
    epsilon, tau = pair
    mass = RightRates((epsilon,), tau).mass(0, NUMBERS)
    exact = exact_right_rate(epsilon, tau)
    assert close(mass, exact.ball(300))
    lower, upper = enclose(epsilon, tau, 100)
    assert F(lower, 2**100) < exact < F(upper, 2**100)
    loss = diffused_loss(mass, NUMBERS.rational(tau), numbers=NUMBERS)
    assert close(loss, NUMBERS.rational(epsilon))


@given(levels)
def test_printed_rate_costs_more(pair):
    """The printed eps / tau must be above the right rate, and lose more than the budget."""
    epsilon, tau = pair
    mass = RationalRates((printed_rate(epsilon, tau),)).mass(0, NUMBERS)
    assert certainly_less(RightRates((epsilon,), tau).mass(0, NUMBERS), mass)
    loss = diffused_loss(mass, NUMBERS.rational(tau), numbers=NUMBERS)
    assert certainly_less(NUMBERS.rational(epsilon), loss)


@pytest.mark.parametrize("vector", VECTORS)
def test_lower_bounds_are_the_ledgers(vector):
    """Each k of each vector must have the ledger's bound, up to rounding."""
    _, values, best, _ = vector
    found = errors_lower([float(x) for x in values], 1, PRINTED)
    n, constant = len(values), root_half(numbers=NUMBERS)
    for k in (1, best, n // 2, n):
        total = NUMBERS.rational(sum(values[:k], F(0)))
        bound = lower_bound(total, NUMBERS.rational(F(n - k)), constant, 1, numbers=NUMBERS)
        assert float(endpoints(bound)[0]) == pytest.approx(found[k], rel=1e-13)


@pytest.mark.parametrize(
    ("constant", "shift"),
    [(BOUNDED, bounded_output_shift), (UNBOUNDED, unbounded_output_shift)],
    ids=["bounded", "unbounded"],
)
def test_sharp_constants_are_those_of_the_ledgers_route(constant, shift):
    """The total variation must be at most 1/2 at the constant, and not at 1.001 of it."""
    grid = [F(k, 1000) for k in range(1001)]
    c = NUMBERS.rational(F(constant))
    assert all(certainly_less(shift(f, c, numbers=NUMBERS), F(1, 2) + F(1, 10**50)) for f in grid)
    assert any(certainly_less(F(1, 2), shift(f, c * F(1001, 1000), numbers=NUMBERS)) for f in grid)


def test_sharp_bounds_are_above_the_printed_ones():
    """Sharp forms must be at least sqrt(2) and 1.18 of the printed ones."""
    values = np.linspace(0.05, 1, 50)
    assert bounded_error_lower(values, sharp=True) >= 1.414 * bounded_error_lower(values)
    assert unbounded_error_lower(values, sharp=True) >= 1.18 * unbounded_error_lower(values)
