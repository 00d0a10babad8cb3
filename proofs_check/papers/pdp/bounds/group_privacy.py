"""Total variation of the outputs on two product laws of data: PDP, Lemmas 15 and 20, and sharper.

Couple the first k records maximally and let X be the sum of the budgets of those that differ: group
privacy bounds the change of any event by tanh(X / 2), under add-remove by 1 - e^-X, both concave in
X with mean TV * S_k. The other records cost Pinsker's sqrt((n - k) KL / 2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Check, Claim, Finding, Method, Role, Status, every, exactly
from proofs_check.language import Condition, all_of, for_all, implies, reals, valid
from proofs_check.papers.pdp.bounds.two_valued_mechanism import FIRST, SECOND, most_shift, rounded
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.rational import printed_interval
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import Rational, diff, exp, identical, log, symbols

__all__ = ["CLAIMS", "bounded_shift", "printed_shift", "rest_by_pinsker", "unbounded_shift"]

BUDGETS = (Fraction(1, 20),) * 3


def bounded_shift(x: Any, *, numbers: Any) -> Any:
    """tanh(x / 2) = (e^x - 1) / (e^x + 1): how far budgets of sum x move an event."""
    return (numbers.exp(x) - 1) / (numbers.exp(x) + 1)


def unbounded_shift(x: Any, *, numbers: Any) -> Any:
    """1 - e^-x: the same under add-remove, by way of the records that two datasets share."""
    return 1 - numbers.exp(-x)


def printed_shift(variation: Any, budgets: Sequence[Any], *, numbers: Any) -> Any:
    """2 TV sum (1 - e^-eps_i), the first term of Lemmas 15 and 20 as printed."""
    return 2 * variation * sum(1 - numbers.exp(-e) for e in budgets)


def rest_by_pinsker(count: Any, divergence: Any, *, numbers: Any) -> Any:
    """sqrt((n - k) KL / 2), the second term."""
    return numbers.sqrt(count * divergence / 2)


@proves(
    "Events within the factor a = e^x, complements too, differ by at most (a - 1) / (a + 1).",
    Method.SMT,
)
@mutant("0.99 (a - 1)", factor=Fraction(99, 100))
@for_all(reals("a p q"), polynomial=True)
def one_step(a: Any, p: Any, q: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """(p - q)(a + 1) <= a - 1 if both events and both complements are within the factor a."""
    given = all_of(a >= 1, p >= 0, q >= 0, p <= 1, q <= 1, p <= a * q, 1 - q <= a * (1 - p))
    return implies(given, (p - q) * (a + 1) <= factor * (a - 1))


@proves(
    "Two events within the factor a of a third, complements too, differ by at most 1 - 1 / a.",
    Method.SMT,
)
@mutant("0.99 (1 - 1 / a)", factor=Fraction(99, 100))
@for_all(reals("a p pother q"), polynomial=True)
def through_the_middle(
    a: Any, p: Any, other: Any, q: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """The difference has a (p - p') <= a - 1 if p and p' are each within the factor a of q, complements too."""
    near = [
        all_of(x <= a * q, q <= a * x, 1 - x <= a * (1 - q), 1 - q <= a * (1 - x))
        for x in (p, other)
    ]
    given = all_of(a >= 1, q >= 0, q <= 1, *near)
    return implies(given, a * (p - other) <= factor * (a - 1))


@proves("tanh(x / 2) increases and is concave.", Method.SYMBOLIC)
@mutant("0.505 for 1/2", half=PERCENT / 2)
def concave_bounded(half: Fraction = Fraction(1, 2)) -> Finding:
    """The function f = tanh(x / 2) has f' = (1 - f^2) / 2 >= 0 and f'' = -f (1 - f^2) / 2 <= 0."""
    x = symbols("x", positive=True)
    f = bounded_shift(x, numbers=SYMBOLIC)
    c = Rational(half.numerator, half.denominator)
    return every(
        [
            identical(diff(f, x), c * (1 - f**2), {x: (0, 9)}),
            identical(diff(f, x, 2), -c * f * (1 - f**2), {x: (0, 9)}),
        ]
    )


@proves("1 - e^-x increases and is concave.", Method.SYMBOLIC)
@mutant("+e^-x for -e^-x", sign=1)
def concave_unbounded(sign: int = -1) -> Finding:
    """The function f = 1 - e^-x has f' = e^-x and f'' = -e^-x."""
    x = symbols("x", positive=True)
    f = unbounded_shift(x, numbers=SYMBOLIC)
    return every(
        [
            identical(diff(f, x), exp(-x), {x: (0, 9)}),
            identical(diff(f, x, 2), sign * exp(-x), {x: (0, 9)}),
        ]
    )


@proves(
    "Pinsker's inequality for two-point laws: the slope of the gap, and 4 q (1 - q) <= 1.",
    Method.SYMBOLIC,
)
@mutant("2.02 for 2", constant=2 * PERCENT)
def pinsker(constant: Fraction = Fraction(2)) -> Finding:
    """KL - 2 (p - q)^2 of two-point laws is 0 at q = p and has slope (q - p)(1 / (q (1 - q)) - 4)."""
    p, q = symbols("p q", positive=True)
    c = Rational(constant.numerator, constant.denominator)
    gap = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)) - c * (p - q) ** 2
    slope = (q - p) * (1 / (q * (1 - q)) - 4)
    four = valid(reals("q"), lambda x: 4 * x * (1 - x) <= 1)
    return every([identical(diff(gap, q), slope, {p: (0, 1), q: (0, 1)}), four])


@proves("tanh(x / 2) and 1 - e^-x are subadditive, and tanh(x / 2) <= 1 - e^-x.", Method.SMT)
@mutant("tanh(x / 2) <= 0.99 (1 - e^-x)", factor=Fraction(99, 100))
@for_all(reals("s t u v a"), polynomial=True)
def printed_is_weaker(
    s: Any, t: Any, u: Any, v: Any, a: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """tanh((x + y) / 2) <= tanh(x / 2) + tanh(y / 2), tanh(x / 2) <= 1 - e^-x, and both of 1 - e^-x.

    s, t stand for tanh(x / 2) and tanh(y / 2), u, v for e^-x and e^-y, a for e^x.
    """
    add = implies(all_of(0 <= s, 0 <= t), s + t <= (s + t) * (1 + s * t))
    add_too = implies(all_of(0 <= u, u <= 1, 0 <= v, v <= 1), 1 - u * v <= (1 - u) + (1 - v))
    weaker = implies(a >= 1, (a - 1) * a <= factor * (a - 1) * (a + 1))
    return all_of(add, add_too, weaker)


@proves("The addition theorem that the subadditivity of tanh uses.", Method.SYMBOLIC)
@mutant("1 - s t for 1 + s t", sign=-1)
def tangent_addition(sign: int = 1) -> Finding:
    """tanh((x + y) / 2) = (s + t) / (1 + s t) for s = tanh(x / 2), t = tanh(y / 2)."""
    x, y = symbols("x y", positive=True)
    s, t = bounded_shift(x, numbers=SYMBOLIC), bounded_shift(y, numbers=SYMBOLIC)
    return identical(
        bounded_shift(x + y, numbers=SYMBOLIC), (s + t) / (1 + sign * s * t), {x: (0, 3), y: (0, 3)}
    )


def largest_shift(
    states: Sequence[int | None],
    printed: str,
    bound: Callable[..., Any],
    printed_bound: str,
    budgets: Sequence[Fraction] = BUDGETS,
) -> Finding:
    """Three records of budget 0.05, Ber(0.9) against Ber(0.1): the exact optimum and the bound.

    The optimum grows with the factors e^eps, which are rounded down and up to 14 decimals.
    """
    ends = [rounded(NUMBERS.exp(ball(e))) for e in budgets]
    low, high = (most_shift(states, [end[side] for end in ends]) for side in (0, 1))
    least, largest = printed_interval(printed)
    if not least <= low <= high <= largest:
        return exactly(False, f"the optimum is {float(low):.12g}, printed {printed}")
    limit = bound((FIRST - SECOND) * sum((ball(e) for e in budgets), ball(0)), numbers=NUMBERS)
    least, largest = printed_interval(printed_bound)
    shown = below([("half a unit below", least, limit), ("half a unit above", limit, largest)])
    if not shown.holds:
        return shown
    return below([("optimum and bound", high, limit)])


def all_cuts(
    states: Sequence[int | None], bound: Callable[..., Any], share: Fraction = Fraction(1)
) -> Finding:
    """Budgets (0.2), (0.1, 0.4), (1, 2), Ber(0.6) against Ber(0.4): the optimum and the bound of each k."""
    one, two = Fraction(3, 5), Fraction(2, 5)
    kl = (one - two) * NUMBERS.log(ball(one / two))
    rows = []
    for texts in (("0.2",), ("0.1", "0.4"), ("1", "2")):
        budgets = [Fraction(e) for e in texts]
        factors = [rounded(NUMBERS.exp(ball(e)))[1] for e in budgets]
        high = most_shift(states, factors, (one, two))
        for k in range(len(budgets) + 1):
            near = bound(ball((one - two) * sum(budgets[:k], Fraction(0)) * share), numbers=NUMBERS)
            limit = near + rest_by_pinsker(ball(len(budgets) - k), kl, numbers=NUMBERS)
            rows.append((f"budgets {', '.join(texts)}, k = {k}", high, limit))
    return below(rows)


@confirms(
    "Budgets (0.2), (0.1, 0.4), (1, 2), Ber(0.6) against Ber(0.4): exact optima within the bound of every k.",
    Method.LINEAR_PROGRAM,
)
@mutant("0.495 of the mean budget in tanh", share=Fraction(99, 100))
def bounded_cuts(share: Fraction = Fraction(1)) -> Finding:
    """The same with a record's values 0 and 1."""
    return all_cuts((0, 1), bounded_shift, share)


@confirms(
    "Budgets (0.2), (0.1, 0.4), (1, 2), Ber(0.6) against Ber(0.4): exact optima within the bound of every k.",
    Method.LINEAR_PROGRAM,
)
@mutant("half of the mean budget", share=Fraction(1, 2))
def unbounded_cuts(share: Fraction = Fraction(1)) -> Finding:
    """The same with absent users."""
    return all_cuts((None, 0, 1), unbounded_shift, share)


BOUNDED_LP = partial(largest_shift, (0, 1), "0.058212624", bounded_shift, "0.059928104")
UNBOUNDED_LP = partial(largest_shift, (None, 0, 1), "0.111939037", unbounded_shift, "0.113079563")
LESS = (Fraction(99, 2000), *BUDGETS[1:])


CLAIMS = (
    Claim(
        id="PDP-L15s",
        source="Lemma 15, sharpened",
        says="A personalized private mechanism cannot tell two product laws apart better than tanh of half the mean budget of the records that differ, plus Pinsker's term for the rest.",
        latex=r"\mathrm{TV}(M(P_1^n), M(P_2^n)) \le \tanh\left(\tfrac12 \mathrm{TV}(P_1, P_2) \textstyle\sum_{i \le k} \varepsilon_i\right) + \sqrt{\tfrac{n - k}{2} \mathrm{KL}(P_1, P_2)}",
        domain="every k = 0, ..., n; bounded neighbors",
        status=Status.PROVED,
        ours=True,
        assumes=("PDP-L9", "PDP-E2"),
        checks=checks_of(
            one_step,
            concave_bounded,
            pinsker,
            Check(
                "Three records of budget 0.05, Ber(0.9) against Ber(0.1): the best two-valued mechanism, exactly.",
                Method.LINEAR_PROGRAM,
                BOUNDED_LP,
                mutants={"one budget 0.0495": {"budgets": LESS}},
                role=Role.EXAMPLE,
            ),
            bounded_cuts,
        ),
        steps=(
            ByCheck("one_step"),
            ByCheck("concave_bounded"),
            ByCheck("pinsker"),
            ByHand(
                "Couple the first k records maximally, P(record i differs) = TV, so E X = TV * S_k for the sum X of the budgets of those that differ."
            ),
            ByHand(
                "Replace the first k records of law 1 by law 2 and then the rest: by the triangle inequality the second change costs at most the total variation of the rest itself, sqrt((n - k) KL / 2) by Pinsker's inequality (data processing reduces it to two-point laws) and additivity of KL."
            ),
            ByHand(
                "Group privacy with budget X, the first check and Jensen's inequality bound the first change."
            ),
        ),
        note="The linear program runs over all two-valued mechanisms, which is no loss for one event.",
    ),
    Claim(
        id="PDP-L15",
        source="Lemma 15",
        says="A personalized private mechanism cannot tell two product laws apart: twice the total variation times the sum of 1 - e^(-eps_i), plus Pinsker's term for the rest.",
        latex=r"\mathrm{TV}(M(P_1^n), M(P_2^n)) \le 2\,\mathrm{TV}(P_1, P_2) \textstyle\sum_{i \le k} (1 - e^{-\varepsilon_i}) + \sqrt{\tfrac{n - k}{2} \mathrm{KL}(P_1, P_2)}",
        domain="every k = 0, ..., n; bounded neighbors",
        status=Status.PROVED,
        assumes=("PDP-L15s",),
        checks=checks_of(printed_is_weaker, tangent_addition),
        steps=(
            ByCheck("printed_is_weaker"),
            ByCheck("tangent_addition"),
            ByHand(
                "By the proof of the sharper form the first term is at most E tanh(X / 2), and tanh(X / 2) is at most the sum of tanh(eps_i / 2) <= 1 - e^(-eps_i) over the records that differ; so even half of the printed first term suffices."
            ),
        ),
    ),
    Claim(
        id="PDP-L20s",
        source="Lemma 20, sharpened",
        says="Under add-remove the bound is 1 - e^(-mean budget of the records that differ), plus Pinsker's term for the rest.",
        latex=r"\mathrm{TV}(M(P_1^n), M(P_2^n)) \le 1 - \exp\left(-\mathrm{TV}(P_1, P_2) \textstyle\sum_{i \le k} \varepsilon_i\right) + \sqrt{\tfrac{n - k}{2} \mathrm{KL}(P_1, P_2)}",
        domain="every k = 0, ..., n; unbounded neighbors; record i belongs to a user of budget eps_i under both laws",
        status=Status.PROVED,
        ours=True,
        assumes=("PDP-L9", "PDP-E2"),
        checks=checks_of(
            through_the_middle,
            concave_unbounded,
            pinsker,
            Check(
                "Three users of budget 0.05, Ber(0.9) against Ber(0.1): the best two-valued mechanism on all data of these users, exactly.",
                Method.LINEAR_PROGRAM,
                UNBOUNDED_LP,
                mutants={"one budget 0.0495": {"budgets": LESS}},
                role=Role.EXAMPLE,
            ),
            unbounded_cuts,
        ),
        steps=(
            ByCheck("through_the_middle"),
            ByCheck("concave_unbounded"),
            ByCheck("pinsker"),
            ByHand(
                "Couple the first k records maximally, P(record i differs) = TV, so E X = TV * S_k for the sum X of the budgets of those that differ."
            ),
            ByHand(
                "Replace the first k records of law 1 by law 2 and then the rest: by the triangle inequality the second change costs at most the total variation of the rest itself, sqrt((n - k) KL / 2) by Pinsker's inequality (data processing reduces it to two-point laws) and additivity of KL."
            ),
            ByHand(
                "The third event is that of the users that both datasets share: each dataset is reached from there by adding users of budgets with sum X."
            ),
            ByHand("Jensen's inequality ends the proof."),
        ),
    ),
    Claim(
        id="PDP-L20",
        source="Lemma 20",
        says="Lemma 15 holds for unbounded neighbors as well.",
        latex=r"\mathrm{TV}(M(P_1^n), M(P_2^n)) \le 2\,\mathrm{TV}(P_1, P_2) \textstyle\sum_{i \le k} (1 - e^{-\varepsilon_i}) + \sqrt{\tfrac{n - k}{2} \mathrm{KL}(P_1, P_2)}",
        domain="every k = 0, ..., n; unbounded neighbors",
        status=Status.PROVED,
        assumes=("PDP-L20s",),
        checks=checks_of(printed_is_weaker),
        steps=(
            ByCheck("printed_is_weaker"),
            ByHand(
                "By the proof of the sharper form the first term is at most E (1 - e^-X), and 1 - e^-X is at most the sum of 1 - e^(-eps_i) over the records that differ; half of the printed first term suffices."
            ),
        ),
    ),
)
