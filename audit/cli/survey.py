"""`touchstone survey LIBRARY`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit.cli.options import (
    Count,
    check_output,
    options_of,
    status_line,
    terminable,
)
from audit.cli.reporting import Reports, write_all
from audit.levels.word import Of
from audit.request.word_table import named
from audit.runs.session import fresh_seed

__all__ = ["command"]


@click.command("survey")
@click.argument("library", metavar="[opendp|diffprivlib|pydp|MODULE]")
@click.option("--only", metavar="PATTERN", help="Rows whose name holds or fits this; or one row.")
@click.option(
    "--rows",
    metavar="FILE.toml",
    help="Calls of your own: for a module without a table, or in place of rows of the same name.",
)
@click.option(
    "--false-alarm",
    type=float,
    help="Probability that any row is REFUTED although every claim holds  [0.05]",
)
@click.option(
    "--budget-samples",
    type=Count(min=1),
    help="Draws of each row  [what its power statement needs]",
)
@click.option(
    "--budget-seconds",
    type=float,
    help="Cap of the wall time of all rows, split among those that remain  [600]",
)
@click.option(
    "--resolution",
    type=float,
    help="How far above its claim a violation may lie unseen  [2 where pairs are made]",
)
@click.option("--ideal", is_flag=True, help="Leave floating-point features out.")
@click.option("--seed", type=Count(min=0), help="Seed of the survey  [fresh, printed]")
@click.option(
    "--resume",
    metavar="FILE",
    help="Keep every row that is done in FILE, and go on from there if it exists.",
)
@options_of(named(Of.OUTPUT))
def command(
    library: str,
    only: str | None,
    rows: str | None,
    seed: int | None,
    resume: str | None,
    form: str,
    output: str | None,
    reports: Reports,
    inconclusive: str | None,
    **numbers: Any,
) -> int:
    """Audit a whole library: every public constructor has a row, or a reason why not.

    One false-alarm rate covers the table. What is REFUTED is confirmed on fresh draws; a library
    that leaves open which data sets are neighbors is audited under each relation.

    Exit status: 0 nothing refuted, 1 refuted, 2 wrong usage, 3 inconclusive, 4 internal error in a
    row, 130 interrupted.
    """
    from audit.report.rendering import survey_report
    from audit.suite.exit_status import Exit
    from audit.surveys.survey_run import ask_survey
    from audit.targets.separation import now_at

    now_at(library)
    check_output(output)
    check_output(resume, "--resume")
    words = {name: value for name, value in numbers.items() if value is not None}
    with terminable(), status_line(f"surveying {library}") as show:

        def on_row(place: int, total: int, name: str) -> None:
            show(f"surveying {library}: {place} of {total} rows done, now {name}")

        result = ask_survey(
            library,
            only=only,
            rows=rows,
            seed=seed,
            fresh=fresh_seed(),
            resume=None if resume is None else Path(resume),
            on_row=on_row,
            **words,
        )
    write_all(lambda one: survey_report(one, result), form, output, reports)
    passes = inconclusive == "ok" and result.status is Exit.INCONCLUSIVE
    return int(Exit.OK if passes else result.status)
