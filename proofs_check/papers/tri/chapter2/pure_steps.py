"""Formulas and proof steps of the sharper lower bounds under pure privacy (our own).

With Q1, Q0 the laws of M(X) given X_i = v and X_i = 0, r = dQ1/dQ0 in [e^-eps, e^eps], the mean
g of M has g'(p) = sum of E_Q[(M - vp) s], s = (r-1)/(pr+1-p), under Q = p Q1 + (1-p) Q0.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import mutant, proves
from proofs_check.claim import Finding, Method, every
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.common import Box, inverse_root
from proofs_check.smt import absolute, all_of, exact, implies, reals, valid
from proofs_check.symbolic import diff, identical, log, symbols

__all__ = [
    "admissible_value",
    "balance",
    "balanced_bound",
    "closed_bound",
    "closed_form",
    "integrals_of_the_ends",
    "lower_integral",
    "mean_moves",
    "pure_bound",
    "ratio_is_bounded",
    "upper_integral",
    "value_is_admissible",
]

HALF = Fraction(1, 2)


def admissible_value(b: Any, lam: Any, *, numbers: Any) -> Any:
    """V = (b (1-b))^(-1/lam), lam >= 2: then E|X - vp|^lam <= 1 for p <= b <= 1/2."""
    return numbers.power(b * (1 - b), -1 / lam)


def upper_integral(eps: Any, b: Any, *, numbers: Any) -> Any:
    """I+ = log(1 + b (e^eps - 1)), the integral of the upper end of s over p in [0, b]."""
    return numbers.log(1 + b * (numbers.exp(eps) - 1))


def lower_integral(eps: Any, b: Any, *, numbers: Any) -> Any:
    """I- = -log(1 - b (1 - e^-eps)), that of the lower end."""
    return -numbers.log(1 - b * (1 - numbers.exp(-eps)))


def pure_bound(n: Any, eps: Any, beta: Any, lam: Any, b: Any, *, numbers: Any) -> Any:
    """SH-pure: (v b - 2 beta) / (n log(1 + b (e^eps - 1)))."""
    return (admissible_value(b, lam, numbers=numbers) * b - 2 * beta) / (
        n * upper_integral(eps, b, numbers=numbers)
    )


def balanced_bound(n: Any, eps: Any, beta: Any, lam: Any, b: Any, *, numbers: Any) -> Any:
    """SH-bal: ((v b - 2 beta)/n - beta (I+ - I-)/2) / ((I+ + I-)/2)."""
    up, low = upper_integral(eps, b, numbers=numbers), lower_integral(eps, b, numbers=numbers)
    top = (admissible_value(b, lam, numbers=numbers) * b - 2 * beta) / n - beta * (up - low) / 2
    return top / ((up + low) / 2)


def closed_bound(n: Any, eps: Any, beta: Any, lam: Any, *, numbers: Any) -> Any:
    """(1 - 1/lam) (2 lam beta)^(-1/(lam-1)) / (n (e^eps - 1))."""
    return (
        (1 - 1 / lam)
        * inverse_root(2 * lam * beta, lam, -1, numbers=numbers)
        / (n * (numbers.exp(eps) - 1))
    )


@proves("D(v, p) is in the class for p <= b <= 1/2.", Method.SMT)
@mutant("0.99 b (1-b)", factor=Fraction(99, 100))
def value_is_admissible(factor: Fraction = Fraction(1)) -> Finding:
    """E|X - vp|^lam = v^lam p (1-p) (x + y), x = p^(lam-1), y = (1-p)^(lam-1); x + y <= 1.

    As lam >= 2 gives x <= p and y <= 1 - p; p (1-p) <= b (1-b); and v^lam b (1-b) = 1.
    """
    p, v, more, b = symbols("p v more b", positive=True)
    lam = 2 + more
    domain: Box = {p: (Fraction(1, 9), HALF), v: (1, 4), more: (HALF, 3)}
    moment = (1 - p) * (v * p) ** lam + p * (v * (1 - p)) ** lam
    right = v**lam * p * (1 - p) * (p ** (lam - 1) + (1 - p) ** (lam - 1))

    def statement(p: Any, b: Any, x: Any, y: Any) -> Any:
        given = all_of(0 <= p, p <= b, b <= exact(HALF), 0 <= x, x <= p, 0 <= y, y <= 1 - p)
        return implies(given, p * (1 - p) * (x + y) <= exact(factor) * b * (1 - b))

    return every(
        (
            identical(moment, right, domain),
            identical(
                admissible_value(b, lam, numbers=SYMBOLIC) ** lam,
                1 / (b * (1 - b)),
                {b: (0, HALF), more: (0, 3)},
            ),
            valid(reals("p b x y"), statement, polynomial=True),
        )
    )


@proves("The range of s: -k- <= (r-1)/(pr+1-p) <= k+, and k- <= k+ for p <= 1/2.", Method.SMT)
@mutant("0.99 of the ends", factor=Fraction(99, 100))
@for_all(reals("r p e"), polynomial=True)
def ratio_is_bounded(r: Any, p: Any, e: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """1/E <= r <= E gives -k- <= (r-1)/(pr+1-p) <= k+, and k- <= k+ for p <= 1/2."""
    given = all_of(e >= 1, r * e >= 1, r <= e, 0 <= p, p <= HALF)
    up, base = e - 1, 1 + p * (e - 1)  # k+ = up / base
    low, under = e - 1, e - p * (e - 1)  # k- = low / under
    mean = p * r + 1 - p
    return implies(
        given,
        all_of(
            (r - 1) * base <= factor * up * mean,
            (r - 1) * under >= -factor * low * mean,
            low * base <= factor * up * under,
        ),
    )


@proves("The integrals of k+ and k- over [0, b].", Method.SYMBOLIC)
@mutant("1.01 k", factor=Fraction(101, 100))
def integrals_of_the_ends(factor: Fraction = Fraction(1)) -> Finding:
    """I+ and I- have the derivatives k+ and k-, and are 0 at b = 0."""
    b, eps = symbols("b eps", positive=True)
    e = SYMBOLIC.exp(eps)
    domain: Box = {b: (0, HALF), eps: (0, 3)}
    up, low = upper_integral(eps, b, numbers=SYMBOLIC), lower_integral(eps, b, numbers=SYMBOLIC)
    return every(
        (
            identical(diff(up, b), factor * (e - 1) / (1 + b * (e - 1)), domain),
            identical(diff(low, b), factor * (e - 1) / (e - b * (e - 1)), domain),
            identical(up.subs(b, 0) + low.subs(b, 0), 0, {eps: (0, 3)}),
        )
    )


@proves("The mean moves by at least v b - 2 beta.", Method.SMT)
@mutant("1.98 beta", two=Fraction(198, 100))
@for_all(reals("v b low high beta mad cost"), polynomial=True)
def mean_moves(
    v: Any,
    b: Any,
    low: Any,
    high: Any,
    beta: Any,
    mad: Any,
    cost: Any,
    *,
    two: Fraction = Fraction(2),
) -> Condition:
    """g(b) - g(0) >= v b - 2 beta, and x >= y n I gives the bound x/(n I) >= y."""
    bias = all_of(absolute(low) <= beta, absolute(high - v * b) <= beta)
    given = all_of(bias, high - low <= cost * mad)
    return implies(given, cost * mad >= v * b - two * beta)


@proves("The balance of the two parts.", Method.SMT)
@mutant("0.99 beta", half=Fraction(99, 200))
@for_all(reals("u w up low beta"), polynomial=True)
def balance(u: Any, w: Any, up: Any, low: Any, beta: Any, *, half: Fraction = HALF) -> Condition:
    """Parts u = E(M-vp)_+, w = E(M-vp)_-: k+ u + k- w <= (k+ + k-) MAD/2 + (k+ - k-) beta/2."""
    given = all_of(u >= 0, w >= 0, low >= 0, up >= low, absolute(u - w) <= beta)
    right = (up + low) * (u + w) / 2 + half * (up - low) * beta
    return implies(given, up * u + low * w <= right)


@proves("The closed form.", Method.SYMBOLIC)
@mutant("2.02 lam beta - 2 beta", factor=Fraction(101, 100))
def closed_form(factor: Fraction = Fraction(1)) -> Finding:
    """At b = (2 lam beta)^(lam/(lam-1)): b^(1-1/lam) = 2 lam beta, log(1+x) <= x, v >= b^(-1/lam)."""
    beta, more, n, rate, x = symbols("beta more n rate x", positive=True)
    lam = 1 + more
    b = (2 * lam * beta) ** (lam / more)
    domain: Box = {beta: (0, Fraction(1, 9)), more: (1, 4), n: (1, 9), rate: (1, 4)}
    left = (2 * factor * lam * beta - 2 * beta) / (n * b * rate)
    right = (1 - 1 / lam) * (2 * lam * beta) ** (-1 / more) / (n * rate)
    return every(
        (
            identical(b ** (1 - 1 / lam), 2 * lam * beta, {beta: (0, 1), more: (1, 4)}),
            identical(left / right, 1, domain),
            identical(diff(x - log(1 + x), x), x / (1 + x), {x: (0, 9)}),
        )
    )
