"""Moments of hourglass noise (beyond KSW).

T = Z1 + Z2 = s + G with the level s of Z1 and an independent two-sided geometric G of ratio b
(KSW-L4); y = gamma + b (1 - gamma).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.claim import Check, Claim, Finding, Method, Obligation, Role, Status, every
from proofs_check.enclosure import Balls
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.ksw.common import decay, geometric_sum
from proofs_check.papers.ksw.noise.hourglass import hourglass_height
from proofs_check.papers.ksw.noise.staircase import (
    best_y_cubed,
    gamma_of_y,
    height,
    second_moment,
    y_of_gamma,
)
from proofs_check.printed import as_printed
from proofs_check.steps import ByCheck
from proofs_check.symbolic import Rational, branch, identical, integrate, oo, summation, symbols

__all__ = [
    "CLAIMS",
    "covariance",
    "mixed_moment",
    "sum_fourth_moment",
    "sum_probability",
]

Formula = Callable[..., Any]


def sum_probability(b: Any, gamma: Any, t: Any) -> Any:
    """P(T = t) = A b^|t| (|t| + c), c = 2 gamma + 2 b^2 / (1 - b^2)."""
    c = 2 * gamma + 2 * b**2 / (1 - b**2)
    return hourglass_height(b, y_of_gamma(b, gamma)) * b ** abs(t) * (abs(t) + c)


def covariance(b: Any, y: Any) -> Any:
    """Cov(Z1, Z2) = (b (1 + b) / (6 y) - y^2 / 3) / (1 - b)^2."""
    return (b * (1 + b) / (6 * y) - y**2 / 3) / (1 - b) ** 2


def sum_fourth_moment(b: Any, gamma: Any) -> Any:
    """E T^4."""
    cubic = 1 + 25 * b + 43 * b**2 + 3 * b**3
    linear = 2 * gamma * (1 + 9 * b - 9 * b**2 - b**3)
    return b * (cubic + linear) / ((1 - b) ** 4 * y_of_gamma(b, gamma))


def mixed_moment(b: Any, gamma: Any) -> Any:
    """E Z1^2 T^2."""
    zeroth = 1 + 25 * b + 49 * b**2 + 9 * b**3
    first = 3 * gamma * (1 + 9 * b - 5 * b**2 - 5 * b**3)
    second = 3 * gamma**2 * (1 + b - 5 * b**2 + 3 * b**3)
    third = 2 * gamma**3 * (1 - b) ** 3
    return b * (zeroth + first + second + third) / (3 * (1 - b) ** 4 * y_of_gamma(b, gamma))


B, GAMMA, K, Y, Z = symbols("b gamma k y z", positive=True)
UNIT = {B: (0, 1), GAMMA: (0, 1), Y: (0, 1)}
Y_OF_GAMMA = y_of_gamma(B, GAMMA)


def level_mean(level_power: int, power: int) -> Any:
    """E s^m Z1^r, m >= 1 and m + r even, over all levels: uniform on each."""
    inner = integrate(Z**power, (Z, K - 1 + GAMMA, K + GAMMA))
    return 2 * height(B, Y_OF_GAMMA) * geometric_sum((K**level_power * inner).expand(), K, B)


def geometric_moment(power: int) -> Any:
    """E G^m, m even and positive, of the two-sided geometric law."""
    return 2 * (1 - B) / (1 + B) * geometric_sum(K**power, K, B)


def probability_of_the_sum(closed: Formula = sum_probability) -> Finding:
    """Level 0 has mass 2 gamma a, levels i != 0 a b^|i|; the rest of T - s is geometric."""
    t, j = symbols("t j", integer=True, nonnegative=True)
    A = hourglass_height(B, Y_OF_GAMMA)
    # s = 0; s = 1..t, each with |s| + |t - s| = t; s = -j and s = t + j with t + 2 j, j >= 1
    far = branch(summation(B ** (2 * j), (j, 1, oo)), {B: Fraction(1, 3)})
    total = A * B**t * (2 * GAMMA + t + 2 * far)
    box = UNIT | {t: (0, 9)}
    value = closed(B, GAMMA, t)
    tail = closed(B, GAMMA, K).expand()
    coefficient = (tail / B**K).simplify()
    one = closed(B, GAMMA, 0) + 2 * (geometric_sum(coefficient, K, B) - coefficient.subs(K, 0))
    at_zero = closed(B, Rational(0), 0) / closed(B, Rational(1), 0)
    return every(
        [identical(total, value, box), identical(one, 1, UNIT), identical(at_zero, B, UNIT)],
        detail="the law, its sum, and P(T = 0) at gamma = 0 over that at gamma = 1",
    )


def covariance_is(closed: Formula = covariance) -> Finding:
    """Cov = E Z1 s - V, since Z2 = s - Z1 + G."""
    return identical(level_mean(1, 1) - second_moment(B, Y_OF_GAMMA), closed(B, Y_OF_GAMMA), UNIT)


@for_all(reals("b y x"), polynomial=True)
def covariance_sign(b: Any, y: Any, x: Any, *, half: Fraction = Fraction(1, 2)) -> Condition:
    """6 y (1 - b)^2 Cov = b (1 + b) - 2 y^3: positive below y*, 0 there, negative above."""
    given = all_of(0 < b, b < 1, 0 < y, 0 < x, x**3 == half * b * (1 + b))
    value = b * (1 + b) - 2 * y**3
    return implies(given, all_of((value > 0) == (y < x), (value == 0) == (y == x)))


def variance_of_the_sum(two: Any = 2) -> Finding:
    """Var T = E s^2 + E G^2 = 2 (V + Cov)."""
    left = level_mean(2, 0) + geometric_moment(2)
    right = two * (second_moment(B, Y_OF_GAMMA) + covariance(B, Y_OF_GAMMA))
    return identical(left, right, UNIT)


def fourth_moment_is(
    closed: Formula = sum_fourth_moment, half: Fraction = Fraction(1, 2)
) -> Finding:
    """E T^4 = E s^4 + 6 E s^2 E G^2 + E G^4, and E Z1 T^3 = E Z1 s^3 + 3 E Z1 s E G^2 is half of it."""
    G2 = geometric_moment(2)
    fourth = level_mean(4, 0) + 6 * level_mean(2, 0) * G2 + geometric_moment(4)
    third = level_mean(3, 1) + 3 * level_mean(1, 1) * G2
    return every(
        [
            identical(fourth, closed(B, GAMMA), UNIT),
            identical(third, Rational(str(half)) * closed(B, GAMMA), UNIT),
        ]
    )


def mixed_moment_is(closed: Formula = mixed_moment) -> Finding:
    """E Z1^2 T^2 = E Z1^2 s^2 + V E G^2."""
    total = level_mean(2, 2) + second_moment(B, Y_OF_GAMMA) * geometric_moment(2)
    return identical(total, closed(B, GAMMA), UNIT)


TABLE = (
    # eps, gamma (empty for gamma*), A, P(T = 0), P(T = 1), V, Cov, E T^4, E Z1^2 T^2
    (
        "0.5",
        None,
        "0.0612348774746684 0.127406804536083 0.114416963839282 7.91701721536634 0e-15 1136.26462917032 442.746599335254",
    ),
    (
        "1",
        None,
        "0.231356069729801 0.265252083448721 0.182691929872497 1.91810353123553 0e-15 68.2583193166881 26.7446769963333",
    ),
    (
        "1",
        "0.2",
        "0.295480129523367 0.210687758514074 0.186208759790143 1.97375858671058 0.220798711208296 81.0283636342777 30.1629864919917",
    ),
    (
        "1",
        "0.8",
        "0.167194264188024 0.319848526924786 0.17917302982116 2.03783576006874 -0.396348726234221 55.480758087677 23.9788775355058",
    ),
    (
        "2",
        "0.5",
        "0.580025658385974 0.601669153843459 0.159925002112306 0.445364163816489 -0.0833333333333333 3.08325546093213 1.33983355777261",
    ),
    (
        "5",
        None,
        "3.26119355457814 0.942664804198478 0.0283253748130992 0.0297110241363729 0e-15 0.0680425775509074 0.0260978181442848",
    ),
    (
        "10",
        None,
        "17.6561449602259 0.99830602877715 0.000846910764658456 0.000847210176978857 0e-15 0.00169621728249735 0.000581830354128199",
    ),
)


def table(
    law: Formula = sum_probability,
    cov: Formula = covariance,
    fourth: Formula = sum_fourth_moment,
    mixed: Formula = mixed_moment,
    height: Formula = hourglass_height,
) -> Finding:
    """Printed values; at gamma* the covariance is 0."""
    numbers = Balls(128)
    rows = []
    for epsilon, given, printed in TABLE:
        b = decay(epsilon, numbers=numbers)
        if given is None:
            y = numbers.root(best_y_cubed(b), 3)
            gamma = gamma_of_y(b, y)
        else:
            gamma = numbers.rational(Fraction(given))
            y = y_of_gamma(b, gamma)
        values = (
            height(b, y),
            law(b, gamma, 0),
            law(b, gamma, 1),
            second_moment(b, y),
            cov(b, y),
            fourth(b, gamma),
            mixed(b, gamma),
        )
        rows += [
            (f"column {i} at eps = {epsilon}, gamma = {given or 'gamma*'}", text, value)
            for i, (text, value) in enumerate(zip(printed.split(), values, strict=True), 1)
        ]
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="KSW-H1",
        source="our own",
        says=(
            "The law of the sum T = Z1 + Z2 of hourglass noise; the noisy number of records n + T is "
            "0 with positive probability. gamma = 0 is not the law of gamma = 1."
        ),
        latex=r"P(T = t) = A\, b^{|t|} \Bigl( |t| + 2 \gamma + \frac{2 b^2}{1 - b^2} \Bigr)",
        domain="eps > 0, 0 < gamma <= 1",
        status=Status.PROVED,
        checks=(
            Check(
                "Summed over levels; it adds to 1; P(T = 0) at gamma = 0 is b times that at gamma = 1.",
                Method.SYMBOLIC,
                probability_of_the_sum,
                mutants={
                    "2 b for 2 b^2": {
                        "closed": lambda b, g, t: (
                            hourglass_height(b, y_of_gamma(b, g))
                            * b ** abs(t)
                            * (abs(t) + 2 * g + 2 * b / (1 - b**2))
                        )
                    },
                    "gamma for 2 gamma": {
                        "closed": lambda b, g, t: (
                            sum_probability(b, g, t)
                            - hourglass_height(b, y_of_gamma(b, g)) * b ** abs(t) * g
                        )
                    },
                },
            ),
            Check(
                "Printed values of the table of KSW-H3.",
                Method.ENCLOSURE,
                table,
                mutants={
                    "P(T = t) 1 % too large": {
                        "law": lambda b, g, t: sum_probability(b, g, t) * Fraction(101, 100)
                    },
                    "1.01 + b in A": {
                        "height": lambda b, y: (
                            hourglass_height(b, y) * (1 + b) / (Fraction(101, 100) + b)
                        )
                    },
                },
                role=Role.VALUE,
            ),
        ),
        assumes=("KSW-D4", "KSW-L4"),
        ours=True,
        steps=(ByCheck("probability_of_the_sum", "P(n + T = 0) = A b^n (n + c) > 0 for every n."),),
        obligations=(Obligation("probability of the sum", "probability_of_the_sum"),),
    ),
    Claim(
        id="KSW-H2",
        source="our own",
        says=(
            "The covariance of the two coordinates of hourglass noise; it is 0 exactly at the gamma "
            "of least variance, for every eps, positive below and negative above."
        ),
        latex=r"\operatorname{Cov}(Z_1, Z_2) = \frac{1}{(1 - b)^2} \Bigl( \frac{b (1 + b)}{6 y} - \frac{y^2}{3} \Bigr), \qquad \operatorname{Var} T = 2 (V + \operatorname{Cov})",
        domain="eps > 0, 0 < gamma <= 1",
        status=Status.PROVED,
        checks=(
            Check(
                "E Z1 s - V, summed over levels.",
                Method.SYMBOLIC,
                covariance_is,
                mutants={"Cov + b / 100": {"closed": lambda b, y: covariance(b, y) + b / 100}},
            ),
            Check(
                "Its sign is that of y* - y, and it is 0 at y* only.",
                Method.SMT,
                covariance_sign,
                mutants={"0.505 b (1 + b) for y*^3": {"half": Fraction(505, 1000)}},
            ),
            Check(
                "Var T = E s^2 + E G^2 = 2 (V + Cov).",
                Method.SYMBOLIC,
                variance_of_the_sum,
                mutants={"2.02 for 2": {"two": Rational(202, 100)}},
            ),
        ),
        assumes=("KSW-L4", "KSW-S1"),
        ours=True,
        obligations=(
            Obligation("covariance is", "covariance_is"),
            Obligation("covariance sign", "covariance_sign"),
            Obligation("variance of the sum", "variance_of_the_sum"),
        ),
    ),
    Claim(
        id="KSW-H3",
        source="our own",
        says="Fourth moments of hourglass noise, and a table of its reference values.",
        latex=r"\mathrm{E} T^4 = \frac{b (1 + 25 b + 43 b^2 + 3 b^3 + 2 \gamma (1 + 9 b - 9 b^2 - b^3))}{(1 - b)^4 y}, \quad \mathrm{E} Z_1 T^3 = \tfrac12 \mathrm{E} T^4, \quad \mathrm{E} Z_1^2 T^2 = \frac{b [1 + 25 b + 49 b^2 + 9 b^3 + 3 \gamma (1 + 9 b - 5 b^2 - 5 b^3) + 3 \gamma^2 (1 + b - 5 b^2 + 3 b^3) + 2 \gamma^3 (1 - b)^3]}{3 (1 - b)^4 y}",
        domain="eps > 0, 0 < gamma <= 1",
        status=Status.PROVED,
        checks=(
            Check(
                "E T^4 and E Z1 T^3, summed over levels.",
                Method.SYMBOLIC,
                fourth_moment_is,
                mutants={
                    "E T^4 + b / 100": {"closed": lambda b, g: sum_fourth_moment(b, g) + b / 100},
                    "0.505 E T^4 for E Z1 T^3": {"half": Fraction(505, 1000)},
                },
            ),
            Check(
                "E Z1^2 T^2, summed over levels.",
                Method.SYMBOLIC,
                mixed_moment_is,
                mutants={
                    "E Z1^2 T^2 + b / 100": {"closed": lambda b, g: mixed_moment(b, g) + b / 100}
                },
            ),
            Check(
                "All 49 printed values of A, P(T = 0), P(T = 1), V, Cov, E T^4 and E Z1^2 T^2.",
                Method.ENCLOSURE,
                table,
                mutants={
                    "E T^4 + b / 100": {"fourth": lambda b, g: sum_fourth_moment(b, g) + b / 100},
                    "E Z1^2 T^2 + b / 100": {"mixed": lambda b, g: mixed_moment(b, g) + b / 100},
                    "b (1 + b) / (6.06 y) in Cov": {
                        "cov": lambda b, y: (
                            covariance(b, y) - b * (1 + b) / (606 * y * (1 - b) ** 2)
                        )
                    },
                },
                role=Role.VALUE,
            ),
        ),
        assumes=("KSW-H1", "KSW-H2"),
        ours=True,
        obligations=(
            Obligation("fourth moment is", "fourth_moment_is"),
            Obligation("mixed moment is", "mixed_moment_is"),
        ),
    ),
)
