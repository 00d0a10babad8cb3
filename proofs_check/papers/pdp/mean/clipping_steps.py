"""The clipping error of Algorithm 7 (PDP, equations (11) to (14)), with explicit constants.

Records outside the estimated range are clipped. S1 and S2 are the sums of the first k budgets and
of their squares, m = n - k budgets are cut to tau, and A = S1 + m tau.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, absolute, all_of, enumerated, for_all, implies, reals
from proofs_check.papers.pdp.common import LESS, NUMBERS, PERCENT, ball, below, larger, smaller
from proofs_check.papers.pdp.tools.radius import estimated_radius
from proofs_check.papers.pdp.tools.saturation import saturation
from proofs_check.papers.pdp.tools.svt import svt_high, svt_slack
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, identical, log, symbols

__all__ = ["CLAIMS", "clipping_error", "kept_mean", "outliers", "replaced_mean"]

STAGES = 4
"""Stages of Algorithm 6 among which tau and beta are split."""


def outliers(k2: Any, tau: Any, beta: Any, rate: Any = 24, *, numbers: Any) -> Any:
    """Equation (11), explicit: (24 / tau) ln(64 k2 / beta^2) records of the diffused data."""
    return rate / tau * numbers.log(64 * k2 / beta**2)


def kept_mean(s1: Any, s2: Any, m: Any, tau: Any) -> Any:
    """Mean saturated budget of a record kept at rates proportional to it: (S2 + m tau^2) / A."""
    return (s2 + m * tau**2) / (s1 + m * tau)


def replaced_mean(s1: Any, s2: Any, m: Any, k: Any, tau: Any) -> Any:
    """Mean saturated budget of a replaced record, with the rates eps / (2 tau) and 1 / 2."""
    return (s1 - s2 / (2 * tau) + m * tau / 2) / (k - s1 / (2 * tau) + m / 2)


def clipping_error(xi: Any, budgets: Any, total: Any) -> Any:
    """2 xi T / A: what records with budgets of sum T outside the range change in the mean."""
    return 2 * xi * budgets / total


@proves("Lemma 6 with budget tau / 4 and failure probability beta / 4.", Method.SYMBOLIC)
@mutant("24.24 for 24", rate=24 * PERCENT)
def stage_bound(rate: Fraction = Fraction(24)) -> Finding:
    """(6 / eps) (ln(2 / b) + ln(2 k / b)) with eps = tau / 4, b = beta / 4 is the explicit (11)."""
    k2, tau, beta = symbols("k tau beta", positive=True)
    epsilon, share = tau / STAGES, beta / STAGES
    left = (svt_high(share, numbers=SYMBOLIC) + svt_slack(k2, share, numbers=SYMBOLIC)) / epsilon
    right = outliers(k2, tau, beta, Rational(rate.numerator, rate.denominator), numbers=SYMBOLIC)
    return identical(left, right, {k2: (1, 9), tau: (1, 5), beta: (0, 1)}, ways=(_join_logs,))


def _join_logs(expression: Any) -> Any:
    """Write every logarithm of a product as a sum."""
    return expression.replace(log, lambda x: log(x).expand(force=True)).expand()


@proves("With k1 = 0 the stage fails with probability below (4/3) (b / 2)^(3/2) < b.", Method.SMT)
@mutant("0.99 * 4/3", factor=LESS * Fraction(4, 3))
@for_all(reals("u j"), polynomial=True)
def stage_failure(u: Any, j: Any, *, factor: Fraction = Fraction(4, 3)) -> Condition:
    """With u = sqrt(b / 2): both bad events together have probability below (4/3) u^3 < b = 2 u^2.

    Each is g(6 ln(2 / b)) = (4 u^3 - u^6) / 6 or less, the second one for any k2 >= 1.
    """
    first = 4 * u**3 - u**6
    second = 4 * u**3 * j**4 - u**6 * j  # j^5 k (4 (u^2 / k)^(3/2) - (u^2 / k)^3), k = j^2
    given = all_of(u > 0, 2 * u * u < 1, j >= 1)
    together = first * j**5 + second
    return implies(given, all_of(together < 6 * factor * u**3 * j**5, 2 * u < 3))


@proves("k2 is the first index whose radius 2^(k2 - 1) b covers.", Method.EXACT)
@mutant("search from 2", offset=2)
@enumerated("radii", lambda: (Fraction(sixths, 6) for sixths in range(1, 200)))
def first_radius(radii: Iterator[Fraction], offset: int = 1) -> Finding:
    """k2 = 1 + ceil(log2(Radius / b)), at least 1, is the first index whose radius covers."""
    for radius in radii:
        k2 = offset
        while estimated_radius(k2, Fraction(1)) < radius:
            k2 += 1
        early = k2 > 1 and estimated_radius(k2 - 1, Fraction(1)) >= radius
        covered = estimated_radius(k2, Fraction(1)) >= radius
        smallest = k2 == 1 or Fraction(2) ** (k2 - 2) < radius <= Fraction(2) ** (k2 - 1)
        if early or not covered or not smallest:
            return exactly(False, f"not the first index at Radius / b = {radius}")
    return exactly(True, "at every radius")


@proves("A clipped record moves by at most 2 xi, one in the range not at all.", Method.SMT)
@mutant("1.98 xi", width=Fraction(198, 100))
@for_all(
    reals("x l r xi"),
    "A clipped point moves by at most {most}, and not at all inside the range.",
    terms=lambda v: {"most": 2 * v["xi"]},
)
def contribution(
    x: Any, low: Any, high: Any, xi: Any, *, width: Fraction = Fraction(2)
) -> Condition:
    """|clip(x) - x| <= 2 xi if x and the range lie in [-xi, xi], and 0 if x is in the range."""
    moved = absolute(larger(low, smaller(x, high)) - x)
    inside = all_of(-xi <= low, low <= high, high <= xi, -xi <= x, x <= xi)
    fixed = implies(all_of(low <= x, x <= high), moved == 0)
    return implies(inside, all_of(moved <= width * xi, fixed))


@proves("muT(1) is at most tau.", Method.SMT)
@mutant("0.99 tau", factor=LESS)
@for_all(
    reals("S1 S2 m tau mean"),
    "The mean budget of those that are kept is at most {tau}.",
    polynomial=True,
)
def kept_mean_is_small(
    s1: Any, s2: Any, m: Any, tau: Any, mean: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """(S2 + m tau^2) / A <= tau, since eps_i <= tau for i <= k makes S2 <= tau S1."""
    given = all_of(s1 > 0, s2 >= 0, s2 <= tau * s1, m >= 0, tau > 0)
    is_mean = mean * (s1 + m * tau) == s2 + m * tau * tau
    return implies(all_of(given, is_mean), mean <= factor * tau)


@proves("n2 muT(2) is at most c L.", Method.SMT)
@mutant("0.99 c L", factor=LESS)
@for_all(
    reals("S1 S2 m tau"),
    "The mean budgets of those that are replaced add up to at most their number at full rate.",
    polynomial=True,
)
def replaced_sum_is_small(
    s1: Any, s2: Any, m: Any, tau: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """n2 muT(2) = c (S1 - S2 / (2 tau) + m tau / 2) / A <= c."""
    given = all_of(s1 > 0, s2 >= 0, s2 <= tau * s1, m >= 0, tau > 0)
    left = 2 * tau * s1 - s2 + m * tau * tau
    return implies(given, left <= factor * 2 * tau * (s1 + m * tau))


@confirms("Means of the kept and of the replaced budgets, by their definition.", Method.EXACT)
@mutant("0.505 eps / tau", half=Fraction(505, 1000))
def means_of_the_parts(half: Fraction = Fraction(1, 2)) -> Finding:
    """Both means by their definition, sum p eps~ / sum p, for the rates of (7), on examples."""
    for budgets in (("2", "8", "8"), ("1/2", "1", "2", "4", "8", "16"), ("1/10", "3/10", "1")):
        vector = [Fraction(e) for e in budgets]
        found = saturation(vector)
        k, tau, m = found.k, found.tau, Fraction(len(vector) - found.k)
        s1, s2 = sum(vector[:k]), sum(e * e for e in vector[:k])
        rates = [half * e / tau for e in found.budgets]
        pairs = list(zip(rates, found.budgets, strict=True))
        kept = sum(p * e for p, e in pairs) / sum(rates)
        replaced = sum((1 - p) * e for p, e in pairs) / sum(1 - p for p in rates)
        if kept != kept_mean(s1, s2, m, tau) or replaced != replaced_mean(s1, s2, m, k, tau):
            return exactly(False, f"differs for {budgets}")
    return exactly(True, "three vectors")


@proves("From the sum of the budgets to the error.", Method.SMT)
@mutant("1.01 times the error", tau_factor=PERCENT)
@for_all(
    reals("xi A T mean level t"),
    "The clipping error of these outliers is at most {bound}.",
    terms=lambda v: {"bound": 2 * v["xi"] / v["A"] * (v["level"] + v["t"])},
    polynomial=True,
)
def part_bound(
    xi: Any,
    total: Any,
    budgets: Any,
    mean: Any,
    level: Any,
    t: Any,
    *,
    tau_factor: Fraction = Fraction(1),
) -> Condition:
    """T <= N muT + t, N muT <= c L give 2 xi T / A <= (2 xi / A) (c L + t)."""
    given = all_of(xi > 0, total > 0, budgets <= mean + t, mean <= level)
    left = clipping_error(xi, budgets, total) * tau_factor
    return implies(all_of(given, level + t > 0), left <= 2 * xi / total * (level + t))


@proves("The sum of the bounds of both parts.", Method.SMT)
@mutant("1.98 t", twice=Fraction(198, 100))
@for_all(
    reals("xi A T1 T2 L c1 c2 t"),
    "The total clipping error is at most {bound}.",
    terms=lambda v: {"bound": 2 * v["xi"] / v["A"] * ((v["c1"] + v["c2"]) * v["L"] + 2 * v["t"])},
    polynomial=True,
)
def total_bound(
    xi: Any,
    total: Any,
    t1: Any,
    t2: Any,
    level: Any,
    c1: Any,
    c2: Any,
    t: Any,
    *,
    twice: Fraction = Fraction(2),
) -> Condition:
    """The two parts together: (2 xi / A) ((c1 + c2) L + 2 t)."""
    signs = all_of(xi > 0, total > 0, level >= 0, c1 >= 0, c2 >= 0, t > 0)
    given = all_of(signs, t1 <= c1 * level + t, t2 <= c2 * level + t)
    left = clipping_error(xi, t1, total) + clipping_error(xi, t2, total)
    right = 2 * xi / total * ((c1 + c2) * level + twice * t)
    return implies(given, left <= right)


@refutes(
    "All budgets 1: the printed sum exceeds the printed bound by a factor above n1 / 9, for growing n1.",
    Method.ENCLOSURE,
)
@mutant("without the sum over j", terms=lambda _: 1)
def printed_sum_is_too_large(
    terms: Callable[[int], int] = lambda count: count, second: bool = False
) -> Finding:
    """The printed sum over j of 2 xi T / A exceeds the printed bound by a factor above n1 / 9.

    All budgets 1, n = 9 n1^2 records: nothing is cut to tau, since R_k = 1 + 8 / k > 1, so A = n
    and T = n1. The sum is n1 times 2 xi n1 / A, against (2 xi / A) (n1 muT + t), t = sqrt(n + 8).
    The second part has muT = 1 as well.
    """
    rows = []
    for count in (Fraction(100), Fraction(10_000)):
        n = 9 * count**2
        tau, none = 1 + 8 / n, Fraction(0)
        mean = replaced_mean(n, n, none, n, tau) if second else kept_mean(n, n, none, tau)
        left = terms(int(count)) * clipping_error(1, count, n)
        right = 2 / n * (count * mean + NUMBERS.sqrt(ball(n + 8)))
        rows.append((f"n1 = {count}", count / 9, left / right))
    return below(rows)


@refutes(
    "All budgets 1: the printed sum exceeds the printed bound by a factor above n2 / 9.",
    Method.ENCLOSURE,
)
@mutant("without the sum over j", terms=lambda _: 1)
def second_printed_sum(terms: Callable[[int], int] = lambda count: count) -> Finding:
    """The same for the records that were replaced."""
    return printed_sum_is_too_large(terms, second=True)


REPEATED = "T is already the sum of the outliers' budgets; summing over the outliers again multiplies by their number."


CLAIMS = (
    Claim(
        id="PDP-E11",
        source="Theorem 11, equation (11)",
        says="With probability at least 1 - beta / 4, at most n1 = (24 / tau) ln(64 k2 / beta^2) records of the diffused data lie outside the estimated range, k2 the first index whose radius covers them.",
        latex=r"n_1 = \tfrac{24}{\tau} \ln\tfrac{64 k_2}{\beta^2}, \quad k_2 = \max(1, 1 + \lceil \log_2(\mathrm{Rad}(D^c) / b) \rceil)",
        domain="Algorithm 6 with the radius that fired; Rad is that of the diffused data around the center",
        status=Status.CORRECTED,
        checks=checks_of(stage_bound, stage_failure, first_radius),
        assumes=("PDP-L6", "PDP-A5"),
        errata=("PDP-E-11",),
        why="With the printed radius 2^(i-2) b, half of the radius that fired, all records may lie outside (PDP-E-11).",
        right="n1 = (24 / tau) ln(64 k2 / beta^2), for the radius 2^(i-1) b.",
        steps=(
            ByCheck("stage_bound"),
            ByCheck("first_radius"),
            ByClaim(
                "PDP-L6",
                "The queries of the last stage are -#{|x - m| > 2^(i-1) b}; query k2 is 0, which is the threshold plus (6 / eps) ln(2 / b), so Lemma 6 applies with k1 = 0.",
            ),
            ByCheck(
                "stage_failure",
                "Its two bad events have the probabilities g(6 ln(2 / b)) and at most k2 g(6 ln(2 k2 / b)) with g(x) = (4 e^(-x/4) - e^(-x/2)) / 6.",
            ),
        ),
        note="The printed universal constant c1 absorbs ln k2 into ln((1 / beta) ln ln(...)), by Rad / b = O(sqrt(log)): that step is asymptotic.",
    ),
    Claim(
        id="PDP-E12",
        source="Theorem 11, equation (12)",
        states=(contribution, kept_mean_is_small, part_bound),
        domain="records and range lie within xi of the mean; S1 and S2 are the sums of the small budgets and of their squares, m is the number of the others; T is the sum of the saturated budgets of the n1 kept outliers, level = n1 tau",
        status=Status.CORRECTED,
        checks=checks_of(
            printed_sum_is_too_large,
            contribution,
            means_of_the_parts,
            kept_mean_is_small,
            part_bound,
        ),
        why=REPEATED,
        right="2 xi T1 / A, without the sum over j.",
        steps=(
            ByCheck("contribution"),
            ByCheck("part_bound"),
            ByHand(
                "Record j outside the range changes the weighted mean by at most 2 xi eps~_j / A; the sum over the outliers is 2 xi T1 / A."
            ),
            ByCheck(
                "kept_mean_is_small",
                "For any rates, muT(1) is a mean of saturated budgets and at most tau.",
            ),
        ),
        obligations=parts_of(printed_sum_is_too_large),
        note="With n1 = (c1 / tau) L this is (2 xi / A) (c1 L + t). That T1 <= n1 muT(1) + t with the required probability is Lemma 18.",
    ),
    Claim(
        id="PDP-E13",
        source="Theorem 11, equation (13)",
        states=(contribution, replaced_sum_is_small, part_bound),
        domain="as PDP-E12, of the outliers that are replaced, with the rates eps / (2 tau) and 1 / 2; level = c L",
        status=Status.CORRECTED,
        checks=checks_of(
            second_printed_sum, contribution, means_of_the_parts, replaced_sum_is_small, part_bound
        ),
        why=REPEATED,
        right="2 xi T2 / A, without the sum over j.",
        steps=(
            ByCheck("contribution"),
            ByCheck("part_bound"),
            ByClaim("PDP-E12", "As PDP-E12."),
            ByCheck(
                "replaced_sum_is_small",
                "For any rates p, n2 muT(2) = c L sum (1 - p) eps~ / A <= c L, since sum eps~ = A.",
            ),
        ),
        obligations=parts_of(second_printed_sum),
    ),
    Claim(
        id="PDP-E14",
        source="Theorem 11, equation (14)",
        states=(total_bound,),
        domain="T1 and T2 are the parts of both ends, t = sqrt(B)",
        status=Status.PROVED,
        checks=checks_of(total_bound),
        assumes=("PDP-E12", "PDP-E13"),
    ),
)
