"""Moments of hourglass noise (beyond KSW).

T = Z1 + Z2 = s + G with the level s of Z1 and an independent two-sided geometric G of ratio b
(KSW-L4); y = gamma + b (1 - gamma).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Check, Claim, Method, Role, Status
from proofs_check.language import (
    Always,
    Condition,
    Domain,
    Function,
    Quantity,
    all_of,
    decided,
    for_all,
    implies,
    integers,
    real_symbols,
    reals,
    rearrange,
    whole_symbols,
)
from proofs_check.papers.ksw.common import geometric_sum
from proofs_check.papers.ksw.noise.hourglass import hourglass_height
from proofs_check.papers.ksw.noise.hourglass_sums import (
    at,
    covariance,
    covariance_over_levels,
    fourth_of_the_sum,
    geometric_moment,
    level_mean,
    mixed_moment,
    mixed_over_levels,
    sum_fourth_moment,
    sum_probability,
    summed_law,
)
from proofs_check.papers.ksw.noise.hourglass_table import table
from proofs_check.papers.ksw.noise.staircase import (
    second_moment,
    y_of_gamma,
)
from proofs_check.papers.ksw.noise.staircase_moments import BOX, Y, staircase
from proofs_check.symbolic import Rational, symbols

__all__ = [
    "CLAIMS",
    "covariance",
    "mixed_moment",
    "sum_fourth_moment",
    "sum_probability",
]

Formula = Callable[..., Any]


@proves(
    "Summed over levels; it adds to 1; P(T = 0) at gamma = 0 is b times that at gamma = 1.",
    Method.SYMBOLIC,
)
@mutant(
    "2 b for 2 b^2",
    closed=lambda b, g, t: (
        hourglass_height(b, y_of_gamma(b, g)) * b ** abs(t) * (abs(t) + 2 * g + 2 * b / (1 - b**2))
    ),
)
@mutant(
    "gamma for 2 gamma",
    closed=lambda b, g, t: (
        sum_probability(b, g, t) - hourglass_height(b, y_of_gamma(b, g)) * b ** abs(t) * g
    ),
)
@decided(rearrange, box=BOX | {"t": (0, 9)})
def probability_of_the_sum(closed: Formula = sum_probability) -> Always:
    """The law, its sum, and P(T = 0) at gamma = 0 over that at gamma = 1."""
    b, gamma = real_symbols("b gamma")
    (t,) = whole_symbols("t")

    def whole(b: Any, gamma: Any) -> Any:
        k = symbols("k", positive=True)
        coefficient = (closed(b, gamma, k).expand() / b**k).simplify()
        two_sides = geometric_sum(coefficient, k, b) - coefficient.subs(k, 0)
        return closed(b, gamma, 0) + 2 * two_sides

    law = Quantity("P(T = t)", "P(T = t)", summed_law)
    total = Quantity("the sum over all t", r"\sum_{t \in \mathbb{Z}} P(T = t)", whole)
    quotient = Quantity(
        "P(T = 0) at gamma = 0 over that at gamma = 1",
        r"P(T = 0 \mid \gamma = 0) / P(T = 0 \mid \gamma = 1)",
        lambda b: closed(b, Rational(0), 0) / closed(b, Rational(1), 0),
    )
    value = closed(b, gamma, t)
    return Always(
        Domain((b > 0, b < 1, gamma > 0, gamma <= 1, t >= 0)),
        (law(b, gamma, t) == value, total(b, gamma) == 1, quotient(b) == b),
        "The sum T of the coordinates of hourglass noise is t, or -t, with probability {value} "
        "each, which adds to {one}; {quotient} is {b}, so the law of gamma = {zero} is not that of gamma = {one}.",
        {"value": value, "one": 1, "zero": 0, "b": b, "quotient": quotient(b)},
    )


@proves("Every sum can occur: what P(T = t) has besides A b^t is positive.", Method.SMT)
@mutant("-2 gamma", two=-Fraction(2))
@for_all(
    reals("b gamma") | integers("t"),
    "Every sum can occur, so the noisy number of records can be {zero}: {left} is positive.",
    terms=lambda _: {"zero": 0},
    polynomial=True,
)
def every_sum_can_occur(b: Any, gamma: Any, t: Any, *, two: Fraction = Fraction(2)) -> Condition:
    """What P(T = t) has besides A b^t."""
    given = all_of(staircase(b, gamma), t >= 0)
    return implies(given, t + two * gamma + 2 * b**2 / (1 - b**2) > 0)


@proves("E Z1 s - V, summed over levels.", Method.SYMBOLIC)
@mutant("Cov + b / 100", closed=lambda b, y: covariance(b, y) + b / 100)
@for_all(
    reals("b gamma"),
    "The coordinates of hourglass noise have the covariance {right}.",
    by=rearrange,
    box=BOX,
)
def covariance_is(b: Any, gamma: Any, *, closed: Formula = covariance) -> Condition:
    """Cov = E Z1 s - V, since Z2 = s - Z1 + G."""
    summed = Quantity(
        "Cov(Z1, Z2)",
        r"\operatorname{Cov}(Z_1, Z_2)",
        lambda b, gamma: at(covariance_over_levels(), b, gamma),
    )
    return implies(staircase(b, gamma), summed(b, gamma) == closed(b, Y(b, gamma)))


@proves("Its sign is that of y* - y, and it is 0 at y* only.", Method.SMT)
@mutant("0.505 b (1 + b) for y*^3", half=Fraction(505, 1000))
@for_all(
    reals("b y x"),
    "It has the sign of {gap}: positive below {x}, where the variance is least, zero at {x} only, "
    "negative above.",
    terms=lambda v: {"gap": v["b"] * (1 + v["b"]) - 2 * v["y"] ** 3},
    polynomial=True,
)
def covariance_sign(b: Any, y: Any, x: Any, *, half: Fraction = Fraction(1, 2)) -> Condition:
    """6 y (1 - b)^2 Cov = b (1 + b) - 2 y^3: positive below y*, 0 there, negative above."""
    given = all_of(0 < b, b < 1, 0 < y, 0 < x, x**3 == half * b * (1 + b))
    value = b * (1 + b) - 2 * y**3
    return implies(given, all_of((value > 0) == (y < x), (value == 0) == (y == x)))


@proves("Var T = E s^2 + E G^2 = 2 (V + Cov).", Method.SYMBOLIC)
@mutant("2.02 for 2", two=Fraction(202, 100))
@for_all(
    reals("b gamma"),
    "The sum of the coordinates has the variance {right}.",
    by=rearrange,
    box=BOX,
)
def variance_of_the_sum(b: Any, gamma: Any, *, two: Fraction = Fraction(2)) -> Condition:
    """Var T = E s^2 + E G^2 = 2 (V + Cov)."""
    summed = Quantity(
        "Var T",
        r"\operatorname{Var} T",
        lambda b, gamma: at(level_mean(2, 0) + geometric_moment(2), b, gamma),
    )
    moments = (Function(n, of, short=True) for n, of in (("V", second_moment), ("Cov", covariance)))
    first, second = (moment(b, Y(b, gamma)) for moment in moments)
    return implies(staircase(b, gamma), summed(b, gamma) == two * (first + second))


@proves("E T^4 and E Z1 T^3, summed over levels.", Method.SYMBOLIC)
@mutant("E T^4 + b / 100", closed=lambda b, g: sum_fourth_moment(b, g) + b / 100)
@mutant("0.505 E T^4 for E Z1 T^3", half=Fraction(505, 1000))
@decided(rearrange, box=BOX)
def fourth_moment_is(
    closed: Formula = sum_fourth_moment, half: Fraction = Fraction(1, 2)
) -> Always:
    """E T^4, and half of it for E Z1 T^3 = E Z1 s^3 + 3 E Z1 s E G^2."""
    b, gamma = real_symbols("b gamma")
    fourth = Quantity(
        "E T^4", r"\mathrm{E} T^4", lambda b, gamma: at(fourth_of_the_sum(), b, gamma)
    )
    third = Quantity(
        "E Z1 T^3",
        r"\mathrm{E} Z_1 T^3",
        lambda b, gamma: at(
            level_mean(3, 1) + 3 * level_mean(1, 1) * geometric_moment(2), b, gamma
        ),
    )
    value = closed(b, gamma)
    return Always(
        Domain((b > 0, b < 1, gamma > 0, gamma <= 1)),
        (fourth(b, gamma) == value, third(b, gamma) == half * value),
        "Of hourglass noise with the sum T of its coordinates, {fourth} is {value}, and {third} is "
        "{half} of it.",
        {"fourth": fourth(b, gamma), "third": third(b, gamma), "value": value, "half": half},
    )


@proves("E Z1^2 T^2, summed over levels.", Method.SYMBOLIC)
@mutant("E Z1^2 T^2 + b / 100", closed=lambda b, g: mixed_moment(b, g) + b / 100)
@for_all(reals("b gamma"), "Last, {left} is {right}.", by=rearrange, box=BOX)
def mixed_moment_is(b: Any, gamma: Any, *, closed: Formula = mixed_moment) -> Condition:
    """E Z1^2 T^2 = E Z1^2 s^2 + V E G^2."""
    summed = Quantity(
        "E Z1^2 T^2",
        r"\mathrm{E} Z_1^2 T^2",
        lambda b, gamma: at(mixed_over_levels(), b, gamma),
    )
    return implies(staircase(b, gamma), summed(b, gamma) == closed(b, gamma))


CLAIMS = (
    Claim(
        id="KSW-H1",
        source="our own",
        states=(
            probability_of_the_sum,
            every_sum_can_occur,
        ),
        domain="b = e^-eps, eps > 0",
        status=Status.PROVED,
        checks=checks_of(probability_of_the_sum, every_sum_can_occur, table),
        assumes=("KSW-D4", "KSW-L4"),
        ours=True,
    ),
    Claim(
        id="KSW-H2",
        source="our own",
        states=(
            covariance_is,
            covariance_sign,
            variance_of_the_sum,
        ),
        domain="b = e^-eps, y = gamma + b (1 - gamma), eps > 0; V is the variance of a coordinate, x the y of least variance",
        status=Status.PROVED,
        checks=checks_of(covariance_is, covariance_sign, variance_of_the_sum),
        assumes=("KSW-L4", "KSW-S1"),
        ours=True,
    ),
    Claim(
        id="KSW-H3",
        source="our own",
        states=(
            fourth_moment_is,
            mixed_moment_is,
            table,
        ),
        domain="b = e^-eps, eps > 0",
        status=Status.PROVED,
        checks=checks_of(
            fourth_moment_is,
            mixed_moment_is,
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
    ),
)
