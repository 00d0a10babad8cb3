"""The lower bound as a number, and how deletions change it (PDP, equations (1) and (24)).

LB(D) = max over k of 1 / (S_k + sqrt(n - k)), S_k the sum of the k smallest of n budgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, endpoints
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.pdp.common import LESS, NUMBERS, PERCENT, ball, below, smaller
from proofs_check.papers.pdp.mean.printed_rate import rate_of_equal_budgets
from proofs_check.papers.pdp.tools.saturation import OFFSET, examples, saturation
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, identical, symbols

__all__ = ["CLAIMS", "lower_bound", "saturated_error"]

CONSTANT = Fraction(256, 443)
"""Square of the constant of equation (1), as printed."""


def lower_bound(budgets: Sequence[Fraction], *, first: int = 1) -> Ball:
    """LB(D), the maximum over k = first, ..., n."""
    n, total, sums = len(budgets), Fraction(0), [Fraction(0)]
    for epsilon in sorted(budgets):
        total += epsilon
        sums.append(total)
    weights = [ball(sums[k]) + NUMBERS.sqrt(ball(n - k)) for k in range(first, n + 1)]
    low, high = (min(endpoints(w)[side] for w in weights) for side in (0, 1))
    return 1 / NUMBERS.between(low, high)


def saturated_error(budgets: Sequence[Fraction], offset: Fraction | int = OFFSET) -> Ball:
    """sqrt(B) / (2 A): root of the mean squared error of the weighted mean at width 1."""
    found = saturation(sorted(budgets), offset)
    squares = sum((e * e for e in found.budgets), Fraction(offset))
    return NUMBERS.sqrt(ball(squares)) / ball(2 * found.total)


@refutes(
    "k1 from 0 on: quotients 2/3 and 0.707063, below sqrt(256 / 443) = 0.760182941032928.",
    Method.ENCLOSURE,
)
@mutant("8.08 for 8", offset=8 * PERCENT)
def equation_1_fails(offset: Fraction = Fraction(OFFSET)) -> Finding:
    """Left side over sqrt(B) / (2 A) for n equal budgets, k1 from 0 on: below the constant."""
    cases = ((1, "1", "0.6666666667"), (1000, "0.001", "0.707063"))
    return _quotients(cases, 0, offset)


@refutes("k1 from 1 on, as in Theorem 9: quotient 0.2357 for a single budget 8.", Method.ENCLOSURE)
@mutant("8.08 for 8", offset=8 * PERCENT)
def equation_1_fails_without_0(offset: Fraction = Fraction(OFFSET)) -> Finding:
    """With k1 in 1, ..., n the quotient is 0.2357 for a single budget 8, and has no lower bound."""
    printed = [("sqrt(256 / 443)", "0.760182941032928", NUMBERS.sqrt(ball(CONSTANT)))]
    return every([as_printed(printed), _quotients(((1, "8", "0.2357"),), 1, offset)])


def _quotients(cases: Sequence[tuple[int, str, str]], first: int, offset: Fraction) -> Finding:
    rows, gaps = [], []
    for n, epsilon, text in cases:
        budgets = [Fraction(epsilon)] * n
        quotient = lower_bound(budgets, first=first) / saturated_error(budgets, offset)
        name = f"n = {n}, eps = {epsilon}"
        rows.append((name, text, quotient))
        gaps.append((name, quotient, NUMBERS.sqrt(ball(CONSTANT))))
    return every([as_printed(rows), below(gaps)])


@refutes(
    "n = 1, eps = 1: the left side is 1, the right side squared is 576 / 443 > 1.", Method.EXACT
)
@mutant("8.08 for 8", offset=8 * PERCENT)
def right_side_squared(offset: Fraction = Fraction(OFFSET)) -> Finding:
    """For n = 1, eps = 1 the left side is 1 for k1 = 0 and 1, the right side squared is 576 / 443."""
    found = saturation([Fraction(1)], offset)
    squared = CONSTANT * (1 + offset) / (4 * found.total**2)
    return exactly(squared == Fraction(576, 443) and squared > 1, f"right side squared {squared}")


@proves("sqrt(a + b) <= sqrt(a) + sqrt(b).", Method.SMT)
@mutant("0.99 on the right", factor=LESS)
@for_all(
    reals("x y z"),
    "The root of a sum is at most the sum of the roots, {sum}.",
    terms=lambda v: {"sum": v["x"] + v["y"]},
    polynomial=True,
)
def root_of_a_sum(x: Any, y: Any, z: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """sqrt(a + b) <= sqrt(a) + sqrt(b), with x = sqrt(a), y = sqrt(b), z = sqrt(a + b)."""
    given = all_of(x >= 0, y >= 0, z >= 0, z * z == x * x + y * y)
    return implies(given, z <= factor * (x + y))


@proves("From the weights to the bounds.", Method.SMT)
@mutant("0.99 of the factor", factor=LESS)
@for_all(
    reals("L L2 d"),
    "A lower bound that rises from {L} to {L2} rises at most to {most}, and at most to twice itself where {small}.",
    terms=lambda v: {"most": v["L"] * (1 + v["d"] * v["L2"]), "small": v["d"] * v["L2"] <= 1},
    polynomial=True,
)
def deletion_factor(
    before: Any, after: Any, d: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """1 / L <= 1 / L'' + d gives L'' <= L (1 + d L''), and L'' <= 2 L if d L'' <= 1."""
    given = all_of(before > 0, after > 0, d >= 0, after <= before + before * after * d)
    twice = implies(d * after <= 1, after <= 2 * factor * before)
    return implies(given, all_of(after <= factor * before * (1 + d * after), twice))


@confirms("Deletion never lowers the sum of the k smallest budgets.", Method.EXACT)
@mutant("the sums fall", sign=-1)
def deletion_raises_prefix_sums(sign: int = 1) -> Finding:
    """Deleting budgets never lowers the sum of the k smallest ones."""
    cases = 0
    for budgets in examples():
        n = len(budgets)
        for size in range(1, n):
            for kept in combinations(budgets, size):
                cases += 1
                if any(sign * (sum(kept[:k]) - sum(budgets[:k])) < 0 for k in range(1, size + 1)):
                    return exactly(False, f"fails for {budgets}, kept {kept}")
    return exactly(True, f"{cases} deletions")


@proves("Equality for n'' = 1.", Method.SYMBOLIC)
@mutant("1.01 of the factor", factor=PERCENT)
def deletion_is_attained(factor: Fraction = Fraction(1)) -> Finding:
    """One record left of n: 1 / e = (1 + d / e) / (e + d) with d = sqrt(n - 1)."""
    e, d = symbols("e d", positive=True)
    c = Rational(factor.numerator, factor.denominator)
    return identical(1 / e, c * (1 + d / e) / (e + d), {e: (0, 1), d: (1, 9)})


@proves("1 / LB(D'') >= min(sqrt(n''), n'' eps_min).", Method.SMT)
@mutant("1.01 of the minimum", factor=PERCENT)
@for_all(reals("x y e"), "Its inverse is at least the smaller one of its ends.", polynomial=True)
def concave_in_k(x: Any, y: Any, e: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """K e + sqrt(n - k) >= min(sqrt(n), n e), with x = sqrt(n - k), y = sqrt(n)."""
    given = all_of(0 <= x, x <= y, e >= 0)
    return implies(given, (y * y - x * x) * e + x >= factor * smaller(y, y * y * e))


@proves("n'' eps_min >= sqrt(Delta) then.", Method.SMT)
@mutant("0.99 of the records", factor=LESS)
@for_all(reals("s r d n"), polynomial=True)
def enough_records(s: Any, r: Any, d: Any, n: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """Delta <= c / e and n'' >= sqrt(c) e^(-3/2) give n'' e >= sqrt(Delta); c = s^2, e = r^2."""
    given = all_of(s > 0, r > 0, d >= 0, d * r <= s, n * r**3 >= factor * s)
    return implies(given, n * r * r >= d)


@proves("min(n'' eps_min, sqrt(n'')) >= sqrt(Delta) gives sqrt(Delta) LB(D'') <= 1.", Method.SMT)
@mutant("0.99 of the weight", factor=LESS)
@for_all(reals("weight least d"), polynomial=True)
def group_bound(weight: Any, least: Any, d: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """min(n'' e, sqrt(n'')) >= sqrt(Delta) gives LB(D'') sqrt(Delta) <= 1."""
    given = all_of(d > 0, least >= d, weight >= factor * least, weight > 0)
    return implies(given, d / weight <= 1)


CLAIMS = (
    Claim(
        id="PDP-E1",
        source="Lemma 12, equation (1)",
        states=(rate_of_equal_budgets,),
        domain="n equal budgets",
        status=Status.REFUTED,
        checks=checks_of(
            rate_of_equal_budgets, right_side_squared, equation_1_fails, equation_1_fails_without_0
        ),
        why="The constant is too large for every vector with small n eps, and with k1 >= 1 no constant works as eps grows.",
        right="With k1 from 0 on and the constant 0.624568149768620, the best possible one.",
        corrected_by="PDP-L12s",
        obligations=parts_of(right_side_squared, equation_1_fails, equation_1_fails_without_0),
    ),
    Claim(
        id="PDP-E24",
        source="Theorem 13, equation (24)",
        says="Deleting Delta = O(1 / eps_min) records changes the error by a constant factor once n is of the order eps_min^(-3/2).",
        latex=r"\mathrm{Err}(\ddot D) = \Theta(\mathrm{Err}(\dot D)) \quad \text{if } n = \Omega(\varepsilon_{\min}^{-3/2} \ln(J / \beta))",
        domain="explicit: Delta <= c / eps_min, n'' >= sqrt(c) eps_min^(-3/2) and n'' >= Delta records left",
        status=Status.ASYMPTOTIC,
        checks=checks_of(enough_records, group_bound),
        assumes=("PDP-E24s",),
        steps=(
            ByCheck("enough_records"),
            ByCheck("group_bound"),
            ByClaim("PDP-E24s", "By PDP-E24s the lower bound then at most doubles."),
            ByClaim(
                "PDP-T11u",
                "That the error of Algorithm 7 follows the lower bound up to logarithms is Theorem 11.",
            ),
        ),
    ),
    Claim(
        id="PDP-E24s",
        source="our own, for equation (24)",
        states=(root_of_a_sum, deletion_factor, concave_in_k),
        domain="d = sqrt(Delta) for the Delta records that are deleted; x, y and z are roots, and e is the least budget; with equality possible",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(
            root_of_a_sum,
            deletion_raises_prefix_sums,
            deletion_factor,
            deletion_is_attained,
            concave_in_k,
        ),
        steps=(
            ByCheck("root_of_a_sum"),
            ByCheck("deletion_factor"),
            ByCheck("concave_in_k"),
            ByHand(
                "Take the k that attains LB(D''): S_k(D) + sqrt(n - k) <= S_k(D'') + sqrt(n'' - k) + sqrt(Delta), so 1 / LB(D) <= 1 / LB(D'') + sqrt(Delta)."
            ),
            ByHand(
                "The k smallest of all budgets are at most the k smallest of some of them, for any n."
            ),
            ByCheck(
                "deletion_is_attained",
                "Equality: D'' is the smallest budget e, and LB(D) is attained at k = 1.",
            ),
        ),
    ),
)
