"""Lemmas on all moves: proved of the noises, refuted with a point of each mutant."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from audit.exact.cells.cell_divergences import hockey_stick
from audit.exact.cells.plane.plane_noises import hourglass_lines
from audit.exact.moves.lemma import MoveLemma
from audit.exact.moves.noise_lemmas import (
    discrete_hourglass_lemma,
    hourglass_lemma,
    l1_lemma,
    record_lemma,
    shift_lemma,
)
from audit.exact.symbolic.affine import Region, box
from audit.exact.symbolic.log_numbers import Number, level
from audit.results.verdict import Verdict
from mechanisms.noise.geometric import Geometric
from mechanisms.noise.l1_staircase import L1Staircase
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.staircase import Staircase
from proofs_check.exponential import ExpSum

F = Fraction
ONE = F(1)
HALF = F(1, 2)


def proves(lemma: MoveLemma) -> bool:
    """Whether the check proves the lemma, and says that the bound is reached."""
    found = lemma.check()
    assert found.witness is None
    return found.verdict is Verdict.PROVED


def refutes(lemma: MoveLemma) -> bool:
    """Whether the check refutes the lemma with a point that truly breaks it."""
    found = lemma.check()
    if found.verdict is not Verdict.REFUTED:
        return False
    assert found.witness is not None
    assert any(region.holds(found.witness) for region in lemma.regions)
    return abs(lemma.loss(found.witness)) > lemma.bound(found.witness)


NOISES = [
    Laplace(1, F(2, 3)),
    Staircase(1, F(5, 4), F(1, 3)),
    Staircase(1, 1, F(3, 4)),
    Staircase(1, 2),
    Staircase(1, 1, 1),
    Geometric(1, 3),
]


@pytest.mark.parametrize("noise", NOISES)
def test_no_shift_within_the_sensitivity_loses_more_than_epsilon(noise: Any) -> None:
    """It must hold for all shifts at once; a claim or a sensitivity off by 1 % is refuted."""
    sensitivity = F(noise.sensitivity)
    assert proves(shift_lemma(noise, sensitivity, ONE))
    assert refutes(shift_lemma(noise, sensitivity, F(99, 100)))
    more = sensitivity + 1 if isinstance(noise, Geometric) else sensitivity * F(101, 100)
    assert refutes(shift_lemma(noise, more, ONE))


@pytest.mark.parametrize("sign", [1, -1])
def test_both_signs_of_the_loss_count(sign: int) -> None:
    """It must hold that a loss below -bound refutes a lemma as one above the bound does."""
    unit = box([(0, 1)], [False])
    cases = {
        bound: MoveLemma("", "", (), ("x",), (unit,), lambda x: sign * x[0], lambda _, b=bound: b)
        for bound in (ONE, F(99, 100))
    }
    assert proves(cases[ONE])
    assert refutes(cases[F(99, 100)])


def test_an_end_that_is_not_reached_leaves_the_lemma_open() -> None:
    """It must hold that a relaxed integer beyond the bound is no witness: INCONCLUSIVE."""
    lemma = MoveLemma(
        "",
        "n <= 3 f / 4 leaves n = 0 to integers, and up to 3 / 4 to reals",
        (),
        ("n", "f"),
        (_wedge(),),
        lambda x: x[0],
        lambda _: F(0),
    )
    found = lemma.check()
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.largest == F(3, 4)


def _wedge() -> Region:
    """All 0 <= n <= 3 / 4 f with 0 <= f <= 1."""
    cut = box([(0, 2), (0, 1)], [True, False]).cut((F(-4), F(3), F(0)))
    assert cut is not None
    return cut


def test_the_loss_of_staircases_takes_three_values() -> None:
    """It must hold that the range found is [-epsilon, epsilon], and reached on many cases."""
    found = shift_lemma(Staircase(F(3, 2), 1, F(1, 3)), ONE, F(3, 2)).check()
    assert (found.least, found.largest) == (F(-3, 2), F(3, 2))
    assert found.cases > 10


def test_hourglass_is_private_for_every_gamma() -> None:
    """It must hold of all z, lines, records and gammas at once (KSW-T2)."""
    assert proves(hourglass_lemma(F(7, 5)))
    assert proves(hourglass_lemma(ONE, gamma=F(1, 3)))
    assert proves(hourglass_lemma(ONE, gamma=ONE))


def of_two_outcomes(level: Fraction, epsilon: Fraction) -> Any:
    """Hockey-stick divergence of randomized response, at the factor e^level."""
    if level >= epsilon:
        return F(0)
    if level <= -epsilon:
        return 1 - ExpSum.exp(level)
    return (ExpSum.exp(epsilon) - ExpSum.exp(level)) / (1 + ExpSum.exp(epsilon))


def test_the_hourglass_has_one_profile_for_every_record() -> None:
    """It must hold of the exact cells (KSW-T2)."""
    epsilon = F(5, 4)
    law = hourglass_lines(epsilon, F(2, 5))
    for k in (-6, -4, -1, 0, 3, 4, 5):
        e = epsilon * F(k, 4)
        for record in (F(0), F(2, 7)):
            found = hockey_stick(law.cells(record, ONE), e).value
            assert found == of_two_outcomes(e, epsilon)


@pytest.mark.parametrize(("grid", "level0"), [(1, 1), (5, 2), (12, 12), (1024, 427), (10**9, 1)])
def test_the_discrete_hourglass_is_private_for_every_record(grid: int, level0: int) -> None:
    """It must hold for all integers at once, in a number of cases that does not grow with Q."""
    found = discrete_hourglass_lemma(ONE, grid, level0).check()
    assert found.verdict is Verdict.PROVED
    assert (found.least, found.largest) == (-1, 1)
    assert found.cases < 60


def test_a_level_0_wider_than_the_grid_allows_is_refuted() -> None:
    """It must hold that r = Q + 1 breaks the bound (KSW-D5 wants r <= Q)."""
    assert refutes(discrete_hourglass_lemma(ONE, 100, 101))


MUTANTS: dict[str, Callable[[Any, Any], Any]] = {
    "|s| + |t|": lambda s, t: abs(s) + abs(t),
    "|s| + |t - s| - [s = t]": lambda s, t: abs(s) + abs(t - s) - (1 if s == t else 0),
    "|s| + 1.01 |t - s|": lambda s, t: abs(s) + abs(t - s) * F(101, 100),
    "1.01 |s| + |t - s|": lambda s, t: abs(s) * F(101, 100) + abs(t - s),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_of_the_exponent_are_refuted(mutant: str) -> None:
    """It must hold of each, with an exact point (KSW-T2)."""
    assert refutes(hourglass_lemma(ONE, gamma=F(2, 5), exponent=MUTANTS[mutant]))


def test_mutants_of_the_move_are_refuted() -> None:
    """It must hold of records beyond 1 (KSW-T2), by as little as 1 %."""
    assert refutes(hourglass_lemma(ONE, records=(F(0), F(101, 100))))
    assert refutes(hourglass_lemma(ONE, gamma=F(2, 5), records=(ONE, F(6, 5))))
    assert refutes(hourglass_lemma(ONE, gamma=F(2, 5), records=(F(-1, 100), F(1))))


def test_independent_staircases_lose_twice_as_much() -> None:
    """It must hold for a record of 1/2 (KSW-ER20): both coordinates may step at once."""
    gamma = F(2, 5)

    def loss(x: tuple[Number, ...]) -> Number:
        n1, f1, n2, f2, record = x
        z1, z2 = n1 + f1, n2 + f2
        before = abs(level(z1, gamma)) + abs(level(z2, gamma))  # type: ignore[arg-type]
        after = abs(level(z1 + record, gamma)) + abs(level(z2 + 1 - record, gamma))  # type: ignore[arg-type]
        return before - after  # type: ignore[no-any-return]

    quadrant = box(
        [(0, None), (0, 1), (0, None), (0, 1), (0, 1)], [True, False, True, False, False]
    )
    lemma = MoveLemma(
        "KSW-ER20",
        "the loss of two independent staircases is at most epsilon",
        (),
        ("n1", "f1", "n2", "f2", "x"),
        (quadrant,),
        loss,
        lambda _: ONE,
    )
    assert refutes(lemma)
    assert lemma.check().least == -2


@pytest.mark.slow
@pytest.mark.parametrize("noise", [L1Staircase(1, 2), L1Staircase(1, F(1, 2), F(1, 5))], ids=repr)
def test_the_l1_staircase_is_private_on_the_whole_ball(noise: L1Staircase) -> None:
    """It must hold for all moves of l1 norm up to the sensitivity, not of 1 % more or less."""
    assert proves(l1_lemma(noise, noise.sensitivity, ONE))
    assert refutes(l1_lemma(noise, noise.sensitivity, F(99, 100)))


@pytest.mark.parametrize("sensitivity", [F(2, 3)])
def test_the_l1_lemma_is_about_every_move(sensitivity: Fraction) -> None:
    """It must hold that its regions have all points and moves, up to the opposite of a move.

    The noises at hand are even in each coordinate, so that moves of one sign would prove as much of
    them: the regions themselves are looked at.
    """
    regions = l1_lemma(L1Staircase(1, sensitivity, HALF), sensitivity, ONE).regions
    places = [(n, f) for n in (-7, -1, 0, 6) for f in (F(1, 5),)]
    moves = [(F(a, 8), sign * F(b, 8)) for a in range(9) for b in range(9 - a) for sign in (1, -1)]
    for (n1, f1), (n2, f2) in product(places, places):
        for d1, d2 in moves:
            point = (F(n1), f1, F(n2), f2, d1, d2)
            assert any(region.holds(point) for region in regions), point
    too_far = (F(0), HALF, F(0), HALF, HALF, F(5, 8))
    assert not any(region.holds(too_far) for region in regions)


def test_algorithms_with_laplace_noise_keep_the_table_for_every_record() -> None:
    """It must hold of all noise values and records at once (KSW section 4), tight within 1 %."""
    low, high = F(-1), F(2)
    width, middle, largest = high - low, (low + high) / 2, F(2)
    count = Laplace(HALF, 1)
    one = (F(0), F(1))

    def independent(x: Any) -> Any:
        return HALF * (1 + abs(x) / largest)

    def shifted(x: Any) -> Any:
        return HALF + abs(x - middle) / width

    cases = (
        ([Laplace(HALF, largest), count], [(F(1), F(0)), one], (low, high), independent),
        ([Laplace(1, width), count], [(F(1), -middle), one], (low, high), shifted),
        ([Laplace(1, 1)] * 2, [(F(1), F(0)), (F(-1), F(1))], (F(0), ONE), lambda _: ONE),
    )
    for noises, moves, records, bound in cases:
        assert proves(record_lemma(noises, moves, records, bound, "KSW-T1"))
        less = record_lemma(noises, moves, records, lambda x, b=bound: b(x) * F(99, 100), "KSW-T1")
        assert refutes(less)
