"""What PDP builds on: privacy, post-processing, composition, the Laplace mechanism, clipping.

Exact examples use randomized response: a bit is kept with weight e^eps and flipped with weight 1;
the normalization does not depend on the bit, so that losses are quotients of the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import (
    Condition,
    Domain,
    Private,
    decided,
    for_all,
    largest,
    real_symbols,
    smallest,
    solve,
)
from proofs_check.papers.pdp.common import larger, smaller
from proofs_check.smt import absolute, all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim, ByHand

__all__ = ["CLAIMS", "clipped"]

BUDGETS = (Fraction(1), Fraction(1, 2))
LATER_BUDGETS = (Fraction(1, 3), Fraction(2))
ONE_LESS = Fraction(99, 100)

Bits = tuple[int, ...]
Law = dict[Any, ExpSum]


def clipped(x: Any, lower: Any, upper: Any) -> Any:
    """clip(x, [l, r]) = max(l, min(x, r)), Definition 2."""
    return max(lower, min(x, upper))


def response_weights(bits: Bits, budgets: Sequence[Fraction]) -> Law:
    """Weights of the answers of randomized response, record i with budget eps_i."""
    return {
        answers: ExpSum.exp(
            sum((e for a, b, e in zip(answers, bits, budgets, strict=True) if a == b), Fraction(0))
        )
        for answers in product((0, 1), repeat=len(bits))
    }


def neighbors(n: int) -> Iterator[tuple[int, Bits, Bits]]:
    """All pairs of bit vectors that differ in one record, with its number."""
    for bits in product((0, 1), repeat=n):
        for i in range(n):
            yield i, bits, (*bits[:i], 1 - bits[i], *bits[i + 1 :])


def losses_within(laws: Callable[[Bits], Law], budgets: Sequence[Fraction]) -> Finding:
    """P(y | D) <= e^(eps_i) P(y | D') for every output and all D, D' that differ in record i."""
    tight = set()
    for i, before, after in neighbors(len(budgets)):
        law, other = laws(before), laws(after)
        for y, weight in law.items():
            bound = other[y] * ExpSum.exp(budgets[i])
            if weight > bound:
                return exactly(False, f"record {i + 1} has a larger loss at output {y}")
            if weight == bound:
                tight.add(i + 1)
    return exactly(True, f"all losses are within the budgets; attained by records {sorted(tight)}")


@proves("Randomized response with budgets (1, 1/2) has exactly these losses.", Method.EXACT)
@mutant("0.99 for budget 1", budgets=(ONE_LESS, Fraction(1, 2)))
@mutant("0.495 for budget 1/2", budgets=(Fraction(1), Fraction(495, 1000)))
def responses_are_private(budgets: Sequence[Fraction] = BUDGETS) -> Finding:
    """Two randomized responses with budgets (1, 1/2) against the budgets claimed."""
    return losses_within(lambda bits: response_weights(bits, BUDGETS), budgets)


def adaptive_answers(bits: Bits) -> Law:
    """Ask twice, with budgets (1, 1/2) and (1/3, 2); the first answers turn the second questions."""
    law: Law = {}
    for first, weight in response_weights(bits, BUDGETS).items():
        turned = tuple(b ^ a for b, a in zip(bits, reversed(first), strict=True))
        for second, factor in response_weights(turned, LATER_BUDGETS).items():
            law[first, second] = weight * factor
    return law


@confirms(
    "Two adaptive rounds with budgets (1, 1/2) and (1/3, 2) have exactly budgets (4/3, 5/2).",
    Method.EXACT,
)
@mutant("1.32 for 4/3", budgets=(Fraction(132, 100), Fraction(5, 2)))
@mutant("2.475 for 5/2", budgets=(Fraction(4, 3), Fraction(2475, 1000)))
def budgets_add(budgets: Sequence[Fraction] = (Fraction(4, 3), Fraction(5, 2))) -> Finding:
    """The two rounds together against the sums of the budgets."""
    return losses_within(adaptive_answers, budgets)


def merged_answers(bits: Bits) -> Law:
    """Answers pushed through a random map: the first is kept with probability 2/3, else flipped."""
    law: Law = {}
    for (first, second), weight in response_weights(bits, BUDGETS).items():
        for shown in (0, 1):
            share = weight * (Fraction(2, 3) if shown == first else Fraction(1, 3))
            law[shown, second] = law.get((shown, second), ExpSum({})) + share
    return law


@confirms(
    "Two randomized responses pushed through a random map keep budgets (1, 1/2).", Method.EXACT
)
@mutant("0.495 for budget 1/2", budgets=(Fraction(1), Fraction(495, 1000)))
def merged_is_private(budgets: Sequence[Fraction] = BUDGETS) -> Finding:
    """The merged answers against the budgets of the answers."""
    return losses_within(merged_answers, budgets)


@proves("A weighted sum over three outputs keeps the ratio.", Method.SMT)
@mutant("0.99 e^eps", factor=ONE_LESS)
def mapping_keeps_the_ratio(factor: Fraction = Fraction(1)) -> Finding:
    """Sum w_y p_y <= a sum w_y q_y if p_y <= a q_y for each of three outputs and 0 <= w_y <= 1."""

    def statement(a: Any, *terms: Any) -> Any:
        p, q, w = terms[:3], terms[3:6], terms[6:]
        given = [a >= 1, *(x >= 0 for x in (*p, *q, *w)), *(x <= 1 for x in w)]
        given += [x <= a * y for x, y in zip(p, q, strict=True)]
        left = sum((x * y for x, y in zip(w, p, strict=True)), exact(0))
        right = sum((x * y for x, y in zip(w, q, strict=True)), exact(0))
        return implies(all_of(*given), left <= exact(factor) * a * right)

    names = "a p1 p2 p3 q1 q2 q3 w1 w2 w3"
    return valid(reals(names), statement, polynomial=True)


@proves("Ratios of two densities multiply.", Method.SMT)
@mutant("0.99 e^(eps1 + eps2)", factor=ONE_LESS)
@for_all(
    reals("a b p1 q1 p2 q2"),
    "If the chances of two mechanisms grow at most by the factors {a} and {b}, those of both together grow at most by {product}.",
    terms=lambda v: {"product": v["a"] * v["b"]},
    polynomial=True,
)
def products_multiply(
    a: Any, b: Any, p1: Any, q1: Any, p2: Any, q2: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """p1 p2 <= (a b) q1 q2 if p1 <= a q1 and p2 <= b q2."""
    given = [x >= 0 for x in (a, b, p1, q1, p2, q2)]
    bound = factor * a * b * q1 * q2
    return implies(all_of(*given, p1 <= a * q1, p2 <= b * q2), p1 * p2 <= bound)


@proves("The exponents differ by at most the distance of the values.", Method.SMT)
@mutant("0.99 D", factor=ONE_LESS)
@decided(solve)
def density_ratio(factor: Fraction = Fraction(1)) -> Private:
    """|z - v'| - |z - v| <= |v - v'|: the log density ratio of Laplace noise of scale s is at most D / s."""
    z, v, w, s, d = real_symbols("z v w s D")
    domain = Domain((s > 0, absolute(v - w) <= d), free=(z,))
    loss = absolute(absolute(z - w) - absolute(z - v)) / s
    return Private(
        "A value with Laplace noise",
        "a change of the value by its sensitivity",
        domain,
        loss,
        factor * d / s,
    )


@proves("It lies in [l, r], leaves [l, r] alone, and is 1-Lipschitz.", Method.SMT)
@mutant("max for the inner min", lowest=larger)
@mutant("Lipschitz constant 0.99", reach=ONE_LESS)
@for_all(reals("x y l r"))
def clip_properties(
    x: Any,
    y: Any,
    lower: Any,
    upper: Any,
    *,
    lowest: Callable[[Any, Any], Any] = smaller,
    reach: Fraction = Fraction(1),
) -> Condition:
    """Clipping gives a point of [l, r], leaves [l, r] alone, and moves no more than its argument."""
    u, v = (larger(lower, lowest(z, upper)) for z in (x, y))
    inside = implies(all_of(lower <= x, x <= upper), u == x)
    close = absolute(u - v) <= reach * absolute(x - y)
    return implies(lower <= upper, all_of(lower <= u, u <= upper, inside, close))


@proves("No point of the interval is closer.", Method.SMT)
@mutant("max for the inner min", lowest=largest)
@for_all(
    reals("x y l r"),
    "Clipping to an interval from {l} to {r} gives {clip}, its nearest point: no point {y} of it is closer to {x}.",
    terms=lambda v: {"clip": largest(v["l"], smallest(v["x"], v["r"]))},
)
def clip_is_the_nearest(
    x: Any, y: Any, lower: Any, upper: Any, *, lowest: Callable[[Any, Any], Any] = smallest
) -> Condition:
    """max(l, min(x, r)) lies in [l, r], and |clip(x) - x| <= |y - x| for every y there."""
    clip = largest(lower, lowest(x, upper))
    inside = all_of(lower <= clip, clip <= upper)
    return implies(
        all_of(lower <= y, y <= upper), all_of(inside, absolute(clip - x) <= absolute(y - x))
    )


CLAIMS = (
    Claim(
        id="PDP-D1",
        source="Definition 1",
        says="A mechanism is eps-differentially private if no event's probability changes by more than e^eps between neighbors; personalized: e^(eps_i) if they differ in record i.",
        latex=r"P(M(D) \in K) \le e^{\varepsilon} P(M(D') \in K)",
        domain="eps >= 0, all neighbors D, D', all events K (the print writes Y for K once)",
        status=Status.DEFINITION,
        checks=checks_of(responses_are_private),
        note="For outputs in a finite set the inequality for each output is the one for all events.",
    ),
    Claim(
        id="PDP-L1",
        source="Lemma 1",
        says="What is computed from the output of an eps-private mechanism is eps-private.",
        latex=r"M\ \varepsilon\text{-DP} \Rightarrow f \circ M\ \varepsilon\text{-DP}",
        domain="every (also random) map f that sees the output only",
        status=Status.PROVED,
        checks=checks_of(mapping_keeps_the_ratio),
        steps=(
            ByCheck("mapping_keeps_the_ratio"),
            ByHand(
                "The probability of an event after f is the integral of a weight in [0, 1] over the law of the output; the integral is a limit of the weighted sums of the check, which is three copies of w p <= a w q."
            ),
        ),
    ),
    Claim(
        id="PDP-L2",
        source="Lemma 2",
        states=(products_multiply,),
        domain="a and b are e^eps_1 and e^eps_2; p1 and q1, p2 and q2 are the chances of an outcome on neighbors, the later ones given the earlier outcome",
        status=Status.PROVED,
        checks=checks_of(products_multiply),
        steps=(
            ByCheck("products_multiply"),
            ByHand(
                "The joint density is the density of the first output times that of the second given the first; integrate the inequality of the check over the event."
            ),
        ),
    ),
    Claim(
        id="PDP-L4",
        source="Lemma 4",
        states=(density_ratio,),
        domain="D is the sensitivity, s the scale of the noise, v and w the values at neighbors, z the point",
        status=Status.PROVED,
        checks=checks_of(density_ratio),
    ),
    Claim(
        id="PDP-L8",
        source="Lemma 8",
        says="What is computed from the output of a personalized private mechanism is private with the same budgets.",
        latex=r"M\ \boldsymbol\varepsilon\text{-PDP} \Rightarrow f \circ M\ \boldsymbol\varepsilon\text{-PDP}",
        domain="every (also random) map f that sees the output only",
        status=Status.PROVED,
        checks=checks_of(mapping_keeps_the_ratio, merged_is_private),
        assumes=("PDP-L1",),
        steps=(
            ByCheck("mapping_keeps_the_ratio"),
            ByClaim("PDP-L1", "Lemma 1 for each record i separately, with a = e^(eps_i)."),
        ),
    ),
    Claim(
        id="PDP-L9",
        source="Lemma 9",
        states=(products_multiply,),
        domain="a = e^eps_1i and b = e^eps_2i for the record i that changes; the later mechanism may depend on the earlier output",
        status=Status.PROVED,
        checks=checks_of(products_multiply, budgets_add),
        assumes=("PDP-L2",),
        steps=(
            ByCheck("products_multiply"),
            ByClaim("PDP-L2", "Lemma 2 for each record i separately."),
        ),
    ),
    Claim(
        id="PDP-D2",
        source="Definition 2",
        states=(clip_is_the_nearest,),
        status=Status.DEFINITION,
        checks=checks_of(clip_is_the_nearest, clip_properties),
    ),
)
