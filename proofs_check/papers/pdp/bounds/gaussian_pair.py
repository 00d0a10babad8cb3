"""Two Gaussians with means -t and t, and the two-point method, for PDP's lower bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import encloses, mutant, proves
from proofs_check.claim import Finding, Method, every
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below, larger
from proofs_check.printed_values import as_printed
from proofs_check.symbolic import (
    Rational,
    diff,
    erf,
    exp,
    identical,
    integrate,
    oo,
    pi,
    sqrt,
    symbols,
)

__all__ = [
    "divergence_of_gaussians",
    "gaussian_divergence",
    "gaussian_variation",
    "printed_variations",
    "slope_at_zero",
    "two_points",
    "variation_of_gaussians",
]

VARIATIONS = (
    ("0.01", "0.00797871262926321"),
    ("0.1", "0.0796556745540580"),
    ("0.5", "0.382924922548026"),
    ("1", "0.682689492137086"),
    ("3", "0.997300203936740"),
)


def gaussian_variation(t: Any, sigma: Any, *, numbers: Any) -> Any:
    """TV(N(-t, sigma^2), N(t, sigma^2)) = erf(t / (sigma sqrt(2)))."""
    return 1 - numbers.erfc(t / (sigma * numbers.sqrt(numbers.rational(Fraction(2)))))


def gaussian_divergence(t: Any, sigma: Any) -> Any:
    """KL(N(-t, sigma^2), N(t, sigma^2)) = 2 t^2 / sigma^2."""
    return 2 * t**2 / sigma**2


def slope_at_zero(*, numbers: Any) -> Any:
    """sqrt(2 / pi): TV is at most this times t / sigma."""
    return numbers.sqrt(2 / numbers.pi())


@proves("Total variation of two Gaussians, and its slope.", Method.SYMBOLIC)
@mutant("erf(t / (sigma sqrt(2.02)))", two=2 * PERCENT)
def variation_of_gaussians(two: Fraction = Fraction(2)) -> Finding:
    """P(|N(0, sigma^2)| <= t) is erf(t / (sigma sqrt(2))), whose slope in t is at most sqrt(2 / pi) / sigma."""
    x, t, s = symbols("x t sigma", positive=True)
    c = Rational(two.numerator, two.denominator)
    density = exp(-(x**2) / (2 * s**2)) / (s * sqrt(2 * pi))
    value = erf(t / (s * sqrt(c)))
    box = {t: (0, 3), s: (1, 3)}
    return every(
        [
            identical(2 * integrate(density, (x, 0, t)), value, box),
            identical(diff(value, t), sqrt(2 / pi) / s * exp(-(t**2) / (2 * s**2)), box),
        ]
    )


@proves("Their KL divergence.", Method.SYMBOLIC)
@mutant("2.02 t^2 / sigma^2", factor=PERCENT)
def divergence_of_gaussians(factor: Fraction = Fraction(1)) -> Finding:
    """The mean of the log density ratio 2 x t / sigma^2 under N(t, sigma^2) is 2 t^2 / sigma^2."""
    x, t, s = symbols("x t sigma", positive=True)
    ratio = ((x + t) ** 2 - (x - t) ** 2) / (2 * s**2)
    density = exp(-((x - t) ** 2) / (2 * s**2)) / (s * sqrt(2 * pi))
    mean = integrate(ratio.expand() * density, (x, -oo, oo))
    right = gaussian_divergence(t, s) * factor.numerator / factor.denominator
    return identical(mean, right, {t: (0, 3), s: (1, 3)})


@proves("Two-point method: a failure of probability (1 - TV) / 2.", Method.SMT)
@mutant("1.01 (1 - TV)", factor=PERCENT)
@for_all(reals("fail fail2 cross TV"))
def two_points(
    fail: Any, fail2: Any, cross: Any, tv: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """If the outputs are close to at most one mean, one of two failures has probability (1 - TV) / 2."""
    # cross: the chance under law 1 of being close to mean 2, at most that of failing
    given = all_of(cross <= fail, (1 - fail2) - cross <= tv)
    return implies(given, 2 * larger(fail, fail2) >= factor * (1 - tv))


@encloses("Printed values of the total variation, and of the root of erf(x) = x.", Method.ENCLOSURE)
@mutant("1.01 t", scale=PERCENT)
def printed_variations(scale: Fraction = Fraction(1)) -> Finding:
    """erf(t / sqrt(2)) for five t, the integrals 0.1573 and 0.6827 at t = 1, and erf(x) = x."""
    rows = [
        (f"TV at t = {t}", value, gaussian_variation(ball(t) * scale, ball(1), numbers=NUMBERS))
        for t, value in VARIATIONS
    ]
    # density of mean -t over (0, 2 t) and of mean t over (0, 2 t)
    far = (
        gaussian_variation(ball(3), ball(1), numbers=NUMBERS)
        - gaussian_variation(ball(1), ball(1), numbers=NUMBERS)
    ) / 2
    rows += [
        ("wrong mean", "0.1573", far * scale),
        ("right mean", "0.6827", gaussian_variation(ball(1), ball(1), numbers=NUMBERS) * scale),
    ]
    values = as_printed(rows)
    if not values.holds:
        return values
    low, high = Fraction("0.6174468790806065"), Fraction("0.6174468790806075")
    above, beneath = (1 - NUMBERS.erfc(ball(x)) - x for x in (low, high))
    return every(
        [values, below([("erf(x) - x above the root", beneath, 0), ("and below it", 0, above)])]
    )
