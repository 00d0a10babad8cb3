"""Totals that other programs have found, or that are computed here from fractions alone.

The decimals were found with dp-accounting 0.6.0 (`PrivacyLossDistribution`), autodp 0.2.3.1 or
mpmath, each to the digits that two of these agree on.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import audit
from proofs_check.ends import Enclosed
from tests.audit.accounting.plans import GAUSSIAN, LAPLACE, SAMPLED, account, composed, total
from tests.slow import by_default

ONE = {"event": "gaussian", "sigma": 1, "sensitivity": 1}
RESPONSE = {"event": "randomized-response", "keep": "1/2"}
GEOMETRIC = {"event": "geometric", "t": 10, "sensitivity": 1}
APPROXIMATE = {"event": "approx-dp", "epsilon": ".1", "delta": "1e-8"}


def discrete(variance: int) -> dict[str, Any]:
    """A discrete Gaussian."""
    return {"event": "discrete-gaussian", "sigma_squared": variance, "sensitivity": 1}


Case = tuple[dict[str, Any], int, str, str, str]


def known(
    step: dict[str, Any],
    count: int,
    printed: str,
    relation: str = "add-remove",
    delta: str = "1e-5",
) -> Case:
    """A row: a step, how often, the total, and where it is not the usual the relation and delta."""
    return step, count, relation, delta, printed


CASES: dict[str, Case] = {
    "gaussian, add": known(GAUSSIAN, 1, "0.725521750857792"),
    "gaussian, swap": known(GAUSSIAN, 1, "1.55498169153220", "swap"),
    "100 gaussian, add": known(GAUSSIAN, 100, "9.99725614643430"),
    "100 gaussian, swap": known(GAUSSIAN, 100, "24.3816108831137", "swap"),
    "gaussian 1": known(ONE, 1, "4.37717809568122"),
    "gaussian 1, small delta": known(ONE, 1, "6.54792406686495", delta="1e-10"),
    "10 gaussian 1": known(ONE, 10, "17.8565868301076"),
    "100 gaussian 1": known(ONE, 100, "91.8172896246637"),
    "response": known(RESPONSE, 1, "1.0985989552459", "swap"),
    "10 responses": known(RESPONSE, 10, "10.985945293646", "swap"),
    "100 responses": known(RESPONSE, 100, "90.781538508301", "swap"),
    "10 responses of 10": known(RESPONSE | {"categories": 10}, 10, "23.97499695092", "swap"),
    "laplace": known(LAPLACE, 1, "0.09997999990000"),
    "geometric": known(GEOMETRIC, 1, ".0999809514444"),
    "10 geometric": known(GEOMETRIC, 10, ".9936911767593"),
    "100 geometric": known(GEOMETRIC, 100, "4.306791372517"),
    "10 approximate": known(APPROXIMATE, 10, ".9937544617852", "swap"),
    "100 approximate": known(APPROXIMATE, 100, "4.329636714017", "swap"),
    "discrete 1": known(discrete(1), 1, "4.4302380552794"),
    "discrete 4": known(discrete(4), 1, "2.0113398213477"),
    "10 discrete 4": known(discrete(4), 10, "7.4952536578853"),
    "10 discrete 100": known(discrete(100), 10, "1.1993037654710"),
    "100 discrete 100": known(discrete(100), 100, "4.3771874132412"),
    "sampled": known(SAMPLED, 1, ".19945044779591"),
    "sampled laplace": known(
        LAPLACE | {"event": "poisson-laplace", "scale": 1, "q": ".01"}, 1, ".016983441270901"
    ),
}


def agrees(found: Enclosed, printed: str, width: float = 1e-12) -> bool:
    """Whether a printed decimal lies between the ends, which are near, up to its last digit."""
    value = Fraction(printed)
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    assert found.lower is not None
    assert found.upper is not None
    return found.width < width and found.lower - unit <= value <= found.upper + unit


@pytest.mark.parametrize(
    "case", by_default([case for case in CASES if not case.startswith("100 ")], CASES)
)
def test_totals_are_those_that_are_known(case: str) -> None:
    """It must hold to the last digit printed, and of no number one part in 10^10 away."""
    step, count, relation, delta, printed = CASES[case]
    found = total(step | {"count": count}, relation=relation, delta=delta)
    assert agrees(found, printed), found
    wrong = Enclosed(found.lower * (1 + Fraction(1, 10**9)), found.upper * (1 + Fraction(1, 10**9)))
    assert not agrees(wrong, printed)


@pytest.mark.slow
def test_a_long_total_is_the_one_that_is_known() -> None:
    """It must hold of ten times as many as above, which take longer than all of these."""
    found = total(GEOMETRIC | {"count": 1000})
    assert agrees(found, "17.7871284497"), found
    assert not agrees(found, "17.7871284499")


NEAR: dict[str, tuple[dict[str, Any], int, str, str, str]] = {
    "10 laplace": (LAPLACE, 10, "add-remove", ".98996229205", ".98996231699"),
    "100 laplace": (LAPLACE, 100, "add-remove", "4.22034716115", "4.22034734714"),
    "100 laplace, swap": (LAPLACE, 100, "swap", "9.38191606", "9.38191685"),
}


@pytest.mark.parametrize("case", NEAR)
def test_ends_overlap_with_ends_that_others_found(case: str) -> None:
    """It must hold of an implementation of the lattice in plain Python integers."""
    step, count, relation, lower, upper = NEAR[case]
    found = total(step | {"count": count}, relation=relation)
    assert found.lower <= Fraction(upper)
    assert found.upper >= Fraction(lower)
    assert found.width < 1e-3


def slow_excess(masses: list[tuple[Fraction, Fraction]], count: int, ratio: Fraction) -> Fraction:
    """H at e^epsilon = ratio of `count` copies of a pair of finite laws, by all sums of counts."""
    found = Fraction(0)
    size = len(masses)

    def over(place: int, left: int, p: Fraction, q: Fraction) -> None:
        nonlocal found
        if place == size - 1:
            last_p, last_q = masses[place]
            found += max(p * last_p**left - ratio * q * last_q**left, Fraction(0))
            return
        own_p, own_q = masses[place]
        for number in range(left + 1):
            ways = math.comb(left, number)
            over(place + 1, left - number, p * ways * own_p**number, q * ways * own_q**number)

    over(0, count, Fraction(1), Fraction(1))
    return found


LAWS = {
    "two ratios": [("1/2", "1/4"), ("1/3", "1/3"), ("1/6", "5/12")],
    "a mass at infinity": [("1/10", "0"), ("1/2", "1/2"), ("2/5", "1/4"), ("0", "1/4")],
    "a response": [("3/4", "1/4"), ("1/4", "3/4")],
}


@pytest.mark.parametrize("count", by_default([1, 2], [1, 2, 5]))
@pytest.mark.parametrize("law", LAWS)
def test_stated_laws_contain_the_exact_excess(law: str, count: int) -> None:
    """It must hold of listed pairs at every epsilon, and not of one more copy."""
    masses = [(Fraction(p), Fraction(q)) for p, q in LAWS[law]]
    sides = [[str(pair[side]) for pair in masses] for side in (0, 1)]
    step = {"event": "law", "p": sides[0], "q": sides[1], "count": count}
    found = composed([step], "listed", tries=6)
    swapped = [(q, p) for p, q in masses]
    for ratio in (Fraction(1), Fraction(9, 8), Fraction(5, 2), Fraction(8)):
        epsilon = Fraction(math.log(ratio))  # nearly: delta changes by as little
        exact = max(slow_excess(one, count, ratio) for one in (masses, swapped))
        lower, upper = found.delta(epsilon)
        spare = Fraction(1, 10**14)
        assert lower - spare <= exact <= upper + spare
        assert upper - lower < Fraction(1, 50)
        more = max(slow_excess(one, count + 1, ratio) for one in (masses, swapped))
        if ratio == 1 and more - exact > Fraction(1, 50):
            assert not lower <= more <= upper


def test_a_total_that_drops_the_count_is_refuted() -> None:
    """It must hold of 100 responses that are charged as one, and not of what they lose."""
    step = RESPONSE | {"count": 100}
    assert account(step, relation="swap", claim="1.098687").verdict.value == "REFUTED"
    assert account(step, relation="swap", claim="90.7816").verdict.value == "PROVED"


@pytest.mark.long
def test_a_total_that_forgets_the_factor_two_of_swap_is_refuted() -> None:
    """It must hold of a Gaussian and of a Laplace, and not where swap_sensitivity says it."""
    for step, claim in ((GAUSSIAN, ".7945"), (LAPLACE | {"count": 100}, "4.5327")):
        assert account(step, relation="swap", claim=claim).verdict.value == "REFUTED"
        counted = step | {"swap_sensitivity": 1}
        assert account(counted, relation="swap", claim=claim).verdict.value == "PROVED"


def test_the_example_of_the_function_is_what_the_command_says() -> None:
    """It must hold that words of a call stand in place of the plan's own."""
    plan = {"step": [GAUSSIAN], "relation": "swap", "delta": "1e-5", "claim": 1}
    assert audit.account(plan).verdict.value == "REFUTED"
    assert audit.account(plan, claim=2).verdict.value == "PROVED"
    assert audit.account(plan, relation="add-remove").verdict.value == "PROVED"
