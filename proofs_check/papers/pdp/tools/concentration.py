"""Concentration in PDP: Chernoff for Bernoulli sums (Theorem 6), Bernstein (Theorems 7 and 8)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Ball
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import Rational, diff, exp, identical, log, sqrt, symbols

__all__ = [
    "CLAIMS",
    "bernstein_tail",
    "binomial_tail",
    "chernoff_lower",
    "chernoff_upper",
    "weighted_bernstein",
]


def chernoff_lower(eta: Any, mu: Any, *, numbers: Any) -> Any:
    """P(S <= (1 - eta) mu) <= exp(-eta^2 mu / 2), Theorem 6."""
    return numbers.exp(-(eta**2) * mu / 2)


def chernoff_upper(eta: Any, mu: Any, *, numbers: Any) -> Any:
    """P(S >= (1 + eta) mu) <= exp(-eta^2 mu / (2 + eta)), Theorem 6 with eta for delta."""
    return numbers.exp(-(eta**2) * mu / (2 + eta))


def bernstein_tail(n: Any, s: Any, bound: Any, t: Any, *, numbers: Any) -> Any:
    """P(S >= t) <= exp(-t^2 / (2 (n s^2 + M t / 3))), Theorem 7."""
    return numbers.exp(-(t**2) / (2 * (n * s**2 + bound * t / 3)))


def weighted_bernstein(
    s: Any, bound: Any, squares: Any, largest: Any, delta: Any, *, numbers: Any
) -> Any:
    """The deviation s sqrt(2 sum w^2 L) + (M max w / 3) L with L = ln(1 / delta), Theorem 8."""
    level = numbers.log(1 / delta)
    return s * numbers.sqrt(2 * squares * level) + bound * largest / 3 * level


def binomial_tail(n: int, p: Fraction, least: int) -> Ball:
    """P(Bin(n, p) >= least) for least > n p: terms by their ratio, the rest by a geometric series."""
    term = ball(1)
    for j in range(1, least + 1):
        term = term * Fraction(n - least + j, j)
    term = term * ball(p) ** least * ball(1 - p) ** (n - least)
    total, odds = ball(0), p / (1 - p)
    for k in range(least, least + 400):
        total = total + term
        term = term * (Fraction(n - k, k + 1) * odds)
    ratio = Fraction(n - least - 400, least + 401) * odds
    return total + term * NUMBERS.between(Fraction(0), 1 / (1 - ratio))


@refutes(
    "With delta = 0 the printed bound is below exact binomial tails, and their printed values.",
    Method.ENCLOSURE,
)
@mutant("eta for delta", share=1)
def printed_upper_fails(share: int = 0) -> Finding:
    """With n = 10^5: exact tails against exp(-eta^2 mu / (2 + delta)) with delta = share * eta, share = 0."""
    rows, values = [], []
    for n, p, eta, tail, bound in TAILS:
        mu = n * Fraction(p)
        least = (1 + Fraction(eta)) * mu
        exact_tail = binomial_tail(n, Fraction(p), int(least))
        claimed = NUMBERS.exp(ball(-(Fraction(eta) ** 2) * mu / (2 + share * Fraction(eta))))
        rows.append((f"bound and tail, mu = {mu}, eta = {eta}", claimed, exact_tail))
        values += [
            (f"tail for mu = {mu}", tail, exact_tail),
            (f"bound for mu = {mu}", bound, claimed),
        ]
    found = below(rows)
    return every([found, as_printed(values)]) if found.holds else found


TAILS = (
    (10**5, "0.0005", "0.9", "9.62716567227e-9", "1.60522805519e-9"),
    (10**5, "0.004", "0.5", "6.32618e-21", "1.92875e-22"),
)


@proves("(1 + x) ln(1 + x) - x >= x^2 / (2 + x).", Method.SYMBOLIC)
@mutant("2.02 x / (2 + x)", two=2 * PERCENT)
def upper_exponent(two: Fraction = Fraction(2)) -> Finding:
    """The exponent h = (1 + x) ln(1 + x) - x is at least x^2 / (2 + x): ln(1 + x) >= 2 x / (2 + x) for x >= 0.

    The gap is 0 at 0 and has derivative x^2 / ((1 + x)(2 + x)^2); times 1 + x it is h - x^2 / (2 + x).
    """
    x = symbols("x", positive=True)
    c = Rational(two.numerator, two.denominator)
    gap = log(1 + x) - c * x / (2 + x)
    slope = x**2 / ((1 + x) * (2 + x) ** 2)
    return every(
        [
            identical(diff(gap, x), slope, {x: (0, 9)}),
            identical((1 + x) * gap, (1 + x) * log(1 + x) - x - x**2 / (2 + x), {x: (0, 9)}),
        ]
    )


@proves("(1 - x) ln(1 - x) + x >= x^2 / 2.", Method.SYMBOLIC)
@mutant("0.505 x^2", half=PERCENT / 2)
def lower_exponent(half: Fraction = Fraction(1, 2)) -> Finding:
    """(1 - x) ln(1 - x) + x - x^2 / 2 is 0 at 0 with slope -ln(1 - x) - x, of slope x / (1 - x)."""
    x = symbols("x", positive=True)
    c = Rational(half.numerator, half.denominator)
    gap = (1 - x) * log(1 - x) + x - c * x**2
    box = {x: (0, Fraction(9, 10))}
    return every(
        [
            identical(diff(gap, x), -log(1 - x) - x, box),
            identical(diff(gap, x, 2), x / (1 - x), box),
        ]
    )


@proves("The exponents at the best t = ln(1 + x) and ln(1 - x).", Method.SYMBOLIC)
@mutant("1.01 ln(1 + x)", shift=PERCENT)
def best_exponents(shift: Fraction = Fraction(1)) -> Finding:
    """The exponent mu (e^t - 1) - t (1 + x) mu at t = ln(1 + x) is -mu ((1 + x) ln(1 + x) - x), and below likewise."""
    x, mu = symbols("x mu", positive=True)
    c = Rational(shift.numerator, shift.denominator)
    findings = []
    for sign in (1, -1):
        t = c * log(1 + sign * x)
        left = mu * (exp(t) - 1) - t * (1 + sign * x) * mu
        right = -mu * ((1 + sign * x) * log(1 + sign * x) - sign * x)
        findings.append(identical(left, right, {x: (0, Fraction(9, 10)), mu: (0, 9)}))
    return every(findings)


@proves("k! >= 2 * 3^(k-2), so e^x - 1 - x <= (x^2 / 2) / (1 - x / 3) for 0 <= x < 3.", Method.SMT)
@mutant("3.03 for 3", base=3 * PERCENT)
@for_all(reals("k factorial power"), polynomial=True)
def factorials(k: Any, factorial: Any, power: Any, *, base: Fraction = Fraction(3)) -> Condition:
    """K! >= 2 * 3^(k-2) for k >= 2: equality at 2 and 3, and (k + 1)! = (k + 1) k! with k + 1 >= 3."""
    given = all_of(k >= 2, factorial >= 2 * power, power > 0)
    return implies(given, (k + 1) * factorial >= 2 * base * power)


@proves("The exponent at the chosen rate.", Method.SYMBOLIC)
@mutant("0.33 M t for M t / 3", third=Fraction(33, 100))
def bernstein_exponent(third: Fraction = Fraction(1, 3)) -> Finding:
    """The sum n l^2 s^2 / (2 (1 - l M / 3)) - l t at l = t / (n s^2 + M t / 3) is the exponent of Theorem 7."""
    n, s, m, t = symbols("n s M t", positive=True)
    c = Rational(third.numerator, third.denominator)
    rate = t / (n * s**2 + m * t * c)
    left = n * rate**2 * s**2 / (2 * (1 - rate * m / 3)) - rate * t
    right = -(t**2) / (2 * (n * s**2 + m * t / 3))
    return identical(left, right, {n: (1, 9), s: (0, 9), m: (0, 9), t: (0, 9)})


@proves("The exponent is exactly ln(1 / delta) at the stated deviation.", Method.SYMBOLIC)
@mutant("0.33 for 1/3", third=Fraction(33, 100))
def sub_gamma_inversion(third: Fraction = Fraction(1, 3)) -> Finding:
    """The exponent l t - v l^2 / (2 (1 - c l)) = L at t = sqrt(2 v L) + c L, with l = u / (sqrt(v) + c u), u = sqrt(2 L)."""
    root, m, u, w = symbols("r M u w", positive=True)  # r = sqrt(v), w = max w_i
    c = m * w / 3
    rate = u / (root + c * u)
    t = root * u + m * w * Rational(third.numerator, third.denominator) * u**2 / 2
    left = rate * t - root**2 * rate**2 / (2 * (1 - c * rate))
    return identical(left, u**2 / 2, {root: (0, 9), m: (0, 9), u: (0, 9), w: (0, 1)})


@proves("This deviation is the bound as stated.", Method.SYMBOLIC)
@mutant("2.02 for 2", two=2 * PERCENT)
def inversion_is_theorem_eight(two: Fraction = Fraction(2)) -> Finding:
    """sqrt(2 v L) + c L with v = s^2 sum w^2 and c = M max w / 3 is the bound of Theorem 8."""
    s, m, squares, w, delta = symbols("s M W w delta", positive=True)
    level = log(1 / delta)
    c = Rational(two.numerator, two.denominator)
    left = s * sqrt(c * squares * level) + m * w / 3 * level
    right = weighted_bernstein(s, m, squares, w, delta, numbers=SYMBOLIC)
    return identical(left, right, {delta: (0, 1), **dict.fromkeys((s, m, squares, w), (0, 9))})


@encloses("Printed values for n = 100, s = 1, M = 3.", Method.ENCLOSURE)
@mutant("M = 3.03", bound=3 * PERCENT)
def printed_bernstein(bound: Fraction = Fraction(3)) -> Finding:
    """Theorem 7 for n = 100, s = 1, M = 3."""
    rows = (("10", "0.634736418940282"), ("20", "0.188875602837562"), ("30", "0.0313814457142571"))
    return as_printed(
        (f"t = {t}", value, bernstein_tail(100, ball(1), bound, ball(t), numbers=NUMBERS))
        for t, value in rows
    )


@encloses("Printed values for s = 1, M = 3, w = 1 / n.", Method.ENCLOSURE)
@mutant("M = 3.03", bound=3 * PERCENT)
def printed_weighted(bound: Fraction = Fraction(3)) -> Finding:
    """Theorem 8 for s = 1, M = 3, w = 1 / n."""
    rows = (
        (10, "0.1", "0.908872551740916"),
        (100, "0.05", "0.274732005803622"),
        (1000, "0.01", "0.100575688429750"),
    )
    return as_printed(
        (
            f"n = {n}, delta = {delta}",
            value,
            weighted_bernstein(
                ball(1), bound, ball(Fraction(1, n)), Fraction(1, n), ball(delta), numbers=NUMBERS
            ),
        )
        for n, delta, value in rows
    )


CLAIMS = (
    Claim(
        id="PDP-T6",
        source="Theorem 6",
        says="Chernoff's bounds for a sum of independent Bernoulli variables; the upper one is printed with a stray delta in the exponent.",
        latex=r"P(S \ge (1 + \eta)\mu) \le e^{-\eta^2 \mu / (2 + \eta)}, \quad P(S \le (1 - \eta)\mu) \le e^{-\eta^2 \mu / 2}",
        domain="eta > 0 above, 0 < eta < 1 below; the print has 2 + delta for 2 + eta",
        status=Status.CORRECTED,
        checks=checks_of(printed_upper_fails, best_exponents, upper_exponent, lower_exponent),
        why="delta is not defined there; with small delta the bound is false.",
        right="exp(-eta^2 mu / (2 + eta)).",
        errata=("PDP-E-17",),
        steps=(
            ByCheck("best_exponents"),
            ByCheck("lower_exponent"),
            ByHand(
                "E e^(tX) = 1 + p (e^t - 1) <= exp(p (e^t - 1)), so E e^(tS) <= exp(mu (e^t - 1)); Markov's inequality at the best t."
            ),
            ByCheck(
                "upper_exponent", "The two gaps vanish at 0 and have slopes that are not negative."
            ),
        ),
        obligations=parts_of(printed_upper_fails),
    ),
    Claim(
        id="PDP-T7",
        source="Theorem 7",
        says="Bernstein's inequality: the sum of n independent centered variables of variance s^2 bounded by M.",
        latex=r"P(S \ge t) \le \exp\left(-\frac{t^2}{2 (n s^2 + M t / 3)}\right)",
        domain="t > 0, |X_i| <= M, E X_i = 0",
        status=Status.PROVED,
        checks=checks_of(factorials, bernstein_exponent, printed_bernstein),
        steps=(
            ByCheck("factorials"),
            ByCheck("bernstein_exponent"),
            ByHand(
                "|E X^k| <= M^(k-2) s^2, so E e^(lX) <= 1 + s^2 sum over k >= 2 of l^k M^(k-2) / k! <= exp(l^2 s^2 / (2 (1 - l M / 3))) by the first check, for l M < 3; then Markov's inequality."
            ),
        ),
    ),
    Claim(
        id="PDP-T8",
        source="Theorem 8",
        says="Bernstein's inequality for a weighted sum, solved for the deviation, with the constant 1/3.",
        latex=r"\sum_i w_i (X_i - \mu) \le s\sqrt{2 \textstyle\sum w_i^2 \ln\tfrac1\delta} + \tfrac{M \max w_i}{3} \ln\tfrac1\delta \text{ with probability } 1 - \delta",
        domain="w_i >= 0, |X_i - mu| <= M of variance s^2, 0 < delta < 1",
        status=Status.PROVED,
        assumes=("PDP-T7",),
        checks=checks_of(sub_gamma_inversion, inversion_is_theorem_eight, printed_weighted),
        steps=(
            ByCheck("sub_gamma_inversion"),
            ByCheck("inversion_is_theorem_eight"),
            ByHand(
                "As in Theorem 7, E e^(l sum) <= exp(v l^2 / (2 (1 - c l))) with v = s^2 sum of w_i^2 and c = M max w_i / 3, for c l < 1; Markov's inequality at the rate of the first check, where c l < 1."
            ),
        ),
    ),
)
