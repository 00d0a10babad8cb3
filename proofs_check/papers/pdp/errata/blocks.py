"""Errata of PDP in the blocks of the proof of Theorem 11: errata 24 to 26."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, Quantity, all_of, for_all, implies, reals, refuted
from proofs_check.papers.pdp.common import PERCENT
from proofs_check.papers.pdp.tools.saturation import examples, saturation

__all__ = ["CLAIMS"]

HALF = Fraction(1, 2)


def printed_block(
    n1: int, n: int, tau: Fraction, total: Fraction, variance: Fraction
) -> tuple[Fraction, Fraction]:
    """Both parts of the printed denominator, the second one divided by t."""
    return 16 * n1**2 * n * tau / total * variance, Fraction(16, 3) * n1 * tau


def right_block(
    n1: int, n: int, tau: Fraction, total: Fraction, variance: Fraction
) -> tuple[Fraction, Fraction]:
    """The same with 64 and 32/3."""
    return 64 * n1**2 * n * tau / total * variance, Fraction(32, 3) * n1 * tau


def printed_largest_rate(first: Fraction, tau: Fraction) -> Fraction:
    """1 - eps_1 / tau."""
    return 1 - first / tau


def printed_scale(total: Fraction) -> Fraction:
    """8 / A, times the width of the range."""
    return 8 / total


@refutes(
    "The scale of the noise is below 8 |Range| / A on all examples, but not below 2 |Range| / A.",
    Method.EXACT,
)
@mutant("2 / A for 8 / A", scale=lambda total: 2 / total)
def eight_is_loose(scale: Callable[[Fraction], Fraction] = printed_scale) -> Finding:
    """The scale of the noise, 1 / A(eps / 2), is always below the printed one: at most 2 / A."""
    for vector in examples():
        whole, half = saturation(vector).total, saturation([e / 2 for e in vector]).total
        if not 1 / half < scale(whole):
            return exactly(False, f"scale {1 / half}, bound {scale(whole)}")
    return exactly(True, "all vectors of examples")


@proves("With budgets at most 1, tau <= 1.", Method.SMT)
@mutant("budgets at most 1.01", top=PERCENT)
@for_all(reals("tau next S half"), polynomial=True)
def small_tau(
    tau: Any, following: Any, s: Any, half: Any, *, top: Fraction = Fraction(1)
) -> Condition:
    """Saturation gives tau <= eps_(k+1) <= 1, and then S_k / tau >= S_k >= S_(n/2)."""
    given = all_of(tau > 0, tau <= following, following <= top, half <= s, half > 0)
    return implies(given, all_of(tau <= 1, s >= tau * half))


@refutes("The printed parts are 4 and 2 times too small.", Method.EXACT)
@mutant("64 and 32/3", block=right_block)
@refuted(
    reals("n1 n tau A v t"),
    "The second term of the lemma has the denominator {right},",
    at={"n1": 2, "n": 40, "tau": 2, "A": 30, "v": 1, "t": 1},
)
def denominator_of_the_block(
    n1: Any, n: Any, tau: Any, total: Any, v: Any, t: Any, *, block: Any = printed_block
) -> Condition:
    """t^2 muN / (32 m^2 eta v + (16/3) tau m t) with muN = A / (2 tau), eta = n / (2 muN)."""
    needed = Quantity(
        "the denominator of Lemma 18",
        r"2 \left(32 m^2 \eta \sigma^2 + \tfrac{16}{3} M m t\right)",
        lambda n1, n, tau, A, v, t: (
            2 * (32 * n1**2 * (n * tau / A) * v + Fraction(16, 3) * tau * n1 * t)
        ),
    )
    first, second = block(n1, n, tau, total, v)
    given = all_of(*(x > 0 for x in (n1, n, tau, total, v, t)))
    return implies(given, needed(n1, n, tau, total, v, t) == first + second * t)


@refutes("The largest rate is 1 - eps_1 / (2 tau), at eps_1 = 1 and tau = 2.", Method.EXACT)
@mutant("1 - eps_1 / (2 tau)", printed=lambda first, tau: 1 - first / (2 * tau))
@refuted(reals("eps tau"), "and its largest rate is {right}.", at={"eps": 1, "tau": 2})
def largest_of_the_rates(eps: Any, tau: Any, *, printed: Any = printed_largest_rate) -> Condition:
    """1 - eps_1 / (2 tau) of the records that are replaced, at the rates of (7)."""
    rate = Quantity(
        "the largest rate", r"\frac{\eta^{(2)} \mu_N^{(2)}}{n}", lambda e, t: 1 - e / (2 * t)
    )
    return implies(all_of(eps > 0, eps <= tau), rate(eps, tau) == printed(eps, tau))


@refutes("Budgets (2, 2, 3, 9): 1.96 < 4.", Method.EXACT)
@mutant("(2, 2, 4, 9)", e3=4)
@refuted(
    reals("e1 e2 e3 e4"),
    "Case two (b) uses that {left} is at least {right}, without a condition on the budgets.",
    at={"e1": 2, "e2": 2, "e3": 3, "e4": 9},
)
def step_for_all_budgets(e1: Any, e2: Any, e3: Any, e4: Any) -> Condition:
    """S_k / tau >= S_(n/2), of four budgets of which the last is saturated."""
    count = Quantity("k", "k", lambda *budgets: saturation(budgets).k)
    tau = Quantity("tau", r"\tau", lambda *budgets: saturation(budgets).tau)
    budgets = (e1, e2, e3, e4)
    ascending = all_of(e1 > 0, e1 <= e2, e2 <= e3, e3 <= e4, count(*budgets) == 3)
    return implies(ascending, (e1 + e2 + e3) / tau(*budgets) >= e1 + e2)


@refutes("f = 1, g = L = 2.", Method.EXACT)
@mutant("f >= g", above=False)
@refuted(
    reals("f g L"),
    "What is of the order of {g} at most, where {g} is at least {L}, is at least {right};",
    at={"f": 1, "g": 2, "L": 2},
)
def lower_bound_from_above(f: Any, g: Any, level: Any, *, above: bool = True) -> Condition:
    """F = O(g) and g = Omega(L) give f = Omega(L), with all constants one."""
    compared = f <= g if above else f >= g
    return implies(all_of(f > 0, level > 0, compared, g >= level), f >= level)


@refutes("One budget 1: the scale is 2, printed 8.", Method.EXACT)
@mutant("2 / A for 8 / A", factor=2)
@refuted(reals("eps"), "the noise has the scale {right};", at={"eps": 1})
def scale_of_the_noise(eps: Any, *, factor: int = 8) -> Condition:
    """1 / A(eps / 2) of one budget, against 8 / A."""
    scale = Quantity(
        "1 / A(eps / 2)", r"1 / A(\varepsilon / 2)", lambda e: 1 / saturation((e / 2,)).total
    )
    return implies(eps > 0, scale(eps) == factor / eps)


@refutes("The quotient is not B4 / B6.", Method.EXACT)
@mutant("B5", label="B5")
@refuted(
    reals("n m tau mu first v t"),
    "and the quotient {right} is that of the printed label, {left}.",
    at={"n": 16, "m": 3, "tau": 2, "mu": 9, "first": HALF, "v": 4, "t": 8},
)
def label_of_the_quotient(
    n: Any, m: Any, tau: Any, mu: Any, first: Any, v: Any, t: Any, *, label: str = "B6"
) -> Condition:
    """B4 / B6 at t^2 = n v."""
    denominator = {
        "B5": 32 * m * m * (n * (1 - first / tau) / mu) * v,
        "B6": Fraction(16, 3) * m * tau * t,
    }[label]
    given = all_of(t * t == n * v, 0 < first, first < tau, n > 0, m > 0, mu > 0, v > 0, t > 0)
    return implies(given, t * t * mu / denominator == mu * mu / (32 * m * m * (1 - first / tau)))


CLAIMS = (
    Claim(
        id="PDP-E-24",
        source="Theorem 11, B-block and eta(2)",
        states=(denominator_of_the_block, largest_of_the_rates),
        domain="rates of (7); in the units of the print, with the numerator t^2 A / tau; eps is the least budget, v the variance",
        status=Status.REFUTED,
        checks=checks_of(denominator_of_the_block, largest_of_the_rates),
        why="Lemma 18 is applied with muN and eta that do not fit the rates.",
        right="64 n1^2 (n tau / A) var + (32/3) n1 tau t; eta(2) = n (1 - eps_1 / (2 tau)) / muN.",
        obligations=(),
    ),
    Claim(
        id="PDP-E-25",
        source="Theorem 11, second part; equation (10)",
        states=(lower_bound_from_above, scale_of_the_noise, label_of_the_quotient),
        domain="any numbers; one budget eps, for a range of width 1; the label is B4 / B6 at t^2 = n v",
        status=Status.REFUTED,
        checks=checks_of(
            scale_of_the_noise, label_of_the_quotient, lower_bound_from_above, eight_is_loose
        ),
        why="O and Omega are mixed; 8 is loose by a factor 4 (harmless); a label is wrong.",
        right="Omega throughout; 2 |Range| / A; B4 / B5.",
        corrected_by="PDP-E10",
        obligations=parts_of(eight_is_loose),
    ),
    Claim(
        id="PDP-E-26",
        source="Theorem 11, case 2(b)",
        states=(step_for_all_budgets,),
        domain="four ascending budgets, k of them (more than half) are not saturated",
        status=Status.REFUTED,
        checks=checks_of(step_for_all_budgets, small_tau),
        why="The step is false for larger budgets; its reason is missing.",
        right="It needs tau <= 1, which holds where saturation occurs and all budgets are at most 1: tau <= eps_(k+1) <= 1.",
        obligations=parts_of(small_tau),
    ),
)
