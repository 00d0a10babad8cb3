"""How close ADPM's error is to the lower bound: Lemma 12 of PDP with the best constant.

H = min over k = 0, ..., n of S_k + sqrt(n - k), so the left side is 1 / H; the claim is that
1 / H >= c sqrt(B) / (2 A). Extremal budgets are r_j = sqrt(j + 1) - sqrt(j), j = n - 1, ..., 0, n = H^2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, certainly_less
from proofs_check.language import Condition, for_all
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below, smaller
from proofs_check.papers.pdp.mean.extremal_budgets import (
    derivatives_of_the_square,
    extremal_ratio,
    jensen_defect,
    printed_extremal,
)
from proofs_check.papers.pdp.mean.printed_rate import least_path, upper_error
from proofs_check.papers.pdp.tools.saturation import EXAMPLES, OFFSET, examples, saturation
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import Rational, diff, identical, log, sqrt, symbols

__all__ = ["CLAIMS", "best_rate_constant", "rate_of_u"]


def rate_of_u(u: Any, *, numbers: Any) -> Any:
    """(8 / u)(1 - (35/8 + ln(2 u) / 4) / u): lower bound of the squared ratio, for every u >= 1/2."""
    return 8 / u * (1 - (Fraction(35, 8) + numbers.log(2 * u) / 4) / u)


def best_rate_constant(u: Any, *, numbers: Any) -> Any:
    """The constant c = sqrt(4 (1 - 1 / (4 u)) / u) at the u that solves u = 17/2 + ln(2 u) / 2."""
    return numbers.sqrt(4 * (1 - 1 / (4 * u)) / u)


def _u_star() -> Ball:
    """The solution of u = 17/2 + ln(2 u) / 2: the map contracts by 1 / (2 u) around it."""
    u = ball(10)
    for _ in range(60):
        u = Fraction(17, 2) + NUMBERS.log(2 * u) / 2
    # after 60 steps the distance is below 20^-60; widen by far more than that
    return u + NUMBERS.between(Fraction(-1, 10**40), Fraction(1, 10**40))


@proves("f_tau lies below its tangents, whose slopes fall and are not negative.", Method.SMT)
@mutant("0.495 e^2", half=Fraction(495, 1000))
@mutant("0.505 e^2", half=PERCENT / 2)
@for_all(reals("e r"), polynomial=True)
def tangent_lines(e: Any, r: Any, *, half: Fraction = Fraction(1, 2)) -> Condition:
    """f(r) <= f(e) + d(e)(r - e) with d(e) = max(0, 1 - e), for f(e) = e - e^2 / 2 up to 1, 1/2 beyond.

    This is tau = 1; in general f_tau(e) = tau f(e / tau). The slope d is not negative and falls.
    """

    def f(x: Any) -> Any:
        y = smaller(x, 1)
        return y - half * y * y

    slope = 1 - smaller(e, 1)
    return implies(all_of(e >= 0, r >= 0), f(r) <= f(e) + slope * (r - e))


@proves(
    "Falling weights keep a sum with partial sums of at least 0 from being negative.", Method.SMT
)
@mutant("-d_3 x_3 for d_3 x_3", sign=-1)
@for_all(reals("d1 d2 d3 x1 x2 x3"), polynomial=True)
def partial_sums_decide(
    d: Any, e: Any, f: Any, x: Any, y: Any, z: Any, *, sign: int = 1
) -> Condition:
    """Sum of d_i x_i >= 0 for d_1 >= d_2 >= d_3 >= 0 if all partial sums of x_i are at least 0."""
    given = all_of(d >= e, e >= f, f >= 0, x >= 0, x + y >= 0, x + y + z >= 0)
    return implies(given, d * x + e * y + sign * f * z >= 0)


@proves("A^2 / B is at least 2 A' / tau - B' / tau^2, and equal at tau = B / A.", Method.SMT)
@mutant("2.02 A / tau", factor=2 * PERCENT)
def best_truncation(factor: Fraction = Fraction(2)) -> Finding:
    """A^2 / B >= 2 A / tau - B / tau^2 for every tau > 0, with equality at tau = B / A."""

    def statement(a: Any, b: Any, tau: Any) -> Any:
        given = all_of(a > 0, b > 0, tau > 0)
        return implies(given, a * a * tau * tau >= exact(factor) * a * b * tau - b * b)

    a, b = symbols("A B", positive=True)
    c = Rational(factor.numerator, factor.denominator)
    tau = b / a
    equal = identical(a**2 / b, c * a / tau - b / tau**2, {a: (0, 9), b: (0, 9)})
    return every([valid(reals("A B tau"), statement, polynomial=True), equal])


@proves("The integral of f_tau over the profile 1 / (2 sqrt(s)).", Method.SYMBOLIC)
@mutant("1.01 / (8 tau s)", share=PERCENT)
def integral_of_the_profile(share: Fraction = Fraction(1)) -> Finding:
    """The integral of f(1 / (2 sqrt(s))) over (0, H^2) is H - (3 + ln(4 tau^2 H^2)) / (8 tau).

    Up to s = 1 / (4 tau^2) the value is tau / 2; then it is 1 / (2 sqrt(s)) - 1 / (8 tau s).
    """
    s, tau, height = symbols("s tau H", positive=True)
    c = Rational(share.numerator, share.denominator)
    start = 1 / (4 * tau**2)
    primitive = sqrt(s) - c * log(s) / (8 * tau)
    value = tau / 2 * start + primitive.subs(s, height**2) - primitive.subs(s, start)
    closed = height - (3 + log(4 * tau**2 * height**2)) / (8 * tau)
    box = {tau: (1, 9), height: (1, 9)}
    piece = 1 / (2 * sqrt(s)) - 1 / (8 * tau * s)
    return every(
        [
            identical(diff(primitive, s), piece, {s: (1, 9), tau: (1, 9)}),
            identical(value, closed, box),
        ]
    )


@proves("The squared ratio at u = tau H.", Method.SYMBOLIC)
@mutant("4.04 / tau for 4 / tau", four=4 * PERCENT)
def squared_ratio(four: Fraction = Fraction(4)) -> Finding:
    """4 (2 / tau)(H - (3 + ln(4 tau^2 H^2)) / (8 tau) - 4 / tau) / H^2 = rate(u) at u = tau H."""
    u, height = symbols("u H", positive=True)
    tau = u / height
    c = Rational(four.numerator, four.denominator)
    inner = height - (3 + log(4 * tau**2 * height**2)) / (8 * tau) - c / tau
    left = 4 * 2 / tau * inner / height**2
    return identical(left, rate_of_u(u, numbers=SYMBOLIC), {u: (1, 20), height: (1, 9)})


@proves("Where the rate is largest, and its value there.", Method.SYMBOLIC)
@mutant("0.505 ln(2 u)", half=PERCENT / 2)
def best_u(half: Fraction = Fraction(1, 2)) -> Finding:
    """u^3 rate'(u) / 8 = 17/2 + ln(2 u) / 2 - u, and at its zero the rate is 4 (1 - 1 / (4 u)) / u."""
    u = symbols("u", positive=True)
    c = Rational(half.numerator, half.denominator)
    slope = diff(rate_of_u(u, numbers=SYMBOLIC), u) * u**3 / 8
    level = symbols("level", positive=True)  # ln(2 u) at the zero: 2 (u - 17/2)
    at_zero = 8 / u * (1 - (Rational(35, 8) + level / 4) / u)
    return every(
        [
            identical(slope, Rational(17, 2) + c * log(2 * u) - u, {u: (1, 20)}),
            identical(
                at_zero.subs(level, (u - Rational(17, 2)) / c),
                best_rate_constant(u, numbers=SYMBOLIC) ** 2,
                {u: (9, 20)},
            ),
        ]
    )


@encloses("u* lies in (9, 11); printed u* and c.", Method.ENCLOSURE)
@mutant("1.01 u*", shift=PERCENT)
def printed_best(shift: Fraction = Fraction(1)) -> Finding:
    """u* and c; the map u -> 17/2 + ln(2 u) / 2 sends [9, 11] into itself and contracts there."""
    u = _u_star() * shift
    inside = below(
        [
            ("17/2 + ln(18) / 2 above 9", ball(9), Fraction(17, 2) + NUMBERS.log(ball(18)) / 2),
            ("17/2 + ln(22) / 2 below 11", Fraction(17, 2) + NUMBERS.log(ball(22)) / 2, ball(11)),
        ]
    )
    values = as_printed(
        [
            ("u*", "9.99775381490709", u),
            ("c", "0.624568149768620", best_rate_constant(u, numbers=NUMBERS)),
        ]
    )
    return every([inside, values])


@confirms("The inequality for all small vectors of the examples.", Method.ENCLOSURE)
@mutant("1.01 c", scale=PERCENT)
def vectors_satisfy_it(scale: Fraction = Fraction(1)) -> Finding:
    """1 / H > c sqrt(B) / (2 A) for all small vectors, the saturation examples and r_j at H = 10."""
    constant = best_rate_constant(_u_star(), numbers=NUMBERS) * scale
    vectors = [*examples(), *EXAMPLES.values()]
    for budgets in vectors:
        found = saturation(budgets)
        error = upper_error(ball(found.total), ball(found.squares), numbers=NUMBERS)
        if not certainly_less(constant * error * least_path(budgets), 1):
            return exactly(False, f"fails for {[str(e) for e in budgets[:5]]}")
    ratio = extremal_ratio(100, Fraction(OFFSET))
    return every(
        [
            exactly(True, f"{len(vectors)} vectors"),
            below([("c and ratio at H = 100", constant, ratio)]),
        ]
    )


@proves("Leaving out k = 0 costs at most sqrt(2) if eps_1 <= 1.", Method.SMT)
@mutant("1.98 n", two=Fraction(198, 100))
@for_all(reals("n root"), polynomial=True)
def without_zero(n: Any, root: Any, *, two: Fraction = Fraction(2)) -> Condition:
    """eps_1 <= 1: the term k = 1 is at most 1 + sqrt(n - 1) <= sqrt(2 n), sqrt(2) times that of k = 0."""
    given = all_of(n >= 1, root >= 0, root * root == n - 1)
    return implies(given, (1 + root) * (1 + root) <= two * n)


CLAIMS = (
    Claim(
        id="PDP-L12s",
        source="Lemma 12, corrected",
        says="The lower bound's rate 1 / H is at least c = 0.6245681... times ADPM's sqrt(B) / (2 A), and c is the best constant.",
        latex=r"\max_{0 \le k \le n} \frac{1}{S_k + \sqrt{n - k}} \ge c\, \frac{\sqrt{B}}{2 A}, \quad c^2 = \max_u \tfrac8u \left(1 - \tfrac{35/8 + \ln(2u)/4}{u}\right)",
        domain="n >= 1, eps_i > 0 ascending; with k from 1 on and eps_i <= 1, c / sqrt(2)",
        status=Status.PROVED,
        ours=True,
        assumes=("PDP-A3", "PDP-E-SAT"),
        checks=checks_of(
            best_truncation,
            tangent_lines,
            partial_sums_decide,
            integral_of_the_profile,
            squared_ratio,
            best_u,
            printed_best,
            jensen_defect,
            derivatives_of_the_square,
            printed_extremal,
            vectors_satisfy_it,
            without_zero,
        ),
        steps=(
            ByCheck("best_truncation"),
            ByCheck("tangent_lines"),
            ByCheck("partial_sums_decide"),
            ByCheck("integral_of_the_profile"),
            ByCheck("squared_ratio"),
            ByCheck("best_u"),
            ByCheck("jensen_defect"),
            ByCheck("derivatives_of_the_square"),
            ByCheck("without_zero"),
            ByHand(
                "S_k >= max(0, H - sqrt(n - k)) for all k, and these are the partial sums of the ascending vector r_i = integral over (n - i, n - i + 1) of g(s) = 1 / (2 sqrt(s)) for s <= H^2 (0 beyond; H^2 <= n by k = 0)."
            ),
            ByHand(
                "For every tau the truncation at tau lies in ADPM's box, so A^2 / B >= (2 / tau)(sum of f_tau(eps_i) - 4 / tau), f_tau(e) = e - e^2 / (2 tau) up to tau and tau / 2 beyond."
            ),
            ByHand(
                "Tangents at eps_i and partial sums (checked for three terms; summation by parts for any number) give sum f_tau(eps_i) >= sum f_tau(r_i), and Jensen's inequality at least the integral of f_tau(g)."
            ),
            ByHand(
                "With tau = u / H the squared ratio is at least rate(u) for every u >= 1/2; rate' has the sign of 17/2 + ln(2 u)/2 - u, which falls for u > 1/2, so the zero in (9, 11) is the maximum."
            ),
            ByHand(
                "Best possible: for r itself with n = H^2 the left side is exactly 1 / H, equality holds at tau = B / A, and the squared ratio is at most rate(u) + 4 / H^2 (for u < 1/2 it would be negative), so it tends to c^2."
            ),
        ),
    ),
)
