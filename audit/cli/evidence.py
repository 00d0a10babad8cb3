"""`touchstone evidence RESULT.json -o PACK`."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command("evidence")
@click.argument("result", metavar="RESULT.json")
@click.option("-o", "--output", metavar="FOLDER", required=True, help="A folder, new or empty.")
@click.option(
    "--fields",
    metavar="FILE.toml",
    help="Answers of the evaluator to what no audit knows; the pack names what is missing.",
)
def command(result: str, output: str, fields: str | None) -> int:
    """Pack a result with what it rests on, for readers without this program.

    RESULT.json is a report in JSON of `touchstone audit` or `touchstone gate`; run this in the
    folder of the audit, since the sources of the targets are hashed. The pack's verify_evidence.py
    checks it with Python alone.

    Exit status: 0 made, and checked; 2 wrong usage, or no such report.
    """
    from audit.attestation.fields import unanswered
    from audit.attestation.pack import write_pack
    from audit.attestation.predicate import DIGEST, PROGRAM
    from audit.attestation.program import verifier
    from audit.files.bounded_json import read_text
    from audit.files.bounded_toml import read_toml
    from audit.files.plain import printable
    from audit.suite.exit_status import Exit

    given = {} if fields is None else read_toml(Path(fields))
    folder = Path(output)
    checked = write_pack(read_text(result), folder, sources=Path(), given=given, name=result)
    for name, verdict, _ in checked.audits:
        click.echo(printable(f"{verdict or 'no result'}: {name}").replace("\n", "\\n"))
    click.echo(
        f"{output}: {checked.files} files, {len(checked.proved)} certificates rechecked; "
        f"{PROGRAM} has {verifier().count(chr(10)):,} lines"
    )
    for said in checked.proved:  # a certificate knows of no claim: its sentence says what is proved
        click.echo(printable(f"rechecked: {said}").replace("\n", "\\n"))
    click.echo(f"sha256 of the statement: {checked.statement} (in {DIGEST})")
    for asker, names in unanswered(given).items():
        click.echo(f"nobody answers of {asker}: {', '.join(names)}")
    click.echo(f"check it: python -I -S {output}/{PROGRAM} {output}")
    return Exit.OK
