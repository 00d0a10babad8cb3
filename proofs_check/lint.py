"""Checks that cannot fail: solver problems that rearrangement closes.

Such a check compares an expression with itself, rearranged. Its mutants break the tautology, not
the statement, so telling them apart shows nothing. A problem counts as closed if sorting sums of
monomials alone makes it, or the conclusion of its implication, true: then the conclusion stands
among the hypotheses, or follows from none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from proofs_check.claim import Check, Claim, Method
from proofs_check.smt import noting

__all__ = ["ALLOWED", "idle_checks", "is_idle"]

ALLOWED: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("SUB-C3.8", "smaller_than_printed"): (
            "2 <= 3 (m - 1) is m >= 2 for whole m: that the least m does is what is claimed"
        ),
        ("TRI-LC.2.1", "translated_bins"): (
            "rounding commutes with whole shifts: z3 knows this of its floor, and it is the claim"
        ),
        ("ENG-T9", "unseen_events_break_every_claim"): (
            "that s times 0 is 0 for every s is the whole of this step"
        ),
        **{
            (claim, "losses_of_a_user"): (
                "halves of the left end make the left end: its mutants have other shares of it"
            )
            for claim in ("PDP-A8p", "PDP-T4", "PDP-T13")
        },
    }
)
"""By id and name of a check, why its problems may be closed by simplification."""


def is_idle(check: Check) -> bool:
    """Whether all solver problems of a check are closed without their hypotheses.

    Nothing is solved; what else the check does (enumerate, enclose) it does.
    """
    with noting() as closed:
        try:
            check.decide()
        except Exception:  # noqa: BLE001 - a check may read a counterexample, of which there is none
            return False
    return bool(closed) and all(closed)


def idle_checks(chosen: Iterable[Claim]) -> list[tuple[str, str]]:
    """Return ids and names of the solver checks that cannot fail, without those that may."""
    return [
        (claim.id, check.name)
        for claim in chosen
        for check in claim.checks
        if check.method is Method.SMT and (claim.id, check.name) not in ALLOWED and is_idle(check)
    ]
