"""Private group sizes of Algorithm 8 (PDP, equations (22) and (23)).

A group of d users gets the count d + X - s L with Laplace noise X of scale s; it is dropped if that
is at most 0. J groups, L = ln(J / beta).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, all_of, for_all, implies, integers, reals
from proofs_check.papers.pdp.common import LESS, NUMBERS, PERCENT, ball, below
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck
from proofs_check.symbolic import Rational, exp, identical, log, symbols

__all__ = ["CLAIMS", "count_offset", "printed_deletions_hold"]

HALF = Fraction(1, 2)

PRINTED = (
    (3, "0.1", "0.0912870929175277"),
    (1, "0.1", "0.158113883008419"),
    (10, "0.01", "0.0158113883008419"),
)
"""Groups J, beta, probability with which equation (23) holds."""


def count_offset(left: Any, groups: Any, beta: Any, *, numbers: Any) -> Any:
    """Offset of the corrected count: (2 / left) ln(2 J / beta)."""
    return 2 / left * numbers.log(2 * groups / beta)


def printed_deletions_hold(groups: Any, beta: Any, half: Any = HALF, *, numbers: Any) -> Any:
    """P(X >= s L / 2) = e^(-L / 2) / 2, the probability of equation (23), L = ln(J / beta)."""
    return numbers.exp(-numbers.log(groups / beta) * half) / 2


@proves("More than 2 s L users are dropped only if X < -s L.", Method.SMT)
@mutant("1.98 s L", twice=2 * LESS)
@for_all(
    reals("d X offset"),
    "A group of more than {twice} users is dropped only if the noise is below {least}.",
    terms=lambda v: {"twice": 2 * v["offset"], "least": -v["offset"]},
)
def dropped_group(d: Any, x: Any, offset: Any, *, twice: Fraction = Fraction(2)) -> Condition:
    """A dropped group of more than 2 s L users has X < -s L."""
    given = all_of(offset > 0, d + x - offset <= 0, d > twice * offset)
    return implies(given, x < -offset)


@proves("More than 2 s L users are lost only if X < -s L.", Method.SMT)
@mutant("1.98 s L", twice=2 * LESS)
@for_all(
    reals("d X offset"),
    "A kept group loses more than {twice} users only if the noise is below {least}.",
    terms=lambda v: {"twice": 2 * v["offset"], "least": -v["offset"]},
)
def deleted_users(d: Any, x: Any, offset: Any, *, twice: Fraction = Fraction(2)) -> Condition:
    """A loss d - (d + X - s L) > 2 s L means X < -s L."""
    given = all_of(offset > 0, d - (d + x - offset) > twice * offset)
    return implies(given, x < -offset)


@proves("P(X < -s L) = beta / (2 J).", Method.SYMBOLIC)
@mutant("0.99 s L", share=LESS)
def small_noise(share: Fraction = Fraction(1)) -> Finding:
    """P(X < -s L) = e^(-L) / 2 = beta / (2 J)."""
    groups, beta = symbols("J beta", positive=True)
    level = log(groups / beta) * Rational(share.numerator, share.denominator)
    return identical(exp(-level) / 2, beta / (2 * groups), {groups: (1, 20), beta: (0, 1)})


@refutes(
    "Scale 1, J = 3, beta = 0.1: 4 > ln 30 users are dropped with probability 0.2747.", Method.EXACT
)
@mutant("3 users", users=3)
@mutant("beta = 0.101", beta=Fraction(101, 1000))
def drop_probability(users: int = 4, groups: int = 3, beta: Fraction = Fraction(1, 10)) -> Finding:
    """Scale 1, J = 3, beta = 0.1: 4 > L = ln 30 users are dropped w.p. (J / beta) e^(-4) / 2.

    That is 0.27, not at most beta / (2 J) = 1 / 60.
    """
    size = ball(users) - NUMBERS.log(ball(groups / beta))
    dropped = ExpSum.exp(Fraction(-users), groups / beta / 2)
    return every(
        [
            below([("L and the number of users", Fraction(0), size)]),
            exactly(dropped > beta / (2 * groups), f"dropped with probability {dropped!r}"),
            as_printed([("probability", "0.2747", dropped.ball())]),
        ]
    )


@refutes(
    "The printed bound holds with probability e^(-L / 2) / 2: 0.0913, 0.158, 0.0158.",
    Method.ENCLOSURE,
)
@mutant("0.505 for 1/2", half=Fraction(505, 1000))
def printed_probabilities(half: Fraction = HALF) -> Finding:
    """Equation (23) holds with probability e^(-L / 2) / 2, far below 1 - beta / (2 J)."""
    rows, gaps = [], []
    for groups, text, printed in PRINTED:
        beta = Fraction(text)
        probability = printed_deletions_hold(groups, ball(beta), half, numbers=NUMBERS)
        rows.append((f"J = {groups}, beta = {text}", printed, probability))
        gaps.append((f"J = {groups}", probability, 1 - beta / (2 * groups)))
    claimed = ball(1 - Fraction(1, 60))
    return every([as_printed([*rows, ("claimed at J = 3", "0.983", claimed)]), below(gaps)])


@proves(
    "No group is overestimated w.p. at least 1 - beta / 2; with J - 1 in the logarithm, 1 - beta for J >= 2.",
    Method.SMT,
)
@mutant("J - 2 for J - 1", less=2)
@for_all(
    integers("J") | reals("beta"),
    "With one group less in the logarithm the chances that a group is overestimated add up to at most {beta}.",
)
def no_group_is_overestimated(groups: Any, beta: Any, *, less: int = 1) -> Condition:
    """J beta / (2 J) = beta / 2; with J - 1 for J in the logarithm J beta / (2 (J - 1)) <= beta."""
    given = all_of(groups >= 2, beta > 0)
    return implies(given, groups * beta <= 2 * beta * (groups - less))


@encloses("The corrected offset at left = 0.1, J = 4, beta = 0.1.", Method.ENCLOSURE)
@mutant("1.01 J", groups=4 * PERCENT)
def printed_offset(groups: Fraction = Fraction(4)) -> Finding:
    """(2 / left) ln(2 J / beta) at left = 0.1, J = 4, beta = 0.1."""
    value = count_offset(ball("0.1"), ball(groups), ball("0.1"), numbers=NUMBERS)
    return as_printed([("offset", "87.6405326934776", value)])


CLAIMS = (
    Claim(
        id="PDP-E22",
        source="Theorem 13, equation (22)",
        states=(dropped_group,),
        domain="d is the number of users, X the noise, of scale s = 1 / (2^(i-1) eps_min), and the offset is s ln(J / beta): the noise is below that with probability beta / (2 J); printed with half of the number",
        status=Status.CORRECTED,
        checks=checks_of(drop_probability, dropped_group, small_noise),
        why="At |D_i| = s L the noise may have either sign: the group is dropped with probability 1/2.",
        right="|D_i| <= 2 s L.",
        steps=(ByCheck("dropped_group"), ByCheck("small_noise")),
        obligations=parts_of(drop_probability),
    ),
    Claim(
        id="PDP-E23",
        source="Theorem 13, equation (23)",
        states=(deleted_users, no_group_is_overestimated),
        domain="as PDP-E22; printed is a quarter of that",
        status=Status.CORRECTED,
        checks=checks_of(
            printed_probabilities,
            deleted_users,
            small_noise,
            no_group_is_overestimated,
            printed_offset,
        ),
        why="The offset s L alone is twice the printed bound, and the noise adds up to s L to it.",
        right="Count - Count~ <= 2 s L.",
        steps=(
            ByCheck("deleted_users"),
            ByCheck("small_noise"),
            ByCheck(
                "no_group_is_overestimated",
                "By symmetry P(X > s L) = beta / (2 J) as well, the probability that a count exceeds the size of its group; summed over J groups it is beta / 2.",
            ),
        ),
        obligations=parts_of(printed_probabilities),
    ),
)
