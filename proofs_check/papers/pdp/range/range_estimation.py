"""Estimating the range in PDP: Algorithm 6 with private rates, and Lemma 17.

Records survive with p* = (e^eps_i - 1) / (e^tau - 1), or surely if eps_i >= tau; four stages spend tau
on the survivors. tau is public; the best one maximizes tau times the expected number of survivors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, certainly_less
from proofs_check.language import Condition, all_of, choose, for_all, implies, reals
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, larger
from proofs_check.papers.pdp.range.diffusion import private_rate
from proofs_check.papers.pdp.tools.saturation import examples, prefix_ratio, saturation
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, diff, erfc, exp, identical, limit, oo, pi, sqrt, symbols

__all__ = [
    "CLAIMS",
    "half_normal_gap",
    "printed_index",
    "share_kept",
    "stage_budgets",
    "survivor_budget",
    "tail_of_the_width",
]


TINY = Fraction(1, 10**20)


def stage_budgets(tau: Any) -> tuple[Any, ...]:
    """The two scans of the discretization, first radius, quantile, second radius."""
    return (tau / 8, tau / 8, tau / 4, tau / 4, tau / 4)


def survivor_budget(budgets: Sequence[Fraction], tau: Fraction) -> Ball:
    """The value tau E|D_F| = tau sum of min(1, (e^eps_i - 1) / (e^tau - 1))."""
    total = ball(0)
    for epsilon in budgets:
        total = total + (
            1 if epsilon >= tau else private_rate(ball(epsilon), ball(tau), numbers=NUMBERS)
        )
    return total * tau


def printed_index(budgets: Sequence[Fraction]) -> int:
    """max{j : eps_j < R_j}, the rule for k printed in Algorithm 6."""
    return max(j for j in range(1, len(budgets) + 1) if budgets[j - 1] < prefix_ratio(budgets, j))


def index_from_ties(budgets: Sequence[Fraction]) -> int:
    """The same with <= for <."""
    return max(j for j in range(1, len(budgets) + 1) if budgets[j - 1] <= prefix_ratio(budgets, j))


def share_kept(mu: Any, *, numbers: Any) -> Any:
    """P(x > 0) = erfc(-mu / (sigma sqrt(2))) / 2: what the printed D cap R+ keeps, mu in units of sigma."""
    return numbers.erfc(-mu / numbers.sqrt(numbers.rational(Fraction(2)))) / 2


def half_normal_gap(radius: Any, *, numbers: Any) -> Any:
    """P(||X| - |Y|| <= r) = 1 - erfc(r / 2)^2 for standard Gaussians: it is sqrt(2) min(|U|, |V|)."""
    return 1 - numbers.erfc(radius / 2) ** 2


@proves("tau / 8 + tau / 8 + 3 tau / 4 = tau.", Method.EXACT)
@mutant("1.01 tau / 4 for the last stage", last=PERCENT)
def stages_add_up(last: Fraction = Fraction(1)) -> Finding:
    """The five budgets sum to tau."""
    *first, end = stage_budgets(Fraction(1))
    total = sum(first, Fraction(0)) + end * last
    return exactly(total == 1, f"the stages spend {total} tau")


@proves(
    "At p* the amplified loss is eps_i where eps_i < tau, and tau <= eps_i elsewhere.", Method.SMT
)
@mutant("1.01 p*", scale=PERCENT)
@for_all(
    reals("g a p"),
    "At its rate {p} a record of a stage with the factor {a} costs at most the factor {g}.",
)
def rates_meet_the_budgets(g: Any, a: Any, p: Any, *, scale: Fraction = Fraction(1)) -> Condition:
    """1 + p (a - 1) <= g for g = e^eps, a = e^tau and p = (g - 1) / (a - 1) if g < a, else 1."""
    rate = choose(g < a, p * (a - 1) == scale * (g - 1), p == 1)
    return implies(all_of(g > 1, a > 1, rate), 1 + p * (a - 1) <= g)


@proves("The printed rule max{j : eps_j < R_j} for k is the smallest-k rule.", Method.EXACT)
@mutant("<= for <", index=index_from_ties)
def index_rules_agree(index: Callable[[Sequence[Fraction]], int] = printed_index) -> Finding:
    """The printed rule for k is the smallest k with eps_(k+1) >= R_k, for all example vectors."""
    count = 0
    for budgets in examples():
        count += 1
        if index(budgets) != saturation(budgets).k:
            return exactly(False, f"differs for {[str(e) for e in budgets]}")
    return exactly(True, f"equal for all of {count} vectors")


@proves(
    "x / (e^x - 1) is convex and falls, so the best public tau is one of the budgets.",
    Method.SYMBOLIC,
)
@mutant("2.02 e^x for 2 e^x", two=2 * PERCENT)
def between_budgets(two: Fraction = Fraction(2)) -> Finding:
    """f(x) = x / (e^x - 1) is convex and falls: signs of the numerators of f'' and f'.

    f'' = e^x h / (e^x - 1)^3 with h = x (e^x + 1) - 2 e^x + 2, h(0) = h'(0) = 0, h'' = x e^x; the
    numerator e^x - 1 - x e^x of f' is 0 at 0 and has slope -x e^x.
    """
    x = symbols("x", positive=True)
    c = Rational(two.numerator, two.denominator)
    f = x / (exp(x) - 1)
    h = x * (exp(x) + 1) - c * exp(x) + 2
    slope = exp(x) - 1 - x * exp(x)
    box = {x: (0, 5)}
    return every(
        [
            identical(diff(f, x, 2), exp(x) * h / (exp(x) - 1) ** 3, box),
            identical(diff(h, x, 2), x * exp(x), box),
            identical(h.subs(x, 0), diff(h, x).subs(x, 0), {}),
            identical(diff(f, x), slope / (exp(x) - 1) ** 2, box),
            identical(diff(slope, x), -x * exp(x), box),
        ]
    )


@proves("On a grid between the budgets no tau is better than the best budget.", Method.ENCLOSURE)
@mutant("0.99 of the budgets", scale=Fraction(99, 100))
def best_tau_is_a_budget(scale: Fraction = Fraction(1)) -> Finding:
    """The value tau E|D_F| on a grid between the budgets is at most its value at the best budget."""
    for budgets in (("1/10", "1/2", "1", "3"), ("1/5", "1/5", "1/5", "2"), ("1", "1", "1", "10")):
        vector = [Fraction(e) for e in budgets]
        values = [survivor_budget(vector, e * scale) for e in vector]
        ends = [Fraction(1, 100), *vector, vector[-1] * 2]
        grid = [a + (b - a) * Fraction(k, 8) for a, b in pairwise(ends) for k in range(9)]
        for tau in grid:
            found = survivor_budget(vector, tau)
            if not any(certainly_less(found - TINY, value) is True for value in values):
                return exactly(False, f"budgets {budgets}: tau = {tau} is better")
    return exactly(True, "three vectors, nine points between neighboring budgets")


@proves(
    "Number of records that the radius stage may cut off, times tau, for beta = 0.1.",
    Method.ENCLOSURE,
)
@mutant("24.24 for 24", factor=24 * PERCENT)
def printed_cut(factor: Fraction = Fraction(24)) -> Finding:
    """The radius of Algorithm 7 may cut off 24 ln(48 / beta) / tau records, 148.2 / tau at beta = 0.1.

    (6 / (tau / 4)) ln(2 / (beta / 24)), since the range stage has beta / 6 and each of its steps a quarter.
    """
    return as_printed([("cut", "148.2", factor * NUMBERS.log(ball(48) / ball("0.1")))])


@proves("2 (1 - Phi(u)) <= e^(-u^2 / 2).", Method.SYMBOLIC)
@mutant("2.02 / sqrt(pi) in the slope", two=2 * PERCENT)
def tail_of_the_width(two: Fraction = Fraction(2)) -> Finding:
    """erfc(x) <= e^(-x^2): the difference is 0 at 0 and at infinity and first rises, then falls."""
    x = symbols("x", positive=True)
    c = Rational(two.numerator, two.denominator)
    gap = exp(-(x**2)) - erfc(x)
    slope = exp(-(x**2)) * (c / sqrt(pi) - 2 * x)
    ends = (gap.subs(x, 0), limit(exp(-(x**2)), x, oo) - limit(erfc(x), x, oo))
    return every(
        [
            identical(diff(gap, x), slope, {x: (0, 3)}),
            exactly(all(end == 0 for end in ends), "0 at both ends"),
        ]
    )


@proves("The exponent t^2 / (8 sigma^2) of the width of the survivors.", Method.SYMBOLIC)
@mutant("8.08 for 8", eight=8 * PERCENT)
def exponent_of_the_width(eight: Fraction = Fraction(8)) -> Finding:
    """A width of t needs a record t / 2 from mu: P <= erfc(t / (2 sqrt(2) sigma)) <= e^(-t^2 / (8 sigma^2))."""
    t, s = symbols("t sigma", positive=True)
    c = Rational(eight.numerator, eight.denominator)
    left = exp(-((t / (2 * sqrt(2) * s)) ** 2))
    return identical(left, exp(-(t**2) / (c * s**2)), {t: (0, 9), s: (1, 9)})


@proves(
    "The released width is at most 4 |Range(D_F)| + 4 b (printed + 6 b is right too).", Method.SMT
)
@mutant("3.96 for 4", factor=Fraction(396, 100))
@for_all(reals("b range radius R2"))
def width_of_the_output(
    b: Any, spread: Any, radius: Any, found: Any, *, factor: Fraction = Fraction(4)
) -> Condition:
    """2 R2 <= 4 |Range| + 4 b if R2 <= max(b, 2 Rad), Rad <= |Range| + b on the grid."""
    given = all_of(
        b > 0, spread >= 0, radius >= 0, radius <= spread + b, found <= larger(b, 2 * radius)
    )
    return implies(given, 2 * found <= factor * (spread + b))


@encloses("What the printed D cap R+ keeps at mu = 0 and mu = -2 sigma.", Method.ENCLOSURE)
@mutant("1.01 r", scale=PERCENT)
def printed_filter(scale: Fraction = Fraction(1)) -> Finding:
    """D cap R+ keeps half at mu = 0, 2.3 % at mu = -2; the median gap at mu = 0 is 0.5314 sigma."""
    low, high = (half_normal_gap(ball(x) * scale, numbers=NUMBERS) for x in ("0.53135", "0.53145"))
    kept = share_kept(ball(-2) / scale, numbers=NUMBERS)
    if (
        certainly_less(low, Fraction(1, 2)) is not True
        or certainly_less(Fraction(1, 2), high) is not True
    ):
        return exactly(False, "the median gap is not 0.5314 sigma")
    return every(
        [
            exactly(True, "the median gap lies in [0.53135, 0.53145] sigma"),
            as_printed(
                [
                    ("kept at mu = -2", "0.023", kept),
                    ("kept at mu = 0", "0.5", share_kept(ball(0), numbers=NUMBERS)),
                ]
            ),
        ]
    )


CLAIMS = (
    Claim(
        id="PDP-A6",
        source="Algorithm 6 (PDPEstimateRange)",
        says="A private range: diffuse the records, then find a grid width, a radius, a median and a second radius on the survivors, together with budget tau.",
        latex=r"[m - R_2, m + R_2], \qquad p_i = \min\left(1, \frac{e^{\varepsilon_i} - 1}{e^\tau - 1}\right)",
        domain="tau > 0 public; survivors include negative values, BOT is no value (printed: p_i = eps_i / tau, positive records, BOT = 0, radius 2^(i-2) b)",
        status=Status.DEFINITION,
        assumes=("PDP-T10", "PDP-A-DIFF", "PDP-A4", "PDP-A5", "PDP-A2"),
        checks=checks_of(
            stages_add_up, index_rules_agree, between_budgets, best_tau_is_a_budget, printed_cut
        ),
        note="Between neighboring budgets tau E|D_F| is c1 tau + c2 f(tau), convex; below the first it is n tau, beyond the last it falls. That its rates make it private, and the printed ones do not, is PDP-A6p.",
    ),
    Claim(
        id="PDP-A6p",
        source="Algorithm 6, privacy",
        states=(rates_meet_the_budgets,),
        domain="g = e^eps_i and a = e^tau, with tau > 0 public; p is the rate (g - 1) / (a - 1) where g < a, else 1; one record changed; every vector of positive budgets",
        status=Status.CORRECTED,
        ours=True,
        assumes=("PDP-T10", "PDP-A-DIFF", "PDP-A4", "PDP-A5p", "PDP-A2"),
        errata=("PDP-E-01",),
        checks=checks_of(stages_add_up, rates_meet_the_budgets),
        why="With the printed rates the guarantee exceeds eps_i for every eps_i < tau.",
        right="p_i = (e^eps_i - 1) / (e^tau - 1) if eps_i < tau, else 1.",
        steps=(
            ByCheck("stages_add_up"),
            ByCheck("rates_meet_the_budgets"),
            ByHand(
                "Rounding to the grid and filtering to [-R1, R1] act record by record, and each stage sees earlier outputs only."
            ),
            ByHand(
                "So adaptive composition gives tau on the diffused data: discretization costs tau / 4, and each of the two radii and the quantile too."
            ),
            ByClaim("PDP-T10", "Theorem 10 turns tau on the diffused data into eps_i."),
        ),
    ),
    Claim(
        id="PDP-L17",
        source="Lemma 17",
        says="The range is private with the given budgets, and at most four times as wide as the survivors, plus four grid steps; the survivors of Gaussian data are wider than t with small probability.",
        latex=r"\mathrm{width}(\widehat{\mathrm{Range}}) \le 4\, \mathrm{width}(D_F) + 4 b, \qquad P(\mathrm{width}(D_F) \ge t) \le E|D_F|\, e^{-t^2 / (8 \sigma^2)}",
        domain="Gaussian data; the bound on the released width where both radius stages fire at the first radius that covers all",
        status=Status.CORRECTED,
        assumes=("PDP-A6p", "PDP-L16"),
        errata=("PDP-E-01", "PDP-E-10", "PDP-E-20"),
        checks=checks_of(
            tail_of_the_width, exponent_of_the_width, width_of_the_output, printed_filter
        ),
        why="The privacy part is false with the printed rates (Erratum 1), and the utility part for mu <= 0, where D cap R+ drops half of the records or nearly all.",
        right="Rates p*, negatives kept; that the range covers nearly all records, and the order of its width, is PDP-L17u.",
        steps=(
            ByCheck("tail_of_the_width"),
            ByCheck("exponent_of_the_width"),
            ByCheck("width_of_the_output"),
            ByClaim("PDP-A6p", "Privacy is that of Algorithm 6 with rates p*."),
            ByHand(
                "The survivors are wider than t only if one of them is t / 2 away from mu: the expected number of them times 2 (1 - Phi(t / (2 sigma)))."
            ),
            ByHand(
                "If each radius stage fires no later than at the first radius that covers all, its radius is at most twice the needed one."
            ),
        ),
    ),
)
