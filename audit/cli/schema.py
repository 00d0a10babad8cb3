"""`touchstone schema FILE.csv`."""

from __future__ import annotations

from pathlib import Path

import click

from audit.cli.options import check_output, write

__all__ = ["command"]


@click.command("schema")
@click.argument("file", metavar="FILE.csv")
@click.option("--unit", metavar="COLUMN", help="The column that says whose row it is.")
@click.option("--output", metavar="FILE.toml", help="Write it to a file.")
def command(file: str, unit: str | None, output: str | None) -> None:
    """Propose a schema for the tables of FILE.csv, as TOML.

    Types, bounds and categories are those of its rows. They may be private, so that no audit takes
    the schema before somebody has looked at it and taken out a line.
    """
    from audit.targets.tables.proposal import proposal

    check_output(output)
    write(proposal(Path(file), unit), output)
