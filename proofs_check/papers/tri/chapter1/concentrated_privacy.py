"""Concentrated privacy: the impossibility announced in the abstract, and when it holds.

A counterexample (our own): for every rho > 0 there is a randomized answer M(x) to one real x with
mean exactly x and E|M(x)| finite that is rho-zCDP between any two x. For integers k, M(k) = P_k has

* atoms sign(j) A_j, j = +-1, +-2, ..., of mass q_j, and 0 of the rest;
* the mass of its own atom raised to r_k q_k, r_k = 1 + |k|^3, at the cost of 0;
* q_j = (tau/4) 4^-|j| / r_j exp(-(rho/2)(1/2 + log(r_j)/rho)^2), tau = 1 - e^(-rho/4), and
  A_j = 1/(j^2 q_j), so that the mean is (r_k - 1) q_k A_k = k.

Between integers M interpolates: x is rounded at random to a neighbor, with mean x.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import (
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.enclosure import Ball
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.common import Box, printed_table
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.symbolic import identical, oo, summation, symbols

__all__ = ["CLAIMS", "base_mass"]

ONE_PERCENT = Fraction(101, 100)
RHO = Fraction(1, 2)
LARGEST = 3
"""Of the instance computed: k = -3, ..., 3."""

GAUSSIANS = (
    (("0.5",), "0.8956", "1.1331"),
    ((1,), "1.1666", "1.6487"),
    ((3,), "3.0008", "90.0"),
)
"""(a,), E|N(a, 1)| and exp(a^2/2)."""


def base_mass(rho: Any, k: int, *, numbers: Any) -> Any:
    """q_k = (tau/4) 4^-|k| / r_k exp(-(rho/2)(1/2 + log(r_k)/rho)^2)."""
    ratio = 1 + abs(k) ** 3
    off = Fraction(1, 2) + numbers.log(ratio) / rho
    weight = (1 - numbers.exp(-rho / 4)) / (4 * 4 ** abs(k) * ratio)
    return weight * numbers.exp(-rho / 2 * off * off)


def instance(rho: Fraction) -> dict[int, dict[int, Ball]]:
    """Laws P_k by atom, for |k| up to `LARGEST` (no farther atoms); atom 0 is the number 0."""
    own = [j for j in range(-LARGEST, LARGEST + 1) if j]
    base = {j: base_mass(rho, j, numbers=ENCLOSED) for j in own}
    laws = {}
    for k in range(-LARGEST, LARGEST + 1):
        law = {j: base[j] * (1 + abs(j) ** 3 if j == k else 1) for j in own}
        law[0] = 1 - sum(law.values(), ENCLOSED.ball(0))
        laws[k] = law
    return laws


@refutes(
    "An instance of the counterexample, rho = 1/2, all pairs at six orders: private, "
    "with exact means.",
    Method.ENCLOSURE,
)
@mutant("steps 1 % larger", step=ONE_PERCENT)
@mutant("masses for 1.01 rho", rho=ONE_PERCENT * RHO)
def instance_is_private(rho: Fraction = RHO, step: Fraction = Fraction(1)) -> Finding:
    """Rho = 1/2, k up to 3: the largest D_alpha / alpha over all pairs at six orders is below rho.

    For alpha = 3/2, 2, 3, 6, 12, 40; and the mean of P_k is k exactly, as r_k - 1 = |k|^3 and
    q_k A_k = 1/k^2. The atoms of k = +-3 lie beyond 10^9.
    """
    laws = instance(rho)
    worst: Any = Fraction(0)
    for alpha in map(Fraction, ("1.5", "2", "3", "6", "12", "40")):
        for k, p in laws.items():
            for m, q in laws.items():
                total = sum(
                    (ENCLOSED.power(p[j], alpha) / ENCLOSED.power(q[j], alpha - 1) for j in p),
                    ENCLOSED.ball(0),
                )
                if k != m:
                    worst = ENCLOSED.largest(worst, ENCLOSED.log(total) / (alpha * (alpha - 1)))
    means = all(step * abs(k) ** 3 * Fraction(1, k * k) == abs(k) for k in laws if k)
    far = 1 / (9 * base_mass(rho, 3, numbers=ENCLOSED))
    return every(
        (
            exactly(means and bool(worst < RHO) and bool(far > 10**9), "means exact"),
            as_printed([("largest D_alpha / alpha", "0.122239", worst)]),
        )
    )


@refutes("In general: the square that bounds the mass of the raised atom.", Method.SYMBOLIC)
@mutant("0.505 for 1/2", half=Fraction(505, 1000))
def square_completes(half: Fraction = Fraction(1, 2)) -> Finding:
    """q_k r_k^alpha <= (tau/16) exp(rho alpha (alpha-1)/2): the exponents differ by a square.

    (rho/2) alpha (alpha-1) - alpha L + (rho/2)(1/2 + L/rho)^2 = (rho/2)(alpha - 1/2 - L/rho)^2.
    """
    rho, alpha, length = symbols("rho alpha length", positive=True)
    left = rho / 2 * alpha * (alpha - 1) - alpha * length + rho / 2 * (half + length / rho) ** 2
    right = rho / 2 * (alpha - Fraction(1, 2) - length / rho) ** 2
    return identical(left, right, {rho: (1, 3), alpha: (1, 9), length: (0, 9)})


@refutes("In general: all other ratios are at most e^(rho/4).", Method.SYMBOLIC)
@mutant("0.2525^j for 4^-j", quarter=Fraction(2525, 10000))
def little_mass_moves(quarter: Fraction = Fraction(1, 4)) -> Finding:
    """Sum of q_j over j != 0, and r_k q_k more, is at most tau/12 + tau/16 < tau; r_j >= 2.

    So the ratio P_k/P_l off k's own atom is at most 1/(1 - tau) = e^(rho/4).
    """
    j = symbols("j", integer=True, positive=True)
    total = summation(Fraction(1, 4) * SYMBOLIC.number(quarter) ** j, (j, 1, oo))
    moved = 2 * Fraction(1, 12) / 2 + Fraction(1, 16)
    return every(
        (identical(total, Fraction(1, 12), {}), exactly(moved < 1, f"at most {moved} tau"))
    )


@refutes("In general: D_alpha <= rho alpha for alpha >= 2, and D_2 <= rho.", Method.SMT)
@mutant("1.01 times the common part", factor=ONE_PERCENT)
@for_all(reals("w z"), polynomial=True)
def orders_are_covered(w: Any, z: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """e^(rho alpha/4) + (tau/16) e^(rho alpha (alpha-1)/2) is at most what zCDP allows.

    With w = e^(rho/4) and z = e^(rho alpha (alpha-1)/4) >= w^2 for alpha >= 2: z + (1 - 1/w) z^2/16
    <= z^4, as e^(rho alpha/4) <= z. At alpha = 2 even at most e^rho = w^4: D_2 <= rho.
    """
    moved = (w - 1) / 16  # tau w / 16
    above = w * z * factor + moved * z * z <= w * z * z * z * z
    at_two = factor * w * w * w + moved * w * w * w * w <= w * w * w * w * w
    return implies(all_of(w >= 1, z >= w * w), all_of(above, at_two))


@refutes("In general: the first moment is finite.", Method.SYMBOLIC)
@mutant("1.01/j^2", factor=ONE_PERCENT)
def first_moment_is_finite(factor: Fraction = Fraction(1)) -> Finding:
    """E|M(k)| <= |k| + 2 sum of 1/j^2 = |k| + pi^2/3."""
    j = symbols("j", integer=True, positive=True)
    pi = SYMBOLIC.pi()
    return identical(2 * factor * summation(1 / j**2, (j, 1, oo)), pi**2 / 3, {})


@proves("With a second moment: (E_P|A|)^2 <= exp(D_2) E_Q A^2, with printed values.", Method.SMT)
@mutant("1.01 times the left side", factor=ONE_PERCENT)
def second_moments_suffice(factor: Fraction = Fraction(1)) -> Finding:
    """(E_P|A|)^2 <= exp(D_2) E_Q A^2, for laws on two points; and N(a, 1) against N(0, 1)."""

    def statement(p: Any, q: Any, a: Any, b: Any) -> Any:
        given = all_of(0 <= p, p <= 1, 0 < q, q < 1)
        mean = p * a + (1 - p) * b
        chi = p * p * (1 - q) + (1 - p) * (1 - p) * q
        square = q * a * a + (1 - q) * b * b
        return implies(given, exact(factor) * mean * mean * q * (1 - q) <= chi * square)

    def absolute_mean(a: Any, *, numbers: Any) -> Any:
        tail = numbers.erfc(a / numbers.sqrt(2))
        return numbers.sqrt(2 / numbers.pi()) * numbers.exp(-a * a / 2) + a * (1 - tail)

    return every(
        (
            valid(reals("p q a b"), statement, polynomial=True),
            printed_table(absolute_mean, ((row, value) for row, value, _ in GAUSSIANS)),
            printed_table(
                lambda a, *, numbers: numbers.exp(a * a / 2),
                ((row, value) for row, _, value in GAUSSIANS),
            ),
        )
    )


@encloses("The divergence of the normal laws in those values.", Method.SYMBOLIC)
@mutant("1.01 a^2", factor=ONE_PERCENT)
def divergence_of_normals(factor: Fraction = Fraction(1)) -> Finding:
    """phi(x-a)^2/phi(x) = e^(a^2) phi(x - 2a): D_2(N(a, 1), N(0, 1)) = a^2."""
    x, a = symbols("x a", real=True)
    domain: Box = {x: (-2, 2), a: (-2, 2)}
    left = -((x - a) ** 2) + x**2 / 2
    return identical(left, factor * a**2 - (x - 2 * a) ** 2 / 2, domain)


CLAIMS = (
    Claim(
        id="TRI-R1.2-cdp",
        source="abstract and chapter 1 (announced, no statement or proof)",
        says=(
            "Announced: the impossibility of Theorem 1.2.4 extends to concentrated differential "
            "privacy. Read with the theorem's own condition, E|M - mu| finite."
        ),
        latex=r"E|M(x)|\le e^{\rho n^2}\sqrt{E\,M(x^*)^2}\quad\text{under }\rho\text{-zCDP}",
        domain="the right form: E M(x*)^2 finite for one data set x*",
        status=Status.CORRECTED,
        assumes=("TRI-T5.0.2", "TRI-P5.1.1"),
        errata=("TRI-ER-19",),
        checks=checks_of(
            instance_is_private,
            square_completes,
            little_mass_moves,
            orders_are_covered,
            first_moment_is_finite,
            second_moments_suffice,
            divergence_of_normals,
        ),
        why=(
            "A finite first moment is not enough: a heavy-tailed law can have its mean moved by "
            "any amount while all Renyi divergences stay below rho alpha."
        ),
        right=(
            "Under zCDP there is no unbiased M if M has a finite second moment (or any above the "
            "first) on one data set; with a first moment only there is one."
        ),
        steps=(
            *by_checks(
                square_completes,
                little_mass_moves,
                orders_are_covered,
                first_moment_is_finite,
                second_moments_suffice,
            ),
            *by_hand(
                "Counterexample: E_l[(P_k/P_l)^alpha] is at most e^(rho alpha/4) + q_k r_k^alpha.",
                "For 1 < alpha <= 2, D_alpha <= D_2 <= rho <= rho alpha, as divergences grow in alpha; mixtures between integers are covered by joint quasi-convexity.",
                "M applied to the sample mean (or to one record) is unbiased for the mean of every law, E|M - mu| is finite, and any two data sets, neighbors or not, satisfy rho-zCDP.",
                "Right form: zCDP with n swaps has D_2 <= 2 rho n^2 (group privacy: rho grows with the square of their number); so by Cauchy and Schwarz E M is bounded over all data sets, and then the argument of Theorem 5.0.2 applies.",
            ),
        ),
        obligations=parts_of(instance_is_private),
        note="By Hoelder a moment of any order above 1 suffices likewise.",
    ),
)
