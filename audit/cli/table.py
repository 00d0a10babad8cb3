"""`touchstone table`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audit.cli.options import Count, check_output, terminable, write
from audit.runs.session import fresh_seed
from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    from audit.suite.exit_status import Exit
    from audit.tables.empirical import Joined
    from proofs_check.tables.keys import VectorKey
    from proofs_check.tables.table import Built, Table

__all__ = ["command"]

ALL = "all"
"""In place of a name: every table."""

DEFAULT_FALSE_ALARM = 1e-3

SHOWN = 20
"""Cells that differ are named up to this number."""

KEYS = {
    "epsilon": "Privacy budget.",
    "n": "Number of records.",
    "mean": "Mean between the bounds, 0 to 1.",
    "N": "Number of records times epsilon.",
    "gamma": "Shape of the hourglass; 0 for the best.",
    "beta": "Bound on the bias.",
    "lam": "Order of the moment that is bounded.",
    "psi": "Bound on that moment's root.",
    "delta": "Privacy parameter.",
    "blocks": "Number of shuffled blocks.",
    "delta_1": "Part of delta that shuffling costs.",
    "delta_0": "delta of each shuffled mechanism.",
    "budgets": 'Vectors of budgets: "0.1*10 1*10; 1*100".',
    "records": 'Data sets: "0*6 1 2; 0:1:lin:101".',
    "steps": 'Mechanisms: "500 of poisson-gaussian q=0.01 sigma=1 + gaussian sigma=5; ...".',
    "k": "How often all of them.",
    "relation": "Neighbors: add-remove; swap.",
    "accountant": "Library, version and name of an accountant.",
    "claimed": "The epsilon that it claims.",
}
"""Options that set the grid of a key."""


def _grid_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for name, says in reversed(KEYS.items()):
        option = f"--{name.replace('_', '-')}"
        function = click.option(option, f"key_{name}", metavar="GRID", help=says)(function)
    return function


@click.command("table", epilog="GRID: 0.1:10:log:25, 0:1:lin:11, or 0.1,1,2.")
@click.argument("name")
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "md", "json"]),
    default="csv",
    show_default=True,
)
@click.option("--check", "file", metavar="FILE", help="Check a stored table instead of making one.")
@_grid_options
@click.option("--data", metavar="FILE.csv", help="Your own budgets or records, one a row.")
@click.option("--column", metavar="NAME", help="Column of --data, where it has several.")
@click.option(
    "--empirical", is_flag=True, help="Measure mechanisms and installed libraries beside it."
)
@click.option("--seed", type=Count(min=0), help="Seed of --empirical  [fresh, printed]")
@click.option("--samples", type=Count(min=2), help="Draws of each cell with --empirical  [200000]")
@click.option(
    "--false-alarm",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Probability that --empirical finds a right number inconsistent  [0.001]",
)
@click.option("-o", "--output", metavar="FILE", help="Write the table to a file.")
def command(
    name: str,
    form: str,
    file: str | None,
    data: str | None,
    column: str | None,
    empirical: bool,
    seed: int | None,
    samples: int | None,
    false_alarm: float | None,
    output: str | None,
    **keys: str | None,
) -> int:
    """Regenerate a verified table of bounds, or check a stored one cell by cell.

    NAME is one of `touchstone list tables`, or `all`. Every number is right to its last digit; a
    stored table holds its own grid in its key columns.

    Exit status: 0 made, or all cells hold; 1 a cell differs, or a measured interval does not
    contain its number; 2 wrong usage, or the file is no such table; 3 a digit is not certain.
    """
    grids = {key.removeprefix("key_"): grid for key, grid in keys.items() if grid is not None}
    if (seed is not None or samples is not None or false_alarm is not None) and not empirical:
        msg = "--seed, --samples and --false-alarm go with --empirical"
        raise InvalidArgument(msg)
    if file is not None and (grids or data is not None or empirical or output is not None):
        msg = "--check takes the grid from the file: no other option goes with it"
        raise InvalidArgument(msg)
    if name != ALL:
        check_output(output)
    measured = {
        "seed": fresh_seed() if seed is None else seed,
        "false_alarm": DEFAULT_FALSE_ALARM if false_alarm is None else false_alarm,
        "samples": samples,
    }
    with terminable():
        if file is not None:
            return _check(name, file)
        return _make(name, form, output, grids, data, column, measured if empirical else None)


def _make(
    name: str,
    form: str,
    output: str | None,
    grids: dict[str, str],
    data: str | None,
    column: str | None,
    measured: dict[str, Any] | None,
) -> Exit:
    """Make one table, or all; what cannot be decided is inconclusive."""
    from audit.report.characters import complaint
    from audit.suite.exit_status import Exit
    from proofs_check.enclosure import Undecided

    try:
        if name == ALL:
            if grids or data is not None or measured is not None:
                msg = "`table all` makes every table on its own grid: name one for other grids"
                raise InvalidArgument(msg)
            return _all(form, output)
        built, joined = _built(name, grids, data, column), None
        if measured is not None:
            from audit.tables.empirical import join

            joined = join(built, **measured)
        return _told(built, joined, form, output)
    except Undecided as exc:
        click.echo(complaint(str(exc)), err=True)
        return Exit.INCONCLUSIVE


def _built(name: str, grids: dict[str, str], data: str | None, column: str | None) -> Built:
    from proofs_check.tables.registry import find_table
    from proofs_check.tables.table import build

    table = find_table(name)
    if data is not None:
        key = _vector_of(table, grids)
        grids = {key.name: _vector(data, column, key), **grids}
    elif column is not None:
        msg = "--column goes with --data"
        raise InvalidArgument(msg)
    return build(table, grids)


def _vector_of(table: Table, grids: dict[str, str]) -> VectorKey:
    """Key that a file of data gives."""
    from proofs_check.tables.keys import VectorKey

    keys = [key for key in table.keys if isinstance(key, VectorKey)]
    if not keys or keys[0].name in grids:
        fault = f"--{keys[0].name} and --data exclude each other" if keys else "it has no such key"
        msg = f"--data gives a vector to a table such as personalized or subset-risk: {fault}"
        raise InvalidArgument(msg)
    return keys[0]


def _vector(data: str, column: str | None, key: VectorKey) -> str:
    """Read a column of numbers as the user typed them."""
    from audit.pairs.pair_files import read_column
    from mechanisms.validation import exact
    from proofs_check.tables.keys import vector_text

    numbers = read_column(data, column).tolist()
    for count, number in enumerate(numbers, start=1):
        if key.positive and number <= 0:
            msg = f"{data}, number {count}: {key.name} must be greater than 0, got {number:g}"
            raise InvalidArgument(msg)
    return vector_text(exact(number) for number in numbers)


def _told(built: Built, joined: Joined | None, form: str, output: str | None) -> Exit:
    from audit.report.table_reports import table_report
    from audit.suite.exit_status import Exit

    write(table_report(form, built, joined), output)
    if joined is None:
        return Exit.OK
    wrong = [key for key, one in joined.measured.items() if not one.consistent]
    for reason in joined.left_out:
        click.echo(f"not measured: {reason}", err=True)
    for row, column in wrong:
        keys = zip(built.table.keys, built.rows[row].keys, strict=True)
        where = ", ".join(f"{key.name} = {text}" for key, text in keys)
        one = joined.measured[row, column]
        click.echo(
            f"INCONSISTENT: {built.table.name}, {where}, column {column!r}: {one.source} gave "
            f"[{one.texts[0]}, {one.texts[1]}] in {one.draws} draws",
            err=True,
        )
    if form == "csv":
        click.echo(f"measured: {joined.says()}", err=True)
    return Exit.REFUTED if wrong else Exit.OK


def _check(name: str, file: str) -> Exit:
    """Check one file, or with `all` every CSV file of a folder."""
    from audit.suite.exit_status import Exit, worst
    from audit.suite.stored_tables import check_file, check_files, checked_text

    if name != ALL:
        outcome = check_file(file, name)
        write(checked_text(outcome, SHOWN), None)
        return outcome.status
    files = sorted(str(path) for path in Path(file).glob("*.csv"))
    if not files:
        msg = f"{file} is no folder with stored tables"
        raise InvalidArgument(msg)
    check_files(files)
    statuses = [Exit.OK]
    for one in files:
        outcome = check_file(one)
        write(checked_text(outcome, SHOWN), None)
        statuses.append(outcome.status)
    return worst(statuses)


def _all(form: str, output: str | None) -> Exit:
    """Make all tables: the page of them, or a file of each in a folder."""
    from audit.report.table_reports import table_page, table_report
    from audit.suite.exit_status import Exit
    from proofs_check.tables.registry import TABLES, find_table
    from proofs_check.tables.table import build

    if form == "md":
        check_output(output)
        write(table_page({name: build(find_table(name)) for name in TABLES}), output)
        return Exit.OK
    if output is None or not Path(output).is_dir():
        msg = f"`table all --format {form}` writes a file of each: --output must be a folder"
        raise InvalidArgument(msg)
    for name in TABLES:
        text = table_report(form, build(find_table(name)))
        write(text, str(Path(output) / f"{name}.{form}"))
    return Exit.OK
