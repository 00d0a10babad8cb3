"""Hourglass noise: its law, marginals and conditionals, and why it is private (KSW, Section 4).

On the line z1 + z2 = t, for integers t, the density is A e^(-eps k) with k = |s| + |t - s|, where
s is the staircase level of z1.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.claim import Check, Claim, Finding, Method, Status
from proofs_check.smt import absolute, all_of, choose, exact, implies, integers, real, reals, valid
from proofs_check.symbolic import branch, identical, oo, summation, symbols

__all__ = ["CLAIMS", "hourglass_level", "in_level"]

Level = Callable[[Any, Any], Any]
"""Level of a point as a function of the line's t and the staircase level s of z1."""


def hourglass_level(t: Any, s: Any) -> Any:
    """k(t, z1) = |s| + |t - s|."""
    return absolute(s) + absolute(t - s)


def in_level(z: Any, s: Any, gamma: Any) -> Any:
    """Whether z lies in staircase level s: |z| in [|s| - 1 + gamma, |s| + gamma), same sign."""
    from_below = all_of(real(s) - 1 + gamma <= z, z < real(s) + gamma)
    from_above = all_of(real(-s) - 1 + gamma <= -z, -z < real(-s) + gamma)
    return choose(s == 0, absolute(z) < gamma, choose(s > 0, from_below, from_above))


def moves_change_the_level_by_one(
    level: Level = hourglass_level, reach: Fraction = Fraction(1)
) -> Finding:
    """|k(t + 1, z + x) - k(t, z)| = 1 for every record x in [0, 1], every point and every gamma."""

    def statement(z: Any, x: Any, gamma: Any, t: Any, s: Any, r: Any) -> Any:
        given = all_of(
            0 < gamma,
            gamma <= 1,
            0 <= x,
            x <= exact(reach),
            in_level(z, s, gamma),
            in_level(z + x, r, gamma),
        )
        return implies(given, absolute(level(t + 1, r) - level(t, s)) == 1)

    return valid(reals("z x gamma") | integers("t s r"), statement)


def marginal_is_the_staircase(upper: Fraction = Fraction(1)) -> Finding:
    """Sum over t of b^k on level i is b^i (1 + b) / (1 - b): a times the staircase's weight b^i."""
    b, i = symbols("b i", positive=True)
    j = symbols("j", integer=True, nonnegative=True)
    below = branch(summation(b ** (i + j), (j, 1, oo)), {b: Fraction(1, 3)})  # t = i - j: k = i + j
    above = branch(summation(b ** (i + j), (j, 0, oo)), {b: Fraction(1, 3)})  # t = i + j: k = i + j
    right = b**i * (upper + b) / (1 - b)
    return identical(below + above, right, {b: (0, 1), i: (0, 9)})


CLAIMS = (
    Claim(
        id="KSW-T2",
        source="Theorem 2",
        says=(
            "Hourglass noise added to (s1, s2) is eps-differentially private under add-remove, "
            "and the privacy loss is exactly plus or minus eps at every point."
        ),
        latex=r"|k(t+1, z+x) - k(t, z)| = 1 \quad (0 \le x \le 1,\ t \in \mathbb{Z})",
        domain="eps > 0, 0 < gamma <= 1, records in [0, 1]",
        status=Status.PROVED,
        checks=(
            Check(
                "Every move (x, 1 - x) changes the level k by exactly one, at every real point.",
                Method.SMT,
                moves_change_the_level_by_one,
                mutants={
                    "k = |s| + |t| for |s| + |t - s|": {
                        "level": lambda t, s: absolute(s) + absolute(t)
                    },
                    "records up to 1.01": {"reach": Fraction(101, 100)},
                },
            ),
        ),
        argument=(
            "The density on each line is A e^(-eps k), so a move changes it by a factor e^eps or "
            "e^-eps; removing a record is the same move backwards."
        ),
    ),
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
        ),
    ),
)
