"""The steps of the proof of Theorem 2.1.1: fingerprinting the laws on {0, v}.

D(v, p) is v with probability p, else 0; g(p) is the mean of M under n records of it. The prior
density of p is 1/(L p (1 - p)) on [a, b]. Each function here is one step; the claims use them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import mutant, proves
from proofs_check.claim import Finding, Method, every, exactly
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.common import Box, printed_table
from proofs_check.smt import absolute, all_of, choose, exact, implies, reals, valid
from proofs_check.symbolic import diff, identical, symbols

__all__ = [
    "absolute_step",
    "information_of_the_family",
    "least_total_correlation",
    "logarithm_below_one",
    "moment_of_the_family",
    "odds_length",
    "one_record_correlation",
    "prior_is_normalized",
    "score_identity",
    "swap_bounds",
]

UNIT = Fraction(1, 9), Fraction(8, 9)

MOMENTS = (
    (("0.1", 2, 2), "0.36"),
    (("0.25", "1.5", 3), "0.3955078125"),
    (("0.01", 5, "2.5"), "0.545699637114616"),
)
"""(p, v, lam) and E|X - v p|^lam."""

INFORMATION = (
    ((1, "0.5"), "4"),
    ((10, "0.01"), "1.01010101010101"),
    (("3.5", "0.2"), "0.510204081632653"),
)
"""(v, p) and the Fisher information of the mean v p."""

PRIORS = (
    (("0.01", "0.02"), "0.703299552023963", "0.0142186924067019"),
    (("0.2", "0.4"), "0.980829253011726", "0.203909089564653"),
    (("0.001", "0.5"), "6.90675477864855", "0.07224811304183"),
)
"""(a, b), the length L and (b - a) / L."""


def family_moment(p: Any, v: Any, lam: Any, *, numbers: Any) -> Any:
    """E|X - v p|^lam under D(v, p)."""
    return (1 - p) * numbers.power(v * p, lam) + p * numbers.power(v * (1 - p), lam)


def odds_length(a: Any, b: Any, *, numbers: Any) -> Any:
    """L(a, b) = log(b (1 - a) / (a (1 - b)))."""
    return numbers.log(b * (1 - a) / (a * (1 - b)))


@proves(
    "E|X - vp|^lam <= 2 p v^lam: the laws D(v, p), p <= b, v = (2b)^(-1/lam) are in "
    "the class; values.",
    Method.SMT,
)
@mutant("1.98 p v^lam", two=Fraction(198, 100))
def moment_of_the_family(two: Fraction = Fraction(2)) -> Finding:
    """(1-p)(vp)^lam + p(v(1-p))^lam <= 2 p v^lam, with x = p^lam <= p and y = (1-p)^lam <= 1."""

    def statement(p: Any, x: Any, y: Any) -> Any:
        given = all_of(0 <= p, p <= 1, 0 <= x, x <= p, 0 <= y, y <= 1)
        return implies(given, (1 - p) * x + p * y <= exact(two) * p)

    def formula(p: Any, v: Any, lam: Any, *, numbers: Any) -> Any:
        return two / 2 * family_moment(p, v, lam, numbers=numbers)

    return every((valid(reals("p x y"), statement), printed_table(formula, MOMENTS)))


@proves("Score and Fisher information of the family; values.", Method.SYMBOLIC)
@mutant("1 % more information", factor=Fraction(101, 100))
def information_of_the_family(factor: Fraction = Fraction(1)) -> Finding:
    """The score of D(v, mu/v) is (X/v - p)/(v p (1-p)); its variance is 1/(v^2 p (1-p))."""
    v, p, mu = symbols("v p mu", positive=True)
    domain: Box = {v: (1, 5), p: UNIT}
    at = {mu: v * p}
    high = diff(SYMBOLIC.log(mu / v), mu).subs(at)
    low = diff(SYMBOLIC.log(1 - mu / v), mu).subs(at)
    scale = v * p * (1 - p)
    return every(
        (
            identical(high, (1 - p) / scale, domain),
            identical(low, -p / scale, domain),
            identical(p * high + (1 - p) * low, 0, domain),
            identical(p * high**2 + (1 - p) * low**2, 1 / (v * scale), domain),
            printed_table(lambda v, p, **_: factor / (v * v * p * (1 - p)), INFORMATION),
        )
    )


@proves("g'(p) p (1-p) = E[M sum (X_i/v - p)], for every number of records.", Method.SYMBOLIC)
@mutant("s - 1.01 n p", factor=Fraction(101, 100))
def score_identity(factor: Fraction = Fraction(1)) -> Finding:
    """P (1-p) d/dp p^s (1-p)^(n-s) = (s - n p) p^s (1-p)^(n-s): so g' p (1-p) = E[M sum (X_i/v-p)].

    For a data set with s records v; g is the sum of E M times this weight over data sets.
    """
    p, s, rest = symbols("p s rest", positive=True)
    weight = p**s * (1 - p) ** rest
    right = (s - factor * (s + rest) * p) * weight
    return identical(diff(weight, p) * p * (1 - p), right, {p: UNIT, s: (1, 5), rest: (1, 5)})


@proves("The prior has total mass 1 and E P(1-P) = (b-a)/L; values.", Method.SYMBOLIC)
@mutant("1.01/(p (1-p))", factor=Fraction(101, 100))
def prior_is_normalized(factor: Fraction = Fraction(1)) -> Finding:
    """L is the integral of 1/(p(1-p)) over [a, b]; E p(1-p) = (b - a)/L; values of both."""
    p, a, b = symbols("p a b", positive=True)
    antiderivative = SYMBOLIC.log(p) - SYMBOLIC.log(1 - p)
    length = antiderivative.subs(p, b) - antiderivative.subs(p, a)
    domain: Box = {a: (Fraction(1, 9), Fraction(1, 4)), b: (Fraction(1, 3), Fraction(1, 2))}
    return every(
        (
            identical(diff(antiderivative, p), factor / (p * (1 - p)), {p: UNIT}),
            identical(
                SYMBOLIC.exp(length), SYMBOLIC.exp(odds_length(a, b, numbers=SYMBOLIC)), domain
            ),
            printed_table(odds_length, ((row, length) for row, length, _ in PRIORS)),
            printed_table(
                lambda a, b, *, numbers: (b - a) / odds_length(a, b, numbers=numbers),
                ((row, mean) for row, _, mean in PRIORS),
            ),
        )
    )


@proves("The mean moves by at least v (b-a) - 2 beta over the prior's interval.", Method.SMT)
@mutant("1.98 beta", two=Fraction(198, 100))
@for_all(reals("v a b low high beta"), polynomial=True)
def least_total_correlation(
    v: Any, a: Any, b: Any, low: Any, high: Any, beta: Any, *, two: Fraction = Fraction(2)
) -> Condition:
    """g(b) - g(a) >= v (b - a) - 2 beta, where |g(p) - v p| <= beta at both ends."""
    given = all_of(absolute(low - v * a) <= beta, absolute(high - v * b) <= beta)
    return implies(given, high - low >= v * (b - a) - two * beta)


@proves(
    "Privacy compares the tails of one record's correlation with a fresh record's: "
    "min(A, B + D) <= B + min(A, D), and (B - D)_+ >= B - min(A, D) for A >= B.",
    Method.SMT,
)
@mutant("0.99 min(delta, tail)", reach=Fraction(99, 100))
@for_all(reals("up low fup flow tail delta e"), polynomial=True)
def swap_bounds(
    up: Any,
    low: Any,
    fup: Any,
    flow: Any,
    tail: Any,
    delta: Any,
    e: Any,
    *,
    reach: Fraction = Fraction(1),
) -> Condition:
    """Tails of W = (M - vp)(X_i/v - p) against those with a fresh X_i, at every level x.

    E = e^eps; up, low: P[W > x], P[W < -x]; fresh: the same with a fresh record; tail:
    P[|M - vp| > x], at least each of them. Then up <= E fresh_up + min(delta, tail) and
    E low >= fresh_low - min(delta, tail).
    """
    private = all_of(up <= e * fup + delta, flow <= e * low + delta, e >= 1, delta >= 0)
    order = all_of(*(all_of(0 <= z, z <= tail) for z in (up, low, fup, flow)))
    least = reach * choose(delta < tail, delta, tail)
    return implies(all_of(private, order), all_of(up <= e * fup + least, e * low >= flow - least))


@proves("|W| <= |M - vp|, and p (1-p) <= b (1-b).", Method.SMT)
@mutant("0.99 of the right sides", reach=Fraction(99, 100))
@for_all(reals("m x p b"), polynomial=True)
def absolute_step(m: Any, x: Any, p: Any, b: Any, *, reach: Fraction = Fraction(1)) -> Condition:
    """|W| <= |M - vp| as |X/v - p| <= 1, and p (1-p) <= b (1-b) for p <= b <= 1/2."""
    given = all_of(0 <= p, p <= b, b <= Fraction(1, 2), 0 <= x, x <= 1)
    w = absolute(m * (x - p))
    return implies(
        given,
        all_of(w <= reach * absolute(m), p * (1 - p) <= reach * b * (1 - b)),
    )


@proves("One record's correlation is at most 2 sinh(eps) p (1-p) MAD + (1 + e^-eps) I.", Method.SMT)
@mutant("0.99 (1 + e^-eps) I", factor=Fraction(99, 100))
def one_record_correlation(factor: Fraction = Fraction(1)) -> Finding:
    """E W <= (e^eps - e^-eps) p (1-p) MAD + (1 + e^-eps) I, I the integral of min(delta, tail).

    With a fresh record E W = 0 and E|W| = MAD * E|X/v - p|, so both parts are MAD p (1 - p).
    """
    p = symbols("p", positive=True)

    def statement(up: Any, low: Any, part: Any, integral: Any, e: Any) -> Any:
        given = all_of(e >= 1, integral >= 0, up <= e * part + integral, e * low >= part - integral)
        right = (e * e - 1) * part + exact(factor) * (e + 1) * integral
        return implies(given, e * (up - low) <= right)

    return every(
        (
            identical(p * (1 - p) + (1 - p) * p, 2 * p * (1 - p), {p: UNIT}),
            valid(reals("up low part integral e"), statement, polynomial=True),
        )
    )


@proves("log(2(1-a)/(1-2a)) < 1 for a <= 1/5; values.", Method.SMT)
@mutant("a <= 0.202", largest=Fraction(202, 1000))
def logarithm_below_one(largest: Fraction = Fraction(1, 5)) -> Finding:
    """L(a, 2a) = log(2(1-a)/(1-2a)) <= log(8/3) < 1 for 0 < a <= 1/5; it is below 1 to 0.209."""

    def statement(a: Any) -> Any:
        given = all_of(0 < a, a <= exact(largest))
        return implies(given, 3 * 2 * (1 - a) <= 8 * (1 - 2 * a))

    one = ENCLOSED.log(Fraction(8, 3))
    return every(
        (
            valid(reals("a"), statement),
            exactly(one < 1),
            printed_table(
                lambda *, numbers: numbers.log(Fraction(8, 3)), (((), "0.980829253011726"),)
            ),
            printed_table(
                lambda *, numbers: (numbers.exp(1) - 2) / (2 * (numbers.exp(1) - 1)),
                (((), "0.2090116"),),
            ),
        )
    )
