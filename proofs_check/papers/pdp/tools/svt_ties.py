"""The law of the index of AboveThreshold (PDP, Algorithm 1) if all queries equal the threshold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.pdp.tools.svt import index_tail_on_ties
from proofs_check.steps import ByCheck, ByDefinition, ByHand
from proofs_check.symbolic import Rational, diff, exp, identical, integrate, log, oo, symbols

__all__ = ["CLAIMS"]

TIES = tuple(map(Fraction, ("1", "1/2", "7/24", "3/16", "31/240", "3/32", "127/1792", "85/1536")))


@confirms(
    "The same integral term by term for m = 0, ..., 7, and the printed fractions.", Method.SYMBOLIC
)
@mutant("query noise Lap(4.04)", scale=Fraction(404, 100))
def ties_by_integration(scale: Fraction = Fraction(4)) -> Finding:
    """E[F_N(T)^m], integrated term by term, is the printed fraction for m = 0, ..., 7."""
    t = symbols("t", positive=True)
    s = Rational(scale.numerator, scale.denominator)
    for m, printed in enumerate(TIES):
        high = ((1 - exp(-t / s) / 2) ** m * exp(-t / 2) / 4).expand()
        low = (exp(-m * t / s) / 2**m * exp(-t / 2) / 4).expand()
        value = integrate(high + low, (t, 0, oo))
        closed = index_tail_on_ties(m, Fraction(1, 2**m))
        if closed != printed or value != Rational(closed.numerator, closed.denominator):
            return exactly(
                False, f"m = {m}: integral {value}, closed form {closed}, printed {printed}"
            )
    return exactly(True, f"{len(TIES)} values")


@proves("The integral of F_N(T)^m, substituted and solved, for every m.", Method.SYMBOLIC)
@mutant("2^(1-2m) for 2^(1-m)", power=2)
def ties_for_every_m(power: int = 1) -> Finding:
    """With u = F_N(-t), the law of -t is 4 u du on (0, 1/2), and the integral has a closed form."""
    u, m = symbols("u m", positive=True)
    density = exp(-2 * log(1 / (2 * u))) / 4  # e^(-t/2) / 4 at t = 4 ln(1 / (2 u))
    primitive = 4 * (
        u ** (m + 2) / (m + 2) - (1 - u) ** (m + 1) / (m + 1) + (1 - u) ** (m + 2) / (m + 2)
    )
    half: dict[Any, Any] = {u: Rational(1, 2)}
    integrand = 4 * u * ((1 - u) ** m + u**m)
    closed = index_tail_on_ties(m, 2 ** (-power * m))
    at_zero = 4 / (m + 2) - 4 / (m + 1)
    box: Mapping[Any, tuple[Fraction | int, Fraction | int]]
    box = {u: (0, Fraction(1, 2)), m: (1, 9)}
    return every(
        [
            identical(density * diff(4 * log(1 / (2 * u)), u), -4 * u, {u: (0, Fraction(1, 2))}),
            identical(diff(primitive, u), integrand, box),
            identical(primitive.subs(half) - at_zero, closed, {m: (1, 9)}),
        ]
    )


@proves("(2 m + 1) P(i > m) is at least 1 / (m + 1): the second moment is infinite.", Method.SMT)
@mutant("1.01 / (m + 1)", least=Fraction(101, 100))
@for_all(reals("m power"), polynomial=True)
def variance_is_infinite(m: Any, power: Any, *, least: Fraction = Fraction(1)) -> Condition:
    """(2 m + 1) P(index > m) >= 1 / (m + 1), whose sum diverges."""
    given = all_of(m >= 0, 0 <= power, power <= 1)
    return implies(given, (2 * m + 1) * (4 - 2 * power) >= least * (m + 2))


CLAIMS = (
    Claim(
        id="PDP-A1-TAIL",
        source="Algorithm 1, on ties",
        says="If all queries equal the threshold, the index exceeds m with probability (4 - 2^(1-m)) / ((m+1)(m+2)) whatever eps is; its variance is infinite.",
        latex=r"P(i > m) = \frac{4 - 2^{1-m}}{(m+1)(m+2)}",
        domain="m = 0, 1, 2, ...; all Q_i = theta; no cap",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(ties_for_every_m, ties_by_integration, variance_is_infinite),
        steps=(
            ByCheck("variance_is_infinite"),
            ByDefinition(
                "PDP-A1",
                "Given the threshold's noise T, each of m queries is silent with probability F_N(T), independently.",
            ),
            ByHand(
                "E[i^2] is the sum of (2 m + 1) P(i > m); and 2^m P(i > m) does not even tend to 0, so that radii 2^i have infinite mean."
            ),
        ),
        obligations=parts_of(ties_for_every_m),
    ),
)
