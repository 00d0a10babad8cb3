"""From the subset risk of data to the mean of a law (Section 5, Appendix E).

M_k = E |X - mu|^k; M^_k is the same of a sample, around its mean.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, absolute, all_of, for_all, implies, reals
from proofs_check.papers.sub.common import (
    PERCENT,
    digits,
    mean,
    multisets,
    spread,
    threshold_cells,
    weights,
)
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import identical, simplify, symbols

__all__ = ["CLAIMS", "central_moment", "sharp_constant"]

LAW = ((0, Fraction(1, 2)), (1, Fraction(1, 3)), (4, Fraction(1, 6)))
"""An example: values and probabilities; mean 1."""
EQUALITY = (
    (100, 10, 2, "1.57134840263677"),
    (1000, 50, 3, "1.670948475756"),
    (40, 10, 4, "2.24239044067657"),
)
"""n, K, k and the sharp constant."""


def central_moment(data: tuple[Any, ...], k: int, center: Any) -> Fraction:
    """Mean of |x - center|^k."""
    return mean([abs(Fraction(x) - center) ** k for x in data])


def sharp_constant(n: Any, inverse: Any, k: Any) -> Any:
    """2^(1 - 1/k) n / (n - K): the constant of Lemma E.1."""
    return 2 ** (1 - 1 / k) * n / (n - inverse)


@refutes("For a point mass the printed right side is 0, the left is not.", Method.EXACT)
@mutant("with the term of alpha", alpha_terms=1)
def point_mass_is_not_exact(alpha_terms: int = 0) -> Finding:
    """All data 0: the printed right side is 0, but E |mu| >= (alpha / 2) P(l, u in (alpha/2, alpha])^2.

    Algorithm 3 with a public size: n = 100, R = eps = 1, alpha = 1/1000, rank 40 on either side.
    """
    alpha, rank, data = Fraction(1, 1000), 40, (Fraction(0),) * 100
    cells = threshold_cells(data, (-1, 1), rank, alpha)
    total = sum(weights(cells, Fraction(1)), ExpSum({}))
    inside = weights([(alpha / 2, alpha, Fraction(0))], Fraction(1))[0] / total
    floor = (
        alpha / 2 * inside * inside
    )  # the upper threshold has the mirrored law: (-alpha, alpha) alike
    printed = mean(data) + spread(data, 1) + alpha_terms * alpha
    return exactly(floor > printed, f"E |mu| > {digits(floor)}, print {printed}")


@proves("The error splits at the sample mean.", Method.SMT)
@mutant("0.99 of the sum", share=Fraction(99, 100))
@for_all(reals("m s mu"))
def error_splits(m: Any, sample: Any, mu: Any, *, share: Fraction = Fraction(1)) -> Condition:
    """|m - mu| <= |m - mu(D)| + |mu(D) - mu|."""
    right = share * (absolute(m - sample) + absolute(sample - mu))
    return absolute(m - mu) <= right


@proves("Moments of a coin, of a law on three points, of a sample.", Method.EXACT)
@mutant("2 k for k", power=2)
def moments_of_examples(power: int = 1) -> Finding:
    """M_k = 1 for a coin on +-1; M_1, M_2, M_3 of the example's law; M^_2 of a sample."""
    coin = [central_moment((-1, 1), k, 0) for k in (1, 2, 3, 4)]
    law = [sum(p * abs(x - Fraction(1)) ** (k * power) for x, p in LAW) for k in (1, 2, 3)]
    sample = central_moment((0, 0, 3), 2, mean((0, 0, 3)))
    right = coin == [1] * 4 and law == [1, 2, 5] and sample == 2
    return exactly(right, f"moments {', '.join(map(str, law))}")


@confirms("Case by case.", Method.EXACT)
@mutant("0.99 of the bound", factor=Fraction(99, 100))
def spread_against_moment(factor: Fraction = Fraction(1)) -> Finding:
    """diff^k <= 2^(k-1) (n / (n - K))^k (K / n)^(k-1) M^_k over small data, k = 1..4; 0.99 is refuted."""
    cases = 0
    for data in multisets((-1, 0, 1, 3), range(2, 7)):
        n = len(data)
        for inverse in range(1, n // 2 + 1):
            left = spread(data, inverse)
            for k in (1, 2, 3, 4):
                cases += 1
                constant = Fraction(2) ** (k - 1) * Fraction(n, n - inverse) ** k
                share = Fraction(inverse, n) ** (k - 1)
                right = constant * share * central_moment(data, k, mean(data))
                if left**k > (factor**k) * right:
                    return exactly(False, f"fails for D = {data}, K = {inverse}, k = {k}")
    return exactly(True, f"{cases} cases")


@proves("Hoelder's bound, written with the constant.", Method.SYMBOLIC)
@mutant("2.02 for 2", two=2 * PERCENT)
def sum_of_extremes(two: Fraction = Fraction(2)) -> Finding:
    """(2 K)^(1 - 1/k) (n M)^(1/k) / (n - K) = 2^(1-1/k) n / (n - K) M^(1/k) / (n eps)^(1-1/k), K = 1/eps."""
    n, inverse, k, moment = symbols("n K k M", positive=True)
    left = (2 * inverse) ** (1 - 1 / k) * (n * moment) ** (1 / k) / (n - inverse)
    right = (
        (two / 2) * sharp_constant(n, inverse, k) * moment ** (1 / k) / (n / inverse) ** (1 - 1 / k)
    )
    return identical(
        left, right, {n: (20, 30), inverse: (1, 9), k: (1, 4), moment: (1, 9)}, ways=(simplify,)
    )


@proves("The sharp constant is at most 4.", Method.SMT)
@mutant("0.505 n >= K", half=Fraction(505, 1000))
@for_all(reals("n K b"), polynomial=True)
def printed_constant_is_larger(
    n: Any, inverse: Any, root: Any, *, half: Fraction = Fraction(1, 2)
) -> Condition:
    """For n >= 2 K, n / (n - K) <= 2, so the constant is at most 2^(2 - 1/k) <= 4."""
    # root = 2^(1/k) in [1, 2]; the constant is (2 / root) n / (n - K)
    given = all_of(inverse > 0, n * half >= inverse, 1 <= root, root <= 2)
    return implies(given, all_of(n <= 2 * (n - inverse), 2 * n <= 4 * root * (n - inverse)))


@encloses("Equality, and three constants.", Method.ENCLOSURE)
@mutant("2.02 for 2", two=2 * PERCENT)
def equality_values(two: Fraction = Fraction(2)) -> Finding:
    """K points -1, K points 1, the rest 0: diff = 2 K / (n - K), and both sides are equal; constants."""
    numbers = Balls(128)
    rows = []
    for n, inverse, k, text in EQUALITY:
        root = numbers.power(numbers.rational(two), Fraction(k - 1, k))
        rows.append((f"n = {n}, K = {inverse}, k = {k}", text, root * Fraction(n, n - inverse)))
        data = (-1,) * inverse + (0,) * (n - 2 * inverse) + (1,) * inverse
        left, moment = spread(data, inverse), central_moment(data, k, 0)
        right = (
            Fraction(2) ** (k - 1) * Fraction(n, n - inverse) ** k * Fraction(inverse, n) ** (k - 1)
        )
        if left**k != right * moment:
            return exactly(False, f"no equality at n = {n}, K = {inverse}, k = {k}")
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="SUB-T5.1",
        source="Theorem 5.1",
        says="For a sample the error of the subset-optimal mean is that of the sample mean plus a multiple of the expected diff (print); the terms of alpha and zeta must be added.",
        latex=r"E|A(X^n) - \mu| \le E|\mu(X^n) - \mu| + (5 + 2\varepsilon + 4\beta\varepsilon)\, E\, \mathrm{diff} + \alpha\big(1 + \tfrac{6}{\varepsilon n}\big) + 4 R \zeta",
        domain="X_i independent from a law on [-R, R], mu its mean; n > 2 (K + 2 beta + 1)",
        status=Status.CORRECTED,
        checks=checks_of(error_splits, point_mass_is_not_exact),
        why="The additive terms of Theorem 3.1 are dropped; for a point mass everything else is 0.",
        right="With alpha (1 + 6 / (eps n)) + 4 R zeta added.",
        assumes=("SUB-T3.1s",),
        errata=("SUB-E22",),
        steps=(
            ByCheck("error_splits"),
            ByClaim("SUB-T3.1s", "SUB-T3.1s for every sample, averaged."),
        ),
        obligations=parts_of(point_mass_is_not_exact),
    ),
    Claim(
        id="SUB-D5.2",
        source="Definition 5.2",
        says="M_k is the k-th absolute central moment of the law.",
        latex=r"M_k = E|X - \mu|^k",
        domain="k >= 1",
        status=Status.DEFINITION,
        checks=checks_of(moments_of_examples),
    ),
    Claim(
        id="SUB-LE.1",
        source="Lemma E.1",
        says="diff is at most 4 times the k-th root of the sample's k-th moment over (n eps)^(1 - 1/k); the sharp constant is 2^(1 - 1/k) n / (n - K).",
        latex=r"\mathrm{diff}(X, K) \le 2^{1 - 1/k} \frac{n}{n - K} \frac{\hat M_k^{1/k}}{(n\varepsilon)^{1 - 1/k}}",
        domain="K = 1/eps whole, n >= 2 K, k >= 1",
        status=Status.PROVED,
        checks=checks_of(
            sum_of_extremes, printed_constant_is_larger, spread_against_moment, equality_values
        ),
        steps=(
            ByCheck("sum_of_extremes"),
            ByCheck("printed_constant_is_larger"),
            ByHand(
                "(n - K) diff is the sum of the K largest minus that of the K smallest points, at most the sum of |x - mean| over 2 K points (2 K <= n), so at most (2 K)^(1 - 1/k) (n M^_k)^(1/k) by Hoelder."
            ),
        ),
    ),
)
