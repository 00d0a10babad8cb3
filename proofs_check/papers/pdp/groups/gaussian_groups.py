"""Theorem 13 of PDP with constants: the error of Algorithm 8 on Gaussian records.

The counts lie in a box around the sizes of the groups, and the error of Algorithm 7 on the samples
is bounded for all counts of the box at once. V = B / A^2 of the saturated budgets.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, all_of, for_all, implies, integers, reals
from proofs_check.papers.pdp.common import LESS, NUMBERS, PERCENT, ball, larger, smaller
from proofs_check.papers.pdp.groups.unknown_privacy import count_offset
from proofs_check.papers.pdp.mean.gaussian_mean import gaussian_error
from proofs_check.papers.pdp.range.gaussian_range import record_spread
from proofs_check.papers.pdp.tools.saturation import saturation
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, exp, identical, log, symbols

__all__ = ["CLAIMS", "group_bound"]


def group_bound(z: Any, u: Any, largest: Any, total: Any, share: Any, *, numbers: Any) -> Any:
    """The bound of Theorem 11 with V for W and for w, and a lower bound of A."""
    return gaussian_error(z, u, largest, largest, total, share, numbers=numbers)


@proves("The noise of all counts exceeds the offsets with probability beta / 2.", Method.SYMBOLIC)
@mutant("ln(1.98 J / beta)", two=2 * LESS)
def counts_miss_rarely(two: Fraction = Fraction(2)) -> Finding:
    """|X| > a with a = (2 / left) ln(2 J / beta), X of scale 2 / left: beta / (2 J), for J groups beta / 2."""
    left, groups, beta = symbols("left J beta", positive=True)
    offset = 2 / left * log(Rational(two.numerator, two.denominator) * groups / beta)
    stated = count_offset(left, groups, beta, numbers=SYMBOLIC)
    box = {left: (0, 9), groups: (1, 20), beta: (0, 1)}
    return every(
        [identical(stated, offset, box), identical(groups * exp(-offset * left / 2), beta / 2, box)]
    )


@proves("Then a count lies between d - 2 a - 1 and d.", Method.SMT)
@mutant("d - 1.98 a - 1", twice=2 * LESS)
@for_all(integers("C d") | reals("X a"))
def counts_lie_in_a_box(
    count: Any, d: Any, x: Any, a: Any, *, twice: Fraction = Fraction(2)
) -> Condition:
    """C = floor(d + X - a) lies in [d - 2 a - 1, d] if |X| <= a."""
    given = all_of(a >= 0, x <= a, -x <= a, count <= d + x - a, d + x - a < count + 1)
    return implies(given, all_of(count <= d, count >= d - twice * a - 1))


@proves("The threshold of saturation falls with every count.", Method.SMT)
@mutant("0.99 of the larger one", share=LESS)
@for_all(reals("c c2 e t t2"), polynomial=True)
def thresholds_fall(
    c: Any, c2: Any, e: Any, t: Any, t2: Any, *, share: Fraction = Fraction(1)
) -> Condition:
    """A term c e (t - e)_+ of the sum that is 8 at the threshold t grows with c and with t."""
    given = all_of(c >= 0, c2 >= c, e > 0, t >= 0, t2 >= t)
    return implies(given, c * e * larger(t - e, 0 * t) <= share * c2 * e * larger(t2 - e, 0 * t))


@proves("The lower bound of A, term by term.", Method.SMT)
@mutant("0.99 of the larger one", share=LESS)
@for_all(reals("c c2 e t t2"), polynomial=True)
def totals_stay(
    c: Any, c2: Any, e: Any, t: Any, t2: Any, *, share: Fraction = Fraction(1)
) -> Condition:
    """C min(e, t) <= c2 min(e, t2) for c <= c2 and t <= t2: a term of the lower bound of A."""
    given = all_of(c >= 0, c2 >= c, e > 0, t >= 0, t2 >= t)
    return implies(given, c * smaller(e, t) <= share * c2 * smaller(e, t2))


@proves("max w_i and sum w_i^2 are at most V.", Method.SMT)
@mutant("8.08 / A^2", eight=8 * PERCENT)
@for_all(reals("e t A B S V"), polynomial=True)
def weights_are_small(
    e: Any, t: Any, a: Any, b: Any, s: Any, v: Any, *, eight: Fraction = Fraction(8)
) -> Condition:
    """With B = t A and B = S + 8: e / A <= V and S / A^2 <= V - 8 / A^2, for V = B / A^2 and e <= t."""
    given = all_of(e >= 0, e <= t, a > 0, b == t * a, b == s + 8, v * a * a == b)
    return implies(given, all_of(e <= v * a, s <= v * a * a - eight))


@proves("Which levels may be chosen.", Method.SMT)
@mutant("up to 1.01 of the least best value", share=PERCENT)
@for_all(reals("tau low high best kept other"), polynomial=True)
def levels_that_win(
    tau: Any,
    low: Any,
    high: Any,
    best: Any,
    kept: Any,
    other: Any,
    *,
    share: Fraction = Fraction(1),
) -> Condition:
    """A level whose largest value is below the least value of another is not the best one.

    tau the level, its survivors between low and high, kept of them; best the other's least value,
    and `other` its own.
    """
    given = all_of(tau > 0, low <= kept, kept <= high, best <= other, tau * high < share * best)
    return implies(given, tau * kept < other)


@proves("beta / 2 for the counts and beta / 2 for the mean.", Method.EXACT)
@mutant("0.505 beta", part=PERCENT / 2)
def failures_are_halved(part: Fraction = Fraction(1, 2)) -> Finding:
    """Beta / 2 for the counts, and Algorithm 7 is called with beta / 2."""
    return exactly(part + Fraction(1, 2) == 1, f"{part + Fraction(1, 2)} beta")


ROWS = (
    ((100_000,), ("1",), "99988", "1.12890625", "0.0897610624923193"),
    ((50_000, 50_000), ("1/2", "1"), "49970 49985", "1.001953125", "0.119168638632933"),
)
"""Sizes and left ends of groups, least counts at beta = 0.1, a z, and the bound."""


@encloses("The bound for two sets of groups.", Method.ENCLOSURE)
@mutant("1.01 s", scale=PERCENT)
def group_values(scale: Fraction = Fraction(1)) -> Finding:
    """The bound for two sets of groups, at a z that they allow."""
    rows, share = [], ball(Fraction(11, 1680) * scale)
    for sizes, ends, least, z, printed in ROWS:
        spent = [Fraction(end) / 4 for end in ends]
        few = [int(count) for count in least.split()]
        at_least = saturation([e for e, c in zip(spent, few, strict=True) for _ in range(c)])
        at_most = saturation([e for e, c in zip(spent, sizes, strict=True) for _ in range(c)])
        total = sum(c * min(e, at_most.tau) for e, c in zip(spent, few, strict=True))
        largest = at_least.squares / at_least.total**2
        u = record_spread(ball(sum(sizes)), share, numbers=NUMBERS)
        found = group_bound(ball(z), u, ball(largest), ball(total), share, numbers=NUMBERS)
        rows.append((f"bound for {sizes}", printed, found))
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="PDP-T13u",
        source="Theorem 13, its error, with constants",
        says=(
            "On Gaussian records Algorithm 8 errs by at most the bound of PDP-T11u at beta / 2, with V for W and w, a lower bound of A, and the reach z of the smallest counts, with probability at least 1 - beta."
        ),
        latex=r"P\left(\frac{|\hat\mu - \mu|}{\sigma} \le \mathrm{bound}(z, u, V, V, A_-)\right) \ge 1 - \beta, \quad V = \frac{B}{A^2}\Big|_{c = c^-},\ A_- = \sum_i c_i^- \min(e_i, t^+)",
        domain=(
            "users of given budgets whose records are independent N(mu, sigma^2); d_i users in the group of left end l_i, J groups, a_i = (2 / l_i) ln(2 J / beta), counts between c_i^- = max(0, floor(d_i - 2 a_i)) and d_i, e_i = l_i / 4, t^+ the threshold of saturation at d; z as in PDP-L17u at beta / 2 with M = sum of c_i^- p_i(tau) and n = sum of d_i, for every tau = e_j with tau sum d_i p_i(tau) at least the largest e_k sum c_i^- p_i(e_k); no count above the cap"
        ),
        status=Status.PROVED,
        ours=True,
        assumes=("PDP-T11u", "PDP-A8", "PDP-A3", "PDP-L5", "PDP-E-SAT"),
        checks=checks_of(
            counts_miss_rarely,
            counts_lie_in_a_box,
            thresholds_fall,
            totals_stay,
            weights_are_small,
            levels_that_win,
            failures_are_halved,
            group_values,
        ),
        steps=(
            ByClaim("PDP-L5", "P(|X| > a) = e^(-a / scale) for Laplace noise."),
            ByCheck("counts_miss_rarely"),
            ByCheck("counts_lie_in_a_box"),
            ByHand(
                "Given such counts no place is padded, and a sample is a uniform subset of its group, chosen without looking at records: the records of the places are independent N(mu, sigma^2), and Algorithm 7 with budgets l_i / 2 and beta / 2 errs as PDP-T11u says, for whatever counts these are."
            ),
            ByClaim(
                "PDP-E-SAT",
                "B = t A, so sum of c_i e_i (t - e_i)_+ = 8 at the threshold t; by the next check it falls when a count grows.",
            ),
            ByCheck("thresholds_fall"),
            ByCheck("totals_stay"),
            ByCheck("weights_are_small"),
            ByHand(
                "The saturated budgets minimize (sum x^2 + 8) / (sum x)^2 over 0 <= x <= e (PDP-A3), V is the minimum, and a further user may take x = 0: so V is largest at the smallest counts."
            ),
            ByCheck("levels_that_win"),
            ByHand(
                "M grows with every count, and all conditions of PDP-L17u, and z, improve with M; u grows with n. The bound falls in z, as phi(z) - z Q(z), Q(z) and 1 / z do, and grows in W, w, u and 1 / A."
            ),
            ByCheck("failures_are_halved"),
        ),
        note="How far it is from the lower bound of PDP-T12, and from what is measured, is in the table personalized-error.",
    ),
    Claim(
        id="PDP-T13o",
        source="Theorem 13, the order of its error",
        says="The error of Algorithm 8 is that of the lower bound up to logarithms, for large enough n.",
        latex=r"|\hat\mu - \mu| \le \tilde{O}(\text{the lower bound of Theorem 12})",
        domain="Gaussian data; n large enough, which the print does not make explicit",
        status=Status.OPEN,
        ours=True,
        assumes=("PDP-T13u", "PDP-T11o", "PDP-E24s", "PDP-E25s"),
        note="PDP-T13u has explicit constants. The effect of rounding budgets and of dropped users on the lower bound is bounded in PDP-E24s and PDP-E25s; that the quotient of both bounds stays below a power of a logarithm for all budgets is not proved.",
    ),
)
