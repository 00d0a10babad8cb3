"""The noisy clipped mean: Proposition 3.0.1, its sharp form, and what its privacy rests on."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, reworded
from proofs_check.claim import Check, Claim, Finding, Method, Status, every
from proofs_check.language import (
    TERMS,
    Condition,
    Domain,
    Private,
    Quantity,
    decided,
    for_all,
    real_symbols,
    rearrange,
    solve,
)
from proofs_check.papers.tri.common import Box, clipping_constant, inverse_root, printed_table
from proofs_check.smt import absolute, all_of, choose, exact, implies, reals, valid
from proofs_check.steps import ByClaim, ByDefinition, ByHand
from proofs_check.symbolic import exp as e_to
from proofs_check.symbolic import identical, integrate, oo, simplify, symbols

__all__ = [
    "CLAIMS",
    "clipped_mean_error",
    "clipped_mean_error_sharp",
    "clipped_sum_moves",
    "clipping_margin",
    "sharp_margin",
]

PRINTED = (
    ((1000, 1, "0.1", 2, 0, 1), "0.011882"),
    ((1000, "0.1", "0.01", 2, 0, 1), "8.0813"),
    ((10000, "0.5", "0.05", 4, -1, 1), "0.00260441500743375"),
    ((50, 2, "0.5", 3, 0, 1), "0.272931370849898"),
)
SHARP = (
    (PRINTED[0][0], "0.01106728"),
    (PRINTED[1][0], "0.52089208"),
    (PRINTED[2][0], "0.00260166711164728"),
    (PRINTED[3][0], "0.270872501880198"),
)
"""(n, eps, beta, lam, a, b) and the bound on the mean square error."""

MARGINS = (
    (("0.1", 2), "2.4"),
    (("0.01", 2), "24.99"),
    (("0.1", 3), "1.21716123890037"),
    (("0.01", 4), "2.19301330365965"),
)
"""(beta, lam) and the sharp margin."""

ONE_PERCENT = Fraction(101, 100)


def clipping_margin(beta: Any, lam: Any, *, numbers: Any) -> Any:
    """Margin of the thesis: beta^(-1/(lam - 1))."""
    return inverse_root(beta, lam, -1, numbers=numbers)


def sharp_margin(beta: Any, lam: Any, *, numbers: Any) -> Any:
    """Sharp margin: (K(lam)/beta)^(1/(lam-1)); (1 - 4 beta^2)_+ / (4 beta) for lam = 2."""
    if lam == 2:
        return numbers.largest(Fraction(0), (1 - 4 * beta * beta) / (4 * beta))
    return inverse_root(clipping_constant(lam, numbers=numbers) / beta, lam, numbers=numbers)


def error(n: Any, eps: Any, beta: Any, width: Any) -> Any:
    """1/n + beta^2 + 2 width^2 / (eps n)^2."""
    return 1 / n + beta * beta + 2 * width * width / (eps * eps * n * n)


def clipped_mean_error(
    n: Any, eps: Any, beta: Any, lam: Any, a: Any, b: Any, *, numbers: Any
) -> Any:
    """Proposition 3.0.1: 1/n + beta^2 + (2/(eps n)^2) (b - a + 2 beta^(-1/(lam - 1)))^2."""
    return error(n, eps, beta, b - a + 2 * clipping_margin(beta, lam, numbers=numbers))


def clipped_mean_error_sharp(
    n: Any, eps: Any, beta: Any, lam: Any, a: Any, b: Any, *, numbers: Any
) -> Any:
    """The same with the sharp margin."""
    return error(n, eps, beta, b - a + 2 * sharp_margin(beta, lam, numbers=numbers))


@proves("The sum of records clipped to [a, b] has sensitivity b - a, and attains it.", Method.SMT)
@mutant("0.99 (b - a)", reach=Fraction(99, 100))
def clipped_sum_moves(reach: Fraction = Fraction(1)) -> Finding:
    """A swap moves the sum of records clipped to [a, b] by at most b - a, and by that if it can."""

    def clip(x: Any, a: Any, b: Any) -> Any:
        return choose(x < a, a, choose(x > b, b, x))

    def statement(x: Any, y: Any, a: Any, b: Any) -> Any:
        moved = absolute(clip(x, a, b) - clip(y, a, b))
        farthest = implies(all_of(x <= a, y >= b), moved == b - a)
        return implies(a < b, all_of(moved <= exact(reach) * (b - a), farthest))

    return valid(reals("x y a b"), statement)


@proves("The density ratio is at most e^eps at every point.", Method.SMT)
@mutant("0.99 eps", scale=Fraction(99, 100))
@decided(solve, polynomial=True)
def laplace_ratio(scale: Fraction = Fraction(1)) -> Private:
    """(|t - u| - |t - w|) eps / Delta <= eps at every point t, for means u, w at most Delta apart."""
    t, u, w, eps, delta = real_symbols("t u w eps Delta")
    domain = Domain((eps > 0, delta > 0, absolute(u - w) <= delta), free=(t,))
    loss = eps * absolute(absolute(t - w) - absolute(t - u)) / delta
    what = "A function of bounded sensitivity with Laplace noise"
    return Private(what, "a change by that sensitivity", domain, loss, scale * eps)


@proves("The tail has probability beta exactly.", Method.SYMBOLIC)
@mutant("1.01 log(1/beta)", factor=ONE_PERCENT)
@for_all(
    reals("beta eps Delta"),
    "The noise exceeds {level} in absolute value with probability {right}, exactly.",
    terms=lambda v: {"level": v["Delta"] * TERMS.log(1 / v["beta"]) / v["eps"]},
    by=rearrange,
    box={"beta": (Fraction(1, 9), 1), "eps": (1, 3), "Delta": (1, 5)},
)
def laplace_tail(beta: Any, eps: Any, delta: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """P[|noise| >= Delta log(1/beta) / eps] = beta, with the density's integral 1."""

    def tail(chance: Any, rate: Any, reach: Any) -> Any:
        t, r, s = symbols("t r s", positive=True)
        both = simplify(2 * integrate(e_to(-t / s) / (2 * s), (t, r, oo)))
        whole, scale = both.subs(r, 0), reach / rate
        return both.subs({r: factor * scale * SYMBOLIC.log(1 / chance), s: scale}) / whole

    exceeded = Quantity(
        "P(|Lap(Delta / eps)| >= Delta log(1 / beta) / eps)",
        r"P\big[|\mathrm{Lap}(\Delta/\varepsilon)|\ge\tfrac{\Delta\log(1/\beta)}{\varepsilon}\big]",
        tail,
    )
    given = all_of(beta > 0, beta <= 1, eps > 0, delta > 0)
    return implies(given, exceeded(beta, eps, delta) == beta)


@encloses("Values of the bound.", Method.ENCLOSURE)
@mutant("2.02 margins for 2", two=Fraction(202, 100))
def printed_values(two: Fraction = Fraction(2)) -> Finding:
    """Values of the bound."""

    def formula(n: Any, eps: Any, beta: Any, lam: Any, a: Any, b: Any, *, numbers: Any) -> Any:
        return error(n, eps, beta, b - a + two * clipping_margin(beta, lam, numbers=numbers))

    return printed_table(formula, PRINTED)


@proves(
    "At the margin beta^(-1/(lam-1)) the bias bound of Lemma B.1.2 is K(lam) beta, less than beta.",
    Method.SYMBOLIC,
)
@mutant("exponent 1 % larger", power=ONE_PERCENT)
def bias_at_margin(power: Fraction = Fraction(1)) -> Finding:
    """At the thesis' margin c the bias bound K/c^(lam-1) is K beta; at the sharp one it is beta."""
    beta, more = symbols("beta more", positive=True)
    lam = 1 + more
    k = clipping_constant(lam, numbers=SYMBOLIC)
    domain: Box = {beta: (Fraction(1, 100), Fraction(1, 2)), more: (Fraction(6, 5), 5)}
    printed = clipping_margin(beta, lam, numbers=SYMBOLIC)
    sharp = sharp_margin(beta, lam, numbers=SYMBOLIC)
    return every(
        (
            identical(k / printed ** (power * more), k * beta, domain),
            identical(k / sharp ** (power * more), beta, domain),
        )
    )


@proves("The noise has variance 2 s^2.", Method.SYMBOLIC)
@mutant("2.02 s^2", factor=Fraction(202, 100))
def noise_variance(factor: Fraction = Fraction(2)) -> Finding:
    """The variance of Laplace noise of scale s is 2 s^2."""
    t, s = symbols("t s", positive=True)
    variance = 2 * integrate(t**2 * e_to(-t / s) / (2 * s), (t, 0, oo))
    return identical(simplify(variance), factor * s**2, {s: (1, 5)})


@proves("For lam = 2 the sharp bias at c = (1 - 4 beta^2)/(4 beta) equals beta.", Method.SYMBOLIC)
@mutant("4.04 for 4", four=Fraction(404, 100))
def sharp_bias_at_two(four: Fraction = Fraction(4)) -> Finding:
    """At c = (1 - 4 beta^2) / (4 beta) the sharp bias (sqrt(1 + c^2) - c) / 2 equals beta."""
    beta = symbols("beta", positive=True)
    c = (1 - four * beta**2) / (4 * beta)
    domain: Box = {beta: (0, Fraction(1, 2))}
    w = (1 + 4 * beta**2) / (4 * beta)
    return every(
        (identical(1 + c**2, w**2, domain), identical((w - c) / 2, beta, domain)),
    )


@encloses("Values of the margin and of the bound.", Method.ENCLOSURE)
@mutant("a margin 1 % larger", factor=ONE_PERCENT)
def sharp_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of the sharp margin and of the bound with it."""

    def margin(beta: Any, lam: Any, *, numbers: Any) -> Any:
        return factor * sharp_margin(beta, lam, numbers=numbers)

    def formula(n: Any, eps: Any, beta: Any, lam: Any, a: Any, b: Any, *, numbers: Any) -> Any:
        return error(n, eps, beta, b - a + 2 * margin(beta, lam, numbers=numbers))

    return every((printed_table(margin, MARGINS), printed_table(formula, SHARP)))


CLAIMS = (
    Claim(
        id="TRI-DB.1.3",
        source="Definition B.1.3",
        says="The sensitivity of a function is its largest change when one record is replaced.",
        latex=r"\Delta(f)=\sup_{x\sim x'}|f(x)-f(x')|",
        domain="neighbors of the same length that differ in one record",
        status=Status.DEFINITION,
        checks=checks_of(clipped_sum_moves),
    ),
    Claim(
        id="TRI-LB.1.4",
        source="Lemma B.1.4",
        states=(
            laplace_ratio,
            laplace_tail,
        ),
        domain="Delta is the sensitivity, the noise has scale Delta / eps, u and w are the values at neighbors",
        status=Status.PROVED,
        assumes=("TRI-DB.1.3",),
        checks=checks_of(laplace_ratio, laplace_tail),
        steps=(
            ByDefinition(
                "PDP-D1",
                "A bound on the ratio of densities at every point bounds the ratio on every set.",
            ),
        ),
        obligations=parts_of(laplace_tail),
    ),
    Claim(
        id="TRI-P3.0.1",
        source="Proposition 3.0.1",
        says=(
            "The mean of records clipped to [a - c, b + c], c = beta^(-1/(lam - 1)), with Laplace "
            "noise, is eps-DP, has bias at most beta, and a mean square error of at most the bound."
        ),
        latex=r"\mathrm{MSE}\le\frac1n+\beta^2+\frac{2}{\varepsilon^2n^2}"
        r"\left(b-a+2\beta^{-1/(\lambda-1)}\right)^2",
        domain="eps, beta > 0, a < b, lam >= 2, mean in [a, b], E|X - mu|^lam <= 1, n >= 1",
        status=Status.PROVED,
        assumes=("TRI-LB.1.2", "TRI-LB.1.4"),
        checks=checks_of(
            Check(
                "A swap moves the clipped sum by at most the width, so eps is that of the noise.",
                Method.SMT,
                clipped_sum_moves,
                mutants={"0.99 of the width": {"reach": Fraction(99, 100)}},
            ),
            bias_at_margin,
            noise_variance,
            printed_values,
        ),
        steps=(
            *by_checks(clipped_sum_moves, bias_at_margin, noise_variance),
            ByClaim("TRI-LB.1.4", "Lemma B.1.4 with sensitivity width/n gives privacy."),
            ByHand(
                "Since mu lies at least c from both ends, Lemma B.1.2 gives bias <= K(lam) / c^(lam-1) = K(lam) beta <= beta, and MSE <= Var/n + bias^2 + 2 scale^2, with Var <= (E|X - mu|^lam)^(2/lam) <= 1."
            ),
        ),
    ),
    Claim(
        id="TRI-P3.0.1-sharp",
        source="our own",
        ours=True,
        says=(
            "The margin c = (K(lam)/beta)^(1/(lam-1)), for lam = 2 even (1 - 4 beta^2)/(4 beta) "
            "(0 from beta = 1/2 on), already gives bias at most beta, with less noise."
        ),
        latex=r"\mathrm{MSE}\le\frac1n+\beta^2+\frac{2(b-a+2c)^2}{\varepsilon^2n^2},\quad "
        r"c=(K(\lambda)/\beta)^{1/(\lambda-1)}",
        domain="as Proposition 3.0.1",
        status=Status.PROVED,
        assumes=("TRI-LB.1.2", "TRI-LB.1.4"),
        checks=checks_of(
            reworded(bias_at_margin, "At this margin the bias bound of Lemma B.1.2 equals beta."),
            sharp_bias_at_two,
            sharp_values,
        ),
        steps=(
            *by_checks(bias_at_margin, sharp_bias_at_two),
            ByHand("As Proposition 3.0.1."),
            ByClaim(
                "TRI-LB.1.2",
                "For lam = 2 and beta >= 1/2 the bias without a margin is at most (sqrt(1 + 0) - 0)/2 = 1/2 <= beta.",
            ),
        ),
    ),
)
