"""Diffusion rates (PDP, equation (7) and Algorithm 6): which of them keep the budgets.

By Theorem 10 a rate p costs ln(1 + p (e^tau - 1)), and no less for the tightest tau-private
mechanism. So p (e^tau - 1) <= e^eps - 1 is needed and suffices.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.exponential import ExpRatio, ExpSum
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.range.range_law import (
    DIGITS_3,
    RangeStage,
    center_probability,
    release_probability,
)
from proofs_check.papers.pdp.tools.saturation import saturation
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim
from proofs_check.symbolic import Rational, exp, identical, integrate, symbols

__all__ = [
    "CLAIMS",
    "answer_probability",
    "diffused_loss",
    "half_rate",
    "printed_rate",
    "right_rate",
]

Rate = Callable[..., Any]

ROOT = "1.25643120862617"
"""Of e^t = 1 + 2 t, t > 0: up to here equation (7) keeps every budget."""

TABLE = (
    (1, "1", "9", "6.80376221405766", "6.11172401111444", "2.12078996443234e-4"),
    (1, "0.1", "80.1", "73.4141390529316", "72.7209918723717", "1.71754318128751e-36"),
    (10, "0.1", "8.1", "3.72954382888955", "3.06011686944401", "3.19331827944267e-5"),
    (50, "0.1", "1.7", "0.233627107093697", "0.123620796494829", "0.0235074105408838"),
    (1000, "0.1", "0.18", "0.103968228436538", "0.0533346801648623", "0.533274131703553"),
)
"""n equal budgets eps: tau, loss with the rate of Algorithm 6, with (7), and the right rate."""

NEEDED = (("0.01", "6.418"), ("0.1", "6.918"), ("0.5", "10.58"), ("1", "31.20"))
"""Equal budgets eps: the least n eps for which (7) is safe."""


def printed_rate(epsilon: Any, tau: Any, *, numbers: Any = None) -> Any:  # noqa: ARG001
    """Algorithm 6: eps / tau."""
    return epsilon / tau


def half_rate(epsilon: Any, tau: Any, *, numbers: Any = None) -> Any:  # noqa: ARG001
    """Equation (7): eps / (2 tau)."""
    return epsilon / tau / 2


def right_rate(epsilon: Any, tau: Any, *, numbers: Any) -> Any:
    """(e^eps - 1) / (e^tau - 1), for eps < tau."""
    if isinstance(epsilon, Fraction):
        epsilon, tau = numbers.rational(epsilon), numbers.rational(tau)
    return (numbers.exp(epsilon) - 1) / (numbers.exp(tau) - 1)


def diffused_loss(p: Any, tau: Any, *, numbers: Any) -> Any:
    """Theorem 10: ln(1 + p (e^tau - 1))."""
    return numbers.log(1 + p * (numbers.exp(tau) - 1))


def answer_probability(kept: Fraction | ExpRatio, tau: Fraction, record: int) -> ExpRatio:
    """P(1) of the tightest tau-private mechanism after diffusion at the rate `kept`.

    It answers 1 with probability e^tau / (1 + e^tau) if the record survives and is 1, and with
    probability 1 / (1 + e^tau) if the record is 0 or replaced.
    """
    total = ExpSum.exp(tau) + 1
    low = ExpRatio(ExpSum.rational(1), total)
    high = ExpRatio(ExpSum.exp(tau), total) if record else low
    return high * kept + low * (1 - kept)


def exact_right_rate(epsilon: Fraction, tau: Fraction, *, numbers: Any = None) -> ExpRatio:  # noqa: ARG001
    """(e^eps - 1) / (e^tau - 1) without rounding."""
    return ExpRatio(ExpSum.exp(epsilon) - 1, ExpSum.exp(tau) - 1)


@proves(
    "(e^x - 1) / x is the mean of e^(s x) over s in [0, 1], hence increasing, from 1 on.",
    Method.SYMBOLIC,
)
@mutant("s up to 1.01", end=PERCENT)
def mean_slope(end: Fraction = Fraction(1)) -> Finding:
    """(e^x - 1) / x is the mean of e^(s x) over s in [0, 1], hence increasing in x, from 1 on."""
    x, s = symbols("x s", positive=True)
    upper = Rational(end.numerator, end.denominator)
    return identical(integrate(exp(s * x), (s, 0, upper)), (exp(x) - 1) / x, {x: (1, 5)})


@proves(
    "For all eps, tau and rates p: the tightest mechanism keeps eps exactly up to the right rate.",
    Method.SMT,
)
@mutant("1.01 times the rate", factor=PERCENT)
@for_all(
    reals("g a p high low"),
    "Diffusion at the rate {p} keeps the factor {g} of the tightest mechanism exactly where {kept}.",
    terms=lambda v: {"kept": v["p"] * (v["a"] - 1) <= v["g"] - 1},
    polynomial=True,
)
def right_rate_is_the_largest(
    g: Any, a: Any, p: Any, high: Any, low: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """For all eps, tau and p: the tightest mechanism keeps e^eps iff p is at most the right rate.

    With g = e^eps and a = e^tau it answers 1 with probability a / (1 + a) or 1 / (1 + a); after
    diffusion at the rate p the two probabilities are p a / (1 + a) + (1 - p) / (1 + a) and 1 / (1 + a).
    """
    law = all_of(high * (1 + a) == a, low * (1 + a) == 1)
    given = all_of(g > 1, a > 1, p >= 0, p <= 1, law)
    kept = p * high + (1 - p) * low <= g * low
    right = p * (a - 1) <= factor * (g - 1)
    return implies(given, kept == right)


@proves("Any rate up to 1 is safe for budgets of at least tau, so also 1/2.", Method.SMT)
@mutant("rate 1.01", rate=PERCENT)
@for_all(reals("a b"))
def large_budgets_are_safe(a: Any, b: Any, *, rate: Fraction = Fraction(1)) -> Condition:
    """Any rate up to 1 keeps budgets eps >= tau: p (a - 1) <= b - 1 for a = e^tau <= b = e^eps."""
    return implies(all_of(a >= 1, b >= a), rate * (a - 1) <= b - 1)


@encloses(
    "The root of (e^t - 1) / t = 2, and the n eps that equation (7) needs for equal budgets.",
    Method.ENCLOSURE,
)
@mutant("2.02 for 2", share=2 * PERCENT)
def threshold(share: Fraction = Fraction(2)) -> Finding:
    """(e^t - 1) / t = 2 at the printed root, which fixes the least n eps for equal budgets."""
    half_digit = Fraction(1, 2 * 10**14)
    ends = [Fraction(ROOT) + sign * half_digit for sign in (-1, 1)]
    slopes = [(NUMBERS.exp(ball(t)) - 1) / ball(t) for t in ends]
    root = NUMBERS.between(*ends)
    needed = [(f"n eps at eps = {e}", text, 8 / (root - Fraction(e))) for e, text in NEEDED]
    bracket = below([("slope", slopes[0], share), ("2", share, slopes[1])])
    return every([bracket, as_printed([("S_k", "6.37", 8 / root), *needed])])


@encloses("Printed thresholds, losses and right rates for n equal budgets.", Method.ENCLOSURE)
@mutant("1.01 eps / tau", first=lambda e, t, **_: printed_rate(e, t) * PERCENT)
@mutant("1.01 eps / (2 tau)", second=lambda e, t, **_: half_rate(e, t) * PERCENT)
@mutant(
    "(e^eps - 1) / e^tau",
    right=lambda e, t, *, numbers: (
        (numbers.exp(numbers.rational(e)) - 1) / numbers.exp(numbers.rational(t))
    ),
)
def printed_table(
    first: Rate = printed_rate, second: Rate = half_rate, right: Rate = right_rate
) -> Finding:
    """Thresholds, losses and right rates for n equal budgets."""
    rows = []
    for n, budget, *texts in TABLE:
        epsilon = Fraction(budget)
        tau = saturation([epsilon] * n).tau
        values = [
            ball(tau),
            diffused_loss(first(epsilon, tau, numbers=NUMBERS), ball(tau), numbers=NUMBERS),
            diffused_loss(second(epsilon, tau, numbers=NUMBERS), ball(tau), numbers=NUMBERS),
            right(epsilon, tau, numbers=NUMBERS),
        ]
        names = ("tau", "loss, Algorithm 6", "loss, (7)", "right rate")
        rows += [
            (f"{name} at n = {n}, eps = {budget}", text, value)
            for name, text, value in zip(names, texts, values, strict=True)
        ]
    return as_printed(rows)


@confirms("The event of PDP-CX1 has a loss below 1e-6 with the right rate.", Method.ENCLOSURE)
@mutant("eps / (2 tau)", rate=half_rate)
def range_event_is_safe(rate: Rate = right_rate, most: str = "1e-6") -> Finding:
    """With the right rate the event that breaks Algorithm 6 has a loss below 1e-6.

    P(E | D) / P(E | D') - 1 bounds the loss from above.
    """
    stage, one = RangeStage(Fraction(1, 10)), Fraction(1)
    kept = rate(stage.epsilon, stage.tau, numbers=Balls(DIGITS_3.bits))
    parts = [center_probability(stage, record, DIGITS_3) for record in (stage.x, one)]
    excess = (parts[0] - parts[1]) * kept / release_probability(stage, one, kept, DIGITS_3)
    return Finding(certainly_less(excess, Fraction(most)), f"ratio at most 1 + {excess!r}")


def tight_ratio(
    rate: Rate, text: str, epsilon: Fraction = Fraction(1), tau: Fraction = Fraction(9)
) -> Finding:
    """P(1 | {1}) / P(1 | {0}) of the tightest mechanism is as stated, and above e^eps."""
    kept = rate(epsilon, tau, numbers=NUMBERS)
    ratio = answer_probability(kept, tau, 1) / answer_probability(kept, tau, 0)
    printed = as_printed([("ratio", text, ratio.ball(192))])
    return every([exactly(ratio > ExpSum.exp(epsilon), "ratio above e^eps"), printed])


@refutes("At eps = 1, tau = 9 the printed rate gives ratio 451.115773754188 > e.", Method.EXACT)
@mutant("the right rate", rate=exact_right_rate)
@mutant("1.01 eps / (2 tau)", rate=lambda e, t, **_: half_rate(e, t) * PERCENT)
def half_rates_fail(rate: Rate = half_rate) -> Finding:
    """At eps = 1 and tau = 9 equation (7) lets the tightest mechanism reach ratio 451 > e."""
    return tight_ratio(rate, "451.115773754188")


@refutes(
    "Just above the root 1.2564..., at tau = 1.26, the printed rate breaks eps = 0.001.",
    Method.EXACT,
)
@mutant("tau = 1.2562", tau=Fraction(12562, 10000))
def half_rates_fail_from_the_root_on(tau: Fraction = Fraction(126, 100)) -> Finding:
    """At tau = 1.26, just above the root, (7) breaks a budget of 0.001."""
    epsilon = Fraction(1, 1000)
    gained = (ExpSum.exp(tau) - 1) * half_rate(epsilon, tau)
    return exactly(gained > ExpSum.exp(epsilon) - 1, f"p (e^tau - 1) > e^eps - 1 at tau = {tau}")


CLAIMS = (
    Claim(
        id="PDP-E7",
        source="Section 4.3, equation (7)",
        states=(right_rate_is_the_largest,),
        domain="g = e^eps and a = e^tau; high and low are the probabilities of its two answers; printed with the rates eps / (2 tau) and 1/2, which are safe for all eps iff tau <= 1.25643120862617",
        status=Status.CORRECTED,
        checks=checks_of(
            half_rates_fail,
            half_rates_fail_from_the_root_on,
            right_rate_is_the_largest,
            mean_slope,
            threshold,
            large_budgets_are_safe,
            printed_table,
            range_event_is_safe,
        ),
        assumes=("PDP-T10",),
        why="p (e^tau - 1) exceeds e^eps - 1: the odds grow like e^tau, not like tau.",
        right="p_i = min(1, (e^eps_i - 1) / (e^tau - 1)).",
        steps=(
            ByCheck("right_rate_is_the_largest"),
            ByCheck("large_budgets_are_safe"),
            ByClaim(
                "PDP-T10",
                "By Theorem 10 a rate p costs ln(1 + p (e^tau - 1)), attained by the tightest mechanism, so p is right iff p (e^tau - 1) <= e^eps - 1.",
            ),
            ByCheck(
                "mean_slope",
                "For p = eps / (2 tau) this reads (e^tau - 1) / (2 tau) <= (e^eps - 1) / eps; the right side increases from 1 at eps = 0 on, so it holds for all eps iff (e^tau - 1) / tau <= 2.",
            ),
        ),
        obligations=parts_of(half_rates_fail, half_rates_fail_from_the_root_on),
        note="Equal budgets without saturation have tau = eps + 8 / (n eps).",
    ),
)
