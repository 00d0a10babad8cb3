"""The exact law of the coarse estimate: the figures of TRI-P4.1.1-exact, and of wrong variants."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import exp, log, prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.laws import FLOATS
from mechanisms.protocols import FiniteLaw
from mechanisms.trilemma.coarse.argmax_law import argmax_law
from mechanisms.trilemma.coarse.law import FAILURE, CoarseLaw
from mechanisms.trilemma.coarse.mean import CoarseMean
from mechanisms.trilemma.coarse.rule import CoarseRule, coarse_rule
from proofs_check.enclosure import Balls, agrees_with_print, endpoints
from tests.mechanisms.trilemma.finite import hockey_stick

F = Fraction
BALLS = Balls(192)
RECORDS = st.lists(st.integers(-40, 40).map(lambda k: F(k, 8)), max_size=6)
POINTS = (F(0), F(10), F(41, 4))
"""The last two share a bin for some T."""

LISTED = [
    ("1", "1e-6"),
    ("1/10", "1e-6"),
    ("1", "1/100"),
    ("1/2", "1/10"),
    ("2", "3/10"),
    ("1/10", "1/2"),
    ("1/10", "9/10"),
]
"""epsilon and delta of TRI-P4.1.1-exact; the last two are outside its domain."""


def stacked(counts: tuple[int, ...], rule: CoarseRule) -> CoarseLaw:
    """Law of records in bins far apart."""
    return CoarseLaw(rule, tuple(F(10 * j) for j, count in enumerate(counts) for _ in range(count)))


def close(value: Any, wanted: float) -> bool:
    """Whether a ball is a double, up to its rounding."""
    return float(endpoints(value)[0]) == pytest.approx(wanted, rel=1e-14)


@given(RECORDS, st.sampled_from(LISTED))
def test_masses_are_a_law(records: list[Fraction], parameters: tuple[str, str]) -> None:
    """Masses must be at least 0 and sum to 1, as balls and as doubles alike."""
    law = CoarseLaw(coarse_rule(*map(F, parameters)), tuple(records))
    assert isinstance(law, FiniteLaw)
    assert not law.rational
    in_balls, in_floats = law.masses(BALLS), law.masses(FLOATS)
    assert in_balls.keys() == in_floats.keys()
    total = sum(in_balls.values(), BALLS.rational(F(0)))
    assert all(abs(end - 1) < F(1, 2**160) for end in endpoints(total))
    for outcome, mass in in_floats.items():
        assert 0 <= mass <= 1
        assert mass == pytest.approx(float(endpoints(in_balls[outcome])[0]), rel=1e-9, abs=1e-13)


@given(RECORDS, st.lists(st.integers(-8, 8).map(lambda k: F(k, 16)), max_size=4))
def test_more_cuts_only_divide_the_masses(records: list[Fraction], cuts: list[Fraction]) -> None:
    """The parts of an outcome must sum to it, and lie between the asked cuts."""
    law = CoarseLaw(coarse_rule(F(1), F(1, 5)), tuple(records))
    whole, parts = law.masses(FLOATS), law.masses(FLOATS, cuts)
    assert parts[FAILURE] == pytest.approx(whole[FAILURE])
    for outcome, mass in whole.items():
        if outcome != FAILURE:
            (lower, upper), place = outcome  # type: ignore[misc]
            inner = [
                p
                for o, p in parts.items()
                if o != FAILURE and o[1] == place and lower <= o[0][0] and o[0][1] <= upper  # type: ignore[index]
            ]
            assert sum(inner) == pytest.approx(mass)
    ends = {o[0] for o in parts if o != FAILURE}  # type: ignore[index]
    assert not any(lower < cut < upper for lower, upper in ends for cut in cuts)


def density(law: CoarseLaw, point: Fraction) -> float:
    """Density of the release at a point."""
    for outcome, mass in law.masses(FLOATS).items():
        if outcome != FAILURE:
            (lower, upper), place = outcome  # type: ignore[misc]
            if lower + place < point < upper + place:
                return mass / float(upper - lower)
    return 0.0


@settings(max_examples=25)
@given(RECORDS, st.integers(-30, 30).map(lambda k: F(k, 8)))
def test_moved_and_mirrored_data_move_and_mirror_the_law(
    records: list[Fraction], step: Fraction
) -> None:
    """Densities of x + c and of -x must be those of x, moved and mirrored (TRI-LC.2.1, LC.2.2)."""
    rule = coarse_rule(F(1), F(1, 5))
    law = CoarseLaw(rule, tuple(records))
    moved = CoarseLaw(rule, tuple(x + step for x in records))
    mirrored = CoarseLaw(rule, tuple(-x for x in records))
    for k in range(-47, 48, 6):
        point = F(k, 8) + F(1, 17)
        assert density(moved, point + step) == pytest.approx(density(law, point), abs=1e-13)
        assert density(mirrored, -point) == pytest.approx(density(law, point), abs=1e-13)
    for other in (moved, mirrored):
        assert other.masses(FLOATS)[FAILURE] == pytest.approx(law.masses(FLOATS)[FAILURE])


def mean_if_released(
    weights: dict[Fraction, float], records: int, rule: CoarseRule, center: Fraction
) -> float:
    """E[(release - center) times the indicator of a release], for independent records."""
    total = 0.0
    for data in product(weights, repeat=records):
        chance = prod(weights[x] for x in data)
        for outcome, mass in CoarseLaw(rule, data).masses(FLOATS).items():
            if outcome != FAILURE:
                (lower, upper), place = outcome  # type: ignore[misc]
                total += chance * mass * float((lower + upper) / 2 + place - center)
    return total


def test_unbiased_for_symmetric_laws() -> None:
    """Given a release the mean must be the center of a symmetric law, and of no other (P4.1.2)."""
    rule, center = coarse_rule(F(1), F(1, 5)), F(3, 10)
    points = [center - F(9, 8), center, center + F(9, 8)]
    even = dict(zip(points, (0.3, 0.4, 0.3), strict=True))
    uneven = dict(zip(points, (0.29, 0.4, 0.31), strict=True))
    assert abs(mean_if_released(even, 3, rule, center)) < 1e-14
    assert abs(mean_if_released(uneven, 3, rule, center)) > 1e-3


def test_largest_delta_of_small_neighbors(subtests: pytest.Subtests) -> None:
    """Over all swaps among few records the largest must be q, that of a lone record."""
    for epsilon, delta in LISTED:
        with subtests.test(epsilon=epsilon, delta=delta):
            eps, q = F(epsilon), float(F(delta)) * exp(-F(epsilon) / 2) / 2
            rule = coarse_rule(eps, F(delta))
            lone = hockey_stick(stacked((1,), rule), stacked((0, 1), rule), eps, BALLS)
            assert close(lone, q)
            largest = 0.0
            for records in range(1, 4):
                for rest in combinations_with_replacement(POINTS, records - 1):
                    for x in POINTS:
                        for y in POINTS:
                            laws = (CoarseLaw(rule, (*rest, z)) for z in (x, y))
                            largest = max(largest, hockey_stick(*laws, eps, FLOATS))
            assert largest == pytest.approx(q, rel=1e-9)


@pytest.mark.parametrize(
    ("epsilon", "delta", "q", "total"),
    [
        ("1", "1e-6", "3.03265329856317e-7", "8.03265329856317e-7"),
        ("1/2", "1e-3", "3.89400391535702e-4", "8.89400391535702e-4"),
        ("1/10", "1e-9", "4.75614712250357e-10", "9.75614712250357e-10"),
        ("2", "1/20", "9.19698602928606e-3", ".0341969860292861"),
    ],
)
def test_reference_deltas(epsilon: str, delta: str, q: str, total: str) -> None:
    """A lone record that comes must show q at epsilon / 2; two steps, the printed total."""
    eps = F(epsilon)
    rule = coarse_rule(eps, F(delta))
    found = hockey_stick(stacked((1,), rule), stacked((), rule), eps / 2, BALLS)
    assert agrees_with_print(found, q)
    group = found * (1 + BALLS.exp(BALLS.rational(eps / 2)))  # TRI-LC.1.1 with k = 2
    assert agrees_with_print(group, total)


@pytest.mark.parametrize(
    ("epsilon", "delta"), [("1", "1e-6"), ("1/2", "1/100"), ("1/10", "1e-3"), ("2", "3/5")]
)
def test_lower_threshold_has_exactly_delta(epsilon: str, delta: str) -> None:
    """The lone record must show delta, and no small swap more; for delta > 1/2 less."""
    eps, bound = F(epsilon), F(delta)
    rule = CoarseMean(eps, bound, threshold="lower").rule
    lone = hockey_stick(stacked((1,), rule), stacked((0, 1), rule), eps, BALLS)
    assert close(lone, float(bound if bound <= F(1, 2) else 1 - 1 / (4 * bound)))
    assert endpoints(lone)[0] <= bound
    for x, y in (((2,), (1, 1)), ((1, 1), (0, 2)), ((1, 2), (0, 3)), ((3, 1), (2, 1, 1))):
        assert hockey_stick(stacked(x, rule), stacked(y, rule), eps, FLOATS) <= bound * (1 + 1e-9)


@pytest.mark.parametrize(("delta", "ratio"), [("1/100", ".9690278575"), ("1e-6", ".927865")])
def test_log_ratio_comes_close_to_epsilon(delta: str, ratio: str) -> None:
    """Counts (2, 40) -> (1, 41) must have the log ratio of the reference at their first bin."""
    rule = coarse_rule(F(1), F(delta))
    p, q = (
        argmax_law({few: 1, many: 1}, rule, numbers=BALLS)[0][few]
        for few, many in ((2, 40), (1, 41))
    )
    assert agrees_with_print(BALLS.log(p / q), ratio)


SLOPES = {"2+2L/e": (2, 2), "2+L/e": (2, 1), "2L/e": (0, 2), "1+2L/e": (1, 2)}


WRONG_GROUND_TRUTH = [
    ("2+2L/e", "1", "1/100", "2", (1, 0), (0, 1), ".00303265"),
    ("2+L/e", "1", "1/100", "2", (1, 0), (0, 1), ".0303265"),
    ("2L/e", "1", "1/100", "2", (1, 0), (0, 1), ".00824"),
    ("2L/e", "2", "1/100", "2", (1, 0), (0, 1), ".01359"),
    ("1+2L/e", "1", "1/100", "2", (1, 0), (0, 1), ".005"),
    ("2+2L/e", "1", "1/100", "1", (1, 0), (0, 1), "1.8e-5"),
    ("2+2L/e", "1", "1/100", "1", (22, 22), (21, 23), ".13212"),
    ("2+2L/e", "1/2", "1/100", "1", (31, 31), (30, 32), ".0451"),
    ("2+2L/e", "2", "1e-6", "1", (26, 26), (25, 27), ".297"),
    ("2+2L/e", "1", "1/100", "3/2", (21, 25), (20, 26), ".00638"),
    ("2+2L/e", "2", "1e-6", "3/2", (25, 29), (24, 30), ".00265"),
]


def test_ground_truth_of_wrong_variants(subtests: pytest.Subtests) -> None:
    """Thresholds and scales that are wrong must have the deltas of the reference table."""
    for theta, epsilon, delta, scale, x, y, printed in WRONG_GROUND_TRUTH:
        with subtests.test(
            theta=theta, epsilon=epsilon, delta=delta, scale=scale, x=x, y=y, printed=printed
        ):
            eps = F(epsilon)
            offset, slope = SLOPES[theta]
            rule = CoarseRule(F(scale) / eps, F(offset), slope / eps, 1 / F(delta))
            found = hockey_stick(stacked(x, rule), stacked(y, rule), eps, BALLS)
            assert agrees_with_print(found, printed)


def test_without_a_threshold_nothing_is_private() -> None:
    """The lone record must then tell its bin almost surely."""
    rule = CoarseRule(F(2), F(-(10**4)), F(0), F(1))
    assert hockey_stick(stacked((1,), rule), stacked((0, 1), rule), F(1), FLOATS) > 1 - 1e-12


@pytest.mark.parametrize("many", [12, 15, 60, 2000])
def test_a_heavy_bin_fails_as_stated(many: int) -> None:
    """One bin of n >= theta records must fail with probability e^(-(n - theta) epsilon / 2) / 2."""
    eps, delta = 1.0, 0.01
    masses = stacked((many,), coarse_rule(F(1), F(1, 100))).masses(BALLS)
    theta = 2 + 2 / eps * log(1 / delta)
    assert close(masses[FAILURE], exp(-(many - theta) * eps / 2) / 2)


def test_heavy_and_many_bins_keep_their_digits() -> None:
    """A hundred bins, and counts of a million, must neither overflow nor lose the sum."""
    rule = coarse_rule(F(1), F(1, 100))
    for tally in ({1: 100}, {10**6: 2, 1: 3}, {30: 3, 10**6: 1}):
        released, fails = argmax_law(tally, rule, numbers=FLOATS)
        total = fails + sum(many * released[count] for count, many in tally.items())
        assert total == pytest.approx(1, abs=1e-13)


def test_without_records_it_fails() -> None:
    """No bin is occupied, so the failure symbol must have all the mass."""
    law = CoarseMean().exact_law([])
    assert law.masses(FLOATS) == {FAILURE: 1.0}
    assert law.cuts == (F(-1, 2), F(1, 2))
