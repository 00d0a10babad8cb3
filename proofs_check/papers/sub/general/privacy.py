"""Privacy of the inverse sensitivity mechanism with the exponent eps / 2 (SUB, Algorithm 5)."""

from __future__ import annotations

from fractions import Fraction

from proofs_check.claim import Check, Claim, Method, Status
from proofs_check.language import Sentence
from proofs_check.papers.sub.thresholds.mechanism import weights_make_it_private
from proofs_check.steps import ByClaim

__all__ = ["CLAIMS"]

CLAIMS = (
    Claim(
        id="SUB-A5p",
        source="Algorithm 5 with the exponent eps / 2, privacy",
        states=(
            weights_make_it_private,
            Sentence(
                "So inverse sensitivity with weights e^(-eps len / 2) is eps-differentially private "
                "under add-remove.",
                r"P(t(D) = v) \le e^{\varepsilon} P(t(D') = v)",
            ),
        ),
        domain="w and y are a weight and their sum before, v and z after; g = e^(eps / 2)",
        status=Status.PROVED,
        ours=True,
        checks=(
            Check(
                "If all weights change at most by a factor, densities do by its square.",
                Method.SMT,
                weights_make_it_private,
                mutants={"0.99 g^2": {"factor": Fraction(99, 100)}},
            ),
        ),
        assumes=("SUB-A5",),
        steps=(ByClaim("SUB-C.len", "A record more or less changes each length by at most one."),),
    ),
)
