"""Noise on the plane: exact profiles and losses, masses as in doubles, false statements."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from audit.exact.cells.cell import CellPair
from audit.exact.cells.cell_divergences import hockey_stick, largest_ratio
from audit.exact.cells.plane.plane_law import PlaneLaw
from audit.exact.cells.plane.plane_noises import (
    discrete_hourglass_law,
    hourglass_law,
    hourglass_lines,
    l1_law,
)
from audit.exact.exact_numbers import Mass, as_ball
from audit.exact.symbolic.affine import NotAffine
from audit.exact.symbolic.log_numbers import level
from mechanisms.errors import InvalidArgument
from mechanisms.noise.discrete_hourglass import DiscreteHourglass
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.l1_staircase import L1Staircase
from mechanisms.noise.staircase import optimal_gamma
from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpSum

F = Fraction
ONE = F(1)
EPSILON = F(5, 4)
GAMMA = F(Fraction(optimal_gamma(1.25)).limit_denominator(100))
HOURGLASS = hourglass_law(Hourglass(EPSILON, GAMMA))
GRID = DiscreteHourglass(EPSILON, 12, 5)
DISCRETE = discrete_hourglass_law(GRID)
L1 = L1Staircase(EPSILON, 2, F(3, 5))
L1_LAW = l1_law(L1, F(2))
RECORDS = [F(0), F(1, 3), F(1, 2), F(11, 12), ONE]

MOVES: dict[str, Callable[[Fraction], CellPair]] = {
    "hourglass": lambda x: HOURGLASS.cells(x, ONE),
    "discrete hourglass": lambda x: DISCRETE.cells(x * 12, ONE),
    "l1 staircase": lambda x: L1_LAW.cells(2 * x, 2 - 2 * x),
}


def exp(x: Fraction | int) -> ExpSum:
    """e^x, exactly."""
    return ExpSum.exp(F(x))


def number(x: Mass) -> float:
    """The number in doubles."""
    return float(as_ball(x).value.mid())


def right_of(law: PlaneLaw, first: Fraction, second: Fraction) -> float:
    """P(Z1 > first), from the charts of a move that lie there."""
    charts = tuple(
        chart
        for chart in law.cover(first, second)
        if chart.region.integral[0] and chart.rows[0][0] > 0 and chart.rows[0][-1] >= first
    )
    beyond = PlaneLaw(law.log_weight, lambda *_: charts)
    return number(beyond.total()) / number(law.total())


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("name", MOVES)
def test_every_record_loses_exactly_epsilon(name: str, record: Fraction) -> None:
    """It must hold both ways, with equality decided (KSW section 4, the table of losses)."""
    for pair in MOVES[name](record).both_ways():
        ratio = largest_ratio(pair)
        assert ratio.exact_log() == EPSILON
        assert not ratio.at_most(EPSILON * F(99, 100))


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("name", ["hourglass", "discrete hourglass"])
def test_the_hourglass_profile_is_that_of_randomized_response(name: str, record: Fraction) -> None:
    """It must hold exactly: delta(e') = (e^eps - e^e') / (1 + e^eps), TV = tanh(eps / 2)."""
    pair, top = MOVES[name](record), exp(EPSILON)
    for k in range(5):
        level_k = EPSILON * F(k, 4)
        found = hockey_stick(pair, level_k).value
        assert found == (top - exp(level_k)) / (1 + top)
        lower, upper = endpoints(as_ball(found, 256))
        assert upper - lower < F(1, 10**30)
        by_doubles = (math.exp(EPSILON) - math.exp(level_k)) / (1 + math.exp(EPSILON))
        assert float(lower) == pytest.approx(by_doubles, abs=1e-15)
    assert hockey_stick(pair, Fraction(0)).value == (top - 1) / (1 + top)


def test_a_profile_at_another_epsilon_is_another() -> None:
    """It must hold that 1 % of epsilon, or a part in 1e30, is told apart."""
    found = hockey_stick(HOURGLASS.cells(F(1, 3), ONE), F(1)).value
    for wrong in (EPSILON * F(101, 100), EPSILON + F(1, 10**30)):
        assert found != (exp(wrong) - exp(1)) / (1 + exp(wrong))


@pytest.mark.parametrize("record", [F(1, 3), F(1, 2)])
def test_the_loss_of_the_l1_staircase_takes_three_values(record: Fraction) -> None:
    """It must hold that each cell has loss 0 or +-epsilon (KSW section 4)."""
    ratios = set()
    for cell in MOVES["l1 staircase"](record).cells:
        p, q = cell.exact()
        ratios |= {k for k in (-1, 0, 1) if p == q * exp(k * EPSILON)}
    assert ratios == {-1, 0, 1}


def test_masses_agree_with_the_marginals() -> None:
    """It must hold to 1e-12 that P(Z1 > x) is one less the cdf, of each law."""
    for record in (F(0), F(1, 3), F(5, 6)):
        hourglass = right_of(HOURGLASS, record, ONE)
        assert hourglass == pytest.approx(
            1 - float(Hourglass(EPSILON, GAMMA).marginal_cdf(float(record))), abs=1e-12
        )
        l1 = right_of(L1_LAW, record, F(1, 4))
        assert l1 == pytest.approx(1 - float(L1.marginal_cdf(float(record))), abs=1e-12)
        j = record * 12
        grid = right_of(DISCRETE, j, ONE)
        assert grid == pytest.approx(1 - float(GRID.marginal_cdf(int(j) - 1)), abs=1e-12)


def test_l1_profiles_agree_with_sums_in_doubles() -> None:
    """It must hold to 2e-3 of sums over a grid of the plane, of steps 1 / 32."""
    step = 1 / 32
    z = (np.arange(-32 * 20, 32 * 20) + 0.5) * step
    z1, z2 = z[:, None], z[None, :]
    for move in ((F(1, 2), F(3, 2)), (F(1), F(-1, 2))):
        p = L1.density(z1, z2)
        q = L1.density(z1 - float(move[0]), z2 - float(move[1]))
        pair = L1_LAW.cells(*move)
        for epsilon in (F(0), F(1, 2)):
            by_doubles = np.maximum(p - math.exp(epsilon) * q, 0).sum() * step**2
            found = number(hockey_stick(pair, epsilon).value)
            assert found == pytest.approx(by_doubles, abs=2e-3)


def test_moves_across_the_lines_of_a_cell_are_cells_again() -> None:
    """It must hold of larger moves and of either sign: the masses still add up, exactly."""
    for move in ((F(-7, 3), F(1)), (F(5, 2), F(-2)), (F(0), F(3))):
        pair = HOURGLASS.cells(*move)
        assert largest_ratio(pair).ratio is not None
    far = largest_ratio(L1_LAW.cells(F(3), F(-5)))
    assert far.exact_log() == 4 * EPSILON


def test_places_are_written_out() -> None:
    """It must hold that a cell says which points it holds."""
    cells = hourglass_law(Hourglass(1, F(1, 3))).cells(F(1, 2), ONE).cells
    assert str(cells[0].where) == "(-m0 - f1, -m0 + m2) with 1 <= m0, 0 <= f1 <= 1/3, 0 <= m2"


def test_weights_that_vary_on_a_cell_are_refused() -> None:
    """It must hold of a weight that is no function of levels, and of one without a sum."""

    def slope(point: Any) -> Any:
        return -abs(point[0]) - abs(point[1] - level(point[0], GAMMA))

    sloped = replace(HOURGLASS, log_weight=slope)
    with pytest.raises(NotAffine, match="real variable"):
        sloped.cells(F(0), ONE)
    endless = replace(HOURGLASS, log_weight=lambda point: -level(point[0], GAMMA) * 0)
    with pytest.raises(NotAffine, match="infinite"):
        endless.total()


def test_marginally_wrong_lines_are_not_taken_for_the_hourglass() -> None:
    """It must hold of max(|s|, |t - s|): its cases do not repeat along the lines."""
    wrong = hourglass_lines(EPSILON, GAMMA, lambda s, t: max(abs(s), abs(t - s)))
    with pytest.raises(NotAffine, match="no product"):
        wrong.total()


@dataclass(frozen=True)
class Slipped:
    """A noise that states something else than its parameters say."""

    true: Any
    stated: Any
    scale: Fraction = ONE

    def __getattr__(self, name: str) -> Any:
        return getattr(self.true, name)

    def exact_law(self) -> Slipped:
        """The statement itself."""
        return self

    def atoms(self, numbers: Any) -> Mapping[Any, Any]:
        """Those of the stated law."""
        return self.stated.exact_law().atoms(numbers)

    def log_density(self, point: Any, numbers: Any) -> Any:
        """The stated law's, multiplied."""
        true = self.stated.exact_law().log_density(point, numbers)
        return true + numbers.log(numbers.rational(self.scale))


def test_false_statements_are_refused() -> None:
    """It must hold of gamma, epsilon, level 0 and normalizer, off by as little as 1 %."""
    noise = Hourglass(EPSILON, GAMMA)
    law: Callable[[Any], PlaneLaw] = hourglass_law
    assert law(Slipped(noise, noise)).total() == HOURGLASS.total()
    for stated in (Hourglass(EPSILON, GAMMA * F(99, 100)), Hourglass(EPSILON * F(101, 100), GAMMA)):
        with pytest.raises(InvalidArgument, match="states another law"):
            law(Slipped(noise, stated))
    with pytest.raises(InvalidArgument, match="total mass"):
        law(Slipped(noise, noise, F(101, 100)))
    law = discrete_hourglass_law
    with pytest.raises(InvalidArgument, match="states"):
        law(Slipped(GRID, DiscreteHourglass(EPSILON, 12, 6)))
    with pytest.raises(InvalidArgument, match="total mass"):
        law(Slipped(GRID, GRID, F(99, 100)))
    with pytest.raises(InvalidArgument, match="total mass"):
        l1_law(Slipped(L1, L1, F(101, 100)), F(2))
