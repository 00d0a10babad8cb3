"""Marginals and conditionals of hourglass noise (KSW, Lemmas 3 and 4)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import (
    Check,
    Claim,
    Finding,
    Method,
    Status,
    exactly,
)
from proofs_check.language import (
    Always,
    Condition,
    Domain,
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
from proofs_check.papers.ksw.noise.hourglass import hourglass_height, symmetries
from proofs_check.papers.ksw.noise.staircase import height
from proofs_check.smt import absolute
from proofs_check.steps import ByCheck, ByDefinition
from proofs_check.symbolic import branch, oo, summation, symbols

__all__ = ["CLAIMS"]

Formula = Callable[..., Any]


def summed_over_lines(b: Any, i: Any) -> Any:
    """Sum over t of b^k on level i; t = i - j, j >= 1, and t = i + j have k = i + j."""
    j = symbols("j", integer=True, nonnegative=True)
    terms = ((j, first, oo) for first in (1, 0))
    return sum(branch(summation(b ** (i + j), span), {b: Fraction(1, 3)}) for span in terms)


@proves("The sum over all lines through level i is b^i (1 + b) / (1 - b).", Method.SYMBOLIC)
@mutant("1.01 + b for 1 + b", upper=Fraction(101, 100))
@for_all(
    reals("b") | integers("i"),
    "Summed over all lines the weight of hourglass noise on level i is {right}, so its marginals are the univariate staircase with the same gamma.",
    by=rearrange,
    box={"b": (0, 1), "i": (0, 9)},
)
def marginal_is_the_staircase(b: Any, i: Any, *, upper: Fraction = Fraction(1)) -> Condition:
    """It is (1 + b) / (1 - b) times the staircase's weight b^i."""
    weight = Quantity("the sum over t of b^k", r"\sum_t b^{k(t, z_1)}", summed_over_lines)
    given = all_of(0 < b, b < 1, i >= 0)
    return implies(given, weight(b, i) == b**i * (upper + b) / (1 - b))


@confirms(
    "The same sum by enumeration: rules out levels that are private but not these.", Method.EXACT
)
@mutant("k = max(|s|, |t - s|)", level=lambda t, s: max(abs(s), abs(t - s)))
@mutant("k = |s| + |t - s| + [t = s]", level=lambda t, s: abs(s) + abs(t - s) + (t == s))
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


@proves("Density over marginal, the law of G1 - G2, and total mass.", Method.SYMBOLIC)
@mutant("1.01 - b", mass=lambda b: (Fraction(101, 100) - b) / (1 + b))
@mutant("(1 - b) / (1 - b^2)", mass=lambda b: (1 - b) / (1 - b**2))
@decided(rearrange, box={"b": (0, 1), "y": (0, 1), "j": (0, 9)})
def conditional(mass: Formula = lambda b: (1 - b) / (1 + b)) -> Always:
    """Quotient of the densities, difference of geometric variates, and total mass."""
    b, y = real_symbols("b y")
    (j,) = whole_symbols("j")

    def difference(b: Any, j: Any) -> Any:
        n = symbols("n", integer=True, nonnegative=True)
        pairs = branch(summation(b ** (2 * n), (n, 0, oo)), {b: Fraction(1, 3)})
        return b**j * (1 - b) ** 2 * pairs

    quotient = Quantity(
        "density over marginal, over b^(k - |s|)",
        r"\frac{f(z_1, z_2)}{f(z_1)\, b^{k - |s|}}",
        lambda b, y: hourglass_height(b, y) / height(b, y),
    )
    geometric = Quantity("P(G1 - G2 = j)", "P(G_1 - G_2 = j)", difference)
    law = mass(b) * b**j
    return Always(
        Domain((b > 0, b < 1, y > 0, j >= 0)),
        (quotient(b, y) == mass(b), geometric(b, j) == law, mass(b) * (1 + 2 * b / (1 - b)) == 1),
        "Given a coordinate, the sum of both is at the distance j from the level of that "
        "coordinate with probability {law}, on either side: the law of the difference of two "
        "independent geometric variates of ratio {b}.",
        {"law": law, "b": b},
    )


CLAIMS = (
    Claim(
        id="KSW-L3",
        source="Lemma 3, equations (8) and (9)",
        states=(
            marginal_is_the_staircase,
            symmetries,
        ),
        domain="b = e^-eps, eps > 0; k is the level of a point on the line z1 + z2 = t, i = |s|",
        status=Status.PROVED,
        checks=checks_of(
            marginal_is_the_staircase,
            marginal_at_small_levels,
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
    ),
    Claim(
        id="KSW-L4",
        source="Lemma 4, equation (10)",
        states=(conditional,),
        domain="b = e^-eps, eps > 0, y = gamma + b (1 - gamma), 0 < gamma <= 1; j = |t - s|",
        status=Status.PROVED,
        checks=checks_of(conditional),
        assumes=("KSW-D4", "KSW-L3"),
        steps=(
            ByCheck("conditional", "b^k / b^|s| = b^|t - s|."),
            ByCheck("conditional", "P(G1 - G2 = j) = sum over i of (1 - b)^2 b^(2 i + j)."),
        ),
    ),
)
