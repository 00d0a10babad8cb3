"""Algorithm 8 as printed exceeds the budget of a user (PDP): an exact argument, step by step."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, for_all
from proofs_check.papers.pdp.common import LESS, larger, smaller
from proofs_check.papers.pdp.tools.quantile import rank_score
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByHand

__all__ = ["CLAIMS", "count_weight"]

HALF = Fraction(1, 2)

LEFT = Fraction(3, 10)


def count_weight(users: int, c: int, beta: Fraction, rate: Fraction) -> ExpSum:
    """P(floor(d + X - offset) = c) for c >= d: scale 1 / rate, offset with e^(-rate offset) = beta / 2.

    Both ends c - d + offset and c - d + 1 + offset are above 0, so the tail is e^(-rate x) / 2.
    """
    first, last = (ExpSum.exp(-rate * (c - users + step)) for step in (0, 1))
    return (first - last) * (beta / 4)


@refutes(
    "Every count c >= 1 is exactly e^left times as likely with the user as without.", Method.EXACT
)
@mutant("scale 1 / (0.99 left)", rate=LEFT * LESS)
def counts_cost_everything(rate: Fraction = LEFT) -> Finding:
    """P(count = c | one user) = e^left P(count = c | none) for c = 1, ..., 6, with scale 1 / left."""
    beta = Fraction(1, 10)
    for c in range(1, 7):
        one, none = (count_weight(users, c, beta, rate) for users in (1, 0))
        if one != none * ExpSum.exp(LEFT):
            return exactly(False, f"the ratio is not e^left at c = {c}")
    return exactly(True, "ratio e^left exactly, for six counts")


@refutes("Given c, the center is at least as likely at a > 0 as at -a.", Method.EXACT)
@mutant("the opposite score", score=lambda *arguments: -rank_score(*arguments))
def center_leans_right(score: Callable[..., int] = rank_score) -> Finding:
    """One record r >= 0 on a symmetric grid: the score of a is at least that of -a, for all ranks."""
    cases = 0
    for size, record, rank in product(range(1, 7), range(7), range(1, 5)):
        if record > size:
            continue
        for a in range(1, size + 1):
            cases += 1
            up, down = (score(int(record < y), int(record <= y), rank) for y in (a, -a))
            if up < down:
                return exactly(False, f"score {up} at {a}, {down} at {-a}, record {record}")
    return exactly(True, f"{cases} cases")


@refutes("The range around a is stochastically shorter than that around -a.", Method.SMT)
@mutant("sign of the shift", sign=-1)
@for_all(reals("r a"), polynomial=True)
def range_is_shorter_on_the_right(r: Any, a: Any, *, sign: int = 1) -> Condition:
    """|r - a| <= |r + a| for r, a >= 0: centered at a, the record leaves smaller radii later."""
    given = all_of(r >= 0, a >= 0)
    return implies(given, (r - sign * a) * (r - sign * a) <= (r + sign * a) * (r + sign * a))


@refutes("Means of the clipped records.", Method.SMT)
@mutant("0.99 R", share=LESS)
def clipped_means(share: Fraction = Fraction(1)) -> Finding:
    """The mean of clip(x) and clip(0) is at least max(0, a - R) centered at a, min(0, R - a) at -a.

    Both for x >= 0 and any weight of the record; at 0 it is above 0 if R, x and the weight are.
    """

    def clip(x: Any, center: Any, radius: Any) -> Any:
        return larger(center - radius, smaller(x, center + radius))

    def statement(x: Any, a: Any, radius: Any, w: Any) -> Any:
        given = all_of(x >= 0, a >= 0, radius > 0, w >= 0, w <= 1)
        right, left, middle = (
            w * clip(x, c, radius) + (1 - w) * clip(exact(0), c, radius) for c in (a, -a, exact(0))
        )
        lean = right >= larger(exact(0), a - exact(share) * radius)
        strict = implies(all_of(x > 0, w > 0), middle > 0)
        return implies(given, all_of(lean, left >= smaller(exact(0), radius - a), strict))

    return valid(reals("x a R w"), statement, polynomial=True)


@refutes("A shorter range has less noise for the same gap.", Method.SMT)
@mutant("0.99 of the left side", slack=LESS)
@for_all(reals("a short long"), polynomial=True)
def exponents_compare(a: Any, short: Any, long: Any, *, slack: Fraction = Fraction(1)) -> Condition:
    """(a - R') / R' >= (a - R) / R for R' <= R: the noise scales with the radius."""
    given = all_of(0 < short, short <= long, a > 0)
    return implies(given, (a - short) * long * slack >= (a - long) * short)


@refutes("So each pair of centers gives positive outputs at least half of its mass.", Method.SMT)
@mutant("h(a) >= 0.495", floor=HALF * LESS)
@for_all(reals("p q h g"), polynomial=True)
def pairs_favor_the_right(p: Any, q: Any, h: Any, g: Any, *, floor: Fraction = HALF) -> Condition:
    """P(a) >= P(-a), h(a) >= 1/2 and h(a) + h(-a) >= 1 give at least half of the mass of the pair."""
    given = all_of(p >= q, q >= 0, h >= floor, h + g >= 1)
    return implies(given, p * h + q * g >= (p + q) / 2)


@refutes(
    "Accounting: 1.25 left at distance 1, 1.5 left at distance 2 as the paper argues; counts of scale 2 / left cost left / 2.",
    Method.EXACT,
)
@mutant("counts of scale 2 / left", scale=2)
def accounting(scale: int = 1) -> Finding:
    """Printed: the counts cost left, the mean stage left / 4 per changed record: 1.25 or 1.5 left.

    With Lap(2 / left) the counts cost left / 2: 0.15 at left = 0.3.
    """
    costs = {}
    for words, denominator in (("printed", scale), ("text", 2)):
        rate = LEFT / denominator
        one, none = (ExpSum.exp(-rate * (x - users)) for users, x in ((1, 5), (0, 5)))
        found = [k for k in range(1, 7) if one == none * ExpSum.exp(LEFT * k / 6)]
        costs[words] = Fraction(found[0], 6) if found else Fraction(0)
    totals = [costs["printed"] + Fraction(d, 4) for d in (1, 2)]
    expected = totals == [Fraction(5, 4), Fraction(3, 2)] and costs["text"] == HALF
    return exactly(expected and costs["text"] * LEFT == Fraction(15, 100), f"costs {costs}")


CLAIMS = (
    Claim(
        id="PDP-CX7",
        source="Algorithm 8 (our counterexample)",
        says="Algorithm 8, with counts of scale 1 / left, is private with the budget of each user.",
        latex=r"\Pr(A(D) \in E) \le e^{\mathcal{E}(u)} \Pr(A(D') \in E)",
        domain="eps_min = eps_max = left, so J = 1 (with ln 1 for the printed ln 0, counts rounded down); D one user with a positive value, D' empty; E = all positive outputs",
        status=Status.REFUTED,
        checks=checks_of(
            counts_cost_everything,
            center_leans_right,
            range_is_shorter_on_the_right,
            clipped_means,
            exponents_compare,
            pairs_favor_the_right,
            accounting,
        ),
        why="The counts alone use up the budget left of a user at the left end of a group; the mean stage comes on top.",
        right="Counts of scale 2 / left cost left / 2, and the mean stage with budgets left / 2 the other half (distance 1).",
        corrected_by="PDP-T13",
        steps=(
            ByCheck("center_leans_right"),
            ByCheck("range_is_shorter_on_the_right"),
            ByCheck("clipped_means"),
            ByCheck("exponents_compare"),
            ByCheck("pairs_favor_the_right"),
            ByHand(
                "Given the count c the mean stage sees the user's x > 0 and c - 1 zeros, or c zeros, which Algorithm 6 drops."
            ),
            ByHand(
                "With zeros only the range is symmetric around 0 and the output positive with probability 1/2."
            ),
            ByHand(
                "With x: if it is replaced, the range has the same symmetric law, and a center 0 has positive probability and makes the output positive with probability above 1/2; if it survives, the center leans to the right."
            ),
            ByHand(
                "Centered at a the output is positive with probability h(a) = 1 - e^(-v / s) / 2 for the clipped mean v >= 0, at -a with at least e^(-(a - R) / s) / 2 where a > R; s is proportional to R, and the radii are coupled so that the one around a is at most the one around -a, hence h(a) >= 1/2 and h(a) + h(-a) >= 1."
            ),
            ByHand(
                "So given every c the output is positive with probability above 1/2, and P(E | D) / P(E | D') > e^left strictly."
            ),
        ),
        obligations=parts_of(counts_cost_everything, accounting),
        note="(If no user is kept the output is a constant; E excludes it.)",
    ),
)
