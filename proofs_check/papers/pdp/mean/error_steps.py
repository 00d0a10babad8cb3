"""How the error of Algorithm 7 is split (PDP, equations (8), (9), (10), (15), (16)).

The error is at most a bias, a clipping error, the Laplace noise and the sampling error; the bias
is zero. xi is half the width of the interval around mu in which everything is considered.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import TERMS, Condition, Quantity, enumerated, for_all, rearrange
from proofs_check.papers.pdp.common import LESS, PERCENT, larger, smaller
from proofs_check.papers.pdp.tools.saturation import examples, saturation
from proofs_check.smt import absolute, all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import (
    Rational,
    erf,
    exp,
    identical,
    integrate,
    log,
    oo,
    pi,
    sqrt,
    symbols,
)

__all__ = ["CLAIMS", "noise_quantile", "sampling_error"]


def noise_quantile(scale: Any, beta: Any, parts: Any = 12, *, numbers: Any) -> Any:
    """Equation (15): Laplace noise of this scale exceeds scale * ln(12 / beta) w.p. beta / 12."""
    return scale * numbers.log(parts / beta)


def sampling_error(
    sigma: Any, squares: Any, total: Any, largest: Any, xi: Any, level: Any, *, numbers: Any
) -> Any:
    """Equation (16): sigma sqrt(2 L sum eps~^2) / A + xi L max eps~ / (3 A); L is `level`."""
    return sigma * numbers.sqrt(2 * squares * level) / total + xi * largest * level / (3 * total)


@proves("The triangle inequality.", Method.SMT)
@mutant("0.99 of the second term", weight=LESS)
@for_all(
    reals("a b c"),
    "Of three numbers the distance of the first from the last is at most the sum of the distances from the middle one.",
)
def triangle(a: Any, b: Any, c: Any, *, weight: Fraction = Fraction(1)) -> Condition:
    """|a - c| <= |a - b| + |b - c|."""
    return absolute(a - c) <= absolute(a - b) + weight * absolute(b - c)


@proves("The normal law conditioned on [mu - xi, mu + xi] has mean mu.", Method.SYMBOLIC)
@mutant("[mu - xi, mu + 1.01 xi]", upper=PERCENT)
@for_all(
    reals("s xi"),
    "The normal law cut off at the same distance on both sides keeps its mean: {left} is {right}, so the bias of truncation is zero.",
    by=rearrange,
    box={"s": (1, 3), "xi": (1, 3)},
)
def truncated_mean(s: Any, xi: Any, *, upper: Fraction = Fraction(1)) -> Condition:
    """The integral of x exp(-x^2 / (2 s^2)) over [-xi, xi] is 0: truncation keeps the mean mu."""

    def moment(scale: Any, end: Any) -> Any:
        y = symbols("y", real=True)
        high = end * Rational(upper.numerator, upper.denominator)
        return integrate(y * exp(-(y**2) / (2 * scale**2)), (y, -end, high))

    first = Quantity(
        "the integral of x e^(-x^2 / (2 s^2)) over [-xi, xi]",
        r"\int_{-\xi}^{\xi} x\, e^{-x^2 / (2 s^2)}\, dx",
        moment,
    )
    return implies(all_of(s > 0, xi > 0), first(s, xi) == 0)


@proves("Clipping the truncated data is clipping the data.", Method.SMT)
@mutant("the range may stick out by 0.01", slack=Fraction(1, 100))
def nested_clipping(slack: Fraction = Fraction(0)) -> Finding:
    """Clipping to [l, r] after clipping to an interval that contains it is clipping to [l, r]."""

    def clip(x: Any, low: Any, high: Any) -> Any:
        return larger(low, smaller(x, high))

    def statement(x: Any, low: Any, high: Any, xi: Any) -> Any:
        given = all_of(low <= high, -xi <= low + exact(slack), high <= xi)
        return implies(given, clip(clip(x, -xi, xi), low, high) == clip(x, low, high))

    return valid(reals("x l r xi"), statement)


@confirms("A(eps / 2) >= A(eps) / 2 for all vectors of examples, with equality.", Method.EXACT)
@mutant("0.505 for 1/2", share=Fraction(505, 1000))
def half_budgets_lose_half(share: Fraction = Fraction(1, 2)) -> Finding:
    """A(eps / 2) >= A(eps) / 2, so the noise has scale |Range| / A(eps / 2) <= 2 |Range| / A."""
    attained = False
    for budgets in examples():
        whole = saturation(budgets).total
        half = saturation([e / 2 for e in budgets]).total
        attained = attained or 2 * half == whole
        if half < share * whole:
            return exactly(False, f"A(eps / 2) = {half}, A = {whole} for {budgets}")
    return exactly(attained, "all vectors, with equality for some")


@proves("The tail of the Laplace law.", Method.SYMBOLIC)
@mutant("12.12 for 12", parts=12 * PERCENT)
@for_all(
    reals("s beta"),
    "The noise exceeds its scale times {level} with probability {right}, exactly.",
    terms=lambda v: {"level": TERMS.log(12 / v["beta"])},
    by=rearrange,
    box={"s": (1, 5), "beta": (0, 1)},
)
def noise_tail(s: Any, beta: Any, *, parts: Fraction = Fraction(12)) -> Condition:
    """P(|Lap(s)| > s ln(12 / beta)) = beta / 12."""

    def tail(scale: Any, chance: Any) -> Any:
        x = symbols("x", positive=True)
        density = exp(-x / scale) / scale
        number = Rational(parts.numerator, parts.denominator)
        cut = noise_quantile(scale, chance, number, numbers=SYMBOLIC)
        return integrate(density, (x, 0, oo)) - integrate(density, (x, 0, cut))

    above = Quantity(
        "P(|Lap(s)| > s ln(12 / beta))",
        r"\Pr\big(|\mathrm{Lap}(s)| > s \ln\tfrac{12}{\beta}\big)",
        tail,
    )
    return implies(all_of(s > 0, beta > 0, beta < 1), above(s, beta) == beta / 12)


@proves(
    "Weights eps~ / A: their squares sum as printed, the largest is at most tau / A.", Method.EXACT
)
@mutant("1.01 tau^2", factor=PERCENT)
@enumerated("vectors of budgets", lambda: iter(examples()))
def weights_of_the_mean(vectors: Iterator[Any], factor: Fraction = Fraction(1)) -> Finding:
    """With w = eps~ / A: sum w^2 = (sum eps^2 + (n - k) tau^2) / A^2 and max w <= tau / A."""
    for vector in vectors:
        found = saturation(vector)
        total = found.total
        weights = [e / total for e in found.budgets]
        squares = sum((e * e for e in vector[: found.k]), Fraction(0))
        squares += (len(vector) - found.k) * found.tau**2 * factor
        same = sum(w * w for w in weights) == squares / total**2
        if not same or max(weights) > found.tau / total or sum(weights) != 1:
            return exactly(False, f"differs for {[str(e) for e in vector]}")
    return exactly(True, "for every vector")


@proves("Clipping moves no two values apart.", Method.SMT)
@mutant("0.99 (x - y)^2", factor=LESS)
@for_all(reals("x y xi"), polynomial=True)
def clipping_contracts(x: Any, y: Any, xi: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """(clip x - clip y)^2 <= (x - y)^2, so clipping lowers the variance."""
    a, b = (larger(-xi, smaller(v, xi)) for v in (x, y))
    return implies(xi >= 0, (a - b) * (a - b) <= factor * (x - y) * (x - y))


@proves(
    "Conditioning lowers the variance: the second moment is P(|X| <= a) - 2 a phi(a).",
    Method.SYMBOLIC,
)
@mutant("2.02 a phi(a)", linear=2 * PERCENT)
def truncated_variance(linear: Fraction = Fraction(2)) -> Finding:
    """The integral of x^2 phi over [-a, a] is P(|X| <= a) - 2 a phi(a): truncation lowers it."""
    a = symbols("a", positive=True)
    x = symbols("x", real=True)
    density = exp(-(x**2) / 2) / sqrt(2 * pi)
    moment = integrate(x**2 * density, (x, -a, a))
    inside = erf(a / sqrt(2))
    c = Rational(linear.numerator, linear.denominator)
    return identical(moment, inside - c * a * exp(-(a**2) / 2) / sqrt(2 * pi), {a: (1, 4)})


@proves("Theorem 8 with these weights has the stated shape.", Method.SYMBOLIC)
@mutant("1.01 / 3", third=PERCENT / 3)
def sampling_shape(third: Fraction = Fraction(1, 3)) -> Finding:
    """Theorem 8 with sum w^2 = Q / A^2, max w = tau / A, M = xi has the printed shape."""
    sigma, q, total, tau, xi, level = symbols("sigma Q A tau xi L", positive=True)
    right = sampling_error(sigma, q, total, tau, xi, level, numbers=SYMBOLIC)
    c = Rational(third.numerator, third.denominator)
    bound = sigma * sqrt(2 * (q / total**2) * level) + c * xi * (tau / total) * level
    return identical(bound, right, dict.fromkeys((sigma, q, total, tau, xi, level), (1, 5)))


@proves("Both tails together have probability beta / 12.", Method.SYMBOLIC)
@mutant("24.24 for 24", parts=24 * PERCENT)
def two_sides(parts: Fraction = Fraction(24)) -> Finding:
    """Two tails with L = ln(24 / beta) have probability beta / 12 together."""
    beta = symbols("beta", positive=True)
    level = log(Rational(parts.numerator, parts.denominator) / beta)
    return identical(2 * exp(-level), beta / 12, {beta: (0, 1)})


CLAIMS = (
    Claim(
        id="PDP-E8",
        source="Theorem 11, equation (8)",
        states=(triangle, truncated_mean),
        domain="a is the estimate, b the mean of the truncated normal law, c its mean mu, which is b: the error is at most the distance from it; sigma = s",
        status=Status.PROVED,
        checks=checks_of(triangle, truncated_mean),
        steps=(ByHand("Shift by mu."),),
        note="If truncation is read as clipping, the two ends add equal masses at mu - xi and mu + xi, which keep the mean. That the estimated range lies within [mu - xi, mu + xi] for the printed xi is another matter: see PDP-E-21.",
    ),
    Claim(
        id="PDP-E9",
        source="Theorem 11, equation (9)",
        states=(triangle,),
        domain="a the estimate, b the noiseless weighted mean of the truncated data, c the truncated mean: the error of clipping and noise plus the sampling error; any data",
        status=Status.PROVED,
        checks=checks_of(triangle),
    ),
    Claim(
        id="PDP-E10",
        source="Theorem 11, equation (10)",
        says="The error of clipping and noise is at most the clipping error of the weighted mean plus the noise, whose scale |Range| / A(eps / 2) is at most 2 |Range| / A, and so at most the printed 8 |Range| / A.",
        latex=r"|\hat\mu - \mu(D_\xi)| \le |\mu(\mathrm{Clip}(D_\xi)) - \mu(D_\xi)| + |\mathrm{Lap}(|R| / A(\varepsilon/2))|, \quad A(\varepsilon / 2) \ge A(\varepsilon) / 2",
        domain="estimated range R within [mu - xi, mu + xi]",
        status=Status.PROVED,
        checks=checks_of(triangle, nested_clipping, half_budgets_lose_half),
        assumes=("PDP-E-SAT",),
        steps=(
            ByCheck("triangle"),
            ByCheck("nested_clipping"),
            ByClaim(
                "PDP-E-SAT",
                "tau(eps / 2) >= tau(eps) / 2 (PDP-E-SAT), so each min(eps_i / 2, tau(eps / 2)) is at least min(eps_i, tau) / 2, for all vectors.",
            ),
            ByHand(
                "Laplace noise of a smaller scale exceeds every level with smaller probability; in this sense 8 may stand for 2."
            ),
        ),
        note="Truncation is read as clipping to [mu - xi, mu + xi].",
    ),
    Claim(
        id="PDP-E15",
        source="Theorem 11, equation (15)",
        states=(noise_tail,),
        domain="s the scale, any; so also for the true |Range| / A(eps / 2)",
        status=Status.PROVED,
        checks=checks_of(noise_tail),
        note="The last step of the print, |Range| = O(sigma sqrt(log A)), is asymptotic and belongs to Lemma 17.",
    ),
    Claim(
        id="PDP-E16",
        source="Theorem 11, equation (16)",
        says="The sampling error of the noiseless weighted mean, explicitly: with probability at least 1 - beta / 12 it is at most sigma sqrt(2 L sum eps~^2) / A + tau xi L / (3 A), L = ln(24 / beta).",
        latex=r"|\mu(D_\xi) - \mu_{N_\xi}| \le \frac{\sigma \sqrt{2 L \left(\sum_{i \le k} \varepsilon_i^2 + (n-k)\tau^2\right)}}{A} + \frac{\tau \xi L}{3 A}, \quad L = \ln\tfrac{24}{\beta}",
        domain="records independent, truncated to [mu - xi, mu + xi]",
        status=Status.PROVED,
        checks=checks_of(
            weights_of_the_mean, clipping_contracts, truncated_variance, sampling_shape, two_sides
        ),
        assumes=("PDP-T8",),
        steps=(
            ByCheck("weights_of_the_mean"),
            ByCheck("clipping_contracts"),
            ByCheck("sampling_shape"),
            ByCheck("two_sides"),
            ByClaim(
                "PDP-T8", "Theorem 8 bounds one tail; it is used for both, with delta = beta / 24."
            ),
            ByCheck(
                "truncated_variance",
                "Truncation may be read as clipping, or as conditioning: divided by P(|X| <= a) the second moment is below 1.",
            ),
            ByHand("Either way the variance is at most sigma^2, and |X - mu| <= xi."),
            ByHand(
                "The weights are fixed, since budgets are public and independent of the values."
            ),
        ),
        note="The print has this up to constants.",
    ),
)
