"""The subset risk of minimizers of sums of |x - y|^p, and what it compares to (Appendix F)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.language import (
    TERMS,
    Condition,
    Quantity,
    all_of,
    for_all,
    implies,
    integers,
    reals,
    refuted,
)
from proofs_check.papers.sub.risk.power_means import minimizer, risk_two
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByHand

__all__ = ["CLAIMS"]


@refutes(
    "Without ten of a hundred zeros, at p = 1.01, it rises more than ten thousandfold.",
    Method.EXACT,
)
@mutant("q = 1", q=1)
def subset_rises(n: int = 101, k: int = 10, q: int = 100) -> Finding:
    """For n = 101, K = 10, p = 1.01, dropping ten zeros raises mu_p from 1.0e-200 to 3.76e-196."""
    numbers = Balls(128)
    full, fewer = Fraction(1, 1 + (n - 1) ** q), Fraction(1, 1 + (n - 1 - k) ** q)
    if not fewer - full > full:
        return exactly(False, "the printed bound holds")
    rows = [
        ("mu_p of all", "1.0e-200", numbers.rational(full)),
        ("the rise", "3.76e-196", numbers.rational(fewer - full)),
    ]
    return as_printed(rows)


@confirms("The supremum over all large subsets.", Method.EXACT)
@mutant("n - K zeros for n - 1 - K", drop=1)
def subsets_of_the_example(drop: int = 0) -> Finding:
    """Over all large subsets the loss is max(mu_p, 1 / (1 + (n-1-K)^q) - mu_p), q = 1, 2, 3."""
    cases = 0
    for q in (1, 2, 3):
        for n in (3, 5, 12):
            for k in range(1, n - 1):
                full = Fraction(1, 1 + (n - 1) ** q)
                values = [Fraction(0)]  # without the one
                values += [Fraction(1, 1 + (n - 1 - j) ** q) for j in range(k + 1)]
                worst = max(abs(full - v) for v in values)
                right = max(full, Fraction(1, 1 + (n - 1 - k + drop) ** q) - full)
                cases += 1
                if worst != right:
                    return exactly(False, f"fails for n = {n}, K = {k}, q = {q}")
    return exactly(True, f"{cases} cases")


@proves("When the printed bound holds.", Method.SMT)
@mutant("1.98 (1 + b)", two=Fraction(99, 50))
@for_all(reals("a b"))
def condition_for_the_print(a: Any, b: Any, *, two: Fraction = Fraction(2)) -> Condition:
    """1 / (1 + b) - 1 / (1 + a) <= 1 / (1 + a) iff 1 + a <= 2 + 2 b, a = (n-1)^q, b = (n-1-K)^q."""
    left = (1 + a) - (1 + b) <= 1 + b
    right = 1 + a <= two + two * b
    return implies(all_of(a >= 0, b >= 0), left == right)


@refutes("R_2 < R, as printed and by adding only.", Method.ENCLOSURE)
@mutant("R 1 % smaller", printed="0.149469777502079")
def order_of_the_risks(printed: str = "0.150979573234423") -> Finding:
    """For n = 10^6, eps = 0.01, p = 9 < log(n eps): R_2 < R, also by adding only."""
    numbers = Balls(128)
    n, inverse = numbers.rational(Fraction(10**6)), numbers.rational(Fraction(100))
    q = Fraction(1, 8)
    if certainly_less(9, numbers.log(n / inverse)) is not True:
        return exactly(False, "p is not below log(n eps)")
    second = risk_two(n, n - inverse, inverse, q, numbers.power)
    added = risk_two(n, n - 1, inverse + 1, q, numbers.power)
    subset = minimizer(n - 1, q, numbers.power)
    rows = [
        ("R_2 as printed", "0.0892757818832937", second),
        ("R_2 by adding", "0.0895006274348303", added),
        ("R", printed, subset),
    ]
    return every((as_printed(rows), _below(second, subset), _below(added, subset)))


@refutes("R is mu_p(D) there.", Method.ENCLOSURE)
@mutant("all but one zero dropped", k=10**6 - 2)
def no_rise_beyond(n: int = 10**6, k: int = 100) -> Finding:
    """There R is mu_p(D) itself: dropping K zeros raises mu_p by less than mu_p."""
    numbers = Balls(128)
    a, b = (
        numbers.power(numbers.rational(Fraction(m)), Fraction(1, 8)) for m in (n - 1, n - 1 - k)
    )
    return Finding(certainly_less(1 + a, 2 + 2 * b), "1 + a <= 2 + 2 b")


def _below(x: Ball, y: Ball) -> Finding:
    return Finding(certainly_less(x, y))


def of_balls(formula: Callable[..., Ball]) -> Callable[..., Ball]:
    """A risk of n, K and p."""
    numbers = Balls(128)
    return lambda n, k, p: formula(*map(numbers.rational, (n, k)), 1 / (p - 1), numbers.power)


SECOND = Quantity(
    "R_2", r"\tilde R_2", of_balls(lambda n, k, q, power: risk_two(n, n - k, k, q, power))
)
SUBSET = Quantity("R", "R", of_balls(lambda n, _, q, power: minimizer(n - 1, q, power)))


@refutes("At n = 10^6, eps = 0.01, p = 9 R_2 = 0.0893 < R = 0.1510.", Method.ENCLOSURE)
@mutant("p = 10 > log 10^4", p=10)
@refuted(
    integers("n K p"),
    "For orders {p} below {limit}, small privacy budgets and large ranges the risk of two neighbors is much larger than {left}, and {left} than {right}.",
    at={"n": 10**6, "K": 100, "p": 9},
    terms=lambda v: {"limit": TERMS.log(v["n"] / v["K"])},
)
def second_risk_is_larger(n: Any, k: Any, p: Any) -> Condition:
    """The second part of the print."""
    given = all_of(p >= 2, k >= 1, n > k, p < TERMS.log(n / k))
    return implies(given, SECOND(n, k, p) > SUBSET(n, k, p))


CLAIMS = (
    Claim(
        id="SUB-F4",
        source="Appendix F, subsets of D",
        says="The property of a subset of D lies between 0 and that of D (print); dropping zeros raises it.",
        latex=r"\sup_{D'} |\theta(D) - \theta(D')| = \max\Big(\mu_p(D), \frac{1}{1 + (n-1-K)^q} - \mu_p(D)\Big)",
        domain="K < n - 1, q = 1/(p - 1); the printed bound holds iff 1 + (n-1)^q <= 2 + 2 (n-1-K)^q",
        status=Status.CORRECTED,
        checks=checks_of(subsets_of_the_example, condition_for_the_print, subset_rises),
        why="Only zeros that are dropped matter: fewer zeros raise the minimizer.",
        right="The supremum is the larger of mu_p(D) and 1 / (1 + (n - 1 - K)^q) - mu_p(D).",
        assumes=("SUB-F1",),
        errata=("SUB-E21",),
        steps=(
            ByHand(
                "A subset has the one or not, and drops j <= K zeros: theta is 0 or 1 / (1 + (n - 1 - j)^q), which rises with j."
            ),
        ),
        obligations=parts_of(condition_for_the_print, subset_rises),
    ),
    Claim(
        id="SUB-F5",
        source="Appendix F, conclusion",
        states=(second_risk_is_larger,),
        domain="K = 1/eps",
        status=Status.REFUTED,
        checks=checks_of(second_risk_is_larger, order_of_the_risks, no_rise_beyond),
        why="The ratio of R_2 to R is about (1/eps)^(1/(p-1)), which p < log(n eps) does not make large.",
        right="(1/eps)^(1/(p-1)) must be large, that is p - 1 much smaller than log(1/eps).",
        assumes=("SUB-F4",),
        obligations=parts_of(order_of_the_risks, no_rise_beyond),
    ),
)
