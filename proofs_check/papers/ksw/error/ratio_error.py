"""The error of a clipped noisy ratio (KSW, Lemma 1).

It splits the error of (a + Za) / (b + Zb) into a linear part C, a remainder bounded by F, and the
chance that the denominator is halved.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, absolute, all_of, choose, for_all, implies, reals
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS"]


@proves("The error of the ratio is C plus a remainder, exactly.", Method.SYMBOLIC)
@mutant("-a zb^2 for a zb^2", sign=-1)
def error_splits(sign: int = 1) -> Finding:
    """(a + za) / (b + zb) - a / b = C + a zb^2 / (b^2 (b + zb)) - za zb / (b (b + zb))."""
    a, b, za, zb = symbols("a b z_a z_b", positive=True)
    left = (a + za) / (b + zb) - a / b
    C = za / b - a * zb / b**2
    rest = sign * a * zb**2 / (b**2 * (b + zb)) - za * zb / (b * (b + zb))
    return identical(left, C + rest, dict.fromkeys((a, b, za, zb), (1, 9)))


@proves("The remainder is at most F wherever Zb >= -b/2 (with b = 1).", Method.SMT)
@mutant("1.98 for 2", two=Fraction(198, 100))
@for_all(reals("a M za zb"), polynomial=True)
def remainder_is_bounded(
    a: Any, M: Any, za: Any, zb: Any, *, two: Fraction = Fraction(2)
) -> Condition:
    """|a zb^2 - za zb| / (1 + zb) <= 2 M zb^2 + 2 |za zb| for zb >= -1/2 and |a| <= M."""
    given = all_of(-M <= a, a <= M, 2 * zb >= -1)
    bound = two * (M * zb * zb + absolute(za * zb))
    return implies(given, absolute(a * zb * zb - za * zb) <= bound * (1 + zb))


@proves("Clipping to I does not increase the error, which is at most 2 M.", Method.SMT)
@mutant("a / b from -0.01 M on", low=Fraction(-1, 100))
@for_all(reals("r m M"))
def clipping_helps(r: Any, m: Any, M: Any, *, low: Fraction = Fraction(0)) -> Condition:
    """With a / b = m in I = [0, 2 M]: |Clip(r) - m| <= |r - m|, and it is at most 2 M."""
    clipped = choose(r < 0, Fraction(0), choose(r > 2 * M, 2 * M, r))
    given = all_of(low * M <= m, m <= 2 * M, M > 0)
    gap = absolute(clipped - m)
    return implies(given, all_of(gap <= absolute(r - m), gap <= 2 * M))


@refutes("As printed it fails: a = 0, b = 1, no noise, clipped to [5, 6].", Method.EXACT)
@mutant("clipped to [0, 6], which contains a / b", lower=Fraction(0))
def print_fails(lower: Fraction = Fraction(5)) -> Finding:
    """A = 0, b = 1, M = 1, Z = 0, clipping to [lower, 6]: the left side is lower^2, the right 0."""
    left = min(max(Fraction(0), lower), Fraction(6)) ** 2
    return exactly(left > 0, f"left side {left}, right side 0")


CLAIMS = (
    Claim(
        id="KSW-L1",
        source="Lemma 1",
        says=(
            "The mean squared error of a clipped noisy ratio: a linear part C, a remainder F, and the "
            "chance that the noise halves the denominator. No independence is needed. Print asks for "
            "b >= 0 and any clipping; it needs b > 0 and an interval that contains a / b."
        ),
        latex=r"\mathrm{E} \Bigl( \mathrm{Clip}\bigl( \tfrac{a + Z_a}{b + Z_b}, I \bigr) - \tfrac ab \Bigr)^2 \le \mathrm{E} C^2 + \mathrm{E} F^2 + 2 \sqrt{\mathrm{E} C^2\, \mathrm{E} F^2} + 4 M^2 P(Z_b < -b/2), \quad C = \frac{Z_a}{b} - \frac{a Z_b}{b^2}, \quad F = \frac{2 M Z_b^2 + 2 |Z_a Z_b|}{b^2}",
        domain="b > 0, |a| <= M b, I an interval of length at most 2 M that contains a / b",
        status=Status.CORRECTED,
        checks=checks_of(error_splits, remainder_is_bounded, clipping_helps, print_fails),
        why="With b = 0, or an interval that does not contain a / b, the left side need not be small.",
        right="Require b > 0 and a / b in I, an interval of length at most 2 M.",
        errata=("KSW-ER2",),
        steps=(
            *by_checks(error_splits, remainder_is_bounded),
            ByHand(
                "Where Zb >= -b/2 the clipped error is at most |C| + F; squared, and E |C| F <= sqrt(E C^2 E F^2)."
            ),
            ByCheck("clipping_helps", "Elsewhere it is at most 2 M."),
            ByHand("Both sides scale with b: divide a, Za and Zb by b."),
        ),
        obligations=parts_of(print_fails),
    ),
)
