"""`touchstone init`."""

from __future__ import annotations

from pathlib import Path

import click

from audit.cli.options import write

__all__ = ["command"]

FILE = "touchstone.toml"

EPILOG = """\b
MODULE is file.py, notebook.ipynb or package.module. It is imported, and a few draws are made from
what is found. Without MODULE the file holds an entry to be filled in.
"""


@click.command("init", epilog=EPILOG)
@click.argument("module", required=False)
@click.option("--force", is_flag=True, help=f"Write over a {FILE} that is there.")
def command(module: str | None, force: bool) -> int:
    """Write a commented touchstone.toml with a first audit of each mechanism in MODULE.

    Exit status: 0 written, 2 wrong usage.
    """
    from audit.request.configuration import read_config
    from audit.scaffold.configuration_text import configuration, summary
    from audit.scaffold.make import drafts_of
    from audit.targets.separation import now_at
    from mechanisms.errors import InvalidArgument

    now_at(module or "")
    path = Path(FILE)
    if not force and path.exists():
        msg = f"{FILE} is there already; --force writes over it"
        raise InvalidArgument(msg)
    if not force and _in_pyproject():
        msg = (
            f"pyproject.toml has [tool.touchstone] already, and {FILE} would take its place; "
            "--force writes it"
        )
        raise InvalidArgument(msg)
    drafts = [] if module is None else drafts_of(module)
    write(configuration(drafts), FILE, "init:")
    good = [draft for draft in drafts if not draft.fault]
    if good:
        read_config(path)  # what was written is read as it was meant
    noun = "audit" if len(good) == 1 else "audits"
    click.echo(f"wrote {FILE}" + (f": {len(good)} {noun}" if drafts else ""))
    width = max((len(draft.table["target"]) for draft in drafts), default=0)
    rows = [(draft, f"  {draft.table['target']:<{width}}   ") for draft in drafts]
    listed = [f"{name}{summary(draft)}" for draft, name in rows if not draft.fault]
    others = [f"{name}{draft.fault}" for draft, name in rows if draft.fault]
    for line in (*[""] * bool(drafts), *listed, *["Not audited:"] * bool(others), *others, ""):
        click.echo(line)
    first = "check the guesses and `domain`" if good else "fill in an entry"
    click.echo(f"Next: 1. {first} in {FILE}   2. touchstone gate")
    return 0


def _in_pyproject() -> bool:
    from audit.files.bounded_toml import read_toml
    from mechanisms.errors import InvalidData

    try:
        tools = read_toml(Path("pyproject.toml")).get("tool", {})
    except InvalidData:
        return False
    return isinstance(tools, dict) and "touchstone" in tools
