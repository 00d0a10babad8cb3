"""The least worst-case error when records are replaced, and its scaling (KSW, Section 3.2).

R_sw and R_ar are infima over private estimators of the largest n^2 MSE over large datasets.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls
from proofs_check.language import Condition, absolute, all_of, choose, for_all, implies, reals
from proofs_check.papers.ksw.common import decay, half_epsilon_steps
from proofs_check.papers.ksw.noise.staircase import (
    best_variance,
    best_y_cubed,
    second_moment,
    sigma_squared,
)
from proofs_check.steps import ByCheck, ByClaim, ByHand, Cited
from proofs_check.symbolic import Rational, identical, log, symbols

__all__ = ["CLAIMS", "sigma_squared_in_v"]

Formula = Callable[..., Any]

B = symbols("b", positive=True)


def sigma_squared_in_v(v: Any) -> Any:
    """sigma^2 = (1 + v) / (4 (v^3 - 1)), where cosh(eps / 2) = v^(3/2)."""
    return (1 + v) / (4 * (v**3 - 1))


@proves("Staircase noise of sensitivity w on the sum gives n^2 MSE = w^2 V.", Method.SYMBOLIC)
@mutant("w for w^2", w_power=1)
def upper_bound_for_swaps(w_power: int = 2) -> Finding:
    """Staircase noise of sensitivity w on the sum, over n: n^2 MSE = w^2 V, less after clipping."""
    n, w, y = symbols("n w y", positive=True)
    mse = w**w_power * second_moment(B, y) / n**2  # of (sum + w Z) / n
    return identical(
        n**2 * mse, w**2 * second_moment(B, y), {B: (0, 1), w: (2, 9), y: (0, 1), n: (1, 9)}
    )


@proves("Clipping to an interval that contains the mean does not increase the error.", Method.SMT)
@mutant("means from -0.01", low=Fraction(-1, 100))
@for_all(reals("r m"))
def clipping_helps(r: Any, m: Any, *, low: Fraction = Fraction(0)) -> Condition:
    """|Clip(r, [0, 1]) - m| <= |r - m| for every m in [0, 1]."""
    clipped = choose(r < 0, Fraction(0), choose(r > 1, Fraction(1), r))
    given = all_of(low <= m, m <= 1)
    return implies(given, absolute(clipped - m) <= absolute(r - m))


@proves("Replacing a record moves the sum by at most w.", Method.SMT)
@mutant("records up to 1.01", width=Fraction(101, 100))
@for_all(reals("x y"))
def swap_sensitivity(x: Any, y: Any, *, width: Fraction = Fraction(1)) -> Condition:
    """Replacing one record of [0, 1] moves the sum by at most 1."""
    inside = all_of(0 <= x, x <= width, 0 <= y, y <= width)
    return implies(inside, absolute(x - y) <= 1)


@proves("sigma^2 < 2 / eps^2 for every eps.", Method.SMT)
@mutant("1.98 for 2", two=Fraction(198, 100))
def below_two_over_epsilon_squared(two: Fraction = Fraction(2)) -> Finding:
    """sigma^2 < 2 / eps^2 says (eps / 2)^2 < 1 / (2 sigma^2)."""
    return half_epsilon_steps(lambda v: two / 4 / sigma_squared_in_v(v), above=True)


@proves("sigma^2 > 2 / eps^2 - 1/12 for every eps.", Method.SMT)
@mutant("1/12.1 for 1/12", twelfth=Fraction(10, 121))
def above_two_over_epsilon_squared(twelfth: Fraction = Fraction(1, 12)) -> Finding:
    """sigma^2 > 2 / eps^2 - 1/12 says (eps / 2)^2 > 1 / (2 (sigma^2 + 1/12))."""
    return half_epsilon_steps(
        lambda v: Fraction(1, 2) / (sigma_squared_in_v(v) + twelfth), above=False
    )


@proves("sigma^2 = (1 + v) / (4 (v^3 - 1)) with v = cosh^(2/3)(eps/2).", Method.SYMBOLIC)
@mutant("1.01 + v", closed=lambda v: sigma_squared_in_v(v) + 1 / (400 * (v**3 - 1)))
def sigma_in_v(closed: Formula = sigma_squared_in_v) -> Finding:
    """Equation (2) with e^(eps/2) = r: v = cosh^(2/3)."""
    r = symbols("r", positive=True)
    v = ((r + 1 / r) / 2) ** Rational(2, 3)
    left = sigma_squared(2 * log(r)) - closed(v)
    return identical(left, 0, {r: (1, 4)})


@encloses("k has to grow: for 282 records the constant 141 beats sigma^2(1/100).", Method.ENCLOSURE)
@mutant("283 records", records=283)
def constants_beat_the_bound(epsilon: Fraction = Fraction(1, 100), records: int = 282) -> Finding:
    """On k records the constant k / 2 has worst squared error k^2 / 4: less than sigma^2 at first."""
    numbers = Balls(64)
    b = decay(epsilon, numbers=numbers)
    least = best_variance(b, numbers.root(best_y_cubed(b), 3))
    worst = Fraction(records**2, 4)
    return exactly(least > worst, f"{worst} against {least!r}")


@proves("The squared error of l + w f on D is w^2 times that of f on (D - l) / w.", Method.SYMBOLIC)
@mutant("w^3 for w^2", power=3)
def affine(power: int = 2) -> Finding:
    """(l + w f - mean)^2 = w^2 (f - mean of (x - l) / w)^2, for n records of sum S."""
    low, w, f, total, n = symbols("l w f S n", positive=True)
    left = (low + w * f - total / n) ** 2
    right = w**power * (f - (total - n * low) / (w * n)) ** 2
    return identical(left, right, {low: (0, 5), w: (2, 9), f: (0, 1), total: (1, 50), n: (1, 9)})


CLAIMS = (
    Claim(
        id="KSW-E1",
        source="Equation (1)",
        says=(
            "With neighbors that replace a record the least worst-case n^2 MSE is w^2 sigma^2(eps) "
            "up to a factor that goes to 1; from above it holds for every n."
        ),
        latex=r"R_{sw}(\varepsilon) = w^2 \sigma^2(\varepsilon) (1 \pm o(1))",
        domain="eps > 0, n to infinity",
        status=Status.ASYMPTOTIC,
        checks=checks_of(upper_bound_for_swaps, clipping_helps, swap_sensitivity),
        assumes=("KSW-D2", "KSW-S2", "KSW-L6"),
        steps=(
            *by_checks(upper_bound_for_swaps, clipping_helps, swap_sensitivity),
            ByClaim("KSW-L6", "The lower bound; n is public here, and the upper bound is exact."),
        ),
    ),
    Claim(
        id="KSW-E3",
        source="Equation (3)",
        says="For small eps the least worst-case n^2 MSE with replaced records is 2 w^2 / eps^2.",
        latex=r"R_{sw}(\varepsilon) = \frac{2 w^2}{\varepsilon^2} (1 \pm o(1)), \qquad \frac{2}{\varepsilon^2} - \frac1{12} < \sigma^2(\varepsilon) < \frac{2}{\varepsilon^2}",
        domain="eps to 0, n to infinity; the bounds of sigma^2 for every eps > 0",
        status=Status.ASYMPTOTIC,
        checks=checks_of(
            sigma_in_v, below_two_over_epsilon_squared, above_two_over_epsilon_squared
        ),
        assumes=("KSW-E1", "KSW-E2"),
        steps=(
            *by_checks(sigma_in_v, below_two_over_epsilon_squared, above_two_over_epsilon_squared),
            ByHand(
                "Each bound of sigma^2 compares (eps/2)^2 with a quotient Q of polynomials in v: equal at v = 1, and the derivative of sqrt(Q) compared with that of eps/2 for all v > 1."
            ),
            ByClaim("KSW-E1", "Times w^2 the least worst-case error has this order."),
        ),
    ),
    Claim(
        id="KSW-L6",
        source="Lemma 6, quoted from Geng and Viswanath",
        says=(
            "With replaced records of [0, 1] and k of them, no private estimate of the sum has a "
            "smaller worst-case squared error than sigma^2(eps), up to a factor that goes to 1."
        ),
        latex=r"\inf_{\hat S} \sup_{|D| = k} \mathrm{E} (\hat S - S)^2 \ge \sigma^2(\varepsilon) (1 - o(1)), \quad k \to \infty",
        domain="eps > 0 fixed, k to infinity",
        status=Status.CITED,
        checks=checks_of(
            reworded(
                upper_bound_for_swaps,
                "The bound is attained: staircase noise has worst-case error V, and min V = sigma^2.",
            ),
            constants_beat_the_bound,
        ),
        assumes=("KSW-S2",),
        steps=(
            ByCheck("upper_bound_for_swaps"),
            Cited(
                "Geng and Viswanath 2016, The optimal noise-adding mechanism in differential privacy",
                "the theorem for real queries",
                "Geng and Viswanath show that among all laws on the line whose probabilities change by at most e^eps under shifts of at most 1, none has a smaller second moment than the best staircase.",
            ),
        ),
        note="Not proved anew.",
    ),
    Claim(
        id="KSW-L10",
        source="Lemma 3 of the first version",
        says="The least worst-case error scales with the square of the width of the interval.",
        latex=r"R_{ar}(\varepsilon, \ell, u) = w^2 R_{ar}(\varepsilon, 0, 1)",
        domain="eps > 0, l < u, w = u - l",
        status=Status.PROVED,
        checks=checks_of(affine),
        steps=(
            ByHand(
                "x -> (x - l) / w maps datasets in [l, u] one to one to datasets in [0, 1] of the same size, and neighbors to neighbors; so f -> l + w f maps private estimators one to one."
            ),
        ),
        obligations=parts_of(affine),
        note="Print has an inequality; it is an equality (see KSW-ER5).",
    ),
)
