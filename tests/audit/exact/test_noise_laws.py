"""Noise laws on the line, read from what they state: masses, largest ratios, hockey sticks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.cell_divergences import hockey_stick, largest_ratio
from audit.exact.cells.line.line_cells import cell_pair
from audit.exact.cells.line.line_law import LineLaw
from audit.exact.cells.line.line_noises import line_law
from audit.exact.exact_numbers import Mass, as_ball
from audit.exact.symbolic.affine import NotAffine
from mechanisms.errors import InvalidArgument
from mechanisms.noise.gaussian import Gaussian
from mechanisms.noise.geometric import Geometric
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.staircase import Staircase
from proofs_check.exponential import Exact, ExpSum
from tests.audit.exact.laws import few

F = Fraction
ONE = F(1)
NOISES = {
    "laplace": Laplace(F(3, 2), F(2, 3)),
    "staircase": Staircase(1, F(5, 4), F(1, 3)),
    "staircase, least variance": Staircase(F(1, 2)),
    "staircase, one level a period": Staircase(2, 1, 1),
    "geometric": Geometric(F(3, 2), 3),
}
LAWS = {name: line_law(noise) for name, noise in NOISES.items()}
each = pytest.mark.parametrize("name", NOISES)


def number(x: Mass) -> float:
    """The number in doubles."""
    return float(as_ball(x).value.mid())


def density(law: LineLaw, point: Fraction) -> Exact:
    """Density at a point inside a piece, exactly."""
    opened = law.begin_tails(point, point)
    pieces = [*opened.pieces, *(piece for tail in opened.tails for piece in tail.pieces)]
    inside = next(
        piece
        for piece in pieces
        if (piece.lower is None or piece.lower <= point)
        and (piece.upper is None or point < piece.upper)
    )
    terms = (term.coefficient * ExpSum.exp(term.slope * point) for term in inside.terms)
    return sum(terms, start=ExpSum({}))


@each
def test_masses_agree_with_the_cdf(name: str) -> None:
    """It must hold to 1e-12, in the body and far in the tails, at breakpoints and between."""
    law, noise = LAWS[name], NOISES[name]
    total = number(law.total)
    for z in (*(F(k, 4) for k in range(-22, 23)), F(-40), F(40)):
        found = number(law.mass(None, z)) / total
        assert found == pytest.approx(float(noise.cdf(float(z))), abs=1e-12)


@each
def test_masses_agree_with_quadrature(name: str) -> None:
    """It must hold to 1e-12 of the exact densities, by Gauss's rule on each cell."""
    law = LAWS[name].begin_tails(F(-60), F(60))
    nodes, weights = np.polynomial.legendre.leggauss(24)
    for piece in law.pieces:
        inner = piece.within(F(-60), F(60))
        if inner is None or inner.lower is None or inner.upper is None:
            continue
        ends = np.linspace(float(inner.lower), float(inner.upper), 121)
        z = (ends[:-1, None] + ends[1:, None]) / 2 + np.diff(ends)[:, None] / 2 * nodes
        density = sum(number(t.coefficient) * np.exp(float(t.slope) * z) for t in inner.terms)
        found = float((np.diff(ends)[:, None] / 2 * weights * density).sum())
        assert number(inner.mass()) == pytest.approx(found, rel=1e-12, abs=1e-12)


@each
def test_the_normalizer_is_one_over_the_total(name: str) -> None:
    """It must hold that density over total is the density in doubles, to 1e-12."""
    law, noise = LAWS[name], NOISES[name]
    total = number(law.total)
    for z in (F(-13, 4), F(-1, 5), F(0), F(2, 7), F(5)):
        if name == "geometric":
            atoms = law.begin_tails(F(-9), F(9)).atoms
            found = sum(number(a.weight) for a in atoms if a.point == round(z)) / total
            assert found == pytest.approx(float(noise.pmf(round(z))), abs=1e-12)
        else:
            assert number(density(law, z)) / total == pytest.approx(
                float(noise.density(float(z))), abs=1e-12
            )


@each
def test_the_loss_at_the_sensitivity_is_epsilon(name: str) -> None:
    """It must hold with equality, both ways; for a larger claim by 1e-30 it is certainly less."""
    noise, law = NOISES[name], LAWS[name]
    tiny = F(1, 10**30)
    pair = cell_pair(law, law.moved(F(noise.sensitivity)))
    for one_way in pair.both_ways():
        ratio = largest_ratio(one_way)
        assert ratio.exact_log() == noise.epsilon
        assert ratio.at_most(noise.epsilon)
        assert not ratio.at_most(noise.epsilon - tiny)


@each
def test_the_loss_never_exceeds_epsilon_below_the_sensitivity(name: str) -> None:
    """It must hold exactly; of Laplace and geometric it is proportional to the shift."""
    noise, law = NOISES[name], LAWS[name]
    shifts = [F(1), F(2)] if name == "geometric" else [noise.sensitivity * F(k, 7) for k in (1, 6)]
    for shift in shifts:
        ratio = largest_ratio(cell_pair(law, law.moved(shift)))
        assert ratio.at_most(noise.epsilon)
        if name in ("laplace", "geometric"):
            assert ratio.exact_log() == noise.epsilon * shift / noise.sensitivity
            assert not ratio.at_most(noise.epsilon * shift / noise.sensitivity * F(99, 100))
        else:  # a staircase has its full loss at every shift: some z crosses a step
            assert ratio.exact_log() == noise.epsilon


@pytest.mark.parametrize(
    ("noise", "shift"),
    [
        (Laplace(1, F(99, 100)), F(1)),
        (Staircase(1, F(99, 100), F(1, 3)), F(1)),
        (Geometric(F(100, 99), 1), F(1)),
    ],
)
def test_noise_one_percent_too_small_is_refuted(noise: Any, shift: Fraction) -> None:
    """It must hold that the loss exceeds 1, and that an event shows it: P > e Q, exactly."""
    law = line_law(noise)
    pair = cell_pair(law, law.moved(shift), (F(1),))
    assert not largest_ratio(pair).at_most(F(1))
    found = hockey_stick(pair, F(1))
    assert found.p > found.q * ExpSum.exp(F(1))
    assert found.event


@few
@given(st.integers(0, 12), st.sampled_from(["laplace", "staircase", "geometric"]))
def test_hockey_sticks_agree_with_sums_in_doubles(k: int, name: str) -> None:
    """It must hold to 1e-12 of sums over fine cells, for shifts and levels of either sign."""
    noise, law = NOISES[name], LAWS[name]
    shift = F(k % 4) if name == "geometric" else noise.sensitivity * F(k, 12)
    level = noise.epsilon * F(k - 4, 9)
    found = number(hockey_stick(cell_pair(law, law.moved(shift), (level,)), level).value)
    if name == "geometric":
        z = np.arange(-150, 151)
        p, q = noise.pmf(z), noise.pmf(z - int(shift))
    else:  # breakpoints of both laws and the crossing are multiples of sensitivity / 72
        z = np.arange(-72 * 40, 72 * 40 + 1) * (float(noise.sensitivity) / 72)
        p, q = np.diff(noise.cdf(z)), np.diff(noise.cdf(z - float(shift)))
    by_doubles = np.maximum(p - np.exp(float(level)) * q, 0).sum()
    assert found == pytest.approx(by_doubles, abs=1e-12)


def test_the_total_variation_of_staircases_is_that_of_their_sides() -> None:
    """It must hold for steps as wide as the shift: TV = P(Z <= 0) - P(Z + 1 <= 0)."""
    law = LAWS["staircase, one level a period"]
    pair = cell_pair(law, law.moved(F(1)), (0,))
    assert hockey_stick(pair, F(0)).value == (1 - ExpSum.exp(F(-2))) * F(1, 2)
    sides = law.mass(None, F(0)), law.moved(F(1)).mass(None, F(0))
    assert hockey_stick(pair, F(0)).value == (sides[0] - sides[1]) / law.total


def test_laws_of_another_kind_are_refused() -> None:
    """It must hold of the Gaussian, and of laws on the plane."""
    with pytest.raises(NotAffine):
        line_law(Gaussian(1, F(1, 100)))
    with pytest.raises(InvalidArgument, match="dimension"):
        line_law(Hourglass(1))


@dataclass(frozen=True)
class Misstated:
    """A staircase whose statement is off: its normalizer, or its level from some point on."""

    factor: Fraction = ONE
    beyond: int | None = None

    @property
    def dimension(self) -> int:
        """One coordinate."""
        return 1

    def exact_law(self) -> Misstated:
        """The statement itself."""
        return self

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Those of the staircase."""
        return Staircase(1, 1, F(1, 3)).exact_law().breakpoints(lower, upper)

    def atoms(self, _: Any) -> Mapping[Fraction, Any]:
        """None."""
        return {}

    def log_density(self, point: Any, numbers: Any) -> Any:
        """The staircase's, multiplied, and lower by 1 / 100 beyond a point."""
        true = Staircase(1, 1, F(1, 3)).exact_law().log_density(point, numbers)
        slips = self.beyond is not None and abs(point) > self.beyond
        slip = F(1, 100) if slips else F(0)
        return true + numbers.log(self.factor) - numbers.rational(slip)


def test_a_false_statement_is_refused() -> None:
    """It must hold of a normalizer that is off by 1 %, and of one far level: none is sampled."""
    assert line_law(Misstated()) == line_law(Staircase(1, 1, F(1, 3)))
    with pytest.raises(InvalidArgument, match="total mass"):
        line_law(Misstated(factor=F(101, 100)))
    with pytest.raises(NotAffine, match="do not repeat"):
        line_law(Misstated(beyond=40))


TABLE = [F(k, 8) for k in range(9)]


@pytest.mark.parametrize("x", TABLE)
def test_algorithms_with_laplace_noise_have_the_losses_of_the_table(x: Fraction) -> None:
    """It must hold exactly for a record of [l, u] = [-1, 2] at place x (KSW section 4)."""
    epsilon, low, high = F(1), F(-1), F(2)
    width, middle = high - low, (low + high) / 2
    record = low + width * x
    largest = max(abs(low), abs(high))

    def loss(*noises: tuple[Laplace, Fraction]) -> Fraction | None:
        logs = []
        for noise, move in noises:  # independent coordinates: the losses add up
            law = line_law(noise)
            logs.append(largest_ratio(cell_pair(law, law.moved(move))).exact_log())
        return None if None in logs else sum((log for log in logs if log is not None), F(0))

    half = epsilon / 2
    count = (Laplace(half, 1), F(1))
    assert loss((Laplace(half, largest), record), count) == half * (1 + abs(record) / largest)
    shifted = loss((Laplace(epsilon, width), record - middle), count)
    assert shifted == epsilon * (F(1, 2) + abs(x - F(1, 2)))
    unit = Laplace(epsilon, 1)
    assert loss((unit, x), (unit, 1 - x)) == epsilon
    wrong = Laplace(epsilon, F(1, 2))  # KSW-ER1: scale w / epsilon with w = 1 / 2
    assert loss((wrong, x), (wrong, 1 - x)) == 2 * epsilon
