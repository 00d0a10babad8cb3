"""Privacy of Algorithm 4 of PDP: two scans of AboveThreshold on a random matching."""

from __future__ import annotations

from proofs_check.checks import checks_of, reworded
from proofs_check.claim import Claim, Status
from proofs_check.language import Sentence
from proofs_check.papers.pdp.range.discretization import queries_are_offset
from proofs_check.papers.pdp.range.matchings import coupling_changes_one_pair
from proofs_check.steps import ByCheck, ByClaim, ByHand

__all__ = ["CLAIMS"]


CLAIMS = (
    Claim(
        id="PDP-A4p",
        source="Algorithm 4, privacy",
        states=(
            queries_are_offset,
            Sentence(
                "So Discretization is eps-differentially private for one changed record.",
                r"P(b \mid D) \le e^{\varepsilon} P(b \mid D')",
            ),
        ),
        domain="each of two scans has the budget eps / 2; a random matching, independent of the values, in place of all pairs",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(
            queries_are_offset,
            reworded(
                coupling_changes_one_pair,
                "Random matchings of at most six survivors can be coupled so that one pair changes.",
            ),
        ),
        assumes=("PDP-A1p", "PDP-A4"),
        steps=(
            ByCheck("coupling_changes_one_pair"),
            ByHand(
                "For more survivors the coupling is the same: only the changed record's partner differs."
            ),
            ByClaim("PDP-A1p", "Each scan is AboveThreshold on queries that move by at most one."),
        ),
    ),
)
