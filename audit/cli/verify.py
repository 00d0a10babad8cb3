"""`touchstone verify FILE`."""

from __future__ import annotations

import time
from pathlib import Path

import click

__all__ = ["command"]


@click.command("verify")
@click.argument("file", metavar="FILE")
def command(file: str) -> int:
    """Recheck a certificate, with code that shares nothing with what made it.

    Exit status: 0 accepted, 1 rejected, 2 wrong usage.
    """
    from audit.certificate.document import Certificate
    from audit.certificate.verify import verify
    from audit.cli.exits import Exit
    from mechanisms.errors import CertificateError, InvalidData

    try:
        text = Path(file).read_text(encoding="utf-8")
    except FileNotFoundError as exc:
        msg = f"there is no file {file!r}"
        raise InvalidData(msg) from exc
    except (OSError, UnicodeDecodeError) as exc:
        msg = f"{file} cannot be read: {exc}"
        raise InvalidData(msg) from exc
    started = time.perf_counter()
    try:
        proved = verify(Certificate.read(text))
    except CertificateError as exc:
        click.echo(f"REJECTED: {file}\n{exc}")
        return Exit.REFUTED
    seconds = time.perf_counter() - started
    click.echo(f"ACCEPTED: {file}\n{proved}\nrechecked in {seconds:.3f} s")
    return Exit.OK
