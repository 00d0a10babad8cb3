"""Parallel composition over disjoint sets of values (PDP, Lemmas 3 and 10): false if n is fixed.

Changing one record moves it from one part to another, so that two parts change.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, for_all
from proofs_check.smt import absolute, all_of, any_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim, ByHand

__all__ = ["CLAIMS", "part_sizes"]


def part_sizes(data: Sequence[int], boundary: int = 0) -> tuple[int, int]:
    """Number of records below and from the boundary on: what two 0-private mechanisms release."""
    under = sum(x < boundary for x in data)
    return under, len(data) - under


@refutes(
    "n = 1, parts below and from 0 on, sizes as outputs: no finite eps, though each part is 0-private.",
    Method.EXACT,
)
@mutant("D' = (-2), in the same part as D", after=(-2,))
def sizes_reveal_the_record(before: Sequence[int] = (-1,), after: Sequence[int] = (1,)) -> Finding:
    """Each size is a constant of the number n of records of its part, yet the pair differs surely.

    A mechanism that outputs the size of its input is 0-private if neighbors have the same size.
    """
    sizes, others = part_sizes(before), part_sizes(after)
    neighbors = (
        len(before) == len(after) and sum(x != y for x, y in zip(before, after, strict=True)) <= 1
    )
    return exactly(
        neighbors and sizes != others,
        f"the pair {sizes} has probability 1 on D = {tuple(before)} and 0 on D' = {tuple(after)}",
    )


PAIRS = reals("a p1 q1 p2 q2")
"""Two laws of two parts; a = e^eps."""


@proves("If one part changes, the joint ratio is at most e^eps.", Method.SMT)
@mutant("0.99 e^eps", factor=Fraction(99, 100))
@for_all(
    PAIRS,
    "Where one of two disjoint parts changes, the chances of both together grow at most by the factor {a}.",
    polynomial=True,
)
def joint_ratio(
    a: Any, p1: Any, q1: Any, p2: Any, q2: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """p1 p2 <= a q1 q2 where one of the two parts changes, by a factor within [1/a, a]."""
    changes = (p1 <= a * q1, q1 <= a * p1, p2 == q2)
    given = (a >= 1, *(x >= 0 for x in (p1, q1, p2, q2)), *changes)
    return implies(all_of(*given), p1 * p2 <= factor * a * q1 * q2)


@proves("If two parts change, the joint ratio is at most e^(2 eps).", Method.SMT)
@mutant("0.99 e^(2 eps)", factor=Fraction(99, 100))
@for_all(
    PAIRS,
    "Where both change, they grow at most by {square}.",
    terms=lambda v: {"square": v["a"] ** 2},
    polynomial=True,
)
def two_parts_change(
    a: Any, p1: Any, q1: Any, p2: Any, q2: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """p1 p2 <= a^2 q1 q2 where both change."""
    changes = (p1 <= a * q1, q1 <= a * p1, p2 <= a * q2, q2 <= a * p2)
    given = (a >= 1, *(x >= 0 for x in (p1, q1, p2, q2)), *changes)
    return implies(all_of(*given), p1 * p2 <= factor * a * a * q1 * q2)


@proves("Sizes with Laplace noise of scale 1 / eps attain exactly 2 eps.", Method.SMT)
@mutant("1.98 eps", loss=Fraction(198, 100))
@mutant("2.02 eps", loss=Fraction(202, 100))
def noisy_sizes(loss: Fraction = Fraction(2)) -> Finding:
    """Sizes (1, 0) against (0, 1), each with Laplace noise of scale 1 / eps, lose exactly 2 eps."""

    def difference(x: Any, y: Any) -> Any:
        return absolute(x) + absolute(y - 1) - absolute(x - 1) - absolute(y)

    bounded = valid(reals("x y"), lambda x, y: absolute(difference(x, y)) <= exact(loss))
    attained = valid(
        reals("x y"),
        lambda x, y: implies(all_of(x == 0, y == 1), any_of(difference(x, y) <= -exact(loss))),
    )
    return bounded if not bounded.holds else attained


WHY = "Under change-one neighbors the record may leave one part and enter another: two mechanisms see a change, and a change of the size of a part, which change-one privacy of M_j does not bound at all."

CLAIMS = (
    Claim(
        id="PDP-L3",
        source="Lemma 3",
        states=(joint_ratio, two_parts_change),
        domain="a = e^eps; p1 and q1, p2 and q2 are the chances of outcomes of both parts on neighbors; printed without the square",
        status=Status.CORRECTED,
        checks=checks_of(sizes_reveal_the_record, joint_ratio, two_parts_change, noisy_sizes),
        why=WHY,
        right="Under add-remove it is right. Under change-one: if each M_j is eps-private under add-remove, the joint loss is at most 2 eps, and 2 eps is attained.",
        steps=(
            ByCheck("joint_ratio"),
            ByCheck("two_parts_change"),
            ByHand(
                "Add-remove changes one part only, change-one at most two, each by one record added or removed; the other factors of the joint density cancel."
            ),
        ),
        obligations=parts_of(sizes_reveal_the_record, noisy_sizes),
    ),
    Claim(
        id="PDP-L10",
        source="Lemma 10",
        states=(joint_ratio, two_parts_change),
        domain="a = e^eps_i, of the record i that changes; else as PDP-L3",
        status=Status.CORRECTED,
        checks=checks_of(sizes_reveal_the_record, joint_ratio, two_parts_change, noisy_sizes),
        assumes=("PDP-L3",),
        why=WHY,
        right="Under add-remove it is right. Under change-one the loss of record i is at most 2 eps_i if each M_j has the budgets eps under add-remove. A partition by budgets under add-remove, as Algorithm 8 uses it, is fine.",
        steps=(
            ByCheck("joint_ratio"),
            ByCheck("two_parts_change"),
            ByClaim("PDP-L3", "Lemma 3 for each record i, with a = e^(eps_i)."),
        ),
        obligations=parts_of(sizes_reveal_the_record, noisy_sizes),
    ),
)
