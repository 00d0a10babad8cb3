"""What privacy costs without a bound on the bias: Theorem 2.2.1, as printed and as it must read.

The right form is proved here with a constant, by two points: records that are v with probability d
and 0 otherwise, against records 0. A coupling of n of them differs in n d records on average.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import (
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.chapter2.optimum import least_deviation, rational_family
from proofs_check.papers.tri.common import Box, printed_peaks, printed_table, quotient_peak
from proofs_check.printed_values import as_printed
from proofs_check.smt import absolute, all_of, any_of, exact, implies, reals, valid
from proofs_check.symbolic import diff, identical, sqrt, symbols

__all__ = ["CLAIMS", "floor_from_privacy", "floor_from_the_trilemma"]

ONE_PERCENT = Fraction(101, 100)
HALF = Fraction(1, 2)

EXPLICIT = (
    ((1000, "0.1", 0), "9.74936792704698e-6"),
    ((1000, 1, "0.000001"), "4.15487367304356e-7"),
    ((100000, "0.01", "1e-12"), "9.76546224148218e-7"),
)
"""(n, eps, delta) and the bound that follows from Corollary 2.1.3."""

PURE = (
    ((1000, "0.1"), "0.019866491717", "0.0012133461155"),
    ((1000, "0.01"), "0.5", "0.0203354720374"),
    ((10, "0.01"), "0.5", "0.237924583091"),
    ((100, 1), "0.0123188907713", "7.43914781935e-4"),
)
"""(n, eps), the maximizer b and the bound on the mean square error from SH-pure."""


def floor_from_privacy(n: Any, eps: Any, delta: Any) -> Any:
    """1/(16 n (eps/2 + delta)), to be capped at 1/16."""
    return 1 / (16 * n * (eps / 2 + delta))


def floor_from_the_trilemma(n: Any, eps: Any, delta: Any, *, numbers: Any) -> Any:
    """min{1/6400, 1/(1024 n sinh(eps)), 1/(2048 n^2 sinh(eps) sqrt(delta))}."""
    first = numbers.smallest(Fraction(1, 6400), 1 / (1024 * n * numbers.sinh(eps)))
    if delta == 0:
        return first
    return numbers.smallest(first, 1 / (2048 * n * n * numbers.sinh(eps) * numbers.sqrt(delta)))


@refutes(
    "M = 0 has an error of at most 1, less than what the print asks for small eps, "
    "delta, whatever its constant.",
    Method.EXACT,
)
@mutant("the minimum of 1 and the target", cap=True)
def zero_estimator_refutes(cap: bool = False) -> Finding:
    """M = 0 is (0, 0)-DP, so (eps, delta)-DP for all, and its error is at most 1.

    Whatever c > 0: at eps = delta = c/(4n) the print asks c/(n (eps + delta)) = 2; with c = 1,
    n = 10, eps = delta = 1e-9 for 5e7.
    """

    def asked(c: Fraction, n: int, eps: Fraction, delta: Fraction) -> Fraction:
        target = 1 / (n * (eps + delta))
        return c * (min(Fraction(1), target) if cap else target)

    cases = [
        (Fraction(c), n, Fraction(c) / (4 * n), Fraction(c) / (4 * n))
        for c in ("1", "0.0001", "1e-12")
        for n in (1, 10, 10**6)
    ]
    tiny = Fraction(1, 10**9)
    at_ten = asked(Fraction(1), 10, tiny, tiny)
    holds = all(asked(*case) > 1 for case in cases) and at_ten == 5 * 10**7
    return exactly(holds, f"asked for {at_ten} at n = 10, eps = delta = 1e-9; attained 1")


@proves("One swap moves a probability by at most (E - 1 + 2 delta)/(E + 1), E = e^eps.", Method.SMT)
@mutant("0.99 of it", factor=Fraction(99, 100))
@for_all(reals("p q e delta"), polynomial=True)
def swap_distance(
    p: Any, q: Any, e: Any, delta: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """One swap: |P(S) - Q(S)| (E + 1) <= E - 1 + 2 delta, with E = e^eps."""
    one_way = all_of(p <= e * q + delta, 1 - p <= e * (1 - q) + delta)
    other = all_of(q <= e * p + delta, 1 - q <= e * (1 - p) + delta)
    given = all_of(one_way, other, e >= 1, delta >= 0, 0 <= p, p <= 1, 0 <= q, q <= 1)
    right = factor * (e - 1 + 2 * delta)
    return implies(given, absolute(p - q) * (e + 1) <= right)


@proves("That is at most eps/2 + delta.", Method.SYMBOLIC)
@mutant("x = 0.505 eps", half=Fraction(505, 1000))
def distance_is_small(half: Fraction = HALF) -> Finding:
    """(E-1)/(E+1) = tanh(eps/2) <= eps/2: with x = eps/2, x cosh x - sinh x rises from 0."""
    x = symbols("x", positive=True)
    sinh, cosh = SYMBOLIC.sinh(x), SYMBOLIC.sinh(x) + SYMBOLIC.exp(-x)
    e = SYMBOLIC.exp(x / half)
    domain: Box = {x: (0, 4)}
    return every(
        (
            identical((e - 1) / (e + 1), sinh / cosh, domain),
            identical(diff(x * cosh - sinh, x), x * sinh, domain),
        )
    )


@proves("Two points: the squared errors, and the law's variance and mean.", Method.SMT)
@mutant("1.01 D^2/2", factor=ONE_PERCENT)
def two_points(factor: Fraction = Fraction(1)) -> Finding:
    """Two means a distance D apart: (m - a)^2 + (m - b)^2 >= D^2/2 for every output m.

    And v = (d (1-d))^(-1/2) has variance 1 and squared mean d/(1-d), between d and 1 (d <= 1/2).
    """

    def statement(m: Any, a: Any, b: Any) -> Any:
        total = (m - a) * (m - a) + (m - b) * (m - b)
        return 2 * total >= exact(factor) * (b - a) * (b - a)

    d = symbols("d", positive=True)
    v = 1 / sqrt(d * (1 - d))
    domain: Box = {d: (0, HALF)}
    return every(
        (
            valid(reals("m a b"), statement, polynomial=True),
            identical(v**2 * d * (1 - d), 1, domain),
            identical((v * d) ** 2, d / (1 - d), domain),
            valid(
                reals("d"),
                lambda d: implies(
                    all_of(0 < d, d <= exact(HALF)), all_of(d / (1 - d) >= d, d / (1 - d) <= 1)
                ),
            ),
        )
    )


@proves("The constants multiply to 1/16.", Method.SMT)
@mutant("1/15.84 for 1/16", sixteen=Fraction(1584, 100))
@for_all(reals("d n eps delta tv error"), polynomial=True)
def constants_multiply(
    d: Any, n: Any, eps: Any, delta: Any, tv: Any, error: Any, *, sixteen: Fraction = Fraction(16)
) -> Condition:
    """At d = 1/2, or d = 1/(2 n h) <= 1/2, h = eps/2 + delta: distance <= n d h <= 1/2.

    So error >= (1/4)(1 - 1/2) d >= (1/16) min{1, 1/(n (eps + delta))}.
    """
    h = eps / 2 + delta
    choice = all_of(d > 0, 2 * d <= 1, any_of(2 * d == 1, 2 * d * n * h == 1), 2 * d * n * h <= 1)
    given = all_of(n >= 1, eps >= 0, delta >= 0, choice, tv <= n * d * h, 4 * error >= (1 - tv) * d)
    target = sixteen * error
    return implies(given, any_of(target >= 1, target * n * (eps + delta) >= 1))


@confirms(
    "The best of all mechanisms for one record on a grid has an error above 1/16.",
    Method.LINEAR_PROGRAM,
)
@mutant("e^eps 1 % larger", e=Fraction(202, 100))
def best_of_one_record(e: Fraction = Fraction(2)) -> Finding:
    """N = 1, e^eps = 2, delta = 1/100: the best mechanism on a grid has an error above 1/16."""
    grid = [Fraction(k, 8) for k in range(-4, 13)]
    value = least_deviation(
        e, rational_family(1), Fraction(100), grid, delta=Fraction(1, 100), power=2
    )
    return every(
        (
            exactly(value >= Fraction(1, 16)),
            as_printed([("optimum", "0.24440341", ENCLOSED.ball(value))]),
        )
    )


@confirms("Our own: what Corollary 2.1.3 gives with beta = alpha.", Method.SMT)
@mutant("0.99 alpha^2", factor=Fraction(99, 100))
@for_all(reals("alpha n s r g"), polynomial=True)
def from_the_trilemma(
    alpha: Any, n: Any, s: Any, r: Any, g: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """Corollary 2.1.3 with lam = 2 and beta = alpha, squared by branches; r = sqrt(delta)."""
    given = all_of(alpha > 0, n >= 1, s > 0, r >= 0, g > 0, 2 * s * g * g == r)
    bound = any_of(alpha * 64 * n * s * 16 * alpha >= 1, alpha * 64 * n * s * g >= 1)
    square = factor * alpha * alpha
    small = all_of(80 * alpha <= 1, bound)
    target = any_of(
        6400 * square >= 1, 1024 * n * s * square >= 1, 2048 * n * n * s * r * square >= 1
    )
    return implies(all_of(given, any_of(80 * alpha >= 1, small)), target)


@encloses("Values of that bound.", Method.ENCLOSURE)
@mutant("1.01 eps", factor=ONE_PERCENT)
def explicit_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of the bound from Corollary 2.1.3."""
    return printed_table(
        lambda n, eps, delta, *, numbers: floor_from_the_trilemma(
            n, factor * eps, delta, numbers=numbers
        ),
        EXPLICIT,
    )


def parts_of_fixed_point(
    n: Any, eps: Any, *, numbers: Any
) -> Callable[[Any], tuple[Any, Any, Any, Any]]:
    """V b and n log(1 + b (e^eps - 1)) + 2, lam = 2, with derivatives."""
    e = numbers.exp(eps)

    def parts(b: Any) -> tuple[Any, Any, Any, Any]:
        vb = numbers.sqrt(b / (1 - b))
        rising = vb * (1 / b + 1 / (1 - b)) / 2
        return vb, n * numbers.log(1 + b * (e - 1)) + 2, rising, n * (e - 1) / (1 + b * (e - 1))

    return parts


@encloses(
    "Our own: values of the bound from SH-pure at beta = alpha, suprema certified.", Method.COVER
)
@mutant("1.01 eps", factor=ONE_PERCENT)
def fixed_point_values(factor: Fraction = Fraction(1)) -> Finding:
    """Alpha >= (v b - 2 alpha)/(n I) gives alpha >= v b/(n I + 2); its supremum over b, squared."""
    b, n, eps = symbols("b n eps", positive=True)
    top, bottom, rising, growing = parts_of_fixed_point(n, eps, numbers=SYMBOLIC)(b)
    domain: Box = {b: (Fraction(1, 9), HALF), n: (1, 9), eps: (0, 2)}

    def maximum(row: Any) -> Any:
        (size, privacy), at, printed = row
        parts = parts_of_fixed_point(Fraction(size), factor * Fraction(privacy), numbers=ENCLOSED)
        middle = Fraction(at)
        start = middle / 64
        found, ball = quotient_peak(parts, start, middle, HALF, reach=Fraction(1, 10**8))
        below = exactly(parts(ENCLOSED.ball(start))[0] / 2 < ball)
        return str(row[0]), printed, (every((below, found)), ball * ball)

    return every(
        (
            identical(diff(top, b), rising, domain),
            identical(diff(bottom, b), growing, domain),
            printed_peaks(maximum(row) for row in PURE),
        )
    )


CLAIMS = (
    Claim(
        id="TRI-T2.2.1",
        source="Theorem 2.2.1 (from Kamath, Singhal, Ullman 2020)",
        says=(
            "Every (eps, delta)-DP estimator of the mean has a mean square error of "
            "Omega(1/(n (eps + delta))) over laws with mean in [-1, 1] and variance at most 1."
        ),
        latex=r"\mathrm{MSE}\ge\tfrac1{16}\min\Big\{1,\frac{1}{n(\varepsilon+\delta)}\Big\}",
        domain="eps, delta >= 0, n >= 1, (eps, delta)-DP, mean in [0, 1], variance at most 1",
        status=Status.CORRECTED,
        assumes=("TRI-C2.1.3", "TRI-SH-pure"),
        errata=("TRI-ER-02",),
        checks=checks_of(
            zero_estimator_refutes,
            swap_distance,
            distance_is_small,
            two_points,
            constants_multiply,
            best_of_one_record,
            from_the_trilemma,
            explicit_values,
            fixed_point_values,
        ),
        why="For small eps and delta the bound exceeds 1, which the constant 0 attains (TRI-ER-02).",
        right="min{1, 1/(n(eps+delta))} in place of 1/(n(eps+delta)), here with the constant 1/16.",
        steps=(
            *by_checks(swap_distance, distance_is_small, two_points, constants_multiply),
            *by_hand(
                "The law of M moves by at most h = eps/2 + delta per swap, so by at most n d h between records 0 and coupled records that are v with probability d.",
                "Where that is at most 1/2, the errors at the two laws sum to at least (D^2/2)(1 - 1/2), D^2 = d/(1-d) >= d.",
                "Means stay in [0, 1].",
            ),
        ),
        obligations=parts_of(zero_estimator_refutes),
        note="The bounds from the trilemma hold for delta <= (0.08 sinh)^2, and under pure privacy.",
    ),
)
