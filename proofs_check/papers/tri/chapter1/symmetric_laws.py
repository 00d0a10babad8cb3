"""Theorem 1.2.3 on symmetric laws: true, but not by the bound of Theorem 4.2.1 as printed.

That bound pays for a wrong first half by Hoelder's inequality. Our own: let y = x/sigma have mean m
and variance at most 1/64, and let B be the event that DPUCOARSE releases t with |t - m| > 1. Then
E[1_B (t - m)^2] <= 4 n gamma Var(y) for n = n1 in the settings of TRI-A.DPUM, for any two moments:
some record i lies in the winning bin, and whether that bin wins hardly depends on where y_i is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.common import Box
from proofs_check.smt import (
    absolute,
    all_of,
    any_of,
    exact,
    floor,
    implies,
    reals,
    valid,
)
from proofs_check.steps import ByClaim
from proofs_check.symbolic import exp, identical, integrate, oo, symbols

__all__ = ["CLAIMS", "far_release_bound"]

ONE_PERCENT = Fraction(101, 100)
HALF = Fraction(1, 2)


def far_release_bound(n1: Any, gamma: Any) -> Any:
    """E[1_B (mu~ - mu)^2] <= 4 n1 gamma, at variance 1: our own, for every lam >= 2."""
    return 4 * n1 * gamma


@proves("Our own: a record in a far winning bin is itself far, at least half as far.", Method.SMT)
@mutant("|t - m| > 0.99", one=Fraction(99, 100))
@for_all(reals("t y m"))
def records_of_a_far_bin(t: Any, y: Any, m: Any, *, one: Fraction = Fraction(1)) -> Condition:
    """A release t with |t - m| > 1 and a record y in its bin: |y - m| > 1/2, |t - m| <= 2 |y - m|.

    So no record within 1/2 of m is in that bin.
    """
    given = all_of(absolute(t - m) > one, absolute(y - t) <= HALF)
    far = absolute(y - m)
    return implies(given, all_of(far > HALF, absolute(t - m) <= 2 * far))


@proves("The records within 1/2 of m are in two bins.", Method.SMT)
@mutant("a window of length 1.01", length=ONE_PERCENT)
@for_all(reals("a u"))
def window_meets_two_bins(a: Any, u: Any, *, length: Fraction = Fraction(1)) -> Condition:
    """Points u of [a, a + 1] have floor(u) = floor(a) or floor(a) + 1."""
    inside = all_of(a <= u, u <= a + length)
    return implies(inside, any_of(floor(u) == floor(a), floor(u) == floor(a) + 1))


@proves("Then the fuller near bin is ahead of the far one by n/4.", Method.SMT)
@mutant("n >= 22.3", least=Fraction(223, 10))
@for_all(reals("n near full far"))
def counts_are_apart(
    n: Any, near: Any, full: Any, far: Any, *, least: Fraction = Fraction(45, 2)
) -> Condition:
    """N of the n - 1 others within 1/2 of m, N >= 15 (n-1)/16 - n/16, n >= 22.5: a gap of n/4.

    The fuller one of two bins has at least N/2 of them, the far bin of record i at most n - N.
    """
    given = all_of(n >= least, 16 * near >= 15 * (n - 1) - n, 2 * full >= near, far <= n - near)
    return implies(given, 4 * (full - far) >= n)


@proves("Chebyshev and Hoeffding: most of the other records are near m.", Method.SMT)
@mutant("1 % more", factor=ONE_PERCENT)
def few_records_are_off(factor: Fraction = Fraction(1)) -> Finding:
    """Chebyshev: P[|y - m| > 1/2] <= 4 Var <= 1/16. Hoeffding: 2 (n/16)^2/(n-1) >= n/128."""

    def statement(n: Any) -> Any:
        return implies(n > 1, 2 * 128 * n * n >= exact(factor) * n * 256 * (n - 1))

    return every(
        (
            exactly(4 * Fraction(1, 64) == Fraction(1, 16)),
            valid(reals("n"), statement, polynomial=True),
        )
    )


@proves(
    "The noise makes up for n/4 with probability at most e^(-n eps/16) <= gamma/n.", Method.SYMBOLIC
)
@mutant("1.01 eps", factor=ONE_PERCENT)
def far_bin_rarely_wins(factor: Fraction = Fraction(1)) -> Finding:
    """Two Laplace variables of scale 2/eps exceed n/8 each with probability e^(-n eps/16)/2.

    The conditions on n1 make e^(-n/128) <= gamma/2 and e^(-n eps/16) <= gamma/n: with equality.
    """
    t, n, eps, gamma = symbols("t n eps gamma", positive=True)
    rate = factor * eps / 2
    tail = integrate(rate / 2 * exp(-rate * t), (t, n / 8, oo))
    domain: Box = {n: (23, 99), eps: (0, 1), gamma: (0, 1)}
    log = SYMBOLIC.log
    return every(
        (
            identical(2 * tail, exp(-n * eps / 16), {n: (23, 99), eps: (0, 1)}),
            identical(exp(-log(2 / gamma)), gamma / 2, {gamma: (0, 1)}),
            identical(exp(-(16 / eps * log(n / gamma)) * eps / 16), gamma / n, domain),
        )
    )


@proves("All terms add up to the stated constants.", Method.SMT)
@mutant("137 for 138", constant=Fraction(137))
@mutant("1200 for 1211", noisy=Fraction(1200))
@for_all(reals("n x d first square"), polynomial=True)
def terms_add_up(
    n: Any,
    x: Any,
    d: Any,
    first: Any,
    square: Any,
    *,
    constant: Fraction = Fraction(138),
    noisy: Fraction = Fraction(1211),
) -> Condition:
    """All terms of the error at sigma = 10, psi = 1, gamma = delta^2, n1 <= n/2 = n2, times n.

    N = n2 eps >= 1, x = N^(1/lam) >= 1, x^2 <= n, c = 10 + x, d = delta <= 1/n, K <= 1. The noise
    and bias are at most 1211 x^2/N^2; of the rest, 1/n2 gives 2, the fallback gamma (1 + (1-d)
    mu^2)/(n2 d), and a wrong first half 2 * 4 n1 gamma + 2 gamma c^2.
    """
    given = all_of(
        n >= 2, x >= 1, x * x <= n, d > 0, d * n <= 1, square >= 0, 0 <= first, 2 * first <= n
    )
    g, c2 = d * d, (10 + x) * (10 + x)
    noise = 8 * c2 * (1 + g) + x * x
    wrong = 2 * far_release_bound(first, g) + 2 * g * c2
    left = 2 + 2 * d * (1 + (1 - d) * square) + n * wrong
    right = constant + 2 * d * square
    return implies(given, all_of(noise <= noisy * x * x, left <= right))


@proves("The first half needs at most 384 log(1/delta)/eps records.", Method.SMT)
@mutant("380.2 for 384", constant=Fraction(3802, 10))
def first_half_is_short(constant: Fraction = Fraction(384)) -> Finding:
    """n1 >= 384 L/eps suffices, L = log(1/delta) >= log(2), eps <= 1, log(n1) <= L."""

    def statement(log: Any, two: Any, eps: Any) -> Any:
        given = all_of(log >= two, 100 * two >= 69, 0 < eps, eps <= 1)
        enough = exact(constant) * log
        return implies(
            given,
            all_of(
                7 * eps + 7 * log <= enough,
                128 * eps * (two + 2 * log) <= enough,
                16 * 3 * log <= enough,
            ),
        )

    return every(
        (
            valid(reals("log two eps"), statement, polynomial=True),
            exactly(ENCLOSED.log(2) > Fraction(69, 100)),
        )
    )


CLAIMS = (
    Claim(
        id="TRI-T1.2.3",
        source="Theorem 1.2.3",
        says=(
            "For symmetric laws with lam > 2 central moments at most 1 some (eps, delta)-DP "
            "estimator is unbiased with error O(1/n + 1/(n eps)^(2-2/lam) + delta mu^2/n). Printed "
            "as a special case of Theorem 4.2.1."
        ),
        latex=r"\mathrm{MSE}\le\frac{138}{n}+\frac{1211}{(n\varepsilon/2)^{2-2/\lambda}}"
        r"+\frac{2\delta\mu^2}{n}",
        domain=(
            "n even, eps <= 1, delta <= 1/n, n eps >= 2, n >= 768 log(1/delta)/eps, lam >= 2; "
            "DPUMEAN with n1 + n2 = n, n2 = n/2 and gamma = delta^2"
        ),
        status=Status.PROVED,
        assumes=("TRI-T4.2.1", "TRI-T4.2.1-sharp", "TRI-P4.1.3", "TRI-E4.1"),
        checks=checks_of(
            records_of_a_far_bin,
            window_meets_two_bins,
            few_records_are_off,
            counts_are_apart,
            far_bin_rarely_wins,
            terms_add_up,
            first_half_is_short,
        ),
        printed_domain="every eps and delta > 0, with a hidden constant; eps > 1 is TRI-T1.2.3o",
        steps=(
            *by_checks(
                records_of_a_far_bin,
                window_meets_two_bins,
                few_records_are_off,
                counts_are_apart,
                far_bin_rarely_wins,
                terms_add_up,
                first_half_is_short,
            ),
            *by_hand(
                "On B, (t - m)^2 is at most the sum of 4 (y_i - m)^2 over the records i of the winning bin.",
                "Given T and y_i, a far bin of record i wins with probability at most e^(-n/128) + e^(-n eps/16) <= gamma/2 + gamma/n <= gamma, over the other records and the noise (n1 >= 128 log 2 > 22.5).",
                "So E[1_B (mu~ - mu)^2] <= 4 n1 gamma, in place of Hoelder's inequality in TRI-T4.2.1-sharp (whose other terms stay).",
            ),
            ByClaim(
                "TRI-T4.2.1",
                "Privacy and unbiasedness are those of Theorem 4.2.1, with n1 = n2 = n/2; log n1 <= log n <= log(1/delta) gives the conditions of (4.1).",
            ),
        ),
        note="The print derives the theorem from Theorem 4.2.1 instead, whose term delta^(2-4/lam) n^(2/lam) is n^(-2+6/lam) at delta = 1/n, larger than 1/n for lam < 6 (TRI-ER-06).",
    ),
    Claim(
        id="TRI-T1.2.3o",
        source="Theorem 1.2.3, for eps > 1",
        says="For eps > 1, too, some (eps, delta)-DP estimator is unbiased on symmetric laws with error O(1/n + 1/(n eps)^(2-2/lam) + delta mu^2/n).",
        latex=r"\mathrm{MSE}\le O\Bigl(\frac1n+\frac{1}{(n\varepsilon)^{2-2/\lambda}}+\frac{\delta\mu^2}{n}\Bigr)",
        domain="eps > 1, or n odd; n >= c log(1/delta)/eps for a constant c, delta <= 1/n, lam > 2",
        status=Status.OPEN,
        ours=True,
    ),
)
