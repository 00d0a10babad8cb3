"""Steps of Theorem 3.1: what clipping costs, and how biases at two ranks compare (Appendix B)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import (
    Condition,
    absolute,
    all_of,
    choose,
    for_all,
    implies,
    largest,
    reals,
    smallest,
)
from proofs_check.papers.sub.common import PERCENT, clip, mean, multisets
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "bias_factor"]


def bias_factor(n: Any, first: Any, second: Any) -> Any:
    """(n2 / n1) (n - n1) / (n - n2): growth of the bias from dropping n1 to dropping n2 points."""
    return second * (n - first) / (first * (n - second))


@proves("The width, in sums of the K largest and smallest points.", Method.SMT)
@mutant("1.98 alpha for 2 alpha", two=Fraction(99, 50))
@for_all(
    reals("n K SU SL l u alpha w"),
    "The width of the clipping interval is at most {most}.",
    terms=lambda v: {
        "most": v["n"] / v["K"] * (v["SU"] - v["SL"]) / (v["n"] - v["K"]) + 2 * v["alpha"]
    },
    polynomial=True,
)
def width_against_spread(
    n: Any,
    k: Any,
    top: Any,
    bottom: Any,
    low: Any,
    high: Any,
    alpha: Any,
    w: Any,
    *,
    two: Fraction = Fraction(2),
) -> Condition:
    """With K points <= l' and K points >= u': (u - l) <= (n / K) diff + 2 alpha, in sums.

    diff = (SU - SL) / (n - K), SU the sum of the K largest and SL of the K smallest points.
    """
    given = all_of(
        k >= 1, n > k, alpha >= 0, top >= k * high, bottom <= k * low, top >= bottom,
        w <= high - low + 2 * alpha  # |l - l'| <= alpha, |u - u'| <= alpha
    )  # fmt: skip
    return implies(given, k * (n - k) * (w - two * alpha) <= n * (top - bottom))


def cut(x: Any, low: Any, high: Any) -> Any:
    """The point x clipped, first from below."""
    return smallest(largest(x, low), high)


@proves("For every x and all ends.", Method.SMT)
@mutant("0.99 alpha", factor=Fraction(99, 100))
@for_all(
    reals("x l u l2 u2 alpha"),
    "Moving both ends of a clipping interval by at most {alpha} moves every clipped point by at most {alpha}.",
)
def clipping_is_lipschitz(
    x: Any, a: Any, b: Any, c: Any, d: Any, alpha: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """|clip(x, [l, u]) - clip(x, [l', u'])| <= alpha, also for crossed ends."""
    given = all_of(absolute(a - c) <= alpha, absolute(b - d) <= alpha)
    return implies(given, absolute(cut(x, a, b) - cut(x, c, d)) <= factor * alpha)


@proves("The two biases have opposite signs.", Method.SMT)
@mutant("0.99 of the larger", part=Fraction(99, 100))
@for_all(
    reals("A B"),
    "What is raised and what is lowered cancel: the bias of clipping at two ends is at most the larger one-sided bias.",
)
def larger_of_two_biases(a: Any, b: Any, *, part: Fraction = Fraction(1)) -> Condition:
    """|A - B| <= max(A, B) for A, B >= 0: what is raised and what is lowered cancel."""
    given = all_of(a >= 0, b >= 0)
    return implies(given, absolute(a - b) <= part * choose(a > b, a, b))


@proves("Raising points to l' costs no more than dropping them, for every n.", Method.SMT)
@mutant("1.01 of the cost", factor=PERCENT)
@for_all(
    reals("n q l S T"),
    "That is at most the bias of dropping the points beyond the end.",
    polynomial=True,
)
def raising_costs_no_more_than_dropping(
    n: Any, q: Any, low: Any, s: Any, t: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """(q l' - S) / n <= mu(D minus L_q) - mu(D), S the sum of the q points below l', T of the rest."""
    given = all_of(q >= 0, q < n, s <= q * low, t >= (n - q) * low)
    raised = (q * low - s) * (n - q)
    dropped = n * t - (n - q) * (s + t)
    return implies(given, factor * raised <= dropped)


@confirms("Case by case.", Method.EXACT)
@mutant("0.99 of the larger", factor=Fraction(99, 100))
def clipping_bias_cases(factor: Fraction = Fraction(1)) -> Finding:
    """Bias of clipping at l', u' against the larger of the two one-sided differences."""
    cases = 0
    for data in multisets((0, 1, 2, 5), range(2, 6)):
        for low in (0, 1, 2, 3):
            for high in range(low, 6):
                q, p = sum(x < low for x in data), sum(x > high for x in data)
                if max(p, q) < len(data):
                    cases += 1
                    bias = abs(mean([clip(Fraction(x), low, high) for x in data]) - mean(data))
                    sides = mean(data[q:]) - mean(data), mean(data) - mean(data[: len(data) - p])
                    if bias > factor * max(sides):
                        return exactly(False, f"fails for D = {data}, [{low}, {high}]")
    return exactly(True, f"{cases} cases")


@proves("The difference of the sides, in block means.", Method.SYMBOLIC)
@mutant("1.01 c", extra=PERCENT)
def bias_identity(extra: Fraction = Fraction(1)) -> Finding:
    """Identity c (A1 - B1) - (A2 - B2) = (c - 1) (M - B1) + (B2 - B1), which is >= 0.

    B1 = mu(L_n1), M = mu(L_n2 minus L_n1), A2 = mu(D minus L_n2); A1 and B2 are mixtures of them and
    c = (n - n1) / (n - n2); n (A_j - mu) = n_j (A_j - B_j).
    """
    n, n1, n2, b1, m, a2 = symbols("n n1 n2 B1 M A2", positive=True)
    a1 = ((n2 - n1) * m + (n - n2) * a2) / (n - n1)
    b2 = (n1 * b1 + (n2 - n1) * m) / n2
    mu = (n2 * b2 + (n - n2) * a2) / n
    c = extra * (n - n1) / (n - n2)
    box = {n: (20, 30), n1: (1, 5), n2: (6, 15), b1: (0, 1), m: (1, 2), a2: (2, 5)}
    return every(
        (
            identical(c * (a1 - b1) - (a2 - b2), (c - 1) * (m - b1) + (b2 - b1), box),
            identical(n * (a1 - mu), n1 * (a1 - b1), box),
            identical(n * (a2 - mu), n2 * (a2 - b2), box),
        ),
        detail="three identities in the block means",
    )


@proves("The sharper factor is at most the printed one.", Method.SMT)
@mutant("1.98 for 2", two=Fraction(99, 50))
@for_all(reals("n n1 n2"))
def factor_at_most_printed(
    n: Any, first: Any, second: Any, *, two: Fraction = Fraction(2)
) -> Condition:
    """(n - n1) / (n - n2) <= 2 for n2 <= n / 2."""
    given = all_of(first > 0, first <= second, 2 * second <= n)
    return implies(given, n - first < two * (n - second))


@confirms("Case by case, with equality.", Method.EXACT)
@mutant("0.99 of the factor", factor=Fraction(99, 100))
def bias_cases(factor: Fraction = Fraction(1)) -> Finding:
    """The sharper factor for all data sets up to 7 points on three values; equality for zeros and ones."""
    cases = 0
    for data in multisets((0, 1, 3), range(2, 8)):
        n = len(data)
        bias = [mean(data[k:]) - mean(data) for k in range(n)]
        for second in range(1, n):
            for first in range(1, second + 1):
                cases += 1
                if bias[second] > factor * bias_factor(Fraction(n), first, second) * bias[first]:
                    return exactly(False, f"fails for D = {data}, n1 = {first}, n2 = {second}")
    return exactly(True, f"{cases} cases")


@confirms("The printed factor does need n2 <= n / 2.", Method.EXACT)
@mutant("n2 = 2", second=2)
def printed_factor_needs_half(first: int = 1, second: int = 3) -> Finding:
    """D = {0, 0, 0, 1}, n1 = 1, n2 = 3 > n / 2: the bias 3/4 exceeds the printed bound 1/2."""
    data = (0, 0, 0, 1)
    left, right = (mean(data[k:]) - mean(data) for k in (second, first))
    bound = Fraction(2 * second, first) * right
    return exactly(
        left == Fraction(3, 4) and bound == Fraction(1, 2), f"bias {left}, bound {bound}"
    )


CLAIMS = (
    Claim(
        id="SUB-B3.1",
        source="Appendix B, proof of Theorem 3.1, first term",
        states=(width_against_spread,),
        domain="SU and SL are the sums of the K = 1/eps largest and smallest points, so (SU - SL) / (n - K) is diff(D, K); at least K points are <= l and at least K are >= u, the ends of the good event; w is the width of the interval",
        status=Status.PROVED,
        checks=checks_of(width_against_spread),
        assumes=("SUB-L3.3",),
        steps=(
            ByCheck("width_against_spread"),
            ByHand(
                "diff = (SU - SL) / (n - K) with SU >= K u', SL <= K l'; where the width is below 2 alpha, diff >= 0 suffices."
            ),
            ByClaim("SUB-L3.3", "The bounded mean errs by at most 3 w / (n eps)."),
        ),
    ),
    Claim(
        id="SUB-B3.2",
        source="Appendix B, proof of Theorem 3.1, second term",
        states=(clipping_is_lipschitz,),
        domain="also where the ends cross; printed with twice the distance",
        status=Status.PROVED,
        checks=checks_of(clipping_is_lipschitz),
    ),
    Claim(
        id="SUB-B3.3",
        source="Appendix B, proof of Theorem 3.1, third term",
        states=(larger_of_two_biases, raising_costs_no_more_than_dropping),
        domain="A and B are both biases; S is the sum of the q = #{x < l} points below the lower end, T that of the others; the same above",
        status=Status.PROVED,
        checks=checks_of(
            larger_of_two_biases, raising_costs_no_more_than_dropping, clipping_bias_cases
        ),
        steps=(
            ByCheck("larger_of_two_biases"),
            ByHand("The bias is A - B, A the mean of (l' - x)+ and B that of (x - u')+."),
            ByCheck(
                "raising_costs_no_more_than_dropping",
                "The second check is A <= mu(D minus L_q) - mu(D), multiplied by n (n - q); B is its mirror image.",
            ),
        ),
    ),
    Claim(
        id="SUB-LB.1",
        source="Lemma B.1",
        says="Dropping n2 smallest points shifts the mean by at most 2 n2 / n1 times what dropping n1 does; sharper and without n2 <= n / 2, by (n2 / n1) (n - n1) / (n - n2).",
        latex=r"\mu(D \setminus L_{n_2}) - \mu(D) \le \frac{n_2}{n_1} \frac{n - n_1}{n - n_2} \big(\mu(D \setminus L_{n_1}) - \mu(D)\big)",
        domain="1 <= n1 <= n2 < n (printed factor: n2 <= n / 2); mirrored for the largest",
        status=Status.PROVED,
        checks=checks_of(
            bias_identity, factor_at_most_printed, bias_cases, printed_factor_needs_half
        ),
        steps=(
            ByCheck("bias_identity"),
            ByCheck("factor_at_most_printed"),
            ByHand(
                "B1 <= M <= A2 and c >= 1, so the right side of the first identity is at least 0; with the other two this is the claim."
            ),
        ),
    ),
)
