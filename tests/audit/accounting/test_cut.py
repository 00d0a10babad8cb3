"""Sums of few sampled losses: what is taken out exactly, and what is left."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs_check.composition import cut as module
from proofs_check.composition.cut import Cut, Far, cut_of
from proofs_check.composition.epsilon import epsilon_of
from proofs_check.composition.laws import Gaussian, Laplace, Law, Sampled
from proofs_check.composition.moments import Mixture
from proofs_check.composition.parts import Part
from proofs_check.composition.ratio import Ratio
from proofs_check.composition.saddle import Saddle
from proofs_check.composition.sums import lattice_of, steps_of
from proofs_check.composition.transform import Transform, transform_of
from proofs_check.enclosure import Balls, certainly_less
from tests.slow import by_default

DELTA = Fraction(1, 10**5)
SHARES = (Fraction(0), Fraction(1, 4), Fraction(3, 4), Fraction(1), Fraction(3, 2), Fraction(3))
"""Of the epsilon of delta: on both sides of where the cut is exact."""


def sampled(q: str, sigma: str, adds: bool) -> Sampled:
    """One step."""
    return Sampled(Gaussian(1 / Fraction(sigma) ** 2), Fraction(q), adds)


def middle(cut: Cut) -> Fraction:
    """The epsilon of delta."""
    upper = epsilon_of(cut.near, DELTA).upper
    assert upper
    return upper


DIRECTIONS = pytest.mark.parametrize("adds", [False, True], ids=["remove", "add"])


@DIRECTIONS
@pytest.mark.parametrize("count", [1, 6])
@pytest.mark.parametrize(("q", "sigma"), [("0.1", "1"), ("0.001", "0.8")])
def test_masses_are_those_beyond_the_loss_at_the_top(
    q: str, sigma: str, count: int, adds: bool
) -> None:
    """It must hold of the law itself, and not of the masses under the other law."""
    law = sampled(q, sigma, adds)
    assert isinstance(law.inner, Gaussian)
    far = Far.of(Ratio(law.inner, law.rate, adds, Fraction(1)), count)
    numbers = Balls(192)
    steps = numbers.log(numbers.rational(1 - law.rate)) * (count - 1)
    loss = numbers.rational(far.limit) + (steps if adds else -steps)
    beyond = law.tails(loss, numbers)
    wanted = [1 - mass if adds else mass for mass in beyond]
    near = Fraction(1, 10**30)
    for mass, right, other in zip(far.masses, wanted, reversed(wanted), strict=True):
        assert certainly_less(abs(mass - right), near)
        assert not certainly_less(abs(mass - other), near)


CASES = {
    "few": ("0.01", "1", 10),
    "rare": ("0.0001", "1", 10),
    "steep": ("0.0001", "2", 100),
}


@DIRECTIONS
@pytest.mark.parametrize("name", by_default(["steep"], CASES))
def test_sums_overlap_with_nodes(name: str, adds: bool) -> None:
    """It must hold at every epsilon, of ends near enough; and not of a twentieth more steps."""
    q, sigma, count = CASES[name]
    part = Part(sampled(q, sigma, adds), count)
    cut = cut_of((part,), DELTA)
    assert cut is not None
    found = epsilon_of(cut.near, DELTA)
    assert found.width < 3e-7
    at = middle(cut)
    step = list(steps_of((part,), 45.0))[4]
    nodes = lattice_of((part,), step, 45.0)
    assert nodes is not None
    for share in SHARES:
        (low, high), (least, most) = cut.excess(at * share), nodes.excess(at * share)
        assert low <= most
        assert least <= high
    more = cut_of((Part(part.law, count + max(count // 20, 1)),), DELTA)
    assert more is not None
    assert more.near(at)[0] > cut.near(at)[1]


@pytest.mark.long
@DIRECTIONS
def test_two_lines_of_one_sum_agree(adds: bool) -> None:
    """It must hold to ten digits, with and without a cut, where both are short."""
    part = Part(sampled("0.01", "1", adds), 100)
    cut, whole = cut_of((part,), DELTA), transform_of((part,), DELTA)
    assert cut is not None
    assert whole is not None
    one, two = (epsilon_of(found.near, DELTA) for found in (cut, whole))
    assert one.lower <= two.upper
    assert two.lower <= one.upper
    assert one.width < 1e-12
    assert two.width < 1e-12


@DIRECTIONS
def test_what_is_taken_out_is_worth_most_where_it_is_known(adds: bool) -> None:
    """It must hold that the upper end never rises with epsilon, and that none is below 0."""
    inner = Gaussian(Fraction(1))
    far = Far.of(Ratio(inner, Fraction(1, 10), adds, Fraction(1 if adds else 3)), 5)
    points = [far.limit * Fraction(n, 8) for n in range(1, 17)]
    ends = [far.ends(point) for point in points]
    assert all(0 <= low <= high for low, high in ends)
    uppers = [high for _, high in ends]
    assert uppers == sorted(uppers, reverse=True)
    assert (uppers[-1] == 0) is adds


@pytest.mark.long
def test_a_cut_that_is_not_exact_at_its_epsilon_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold of a first guess that is far too small, which is made again."""
    part = Part(sampled("0.01", "1", False), 10)
    ratio = Ratio(Gaussian(Fraction(1)), Fraction(1, 100), False)
    made = module._made(ratio, 10, DELTA, 0.2)
    assert made is not None
    assert not made.is_decided(DELTA)
    monkeypatch.setattr(module, "TRIES", 1)
    monkeypatch.setattr(Transform, "guess", lambda _: 0.3)
    again = cut_of((part,), DELTA)
    if again is not None:
        assert again.far.limit >= middle(again)


@pytest.mark.parametrize(
    ("law", "count"),
    [
        (Gaussian(Fraction(1)), 3),
        (Laplace(Fraction(1)), 3),
        (Sampled(Laplace(Fraction(1)), Fraction(1, 10), adds=False), 3),
        (Sampled(Gaussian(Fraction(1)), Fraction(1, 10), adds=False), 100),
    ],
)
def test_other_sums_are_not_cut(law: Law, count: int) -> None:
    """It must hold of other laws, and of so many steps that nothing is gained."""
    assert cut_of((Part(law, count),), DELTA) is None
    assert cut_of((Part(law, count), Part(Gaussian(Fraction(1)), 1)), DELTA) is None


def test_moments_of_what_is_left_are_those_of_all_below_the_top() -> None:
    """It must hold that they rise with the top, to those of all; and of the mass itself, nearly."""
    inner, rate, c = Gaussian(Fraction(1)), Fraction(1, 10), Fraction(2)
    tops = (Fraction(-1, 2), Fraction(2), Fraction(12))
    found = [Mixture(Ratio(inner, rate, False, top)).moment(c) for top in tops]
    whole = Mixture(Ratio(inner, rate, False)).moment(c)
    assert found[0] < found[1] < whole
    assert abs(found[2] - whole) < Fraction(1, 10**6)
    assert Saddle(((Mixture(Ratio(inner, rate, False, tops[0])), 1),)).log_moment(1e-6) < -0.5
