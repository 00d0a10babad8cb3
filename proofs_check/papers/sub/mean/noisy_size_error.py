"""Error of the subset-optimal mean with one noisy size (SUB, Algorithm 3 as A3-B): Theorem 3.1.

The noisy size n + X, X = Lap(2 / eps), gives the parameters and divides the sum. Up to a chance of
eta it lies within t = (2 / eps) ln(1 / eta) of n, and alpha, beta and zeta are bounded by their
values at n - t and n + t.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Balls
from proofs_check.language import Condition, absolute, all_of, for_all, implies, reals
from proofs_check.papers.sub.common import PERCENT
from proofs_check.papers.sub.mean.subset_mean_error import (
    rank_range,
    ranks_do_not_cross,
    sorting_keeps_closeness,
)
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim
from proofs_check.symbolic import exp, identical, integrate, oo, symbols

__all__ = ["CLAIMS", "count_reach", "noisy_data_bound"]


def count_reach(epsilon: Any, eta: Any, *, numbers: Any) -> Any:
    """T = (2 / eps) ln(1 / eta): the noise of the size exceeds it with probability eta."""
    return 2 / epsilon * numbers.log(1 / eta)


def noisy_data_bound(
    n: Any,
    radius: Any,
    epsilon: Any,
    t: Any,
    parameters: tuple[Any, Any, Any],
    eta: Any,
    difference: Any,
) -> Any:
    """2 (eps n diff + 2 alpha) / (eps (n - t)) + alpha + (2 + 2 eps + 4 beta eps) diff + 4 R zeta + 2 R eta.

    `parameters`: alpha, zeta and beta, at their largest for sizes within t of n.
    """
    alpha, zeta, beta = parameters
    mean = 2 * (epsilon * n * difference + 2 * alpha) / (epsilon * (n - t))
    bias = (2 + 2 * epsilon + 4 * beta * epsilon) * difference
    return mean + alpha + bias + 4 * radius * zeta + 2 * radius * eta


@proves("The noise of the size: its tail and its mean size.", Method.SYMBOLIC)
@mutant("2.02 / eps", two=2 * PERCENT)
def noise_of_the_size(two: Fraction = Fraction(2)) -> Finding:
    """P(|X| > t) = eta, and E |X| = 2 / eps, for X of scale 2 / eps."""
    x, e, eta = symbols("x epsilon eta", positive=True)
    scale = SYMBOLIC.number(two) / e
    t = count_reach(e, eta, numbers=SYMBOLIC)
    box = {e: (0, 9), eta: (0, 1)}
    mean = integrate(x * exp(-x / scale) / scale, (x, 0, oo))
    return every([identical(exp(-t / scale), eta, box), identical(mean, 2 / e, {e: (0, 9)})])


@proves("A quotient by the noisy size is off by at most w |X| / (2 (n + X)).", Method.SMT)
@mutant("0.495 w", share=Fraction(99, 200))
@for_all(reals("S w n v x"), polynomial=True)
def shared_count(
    total: Any, w: Any, n: Any, v: Any, x: Any, *, share: Fraction = Fraction(1, 2)
) -> Condition:
    """|S / v - S / n| <= w |x| / (2 v) for v = n + x > 0 and |S| <= n w / 2: times v n."""
    given = all_of(n > 0, v > 0, v == n + x, w >= 0, 2 * absolute(total) <= n * w)
    return implies(given, absolute(total * n - total * v) <= share * w * absolute(x) * n)


@proves("Parameters between those of the ends.", Method.SMT)
@mutant("0.99 of it", share=Fraction(99, 100))
@for_all(reals("gamma least N n t"), polynomial=True)
def parameters_at_the_ends(
    gamma: Any, least: Any, size: Any, n: Any, t: Any, *, share: Fraction = Fraction(1)
) -> Condition:
    """Alpha = max(gamma / N, least) lies between its values at n + t and n - t; times the sizes."""
    given = all_of(gamma > 0, least >= 0, t >= 0, n > t, size >= n - t, size <= n + t)
    return implies(
        given, all_of(gamma * (n - t) <= share * gamma * size, gamma * size <= gamma * (n + t))
    )


@proves("The error of the quotient.", Method.SYMBOLIC)
@mutant("E |X| = 2.02 / eps", two=2 * PERCENT)
def terms_of_the_noisy_mean(two: Fraction = Fraction(2)) -> Finding:
    """E w (|X| / 2 + 1 / eps) / (n - t) with E |X| = 2 / eps and w = eps n diff + 2 alpha."""
    n, e, alpha, d, t = symbols("n epsilon alpha diff t", positive=True)
    width = e * n * d + 2 * alpha
    left = width * (two.numerator / (two.denominator * e) / 2 + 1 / e) / (n - t)
    zero = (alpha, 0, -(2 + 2 * e) / (4 * e))
    right = noisy_data_bound(n, 0, e, t, zero, 0, d) - alpha
    box = {n: (50, 99), e: (0, 1), alpha: (0, 1), d: (0, 1), t: (1, 9)}
    return identical(left, right, box)


ROWS = (
    ("1000", "1", "1", "1/100", "1/10", "25.1607821536981"),
    ("4000", "50", "1/2", "1/2", "1/20", "13.9040597221106"),
)
"""n, R, eps, gamma and diff; eta = gamma / (R n). The bound."""


@encloses("The bound in two settings.", Method.ENCLOSURE)
@mutant("1.01 beta", scale=PERCENT)
def noisy_values(scale: Fraction = Fraction(1)) -> Finding:
    """The bound in two settings."""
    numbers, rows = Balls(128), []
    for *texts, printed in ROWS:
        n, radius, eps, gamma, d = (numbers.rational(Fraction(text)) for text in texts)
        eta = gamma / (radius * n)
        t = count_reach(eps, eta, numbers=numbers)
        alpha, least = gamma / (n - t), gamma / (n + t)
        beta = 2 / eps * numbers.log(2 * (radius / least) ** 2 * eps * (n + t))
        zeta = alpha / (radius * (n - t) * eps)
        found = noisy_data_bound(n, radius, eps, t, (alpha, zeta, beta * scale), eta, d)
        rows.append((f"n = {texts[0]}", printed, found))
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="SUB-T3.1b",
        source="our own (Theorem 3.1 with one noisy size)",
        says="With enough points the subset-optimal mean whose parameters and quotient use one noisy size errs by at most 2 n / (n - t) + 2 + 2 eps + 4 beta eps times diff, plus small terms.",
        latex=r"E|\hat\mu - \mu(D)| \le \frac{2(\varepsilon n\, \mathrm{diff} + 2\alpha)}{\varepsilon (n - t)} + \alpha + (2 + 2\varepsilon + 4\beta\varepsilon)\, \mathrm{diff}(D, K) + 4 R \zeta + 2 R \eta, \quad t = \tfrac{2}{\varepsilon} \ln\tfrac1\eta",
        domain="eps <= 1, K = 1 / eps whole, 0 < eta < 1, n - t >= K, n > 2 (K + 2 beta + 1); alpha and zeta at the size n - t, beta at n + t with the alpha there; 2 R / (alpha zeta) >= 1 at n - t (so that beta >= 0); crossed thresholds swapped",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(
            noise_of_the_size,
            shared_count,
            parameters_at_the_ends,
            rank_range,
            ranks_do_not_cross,
            sorting_keeps_closeness,
            terms_of_the_noisy_mean,
            noisy_values,
        ),
        assumes=(
            "SUB-T3.7",
            "SUB-B3.1",
            "SUB-B3.2",
            "SUB-B3.3",
            "SUB-B3.4",
            "SUB-LB.1",
            "SUB-T3.1s",
        ),
        steps=(
            ByCheck(
                "noise_of_the_size",
                "Off an event of probability eta, where the error is at most 2 R, the size lies within t of n, so it is at least K and no floor acts on it.",
            ),
            ByCheck(
                "parameters_at_the_ends",
                "Given the size N, alpha = max(gamma / N, least) falls with it, so zeta = alpha / (R N eps) does, and beta, the logarithm of 2 (R / alpha)^2 eps N, rises.",
            ),
            ByClaim(
                "SUB-T3.7",
                "Given it, the thresholds are those of public parameters: each has a close l' or u' of rank off by less than beta, but for a chance of zeta.",
            ),
            ByCheck("rank_range"),
            ByCheck("ranks_do_not_cross"),
            ByCheck("sorting_keeps_closeness"),
            ByClaim(
                "SUB-B3.1", "So w <= eps n diff + 2 alpha for the width w between the thresholds."
            ),
            ByCheck(
                "shared_count",
                "The release is the middle and the noisy sum S + Lap(w / eps) of records less the middle, over the noisy size, clipped to the thresholds, between which the mean of the clipped records lies, so that this only helps; |S| <= n w / 2.",
            ),
            ByCheck(
                "terms_of_the_noisy_mean",
                "The noise of the sum is independent of the size, and the bound of w does not depend on it.",
            ),
            ByClaim(
                "SUB-T3.1s",
                "Clipping at l and u in place of l' and u', and the bias of clipping at these, are as there: alpha and (2 + 2 eps + 4 beta eps) diff.",
            ),
        ),
        note="The same error as with a public size, up to n / (n - t): a noisy size costs nothing in the order. eta = gamma / (R n) makes the last term 2 gamma / n.",
    ),
)
