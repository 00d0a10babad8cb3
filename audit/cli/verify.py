"""`touchstone verify FILE`."""

from __future__ import annotations

import time

import click

__all__ = ["command"]

LONGEST = 1_000
"""Characters of a reason."""


@click.command("verify")
@click.argument("file", metavar="FILE")
def command(file: str) -> int:
    """Recheck a certificate, with code that shares nothing with what made it.

    Exit status: 0 accepted, 1 rejected, 2 wrong usage, or no certificate.
    """
    from audit.certificate.certificate_check import verify
    from audit.certificate.certificate_form import Certificate, NotACertificate
    from audit.files.bounded_json import read_text
    from audit.report.characters import as_lines
    from audit.suite.exit_status import Exit
    from mechanisms.errors import CertificateError, InvalidData

    try:
        certificate = Certificate.read(read_text(file))
    except NotACertificate as exc:
        msg = f"{file} is not a certificate: {_short(str(exc))}"
        raise InvalidData(msg) from exc
    started = time.perf_counter()
    try:
        proved = verify(certificate)
    except CertificateError as exc:
        click.echo(as_lines(f"REJECTED: {file}\n{_short(str(exc))}"))
        return Exit.REFUTED
    seconds = time.perf_counter() - started
    click.echo(as_lines(f"ACCEPTED: {file}\n{proved}\nrechecked in {seconds:.3f} s"))
    return Exit.OK


def _short(reason: str) -> str:
    """Cut a reason that quotes what is long."""
    return reason if len(reason) <= LONGEST else f"{reason[:LONGEST]} ..."
