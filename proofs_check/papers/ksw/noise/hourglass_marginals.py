"""Marginals and conditionals of hourglass noise (KSW, Lemmas 3 and 4)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.claim import (
    Check,
    Claim,
    Finding,
    Method,
    Obligation,
    Role,
    Status,
    every,
    exactly,
)
from proofs_check.papers.ksw.noise.hourglass import hourglass_height, symmetries
from proofs_check.papers.ksw.noise.staircase import height
from proofs_check.smt import absolute
from proofs_check.steps import ByCheck, ByDefinition
from proofs_check.symbolic import Rational, branch, identical, oo, summation, symbols

__all__ = ["CLAIMS"]

Formula = Callable[..., Any]


def marginal_is_the_staircase(upper: Fraction = Fraction(1)) -> Finding:
    """Sum over t of b^k on level i is b^i (1 + b) / (1 - b): a times the staircase's weight b^i."""
    b, i = symbols("b i", positive=True)
    j = symbols("j", integer=True, nonnegative=True)
    below = branch(summation(b ** (i + j), (j, 1, oo)), {b: Fraction(1, 3)})  # t = i - j: k = i + j
    above = branch(summation(b ** (i + j), (j, 0, oo)), {b: Fraction(1, 3)})  # t = i + j: k = i + j
    right = b**i * (upper + b) / (1 - b)
    return identical(below + above, right, {b: (0, 1), i: (0, 9)})


def marginal_at_small_levels(
    level: Formula = lambda t, s: abs(s) + abs(t - s), reach: int = 12
) -> Finding:
    """The same sum by enumeration of lines, for |s| <= 6; beyond |t| = 12 k grows by 1 per line."""
    for b, s in product((Fraction(1, 3), Fraction(5, 7)), range(-6, 7)):
        inner = sum(b ** level(t, s) for t in range(-reach, reach + 1))
        tails = sum(b ** level(t, s) for t in (-reach - 1, reach + 1)) / (1 - b)
        if inner + tails != b ** abs(s) * (1 + b) / (1 - b):
            return exactly(False, f"differs at b = {b}, level {s}")
    return exactly(True, "levels -6 to 6, b = 1/3 and 5/7")


def conditional(mass: Formula = lambda b: (1 - b) / (1 + b)) -> Finding:
    """Density / marginal is (1 - b) / (1 + b) b^|t - s|: the difference of two geometric variates."""
    b, y = symbols("b y", positive=True)
    j = symbols("j", integer=True, nonnegative=True)
    box = {b: (0, 1), y: (0, 1), j: (0, 9)}
    quotient = hourglass_height(b, y) / height(b, y)
    n = symbols("n", integer=True, nonnegative=True)
    difference = (
        b**j * (1 - b) ** 2 * branch(summation(b ** (2 * n), (n, 0, oo)), {b: Fraction(1, 3)})
    )
    whole = mass(b) * (1 + 2 * b / (1 - b))
    return every(
        [
            identical(quotient, mass(b), box),
            identical(difference, mass(b) * b**j, box),
            identical(whole, 1, box),
        ],
        detail="quotient, difference of geometric variates, and total mass",
    )


CLAIMS = (
    Claim(
        id="KSW-L3",
        source="Lemma 3, equations (8) and (9)",
        says="Both marginals of hourglass noise are the univariate staircase with the same gamma.",
        latex=r"\sum_t e^{-\varepsilon k(t, z_1)} = \frac{1 + b}{1 - b}\, e^{-\varepsilon |s(z_1)|}",
        domain="eps > 0, 0 < gamma <= 1",
        status=Status.PROVED,
        checks=(
            Check(
                "The sum over all lines through level i is b^i (1 + b) / (1 - b).",
                Method.SYMBOLIC,
                marginal_is_the_staircase,
                mutants={"1.01 + b for 1 + b": {"upper": Fraction(101, 100)}},
            ),
            Check(
                "The same sum by enumeration: rules out levels that are private but not these.",
                Method.EXACT,
                marginal_at_small_levels,
                mutants={
                    "k = max(|s|, |t - s|)": {"level": lambda t, s: max(abs(s), abs(t - s))},
                    "k = |s| + |t - s| + [t = s]": {
                        "level": lambda t, s: abs(s) + abs(t - s) + (t == s)
                    },
                },
                role=Role.EXAMPLE,
            ),
            Check(
                "k is the same seen from z2, so the other marginal is the same.",
                Method.SMT,
                symmetries,
                mutants={
                    "k = |s| + |t|": {"level": lambda t, s: absolute(s) + absolute(t)},
                },
            ),
        ),
        steps=(ByDefinition("KSW-D2", "A (1 + b) / (1 - b) is the staircase's a."),),
        obligations=(
            Obligation("marginal is the staircase", "marginal_is_the_staircase"),
            Obligation("symmetries", "symmetries"),
        ),
    ),
    Claim(
        id="KSW-L4",
        source="Lemma 4, equation (10)",
        says=(
            "Given z1, the sum z1 + z2 is its level s plus the difference of two independent "
            "geometric variates of ratio e^(-eps)."
        ),
        latex=r"P(z_1 + z_2 = t \mid z_1) = \frac{1 - b}{1 + b}\, e^{-\varepsilon |t - s(z_1)|}",
        domain="eps > 0, 0 < gamma <= 1",
        status=Status.PROVED,
        checks=(
            Check(
                "Density over marginal, the law of G1 - G2, and total mass.",
                Method.SYMBOLIC,
                conditional,
                mutants={
                    "1.01 - b": {"mass": lambda b: (Rational(101, 100) - b) / (1 + b)},
                    "(1 - b) / (1 - b^2)": {"mass": lambda b: (1 - b) / (1 - b**2)},
                },
            ),
        ),
        assumes=("KSW-D4", "KSW-L3"),
        steps=(
            ByCheck("conditional", "b^k / b^|s| = b^|t - s|."),
            ByCheck("conditional", "P(G1 - G2 = j) = sum over i of (1 - b)^2 b^(2 i + j)."),
        ),
        obligations=(Obligation("conditional", "conditional"),),
    ),
)
