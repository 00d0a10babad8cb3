"""Certificates: `audit.verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from audit.request.word_values import check_file
from mechanisms.errors import InvalidArgument, InvalidData
from mechanisms.validation import shown

if TYPE_CHECKING:
    from audit.certificate.certificate_form import Certificate

__all__ = ["verify"]


def verify(certificate: str | Path | Certificate, /) -> Certificate:
    """Recheck a certificate, with code that shares nothing with what made it.

    Parameters
    ----------
    certificate : str, Path or Certificate
        A file, its text, or what a proof holds.

    Returns
    -------
    Certificate
        As it was read: its `statement` is proved.

    Raises
    ------
    CertificateError
        If it does not prove what it states.
    InvalidData
        If there is no such file, or it is no certificate.

    Examples
    --------
    >>> import audit
    >>> proof = audit.prove("ksw.swap-laplace").proof
    >>> audit.verify(proof.certificate).mechanism
    'ksw.swap-laplace'
    """
    from audit.certificate.certificate_check import verify as recheck
    from audit.certificate.certificate_form import Certificate, NotACertificate
    from audit.files.bounded_json import read_text

    given: object = certificate
    if isinstance(given, Certificate):
        recheck(given)
        return given
    if not isinstance(given, str | Path):
        msg = (
            "certificate must be a Certificate, its text or a file, got "
            f"certificate={shown(given)} (type {type(given).__name__})"
        )
        raise InvalidArgument(msg)
    text = str(given)
    if isinstance(given, Path) or not text.lstrip().startswith("{"):
        check_file("certificate", text)
        text = read_text(text)
    try:
        read = Certificate.read(text)
    except NotACertificate as exc:
        msg = f"this is no certificate: {exc}"
        raise InvalidData(msg) from exc
    recheck(read)
    return read
