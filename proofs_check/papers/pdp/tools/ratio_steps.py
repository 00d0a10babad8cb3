"""The steps of the concentration of a ratio (PDP, Lemma 19, equations (19) to (21)).

Values a_i in [L, U] are kept independently with probabilities p_i; muN is the sum of the p_i, N the
number kept, w_i = p_i / muN, muT the weighted mean of all values, muS the mean of the kept ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.pdp.common import LESS, NUMBERS, PERCENT, ball, below
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import Rational, identical, symbols

__all__ = ["CLAIMS", "SAMPLES", "Rates", "draws", "ratio_exponent", "ratio_failure"]

HALF = Fraction(1, 2)

Rates = tuple[Fraction, ...]
"""A probability for each value."""

SAMPLES: tuple[tuple[Rates, Rates], ...] = tuple(
    (tuple(Fraction(p) for p in rates.split()), tuple(Fraction(a) for a in values.split()))
    for rates, values in (
        ("1/2 1/3 1/5", "0 1/2 1"),
        ("9/10 4/5 7/10 1", "0 1 0 1"),
        ("1/4 1/4 1/4 1/4 1/4", "0 0 1 1/3 2/3"),
        ("1/10 1/2 9/10 3/4", "1 0 1/4 2"),
        ("1/20 19/20", "1 0"),
    )
)
"""Rates and values for enumeration."""


def ratio_exponent(
    t: Any, mean: Any, m: Any, spread: Any, width: Any, linear: Any = Fraction(4, 3)
) -> Any:
    """Equation (20): t^2 muN / (8 m^2 n wmax sigma^2 + (4/3) M m t), with spread n wmax sigma^2."""
    return t**2 * mean / (8 * m**2 * spread + linear * width * m * t)


def ratio_failure(mean: Any, share: Any = 8) -> Any:
    """Equation (21): muN / 8, the exponent of the bound on P(N < muN / 2)."""
    return mean / share


def draws(rates: Sequence[Fraction]) -> list[tuple[tuple[int, ...], Fraction]]:
    """All outcomes of the coins, with their probabilities."""
    found = []
    for coins in product((0, 1), repeat=len(rates)):
        probability = Fraction(1)
        for coin, p in zip(coins, rates, strict=True):
            probability *= p if coin else 1 - p
        found.append((coins, probability))
    return found


@proves("The inclusion of the events.", Method.SMT)
@mutant("N >= 0.495 muN", share=HALF * LESS)
@for_all(
    reals("N muN m gap t"),
    "If the mean is off by t / m and N is at least half its mean, the centered sum reaches {u}.",
    terms=lambda v: {"u": v["muN"] * v["t"] / (2 * v["m"])},
    polynomial=True,
)
def inclusion(n: Any, mean: Any, m: Any, gap: Any, t: Any, *, share: Fraction = HALF) -> Condition:
    """N >= muN / 2 and m (muS - muT) >= t give S = N (muS - muT) >= muN t / (2 m)."""
    given = all_of(m > 0, t > 0, mean > 0, n >= share * mean, m * gap >= t)
    return implies(given, n * gap * 2 * m >= mean * t)


def reach(mean: Fraction, t: Fraction) -> Fraction:
    """Equation (19), with m = 1: u = muN t / 2."""
    return mean * t / 2


@confirms("The inequality of the probabilities on the samples.", Method.EXACT)
@mutant("u = muN t / m", level=lambda mean, t: mean * t)
def inclusion_by_enumeration(level: Callable[[Fraction, Fraction], Fraction] = reach) -> Finding:
    """P(muS - muT >= t) <= P(S >= u) + P(N < muN / 2) on samples, with m = 1, t of all sizes."""
    rows = 0
    for rates, values in SAMPLES:
        mean = sum(rates, Fraction(0))
        center = sum(p * a for p, a in zip(rates, values, strict=True)) / mean
        for t in (Fraction(j, 20) for j in range(1, 20)):
            left = right = Fraction(0)
            for coins, probability in draws(rates):
                number = sum(coins)
                total = sum(c * (a - center) for c, a in zip(coins, values, strict=True))
                left += probability * (number > 0 and total >= t * number)
                right += probability * (total >= level(mean, t))
                right += probability * (number < mean / 2)
            rows += 1
            if left > right:
                return exactly(False, f"{left} > {right} at t = {t}, rates {rates}")
    return exactly(True, f"{rows} bounds")


@proves("The exponent at u = t muN / (2 m).", Method.SYMBOLIC)
@mutant("1.01 * 4/3", linear=PERCENT * Fraction(4, 3))
def exponent_identity(linear: Fraction = Fraction(4, 3)) -> Finding:
    """u^2 / (2 muN v + (2/3) M u) at u = t muN / (2 m) is the printed exponent."""
    t, mean, m, spread, width = symbols("t mu m v M", positive=True)
    u = t * mean / (2 * m)
    left = u**2 / (2 * mean * spread + Rational(2, 3) * width * u)
    c = Rational(linear.numerator, linear.denominator)
    right = ratio_exponent(t, mean, m, spread, width, c)
    return identical(left, right, dict.fromkeys((t, mean, m, spread, width), (1, 9)))


@proves("It falls as the spread grows.", Method.SMT)
@mutant("1.01 for the smaller spread", grow=PERCENT)
@for_all(reals("x v w c"), polynomial=True)
def exponent_falls(x: Any, v: Any, w: Any, c: Any, *, grow: Fraction = Fraction(1)) -> Condition:
    """The exponent falls if the spread grows: sigma_T^2 may be replaced by n wmax sigma^2."""
    given = all_of(x > 0, v >= 0, w >= v, c > 0)
    return implies(given, x * (8 * grow * v + c) <= x * (8 * w + c))


def bernstein_exponent(u: Fraction, spread: Fraction, width: Fraction) -> Fraction:
    """u^2 / (2 V + (2/3) M u)."""
    return u**2 / (2 * spread + Fraction(2, 3) * width * u)


@confirms("Bernstein's inequality against exact tails.", Method.EXACT)
@mutant("without the linear term", exponent=lambda u, v, _: u**2 / (2 * v))
def bernstein_by_enumeration(
    exponent: Callable[[Fraction, Fraction, Fraction], Fraction] = bernstein_exponent,
) -> Finding:
    """P(S >= u) <= exp(-u^2 / (2 V + (2/3) M u)) on samples: exact probabilities, enclosed bound.

    V is the sum of the variances of (I - p) b, at most muN sigma_T^2; M the width of the values.
    """
    rows = []
    for rates, values in SAMPLES:
        mean, width = sum(rates, Fraction(0)), max(values) - min(values)
        center = sum(p * a for p, a in zip(rates, values, strict=True)) / mean
        gaps = [a - center for a in values]
        spread = sum((p * b * b for p, b in zip(rates, gaps, strict=True)), Fraction(0))
        for u in (Fraction(j, 4) * width for j in range(1, 5)):
            exact_tail = sum(
                (
                    probability
                    for coins, probability in draws(rates)
                    if sum((c - p) * b for c, p, b in zip(coins, rates, gaps, strict=True)) >= u
                ),
                Fraction(0),
            )
            rows.append(
                (f"P(S >= {u})", exact_tail, NUMBERS.exp(-ball(exponent(u, spread, width))))
            )
    found = below(rows)
    return Finding(found.holds, f"{len(rows)} tails" if found.holds else found.detail)


@proves("Variances and ranges of the terms.", Method.SMT)
@mutant("1.01 p (1 - p) b^2", slip=PERCENT)
@for_all(reals("p b M"), polynomial=True)
def variances_are_smaller(p: Any, b: Any, width: Any, *, slip: Fraction = Fraction(1)) -> Condition:
    """The variance of (I - p) b is p (1 - p) b^2 <= p b^2, and |(I - p) b| <= M if |b| <= M."""
    given = all_of(0 <= p, p <= 1, -width <= b, b <= width)
    variance = p * ((1 - p) * b) * ((1 - p) * b) + (1 - p) * (p * b) * (p * b)
    bounds = all_of((1 - p) * b <= width, -p * b <= width)
    return implies(given, all_of(variance == slip * p * (1 - p) * b * b, bounds))


@encloses("Printed values of both terms.", Method.ENCLOSURE)
@mutant("1.01 * 4/3", linear=PERCENT * Fraction(4, 3))
@mutant("8.08 for 8", share=8 * PERCENT)
def printed_values(linear: Fraction = Fraction(4, 3), share: Fraction = Fraction(8)) -> Finding:
    """Both terms at m = 5, n = 100, sigma^2 = 0.04, M = 0.9, wmax = 0.02, muN = 40, t = 2."""
    spread = 100 * Fraction(2, 100) * Fraction(4, 100)
    first = ratio_exponent(Fraction(2), 40, 5, spread, Fraction(9, 10), linear)
    second = ratio_failure(Fraction(40), share)
    return as_printed(
        [
            ("ratio term", "0.00329850575593909", NUMBERS.exp(ball(-first))),
            ("failure term", "0.00673794699908547", NUMBERS.exp(ball(-second))),
        ]
    )


@proves("The exponent (1 - ln 2) / 2 = 0.153426409720027 is above 1 / 8.", Method.ENCLOSURE)
@mutant("1.01 - ln 2", one=PERCENT)
def chernoff_exponent(one: Fraction = Fraction(1)) -> Finding:
    """P(N <= muN / 2) <= 2^(muN / 2) e^(-muN / 2): the exponent (1 - ln 2) / 2 is above 1 / 8."""
    exponent = (one - NUMBERS.log(ball(2))) / 2
    return every(
        [
            as_printed([("exponent", "0.153426409720027", exponent)]),
            below([("1 / 8 and the exponent", Fraction(1, 8), exponent)]),
        ]
    )


@confirms("The generating function and the tail on samples.", Method.EXACT)
@mutant("e^(-1.01 muN / 2)", rate=PERCENT)
def chernoff_by_enumeration(rate: Fraction = Fraction(1)) -> Finding:
    """E 2^(-N) = product of (1 - p / 2) <= e^(-muN / 2), and the tail, on samples."""
    rows = []
    small = (Fraction(1, 1000),) * 3
    for rates in (*(r for r, _ in SAMPLES), small):
        mean = sum(rates, Fraction(0))
        generating = Fraction(1)
        for p in rates:
            generating *= 1 - p / 2
        law = draws(rates)
        tail = sum((q for coins, q in law if 2 * sum(coins) <= mean), Fraction(0))
        rows.append(("E 2^(-N)", generating, NUMBERS.exp(ball(-rate * mean / 2))))
        power = NUMBERS.power(ball(2), ball(mean / 2))
        rows.append(("tail", tail, power * generating))
    found = below(rows)
    return Finding(found.holds, f"{len(rows)} bounds" if found.holds else found.detail)


CLAIMS = (
    Claim(
        id="PDP-E19",
        source="Lemma 19, equation (19)",
        states=(inclusion,),
        domain="the centered sum is N times gap; so the chance of the first event is at most that of the sum plus that of N < muN / 2",
        status=Status.PROVED,
        checks=checks_of(inclusion, inclusion_by_enumeration),
        assumes=("PDP-E18",),
    ),
    Claim(
        id="PDP-E20",
        source="Lemma 19, equation (20)",
        says="Bernstein's inequality for the centered sum gives the printed exponent.",
        latex=r"\Pr(S \ge u) \le \exp\Big(-\frac{t^2 \mu_N}{8 m^2 n w_{\max} \sigma^2(A) + \frac43 M m t}\Big)",
        domain="t > 0, m > 0, values in an interval of width M",
        status=Status.PROVED,
        checks=checks_of(
            exponent_identity,
            exponent_falls,
            variances_are_smaller,
            bernstein_by_enumeration,
            printed_values,
        ),
        assumes=("PDP-T7", "PDP-E17"),
        steps=(
            ByCheck("exponent_identity"),
            ByCheck("exponent_falls"),
            ByCheck("variances_are_smaller"),
            ByHand(
                "Bernstein's inequality (Theorem 7) is used for independent terms with different laws, where n sigma^2 is the sum of their variances; that sum is at most muN sigma_T^2, and sigma_T^2 is at most n wmax sigma^2 by (17)."
            ),
        ),
    ),
    Claim(
        id="PDP-E21",
        source="Lemma 19, equation (21)",
        says="Fewer than half the expected number are kept with probability at most exp(-muN / 8).",
        latex=r"\Pr(N < \mu_N / 2) \le e^{-(1 - \ln 2)\mu_N / 2} \le e^{-\mu_N / 8}",
        domain="independent coins",
        status=Status.PROVED,
        checks=checks_of(chernoff_exponent, chernoff_by_enumeration),
        steps=(
            ByCheck("chernoff_exponent"),
            ByHand(
                "N <= muN / 2 is the event 2^(-N) >= 2^(-muN / 2); by Markov its probability is at most 2^(muN / 2) E 2^(-N), and E 2^(-N) is the product of the 1 - p_i / 2 <= e^(-p_i / 2)."
            ),
        ),
    ),
)
