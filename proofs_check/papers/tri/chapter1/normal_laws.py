"""The introduction on Gaussian laws: their moments, and Theorem 1.2.4."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.papers.tri.common import Box, printed_table
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim
from proofs_check.symbolic import branch, exp, identical, integrate, oo, sqrt, symbols

__all__ = ["CLAIMS", "absolute_moment"]

ONE_PERCENT = Fraction(101, 100)

MOMENTS = (
    ((2,), "1"),
    ((4,), "3"),
    ((10,), "945"),
    ((20,), "654729075"),
    ((40,), "3.19830986772878e+23"),
)
"""(lam,) and E|Z|^lam."""

ROOTS = (
    ((10,), "1.984", "1.517"),
    ((100,), "6.086", "2.146"),
    ((1000,), "19.187", "2.628"),
)
"""(lam,), (E|Z|^lam)^(1/lam) and sqrt(log lam)."""


def absolute_moment(lam: Any, *, numbers: Any) -> Any:
    """E|Z|^lam of a standard normal Z: 2^(lam/2) Gamma((lam+1)/2) / sqrt(pi)."""
    return (
        numbers.power(numbers.exp(numbers.log(2)), lam / 2)
        * numbers.gamma((lam + 1) / 2)
        / numbers.sqrt(numbers.pi())
    )


@proves("The moment as a gamma function, its recursion, and values.", Method.SYMBOLIC)
@mutant("1.01 (lam+1)", factor=ONE_PERCENT)
def moments_are_gamma(factor: Fraction = Fraction(1)) -> Finding:
    """The integral, the recursion E|Z|^(lam+2) = (lam+1) E|Z|^lam, and values."""
    z, lam, half = symbols("z lam half", positive=True)
    density = exp(-(z**2) / 2) / sqrt(2 * SYMBOLIC.pi())
    whole = branch(integrate(2 * z**lam * density, (z, 0, oo)), {lam: 2})
    moment = absolute_moment(lam, numbers=SYMBOLIC)
    domain: Box = {lam: (1, 9)}
    return every(
        (
            identical(whole, moment, domain),
            identical(
                (moment.subs(lam, lam + 2) / moment).subs(lam, 2 * half - 1),
                2 * half * factor,
                {half: (1, 5)},
            ),
            printed_table(absolute_moment, MOMENTS),
        )
    )


@proves("Even moments are at most (2k)^k.", Method.EXACT)
@mutant("1.01 (2k + 1) <= 2k + 2", factor=ONE_PERCENT)
def even_moments_below_power(factor: Fraction = Fraction(1)) -> Finding:
    """(2k+1) (2k)^k <= (2k+2)^(k+1): 2k + 1 <= 2k + 2 and (2k)^k <= (2k+2)^k, for induction.

    So E|Z|^(2k) <= (2k)^k; checked for k <= 60, with the first inequality for all k.
    """
    moment, below = 1, True
    for k in range(1, 61):
        moment *= 2 * k - 1
        below = below and factor * moment <= (2 * k) ** k
    return every(
        (
            exactly(below and moment >= 1),
            valid(reals("k"), lambda k: implies(k >= 1, exact(factor) * (2 * k + 1) <= 2 * k + 2)),
        )
    )


@refutes("E|Z|^lam >= (lam-1)^(lam/4) for even lam; roots at lam = 10, 100, 1000.", Method.SMT)
@mutant("1 % more", factor=ONE_PERCENT)
def moments_outgrow_the_print(factor: Fraction = Fraction(1)) -> Finding:
    """(2j-1)(2k-2j+1) >= 2k-1 for 1 <= j <= k: the square of (2k-1)!! is at least (2k-1)^k.

    So E|Z|^lam >= (lam-1)^(lam/4) for even lam; and the roots at lam = 10, 100, 1000.
    """

    def statement(j: Any, k: Any) -> Any:
        pair = (2 * j - 1) * (2 * k - 2 * j + 1)
        return implies(all_of(1 <= j, j <= k), pair >= exact(factor) * (2 * k - 1))

    def root(lam: Any, *, numbers: Any) -> Any:
        return numbers.exp(numbers.log(absolute_moment(lam, numbers=numbers)) / lam)

    return every(
        (
            valid(reals("j k"), statement, polynomial=True),
            printed_table(root, ((row, value) for row, value, _ in ROOTS)),
            printed_table(
                lambda lam, *, numbers: numbers.sqrt(numbers.log(lam)),
                ((row, value) for row, _, value in ROOTS),
            ),
            printed_table(
                lambda lam, *, numbers: numbers.sqrt(lam / numbers.exp(1)), (((1000,), "19.180"),)
            ),
        )
    )


@proves(
    "The normal laws are an exponential family with natural parameter mu, T(x) = x, "
    "Z = mu^2/2, defined for all real mu.",
    Method.SYMBOLIC,
)
@mutant("0.505 mu^2", half=Fraction(505, 1000))
def normal_family_is_exponential(half: Fraction = Fraction(1, 2)) -> Finding:
    """phi(x - mu) = phi(x) exp(mu x - mu^2/2), and its integral of e^(eta x) is e^(eta^2/2)."""
    x, eta = symbols("x eta", real=True)
    density = exp(-(x**2) / 2) / sqrt(2 * SYMBOLIC.pi())
    domain: Box = {x: (-2, 2), eta: (-2, 2)}
    shifted = density.subs(x, x - eta)
    mass = integrate(density * exp(eta * x), (x, -oo, oo))
    return every(
        (
            identical(shifted, density * exp(eta * x - half * eta**2), domain),
            identical(mass, exp(half * eta**2), {eta: (-2, 2)}),
        )
    )


CLAIMS = (
    Claim(
        id="TRI-R1.2-gauss",
        source="Sections 1.2 and 4.2 (remark)",
        says="A (sub-)Gaussian Z has E|Z|^lam of order (log lam)^(lam/2).",
        latex=r"E|Z|^\lambda=2^{\lambda/2}\,\Gamma\big(\tfrac{\lambda+1}2\big)/\sqrt\pi"
        r"=O(\lambda)^{\lambda/2}",
        domain="Z standard normal, lam > -1; the O-form for lam >= 2",
        status=Status.CORRECTED,
        errata=("TRI-ER-04",),
        checks=checks_of(moments_outgrow_the_print, moments_are_gamma, even_moments_below_power),
        why="The lam-th root grows like sqrt(lam/e), not like sqrt(log lam).",
        right="E|Z|^lam = O(lam)^(lam/2).",
        steps=(
            *by_checks(moments_are_gamma, even_moments_below_power),
            *by_hand(
                "(lam-1)^(1/4)/sqrt(log lam) is unbounded, so no C^lam (log lam)^(lam/2) bounds the moments.",
                "From above: E|Z|^lam <= (E|Z|^(2k))^(lam/2k) <= (lam+2)^(lam/2), where 2k is the even number in [lam, lam + 2).",
            ),
        ),
        obligations=parts_of(moments_outgrow_the_print),
    ),
    Claim(
        id="TRI-T1.2.4",
        source="Theorem 1.2.4",
        says=(
            "No eps-DP estimator with finite mean absolute deviation is unbiased for the mean of "
            "N(mu, 1) for all mu in an open interval."
        ),
        latex=r"\varphi(x-\mu)=\varphi(x)\,e^{\mu x-\mu^2/2},\qquad U=\mathbb R",
        domain="eps >= 0, n >= 0, E|M - mu| finite on the interval",
        status=Status.PROVED,
        assumes=("TRI-T5.0.2",),
        checks=checks_of(normal_family_is_exponential),
        steps=(
            ByCheck("normal_family_is_exponential"),
            ByClaim(
                "TRI-T5.0.2",
                "Theorem 5.0.2 for this family: U is the whole line, of infinite length.",
            ),
        ),
    ),
)
