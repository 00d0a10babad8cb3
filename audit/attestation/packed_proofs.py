"""The certificate of a report, if it is of what the report says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

from audit.attestation.predicate import as_written
from audit.certificate.accounts import ACCOUNT
from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import TABLE, Certificate
from mechanisms.errors import CertificateError, InvalidData

__all__ = ["certificate_of"]

NUMBER = re.compile(r"-?[0-9]{1,400}(?:/[0-9]{1,400}|(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,3})?)")
"""A number of a user's: `Fraction` would also compute "1e1000000000"."""


def certificate_of(report: Mapping[str, Any], name: str) -> Certificate | None:
    """The certificate of a report, rechecked, without what it says of its making; None without one.

    Raises InvalidData if it is not of the audit that the report is of.
    """
    proof = report.get("proof")
    held = proof.get("certificate") if isinstance(proof, dict) else None
    if held is None:
        return None
    try:
        certificate = Certificate.read(json.dumps(held))
        verify(certificate)
    except CertificateError as exc:
        _refuse(name, f"its certificate does not hold: {str(exc)[:200]}")
    total = certificate.mechanism == ACCOUNT and "verdict" in report and report["verdict"] is None
    if report.get("verdict") != "PROVED" and not total:  # a total may be of no claim
        _refuse(name, f"it has a certificate, and says {report.get('verdict')!r:.40}")
    if certificate.mechanism == ACCOUNT:
        _check_account(certificate, report, name)
    else:
        _check_audit(certificate, report, name)
    return replace(certificate, information={})


def _check_audit(certificate: Certificate, report: Mapping[str, Any], name: str) -> None:
    if certificate.mechanism != report.get("target"):
        _refuse(name, f"its certificate proves something of {certificate.mechanism}")
    claim = report.get("claim")
    if not isinstance(claim, dict) or _claimed(claim) != certificate.claim:
        _refuse(name, f"its certificate proves {certificate.claim!r}, and it claims {claim!r}")
    given = report.get("parameters") or {}
    if not isinstance(given, dict):
        _refuse(name, "parameters must be an object")
    for key, value in given.items():
        proved = certificate.parameters.get(key)
        if certificate.parameters != TABLE and not _is_equal(proved, value):
            _refuse(name, f"its certificate is of {key} = {proved}, the audit of {key} = {value}")


def _check_account(certificate: Certificate, report: Mapping[str, Any], name: str) -> None:
    steps, claim = report.get("steps"), report.get("claim")
    if report.get("kind") != "account" or not isinstance(steps, list):
        _refuse(name, "its certificate proves the total of an account")
    claimed = not isinstance(claim, dict) or claim.get("epsilon") is not None
    if claimed != (report["verdict"] is not None):
        _refuse(name, "a total has a verdict where one is claimed, and none where none is")
    if isinstance(claim, dict) and not claimed:
        # without a claim the upper end of the total is what is proved
        ends = report.get("epsilon")
        upper = str(ends.get("upper") if isinstance(ends, dict) else None)
        claim = claim | {"epsilon": str(Fraction(upper)) if NUMBER.fullmatch(upper) else upper}
    exact = [row.get("exact") if isinstance(row, dict) else None for row in steps]
    if as_written([exact, claim]) != as_written(
        [certificate.parameters["steps"], certificate.claim]
    ):
        _refuse(name, f"it has not the steps and the total of its proof: {certificate.statement}")


def _claimed(claim: Mapping[str, Any]) -> dict[str, Any]:
    """A report's claim as a certificate has it; nothing of levels that have no certificates."""
    keys = {
        "pure": ("epsilon",),
        "approximate": ("epsilon", "delta"),
        "personalized": ("budgets",),
    }.get(str(claim.get("level")), ())
    found = {key: claim.get(key) for key in (*keys, "relation")}
    return found | {"delta": "0"} if keys == ("epsilon",) else found


def _is_equal(one: Any, other: Any) -> bool:
    """Whether two parameters are the same, numbers as such: 0.5 is "1/2".

    A list may be one text with commas, as a user types it.
    """
    if isinstance(one, list) and isinstance(other, str):
        other = [part.strip() for part in other.split(",")]
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_equal, one, other))
    texts = str(one), str(other)
    if not all(map(NUMBER.fullmatch, texts)):
        return texts[0] == texts[1]
    try:
        return Fraction(texts[0]) == Fraction(texts[1])
    except ZeroDivisionError:
        return False


def _refuse(name: str, reason: str) -> NoReturn:
    msg = f"{name[:60]} cannot be packed: {reason}"[:280]
    raise InvalidData(msg)
