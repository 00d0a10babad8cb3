"""Packs that tests look at, and the program that lies in them."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import audit
from audit.attestation.pack import write_pack
from audit.attestation.predicate import PROGRAM
from audit.attestation.program import verifier
from audit.certificate.certificate_form import Certificate

__all__ = [
    "CERTIFIED",
    "PACKED",
    "SOURCES",
    "bare",
    "certificate",
    "certificate_of",
    "gate_record",
    "make_pack",
    "program",
]

PACKED = ("ksw.transformed-hourglass", "pdp.adpm", "tri.tilted-sign")
"""Whose certificates lie in a pack: of two lemmas and of weights, quick to check."""

GONE_THROUGH = ("sub.threshold", "sub.inverse-sensitivity")
"""Whose certificates go through multisets: here of few records."""

CERTIFIED = (
    *("ksw.independent-laplace", "ksw.shifted-laplace", "ksw.transformed-laplace"),
    *("ksw.transformed-staircase", "ksw.swap-laplace", "ksw.swap-staircase"),
    *("tri.clipped-mean", "sub.bounded-mean", "pdp.weighted-mean"),
    *(*PACKED, *GONE_THROUGH),
)
"""Mechanisms with a certificate of each kind."""

SOURCES = Path(__file__).parents[1] / "frozen" / "project"


@cache
def program() -> ModuleType:
    """The program of a pack, loaded beside the packages it is made of."""
    module = ModuleType("verify_evidence")
    sys.modules["verify_evidence"] = module  # where its dataclasses look for their module
    exec(compile(verifier(), PROGRAM, "exec"), module.__dict__)
    return module


def bare(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a file by a Python without site packages, paths or environment."""
    command = [sys.executable, "-I", "-S", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@cache
def certificate_of(mechanism: str) -> str:
    """The text of the certificate of a mechanism."""
    words = {"multisets": "2,2"} if mechanism in GONE_THROUGH else {}
    proof = audit.prove(mechanism, **words).proof
    assert proof is not None
    assert proof.certificate is not None
    return proof.certificate.text()


def gate_record() -> dict[str, Any]:
    """A gate's report: proofs, and an audit by samples."""
    audits = [
        {"name": name, "report": _proved(json.loads(certificate_of(name)))} for name in PACKED
    ]
    sampled = {
        "kind": "audit",
        "target": "targets.py:half",
        "parameters": {},
        "verdict": "CONSISTENT",
        "reason": "nothing was found",
        "order": "free",
        "seed": 1,
        "samples": 1000,
        "claim": {"level": "pure", "epsilon": "1", "relation": "swap", "source": "", "derived": []},
    }
    audits.append({"name": "by samples", "report": sampled})
    audits.append({"name": "without a result", "report": None})
    return {"schema_version": 1, "kind": "gate", "seed": 1, "audits": audits, "versions": {}}


def _proved(certificate: dict[str, Any]) -> dict[str, Any]:
    claim = dict(certificate["claim"])
    level = "personalized" if "budgets" in claim else "pure"
    if level == "pure":
        claim.pop("delta")
    return {
        "kind": "exact",
        "target": certificate["mechanism"],
        "parameters": {},
        "verdict": "PROVED",
        "reason": "no record loses more",
        "order": "free",
        "claim": {"level": level, **claim, "source": "", "derived": []},
        "proof": {"rechecked": True, "certificate": certificate},
    }


def make_pack(folder: Path, record: dict[str, Any] | None = None) -> Path:
    """Write the pack of a record."""
    text = json.dumps(record or gate_record(), indent=2)
    write_pack(text, folder, sources=SOURCES)
    return folder


def certificate(text: str) -> Any:
    """A certificate as the program reads it, and as the package does."""
    return program().Certificate.read(text), Certificate.read(text)
