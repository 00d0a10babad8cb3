"""The lower bound for Gaussian means in PDP under unbounded neighbors: Theorem 12."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.papers.pdp.bounds.gaussian_pair import slope_at_zero
from proofs_check.papers.pdp.bounds.group_privacy import unbounded_shift
from proofs_check.papers.pdp.bounds.lower_bounds import (
    COVER,
    MEANS,
    half_the_denominator,
    root_half,
    stays_below,
)
from proofs_check.papers.pdp.common import NUMBERS, PERCENT
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, diff, exp, identical, symbols

__all__ = ["CLAIMS", "unbounded_output_shift"]


def unbounded_output_shift(f: Any, constant: Any, *, numbers: Any) -> Any:
    """1 - exp(-C sqrt(2 / pi) f) + C (1 - f) / 2."""
    return (
        unbounded_shift(constant * slope_at_zero(numbers=numbers) * f, numbers=numbers)
        + constant * (1 - f) / 2
    )


@proves("At C = 1 / sqrt(2) the outputs' total variation is below 0.435 for all f.", Method.COVER)
@mutant("0.433 for 0.435", limit=Fraction(433, 1000))
def unbounded_certificate(limit: Fraction = Fraction(435, 1000)) -> Finding:
    """The same for unbounded neighbors."""
    return stays_below(unbounded_output_shift, root_half(numbers=COVER), limit)


@proves("At C = 0.838 it is below 1/2.", Method.COVER)
@mutant("C = 0.84", constant=Fraction(840, 1000))
def certificate_below_half(constant: Fraction = Fraction(838, 1000)) -> Finding:
    """Unbounded neighbors, C = 0.838: below 1/2."""
    return stays_below(unbounded_output_shift, COVER.rational(constant), Fraction(1, 2))


@encloses(
    "Printed values, and the largest C of this proof, (1 + ln(2 c)) / c - 1.", Method.ENCLOSURE
)
@mutant("1.01 / sqrt(2)", scale=PERCENT)
def printed_unbounded(scale: Fraction = Fraction(1)) -> Finding:
    """Where the shift at C = 1 / sqrt(2) is largest, its value, the probability, and the largest C.

    The slope -C/2 + C c e^(-C c f), c = sqrt(2 / pi), falls in f and is 0 at f = ln(2 c) / (C c).
    """
    constant, slope = root_half(numbers=NUMBERS) * scale, slope_at_zero(numbers=NUMBERS)
    at = NUMBERS.log(2 * slope) / (constant * slope)
    largest = unbounded_output_shift(at, constant, numbers=NUMBERS)
    limit = (1 + NUMBERS.log(2 * slope)) / slope - 1
    return as_printed(
        [
            ("f", "0.828366636931464", at),
            ("largest shift", "0.434024488794057", largest),
            ("probability", "0.282987755602971", (1 - largest) / 2),
            ("largest C", "0.839057803598433", limit),
        ]
    )


@proves("Where the bound is largest, and its value there.", Method.SYMBOLIC)
@mutant("ln(2.02 c)", two=2 * PERCENT)
def stationary_shift(two: Fraction = Fraction(2)) -> Finding:
    """At f = ln(2 c) / (C c) the slope is 0 and the shift 1 - (1 + ln(2 c)) / (2 c) + C / 2."""
    f, c, d = symbols("f C c", positive=True)
    shift = 1 - exp(-c * d * f) + c * (1 - f) / 2
    at = SYMBOLIC.log(d * Rational(two.numerator, two.denominator)) / (c * d)
    box = {c: (0, 1), d: (1, 2)}
    value = 1 - (1 + SYMBOLIC.log(2 * d)) / (2 * d) + c / 2
    concave = identical(diff(shift, f, 2), -((c * d) ** 2) * exp(-c * d * f), {f: (0, 1), **box})
    return every(
        [
            identical(diff(shift, f).subs(f, at), c - c, box),
            identical(shift.subs(f, at), value, box),
            concave,
        ]
    )


CLAIMS = (
    Claim(
        id="PDP-T12",
        source="Theorem 12",
        says="The lower bound of Theorem 9 holds for unbounded neighbors too, with the sorted budgets of the dataset; our proof allows constants up to 0.839.",
        latex=r"\sup_\mu P\left(|M(D) - \mu| \ge \max_k \frac{\sigma}{\sqrt 2 (S_k + 2\sqrt{n - k})}\right) \ge \frac14",
        domain="n >= 1, eps_i >= 0, sigma > 0; unbounded neighbors",
        status=Status.PROVED,
        assumes=("PDP-L20s",),
        checks=checks_of(
            *MEANS,
            unbounded_certificate,
            certificate_below_half,
            stationary_shift,
            printed_unbounded,
        ),
        steps=(
            ByCheck("divergence_of_gaussians"),
            ByCheck("terms_in_f"),
            ByCheck("two_points"),
            ByCheck("unbounded_certificate"),
            ByCheck("certificate_below_half"),
            ByCheck("stationary_shift"),
            ByHand(
                "Means t and -t times sigma; no output is closer than t sigma to both, so one of the two failure probabilities is at least (1 - TV of the outputs) / 2."
            ),
            ByCheck(
                "variation_of_gaussians", "TV of one record is at most t sqrt(2 / pi), KL = 2 t^2."
            ),
            ByHand(
                "The shift is concave in f; at its stationary point it is 1/2 for C = (1 + ln(2 c)) / c - 1, c = sqrt(2 / pi)."
            ),
        ),
    ),
    Claim(
        id="PDP-T3",
        source="Theorem 3 (informal copy of Theorem 12)",
        says="The same for unbounded neighbors.",
        latex=r"\Omega\left(\max_k \frac{\sigma}{S_k + \sqrt{n - k}}\right)",
        domain="as Theorem 12; the constant is 1 / (2 sqrt(2))",
        status=Status.PROVED,
        assumes=("PDP-T12",),
        checks=checks_of(half_the_denominator),
        steps=(
            ByCheck("half_the_denominator"),
            ByClaim("PDP-T12", "Theorem 12 with half its bound."),
        ),
    ),
)
