"""Which algorithm is better, and where the error is largest (errata 10 and 13 of KSW)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Ball, certainly_less
from proofs_check.language import Condition, Quantity, all_of, implies, reals, refuted
from proofs_check.papers.ksw.error.certification import MORE, at_half, crosses, peaks, scaled
from proofs_check.papers.ksw.error.laplace_error import HALF, SHIFTED, TRANSFORMED
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByHand
from proofs_check.symbolic import diff, exp, identical, symbols

__all__ = ["CLAIMS"]

ORDER = (
    ("0", "0.330666432"),
    ("1/10", "0.409184967767"),
    ("3/10", "0.714601087"),
    ("1/2", "1.095162276408"),
)
"""p, and the N up to which Algorithm 2 has the smaller error."""

RATIOS = (
    ("1/10", "0.9721", "0.9219"),
    ("1", "1.1499", "0.9898"),
    ("2", "1.467", "1.109"),
    ("5", "2.593", "1.489"),
    ("10", "2.461", "1.867"),
    ("100", "1.976", "1.999"),
)
"""N, and the ratio of the errors of Algorithms 2 and 3 at p = 0 and p = 1/2."""

LARGEST = (
    (100, "5.0075", "4.784", "0.886602", "5.00752"),
    (500, "6.7893", "6.736", "0.968898", "6.78934"),
    (1000, "7.5709", "7.542", "0.982782", "7.57086"),
    (5000, "9.3750", "9.368", "0.995818", "9.37502"),
    (10000, "10.1442", "10.141", "0.997754", "10.144215"),
    (100000, "12.666", "12.6655", "0.999725", "12.66595"),
)
"""N, the c of the largest error at p = c / N, -W(-4 / N), that error times N^2 / 2, and c closer."""


def ratio(N: Fraction, p: Fraction) -> Any:
    """Error of Algorithm 2 over that of Algorithm 3."""
    return scaled(SHIFTED, N, p) / (at_half(N) if p == HALF else scaled(TRANSFORMED, N, p))


def _ratio_rows(scale: Fraction) -> Iterable[tuple[str, str, Ball]]:
    for N, *texts in RATIOS:
        for p, text in zip((Fraction(0), HALF), texts, strict=True):
            yield f"N = {N}, p = {p}", text, ratio(Fraction(N) * scale, p)


@refutes(
    "Twelve ratios of the errors, from 0.92 to 2.6; one record at the midpoint with "
    "eps = 1 has 0.9898.",
    Method.ENCLOSURE,
)
@mutant("N larger by 1 %", scale=Fraction(101, 100))
def not_twice(scale: Fraction = Fraction(1)) -> Finding:
    """The ratio of the errors: below 1 at N = 1/10, 2.6 at N = 5, near 2 at N = 100."""
    small = ratio(Fraction(1), HALF)
    below = [certainly_less(small, 1), certainly_less(small, 2)]
    return every([as_printed(_ratio_rows(scale)), *(Finding(found) for found in below)])


@refutes(
    "Algorithm 2 is the better one up to N = 0.33, 0.41, 0.71, 1.095 for four means.",
    Method.ENCLOSURE,
)
@mutant("N larger by 1 %", scale=Fraction(101, 100))
def order_reverses(scale: Fraction = Fraction(1)) -> Finding:
    """For four p, Algorithm 2 is better up to the printed N."""

    def gap(N: Fraction, p: Fraction) -> Any:
        return ratio(N * scale, p) - 1

    return every(
        crosses(f"p = {p}", printed, lambda N, p=p: gap(N, Fraction(p)))  # type: ignore[misc]
        for p, printed in ORDER
    )


@refutes(
    "The ratio is not monotone: it is largest, 2.838, at N = 6.76 for p = 0.", Method.ENCLOSURE
)
@mutant("6.77 for 6.76", printed="6.77")
def largest_gain(printed: str = "6.76") -> Finding:
    """At p = 0 the ratio of the errors has its maximum, 2.838, at N = 6.76."""
    top = Fraction("6.7575")
    value = as_printed([("ratio", "2.838", ratio(top, Fraction(0)))])
    return every([value, peaks("largest", printed, lambda N: ratio(N, Fraction(0)), top)])


@refutes(
    "In the layer p = c / N the limit has derivative c e^-c > 0: no fixed c is highest.",
    Method.SYMBOLIC,
)
@mutant("1.01 + c for 1 + c", factor=Fraction(101, 100))
def layer(factor: Fraction = Fraction(1)) -> Finding:
    """The limit 2 - (1 + c) e^-c at p = c / N grows in c without end; with -4c/N its peak moves."""
    c, N = symbols("c N", positive=True)
    limit = 2 - (factor + c) * exp(-c)
    domain = {c: (0, 9), N: (9, 99)}
    return every(
        [
            identical(diff(limit, c), c * exp(-c), {c: (0, 9)}),
            identical(diff(limit - 4 * c / N, c), c * exp(-c) - 4 / N, domain),
        ]
    )


@refutes(
    "The maximizing c = mu n eps grows: 5.0075, 6.7893, ..., 12.666 for N = 100 to 10^5.",
    Method.ENCLOSURE,
)
@mutant("mean larger by 1 %", scale=Fraction(101, 100))
def peak_moves(scale: Fraction = Fraction(1)) -> Finding:
    """For six N: the c of the largest error, its value, and -W(-4 / N)."""

    def findings() -> Iterable[Finding]:
        for size, c, lambert, value, close in LARGEST:
            N = size * Fraction(1)

            def half(x: Fraction, N: Fraction = N) -> Any:
                return scaled(TRANSFORMED, N, x * scale / N, numbers=MORE) / 2

            w = -MORE.lambert_w(MORE.rational(-4 / N), -1)
            rows = [("-W", lambert, w), ("largest", value, half(Fraction(close)))]
            yield as_printed([(f"N = {size}: {name}", text, ball) for name, text, ball in rows])
            yield peaks(f"N = {size}: largest", c, half, Fraction(close))

    return every(findings(), detail="12 values and 6 maxima")


@refutes(
    "The curve at N = 500: 0.494 at the end, 0.969 at mu = 0.013579, 0.500 in the middle.",
    Method.ENCLOSURE,
)
@mutant("N larger by 1 %", scale=Fraction(101, 100))
def curve(scale: Fraction = Fraction(1)) -> Finding:
    """The curve over the mean at N = 500: both ends, the peak and the middle."""
    rows = (
        ("0", "0.494082772736208"),
        ("0.002", "0.624192267964344"),
        ("0.013579", "0.96889820"),
        ("0.5", "0.500060013444841"),
    )
    N = 500 * scale
    return as_printed(
        (f"p = {p}", text, scaled(TRANSFORMED, N, Fraction(p), numbers=MORE) / 2)
        for p, text in rows
    )


@refutes("One record at the midpoint with eps = 1: 0.9898 < 2.", Method.ENCLOSURE)
@mutant("no factor, at N = 5", N=5, least=1)
@refuted(
    reals("N p"),
    "Algorithm Three improves on Algorithm Two by at least the factor {two}, and outperforms the others: {left} is at least {right}.",
    at={"N": 1, "p": HALF},
    terms=lambda _: {"two": 2},
)
def at_least_twice(N: Any, p: Any, *, least: int = 2) -> Condition:
    """As printed: for every number of records, eps and mean; N = n eps."""
    quotient = Quantity(
        "the error of Algorithm Two over that of Algorithm Three",
        r"\frac{E(\hat\mu_2 - \mu)^2}{E(\hat\mu_3 - \mu)^2}",
        ratio,
    )
    given = all_of(N > 0, 0 <= p, p <= 1)
    return implies(given, quotient(N, p) >= least)


CLAIMS = (
    Claim(
        id="KSW-ER10",
        source="Erratum 10 (v1 Section 6; v2 abstract and Section 6)",
        states=(at_least_twice,),
        domain="Laplace noise, N = n eps, p the mean in units of the interval",
        status=Status.REFUTED,
        checks=checks_of(at_least_twice, not_twice, order_reverses, largest_gain),
        why="Both algorithms are clipped, and for small n eps the shifted one profits more from it.",
        right=(
            "The exact ratio follows from KSW-X2 and KSW-X3: it tends to 2 as n eps grows, away from "
            "layers at both ends, and is below 1 for small n eps."
        ),
        corrected_by="KSW-X3",
        assumes=("KSW-X2", "KSW-X3"),
        obligations=parts_of(not_twice, order_reverses, largest_gain),
    ),
    Claim(
        id="KSW-ER13",
        source="Erratum 13 (v1 Section 6)",
        says="The ratio of the error to its bound is highest where mu is of order 1 / (n eps).",
        latex=r"\arg\max_\mu E(\hat\mu_3 - \mu)^2 = \Theta(1 / (n\varepsilon))",
        domain="Algorithm 3, Laplace noise, n eps growing",
        status=Status.REFUTED,
        checks=checks_of(layer, peak_moves, curve),
        why="Away from the ends the error still grows with mu on the scale 1 / (n eps).",
        right=(
            "The maximizer is c / (n eps) with c e^-c close to 4 / (n eps), c close to "
            "-W_{-1}(-4 / (n eps)): of order log(n eps) / (n eps)."
        ),
        assumes=("KSW-X2", "KSW-T1'"),
        steps=(
            ByHand(
                "By KSW-X2 and KSW-T1' N^2 E (X - p)^2 at p = c / N tends to 2 - (1 + c) e^-c from the layer, less 4 c / N from 2 - 4 p (1 - p); the maxima are certified as local ones."
            ),
        ),
        obligations=parts_of(layer, peak_moves, curve),
    ),
)
