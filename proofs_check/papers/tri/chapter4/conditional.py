"""The error of DPUMEAN given that the coarse estimate exists (Theorem 4.2.1, fifth display)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.tri.chapter4 import mean_steps as steps
from proofs_check.papers.tri.common import clipping_constant, printed_table
from proofs_check.steps import ByCheck, ByClaim, ByHand

__all__ = ["CLAIMS", "conditional_bound"]

SIGMA = 10


def conditional_bound(
    eps: Any, delta: Any, n2: Any, psi: Any, lam: Any, n1: Any, *, sigma: Any = SIGMA, numbers: Any
) -> Any:
    """1 / n2 + (8 c^2 + K^2 psi^2 N^(2/lam)) / N^2 + 2 (gamma^(1-2/lam) m^(2/lam) + gamma c^2) / (1 - gamma).

    gamma = delta^2, N = n2 eps, c = sigma + psi N^(1/lam), m = sigma^lam / 2 + n1 2^(lam-1) psi^lam.
    """
    N, gamma = n2 * eps, delta**2
    width = psi * numbers.power(N, 1 / lam)
    c = sigma + width
    moment = numbers.power(sigma, lam) / 2
    moment = moment + n1 * numbers.power(Fraction(2), lam - 1) * numbers.power(psi, lam)
    off = numbers.power(gamma, 1 - 2 / lam) * numbers.power(moment, 2 / lam) + gamma * c**2
    bias = clipping_constant(lam, numbers=numbers) * width
    return 1 / n2 + (8 * c**2 + bias**2) / N**2 + 2 * off / (1 - gamma)


@proves(
    "Dividing by the chance of success costs 1 / (1 - gamma) on the exceptional event only.",
    Method.SMT,
)
@mutant("0.99 of it", factor=Fraction(99, 100))
@for_all(reals("p g good off base"), polynomial=True)
def success_is_likely(
    p: Any, g: Any, good: Any, off: Any, base: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """Then p x <= p base + off and p >= 1 - gamma give x <= base + off / (1 - gamma)."""
    given = all_of(
        g >= 0, g < 1, p >= 1 - g, p <= 1, base >= 0, off >= 0, p * good <= p * base + off
    )
    return implies(given, (good - base) * (1 - g) <= factor * off)


POINTS: Sequence[tuple[Any, ...]] = (
    (".5", "1e-6", 10**5, 1, 6, 3626),
    (".5", "1e-3", 10**4, "1.5", 4, 1858),
    (".9", "1e-2", 10**4, 1, 4, 1268),
)
"""eps, delta, n2, psi, lam and n1."""

VALUES = ("1.25286852241995e-5", "0.567852100958776", "2.53954546544426")


@encloses("The bound at three points.", Method.ENCLOSURE)
@mutant("sigma = 10.1 for 10", sigma=Fraction(101, 10))
def values(sigma: Fraction = Fraction(SIGMA)) -> Finding:
    """Evaluate the bound at three points."""
    return printed_table(
        lambda *point, numbers: conditional_bound(*point, sigma=sigma, numbers=numbers),
        list(zip(POINTS, VALUES, strict=True)),
    )


CLAIMS = (
    Claim(
        id="TRI-T4.2.1-given",
        source="Theorem 4.2.1, fifth display, with constants",
        says="The mean squared error of DPUMEAN, given that the coarse estimate exists, has an explicit bound without the error of name-and-shame.",
        latex=(
            r"\mathbb{E}\bigl[(\hat\mu-\mu)^2 \mid \tilde\mu \ne \bot\bigr] \le \frac1{n_2} + \frac{8c^2 + K(\lambda)^2\psi^2 "
            r"N^{2/\lambda}}{N^2} + \frac{2}{1 - \gamma}\Bigl(\gamma^{1-2/\lambda}\bigl(\tfrac{\sigma^{\lambda}}{2} + n_1 2^{\lambda-1}\psi^{\lambda}\bigr)^{2/\lambda} + \gamma c^2\Bigr)"
        ),
        status=Status.CORRECTED,
        domain="as Theorem 4.2.1, with gamma = delta^2 and n1 for it (printed: an O-form for all n2 and eps, with the exponent 2/(lam - 1))",
        checks=checks_of(*steps.CLIPPING, steps.hoelder, success_is_likely, values),
        assumes=("TRI-P4.1.3", "TRI-E4.1", "TRI-LB.1.2"),
        errata=("TRI-ER-08",),
        ours=True,
        why="The print has an O-form for all n2 and eps, false for small n2 eps and at lam = 2 (TRI-ER-08).",
        right="The explicit bound of the formula.",
        steps=(
            ByClaim(
                "TRI-E4.1",
                "The coarse estimate fails, or is more than sigma off, with probability at most gamma: so it exists with probability at least 1 - gamma.",
            ),
            ByHand(
                "Given that it exists and what it is, the second half is as before, and the error is the noise 8 c^2/N^2, the variance of the clipped mean, at most 1/n2 because clipping is a contraction, and the squared bias."
            ),
            ByCheck("far_from_the_clip"),
            ByCheck("bias_is_small"),
            ByClaim(
                "TRI-LB.1.2",
                "Where the estimate is within sigma the squared bias is at most K(lam)^2 psi^2 N^(2/lam)/N^2.",
            ),
            ByCheck("own_route"),
            ByCheck("hoelder"),
            ByClaim(
                "TRI-P4.1.3",
                "Elsewhere it is at most (|mu~ - mu| + c)^2, whose mean on that event is at most 2 gamma^(1-2/lam) (sigma^lam/2 + n1 2^(lam-1) psi^lam)^(2/lam) + 2 gamma c^2.",
            ),
            ByCheck(
                "success_is_likely",
                "The conditional mean is that of an existing estimate over its chance.",
            ),
        ),
        note="It is below the bound of TRI-T4.2.1-sharp over 1 - gamma, as it has no error of name-and-shame.",
    ),
)
