"""PROVED is said after a second program has accepted the certificate, where there is one.

What proves (`audit.exact`) and what rechecks (`audit.certificate`) share no code. If they disagree
one of them is wrong, and nothing is said of the claim: that is an internal error.
"""

from __future__ import annotations

from audit.certificate.document import Certificate
from audit.certificate.verify import verify
from audit.verdict import ExactResult
from mechanisms.errors import CertificateError

__all__ = ["Disagreement", "rechecked"]


class Disagreement(RuntimeError):
    """A proof whose certificate was rejected; the message holds both reasons."""


def rechecked(result: ExactResult) -> ExactResult:
    """Return an exact result if its certificate is accepted, or it has none.

    Raises
    ------
    Disagreement
        If the certificate is rejected.
    """
    certificate = None if result.proof is None else result.proof.certificate
    if isinstance(certificate, Certificate):
        try:
            verify(certificate)
        except CertificateError as exc:
            msg = (
                f"the proof and its check disagree about {result.target}: proved, as "
                f"{result.reason}; rejected, as {exc}"
            )
            raise Disagreement(msg) from exc
    return result
