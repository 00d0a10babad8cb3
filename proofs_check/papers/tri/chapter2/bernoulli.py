"""Estimating from bits: Proposition A.2.1, the minimax risk, and the tracing statistic."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.papers.tri.common import Box, printed_table
from proofs_check.symbolic import identical, integrate, summation, symbols

__all__ = ["CLAIMS", "bernoulli_floor", "minimax_risk", "traced"]

ONE_PERCENT = Fraction(101, 100)

FLOORS = (
    ((1,), "0.0555555555555556"),
    ((2,), "0.0416666666666667"),
    ((10,), "0.0138888888888889"),
    ((100,), "0.00163398692810458"),
    ((1000,), "1.66333998669328e-4"),
)
MINIMAX = (
    ((1,), "0.0625"),
    ((2,), "0.0428932188134525"),
    ((10,), "0.0144303848137754"),
    ((100,), "0.00206611570247934"),
    ((1000,), "2.3490819317732e-4"),
)
"""(n,) and the risk."""

TRACES = (((10, "0.01"), "0.099"), ((2, "0.5"), "0.5"), ((5, "0.1"), "0.45"))
"""(v, p) and v p (1-p)."""


def bernoulli_floor(n: Any) -> Any:
    """Proposition A.2.1: 1/(6 (n + 2))."""
    return 1 / (6 * (n + 2))


def minimax_risk(n: Any, *, numbers: Any) -> Any:
    """Exact minimax risk: 1/(4 (sqrt(n) + 1)^2)."""
    root = numbers.sqrt(n) + 1
    return 1 / (4 * root * root)


@proves(
    "The posterior variances under the uniform prior sum to 1/(6(n+2)), all n.", Method.SYMBOLIC
)
@mutant("6.06 for 6", six=Fraction(606, 100))
def uniform_prior_risk(six: Fraction = Fraction(6)) -> Finding:
    """Under the uniform prior: the sum of posterior variances is 1/(6 (n + 2)).

    k ones: posterior Beta(k+1, n-k+1), of variance (k+1)(n-k+1)/((n+2)^2 (n+3)); each k has
    probability 1/(n+1).
    """
    n, k = symbols("n k", integer=True, positive=True)
    term = (1 + k) * (1 + n - k) / ((n + 1) * (n + 2) ** 2 * (n + 3))
    total = summation(term, (k, 0, n))
    return identical(total, 1 / (six * (n + 2)), {n: (1, 99)})


@confirms("The posterior's mass and variance, n <= 4.", Method.SYMBOLIC)
@mutant("1 % more variance", factor=ONE_PERCENT)
def posterior_is_beta(factor: Fraction = Fraction(1)) -> Finding:
    """Moments of p^k (1-p)^(n-k) on [0, 1], n <= 4: mass, mean and variance of the posterior."""
    p = symbols("p", positive=True)
    found = []
    for n in range(1, 5):
        for k in range(n + 1):
            weight = p**k * (1 - p) ** (n - k)
            mass, first, second = (integrate(weight * p**j, (p, 0, 1)) for j in range(3))
            variance = second / mass - (first / mass) ** 2
            expected = Fraction((k + 1) * (n - k + 1), (n + 2) ** 2 * (n + 3))
            choose = SYMBOLIC.gamma(n + 1) / SYMBOLIC.gamma(k + 1) / SYMBOLIC.gamma(n - k + 1)
            found.append(identical(variance, factor * expected, {}))
            found.append(identical(choose * mass, Fraction(1, n + 1), {}))
    return every(found, detail="14 posteriors")


@proves(
    "Our own: the Hodges-Lehmann estimator is a posterior mean of constant risk.", Method.SYMBOLIC
)
@mutant("0.505 sqrt(n) for sqrt(n)/2", half=Fraction(505, 1000))
def equalizer(half: Fraction = Fraction(1, 2)) -> Finding:
    """(sqrt(n)/2 + S)/(n + sqrt(n)) has the same risk for every p: with r = sqrt(n), n p (1-p).

    It is the posterior mean under Beta(r/2, r/2), so its constant risk is minimax.
    """
    r, p = symbols("r p", positive=True)
    n = r**2
    bias = (half * r + n * p) / (n + r) - p
    variance = n * p * (1 - p) / (n + r) ** 2
    risk = 1 / (4 * (r + 1) ** 2)
    domain: Box = {r: (1, 9), p: (0, 1)}
    posterior_mean = (r / 2 + n * p) / (r / 2 + r / 2 + n)
    return every(
        (
            identical(bias**2 + variance, risk, domain),
            identical((half * r + n * p) / (n + r), posterior_mean, domain),
        )
    )


@encloses("Values of both.", Method.ENCLOSURE)
@mutant("n + 2.02", two=Fraction(202, 100))
@mutant("sqrt(n) + 1.01", one=ONE_PERCENT)
def risk_values(two: Fraction = Fraction(2), one: Fraction = Fraction(1)) -> Finding:
    """Values of both risks."""

    def minimax(n: Any, *, numbers: Any) -> Any:
        return 1 / (4 * (numbers.sqrt(n) + one) * (numbers.sqrt(n) + one))

    return every(
        (
            printed_table(lambda n, **_: 1 / (6 * (n + two)), FLOORS),
            printed_table(minimax, MINIMAX),
        )
    )


def traced(v: Fraction, p: Fraction, n: int, scale: Fraction) -> tuple[Fraction, Fraction]:
    """Sum over records of E Z_i and of E |Z~_i| / (p (1-p)), for the sample mean times `scale`."""
    total = deviation = Fraction(0)
    for bits in product((0, 1), repeat=n):
        weight = Fraction(1)
        for bit in bits:
            weight *= p if bit else 1 - p
        off = scale * v * Fraction(sum(bits), n) - v * p
        total += weight * off * sum((bit - p for bit in bits), Fraction(0))
        deviation += weight * abs(off)
    return total, deviation


@proves(
    "For the clipped mean (noise of mean 0 cancels) the statistics sum to v p (1-p) in mean.",
    Method.EXACT,
)
@mutant("1.01 times the mean", scale=ONE_PERCENT)
def trace_of_the_mean(scale: Fraction = Fraction(1)) -> Finding:
    """For the clipped mean with v below the clip: sum of E Z_i = v p (1-p), for n = 1, ..., 4."""
    rows = [(Fraction(v), Fraction(p), printed) for (v, p), printed in TRACES]
    exact = all(
        traced(v, p, n, scale)[0] == v * p * (1 - p) for v, p, _ in rows for n in range(1, 5)
    )
    return every(
        (
            exactly(exact, "12 laws"),
            printed_table(lambda v, p, **_: scale * v * p * (1 - p), TRACES),
        )
    )


@proves("With a fresh record the mean is 0.", Method.SYMBOLIC)
@mutant("centered at 1.01 p", center=ONE_PERCENT)
def fresh_records_are_uncorrelated(center: Fraction = Fraction(1)) -> Finding:
    """E Z~_i = 0 with a fresh record, as E(X~/v - p) = 0; and E|X~/v - p| = 2 p (1-p)."""
    p = symbols("p", positive=True)
    return every(
        (
            identical(p * (1 - center * p) - (1 - p) * center * p, 0, {p: (0, 1)}),
            identical(p * (1 - p) + (1 - p) * p, 2 * p * (1 - p), {p: (0, 1)}),
        )
    )


CLAIMS = (
    Claim(
        id="TRI-PA.2.1",
        source="Proposition A.2.1",
        says=(
            "Whatever the estimator of a coin's bias from n tosses, its worst mean square error is "
            "at least 1/(6(n+2)); the exact minimax value is 1/(4(sqrt(n)+1)^2)."
        ),
        latex=r"\sup_{p}E(M-p)^2\ge\frac1{6(n+2)}",
        domain="n >= 1, X ~ Bernoulli(p)^n, any (also randomized) M",
        status=Status.PROVED,
        checks=checks_of(uniform_prior_risk, posterior_is_beta, equalizer, risk_values),
        steps=(
            *by_checks(uniform_prior_risk, equalizer),
            *by_hand(
                "The worst risk is at least the mean risk under a prior, and that is least for the posterior mean, where it is the mean posterior variance.",
                "A Bayes estimator of constant risk is minimax.",
            ),
        ),
        note="The print is 2/3 of the sharp value for large n.",
    ),
    Claim(
        id="TRI-A.HL",
        source="Hodges-Lehmann estimator (appendix A.2)",
        says="Estimate a coin's bias by (sqrt(n)/2 + number of ones)/(n + sqrt(n)); not private.",
        latex=r"\hat p=\frac{\sqrt n/2+\sum_iX_i}{n+\sqrt n}",
        domain="n >= 1 bits",
        status=Status.DEFINITION,
        checks=checks_of(reworded(equalizer, "Its risk is 1/(4(sqrt(n)+1)^2) for every p.")),
    ),
    Claim(
        id="TRI-A.TRACE",
        source="proof of Theorem 2.1.1",
        says=(
            "The tracing statistic of record i is (M(X) - vp)(X_i/v - p), on records v with "
            "probability p and 0 otherwise; a private mechanism cannot correlate with its records."
        ),
        latex=r"Z_i=(M(X)-vp)(X_i/v-p),\qquad EZ_i\le2\sinh(\varepsilon)\,p(1-p)\,\mathrm{MAD}",
        domain="0 < p < 1, v > 0",
        status=Status.DEFINITION,
        assumes=("TRI-T2.1.1",),
        checks=checks_of(trace_of_the_mean, fresh_records_are_uncorrelated),
        note="A sum of statistics above 2 n sinh(eps) p (1-p) MAD refutes eps-DP (Theorem 2.1.1, one-record step, with delta = 0).",
    ),
)
