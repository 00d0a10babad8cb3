"""Approximate thresholds (Definition 3.6): the least rank error within a window, in closed form."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, Function, all_of, any_of, for_all, implies, integers
from proofs_check.papers.sub.common import (
    below,
    deficit,
    multisets,
    rank_distance,
    up_to,
    window_loss,
)
from proofs_check.papers.sub.thresholds.ranks import HALVES

__all__ = ["CLAIMS"]


@proves("The least beta at two thresholds of an example.", Method.EXACT)
@mutant("alpha 1 % smaller", alpha=Fraction(99, 2000))
def window_example(alpha: Fraction = Fraction(1, 20)) -> Finding:
    """For D = {.1, .4, .4, .9}, r = 2: .45 is a (.05, 0)-approximate threshold, .46 a (.05, 1)."""
    data = tuple(Fraction(x, 10) for x in (1, 4, 4, 9))
    loss = [window_loss(data, Fraction(t, 100), 2, alpha) for t in (45, 46)]
    return exactly(loss == [0, 1], f"losses {loss[0]} at 0.45 and {loss[1]} at 0.46")


ERROR = Function("err", rank_distance)
"""Rank error of r, of the numbers of points below a threshold and up to it."""


@proves("No threshold of the window is better, for every n.", Method.SMT)
@mutant("#{x <= tau'} >= b for <= b", sign=-1)
@for_all(
    integers("a b below upto r"),
    "No threshold of a window has a rank error below that of the two counts at its ends.",
)
def no_threshold_in_the_window_is_better(
    a: Any, b: Any, least: Any, most: Any, r: Any, *, sign: int = 1
) -> Condition:
    """In the window #{x < tau'} >= a and #{x <= tau'} <= b, so err_rank >= max(0, a - r, r - b)."""
    given = all_of(a <= least, least <= most, sign * most <= sign * b)
    return implies(given, ERROR(r, least, most) >= ERROR(r, a, b))


@proves("An end of the window or x_(r) attains it, for every n.", Method.SMT)
@mutant("the lower end also for r one larger", gap=1)
@for_all(integers("a e m f r"), "One of the ends, or the point in place r, attains it.")
def some_threshold_attains_the_loss(
    a: Any, e: Any, m: Any, f: Any, r: Any, *, gap: int = 0
) -> Condition:
    """One of tau - alpha, x_(r), tau + alpha attains it: with e, m, f points at, inside, at."""
    loss = ERROR(r, a, a + e + m + f)
    left = all_of(r <= a + e + gap, ERROR(r, a, a + e) == loss)
    right = all_of(r >= a + e + m, ERROR(r, a + e + m, a + e + m + f) == loss)
    inside = all_of(a + e < r, r <= a + e + m, loss == 0)  # x_(r) lies inside, and has rank r
    given = all_of(a >= 0, e >= 0, m >= 0, f >= 0)
    cases = all_of(
        implies(r <= a + e + gap, left), implies(all_of(r > a + e, r > a + e + m), right)
    )
    return implies(given, all_of(any_of(left, right, inside), cases))


@confirms("Case by case, over every order type.", Method.EXACT)
@mutant(
    "#{x <= tau - alpha} for #{x < tau - alpha}",
    formula=lambda data, tau, r, alpha: deficit(
        r, up_to(data, tau - alpha), up_to(data, tau + alpha)
    ),
)
def window_cases(formula: Callable[..., Any] = window_loss) -> Finding:
    """The closed form is the least rank error in the window, found by looking at every order type."""
    cases = 0
    grid = [Fraction(j, 4) for j in range(-4, 13)]
    for data in multisets((0, 1, 2), range(4)):
        for alpha in (Fraction(0), Fraction(1, 2), Fraction(1)):
            for tau in HALVES:
                near = [t for t in grid if abs(t - tau) <= alpha]
                for r in range(len(data) + 2):
                    cases += 1
                    least = min(deficit(r, below(data, t), up_to(data, t)) for t in near)
                    if formula(data, tau, r, alpha) != least:
                        return exactly(
                            False, f"fails for D={data}, tau={tau}, r={r}, alpha={alpha}"
                        )
    return exactly(True, f"{cases} cases")


CLAIMS = (
    Claim(
        id="SUB-D3.6",
        source="Definition 3.6",
        says="A threshold is (alpha, beta)-approximate if one within alpha has rank error at most beta.",
        latex=r"\exists \tau': |\tau - \tau'| \le \alpha,\ \mathrm{err}(\tau', r, D) \le \beta",
        domain="alpha, beta >= 0",
        status=Status.DEFINITION,
        checks=checks_of(window_example),
        assumes=("SUB-I1",),
    ),
    Claim(
        id="SUB-I1",
        source="our own (the loss of Algorithm 2 in closed form)",
        states=(no_threshold_in_the_window_is_better, some_threshold_attains_the_loss),
        domain="a = #{x < tau - alpha} and b = #{x <= tau + alpha} are the counts; e, m and f points lie at the lower end, inside, and at the upper end; alpha >= 0",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(
            no_threshold_in_the_window_is_better, some_threshold_attains_the_loss, window_cases
        ),
    ),
)
