"""`touchstone figure`."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import Count, check_output, read_param, terminable
from mechanisms.errors import InvalidArgument

__all__ = ["command"]

OF_CLAIM = ("epsilon", "relation", "low", "high", "param")
"""Options that go with a target."""


@click.command("figure")
@click.argument("name")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    help="The picture: .png, .svg or .pdf; its data are written beside it as .csv.",
)
@click.option(
    "--seed", type=Count(min=0), default=1, show_default=True, help="Of all that is drawn."
)
@click.option("--target", metavar="TARGET", help="What to audit in a figure of an audit.")
@click.option("--epsilon", metavar="NUMBER", help="Claim of the target.")
@click.option("--relation", type=click.Choice(["add-remove", "swap"]), help="Of the claim.")
@click.option("--low", metavar="NUMBER", help="Public lower bound of the target's records.")
@click.option("--high", metavar="NUMBER", help="Public upper bound.")
@click.option("--param", multiple=True, metavar="NAME=VALUE", help="Parameter of the target.")
def command(name: str, output: str, seed: int, target: str | None, **claim: Any) -> int:
    """Redraw a figure of the papers, or show an audit; the numbers go beside it as CSV.

    NAME is one of `touchstone list figures`. The same seed gives the same files. The figures
    privacy-profile and wealth-paths audit --target, or show examples without one.

    Exit status: 0 drawn; 2 wrong usage, or matplotlib is not installed.
    """
    from audit.figures.figure_kind import Asked, data_file, picture_format
    from audit.figures.figure_registry import find_figure
    from audit.figures.picture_files import write_figure
    from audit.request.request import Request, by_field
    from audit.results.number_words import plural
    from audit.suite.exit_status import Exit

    figure = find_figure(name)
    picture_format(output)
    check_output(output)
    check_output(data_file(output), "the data beside --output:")
    audits: tuple[Request, ...] = ()
    if target is not None:
        claim["param"] = dict(read_param(text) for text in claim["param"])
        audits = (Request(target, ideal=True, **by_field(claim)),)
    elif any(claim[option] not in (None, ()) for option in OF_CLAIM):
        msg = f"--{', --'.join(OF_CLAIM)} go with --target"
        raise InvalidArgument(msg)
    with terminable():
        data = write_figure(figure, output, Asked(seed, audits), click.echo)
    rows = plural(len(data.rows), "row")
    click.echo(f"{output}: {name}; {rows} of data in {data_file(output)}")
    return Exit.OK
