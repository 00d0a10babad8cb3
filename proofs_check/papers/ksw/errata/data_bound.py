"""Bounds that depend on the mean of the data fail without o(1) (errata 11 and 12 of KSW)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.papers.ksw.error.certification import MORE, at_half, crosses, peaks, scaled
from proofs_check.papers.ksw.error.hourglass_law import (
    best_hourglass,
    enough_lines,
    hourglass_error,
)
from proofs_check.papers.ksw.error.laplace_error import HALF, SHIFTED, TRANSFORMED
from proofs_check.papers.ksw.noise.staircase import best_variance
from proofs_check.printed_values import as_printed

__all__ = ["CLAIMS"]

CROSSINGS = (
    ("1/2", "4.00289044197277"),
    ("3/10", "7.2856"),
    ("1/5", "20.7397"),
    ("1/10", "62.280"),
    ("1/20", "163.667"),
    ("1/50", "533.03"),
    ("1/100", "1246.35"),
    ("1/1000", "18135.8"),
)
"""p, and the N from where the bound of Theorem 1 without o(1) fails."""


def _bound(p: Fraction, factor: Fraction = Fraction(1)) -> Fraction:
    """N^2 times the bound of Theorem 1 that depends on the data: 2 - 4 p (1 - p)."""
    return (2 - 4 * p * (1 - p)) * factor


@proves(
    "One record at the midpoint, eps = 5: 0.0463 > 0.04; and ratios up to 1.30127.",
    Method.ENCLOSURE,
)
@mutant("bound larger by 1 %", factor=Fraction(101, 100))
def data_bound_fails(factor: Fraction = Fraction(1)) -> Finding:
    """Algorithm 3, one record at the midpoint: the error is above the bound, here 1 / N^2."""
    rows = (
        ("E at N = 5", "0.0463141584464897", at_half(Fraction(5)) / 25),
        ("ratio at N = 8", "1.30122612420117", at_half(Fraction(8)) / _bound(HALF, factor)),
        ("largest ratio", "1.30127313880259", at_half(Fraction("7.93061477173464"))),
        ("ratio at n = 100, eps = 1", "1.003017", at_half(Fraction(100)) / _bound(HALF, factor)),
    )
    above = certainly_less(_bound(HALF, factor), at_half(Fraction(5)))
    return every([as_printed(rows), Finding(above)], detail="0.0463 > 1/25 and 3 more values")


@proves("At p = 1/2 the ratio has its maximum at N = 7.93061477173464.", Method.ENCLOSURE)
@mutant("the next number in the last digit", printed="7.93061477173465")
def largest_ratio(printed: str = "7.93061477173464") -> Finding:
    """At p = 1/2 the ratio has its maximum at this N."""
    return peaks("largest", printed, at_half, Fraction("7.930614771734643"))


@proves(
    "For eight means the error rises above the bound at the printed N = n eps.", Method.ENCLOSURE
)
@mutant("bound larger by 1 %", factor=Fraction(101, 100))
def fails_from(factor: Fraction = Fraction(1)) -> Finding:
    """For eight p, the error crosses the bound at the printed N, upwards."""

    def gap(N: Fraction, p: Fraction) -> Any:
        error = at_half(N) if p == HALF else scaled(TRANSFORMED, N, p, numbers=MORE)
        return error - _bound(p, factor)

    return every(
        crosses(f"p = {p}", printed, lambda N, p=p: gap(N, Fraction(p)))  # type: ignore[misc]
        for p, printed in CROSSINGS
    )


@proves(
    "Algorithm 2 at the midpoint: above its bound from N = 6.034929, by 19 % at 10.37.",
    Method.ENCLOSURE,
)
@mutant("2.02 for 2", bound=Fraction(101, 50))
def shifted_bound_fails(bound: Fraction = Fraction(2)) -> Finding:
    """Algorithm 2 at p = 1/2, where N^2 times the bound of Lemma 2 is 2."""

    def ratio(N: Fraction) -> Any:
        return scaled(SHIFTED, N, HALF) / bound

    return every(
        [
            crosses("p = 1/2", "6.034929", lambda N: ratio(N) - 1),
            peaks("largest", "10.37", ratio, Fraction("10.367")),
            as_printed(
                [
                    ("largest", "1.188663", ratio(Fraction("10.367"))),
                    ("n = 10, eps = 1", "1.18791221526269", ratio(Fraction(10))),
                ]
            ),
        ]
    )


@proves(
    "Hourglass noise, two records at the midpoint, eps = 6: half above its bound.", Method.ENCLOSURE
)
@mutant("bound larger by 1 %", factor=Fraction(101, 100))
def hourglass_bound_fails(factor: Fraction = Fraction(1)) -> Finding:
    """Two records at the midpoint, eps = 6: above (1 - 2 p (1 - p)) sigma^2 / n^2."""
    numbers, epsilon = Balls(128), Fraction(6)
    noise = best_hourglass(epsilon, numbers=numbers)
    error = hourglass_error(noise, 2, HALF, enough_lines(epsilon), numbers=numbers)
    bound = best_variance(noise.b, noise.y) * factor / 8
    rows = (
        ("error", "0.00264990469052724", error),
        ("bound", "0.00176322292335002", bound),
        ("ratio", "1.5029", error / bound),
    )
    return every([as_printed(rows), Finding(certainly_less(bound, error))])


@proves(
    "With eps = 8 / n and data at the midpoint the ratio is 1.3012 for every n.", Method.ENCLOSURE
)
@mutant("8.08 for 8", constant=Fraction(202, 25))
def same_for_all_sizes(constant: Fraction = Fraction(8)) -> Finding:
    """With eps = 8 / n the ratio to the bound of Theorem 1 is the same number for every n."""
    sizes = (1, 10, 1000, 10**6)
    rows = [
        (f"n = {n}", "1.30122612420117", at_half(n * (constant / n)) / _bound(HALF)) for n in sizes
    ]
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="KSW-ER11",
        source="Erratum 11 (Lemma 2, Theorems 1 and 3, first bounds)",
        says="The bounds that depend on the mean of the data need their factor 1 + o(1): without it they fail for some numbers of records.",
        latex=r"(n\varepsilon)^2\, E(\hat\mu_3 - \mu)^2 > w^2 + 4(\mu - m)^2 \text{ for some } n, \varepsilon",
        domain="n >= 1, eps > 0",
        status=Status.REMARK,
        checks=checks_of(
            data_bound_fails, largest_ratio, fails_from, shifted_bound_fails, hourglass_bound_fails
        ),
        why=(
            "The leading term E C^2 is exact only as n eps grows; the next term, 3 (28 - 72 p (1 - p)) "
            "/ (n eps)^4 in units of the interval, is positive."
        ),
        right=(
            "The bounds hold up to a factor 1 + o(1) as n eps grows; the worst-case bounds hold for "
            "every n and eps (KSW-T1', KSW-T3')."
        ),
        corrected_by="KSW-T1'",
        assumes=("KSW-X2", "KSW-X3", "KSW-X5"),
        note="The change of sign certifies a crossing at the printed digits; that there is no other one is not claimed. The maximum is certified as a local one.",
    ),
    Claim(
        id="KSW-ER12",
        source="Erratum 12 (v2, definition of o(1))",
        says="In the bounds of Theorem 1 the o(1) is for n eps growing: it does not vanish uniformly in eps as n grows.",
        latex=r"\sup_{\varepsilon} \frac{(n\varepsilon)^2 E(\hat\mu_3 - \mu)^2}{w^2 + 4(\mu - m)^2} \not\to 1",
        domain="n growing, eps free",
        status=Status.REMARK,
        checks=checks_of(same_for_all_sizes),
        why="The error depends on n eps only, so nothing vanishes uniformly in eps as n grows.",
        right="o(1) for n eps growing; at fixed eps, as in Theorem 3, the text is right.",
        corrected_by="KSW-T1'",
        assumes=("KSW-X2",),
    ),
)
