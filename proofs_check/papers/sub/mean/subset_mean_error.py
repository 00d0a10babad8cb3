"""Error of the subset-optimal mean (Theorem 3.1), with the conditions and constants that it needs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves, refutes, reworded
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.exponential import ExpSum
from proofs_check.language import (
    Condition,
    absolute,
    all_of,
    choose,
    for_all,
    implies,
    integers,
    reals,
)
from proofs_check.papers.sub.common import PERCENT, threshold_cells, weights
from proofs_check.papers.sub.mean.subset_mean import log_of_the_parameters, subset_mean_parameters
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import exp, identical, log, symbols

__all__ = ["CLAIMS", "data_bound"]


def data_bound(n: Any, radius: Any, epsilon: Any, parameters: Any, difference: Any) -> Any:
    """(5 + 2 eps + 4 beta eps) diff + alpha (1 + 6 / (eps n)) + 4 R zeta (SUB-T3.1s)."""
    alpha, zeta, beta, _ = parameters
    factor = 5 + 2 * epsilon + 4 * beta * epsilon
    return factor * difference + alpha * (1 + 6 / (epsilon * n)) + 4 * radius * zeta


@proves("Then l' <= u'.", Method.SMT)
@mutant("n - p >= q + 2", gap=2)
@for_all(integers("n p q"))
def ranks_do_not_cross(n: Any, p: Any, q: Any, *, gap: int = 1) -> Condition:
    """Ranks below n / 2 from both sides: l' <= x_(q+1) and u' >= x_(n-p) with n - p >= q + 1."""
    given = all_of(0 <= p, 0 <= q, 2 * p < n, 2 * q < n)
    return implies(given, n - p >= q + gap)


@proves("Approximate ranks lie in [K, K + 2 beta + 1).", Method.SMT)
@mutant("K + 2 beta + 0.99", up=Fraction(99, 100))
@for_all(integers("K k r") | reals("beta"))
def rank_range(
    inverse: Any, k: Any, rank: Any, beta: Any, *, up: Fraction = Fraction(1)
) -> Condition:
    """With k = ceil(K + beta), a rank within less than beta of it lies in (K, K + 2 beta + 1)."""
    given = all_of(
        beta >= 0, k < inverse + beta + 1, k >= inverse + beta,
        absolute(rank - k) < beta
    )  # fmt: skip
    within = all_of(rank >= inverse, rank < inverse + 2 * beta + up)
    return implies(given, within)


@proves("Sorting the thresholds keeps them close.", Method.SMT)
@mutant("0.99 alpha", alpha_share=Fraction(99, 100))
@for_all(reals("l u l2 u2 alpha"))
def sorting_keeps_closeness(
    low: Any, high: Any, first: Any, second: Any, alpha: Any, *, alpha_share: Fraction = Fraction(1)
) -> Condition:
    """If l' <= u', sorting l, u keeps them within alpha of l', u', and a crossing has width <= 2 alpha."""
    given = all_of(
        first <= second, absolute(low - first) <= alpha, absolute(high - second) <= alpha
    )
    least, most = choose(low < high, low, high), choose(low < high, high, low)
    near = alpha_share * alpha
    right = all_of(
        absolute(least - first) <= near, absolute(most - second) <= near,
        implies(low > high, low - high <= 2 * near)
    )  # fmt: skip
    return implies(given, right)


@proves("The terms add up.", Method.SYMBOLIC)
@mutant("3.03 w", mean_term=3 * PERCENT)
@mutant("2.02 for 2 in the bias", bias_term=2 * PERCENT)
def terms_add_up(mean_term: Fraction = Fraction(3), bias_term: Fraction = Fraction(2)) -> Finding:
    """3 w / (eps n) + alpha + 2 (1 + 2 beta eps + eps) diff + 2 zeta 2 R, with w <= eps n diff + 2 alpha."""
    n, e, beta, alpha, zeta, radius, d = symbols("n epsilon beta alpha zeta R diff", positive=True)
    width = e * n * d + 2 * alpha
    bias = bias_term * (1 / e + 2 * beta + 1) * e * d
    left = mean_term * width / (e * n) + alpha + bias + 2 * zeta * 2 * radius
    right = data_bound(n, radius, e, (alpha, zeta, beta, None), d)
    ranges = {
        n: (9, 99),
        e: (0, 1),
        beta: (1, 9),
        alpha: (0, 1),
        zeta: (0, 1),
        radius: (1, 9),
        d: (0, 1),
    }
    return identical(left, right, ranges)


@proves("In terms of R, with 2 e^2.", Method.SYMBOLIC)
@mutant("4.04 beta eps", four=4 * PERCENT)
def in_terms_of_risk(four: Fraction = Fraction(4)) -> Finding:
    """2 e^2 (5 + 2 eps + 4 beta eps) = 10 e^2 + 4 e^2 eps + 16 e^2 log(2 R / (alpha zeta))."""
    e, alpha, zeta, radius = symbols("epsilon alpha zeta R", positive=True)
    logarithm = log(2 * radius / (alpha * zeta))
    beta = 2 / e * logarithm
    left = 2 * exp(2) * (5 + 2 * e + four * beta * e)
    right = exp(2) * (10 + 4 * e + 16 * logarithm)
    return identical(left, right, {e: (0, 1), alpha: (0, 1), zeta: (0, 1), radius: (1, 9)})


@refutes(
    "For ten zeros R(D, eps) = 0, yet the error stays above 1/1000 as gamma falls.",
    Method.ENCLOSURE,
)
@mutant("97 zeros, of which t is at most half at gamma = 0.01", n=97)
def small_data_do_not_converge(n: int = 10) -> Finding:
    """For n = 10 zeros, eps = R = 1: R(D, eps) = 0, but E |mu| >= 1 / 1000 for gamma down to 1e-8.

    Here n < t, so every threshold above the window has the same loss. With l in [1/2, 1] and u in
    [-1, -1/2]: if the noisy count lies in [n, 2 n], and the noise of the sum has the sign of the
    midpoint and size at least w / eps, then |mu| >= w / (2 n eps) >= 1 / (2 n).
    """
    numbers, one = Balls(64), Balls(64).rational(Fraction(1))
    for gamma in (Fraction(1, 10**2), Fraction(1, 10**4), Fraction(1, 10**8)):
        alpha, _, _, t = subset_mean_parameters(n * one, one, one, one * gamma, numbers=numbers)
        if certainly_less(n, t) is not True:
            return exactly(False, f"t <= n at gamma = {gamma}")
        # loss t - n right of -alpha, t left of it, so the mass of [1/2, 1] is at least
        total = 1 + alpha + (1 - alpha) * numbers.exp(one * -n / 2)
        half = Fraction(1, 2) / total
        count = (1 - numbers.exp(one * -n / 2)) / 2
        floor = half * half * count * (numbers.exp(-one) / 2) / (2 * n)
        if certainly_less(Fraction(1, 1000), floor) is not True:
            return exactly(False, f"floor {floor!r} at gamma = {gamma}")
        if gamma == Fraction(1, 10**8) and certainly_less(10_000 * gamma, floor) is not True:
            return exactly(False, "no contradiction")
    return exactly(True, "E |mu| > 1/1000 while gamma / eps falls to 1e-8")


@confirms("The law of the thresholds for fewer points than the rank.", Method.EXACT)
@mutant("alpha 1 % larger", alpha=PERCENT / 100)
def stacked_law(alpha: Fraction = Fraction(1, 100)) -> Finding:
    """The law used there, from the cells of Algorithm 2: rank 12 of 10 zeros on [-1, 1]."""
    cells = threshold_cells((Fraction(0),) * 10, (-1, 1), 12, Fraction(1, 100))
    total = sum(weights(cells, Fraction(1)), ExpSum({}))
    right = ExpSum.exp(Fraction(-1), 1 + alpha) + ExpSum.exp(Fraction(-6), 1 - alpha)
    return exactly(
        total == right, "the law has mass 1 + alpha right of -alpha, relative to its loss"
    )


CLAIMS = (
    Claim(
        id="SUB-T3.1s",
        source="our own (Theorem 3.1 with its conditions and constants)",
        says="With enough points the subset-optimal mean errs by at most (5 + 2 eps + 4 beta eps) diff plus two small terms.",
        latex=r"E|\hat\mu - \mu(D)| \le (5 + 2\varepsilon + 4\beta\varepsilon)\, \mathrm{diff}(D, K) + \alpha \big(1 + \tfrac{6}{\varepsilon n}\big) + 4 R \zeta",
        domain="eps <= 1, K = 1/eps whole, n > 2 (K + 2 beta + 1), public N >= n, ranks ceil(K + beta), crossed thresholds swapped, alpha zeta <= 2 R (so that beta >= 0)",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(
            rank_range, ranks_do_not_cross, sorting_keeps_closeness, terms_add_up, in_terms_of_risk
        ),
        assumes=(
            "SUB-T3.7",
            "SUB-L3.3",
            "SUB-L3.2",
            "SUB-B3.1",
            "SUB-B3.2",
            "SUB-B3.3",
            "SUB-B3.4",
            "SUB-LB.1",
        ),
        steps=(
            ByCheck("rank_range"),
            ByCheck("ranks_do_not_cross"),
            ByCheck("sorting_keeps_closeness"),
            ByCheck("terms_add_up"),
            ByCheck("in_terms_of_risk"),
            ByHand(
                "Off an event of probability 2 zeta (B3.4), where the error is at most 2 R, both thresholds have close l', u' with ranks in [K, K + 2 beta + 1), below n / 2, so l' <= u'."
            ),
            ByHand(
                "The bounded mean errs by 3 w / (eps n) with w <= eps n diff + 2 alpha (B3.1; a crossing has w <= 2 alpha); clipping at l, u instead of l', u' moves the mean by at most alpha (B3.2); clipping at l', u' is biased by at most the one-sided differences (B3.3), which at rank q < K + 2 beta + 1 <= n / 2 are at most 2 q / K of those at rank K (LB.1; for q <= K they are no larger), and those at most diff."
            ),
            ByHand("For alpha > 2 R the bound is trivial, else Theorem 3.7 applies."),
            ByHand(
                "The noise of the mean is independent of the thresholds. diff <= 2 e^2 R by Lemma 3.2; with 2 + e - 1/e = 4.35 for 2 e^2, and 3.5 for 5 (SUB-L3.3b), it is sharper."
            ),
        ),
    ),
    Claim(
        id="SUB-T3.1",
        source="Theorem 3.1, utility",
        says="The subset-optimal mean errs by O(R(D, eps) log(R eps / gamma) + gamma / eps) for every data set (print); true for large n, with log(R^2 eps n^3 / gamma^2).",
        latex=r"E|\hat\mu - \mu(D)| \le \big(10 e^2 + 4 e^2 \varepsilon + 16 e^2 \log \tfrac{2 R^2 \varepsilon N^3}{\gamma^2}\big) R(D, \varepsilon) + \alpha \big(1 + \tfrac{6}{\varepsilon n}\big) + 4 R \zeta",
        domain="as SUB-T3.1s",
        status=Status.CORRECTED,
        checks=checks_of(
            reworded(in_terms_of_risk, "SUB-T3.1s in terms of R."),
            log_of_the_parameters,
            stacked_law,
            small_data_do_not_converge,
        ),
        why="For n below the rank t the thresholds are uniform on most of the range, whatever gamma is (SUB-E5); and the logarithm contains n and 1 / eps (SUB-E9).",
        right="SUB-T3.1s: n > 2 (K + 2 beta + 1), explicit constants, log(2 R^2 eps N^3 / gamma^2).",
        corrected_by="SUB-T3.1s",
        assumes=("SUB-T3.1s",),
        errata=("SUB-E5", "SUB-E9"),
        steps=(
            ByCheck("in_terms_of_risk"),
            ByCheck("log_of_the_parameters"),
            ByClaim("SUB-T3.1s", "The right form, with its conditions and constants."),
        ),
        obligations=parts_of(small_data_do_not_converge),
    ),
)
