"""The lower bound under add-remove, and a proof that closes the gaps of the printed ones (KSW, Theorem 4).

Datasets of n zeros and m further records of sum S: both S and m vary over a box, and the law of the
error is averaged over it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status
from proofs_check.enclosure import Balls
from proofs_check.language import (
    Condition,
    absolute,
    all_of,
    for_all,
    implies,
    integers,
    negate,
    reals,
)
from proofs_check.papers.ksw.bounds.upper_bounds import best_constant_at_the_ends
from proofs_check.papers.ksw.common import decay
from proofs_check.papers.ksw.noise.staircase import best_variance, best_y_cubed, geometric_variance
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand, Cited
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS"]


@proves("Adding a record keeps most of the box.", Method.SMT)
@mutant("0.99 (1 / (K + 1) + x / Lambda)", one=Fraction(99, 100))
@for_all(reals("x side count lost first second"), polynomial=True)
def little_of_the_box_is_lost(
    x: Any,
    side: Any,
    count: Any,
    lost: Any,
    first: Any,
    second: Any,
    *,
    one: Fraction = Fraction(1),
) -> Condition:
    """(S, m) -> (S + x, m + 1) keeps all of the box but a part 1 / (K + 1) + x / Lambda at most."""
    # count = K + 1 values of m; the two parts are 1 / (K + 1) and x / Lambda
    parts = all_of(first * count == 1, second * side == x)
    kept = (1 - first) * (1 - second)
    given = all_of(0 <= x, x <= 1, side >= 1, count >= 2, parts, lost == 1 - kept)
    return implies(given, lost <= one * (first + second))


@proves("n mean is S less a correction.", Method.SYMBOLIC)
@mutant("S + S m / (n + m)", sign=-1)
def sum_instead_of_mean(sign: int = 1) -> Finding:
    """N mean = S - S m / (n + m), for n zeros and m records of sum S."""
    n, m, S = symbols("n m S", positive=True)
    return identical(n * S / (n + m), S - sign * S * m / (n + m), {n: (1, 9), m: (1, 9), S: (1, 9)})


@proves("The correction is at most (m0 + K)^2 / n, the mean at most (m0 + K) / n.", Method.SMT)
@mutant("records up to 1.01", factor=Fraction(101, 100))
@for_all(reals("n m S most"), polynomial=True)
def correction_is_small(
    n: Any, m: Any, S: Any, most: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """0 <= S m / (n + m) <= (m0 + K)^2 / n, and mean <= (m0 + K) / n, for S <= m <= m0 + K."""
    given = all_of(n >= 1, 1 <= m, m <= most, 0 <= S, S <= factor * m)
    small = S * m * n <= most * most * (n + m)
    mean = S * n <= most * (n + m)
    return implies(given, all_of(small, mean, S <= most))


@confirms("Why m must vary: no three sizes differ by one pairwise.", Method.SMT)
@mutant("sizes that differ by 1, 1 and 2", difference=2)
@for_all(integers("a b c"))
def one_size_is_not_enough(a: Any, b: Any, c: Any, *, difference: int = 1) -> Condition:
    """No three sizes differ by one pairwise: sums S, S + 1/2, S + 1 are not pairwise neighbors."""
    gaps = (a - b, b - c, a - c)
    return negate(
        all_of(*(absolute(gap) == 1 for gap in gaps[:2]), absolute(gaps[2]) == difference)
    )


@confirms("0/1 records alone give 2 b / (1 - b)^2, less than sigma^2 for every eps.", Method.SMT)
@mutant("0.99 + b for 1 + b", one=Fraction(99, 100))
@for_all(reals("c y"), polynomial=True)
def whole_numbers_give_less(c: Any, y: Any, *, one: Fraction = Fraction(1)) -> Condition:
    """2 b / (1 - b)^2 < sigma^2 for every eps: b < y*^2, by b (1 + b) / 2 > b^(3/2)."""
    b = c * c
    given = all_of(0 < c, c < 1, 0 < y, 2 * y**3 == b * (one + b))
    return implies(given, y * y > b)


@confirms("Datasets of one size alone give sigma^2(2 eps), less than sigma^2(eps).", Method.SMT)
@mutant("1.01 + u for 1 + u", one=Fraction(101, 100))
@for_all(reals("v u"), polynomial=True)
def less_privacy_costs_less(v: Any, u: Any, *, one: Fraction = Fraction(1)) -> Condition:
    """sigma^2 = (1 + v) / (4 (v^3 - 1)) falls in v, hence in eps: sigma^2(2 eps) < sigma^2(eps)."""
    falls = (one + u) * (v**3 - 1) < (1 + v) * (u**3 - 1)
    return implies(all_of(1 < v, v < u), falls)


@encloses("Both numbers at eps = 5.", Method.ENCLOSURE)
@mutant("0.505 b (1 + b) for y*^3", half=Fraction(505, 1000))
def what_the_gaps_leave(half: Fraction = Fraction(1, 2)) -> Finding:
    """At eps = 5: 0/1 records give 0.01366, the bound is 0.02971."""
    numbers = Balls(64)
    b = decay("5", numbers=numbers)
    y = numbers.root(2 * half * best_y_cubed(b), 3)
    return as_printed(
        [
            ("whole sums", "0.01366", geometric_variance(b)),
            ("sigma^2", "0.02971", best_variance(b, y)),
        ]
    )


BOX_CHECKS = checks_of(little_of_the_box_is_lost, sum_instead_of_mean, correction_is_small)


CLAIMS = (
    Claim(
        id="KSW-T4'",
        source="our own, for Theorem 4",
        says=(
            "A proof of the lower bound of Theorem 4 for real-valued records: average the law of the "
            "error over sums S and sizes m; what remains is a law on the line that changes by e^eps "
            "at most under shifts of at most 1, whose second moment is at least sigma^2(eps)."
        ),
        latex=r"\bar f(E) \le e^{\varepsilon} \bar f(E - x) + \eta,\quad \eta = e^{\varepsilon} \Bigl( \frac{1}{K + 1} + \frac{1}{\Lambda} \Bigr),\ |x| \le 1 \implies R_{ar}(\varepsilon, n_0, 0, 1) \ge \sigma^2(\varepsilon) (1 - o(1))",
        domain="eps > 0 fixed; Lambda <= m0, K, Lambda to infinity, (m0 + K)^2 / n to 0",
        status=Status.ASYMPTOTIC,
        checks=checks_of(*BOX_CHECKS, one_size_is_not_enough),
        assumes=("KSW-L6", "KSW-L10"),
        ours=True,
        steps=(
            *by_checks(little_of_the_box_is_lost, sum_instead_of_mean, correction_is_small),
            ByHand(
                "Let Shat = n Clip(estimate, [0, (m0 + K) / n]) and fbar the law of Shat - S averaged over S in [0, Lambda] and m in m0..m0 + K. The dataset (S + x, m + 1) has one record more than (S, m) for x in [0, 1] (Lambda <= m0 leaves room for the sum), so P(Shat - S in E) changes by e^eps at most, and the averages differ by the part of the box that is lost, in both directions."
            ),
            Cited(
                "Geng and Viswanath 2016, The optimal noise-adding mechanism in differential privacy",
                "the theorem for real queries",
                "If the error stays bounded, fbar is tight; a limit f satisfies f(E) <= e^eps f(E - x) for all |x| <= 1, and by Geng and Viswanath's theorem its second moment is at least sigma^2.",
            ),
            ByHand(
                "Since n mean = S + O((m0 + K)^2 / n) and clipping does not increase the error, n^2 MSE has the same lower limit; n + m exceeds n by a factor 1 + o(1) only, and the worst case is at least the average."
            ),
        ),
        note="The limit argument is by hand, the theorem cited.",
    ),
    Claim(
        id="KSW-T4",
        source="Theorem 4 (Theorem 2 of the first version)",
        says=(
            "Under add-remove no private estimator of the mean has a smaller worst-case n^2 MSE than "
            "w^2 sigma^2(eps), up to a factor that goes to 1. The printed arguments have gaps."
        ),
        latex=r"R_{ar}(\varepsilon, \ell, u) \ge w^2 \sigma^2(\varepsilon) (1 - o(1))",
        domain="eps > 0 fixed, n0 to infinity; the first version: 2 w^2 / eps^2 as eps goes to 0",
        status=Status.ASYMPTOTIC,
        checks=checks_of(whole_numbers_give_less, less_privacy_costs_less, what_the_gaps_leave),
        assumes=("KSW-T4'", "KSW-E3"),
        steps=(
            ByClaim(
                "KSW-T4'",
                "True by KSW-T4', whose averaging over sizes avoids both losses (KSW-ER16).",
            ),
            ByClaim(
                "KSW-E3", "The first version's 2 w^2 / eps^2 is its limit for small eps (KSW-E3)."
            ),
        ),
    ),
    Claim(
        id="KSW-C2",
        source="Corollary 2",
        says=(
            "The least worst-case n^2 MSE under add-remove is w^2 sigma^2(eps), the same as for "
            "replaced records; Algorithm 3 with hourglass noise attains it."
        ),
        latex=r"R_{ar}(\varepsilon, \ell, u) = w^2 \sigma^2(\varepsilon) (1 \pm o(1))",
        domain="eps > 0 fixed, n0 to infinity",
        status=Status.ASYMPTOTIC,
        checks=checks_of(
            reworded(
                best_constant_at_the_ends,
                "The largest leading constant over all means is sigma^2, at mean l or u.",
            )
        ),
        assumes=("KSW-T3", "KSW-T4"),
        steps=(
            ByCheck("best_constant_at_the_ends"),
            ByClaim("KSW-T3", "The upper bound, with explicit constants."),
            ByClaim("KSW-T4", "The lower bound."),
        ),
    ),
)
