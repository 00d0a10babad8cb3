"""A factor that the proof of Theorem 4.2.1 loses (Regehr, erratum 7)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import certainly_less
from proofs_check.language import (
    Condition,
    Quantity,
    implies,
    integers,
    refuted,
)
from proofs_check.papers.tri.chapter4.coarse_law import noise_scale, outcome_law, threshold
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByDefinition
from proofs_check.symbolic import identical, integrate, symbols

__all__ = ["CLAIMS"]


@refutes(
    "A point mass, n1 = 150, eps = delta = 0.9: 43402.78 > 19200.5, 887784.09 > 76800.5.",
    Method.ENCLOSURE,
)
@mutant("sigma^lam/2, the right form", scaled=True)
def missing_sigma(scaled: bool = False) -> Finding:
    """E[1{not failed} |mu~ - mu|^lam] exceeds 1/2 + n1 2^(lam-1) psi^lam for a point mass.

    mu~ - mu is uniform on [-sigma/2, sigma/2]: sigma^lam 2^(-lam)/(lam + 1) times P[not failed].
    """
    eps, sigma, n1 = Fraction(9, 10), 10, 150
    theta = threshold(eps, ENCLOSED.log(Fraction(10, 9)))
    _, fails = outcome_law((n1,), theta, noise_scale(eps), ENCLOSED.exp)
    rows = []
    for lam, exact_text, bound_text in ((8, "43402.78", "19200.5"), (10, "887784.09", "76800.5")):
        moment = Fraction(sigma**lam, 2**lam * (lam + 1)) * (1 - fails)
        bound = Fraction(1, 2) * (sigma**lam if scaled else 1) + n1 * 2 ** (lam - 1)
        if certainly_less(bound, moment) is not True:
            return Finding(holds=False, detail=f"lam = {lam}: {moment!r} is within {bound}")
        rows.append((f"the moment at lam = {lam}", exact_text, moment))
        rows.append((f"the printed bound at lam = {lam}", bound_text, ENCLOSED.ball(bound)))
    return as_printed(rows)


@proves("The moment of a uniform variable.", Method.SYMBOLIC)
@mutant("lam + 2 for lam + 1", power=2)
def uniform_moment(power: int = 1) -> Finding:
    """The moment of order lam of a uniform variable on [-s/2, s/2] is s^lam 2^(-lam)/(lam + 1)."""
    s, t, lam = symbols("s t lambda", positive=True)
    moment = 2 * integrate(t**lam / s, (t, 0, s / 2))
    return identical(moment, s**lam / 2**lam / (lam + power), {s: (1, 11), lam: (2, 9)})


@proves(
    "The printed route then gives 1200, our route 600: 804 is true, not by the print.", Method.EXACT
)
@mutant("1188 for 1200", sums=1188)
def route_constants(sums: int = 1200) -> Finding:
    """4 (200 + 100) = 1200 by the printed route; 200 + 400 = 600 by 2 u^2 + 2 c^2."""
    sigma = 10
    return exactly(
        4 * (2 * sigma**2 + sigma**2) == sums and 2 * sigma**2 + 4 * sigma**2 == 600,
        f"4 (2 sigma^2 + sigma^2) = {4 * 3 * sigma**2}",
    )


def moment_at_a_point(lam: Fraction) -> Any:
    """E[1{not failed} |mu~ - mu|^lam] for 150 records at a point, sigma = 10, eps = delta = 0.9."""
    eps = Fraction(9, 10)
    theta = threshold(eps, ENCLOSED.log(Fraction(10, 9)))
    _, fails_ = outcome_law((150,), theta, noise_scale(eps), ENCLOSED.exp)
    return Fraction(10 ** int(lam), 2 ** int(lam) * (int(lam) + 1)) * (1 - fails_)


@refutes(
    "A point mass, n1 = 150, eps = delta = 0.9, lam = 8: 43402.78 > 19200.5.", Method.ENCLOSURE
)
@mutant("sigma^lam/2, the right form", scaled=True)
@refuted(
    integers("lam"),
    "The proof bounds {left} by {right}.",
    at={"lam": 8},
)
def moment_of_the_estimate(lam: Any, *, scaled: bool = False) -> Condition:
    """1/2 + n1 2^(lam - 1) psi^lam with n1 = 150, psi = 1."""
    moment = Quantity(
        "the moment of the coarse estimate",
        r"\mathbb{E}[1_{\tilde\mu\ne\bot}|\tilde\mu-\mu|^{\lambda}]",
        moment_at_a_point,
    )
    half = Fraction(1, 2) * 10**lam if scaled else Fraction(1, 2)
    return implies(lam >= 2, moment(lam) <= half + 150 * 2 ** (lam - 1))


CLAIMS = (
    Claim(
        id="TRI-ER-07",
        source="Appendix C.4, step G",
        states=(moment_of_the_estimate,),
        status=Status.REFUTED,
        domain="mu~ = sigma DPUCOARSE(x / sigma), sigma = 10, n1 = 150 records at a point, psi = 1, eps = delta = 0.9",
        checks=checks_of(moment_of_the_estimate, missing_sigma, uniform_moment, route_constants),
        why="The estimate is scaled back by sigma: the factor sigma^lam is lost.",
        right="sigma^lam/2 + n1 2^(lam-1) psi^lam.",
        corrected_by="TRI-T4.2.1",
        steps=(
            ByCheck("uniform_moment"),
            ByDefinition(
                "TRI-A.DPUM",
                "All records in one bin: mu~ = sigma (T + k), uniform on a width of sigma around mu.",
            ),
        ),
        obligations=parts_of(missing_sigma, route_constants),
    ),
)
