"""Sharper lower bounds under pure privacy (our own): SH-pure, SH-bal, and how sharp they are."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Check, Claim, Finding, Method, Role, Status, every, exactly
from proofs_check.enclosure import Ball
from proofs_check.papers.tri.chapter2 import pure_steps as steps
from proofs_check.papers.tri.chapter2.optimum import least_deviation, rational_family
from proofs_check.papers.tri.common import Box, printed_peaks, printed_table, quotient_peak
from proofs_check.steps import ByCheck
from proofs_check.symbolic import diff, identical, symbols

__all__ = ["CLAIMS"]

ONE_PERCENT = Fraction(101, 100)
HALF = Fraction(1, 2)
REACH = Fraction(1, 10**9)
"""Relative distance from the maximizer at which the slope must have its sign."""

PURE = (
    ((1000, 1, "0.001", 2), "1.600069595e-5", "0.0727492523718704"),
    ((1000, "0.1", "0.001", 2), "1.600028294e-5", "1.18856151009761"),
    ((1000, 1, "0.01", 3), "1.556438323e-2", "0.00161655246534969"),
    ((1000, 1, "0.001", 10), "0.5", "9.22973371976002e-4"),
)
"""(n, eps, beta, lam), the maximizer b and the bound."""

BALANCED = (
    ((1000, 1, "0.001", 2), "1.600053632e-5", "0.105905282389629"),
    ((1000, "0.1", "0.001", 2), "1.600025860e-5", "1.24788920403028"),
    ((1000, 3, "0.001", 2), "1.600493802e-5", "0.0115745725976904"),
    ((1000, 1, "0.001", 10), "0.5", "9.0446934108048e-4"),
)

CLOSED = (
    ((1000, 1, "0.001", 2), "0.0727470883586658"),
    ((1000, "0.1", "0.001", 2), "1.18854149309688"),
    ((1000, 1, "0.001", 3), "0.00500885798574564"),
    ((1000, "0.1", "0.0001", 10), "0.0170699559511901"),
)
"""(n, eps, beta, lam) and the closed form."""


Row = tuple[tuple[Any, ...], str, str]


def parts_of_pure(
    row: tuple[Any, ...], *, numbers: Any
) -> Callable[[Any], tuple[Any, Any, Any, Any]]:
    """Numerator, denominator of SH-pure at b, and their derivatives."""
    n, eps, beta, lam = row
    e = numbers.exp(eps)

    def parts(b: Any) -> tuple[Any, Any, Any, Any]:
        vb = steps.admissible_value(b, lam, numbers=numbers) * b
        rising = vb * ((lam - 1) / b + 1 / (1 - b)) / lam
        up = (e - 1) / (1 + b * (e - 1))
        return vb - 2 * beta, n * steps.upper_integral(eps, b, numbers=numbers), rising, n * up

    return parts


def parts_of_balanced(
    row: tuple[Any, ...], *, numbers: Any
) -> Callable[[Any], tuple[Any, Any, Any, Any]]:
    """Numerator, denominator of SH-bal at b, and their derivatives."""
    n, eps, beta, lam = row
    e = numbers.exp(eps)

    def parts(b: Any) -> tuple[Any, Any, Any, Any]:
        vb = steps.admissible_value(b, lam, numbers=numbers) * b
        rising = vb * ((lam - 1) / b + 1 / (1 - b)) / lam
        up, low = (
            steps.upper_integral(eps, b, numbers=numbers),
            steps.lower_integral(eps, b, numbers=numbers),
        )
        k_up, k_low = (e - 1) / (1 + b * (e - 1)), (e - 1) / (e - b * (e - 1))
        top = (vb - 2 * beta) / n - beta * (up - low) / 2
        slope = rising / n - beta * (k_up - k_low) / 2
        return top, (up + low) / 2, slope, (k_up + k_low) / 2

    return parts


@proves("The derivatives by which the maxima are certified (here and for SH-bal).", Method.SYMBOLIC)
@mutant("1 % larger", factor=ONE_PERCENT)
def derivatives_are_right(factor: Fraction = Fraction(1)) -> Finding:
    """The derivatives used to certify the maxima, and the parts against the formulas."""
    n, eps, beta, lam, b = symbols("n eps beta lam b", positive=True)
    domain: Box = {
        n: (1, 9), eps: (1, 2), beta: (0, 1), lam: (2, 5), b: (Fraction(1, 9), HALF)
    }  # fmt: skip
    row = (n, eps, beta, lam)
    found: list[Finding] = []
    for parts, bound in (
        (parts_of_pure, steps.pure_bound),
        (parts_of_balanced, steps.balanced_bound),
    ):
        top, bottom, rising, growing = parts(row, numbers=SYMBOLIC)(b)
        found += (
            identical(top / bottom, bound(*row, b, numbers=SYMBOLIC), domain),
            identical(diff(top, b), factor * rising, domain),
            identical(diff(bottom, b), factor * growing, domain),
        )
    return every(found)


def suprema(rows: tuple[Row, ...], parts_of: Any, factor: Fraction = Fraction(1)) -> Finding:
    """Largest value over 0 < b <= 1/2: by slopes near the maximizer, by comparison farther off."""

    def maximum(row: Row) -> tuple[str, str, tuple[Finding, Ball]]:
        (n, eps, beta, lam), at, printed = row
        numbers = (Fraction(n), factor * Fraction(eps), Fraction(beta), Fraction(lam))
        parts = parts_of(numbers, numbers=ENCLOSED)
        b = Fraction(at)
        nothing = exactly(parts(ENCLOSED.ball(b / 1024))[0] < 0)
        found, ball = quotient_peak(parts, b / 1024, b, HALF, reach=REACH)
        return str(row[0]), printed, (every((nothing, found)), ball)

    return printed_peaks(maximum(row) for row in rows)


@encloses("Values of the closed form.", Method.ENCLOSURE)
@mutant("1.01 eps", factor=ONE_PERCENT)
def closed_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of the closed form."""
    return printed_table(
        lambda n, eps, beta, lam, *, numbers: steps.closed_bound(
            n, factor * eps, beta, lam, numbers=numbers
        ),
        CLOSED,
    )


@confirms(
    "A linear program over all mechanisms on a grid comes within 0.01 % of it.",
    Method.LINEAR_PROGRAM,
)
@mutant("a bound 1 % larger", factor=ONE_PERCENT)
@mutant("a mechanism of 0.1 % less privacy", e=Fraction(11011, 10000))
def nearly_attained(factor: Fraction = Fraction(1), e: Fraction = Fraction(11, 10)) -> Finding:
    """N = 1, beta = 1/80, b = 1/401: the best mechanism on a grid is within 0.01 % of SH-bal.

    Grid: multiples of the bound, rounded to eighths.
    """
    family, beta = rational_family(20), Fraction(1, 80)
    eighths = (
        -3360,
        -1680,
        -1260,
        -1050,
        -840,
        -630,
        -420,
        0,
        420,
        630,
        840,
        1050,
        1260,
        1680,
        3360,
    )
    best = least_deviation(e, family, beta, [Fraction(k, 8) for k in eighths])
    bound = factor * steps.balanced_bound(
        1, ENCLOSED.log(Fraction(11, 10)), beta, Fraction(2), family[0], numbers=ENCLOSED
    )
    ratio = best / bound
    holds = bool(ratio > 1) and bool(ratio < Fraction(10001, 10000))
    return exactly(holds, f"optimum {float(best):.6f}, {ratio!r} times the bound")


CLAIMS = (
    Claim(
        id="TRI-SH-pure",
        source="our own",
        ours=True,
        says=(
            "Under pure privacy, bias at most beta on the laws on {0, v} up to p = b already "
            "bounds the mean absolute deviation from below; the closed form is 64 to 128 times "
            "that of the thesis."
        ),
        latex=r"\mathrm{MAD}\ge\frac{vb-2\beta}{n\log(1+b(e^\varepsilon-1))}",
        domain=(
            "eps-DP, 0 < b <= 1/2, lam >= 2, v = (b(1-b))^(-1/lam); closed form at "
            "b = (2 lam beta)^(lam/(lam-1)) <= 1/2"
        ),
        status=Status.PROVED,
        checks=checks_of(
            steps.value_is_admissible,
            steps.ratio_is_bounded,
            steps.integrals_of_the_ends,
            steps.mean_moves,
            steps.closed_form,
            derivatives_are_right,
            Check(
                "Values of the supremum over b, certified.",
                Method.COVER,
                lambda factor=Fraction(1): suprema(PURE, parts_of_pure, factor),
                mutants={"1.01 eps": {"factor": ONE_PERCENT}},
                role=Role.VALUE,
            ),
            closed_values,
        ),
        assumes=("TRI-T2.1.1",),
        steps=(
            *by_checks(
                steps.value_is_admissible,
                steps.ratio_is_bounded,
                steps.integrals_of_the_ends,
                steps.mean_moves,
                steps.closed_form,
                derivatives_are_right,
            ),
            *by_hand(
                "The score identity of Theorem 2.1.1 gives g'(p) = the sum over i of E[M - vp | X_i = v] - E[M - vp | X_i = 0] = E_Q[(M - vp) s], at most k+(p) MAD in absolute value.",
                "Integrate over [0, b].",
                "For the closed form use log(1+x) <= x.",
            ),
        ),
    ),
    Claim(
        id="TRI-SH-bal",
        source="our own",
        ours=True,
        says=(
            "As SH-pure, using also that the positive and negative parts of M - vp differ by at "
            "most beta; for small beta it is 128 times the bound of the thesis, and nearly attained."
        ),
        latex=r"\mathrm{MAD}\ge\frac{(vb-2\beta)/n-\beta(I_+-I_-)/2}{(I_++I_-)/2}",
        domain="as SH-pure; the larger of the two is used",
        status=Status.PROVED,
        assumes=("TRI-SH-pure",),
        checks=checks_of(
            steps.balance,
            Check(
                "Values of the supremum over b, certified.",
                Method.COVER,
                lambda factor=Fraction(1): suprema(BALANCED, parts_of_balanced, factor),
                mutants={"1.01 eps": {"factor": ONE_PERCENT}},
                role=Role.VALUE,
            ),
            nearly_attained,
        ),
        steps=(
            ByCheck("balance"),
            *by_hand(
                "E[(M - vp) s] <= k+ E(M - vp)_+ + k- E(M - vp)_-, with k+ and k- the ends of the range of s, whose integrals are I+ and I-.",
                "Integrate over [0, b].",
            ),
        ),
    ),
)
