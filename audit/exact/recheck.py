"""PROVED is said after a second program has accepted the certificate, where there is one.

What proves (`audit.exact`) and what rechecks (`audit.certificate`) share no code. If they disagree
one of them is wrong, and nothing is said of the claim: that is an internal error. A proof that is
too large to go through again has no certificate.
"""

from __future__ import annotations

from dataclasses import replace

from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import Certificate, TooLarge
from audit.results.exact_result import ExactResult
from mechanisms.errors import CertificateError

__all__ = ["Disagreement", "rechecked"]


class Disagreement(RuntimeError):
    """A proof whose certificate was rejected; the message holds both reasons."""


def rechecked(result: ExactResult) -> ExactResult:
    """Return an exact result if its certificate is accepted, or else without certificate.

    Raises Disagreement if the certificate is rejected.
    """
    proof = result.proof
    if proof is not None and isinstance(proof.certificate, Certificate):
        try:
            verify(proof.certificate)
        except TooLarge:
            return replace(result, proof=replace(proof, certificate=None))
        except CertificateError as exc:
            msg = (
                f"the proof and its check disagree about {result.target}: proved, as "
                f"{result.reason}; rejected, as {exc}"
            )
            raise Disagreement(msg) from exc
    return result
