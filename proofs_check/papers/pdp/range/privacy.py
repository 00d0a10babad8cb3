"""Privacy of Algorithm 4 of PDP: two scans of AboveThreshold on a random matching."""

from __future__ import annotations

from proofs_check.claim import Check, Claim, Method, Status
from proofs_check.language import (
    Sentence,
)
from proofs_check.papers.pdp.common import PERCENT
from proofs_check.papers.pdp.range.discretization import queries_are_offset
from proofs_check.papers.pdp.range.matchings import coupling_changes_one_pair, keep_partner_single
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
        checks=(
            Check(
                "The queries move by at most 1 if one pair is exchanged, 1/2 if one enters or leaves.",
                Method.SMT,
                queries_are_offset,
                mutants={"0.505 |G|": {"weight": PERCENT / 2}},
            ),
            Check(
                "Random matchings of at most six survivors can be coupled so that one pair changes.",
                Method.EXACT,
                coupling_changes_one_pair,
                mutants={
                    "partner and the one left over stay apart": {"remove": keep_partner_single}
                },
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
