"""What any private mechanism loses on one of two data sets (Lemma 4.4), with a sharper constant."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, all_of, any_of, for_all, implies, reals
from proofs_check.papers.sub.common import distance, mean
from proofs_check.papers.sub.risk.definitions import large_subsets
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand

__all__ = ["CLAIMS", "two_point_factor"]


def two_point_factor(d: Any, epsilon: Any, *, numbers: Any) -> Any:
    """1 / (1 + e^(d eps)): share of the loss between two data sets at distance d that is unavoidable."""
    return 1 / (1 + numbers.exp(d * epsilon))


@proves("The two-point argument with the constant 1 / (1 + e^(d eps)).", Method.SMT)
@mutant("1.01 l", lower=Fraction(101, 100))
@for_all(
    reals("g l a1 a2"),
    "Of the two mean losses one is at least {bound}.",
    terms=lambda v: {"bound": v["l"] / (1 + v["g"])},
    polynomial=True,
)
def two_points_cost(
    g: Any, loss: Any, first: Any, second: Any, *, lower: Fraction = Fraction(1)
) -> Condition:
    """max(a1, a2) >= l / (1 + g), with g = e^(d eps), a_i the expected losses and g a2 >= l - a1."""
    given = all_of(g >= 1, first >= 0, second >= 0, g * second >= loss - first, loss > 0)
    right = lower * loss
    return implies(given, any_of((1 + g) * first >= right, (1 + g) * second >= right))


@proves("Privacy and the triangle inequality move the loss from D1 to D2.", Method.SMT)
@mutant("l2 >= l - 1.01 l1", share=Fraction(101, 100))
@for_all(
    reals("g p q l1 l2 l"),
    "Of two data sets the mean losses of a private estimator are bound to each other at each output.",
    polynomial=True,
)
def privacy_moves_losses(
    g: Any, p: Any, q: Any, near: Any, far: Any, loss: Any, *, share: Fraction = Fraction(1)
) -> Condition:
    """q(y) >= e^(-d eps) p(y) and l(y, t2) >= l(t1, t2) - l(y, t1), averaged: g a2 >= l - a1."""
    given = all_of(g >= 1, p >= 0, g * q >= p, near >= 0, far >= 0, far >= loss - share * near)
    return implies(given, g * q * far >= p * (loss - near))


@confirms("Randomized response between the two values attains it.", Method.EXACT)
@mutant("e^(d eps + 1/100)", shift=Fraction(1, 100))
def randomized_response_attains_it(shift: Fraction = Fraction(0)) -> Finding:
    """Naming the right of two values with probability e^x / (1 + e^x) errs by l / (1 + e^x)."""
    for x in (Fraction(1, 2), Fraction(1), Fraction(2)):
        g = ExpSum.exp(x)
        wrong = ExpSum.rational(1) / (1 + g)
        right = 1 - wrong
        bound = ExpSum.rational(1) / (1 + ExpSum.exp(x + shift))
        if not (right == wrong * g and wrong == bound):
            return exactly(False, f"d eps = {x}")
    return exactly(True, "d eps = 1/2, 1, 2")


@proves(
    "The constants: 1 / (1 + e^(d eps)) is at least 1 / (1 + e^2), and that at least 1 / (2 e^2).",
    Method.SMT,
)
@mutant("e^2 for 2 e^2", power=1)
@for_all(
    reals("g h"),
    "That is at least {least} of the loss.",
    terms=lambda v: {"least": 1 / (2 * v["h"])},
)
def constants_ordered(g: Any, h: Any, *, power: int = 2) -> Condition:
    """1 / (1 + e^(d eps)) >= 1 / (1 + e^2) >= 1 / (2 e^2), as g <= h = e^2 and h >= 1."""
    return implies(all_of(1 <= g, g <= h), all_of(1 + g <= 1 + h, 1 + h <= power * h))


@refutes("As printed, without D1, D2 in D, it fails for ten zeros.", Method.ENCLOSURE)
@mutant("D2 a subset of D", second=(0,) * 8)
def lemma_44_needs_subsets(second: tuple[int, ...] = (0,) * 8 + (1, 1)) -> Finding:
    """D = {0}^10, eps = 1/2, D1 = D: the print gives R >= 0.0135, but R = 0.

    All subsets of D have the mean 0, which a constant names; D2 has as many points as D and
    distance 2 / eps from it, but is no subset.
    """
    numbers, data = Balls(128), (0,) * 10
    allowed = len(second) >= len(data) - 2 and distance(data, second) <= 4
    gap = abs(mean(data) - mean(second))
    claimed = gap / (2 * numbers.exp(numbers.rational(Fraction(2))))
    true_risk = max(abs(mean(part)) for part in large_subsets(data, 2))
    if not allowed or gap == 0 or true_risk != 0:
        return exactly(False, "no counterexample")
    return as_printed([("the printed lower bound of R = 0", "0.0135335283236613", claimed)])


CLAIMS = (
    Claim(
        id="SUB-L4.4s",
        source="our own (Lemma 4.4, sharper)",
        states=(privacy_moves_losses, two_points_cost),
        domain="l is the distance of both answers, g = e^(d eps) for data at distance d; p and q are the chances of an output, l1 and l2 its losses, a1 and a2 the mean losses",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(privacy_moves_losses, two_points_cost, randomized_response_attains_it),
        steps=(
            ByCheck("privacy_moves_losses"),
            ByCheck("two_points_cost"),
            ByHand(
                "The first check holds for the density at every output; integrated, with a1 = E l(A(D1), theta(D1)), it gives e^(d eps) a2 >= l - a1 (densities of A(D1) and A(D2) differ by at most e^(d eps), by group privacy)."
            ),
        ),
    ),
    Claim(
        id="SUB-L4.4",
        source="Lemma 4.4",
        states=(two_points_cost, constants_ordered),
        domain="l is the loss between the properties of two subsets of D with at least n - 1/eps points each, a1 and a2 the mean losses, g = e^(d eps) for their distance d <= 2 / eps, h = e^2; printed with half of the constant for d = 2 / eps",
        status=Status.CORRECTED,
        checks=checks_of(two_points_cost, constants_ordered, lemma_44_needs_subsets),
        why="The set S of the print does not ask that D1 and D2 are subsets of D; only then do they count in the supremum of R.",
        right="The same with D1 and D2 subsets of D and eps in (0, 1]; the factor may be 1 / (1 + e^(d eps)).",
        assumes=("SUB-L4.4s",),
        errata=("SUB-E10",),
        steps=(
            ByCheck("two_points_cost"),
            ByCheck("constants_ordered"),
            ByClaim(
                "SUB-L4.4s", "One of the two subsets has at least that loss, and both count in R."
            ),
        ),
        obligations=parts_of(lemma_44_needs_subsets),
    ),
)
