"""Large eps: how fast the best variances fall (KSW, Lemma 7).

Everything is a power of b = e^(-eps): b^(2/3) for the univariate staircase, b^(1/2)
for the two-dimensional one. Each limit is given by bounds that hold for every eps.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Balls
from proofs_check.language import Condition, for_all
from proofs_check.papers.ksw.common import decay
from proofs_check.papers.ksw.noise.l1_moments import best_l1_y, polynomial_at
from proofs_check.papers.ksw.noise.l1_staircase import (
    l1_mean_absolute,
    l1_second_moment,
    l1_variance_quintic,
)
from proofs_check.papers.ksw.noise.staircase import (
    best_variance,
    best_y_cubed,
    gamma_of_y,
    mean_absolute,
)
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim
from proofs_check.symbolic import Limit, Rational, identical, symbols

__all__ = ["CLAIMS"]

Formula = Callable[..., Any]

B, C, EPS, T = symbols("b c epsilon t", positive=True)


def l1_variance_upper(c: Any) -> Any:
    """V2 at Y = c = b^(1/4), over sqrt(b) / 3: goes to 1 as eps grows."""
    top = 2 + 4 * c + 6 * c**2 + 7 * c**4 + 4 * c**5 + c**8
    return top / (2 * (1 - c**4) ** 2 * (1 + c**2))


def l1_mean_upper(c: Any) -> Any:
    """A2 at Y = 2 c = (2 b)^(1/3), over c = (b / 4)^(1/3): goes to 1 as eps grows."""
    return (3 + 6 * c + 4 * c**3) / (3 * (1 - 4 * c**3) * (1 + c))


@proves(
    "V2 > sqrt(b) / 3: Y^4 + 4 b Y + b + 7 b^2 > 2 sqrt(b) (Y^2 + b) for all Y >= 0.", Method.SMT
)
@mutant("1.01 / 3 for 1 / 3", factor=Fraction(101, 100))
@for_all(reals("c Y"), polynomial=True)
def l1_variance_lower(c: Any, Y: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """Y^4 + 6 b Y^2 + ... > 2 c (Y^2 + b) for c = sqrt(b) and all Y >= 0, hence V2 > sqrt(b) / 3."""
    b = c * c
    kept = Y**4 + 4 * b * Y + b + 7 * b * b
    dropped = 6 * b * Y * Y + 4 * b * b * Y + b * b * b
    right = 2 * factor * c * (Y * Y + b)
    given = all_of(0 < c, c < 1, 0 <= Y)
    return implies(given, all_of(kept > right, dropped > 0, (1 - b) * (1 - b) < 1))


@proves("The other terms of the numerator of V2 are positive.", Method.SYMBOLIC)
@mutant("V2 + b / 100", closed=lambda b, Y: l1_second_moment(b, Y) + b / 100)
def terms_of_the_lower_bound(closed: Formula = l1_second_moment) -> Finding:
    """6 (1 - b)^2 (Y^2 + b) V2 is the sum of the terms kept and dropped."""
    Y = symbols("Y", positive=True)
    kept = Y**4 + 4 * B * Y + B + 7 * B**2
    dropped = 6 * B * Y**2 + 4 * B**2 * Y + B**3
    left = 6 * (1 - B) ** 2 * (Y**2 + B) * closed(B, Y)
    return identical(left, kept + dropped, {B: (0, 1), Y: (0, 1)})


@proves("V2 at Y = b^(1/4) is sqrt(b) / 3 times a factor that goes to 1.", Method.SYMBOLIC)
@mutant(
    "4 c^4 for 4 c^5",
    upper=lambda c: (
        l1_variance_upper(c) + (4 * c**4 - 4 * c**5) / (2 * (1 - c**4) ** 2 * (1 + c**2))
    ),
)
def l1_variance_at_quarter_power(upper: Formula = l1_variance_upper) -> Finding:
    """V2(b^(1/4)) = sqrt(b) / 3 U(b^(1/4)), and U(0) = 1."""
    left = l1_second_moment(C**4, C)
    first = identical(left, C**2 / 3 * upper(C), {C: (0, 1)})
    return every([first, identical(upper(Rational(0)), 1, {})])


@proves("A2 > (b / 4)^(1/3) for every Y >= 0.", Method.SMT)
@mutant("1.01 (b / 4)^(1/3)", factor=Fraction(101, 100))
@for_all(reals("c t"), polynomial=True)
def l1_mean_lower(c: Any, t: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """A2(Y) > c for c = (b / 4)^(1/3) and all Y = c t >= 0 but t = 2 at b = 0."""
    b = 4 * c * c * c
    left = t**3 + 12 * c * t + 4 + 4 * b  # (Y^3 + 3 b Y + b (1 + b)) / c^3
    right = 3 * factor * (1 - b) * (t * t + 4 * c)  # 3 (1 - b) c (Y^2 + b) / c^3
    return implies(all_of(0 < c, b < 1, 0 <= t), left > right)


@proves("A2 at Y = (2 b)^(1/3) is (b / 4)^(1/3) times a factor that goes to 1.", Method.SYMBOLIC)
@mutant("1 + c^2 for 1 + c", upper=lambda c: l1_mean_upper(c) * (1 + c) / (1 + c**2))
def l1_mean_at_cube_root(upper: Formula = l1_mean_upper) -> Finding:
    """A2 at Y = 2 c, b = 4 c^3."""
    left = l1_mean_absolute(4 * C**3, 2 * C)
    first = identical(left, C * upper(C), {C: (0, Fraction(1, 2))})
    return every([first, identical(upper(Rational(0)), 1, {})])


@proves("b^(1/4) < Y2* < b^(1/4) (1 + b^(1/4)): signs of the quintic.", Method.SMT)
@mutant("1.01 b^(1/4)", factor=Fraction(101, 100))
@for_all(reals("c"), polynomial=True)
def best_l1_y_between(c: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """Quintic: negative at c = b^(1/4), positive at c (1 + c)."""
    quintic = l1_variance_quintic(c**4)
    low, high = factor * c, c + c * c
    signs = all_of(polynomial_at(quintic, low) < 0, polynomial_at(quintic, high) > 0)
    return implies(all_of(0 < c, c < 1), signs)


@proves(
    "The limits of the univariate staircase; V* e^(2 eps/3) lies above its own.", Method.SYMBOLIC
)
@mutant("exponent 0.66", power=Fraction(66, 100))
@mutant("(1 / 4.04)^(1/3)", constant=Fraction(25, 101))
def limits_of_the_univariate(
    power: Fraction = Fraction(2, 3), constant: Fraction = Fraction(1, 4)
) -> Finding:
    """sigma^2 e^(2 eps/3) goes to 4^(-1/3), gamma* e^(eps/3) to 2^(-1/3); E |Z| e^(eps/2) = 1 / (1 - b)."""
    b = T**3
    y = T * ((1 + b) / 2) ** Rational(1, 3)
    gamma = identical(Limit(gamma_of_y(b, y) / T, T, 0, "+"), Rational(1, 2) ** Rational(1, 3), {})
    scaled = best_variance(b, y) / T ** (3 * Rational(str(power)))
    limit = Rational(str(constant)) ** Rational(1, 3)
    at_zero = identical(Limit(scaled, T, 0, "+"), limit, {})
    above = T + ((1 + b) / 2) ** Rational(2, 3)  # each term above its value at t = 0
    form = identical(scaled * (1 - b) ** 2, above, {T: (0, 1)})
    mean = identical(mean_absolute(C**2, C) / C, 1 / (1 - C**2), {C: (0, 1)})
    return every([at_zero, form, gamma, mean])


@encloses("Printed values at eps = 5, 10, 20.", Method.ENCLOSURE)
@mutant("exponent 0.67 for 2/3", univariate=Fraction(67, 100))
@mutant("exponent 0.505 for 1/2", l1=Fraction(505, 1000))
def printed_limits(univariate: Fraction = Fraction(2, 3), l1: Fraction = Fraction(1, 2)) -> Finding:
    """Printed values of V* e^(2 eps/3) and V2* e^(eps/2) at eps = 5, 10, 20, and of the limit."""
    numbers = Balls(256)
    rows = [("limit", "0.629960524947437", 1 / numbers.root(numbers.rational(Fraction(4)), 3))]
    for epsilon, first, second in (
        (5, "0.832848283823", "0.572100665828"),
        (10, "0.665714030294", "0.391357664136"),
        (20, "0.631233162217", "0.337847924508"),
    ):
        b = decay(Fraction(epsilon), numbers=numbers)
        best = best_variance(b, numbers.root(best_y_cubed(b), 3))
        best_l1 = l1_second_moment(b, best_l1_y(l1_variance_quintic, b))
        rows += [
            (f"V* at eps = {epsilon}", first, best / numbers.power(b, univariate)),
            (f"V2* at eps = {epsilon}", second, best_l1 / numbers.power(b, l1)),
        ]
    return as_printed(rows)


@proves("Both upper bounds for b < 1/54.", Method.SMT)
@mutant("0.675 for 0.68", l1=Fraction(675, 1000))
@mutant("0.931 for 0.94", univariate=Fraction(931, 1000))
def orders_for_large_epsilon(
    l1: Fraction = Fraction(68, 100), univariate: Fraction = Fraction(94, 100)
) -> Finding:
    """For b <= e^-4 < 1/54: min V2 < 0.68 b^(1/2) and sigma^2 < 0.94 b^(2/3)."""

    def diamond(c: Any) -> Any:  # c = b^(1/4)
        top = 2 + 4 * c + 6 * c**2 + 7 * c**4 + 4 * c**5 + c**8
        bottom = 6 * (1 - c**4) ** 2 * (1 + c**2)
        return implies(all_of(0 < c, 54 * c**4 < 1), top < exact(l1) * bottom)

    def line(t: Any, y: Any) -> Any:  # t = b^(1/3)
        b = t**3
        given = all_of(0 < t, 54 * b < 1, 0 < y, 2 * y**3 == b * (1 + b))
        return implies(given, b + y * y < exact(univariate) * t * t * (1 - b) ** 2)

    return every(
        [
            valid(reals("c"), diamond, polynomial=True),
            valid(reals("t y"), line, polynomial=True),
        ]
    )


CLAIMS = (
    Claim(
        id="KSW-S5",
        source="our own",
        says=(
            "For large eps the least variances fall like e^(-2 eps/3) (univariate) and e^(-eps/2) "
            "(two-dimensional), the least mean absolute values like e^(-eps/2) and e^(-eps/3); the "
            "two-dimensional variance exceeds e^(-eps/2) / 3 for every eps and every gamma."
        ),
        latex=r"V_2(\gamma) > \frac{e^{-\varepsilon/2}}{3}, \quad V_* e^{2\varepsilon/3} \downarrow 2^{-2/3}, \quad \min \mathrm{E}|Z| \, e^{\varepsilon/2} \to 1, \quad V_{2*} e^{\varepsilon/2} \to \frac13, \quad A_{2*} e^{\varepsilon/3} \to 2^{-2/3}, \quad \gamma_* \sim 2^{-1/3} e^{-\varepsilon/3}, \quad \gamma_{2*} \sim e^{-\varepsilon/4}, \quad \frac{V_{2*}}{V_*} \sim \frac{2^{2/3}}{3} e^{\varepsilon/6}",
        domain="eps > 0, 0 < gamma <= 1; limits as eps goes to infinity",
        status=Status.PROVED,
        checks=checks_of(
            l1_variance_lower,
            terms_of_the_lower_bound,
            l1_variance_at_quarter_power,
            l1_mean_lower,
            l1_mean_at_cube_root,
            best_l1_y_between,
            limits_of_the_univariate,
            printed_limits,
        ),
        assumes=("KSW-S2", "KSW-S4"),
        ours=True,
        steps=(
            *by_checks(
                l1_variance_lower,
                terms_of_the_lower_bound,
                l1_variance_at_quarter_power,
                l1_mean_lower,
                l1_mean_at_cube_root,
                best_l1_y_between,
                limits_of_the_univariate,
            ),
            *by_hand(
                "By hand for the lower bound: (1 - b)^2 <= 1; if Y >= sqrt(b)/2, Y^4 + b >= 2 sqrt(b) Y^2 and 4 b Y >= 2 b^(3/2); else (Y^2 - sqrt(b))^2 >= 9 b/16 and 9/16 + 7 b >= 2 sqrt(b).",
                "For gamma2*: the signs put one of the quintic's at most two positive roots between the bounds, and it is the larger one since b^(1/4) > sqrt(b); gamma2* = (Y2* - b) / (1 - b).",
                "For V* e^(2 eps/3) = (t + ((1 + b)/2)^(2/3)) / (1 - b)^2 with t = b^(1/3), every factor exceeds its limit.",
                "The quotient V2* / V* is that of the two limits.",
            ),
        ),
        note="What we tried on the whole polynomial inequality, in (c, Y) with c = sqrt(b) and the factor (1 - c^2)^2 kept: z3 does not end in ten minutes, nor within seconds in each of the two cylinders Y >= c/2 and Y < c/2, nor with Y = c t divided out. Without that factor (it is at most 1) z3 decides the inequality at once, and then also without the terms 6 b Y^2 + 4 b^2 Y + b^3: this is the check.",
    ),
    Claim(
        id="KSW-L7",
        source="Lemma 7",
        says=(
            "The two-dimensional staircase is worse for large eps: its variance is of order "
            "e^(-eps/2), that of the univariate one of order e^(-2 eps/3). The lower bound holds for "
            "every eps and every gamma, not only for large eps."
        ),
        latex=r"\frac{e^{-\varepsilon/2}}{3} < \min_\gamma \mathrm{E} Z_1^2 < 0.68\, e^{-\varepsilon/2}, \qquad 2^{-2/3} e^{-2 \varepsilon/3} < \sigma^2(\varepsilon) < 0.94\, e^{-2 \varepsilon / 3}",
        domain="lower bounds: eps > 0; upper bounds: eps >= 4",
        status=Status.PROVED,
        checks=checks_of(
            reworded(l1_variance_lower, "E Z1^2 > e^(-eps/2) / 3 for every eps and every gamma."),
            orders_for_large_epsilon,
        ),
        assumes=("KSW-S5",),
        steps=(
            ByCheck("orders_for_large_epsilon"),
            ByClaim(
                "KSW-S5",
                "E Z1^2 at Y = b^(1/4) is the upper bound of KSW-S5; e^4 > 54. The lower bound of sigma^2 is in KSW-S5.",
            ),
        ),
        obligations=parts_of(l1_variance_lower),
    ),
)
