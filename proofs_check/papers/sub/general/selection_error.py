"""How far the score of inverse sensitivity is from the best one (SUB, Algorithm 5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.exponential import ExpSum
from proofs_check.papers.sub.common import PERCENT
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import Rational, exp, identical, symbols

__all__ = ["CLAIMS", "score_reach"]


def score_reach(points: Any, epsilon: Any, zeta: Any, *, numbers: Any) -> Any:
    """(2 / eps) ln(m / zeta): a score so far above the least one has probability at most zeta."""
    return 2 / epsilon * numbers.log(points / zeta)


@proves("m e^(-eps r / 2) = zeta.", Method.SYMBOLIC)
@mutant("eps / 2.02", two=2 * PERCENT)
def far_scores_are_rare(two: Fraction = Fraction(2)) -> Finding:
    """M e^(-(eps / 2) r) = zeta at r = (2 / eps) ln(m / zeta)."""
    m, e, zeta = symbols("m epsilon zeta", positive=True)
    reach = score_reach(m, e, zeta, numbers=SYMBOLIC)
    rate = e / Rational(two.numerator, two.denominator)
    box = {m: (2, 99), e: (0, 9), zeta: (0, 1)}
    return identical(m * exp(-rate * reach), zeta, box)


@confirms("Five points, of which four are far: exact masses.", Method.EXACT)
@mutant("0.99 of it", loss=Fraction(99, 100))
def smallest_weights(points: int = 5, most: int = 8, loss: Fraction = Fraction(1)) -> Finding:
    """Weights e^-s of scores 0, r, r, ...: the mass of the m - 1 far ones is at most (m - 1) e^-r."""
    found = []
    for r in range(most):
        far = ExpSum.exp(Fraction(-r), points - 1)
        total = far + 1
        found.append(far <= total * ExpSum.exp(Fraction(-r), (points - 1) * loss))
    return every([exactly(all(found), f"{most} distances")])


CLAIMS = (
    Claim(
        id="SUB-A5u",
        source="our own (Algorithm 5, its error)",
        says="The score of the output exceeds the least score of the grid by (2 / eps) ln(m / zeta) or more with probability at most zeta.",
        latex=r"P\left(\mathrm{score}(D, t) \ge \min_s \mathrm{score}(D, s) + \tfrac{2}{\varepsilon} \ln\tfrac{m}{\zeta}\right) \le \zeta",
        domain="m grid points, weights e^(-eps score / 2), 0 < zeta < 1; any data and any score",
        status=Status.PROVED,
        ours=True,
        assumes=("SUB-A5",),
        checks=checks_of(far_scores_are_rare, smallest_weights),
        steps=(
            ByHand(
                "The weights relative to the best one are at most 1, and that one is 1, so the mass of all points r or more away is at most m e^(-eps r / 2)."
            ),
            ByCheck("far_scores_are_rare"),
        ),
        note="The crossing score has a point of score 0, and its sets {score <= r} are intervals of the grid.",
    ),
)
