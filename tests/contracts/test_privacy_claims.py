"""What a mechanism promises is a claim with a proof, and no definition promises it."""

from __future__ import annotations

import pytest

from mechanisms.claims import PureDP
from mechanisms.registry import MECHANISMS, MechanismEntry
from proofs_check.claim import Claim, Status
from proofs_check.registry import claims
from proofs_check.statements.forms import Private

SOUND = [name for name, entry in MECHANISMS.items() if entry.form == "sound"]
PROOFS = (Status.PROVED, Status.CORRECTED)
RELATIONS = {
    "add-remove": {"add-remove"},
    "swap": {"swap", "the change of a record"},
}
"""What a statement calls a relation, by the mechanism's."""

ARGUED = {
    "ksw.release-mean": "its object is of whole numbers: a record moves the level by exactly one",
    "sub.monotone": "thresholds and a step on moved data, whose losses are added",
    "pdp.discretization": "two scans of AboveThreshold, under a coupling of matchings",
    "pdp.radius": "one scan of AboveThreshold",
    "pdp.above-threshold": "AboveThreshold itself, on counts that a record moves by one",
}
"""Sound mechanisms of pure privacy whose proof is no bound of one loss, with the reason."""


def is_about_privacy(claim: Claim) -> bool:
    """Whether a claim with a proof says that something is private, or is named so."""
    words = ("private", "-DP", "privacy", "chances of an event", "chance of an event", "changes ch")
    named = f"{claim.says} {claim.source}"
    return claim.status in PROOFS and any(word in named for word in words)


def bounds_the_loss(claim: Claim, relation: str) -> bool:
    """Whether a loss under a relation is bounded by an object that the claim states."""
    objects = [part.statement for part in claim.states]
    return any(isinstance(o, Private) and o.relation in RELATIONS[relation] for o in objects)


def missing(entry: MechanismEntry, *, argued: bool) -> str:
    """What is missing for the privacy of a mechanism to be proved; nothing if it is."""
    named = [claims()[name] for name in entry.claims]
    proofs = [claim for claim in named if is_about_privacy(claim)]
    if not proofs:
        return f"none of {entry.claims} proves privacy"
    pure = isinstance(entry._mechanism.claim.level, PureDP)
    if pure and not argued and not any(bounds_the_loss(c, entry.relation) for c in proofs):
        return f"none of {entry.claims} bounds the loss under {entry.relation}"
    return ""


@pytest.mark.parametrize("name", SOUND)
def test_privacy_is_a_claim_with_a_proof(name: str) -> None:
    """It must hold of every sound mechanism, under its own relation."""
    assert missing(MECHANISMS[name], argued=name in ARGUED) == ""


def test_a_definition_proves_nothing() -> None:
    """It must hold that its algorithm alone, or the proof for another relation, is noticed."""
    independent = MECHANISMS["ksw.independent-laplace"]
    object.__setattr__(independent, "claims", ("KSW-A1",))
    try:
        assert "proves privacy" in missing(independent, argued=False)
        object.__setattr__(independent, "claims", ("KSW-SWp",))
        assert "bounds the loss under add-remove" in missing(independent, argued=False)
    finally:
        object.__setattr__(independent, "claims", ("KSW-A1", "KSW-A1p"))


def test_what_is_argued_needs_to_be() -> None:
    """It must hold that no mechanism is excused whose loss is bounded by an object."""
    excused = [n for n in ARGUED if n not in SOUND or not missing(MECHANISMS[n], argued=False)]
    assert excused == []
