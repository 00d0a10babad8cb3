"""Privacy of the inverse sensitivity mechanism with the exponent eps / 2 (SUB, Algorithm 5)."""

from __future__ import annotations

from fractions import Fraction

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Method, Status
from proofs_check.language import Private, decided, solve
from proofs_check.papers.sub.thresholds.mechanism import (
    BY_SUMS,
    drawn_by_weights,
    sums_move_as_weights,
)
from proofs_check.steps import ByClaim

__all__ = ["CLAIMS"]


@proves("If all weights change at most by e^(eps / 2), probabilities do by e^eps.", Method.SMT)
@mutant("0.99 eps", share=Fraction(99, 100))
@decided(solve, polynomial=True)
def inverse_sensitivity_is_private(share: Fraction = Fraction(1)) -> Private:
    """The length of a value is the exponent of its weight."""
    what = "Inverse sensitivity with weights e^(-eps len / 2)"
    return drawn_by_weights(what, "add-remove", share)


CLAIMS = (
    Claim(
        id="SUB-A5p",
        source="Algorithm 5 with the exponent eps / 2, privacy",
        states=(inverse_sensitivity_is_private,),
        domain="d is by how much the length of a value moves, c by how much the log of the sum of the weights does",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(inverse_sensitivity_is_private, sums_move_as_weights),
        assumes=("SUB-A5",),
        steps=(
            ByClaim("SUB-C.len", "A record more or less changes each length by at most one."),
            BY_SUMS,
        ),
    ),
)
