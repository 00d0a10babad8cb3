"""Recheck a certificate: everything that it states is derived again and compared.

What is checked: the digest, the sentence, the mechanism and its parameters (stated again in
`audit.certificate.queries`), the evidence (derived again), the lemmas, the largest
loss, and that the claim allows it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

from audit.certificate.document import Certificate, number, sentence
from audit.certificate.lemmas import evidence_of
from audit.certificate.queries import restated
from mechanisms.errors import CertificateError

__all__ = ["ALL_NEIGHBORS", "POST_PROCESSING", "verify"]

ALL_NEIGHBORS = "all neighbors of all data sets"
POST_PROCESSING = "post-processing"
"""No function of a private output loses more (Dwork and Roth 2014, Proposition 2.1)."""


def verify(certificate: Certificate) -> str:
    """Recheck a certificate.

    Parameters
    ----------
    certificate : Certificate
        As read.

    Returns
    -------
    str
        What is proved.

    Raises
    ------
    CertificateError
        If it does not prove what it states, or states it wrongly.
    """
    if certificate.digest != certificate.expected_digest():
        _reject("the digest is not that of the other fields")
    claim = _claim(certificate.claim)
    if set(certificate.covers) != {"pairs"}:
        _reject(f"covers must have pairs alone, got {certificate.covers!r}")
    _same("pairs", certificate.covers["pairs"], ALL_NEIGHBORS)
    said = sentence(certificate.mechanism, certificate.parameters, certificate.claim, ALL_NEIGHBORS)
    _same("statement", certificate.statement, said)
    query = restated(certificate.mechanism, certificate.parameters)
    lemma, evidence, loss = evidence_of(query)
    _same("relation", certificate.claim["relation"], query.relation)
    _same("lemmas", certificate.lemmas, [lemma, POST_PROCESSING])
    _same("evidence", certificate.evidence, evidence)
    _same("loss", certificate.loss, [str(loss), str(loss)])
    if loss > claim:
        _reject(f"the claim is epsilon = {claim}, the largest loss {loss}")
    return said


def _claim(claim: dict[str, str]) -> Fraction:
    """Epsilon of a claim; a delta of at least 0 is given away."""
    if set(claim) != {"epsilon", "delta", "relation"}:
        _reject(f"a claim has epsilon, delta and relation, got {claim!r}")
    epsilon, delta = (number(claim[name], name) for name in ("epsilon", "delta"))
    if not (epsilon >= 0 and 0 <= delta < 1):
        _reject(f"epsilon must be at least 0 and delta in [0, 1), got {claim!r}")
    return epsilon


def _same(name: str, found: Any, expected: Any) -> None:
    if type(found) is not type(expected) or found != expected:
        _reject(f"{name} must be {expected!r}, got {found!r}")


def _reject(reason: str) -> NoReturn:
    raise CertificateError(reason)
