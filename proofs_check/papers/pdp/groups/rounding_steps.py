"""Rounding budgets down to the left ends of their groups (PDP, equation (25))."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, all_of, enumerated, for_all, implies, reals
from proofs_check.papers.pdp.bounds.lower_bound_steps import lower_bound, saturated_error
from proofs_check.papers.pdp.common import LESS, ball, below
from proofs_check.steps import ByCheck, ByHand

__all__ = ["CLAIMS", "group_left_end"]

TWO = Fraction(2)


def group_left_end(epsilon: Fraction, least: Fraction) -> Fraction:
    """2^(i-1) eps_min, the left end of the group [2^(i-1) eps_min, 2^i eps_min) of a budget."""
    left = least
    while 2 * left <= epsilon:
        left *= 2
    return left


@proves("From the sums to LB.", Method.SMT)
@mutant("factors 1.98 and 0.99", factor=LESS)
@for_all(
    reals("S S2 r"),
    "If a sum falls to more than half of itself, what is one over it plus {r} grows by a factor of at least one and less than two.",
)
def rounding_factor(
    before: Any, after: Any, r: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """S / 2 < S' <= S and r >= 0: 1 / (S' + r) is at least 1 / (S + r) and below 2 / (S + r)."""
    given = all_of(before > 0, before < 2 * after, after <= before, r >= 0)
    upper = before + r < 2 * factor * (after + r)
    return implies(given, all_of(upper, after + r <= factor * (before + r)))


@proves("Left ends: eps / 2 < left <= eps, in the order of the budgets.", Method.EXACT)
@mutant("groups from 0.0505 on", least=Fraction(505, 10000))
@enumerated("budgets in [1/20, 2]", lambda: (Fraction(j, 240) for j in range(12, 481)))
def rounding_keeps_the_order(
    budgets: Iterator[Fraction], least: Fraction = Fraction(1, 20)
) -> Finding:
    """Eps / 2 < left <= eps, larger budgets have larger left ends, the ends of groups are exact."""
    previous = Fraction(0)
    for epsilon in budgets:
        left = group_left_end(epsilon, least)
        if not epsilon / 2 < left <= epsilon or left < previous:
            return exactly(False, f"left end {left} of {epsilon}")
        previous = left
    return exactly(True, "in ascending order")


@proves("The root mean squared error sqrt(B) / (2 A) at most doubles.", Method.SMT)
@mutant("1.98 for 2", factor=2 * LESS)
@for_all(reals("Q S square rounded"), polynomial=True)
def rounded_error(
    q: Any, s: Any, square: Any, rounded: Any, *, factor: Fraction = TWO
) -> Condition:
    """The error of halved budgets is at most twice the error: (Q / 4 + 8) 4 / S^2 <= 4 (Q + 8) / S^2.

    With the budgets halved, x_i / 2 is admissible wherever x_i was.
    """
    errors = all_of(square * s * s == q + 8, rounded * s * s == 4 * (q / 4 + 8))
    bound = rounded <= factor * factor * square
    return implies(all_of(q >= 0, s > 0, errors), bound)


@encloses(
    "LB and sqrt(B) / (2 A) of rounded budgets, on examples near the right ends.", Method.ENCLOSURE
)
@mutant("1.98 for 2", factor=2 * LESS)
def rounded_errors_on_examples(factor: Fraction = TWO) -> Finding:
    """Quotients of LB and of sqrt(B) / (2 A) under rounding, for budgets just below a right end."""
    rows = []
    for count, end in ((1, Fraction(1, 50)), (5, Fraction(1, 50)), (50, Fraction(4))):
        budgets = [end * 1999 / 2000] * count
        rounded = [group_left_end(e, Fraction(1, 100)) for e in budgets]
        for words, number in (("LB", lower_bound), ("error", saturated_error)):
            name = f"{words}, {count} budgets below {end}"
            quotient = number(rounded) / number(budgets)
            rows += [(name, quotient, ball(factor)), (name, ball("0.999"), quotient)]
    found = below(rows)
    return Finding(found.holds, f"{len(rows) // 2} quotients" if found.holds else found.detail)


@confirms("2 cannot be lowered: a budget 1.999 rounded to 1.", Method.EXACT)
@mutant("1.98 for 2", factor=2 * LESS)
def sharpness_of_two(factor: Fraction = TWO) -> Finding:
    """One budget just below 2, rounded to 1: LB doubles, up to the factor 1999 / 2000."""
    budget = Fraction(1999, 1000)
    quotient = 1 / group_left_end(budget, Fraction(1)) * budget
    return exactly(factor * Fraction(1999, 2000) == quotient, f"quotient {quotient}")


CLAIMS = (
    Claim(
        id="PDP-E25",
        source="Theorem 13, equation (25)",
        says="Rounding the budgets down to the left ends of their groups changes the error by a constant factor.",
        latex=r"\mathrm{Err}(\dot D) = \Theta(\mathrm{Err}(D))",
        domain="budgets in [eps_min, eps_max], groups [2^(i-1) eps_min, 2^i eps_min)",
        status=Status.ASYMPTOTIC,
        checks=checks_of(rounding_keeps_the_order, rounded_error, rounded_errors_on_examples),
        assumes=("PDP-E25s", "PDP-A3"),
        steps=(
            ByCheck("rounding_keeps_the_order"),
            ByCheck("rounded_error"),
            ByHand(
                "The saturated budgets minimize (sum x^2 + 8) / (sum x)^2 over 0 <= x_i <= eps_i; rounded budgets are above eps_i / 2, so half of the minimizer is admissible, and the minimum grows by at most 4, the error by at most 2."
            ),
        ),
        note="For the error of Algorithm 7 this is up to logarithms.",
    ),
    Claim(
        id="PDP-E25s",
        source="our own, for equation (25)",
        states=(rounding_factor,),
        domain="S and S2 are the sums of the budgets before and after they are rounded down to the left ends of their groups, r is the rest of the denominator of LB",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(rounding_keeps_the_order, rounding_factor, sharpness_of_two),
        steps=(
            ByCheck("rounding_keeps_the_order"),
            ByCheck("rounding_factor"),
            ByHand(
                "Rounding keeps the order, so S_k is replaced by a sum in (S_k / 2, S_k] for each k >= 1; the bound holds for each k and so for the maximum."
            ),
        ),
    ),
)
