"""Steps in the proof of Lemma 3.3, among them display (5), which is false as printed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Balls
from proofs_check.papers.sub.common import PERCENT
from proofs_check.printed_values import as_printed
from proofs_check.symbolic import diff, exp, identical, integrate, oo, symbols

__all__ = ["CLAIMS", "large_size_error"]


def large_size_error(a: Any) -> Any:
    """E |Y - a X| = (1 + a + a^2) / (1 + a), the limit of N times the error for a = 2 |rho| < 1."""
    return (1 + a + a * a) / (1 + a)


@proves("The tail of the count.", Method.SYMBOLIC)
@mutant("0.2525 for 1/4", quarter=PERCENT / 4)
def lower_tail(quarter: Fraction = Fraction(1, 4)) -> Finding:
    """P(Z < -n / 2) = e^(-n eps / 4) / 2 for Z ~ Lap(2 / eps)."""
    n, e, z = symbols("n epsilon z", positive=True)
    tail = integrate(e / 4 * exp(-e * z / 2), (z, n / 2, oo))
    return identical(tail, exp(-n * e * quarter) / 2, {n: (1, 9), e: (0, 2)})


@proves("x e^-x <= 1 / e.", Method.SYMBOLIC)
@mutant("maximum at 1.01", point=PERCENT)
def peak_of_x_exp(point: Fraction = Fraction(1)) -> Finding:
    """The slope of x e^(-x) is (1 - x) e^(-x): its maximum is at 1, and equals 1 / e."""
    x = symbols("x", positive=True)
    return identical(diff(x * exp(-x), x), (point - x) * exp(-x), {x: (0, 5)})


@proves("The tails add up to (2 + 2/e) / (n eps).", Method.SYMBOLIC)
@mutant("2.02 / e", constant=2 * PERCENT)
def sum_of_the_tails(constant: Fraction = Fraction(2)) -> Finding:
    """With y = n eps / 4: e^(-y) / 2 = y e^(-y) / (2 y), and 1 / (2 e y) = 2 / (e n eps)."""
    n, e = symbols("n epsilon", positive=True)
    y = n * e / 4
    return identical(
        exp(-1) / (2 * y) + 2 / (n * e), (2 + constant * exp(-1)) / (n * e), {n: (1, 9), e: (0, 2)}
    )


@encloses("The constant.", Method.ENCLOSURE)
@mutant("2 + 2.02 / e", constant=2 * PERCENT)
def paper_constant(constant: Fraction = Fraction(2)) -> Finding:
    """2 + 2 / e."""
    numbers = Balls(128)
    return as_printed(
        [
            (
                "2 + 2/e",
                "2.73575888234288",
                2 + constant * numbers.exp(numbers.rational(Fraction(-1))),
            )
        ]
    )


@proves("The mean distance.", Method.SYMBOLIC)
@mutant("e^(-1.01 |x|)", scale=PERCENT)
def mean_distance(scale: Fraction = Fraction(1)) -> Finding:
    """E |Y - a X| = (1 + a + a^2) / (1 + a), from E |Y - x| = |x| + e^(-|x|)."""
    a, x, t = symbols("a x t", positive=True)
    left = integrate((x + t) * exp(-t) / 2, (t, 0, oo))  # Y = -t
    inside = integrate((x - t) * exp(-t) / 2, (t, 0, x)) + integrate(
        (t - x) * exp(-t) / 2, (t, x, oo)
    )
    first = identical(left + inside, x + exp(-scale * x), {x: (0, 4)})
    total = integrate((a * x + exp(-a * x)) * exp(-x), (x, 0, oo), conds="none")
    return every(
        (first, identical(total, large_size_error(a), {a: (0, 1)})),
        detail="by integration over Y and X",
    )


@proves("Display (5) in full.", Method.SYMBOLIC)
@mutant("+ s Zn", sign=-1)
def display_five(sign: int = 1) -> Finding:
    """(s + Zs) / (n + Zn) - s / n = (n Zs - s Zn) / (n (n + Zn))."""
    s, n, zs, zn = symbols("s n Zs Zn", positive=True)
    right = (n * zs - sign * s * zn) / (n * (n + zn))
    return identical(
        (s + zs) / (n + zn) - s / n, right, {s: (0, 5), n: (1, 9), zs: (0, 3), zn: (0, 3)}
    )


@refutes("Display (5) as printed drops - s Zn.", Method.EXACT)
@mutant("no noise in the count", count_noise=Fraction(0))
def display_five_as_printed(count_noise: Fraction = Fraction(1)) -> Finding:
    """At s = n = 1, Zs = 0, Zn = 1 the left is -1/2, and the print n Zs / (n (n + Zn)) is 0."""
    s = n = Fraction(1)
    left = s / (n + count_noise) - s / n
    printed = Fraction(0)
    return exactly(left != printed, f"left side {left}, print {printed}")


CLAIMS = (
    Claim(
        id="SUB-L3.3i",
        source="Lemma 3.3, inner steps with display (5)",
        says="The steps of the proof of Lemma 3.3: a tail of the count, the maximum of x e^-x, a sum of tails, a mean distance, and the error of a ratio.",
        latex=r"\frac{s + Z_s}{n + Z_n} - \frac sn = \frac{n Z_s - s Z_n}{n (n + Z_n)},\quad E|Y - aX| = \frac{1 + a + a^2}{1 + a}",
        domain="n >= 1, eps > 0, 0 <= a <= 1",
        status=Status.CORRECTED,
        checks=checks_of(
            lower_tail,
            peak_of_x_exp,
            sum_of_the_tails,
            paper_constant,
            mean_distance,
            display_five,
            display_five_as_printed,
        ),
        why="Display (5) drops the term - s Zn, the effect of the noisy count on the mean.",
        right="(s + Zs) / (n + Zn) - s / n = (n Zs - s Zn) / (n (n + Zn)); the other steps are right.",
        errata=("SUB-E6",),
        obligations=parts_of(
            lower_tail,
            peak_of_x_exp,
            sum_of_the_tails,
            mean_distance,
            display_five,
            display_five_as_printed,
        ),
    ),
)
