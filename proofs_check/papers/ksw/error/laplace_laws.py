"""Exact output laws and mean squared errors of the three algorithms with Laplace noise (our own).

The laws are derived in symbols from the noise; the errors are rigorous integrals, compared with
printed reference values for 1000 records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Check, Claim, Finding, Method, Role, Status, every
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.papers.ksw.error.laplace_error import (
    HALF,
    INDEPENDENT,
    LAW,
    SHIFTED,
    TRANSFORMED,
    Algorithm,
    below_zero_independent,
    below_zero_shifted_apart,
    below_zero_shifted_together,
    below_zero_transformed,
    mean_square_error,
)
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import exp, identical, integrate, oo, symbols

__all__ = ["CLAIMS", "half_mean_error"]

Formula = Callable[..., Any]

SOME, MORE = Balls(72), Balls(100)

SMALL: tuple[tuple[str, ...], ...] = (
    ("1/2", "3/10", "0.194020874997995", "0.188611195699009", "0.187923032059509"),
    ("1", "1/2", "0.145803767287092", "0.144313236637847", "0.202422976023315"),
    ("3", "3/10", "0.0826468959825942", "0.116010118674571", "0.161321448256109"),
    ("20", "1/50", "0.00202920551391298", "0.00386759264259234", "0.0110410843711434"),
)
"""N, p, and the errors of Algorithms 3, 2 and 1."""

TABLE: tuple[tuple[str, ...], ...] = (
    ("10", "0", "4.00000096000077e-8", "1.99850167790307e-8", "9.99400419688264e-9"),
    ("10", "1/100", "8.00080192115354e-8", "3.92080324595792e-8", "1.96040081861651e-8"),
    ("10", "1/10", "8.08000203520177e-8", "3.28000232320407e-8", "1.6400006456004e-8"),
    ("10", "1/2", "1.00000048000073e-7", "2.00000048000038e-8", "1.00000030000017e-8"),
    ("10", "1", "7.99400671161227e-8", "1.99850167790307e-8", "9.99400419688264e-9"),
    ("5", "0", "1.60000153600492e-7", "7.98802681299596e-8", "3.99520671003286e-8"),
    ("5", "1/100", "3.20032307327531e-7", "1.56832519356106e-7", "7.84161309788888e-8"),
    ("5", "1/10", "3.23200325633131e-7", "1.31200371714605e-7", "6.5600103296255e-8"),
    ("5", "1/2", "4.00000768004669e-7", "8.00000768002458e-8", "4.00000480001075e-8"),
    ("5", "1", "3.19521072519838e-7", "7.98802681299596e-8", "3.99520671003286e-8"),
    ("1", "0", "4.00009600768129e-6", "1.98516593022265e-6", "9.94041690615769e-7"),
    ("1", "1/100", "7.83927967758964e-6", "3.9178107209515e-6", "1.95997574692384e-6"),
    ("1", "1/10", "8.0802035376673e-6", "3.28023236071621e-6", "1.64006456398438e-6"),
    ("1", "1/2", "1.00004800729807e-5", "2.00004800384065e-6", "1.00003000168015e-6"),
    ("1", "1", "7.94066372089059e-6", "1.98516593022265e-6", "9.94041690615769e-7"),
    ("1/2", "0", "1.60015364918507e-5", "7.88262270354654e-6", "3.95266218188966e-6"),
    ("1/2", "1/100", "2.74092836935269e-5", "1.50158856100129e-5", "7.67839838206483e-6"),
    ("1/2", "1/10", "3.23232574455651e-5", "1.31237197281863e-5", "6.56103321507256e-6"),
    ("1/2", "1/2", "4.00076846747342e-5", "8.00076824592534e-6", "4.00048010755873e-6"),
    ("1/2", "1", "3.15304908141862e-5", "7.88262270354654e-6", "3.95266218188966e-6"),
    ("1/10", "0", "0.000400967812914558", "0.000186496433758758", "9.43912178825644e-5"),
    ("1/10", "1/100", "0.000437413881153473", "0.000217399322011228", "0.000118937979843529"),
    ("1/10", "1/10", "0.000793864778695682", "0.00032998298665772", "0.000164591994072703"),
    ("1/10", "1/2", "0.0010048751185448", "0.000200483906457279", "0.000100301695323306"),
    ("1/10", "1", "0.00074598573503503", "0.000186496433758758", "9.43912178825644e-5"),
)
"""1000 records in [0, 1]: eps, mean, and the errors of Algorithms 1, 2 and 3."""


def half_mean_error(N: Ball, last: Fraction = Fraction(1, 12), *, numbers: Balls) -> Ball:
    """Mean squared error of Algorithm 3 at p = 1/2 in exponential integrals (KSW-X2)."""
    e_N = numbers.exp(-N)
    integrals = (
        numbers.exponential_integral(4, -N / 2) - numbers.exponential_integral(4, -N) / 8
    ) * e_N
    return integrals - numbers.exponential_integral(4, N) / (8 * e_N) - e_N * last


@proves(
    "The part of D integrates to the third term; at N = 0 the error is p^2 - p + 5/12.",
    Method.SYMBOLIC,
)
@mutant(
    "1.01 N for N", below=lambda x, N, p, e: below_zero_transformed(x, N * Fraction(101, 100), p, e)
)
def error_splits(below: Formula = below_zero_transformed) -> Finding:
    """The part of D in the error, and the error at N = 0."""
    x, p, N = symbols("x p N", positive=True)
    part = integrate(2 * (x - p) * below(x, N, p, exp(-N)), (x, 0, 1))
    closed = exp(-N) / 4 * (N * (1 - 2 * p) ** 2 - Fraction(1, 3))
    halves = ((1 - p) ** 2 + p**2) / 2  # J(0, p) + J(0, 1 - p): the tail is 1/2
    return every(
        [
            identical(part, closed, {p: (0, 1), N: (0, 9)}),
            identical(halves + closed.subs(N, 0), p**2 - p + Fraction(5, 12), {p: (0, 1)}),
        ]
    )


@encloses(
    "The closed form at p = 1/2 to 25 digits, and inside the rigorous integral.", Method.ENCLOSURE
)
@mutant("1/12.12 for 1/12", last=Fraction(25, 303))
def half_mean_values(last: Fraction = Fraction(1, 12)) -> Finding:
    """The closed form at p = 1/2: 25 digits, and inside the integral's enclosure."""
    numbers = Balls(160)

    def closed(N: int) -> Ball:
        ball = numbers.rational(Fraction(N))
        return half_mean_error(ball, last, numbers=numbers)

    printed = {5: "0.04631415844648965169945682", 8: "0.02033165819064325922972777"}
    differences = [
        abs(mean_square_error(TRANSFORMED, Fraction(N), HALF, numbers=SOME) - closed(N))
        for N in (1, 8)
    ]
    near = [certainly_less(d, Fraction(1, 10**15)) for d in differences]
    values = as_printed((f"N = {N}", text, closed(N)) for N, text in printed.items())
    return every([values, *(Finding(near_, "equal to 1e-15") for near_ in near)])


def _changed(algorithm: Algorithm, grows: Fraction, sign: int) -> Algorithm:
    def below_zero(at: Any) -> Any:
        return sign * algorithm.below_zero(at)

    return replace(algorithm, grows=algorithm.grows * grows, below_zero=below_zero)


def values_of(algorithm: Algorithm, *, grows: Fraction = Fraction(1), sign: int = 1) -> Finding:
    """All reference values of an algorithm: at small N, where D matters, and for 1000 records."""
    used = _changed(algorithm, grows, sign)
    order = (TRANSFORMED, SHIFTED, INDEPENDENT)
    column = order.index(algorithm)
    rows = [(Fraction(N), Fraction(p), row[column], SOME) for N, p, *row in SMALL]
    rows += [(1000 * Fraction(e), Fraction(p), row[-1 - column], MORE) for e, p, *row in TABLE]
    return as_printed(
        (f"N = {N}, p = {p}", text, mean_square_error(used, N, p, numbers=numbers))
        for N, p, text, numbers in rows
    )


@proves("The mean sign of N p + x v + 2 L1 over counts of -v gives D.", Method.SYMBOLIC)
@mutant("0.505 for 1/2", below=lambda x, h, e: below_zero_independent(x + Fraction(1, 100), h, e))
def count_noise_independent(below: Formula = below_zero_independent) -> Finding:
    """D(x) of Algorithm 1: minus the mean sign of N p + x v + 2 L1 at a count of -v / eps."""
    N, p, x, v = symbols("N p x v", positive=True)
    density = exp(-N / 2) / 4 * exp(-v / 2)
    mean_sign = 1 - exp(-(N * p + x * v) / 2)
    integral_ = -integrate((density * mean_sign).expand(), (v, 0, oo))
    closed = below(x, exp(-N / 2), exp(-N * p / 2))
    return identical(integral_, closed, {N: (0, 5), p: (0, 1), x: (0, 1)})


@proves(
    "c and d of one sign: D = -sgn(c + d) e^(-N/2) / 4 (2 - e^(-N |d|) / (1/2 + |c|)).",
    Method.SYMBOLIC,
)
@mutant(
    "0.505 for 1/2", below=lambda c, h, e: below_zero_shifted_together(c + Fraction(1, 200), h, e)
)
def count_noise_together(below: Formula = below_zero_shifted_together) -> Finding:
    """D(x) of Algorithm 2 with x and p on one side of 1/2: the mean sign of N d + c v + L1."""
    N, c, d, v = symbols("N c d v", positive=True)
    density = exp(-N / 2) / 4 * exp(-v / 2)
    integral_ = integrate((density * (1 - exp(-N * d - c * v))).expand(), (v, 0, oo))
    closed = below(c, exp(-N / 2), exp(-N * d))
    return identical(integral_, closed, {N: (0, 5), c: (0, HALF), d: (0, HALF)})


@proves("c and d of two signs: the closed form with v0 = N |d| / |c|.", Method.SYMBOLIC)
@mutant(
    "0.505 for the last 1/2",
    below=lambda c, h, e, f, r: (
        below_zero_shifted_apart(c, h, e, f, r)
        + h / 4 * f * (1 / (HALF + c) - 1 / (HALF + c + Fraction(1, 200)))
    ),
)
def count_noise_apart(below: Formula = below_zero_shifted_apart) -> Finding:
    """D(x) of Algorithm 2 with x and p on two sides of 1/2: N d - c v changes sign at v0."""
    c, v0, v, g = symbols("c v0 v g", positive=True)  # g = 1/2 - c; N d = c v0
    e_half = symbols("h", positive=True)
    before = integrate(exp(-v / 2), (v, 0, v0)) - exp(-c * v0) * integrate(exp(-g * v), (v, 0, v0))
    after = integrate(exp(-v / 2), (v, v0, oo)) - exp(c * v0) * integrate(
        exp(-v * (c + HALF)), (v, v0, oo)
    )
    rest = (1 - exp(-g * v0)) / g
    closed = below(c, e_half, exp(-c * v0), exp(-v0 / 2), rest)
    domain: dict[Any, tuple[Fraction | int, Fraction | int]]
    domain = {c: (0, HALF), v0: (0, 5), e_half: (0, 1)}
    return identical(
        (e_half / 4 * (before - after)).subs(g, HALF - c), closed.subs(g, HALF - c), domain
    )


CLAIMS = (
    Claim(
        id="KSW-X2",
        source="our own",
        ours=True,
        says=(
            "The mean squared error of Algorithm 3 with Laplace noise as one integral, which "
            "depends on N = n eps and p only; in exponential integrals at p = 1/2."
        ),
        latex=(
            r"E(X - p)^2 = J(N, p) + J(N, 1-p) + \tfrac14 e^{-N}\left[N(1-2p)^2 - \tfrac13\right],"
            r"\quad J(N, p) = \int_p^1 2(x-p)\, S(N(x-p);\, 1-x,\, x)\, dx"
        ),
        domain=LAW + "; n >= 1; in units of the interval",
        status=Status.PROVED,
        checks=checks_of(
            error_splits,
            half_mean_values,
            Check(
                "29 reference values: 4 at small N, 25 for 1000 records.",
                Method.ENCLOSURE,
                partial(values_of, TRANSFORMED),
                mutants={
                    "scale 1.01 x for x": {"grows": Fraction(101, 100)},
                    "-D for D": {"sign": -1},
                },
                role=Role.VALUE,
            ),
        ),
        assumes=("KSW-X1",),
        steps=(
            ByCheck("error_splits"),
            *by_hand(
                "E (X - p)^2 is the integral of 2 (x - p) P(X > x) over p < x < 1 plus that of 2 (p - x) P(X < x) over 0 < x < p; there P(X < x) = S(N (p - x); 1 - x, x) - D(x), and x -> 1 - x turns the S-part into J(N, 1 - p).",
                "At p = 1/2 the factor x - p cancels the denominator of S, and 1 / x is the variable of the exponential integrals.",
            ),
        ),
    ),
    Claim(
        id="KSW-X3",
        source="our own",
        ours=True,
        says="The exact law and mean squared error of Algorithm 2 with Laplace noise.",
        latex=(
            r"P(X > x) = S(N(x-p);\, 1,\, |2x-1|) + D(x),\quad D(x) = -\tfrac14 e^{-N/2}\!\int_0^\infty"
            r" e^{-v/2}\, \mathrm{sgn}(Nd + cv)\left(1 - e^{-|Nd + cv|}\right) dv,"
            r"\quad c = x - \tfrac12,\ d = p - \tfrac12"
        ),
        domain=LAW + "; p <= x < 1, and by symmetry below p",
        status=Status.PROVED,
        checks=checks_of(
            count_noise_together,
            count_noise_apart,
            Check(
                "29 reference values: 4 at small N, 25 for 1000 records.",
                Method.ENCLOSURE,
                partial(values_of, SHIFTED),
                mutants={
                    "scale 1.01 |2x - 1|": {"grows": Fraction(101, 100)},
                    "-D for D": {"sign": -1},
                },
                role=Role.VALUE,
            ),
        ),
        assumes=("KSW-X1",),
        steps=(
            *by_checks(count_noise_together, count_noise_apart),
            *by_hand(
                "In units of 1 / eps the sum is N d + L1 and the count N + 2 L2; X > x means that W = N d + L1 - c (N + 2 L2) and the count have the same sign.",
                "W > 0 has probability S.",
                "A count of -v has density e^(-N/2) e^(-v/2) / 4, where W = N d + c v + L1, and the mean sign of y + L1 is sgn(y) (1 - e^-|y|).",
            ),
            ByClaim("KSW-X2", "The error follows as in KSW-X2."),
        ),
    ),
    Claim(
        id="KSW-X4",
        source="our own",
        ours=True,
        says="The exact law and mean squared error of Algorithm 1 with Laplace noise on [0, 1].",
        latex=(
            r"P(X > x) = S(N(x-p);\, 2,\, 2x) - \tfrac14 e^{-N/2}\left(2 - "
            r"\frac{e^{-Np/2}}{\frac12 + \frac{x}{2}}\right)"
        ),
        domain=LAW + "; l = 0, u = 1; p <= x < 1, and below p by P(X < x) = S(N(p - x)) - D(x)",
        status=Status.PROVED,
        checks=checks_of(
            count_noise_independent,
            Check(
                "29 reference values: 4 at small N, 25 for 1000 records.",
                Method.ENCLOSURE,
                partial(values_of, INDEPENDENT),
                mutants={
                    "scale 2.02 x for 2 x": {"grows": Fraction(101, 100)},
                    "-D for D": {"sign": -1},
                },
                role=Role.VALUE,
            ),
        ),
        assumes=("KSW-X1", "KSW-X3"),
        steps=(
            ByCheck("count_noise_independent"),
            ByHand(
                "As KSW-X3, with sum N p + 2 L1 and count N + 2 L2: W = N p + 2 L1 - x (N + 2 L2), and the mean sign of y + 2 L1 is 1 - e^(-y/2) for y >= 0."
            ),
        ),
    ),
)
