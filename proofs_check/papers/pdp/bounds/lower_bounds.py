"""The lower bound for Gaussian means in PDP under bounded neighbors: Theorem 9.

Two means +t sigma and -t sigma with t = C / (S_k + 2 sqrt(n - k)); f = S_k / (S_k + 2 sqrt(n - k)).
By the sharper Lemma 15 the outputs differ by at most a concave function of f in [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.cover import positive
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.pdp.bounds.gaussian_pair import (
    divergence_of_gaussians,
    gaussian_divergence,
    printed_variations,
    slope_at_zero,
    two_points,
    variation_of_gaussians,
)
from proofs_check.papers.pdp.bounds.group_privacy import (
    bounded_shift,
    printed_shift,
    rest_by_pinsker,
)
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, diff, exp, identical, pi, sqrt, symbols

__all__ = [
    "CLAIMS",
    "COVER",
    "MEANS",
    "SUMMARY",
    "bounded_output_shift",
    "lower_bound",
    "root_half",
    "stays_below",
]

COVER = Balls(64)
"""Working precision of box proofs."""
VECTORS = (
    ("100 budgets 0.1", (Fraction(1, 10),) * 100, 100, "0.0707106781186548"),
    ("100 budgets 1", (Fraction(1),) * 100, 1, "0.0338332670842626"),
    (
        "50 of 0.05, 50 of 1",
        (Fraction(1, 20),) * 50 + (Fraction(1),) * 50,
        50,
        "0.0424889447588833",
    ),
    ("0.001, ..., 1", tuple(Fraction(i, 1000) for i in range(1, 1001)), 32, "0.0112680240093851"),
    (
        "10 of 0.01, 990 of 0.5",
        (Fraction(1, 100),) * 10 + (Fraction(1, 2),) * 990,
        10,
        "0.0112188364729344",
    ),
)


def lower_bound(total: Any, rest: Any, constant: Any, sigma: Any, *, numbers: Any) -> Any:
    """C sigma / (S_k + 2 sqrt(n - k)) for rest = n - k; the theorems take the largest over k."""
    return constant * sigma / (total + 2 * numbers.sqrt(rest))


def bounded_output_shift(f: Any, constant: Any, *, numbers: Any) -> Any:
    """tanh(C sqrt(2 / pi) f / 2) + C (1 - f) / 2: bound of the total variation of the outputs."""
    return (
        bounded_shift(constant * slope_at_zero(numbers=numbers) * f, numbers=numbers)
        + constant * (1 - f) / 2
    )


def root_half(*, numbers: Balls) -> Ball:
    """1 / sqrt(2), the printed constant."""
    return numbers.sqrt(numbers.rational(Fraction(1, 2)))


@proves("Both terms as functions of f.", Method.SYMBOLIC)
@mutant("S + 2.02 sqrt(n - k) in f", two=2 * PERCENT)
def terms_in_f(two: Fraction = Fraction(2)) -> Finding:
    """With t = C / (S + 2 r), r = sqrt(n - k), the terms are C sqrt(2 / pi) f and C (1 - f) / 2."""
    c, s, r = symbols("C S r", positive=True)
    t = lower_bound(s, r**2, c, 1, numbers=SYMBOLIC)
    f = s / (s + Rational(two.numerator, two.denominator) * r)
    box = {c: (0, 1), s: (0, 9), r: (0, 9)}
    rest = rest_by_pinsker(r**2, gaussian_divergence(t, 1), numbers=SYMBOLIC)
    return every([identical(t * s, c * f, box), identical(rest, c * (1 - f) / 2, box)])


@proves("At C = 1 / sqrt(2) the outputs' total variation is below 0.354 for all f.", Method.COVER)
@mutant("0.353 for 0.354", limit=Fraction(353, 1000))
def bounded_certificate(limit: Fraction = Fraction(354, 1000)) -> Finding:
    """C = 1 / sqrt(2): the bound of the outputs' total variation is below the limit on [0, 1]."""
    return stays_below(bounded_output_shift, root_half(numbers=COVER), limit)


def stays_below(shift: Callable[..., Any], constant: Ball, limit: Fraction) -> Finding:
    """Decide whether a shift is below a limit for all f in [0, 1]."""
    return positive(
        lambda f: limit - shift(f, constant, numbers=COVER), {"f": (0, 1)}, numbers=COVER
    )


@proves("At C = 1 it is at most 1/2.", Method.ENCLOSURE)
@mutant("C = 1.01", constant=PERCENT)
def constant_one(constant: Fraction = Fraction(1)) -> Finding:
    """C = 1: tanh(x) <= x bounds the shift by C / 2 + C f (sqrt(2 / pi) - 1) / 2 <= 1 / 2."""
    slope = slope_at_zero(numbers=NUMBERS)
    return every(
        [
            below([("sqrt(2 / pi)", slope, 1)]),
            exactly(constant / 2 <= Fraction(1, 2), f"at f = 0 the shift is {constant / 2}"),
        ]
    )


@encloses("Printed shift and probability, and what the printed proof would give.", Method.ENCLOSURE)
@mutant("1.01 / sqrt(2)", scale=PERCENT)
def printed_bounded(scale: Fraction = Fraction(1)) -> Finding:
    """The largest shift at C = 1 / sqrt(2), the probability, and what the printed proof gives."""
    constant = root_half(numbers=NUMBERS) * scale
    largest = bounded_output_shift(ball(0), constant, numbers=NUMBERS)
    slope = slope_at_zero(numbers=NUMBERS)
    route = (
        2 * constant * slope
    )  # Lemma 15 as printed at f = 1, where small budgets make it largest
    return as_printed(
        [
            ("largest shift", "0.353553390593274", largest),
            ("probability", "0.323223304703363", (1 - largest) / 2),
            ("probability by Lemma 15 as printed", "-0.064", (1 - route) / 2),
            ("largest C by Lemma 15 as printed", "0.313328534328875", 1 / (4 * slope)),
        ]
    )


@confirms(
    "The printed route: 2 TV sum (1 - e^-eps) < 2 TV S_k allows C = sqrt(2 pi) / 8 only.",
    Method.SYMBOLIC,
)
@mutant("1.01 C", half=Fraction(101, 400))
def printed_route(half: Fraction = Fraction(1, 4)) -> Finding:
    """2 TV sum (1 - e^-eps_i) is at most 2 TV S_k; C = sqrt(2 pi) / 8 makes 2 C sqrt(2 / pi) = 1/2."""
    variation, e, d = symbols("TV eps1 eps2", positive=True)
    small = diff(printed_shift(variation, [e, d], numbers=SYMBOLIC), e)
    c = Rational(half.numerator, half.denominator)
    slope = slope_at_zero(numbers=SYMBOLIC)
    return every(
        [
            identical(small, 2 * variation * exp(-e), {variation: (0, 1), e: (0, 9)}),
            identical(2 * c / slope * slope, Rational(1, 2), {}),
            identical(c / slope, sqrt(2 * pi) / 8, {}),
        ]
    )


@encloses("Printed lower bounds of five vectors of budgets.", Method.ENCLOSURE)
@mutant("1.01 / sqrt(2)", scale=PERCENT)
def printed_lower_bounds(scale: Fraction = Fraction(1)) -> Finding:
    """The largest C / (S_k + 2 sqrt(n - k)) over k >= 1 of five vectors, C = 1 / sqrt(2), sigma = 1."""
    rows = []
    for name, budgets, best, value in VECTORS:
        found = _bounds(budgets)
        if any(certainly_less(found[best - 1], other) is True for other in found):
            return exactly(False, f"{name}: k = {best} is not the best")
        rows.append((name, value, found[best - 1] * scale))
    return as_printed(rows)


def _bounds(budgets: Sequence[Fraction]) -> list[Ball]:
    constant, n = root_half(numbers=NUMBERS), len(budgets)
    total, found = Fraction(0), []
    for k, epsilon in enumerate(budgets, 1):
        total += epsilon
        found.append(lower_bound(ball(total), ball(n - k), constant, 1, numbers=NUMBERS))
    return found


@proves("1 / (S + 2 sqrt(n - k)) is at least half of 1 / (S + sqrt(n - k)).", Method.SMT)
@mutant("0.505 for 1/2", share=PERCENT / 2)
@for_all(reals("S r printed short"), polynomial=True)
def half_the_denominator(
    s: Any, r: Any, printed: Any, short: Any, *, share: Fraction = Fraction(1, 2)
) -> Condition:
    """1 / (S + 2 r) >= (1/2) / (S + r): the form without the factor 2, up to a constant."""
    given = all_of(s >= 0, r >= 0, printed * (s + 2 * r) == 1, short * (s + r) == 1)
    return implies(given, printed >= share * short)


MEANS = checks_of(variation_of_gaussians, divergence_of_gaussians, terms_in_f, two_points)
"""Checks that both theorems need."""

SUMMARY = "Means t and -t times sigma; no output is closer than t sigma to both, so one of the two failure probabilities is at least (1 - TV of the outputs) / 2. TV of one record is at most t sqrt(2 / pi), KL = 2 t^2. "
"""What both arguments begin with."""

CLAIMS = (
    Claim(
        id="PDP-T9",
        source="Theorem 9",
        says="For every personalized private mechanism some Gaussian mean is missed by max over k of sigma / (sqrt(2) (S_k + 2 sqrt(n - k))) with probability at least 1/4. Our proof gives it with 1 for 1 / sqrt(2).",
        latex=r"\sup_\mu P\left(|M(D) - \mu| \ge \max_k \frac{C \sigma}{S_k + 2\sqrt{n - k}}\right) \ge \frac14, \quad C = \tfrac{1}{\sqrt 2}\ (\text{even } C = 1)",
        domain="n >= 1, eps_i >= 0, sigma > 0, k = 0, ..., n; bounded neighbors",
        status=Status.PROVED,
        assumes=("PDP-L15s",),
        checks=checks_of(
            *MEANS,
            bounded_certificate,
            constant_one,
            printed_bounded,
            printed_route,
            printed_variations,
            printed_lower_bounds,
        ),
        steps=(
            ByCheck("divergence_of_gaussians"),
            ByCheck("terms_in_f"),
            ByCheck("two_points"),
            ByCheck("bounded_certificate"),
            ByCheck("constant_one"),
            ByHand(
                "Means t and -t times sigma; no output is closer than t sigma to both, so one of the two failure probabilities is at least (1 - TV of the outputs) / 2."
            ),
            ByCheck(
                "variation_of_gaussians", "TV of one record is at most t sqrt(2 / pi), KL = 2 t^2."
            ),
            ByHand(
                "With C = 1: tanh(x) <= x gives a shift of at most 1/2 + f (sqrt(2 / pi) - 1) / 2."
            ),
            ByHand(
                "If all eps_i = 0 and k = n the output does not depend on D at all, and the bound holds for every deviation."
            ),
        ),
        note="The printed proof has four slips (Erratum 16).",
    ),
    Claim(
        id="PDP-T1",
        source="Theorem 1 (informal copy of Theorem 9)",
        says="Every personalized private mechanism errs by the order of sigma max over k of 1 / (S_k + sqrt(n - k)) for some Gaussian mean, with constant probability.",
        latex=r"\Omega\left(\max_k \frac{\sigma}{S_k + \sqrt{n - k}}\right)",
        domain="as Theorem 9; the constant is 1 / (2 sqrt(2)), or 1/2 by our proof",
        status=Status.PROVED,
        assumes=("PDP-T9",),
        checks=checks_of(half_the_denominator),
        steps=(
            ByCheck("half_the_denominator"),
            ByClaim("PDP-T9", "Theorem 9 with half its bound."),
        ),
    ),
)
