"""Weighted means under personalized privacy: Algorithm 3 (ADPM) and Lemma 11 of PDP.

ADPM weighs record i by min(eps_i, tau) / A, which minimizes (sum of x_i^2 + 8) / (sum of x_i)^2
over 0 <= x_i <= eps_i: four times the variance bound for records of an interval of width 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Domain, Private, decided, real_symbols, solve
from proofs_check.papers.pdp.common import PERCENT, ball, smaller
from proofs_check.papers.pdp.tools.saturation import OFFSET, examples, prefix_ratio, saturation
from proofs_check.printed_values import as_printed
from proofs_check.smt import absolute, all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim

__all__ = [
    "CLAIMS",
    "adpm_objective",
    "adpm_weights",
    "raw_recursion",
    "saturated_recursion",
    "weighted_mean_scale",
]

FIRST = (Fraction(2), Fraction(8), Fraction(8))
"""The example of the recursions."""

Recursion = Callable[[Sequence[Fraction]], tuple[Fraction, ...]]


def adpm_weights(budgets: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """w_i = min(eps_i, tau) / A for ascending budgets, Algorithm 3."""
    found = saturation(budgets)
    return tuple(e / found.total for e in found.budgets)


def adpm_objective(budgets: Sequence[Any], offset: Any = OFFSET) -> Any:
    """(sum of x_i^2 + 8) / (sum of x_i)^2."""
    return (sum(x * x for x in budgets) + offset) / sum(budgets) ** 2


def raw_recursion(budgets: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """x_(k+1) = min(eps_(k+1), (sum of eps_i^2 + 8) / sum of eps_i) with the given budgets, as printed."""
    ratios = (prefix_ratio(budgets, k) for k in range(1, len(budgets)))
    return (budgets[0], *(min(e, ratio) for e, ratio in zip(budgets[1:], ratios, strict=True)))


def saturated_recursion(budgets: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The recursion with the values x_i found so far in both sums."""
    found = [budgets[0]]
    for k in range(1, len(budgets)):
        found.append(min(budgets[k], prefix_ratio(found, k)))
    return tuple(found)


def weighted_mean_scale(width: Any, largest_weight: Any, epsilon: Any) -> Any:
    """Scale of the noise of Lemma 11: width * max w_i / eps."""
    return width * largest_weight / epsilon


@proves(
    "Budgets (2, 8, 8): the rule against the printed recursion, and both objectives.", Method.EXACT
)
@mutant("7.524 for 7.6", last=Fraction(7524, 1000))
def example_of_recursions(last: Fraction = Fraction(76, 10)) -> Finding:
    """(2, 8, 8): the rule and the saturated recursion give (2, 6, 6), the printed one (2, 6, 7.6)."""
    rule = saturation(FIRST).budgets
    printed = raw_recursion(FIRST)
    sides = {
        "the rule": list(rule) == [2, 6, 6],
        "the saturated recursion": saturated_recursion(FIRST) == rule,
        "the printed recursion": list(printed) == [2, 6, last],
    }
    wrong = [words for words, holds in sides.items() if not holds]
    if wrong:
        return exactly(False, f"{wrong[0]} gives another vector")
    values = as_printed(
        [
            ("objective of (2, 6, 6)", "0.428571", ball(adpm_objective(rule))),
            ("objective of (2, 6, 7.6)", "0.434583", ball(adpm_objective(printed))),
        ]
    )
    return every([exactly(True, "(2, 6, 6) against (2, 6, 7.6)"), values])


@proves("The recursion with saturated values in the sums is the rule.", Method.EXACT)
@mutant("the given budgets in the sums, as printed", recursion=raw_recursion)
def recursion_is_the_rule(recursion: Recursion = saturated_recursion) -> Finding:
    """The recursion gives min(eps_i, tau) for every vector of the examples."""
    count = 0
    for budgets in examples():
        count += 1
        if recursion(budgets) != saturation(budgets).budgets:
            return exactly(False, f"differs for {[str(e) for e in budgets]}")
    return exactly(True, f"equal for all of {count} vectors")


@proves("The privacy loss of record i is exactly min(eps_i, tau).", Method.EXACT)
@mutant("scale 0.99 h / A", scale=Fraction(99, 100))
@mutant("scale 1.01 h / A", scale=PERCENT)
def losses_are_the_saturated_budgets(scale: Fraction = Fraction(1)) -> Finding:
    """w_i h / (h / A) = min(eps_i, tau), which is at most eps_i, for every vector of the examples."""
    width = Fraction(7, 3)
    for budgets in examples():
        found = saturation(budgets)
        noise = scale * width / found.total
        for weight, budget, limit in zip(
            adpm_weights(budgets), budgets, found.budgets, strict=True
        ):
            loss = weight * width / noise
            if loss != limit or loss > budget:
                return exactly(False, f"loss {loss} of a record with budget {budget}")
    return exactly(True, "the loss of record i is min(eps_i, tau)")


@proves("min(eps_i, tau) minimizes (sum of x_i^2 + 8) / (sum of x_i)^2 over the box.", Method.SMT)
@mutant("7.92 for 8", offset=Fraction(792, 100))
def weights_minimize(offset: Fraction = Fraction(OFFSET)) -> Finding:
    """No x in the box has (sum of x_i)^2 / (sum of x_i^2 + 8) above A / tau.

    With y_i = min(eps_i, tau): y_i x_i >= tau x_i - (tau - y_i) y_i, and summed over i this is
    P = sum of y_i x_i >= tau X - tau A + (B - 8) = tau X - 8; and x_i^2 >= 2 c y_i x_i - c^2 y_i^2 with c = X / A.
    """

    def term(t: Any, e: Any, x: Any) -> Any:
        y = smaller(e, t)
        given = all_of(t > 0, 0 <= x, x <= e)
        return implies(given, y * x >= t * x - (t - y) * y)

    def square(c: Any, x: Any, y: Any) -> Any:
        return x * x >= 2 * c * x * y - c * c * y * y

    def sums(c: Any, tau: Any, a: Any, mixed: Any, squares: Any) -> Any:
        given = all_of(
            c >= 0,
            tau > 0,
            a > 0,
            mixed >= tau * c * a - 8,
            squares >= 2 * c * mixed - c * c * (tau * a - 8),
        )
        return implies(given, squares + exact(offset) >= tau * c * c * a)

    return every(
        [
            valid(reals("tau eps x"), term, polynomial=True),
            valid(reals("c x y"), square, polynomial=True),
            valid(reals("c tau A P squares"), sums, polynomial=True),
        ]
    )


@refutes("n = 1, D = {0}, D' = {1}: no noise at all, infinite loss.", Method.EXACT)
@mutant("the public range [0, 1]", width=1)
@mutant("D' = D", records=(0, 0))
def data_range_leaves_no_noise(records: tuple[int, int] = (0, 1), width: int = 0) -> Finding:
    """With n = 1: the range of D = {0} has width 0, so D and D' = {1} give 0 and 1 without noise."""
    before, after = (Fraction(x) for x in records)
    scale = weighted_mean_scale(Fraction(width), Fraction(1), Fraction(1))
    return exactly(
        scale == 0 and before != after,
        f"scale {scale}: the outputs are surely {before} and {after}",
    )


@proves(
    "With records clipped to a public interval [l, r] the sum moves by at most (r - l) max w_i.",
    Method.SMT,
)
@mutant("0.99 (r - l)", width=Fraction(99, 100))
@decided(solve, polynomial=True)
def public_range_is_private(width: Fraction = Fraction(1)) -> Private:
    """w_i |x - x'| / s <= eps for x, x' in [l, r], w_i <= w and s = (r - l) w / eps."""
    lower, upper, x, y, w, most, eps = real_symbols("l r x y w_i w eps")
    domain = Domain(
        (
            eps > 0,
            lower < upper,
            lower <= x,
            x <= upper,
            lower <= y,
            y <= upper,
            w >= 0,
            w <= most,
            most > 0,
        )
    )
    loss = w * absolute(x - y) * eps / ((upper - lower) * most)
    what = "The weighted mean with noise for the public range"
    return Private(what, "the change of a record", domain, loss, width * eps)


@refutes("The sensitivity printed as (l - r) w is negative.", Method.EXACT)
@mutant("(r - l) w", sign=-1)
def printed_sensitivity_has_a_sign(sign: int = 1) -> Finding:
    """The sensitivity printed as (l - r) w is negative where the sensitivity is positive."""
    lower, upper, weight = Fraction(0), Fraction(1), Fraction(1, 2)
    moved = weight * abs(upper - lower)
    return exactly(sign * (lower - upper) * weight < 0 < moved, f"(l - r) w = {-moved} for {moved}")


CLAIMS = (
    Claim(
        id="PDP-A3",
        source="Algorithm 3",
        says="ADPM: the mean weighted by min(eps_i, tau), with Laplace noise of scale h / A for records of an interval of width h.",
        latex=r"\sum_i \frac{\tilde\varepsilon_i}{A} x_i + \mathrm{Lap}(h / A), \quad \tilde\varepsilon_i = \min(\varepsilon_i, \tau),\ A = \textstyle\sum_i \tilde\varepsilon_i",
        domain="ascending positive budgets, permuted together with the records; h public or released before",
        status=Status.DEFINITION,
        assumes=("PDP-E-SAT", "PDP-L4"),
        checks=checks_of(
            example_of_recursions,
            recursion_is_the_rule,
            losses_are_the_saturated_budgets,
            weights_minimize,
        ),
        note="The printed recursion is private too, since it takes the minimum with eps_i, but it does not minimize. The weights give variance at most (sum of w_i^2) / 4 + 2 / A^2 = B / (4 A^2) for width 1.",
    ),
    Claim(
        id="PDP-L11",
        source="Lemma 11",
        states=(public_range_is_private,),
        domain="[l, r] is public, w the largest weight; printed with the range of the data",
        status=Status.CORRECTED,
        assumes=("PDP-L4",),
        checks=checks_of(
            data_range_leaves_no_noise, printed_sensitivity_has_a_sign, public_range_is_private
        ),
        why="The data's own range depends on the data: it can be 0 for one dataset, and then there is no noise. The sensitivity is (r - l) w, not (l - r) w.",
        right="Clip to an interval [l, r] that is public or was released before, and take the width r - l.",
        steps=(
            ByCheck("public_range_is_private"),
            ByClaim(
                "PDP-L4",
                "The corrected form is the Laplace mechanism with sensitivity (r - l) max w_i.",
            ),
        ),
        obligations=parts_of(data_range_leaves_no_noise, printed_sensitivity_has_a_sign),
    ),
)
