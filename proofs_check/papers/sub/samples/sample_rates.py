"""Rates for samples in terms of moments (Corollary 5.3, sub-Gaussian laws, Table 1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.language import Condition, absolute, all_of, for_all, implies, reals
from proofs_check.papers.sub.common import PERCENT, mean, multisets
from proofs_check.papers.sub.samples.sample_error import LAW, central_moment
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand, Cited
from proofs_check.symbolic import exp, gamma, identical, integrate, oo, symbols

__all__ = ["CLAIMS", "rate_bound", "subgaussian_moment"]

SUBGAUSSIAN = (
    (10, "0.216267391105826", "2.16"),
    (100, "0.0268298439569221", "2.68"),
    (10**4, "3.47334057149113e-4", "3.47"),
    (10**6, "4.10328112497077e-6", "4.10"),
)
"""N, least rate over k = 1, 1.1, ..., 40, and N times it."""


def subgaussian_moment(sigma: Any, k: Any, *, gamma_of: Any = gamma) -> Any:
    """sigma^k k Gamma(k / 2)."""
    return sigma**k * k * gamma_of(k / 2)


def rate_bound(deviation: Any, factor: Any, constant: Any, moment: Any, rest: Any) -> Any:
    """Bound s + a c (M_k^(1/k) + s) + rest, s = sqrt(M_2 / n): the explicit form of Corollary 5.3."""
    return deviation + factor * constant * (moment + deviation) + rest


def samples(size: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Samples of the example's law with their probabilities."""
    for draws in product(LAW, repeat=size):
        probability = Fraction(1)
        for _, p in draws:
            probability *= p
        yield tuple(x for x, _ in draws), probability


@confirms("The two expectations, exactly.", Method.EXACT)
@mutant("1.01 M_2 / n", share=PERCENT)
def moments_of_samples(share: Fraction = Fraction(1)) -> Finding:
    """E (mean - mu)^2 = M_2 / n and E mean |X_i - mu|^k = M_k, for samples of 1, 2, 3 from an example."""
    for size in (1, 2, 3):
        drawn = list(samples(size))
        second = sum(p * (mean(x) - 1) ** 2 for x, p in drawn)
        if second != share * Fraction(2, size):
            return exactly(False, f"E (mean - mu)^2 = {second} for n = {size}")
        for k, moment in ((1, 1), (2, 2), (3, 5)):
            found = sum(p * central_moment(x, k, 1) for x, p in drawn)
            if found != moment:
                return exactly(False, f"E mean |X - mu|^{k} = {found}")
    return exactly(True, "n = 1, 2, 3 and k = 1, 2, 3")


@encloses("The inequality for an example.", Method.ENCLOSURE)
@mutant("without M_k^(1/k)", moment_share=Fraction(0))
def moment_roots(moment_share: Fraction = Fraction(1)) -> Finding:
    """E M^_k^(1/k) <= M_k^(1/k) + sqrt(M_2 / n) for the example, n and k from 2 to 4."""
    numbers = Balls(64)
    for size in (2, 3, 4):
        for k in (2, 3, 4):
            left = numbers.rational(Fraction(0))
            for x, p in samples(size):
                moment = central_moment(x, k, mean(x))
                if moment:
                    left = left + numbers.root(numbers.rational(moment), k) * p
            law = sum(p * abs(x - Fraction(1)) ** k for x, p in LAW)
            right = numbers.root(numbers.rational(law * moment_share), k) + numbers.sqrt(
                numbers.rational(Fraction(2, size))
            )
            if certainly_less(left, right) is not True:
                return exactly(False, f"fails for n = {size}, k = {k}")
    return exactly(True, "n and k from 2 to 4")


@proves("|x - mean| by the triangle inequality.", Method.SMT)
@mutant("0.99 of the shift", part=Fraction(99, 100))
@for_all(reals("x m mu"))
def two_steps_of_the_norm(
    x: Any, average: Any, mu: Any, *, part: Fraction = Fraction(1)
) -> Condition:
    """|x - mean| <= |x - mu| + |mean - mu|, under the norm of the sample (Minkowski)."""
    right = absolute(x - mu) + part * absolute(average - mu)
    return absolute(x - average) <= right


@proves("The explicit form from its parts.", Method.SMT)
@mutant("0.99 of the constant", share=Fraction(99, 100))
@for_all(reals("s a c M b d h risk"), polynomial=True)
def explicit_rate(
    s: Any,
    a: Any,
    c: Any,
    m: Any,
    b: Any,
    spread_: Any,
    root: Any,
    risk: Any,
    *,
    share: Fraction = Fraction(1),
) -> Condition:
    """T5.1, E.1 and 5.3a together: s + a c (M + s) + b."""
    given = all_of(
        s >= 0, a >= 0, c >= 0, root <= m + s, spread_ <= c * root, risk <= s + a * spread_ + b
    )
    return implies(given, risk <= rate_bound(s, a, share * c, m, b))


@proves("The integral of the tail.", Method.SYMBOLIC)
@mutant("2.02 for 2", two=2 * PERCENT)
def subgaussian_integral(two: Fraction = Fraction(2)) -> Finding:
    """Integral of k t^(k-1) 2 e^(-t^2 / sigma^2) over t > 0: sigma^k k Gamma(k / 2)."""
    t, k, sigma = symbols("t k sigma", positive=True)
    left = integrate(k * t ** (k - 1) * two * exp(-(t**2) / sigma**2), (t, 0, oo), conds="none")
    return identical(left, subgaussian_moment(sigma, k), {k: (1, 6), sigma: (1, 2)})


@encloses("Least rates for four N.", Method.ENCLOSURE)
@mutant("Gamma(0.505 k)", half=PERCENT / 2)
def subgaussian_rates(half: Fraction = Fraction(1, 2)) -> Finding:
    """Least (k Gamma(k/2))^(1/k) / N^(1 - 1/k) over a grid of k, and N times it."""
    numbers = Balls(96)
    orders = [Fraction(j, 10) for j in range(10, 401)]
    logs = [numbers.log(numbers.gamma(numbers.rational(k * half)) * k) / k for k in orders]
    rows = []
    for size, rate, scaled in SUBGAUSSIAN:
        log_size = numbers.log(numbers.rational(Fraction(size)))
        values = [first - log_size * (1 - 1 / k) for first, k in zip(logs, orders, strict=True)]
        best = values[0]
        for value in values:
            best = value if certainly_less(value, best) else best
        least = numbers.exp(best)
        rows += [
            (f"rate at N = {size}", rate, least),
            (f"N times it, N = {size}", scaled, least * size),
        ]
    return as_printed(rows)


@confirms("Lyapunov's inequality, case by case.", Method.EXACT)
@mutant("M_2^k <= M_k", power=1)
def moments_are_ordered(power: int = 2) -> Finding:
    """M_2^k <= M_k^2 for k = 2, ..., 5 (Lyapunov), for uniform laws on up to five points."""
    cases = 0
    for values in multisets((0, 1, 2, 5), range(2, 6)):
        center = mean(values)
        second = central_moment(values, 2, center)
        for k in (2, 3, 4, 5):
            cases += 1
            if second**k > central_moment(values, k, center) ** power:
                return exactly(False, f"fails for {values}, k = {k}")
    return exactly(True, f"{cases} cases")


CLAIMS = (
    Claim(
        id="SUB-C5.3a",
        source="Corollary 5.3, moments of samples",
        says="The root of the sample's k-th moment is on average at most that of the law plus the standard error (printed: twice that).",
        latex=r"E\, \hat M_k^{1/k} \le M_k^{1/k} + \sqrt{M_2 / n}",
        domain="k >= 1",
        status=Status.PROVED,
        checks=checks_of(two_steps_of_the_norm, moments_of_samples, moment_roots),
        steps=(
            ByCheck("two_steps_of_the_norm"),
            ByHand(
                "Minkowski under the sample's k-norm; E of the root of the mean of |X_i - mu|^k is at most M_k^(1/k), and E |mean - mu| at most sqrt(M_2 / n), by Jensen."
            ),
        ),
        note="The bound is below the printed one, which is therefore true.",
    ),
    Claim(
        id="SUB-C5.3",
        source="Corollary 5.3",
        says="The error for samples is, up to logarithms, the standard error plus the best M_k^(1/k) / (n eps)^(1 - 1/k).",
        latex=r"\sqrt{\tfrac{M_2}{n}} + (5 + 2\varepsilon + 4\beta\varepsilon)\, 2^{1 - 1/k} \frac{n}{n - K} \frac{M_k^{1/k} + \sqrt{M_2/n}}{(n\varepsilon)^{1 - 1/k}} + \alpha\big(1 + \tfrac{6}{\varepsilon n}\big) + 4 R \zeta",
        domain="as Theorem 5.1; the O-form drops the last two terms (SUB-E22)",
        status=Status.ASYMPTOTIC,
        checks=checks_of(explicit_rate),
        assumes=("SUB-T5.1", "SUB-LE.1", "SUB-C5.3a"),
        steps=(
            ByCheck("explicit_rate"),
            ByClaim("SUB-T5.1", "The error for samples, by the expected diff."),
            ByClaim("SUB-LE.1", "The diff of a sample, by its k-th moment."),
            ByClaim("SUB-C5.3a", "The moments of a sample, by those of the law."),
        ),
    ),
    Claim(
        id="SUB-SG",
        source="Section 5, sub-Gaussian laws",
        says="Sub-Gaussian tails bound all moments by sigma^k k Gamma(k / 2).",
        latex=r"P(|X - \mu| \ge t) \le 2 e^{-t^2/\sigma^2} \implies M_k \le \sigma^k k\, \Gamma(k/2)",
        domain="k >= 1, sigma > 0; N = n eps",
        status=Status.PROVED,
        checks=checks_of(subgaussian_integral, subgaussian_rates),
        steps=(
            ByCheck("subgaussian_integral"),
            ByHand("M_k is the integral of k t^(k - 1) P(|X - mu| >= t)."),
        ),
        note="The growth of N times the rate (2.16, 2.68, 3.47, 4.10) is shown, not proved.",
    ),
    Claim(
        id="SUB-TAB1",
        source="Table 1",
        says="The table compares rates of earlier work with those of Corollary 5.3; higher moments bound lower ones.",
        latex=r"M_2^{1/2} \le M_k^{1/k} \quad (k \ge 2)",
        domain="rates up to constants and logarithms, taken from the works that the table names",
        status=Status.CITED,
        checks=checks_of(moments_are_ordered),
        steps=(
            Cited("the works that Table 1 names", "their rates", "The rates are taken from there."),
        ),
    ),
)
