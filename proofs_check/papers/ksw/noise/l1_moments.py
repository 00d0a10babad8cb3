"""Moments of the two-dimensional staircase, and the gamma of least variance (KSW, Section 4).

The variance and the mean absolute value have two stationary points each in (b, 1), one on either
side of Y = sqrt(b); the larger one is the minimum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, confirms, encloses, mutant, parts_of, proves
from proofs_check.claim import (
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.enclosure import Ball, Balls, largest_root
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.ksw.common import decay, geometric_sum
from proofs_check.papers.ksw.noise.l1_staircase import (
    diamond_mixed_moment,
    diamond_moment,
    l1_fourth_moment,
    l1_height,
    l1_mean_absolute,
    l1_mean_quartic,
    l1_second_moment,
    l1_variance_quintic,
)
from proofs_check.papers.ksw.noise.staircase import best_variance, best_y_cubed, gamma_of_y
from proofs_check.printed_values import as_printed
from proofs_check.symbolic import Poly, Rational, diff, identical, symbols

__all__ = ["CLAIMS", "best_l1_y", "polynomial_at"]

Formula = Callable[..., Any]

B, D, GAMMA, K, Y = symbols("b d gamma k Y", positive=True)
UNIT = {B: (0, 1), GAMMA: (0, 1)}
Y_OF_GAMMA = B + (1 - B) * GAMMA
WEIGHTS = geometric_sum((K + GAMMA) ** 2, K, B)
"""Sum of b^k (k + gamma)^2: the weights of the diamonds."""


def polynomial_at(coefficients: Sequence[Any], x: Any) -> Any:
    """Value of a polynomial, by falling powers."""
    value = coefficients[0]
    for c in coefficients[1:]:
        value = value * x + c
    return value


def best_l1_y(polynomial: Formula, b: Ball, *, bits: int = 100) -> Ball:
    """Enclose the largest root of `l1_variance_quintic` or `l1_mean_quartic`."""
    coefficients = [b * 0 + c for c in polynomial(b)]
    interval = largest_root(coefficients, Fraction(0), Fraction(1), bits=bits)
    return Balls(b.bits).between(*interval)


def moment_is(closed: Formula, power: int) -> Finding:
    """The mixture's moment E |Z1|^m is the closed form."""
    term = (diamond_moment(power, K + GAMMA) * (K + GAMMA) ** 2).expand()
    return identical(geometric_sum(term, K, B) / WEIGHTS, closed(B, Y_OF_GAMMA), UNIT)


@proves("E |Z1| summed over all diamonds.", Method.SYMBOLIC)
@mutant(
    "1 - b for 1 + b",
    closed=lambda b, Y: l1_mean_absolute(b, Y) - 2 * b**2 / (3 * (1 - b) * (Y**2 + b)),
)
def mean_absolute_is(closed: Formula = l1_mean_absolute, power: int = 1) -> Finding:
    """E |Z1|."""
    return moment_is(closed, power)


@proves("E Z1^2 summed over all diamonds.", Method.SYMBOLIC)
@mutant(
    "6.06 b Y^2 for 6 b Y^2",
    closed=lambda b, Y: l1_second_moment(b, Y) + b * Y**2 / (100 * (1 - b) ** 2 * (Y**2 + b)),
)
def second_moment_is(closed: Formula = l1_second_moment, power: int = 2) -> Finding:
    """E Z1^2."""
    return moment_is(closed, power)


@proves("E Z1^4 summed over all diamonds.", Method.SYMBOLIC)
@mutant(
    "162 b^2 for 161 b^2",
    closed=lambda b, Y: l1_fourth_moment(b, Y) + b**3 / (15 * (1 - b) ** 4 * (Y**2 + b)),
)
def fourth_moment_is(closed: Formula = l1_fourth_moment, power: int = 4) -> Finding:
    """E Z1^4."""
    return moment_is(closed, power)


@proves("E Z1^2 Z2^2 = E Z1^4 / 6.", Method.SYMBOLIC)
@mutant("6.06 for 6", ratio=Fraction(606, 100))
def mixed_moment_is(ratio: Fraction = Fraction(6)) -> Finding:
    """E Z1^2 Z2^2 = E Z1^4 / 6."""
    term = (diamond_mixed_moment(K + GAMMA) * (K + GAMMA) ** 2).expand()
    mixed = geometric_sum(term, K, B) / WEIGHTS
    return identical(ratio * mixed, l1_fourth_moment(B, Y_OF_GAMMA), UNIT)


@proves(
    "The derivatives of V2 and A2 are the quintic and the quartic over positive factors.",
    Method.SYMBOLIC,
)
@mutant(
    "-b (1 + b - b^2) in the quintic",
    quintic=lambda b: (
        *l1_variance_quintic(b)[:4],
        -b * (1 + b - b**2),
        2 * b**2 * (1 + b),
    ),
)
@mutant(
    "3.03 b^2 in the quartic",
    quartic=lambda b: (*l1_mean_quartic(b)[:4], b**2 * Fraction(303, 100)),
)
def stationary(
    quintic: Formula = l1_variance_quintic, quartic: Formula = l1_mean_quartic
) -> Finding:
    """dV2/dY and dA2/dY are the polynomials over positive factors; V2(b) = V2(1), A2(b) = A2(1)."""
    box = {B: (0, 1), Y: (0, 1)}
    second = polynomial_at(quintic(B), Y) / (3 * (1 - B) ** 2 * (Y**2 + B) ** 2)
    first = polynomial_at(quartic(B), Y) / (3 * (1 - B) * (Y**2 + B) ** 2)
    return every(
        [
            identical(diff(l1_second_moment(B, Y), Y), second, box),
            identical(diff(l1_mean_absolute(B, Y), Y), first, box),
            identical(l1_second_moment(B, B), l1_second_moment(B, 1), {B: (0, 1)}),
            identical(l1_mean_absolute(B, B), l1_mean_absolute(B, 1), {B: (0, 1)}),
        ],
        detail="both derivatives, and both values at the ends",
    )


@proves(
    "Both are positive at b and at 1 and negative at sqrt(b), with two changes of sign.", Method.SMT
)
@mutant(
    "constant 2 b^2 (1 - b)", quintic=lambda b: (*l1_variance_quintic(b)[:5], 2 * b * b * (1 - b))
)
@mutant("1 - b for 1 + b in the quartic", quartic=lambda b: (1, 0, 0, -2 * b * (1 - b), 3 * b * b))
@for_all(reals("c"), polynomial=True)
def one_root_on_each_side(
    c: Any, *, quintic: Formula = l1_variance_quintic, quartic: Formula = l1_mean_quartic
) -> Condition:
    """Positive at b and 1, negative at c = sqrt(b); coefficients change sign twice."""
    b = c * c
    p, q = quintic(b), quartic(b)
    ends = [polynomial_at(f, x) > 0 for f in (p, q) for x in (b, 1)]
    middle = [polynomial_at(f, c) < 0 for f in (p, q)]
    signs = [p[2] > 0, p[3] < 0, p[4] < 0, p[5] > 0, q[3] < 0, q[4] > 0]
    return implies(all_of(0 < c, c < 1), all_of(*ends, *middle, *signs))


@confirms(
    "As eps goes to 0, both gammas go to the larger root of gamma^2 - gamma + 1/6.", Method.SYMBOLIC
)
@mutant("1.01 / 6", one=Fraction(101, 100))
def small_epsilon_equation(one: Fraction = Fraction(1)) -> Finding:
    """With Y = b + (1 - b) gamma, both polynomials start with gamma^2 - gamma + 1/6 at b = 1 - d."""
    findings = []
    for polynomial, factor in ((l1_variance_quintic, 12), (l1_mean_quartic, 6)):
        b = 1 - D
        value = polynomial_at(polynomial(b), b + D * GAMMA)
        lowest = Poly(value, D).all_coeffs()[::-1]
        right = factor * (GAMMA**2 - GAMMA + one / 6)
        findings += [exactly(lowest[0] == 0 == lowest[1]), identical(lowest[2], right, UNIT)]
    return every(findings, detail="both, at order d^2")


@confirms(
    "V2 at gamma = 0 and gamma = 1 goes to 1/6 as eps grows: between 1/6 and (1 + 15 b) / (6 (1 - b)^2).",
    Method.SMT,
)
@mutant("1/5.99", six=Fraction(599, 100))
@for_all(reals("b"), polynomial=True)
def untuned(b: Any, *, six: Fraction = Fraction(6)) -> Condition:
    """At Y = 1 and Y = b, V2 lies between 1/6 and (1 + 15 b) / (6 (1 - b)^2)."""
    value = 1 + 6 * b + 4 * b * (1 + b) + b * (1 + 7 * b + b * b)  # times 6 (1 - b)^2 (1 + b)
    least = 6 * (1 - b) ** 2 * (1 + b)
    upper = (1 + 15 * b) * (1 + b)
    return implies(all_of(0 < b, b < 1), all_of(value * six > least, value < upper))


@proves("The quintic's Galois group at b = 1/2 and b = 1/3 has order 120.", Method.SYMBOLIC)
@mutant("the quartic of E |Z1|", polynomial=l1_mean_quartic)
def no_radicals(polynomial: Formula = l1_variance_quintic) -> Finding:
    """At b = 1/2 and 1/3 the polynomial is irreducible, its Galois group not solvable (S5)."""
    orders = []
    for b in (Rational(1, 2), Rational(1, 3)):
        quintic = Poly(polynomial(b), Y)
        group, _ = quintic.galois_group()
        if not quintic.is_irreducible or group.is_solvable:
            return exactly(False, f"solvable at b = {b}: group of order {group.order()}")
        orders.append(group.order())
    return exactly(orders == [120, 120], f"orders of the Galois groups: {orders}")


TABLE = (
    # eps, Y2*, gamma2*, V2*, a2, gamma of least E |Z1|, A2*, V2* / V*
    "0.1 0.979089128969005 0.780261625951922 199.998410143795 0.00242987542353143 0.777432989510495 9.99992076012147 1.0004088182262",
    "0.5 0.899670848468498 0.74501405507675 7.99233226876531 0.0546697982039319 0.730122488399972 1.99812328597421 1.00951305919265",
    "1 0.8088042807099 0.697532825629935 1.98541411680172 0.195479097216049 0.667083561570849 0.993076639729197 1.03509225882236",
    "2 0.649067615082054 0.594140505430179 0.474387406642205 0.671588902312768 0.537048080299521 0.477279085044524 1.12219196523801",
    "5 0.311442204575734 0.30677126610853 0.0469608823672361 4.75527629745723 0.229867521121799 0.132755418862179 1.58058780308907",
    "10 0.0850902398454082 0.085048701120703 0.00263694719863361 68.6208942443121 0.044881011095133 0.0229685223387417 3.11250651879199",
)


@encloses("All 42 printed values at eps = 0.1, 0.5, 1, 2, 5, 10.", Method.ENCLOSURE)
@mutant(
    "2.0001 b in the quintic",
    quintic=lambda b: (
        1,
        0,
        b * Fraction(20001, 10000),
        *l1_variance_quintic(b)[3:],
    ),
)
@mutant(
    "3.0001 b^2 in the quartic",
    quartic=lambda b: (
        *l1_mean_quartic(b)[:4],
        b**2 * Fraction(30001, 10000),
    ),
)
@mutant("V2 + b / 100", second=lambda b, Y: l1_second_moment(b, Y) + b / 100)
@mutant("Y^2 - b in a2", height=lambda b, Y: (1 - b) ** 2 / (2 * (Y**2 - b)))
def table(
    quintic: Formula = l1_variance_quintic,
    quartic: Formula = l1_mean_quartic,
    second: Formula = l1_second_moment,
    height: Formula = l1_height,
) -> Finding:
    """Printed values at eps = 0.1, ..., 10."""
    numbers = Balls(256)
    rows = []
    for line in TABLE:
        epsilon, *printed = line.split()
        b = decay(epsilon, numbers=numbers)
        best, other = best_l1_y(quintic, b), best_l1_y(quartic, b)
        variance = second(b, best)
        values = (
            best,
            gamma_of_y(b, best),
            variance,
            height(b, best),
            gamma_of_y(b, other),
            l1_mean_absolute(b, other),
            variance / best_variance(b, numbers.root(best_y_cubed(b), 3)),
        )
        rows += [
            (f"column {i} at eps = {epsilon}", text, value)
            for i, (text, value) in enumerate(zip(printed, values, strict=True), 1)
        ]
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="KSW-S4",
        source="our own",
        says=(
            "Moments of a coordinate of the two-dimensional staircase; its variance and its mean "
            "absolute value are least at the largest root of a quintic and of a quartic in Y, and "
            "the quintic cannot be solved by radicals."
        ),
        latex=r"V_2(Y) = \frac{Y^4 + 6 b Y^2 + 4 b (1 + b) Y + b (1 + 7 b + b^2)}{6 (1 - b)^2 (Y^2 + b)}, \quad Y_{2*}^5 + 2 b Y_{2*}^3 - 2 b (1 + b) Y_{2*}^2 - b (1 + b + b^2) Y_{2*} + 2 b^2 (1 + b) = 0",
        domain="eps > 0, 0 < gamma <= 1",
        status=Status.PROVED,
        checks=checks_of(
            mean_absolute_is,
            second_moment_is,
            fourth_moment_is,
            mixed_moment_is,
            stationary,
            one_root_on_each_side,
            small_epsilon_equation,
            no_radicals,
            untuned,
            table,
        ),
        ours=True,
        steps=(
            *by_checks(stationary, one_root_on_each_side, no_radicals),
            *by_hand(
                "By Descartes' rule two changes of sign allow two positive roots at most; the three signs put one in (b, sqrt(b)), a maximum, and one in (sqrt(b), 1), a minimum.",
                "The value there is below that at Y = 1, which is also the value at Y = b, so it is the least over all gamma.",
                "The covariance is 0 since the law is invariant under a change of sign of one coordinate.",
                "One irreducible quintic with group S5 shows that no formula by radicals in b exists.",
            ),
        ),
        obligations=parts_of(mean_absolute_is, second_moment_is, fourth_moment_is, mixed_moment_is),
    ),
)
