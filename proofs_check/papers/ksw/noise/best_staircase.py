"""The staircase of least variance, sigma^2(eps), and of least mean absolute value (KSW, equation (2))."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.language import (
    Always,
    Condition,
    Domain,
    Inequality,
    all_of,
    decided,
    for_all,
    implies,
    real_symbols,
    reals,
    rearrange,
)
from proofs_check.papers.ksw.common import exponential, vanishes_to_order
from proofs_check.papers.ksw.noise.staircase import (
    best_variance,
    best_y_cubed,
    gamma_of_y,
    mean_absolute_best_gamma,
    second_moment,
    sigma_squared,
)
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, exp, identical, log, symbols

__all__ = ["CLAIMS"]

Formula = Callable[..., Any]

B = symbols("b", positive=True)


@proves("V(y) > (b + y*^2) / (1 - b)^2 for every positive y but y*, and b < y* < 1.", Method.SMT)
@mutant("0.505 b (1 + b)", half=Fraction(505, 1000))
@for_all(
    reals("b x y"),
    "The second moment of the staircase is least at {x} only, with the cube {cube}.",
    terms=lambda v: {"cube": v["b"] * (1 + v["b"]) / 2},
    polynomial=True,
)
def least_second_moment(b: Any, x: Any, y: Any, *, half: Fraction = Fraction(1, 2)) -> Condition:
    """V(y) > V(y*) for every y > 0 other than y*, and b < y* < 1."""
    given = all_of(0 < b, b < 1, 0 < x, 0 < y, y != x, x**3 == half * b * (1 + b))
    best = 3 * y * (b + x**2)  # V* times 3 y (1 - b)^2
    return implies(given, all_of(y**3 + 3 * b * y + b * (1 + b) > best, b < x, x < 1))


@proves("V at y* is V*.", Method.SYMBOLIC)
@mutant("1.01 b + y*^2", closed=lambda b, y: (b * 101 / 100 + y**2) / (1 - b) ** 2)
@decided(rearrange, box={"b": (0, 1), "y": (0, 1)})
def value_at_the_best_y(closed: Formula = best_variance) -> Inequality:
    """3 y (1 - b)^2 (V(y) - V*) = b (1 + b) - 2 y^3, which is 0 at y*."""
    b, y = real_symbols("b y")
    gap = 3 * y * (1 - b) ** 2 * (second_moment(b, y) - closed(b, y))
    says = "There it is {best}: what exceeds that is a positive multiple of {right}."
    domain = Domain((b > 0, b < 1, y > 0))
    right = b * (1 + b) - 2 * y**3
    return Inequality(domain, gap, "==", right, says, {"best": best_variance(b, y)})


@proves("E |Z| is least at y = sqrt(b), only there.", Method.SMT)
@mutant("y^2 + 0.99 b", one=Fraction(99, 100))
@for_all(reals("c y"), "The mean absolute value is least at {c} only.", polynomial=True)
def least_mean_absolute(c: Any, y: Any, *, one: Fraction = Fraction(1)) -> Condition:
    """E |Z| > sqrt(b) / (1 - b) for every y other than sqrt(b) = e^(-eps / 2), in (b, 1)."""
    given = all_of(0 < c, c < 1, 0 < y, y != c)
    return implies(given, all_of(y**2 + one * c**2 > 2 * y * c, c**2 < c))


@proves(
    "Geng and Viswanath's formula of gamma* is the same, and so is 1 / (1 + e^(eps/2)).",
    Method.SYMBOLIC,
)
@mutant("2.01 b^2 for 2 b^2", two=Fraction(201, 100))
@decided(rearrange, box={"b": (0, 1), "r": (1, 9)})
def other_spellings(two: Fraction = Fraction(2)) -> Always:
    """Geng and Viswanath's gamma* gives the same y*^3; gamma of E |Z| is 1 / (1 + e^(eps / 2))."""
    b, r = real_symbols("b r")
    inner = b - two * b**2 + 2 * b**4 - b**5
    cubed = inner / (2 * (1 - b) ** 3)  # ((1 - b) gamma* + b)^3
    gamma = gamma_of_y(1 / r**2, 1 / r)
    best = mean_absolute_best_gamma(r)
    same = (cubed == b * (1 + b) / 2, gamma == best)
    says = "The cube is {cubed} too, and gamma at the least mean absolute value is {best}."
    domain = Domain((b > 0, b < 1, r > 1))
    return Always(domain, same, says, {"cubed": cubed, "best": best})


@confirms("gamma* = 1/2 - eps/12 + eps^5/12960 + O(eps^6).", Method.SYMBOLIC)
@mutant("eps/12.1", first=Fraction(10, 121))
@mutant("eps^5/12961", fifth=Fraction(1, 12961))
@mutant("-eps^5/12960", fifth=-Fraction(1, 12960))
def gamma_for_small_epsilon(
    first: Fraction = Fraction(1, 12), fifth: Fraction = Fraction(1, 12960)
) -> Finding:
    """gamma* = 1/2 - eps/12 + eps^5/12960 + O(eps^6)."""
    x = symbols("x")
    gamma = Fraction(1, 2) - first * x + fifth * x**5
    b = exponential(-x, x, 7)
    return vanishes_to_order((b + (1 - b) * gamma) ** 3 - best_y_cubed(b), x, 7)


@proves("The printed form and the hyperbolic form are V*.", Method.SYMBOLIC)
@mutant(
    "1.01 e^(-eps) for e^(-eps)",
    printed=lambda e: sigma_squared(e) + exp(-e) / (100 * (1 - exp(-e)) ** 2),
)
@mutant(
    "1 - e^(-2 eps) for (1 - e^(-eps))^2",
    printed=lambda e: sigma_squared(e) * (1 - exp(-e)) ** 2 / (1 - exp(-2 * e)),
)
def printed_formula(printed: Formula = sigma_squared) -> Finding:
    """Equation (2) is V* at y*; with r = e^(eps/6), 4 sinh^2 V* - 1 is cosh^(2/3), in cubes."""
    r = symbols("r", positive=True)
    b = r**-6
    y = (best_y_cubed(b)) ** Rational(1, 3)
    first = identical(printed(6 * log(r)), best_variance(b, y), {r: (1, 4)})
    cosh, sinh = (r**3 + r**-3) / 2, (r**3 - r**-3) / 2
    second = identical(4 * sinh**2 * best_variance(b, y) - 1, cosh ** Rational(2, 3), {r: (1, 4)})
    return every([first, second])


@proves("The expansion for small eps.", Method.SYMBOLIC)
@mutant("1/12.1", zeroth=Fraction(10, 121))
@mutant("-eps^2/720", second=-Fraction(1, 720))
@mutant("1/18143", fourth=Fraction(1, 18143))
def series_of_sigma_squared(
    zeroth: Fraction = Fraction(1, 12),
    second: Fraction = Fraction(1, 720),
    fourth: Fraction = Fraction(1, 18144),
) -> Finding:
    """sigma^2 = 2/eps^2 - 1/12 + eps^2/720 + eps^4/18144 + O(eps^6)."""
    x = symbols("x")
    up, down = exponential(x / 2, x, 11), exponential(-x / 2, x, 11)
    twice_cosh, twice_sinh_over_x = up + down, ((up - down) / x).expand()
    expansion = 2 - zeroth * x**2 + second * x**4 + fourth * x**6  # times x^2
    power = twice_sinh_over_x**2 * expansion - 1  # 4 sinh^2 sigma^2 - 1 = cosh^(2/3)
    return vanishes_to_order(power**3 - twice_cosh**2 / 4, x, 8)


CLAIMS = (
    Claim(
        id="KSW-S2",
        source="our own, for equation (2)",
        states=(
            least_second_moment,
            value_at_the_best_y,
            least_mean_absolute,
            other_spellings,
        ),
        domain="b = e^-eps, y = gamma + b (1 - gamma), x = y*; c is the root of b and r = 1 / c; all gamma",
        status=Status.PROVED,
        checks=checks_of(
            least_second_moment,
            value_at_the_best_y,
            least_mean_absolute,
            other_spellings,
            gamma_for_small_epsilon,
        ),
        assumes=("KSW-S1",),
        ours=True,
        note="The expansion of gamma* is put into its equation (b + (1 - b) gamma)^3 = b (1 + b) / 2, whose derivative in gamma is of order eps: agreement below eps^7 fixes gamma* below eps^6.",
    ),
    Claim(
        id="KSW-E2",
        source="Equation (2)",
        says="sigma^2(eps), the least variance of a staircase of sensitivity 1, in closed form.",
        latex=r"\sigma^2(\varepsilon) = \frac{2^{-2/3} e^{-2\varepsilon/3} (1 + e^{-\varepsilon})^{2/3} + e^{-\varepsilon}}{(1 - e^{-\varepsilon})^2} = \frac{1 + \cosh^{2/3}(\varepsilon/2)}{4 \sinh^2(\varepsilon/2)} = \frac{2}{\varepsilon^2} - \frac{1}{12} + \frac{\varepsilon^2}{720} + \frac{\varepsilon^4}{18144} + O(\varepsilon^6)",
        domain="eps > 0",
        status=Status.PROVED,
        checks=checks_of(printed_formula, series_of_sigma_squared),
        assumes=("KSW-S2",),
        steps=(
            ByCheck("series_of_sigma_squared"),
            ByClaim("KSW-S2", "KSW-S2 is the minimum over gamma."),
            ByHand(
                "For the expansion, 4 sinh^2(eps/2) sigma^2 - 1 is cosh^(2/3)(eps/2): its cube is compared with cosh^2(eps/2) below eps^8; the factor 4 sinh^2 is of order eps^2, which fixes sigma^2 below eps^6."
            ),
        ),
        obligations=parts_of(printed_formula),
    ),
)
