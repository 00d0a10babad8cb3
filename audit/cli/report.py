"""`touchstone report FILE.json...`."""

from __future__ import annotations

from pathlib import Path

import click

from audit.documents.report_forms import FORMS

__all__ = ["command"]


@click.command("report")
@click.argument("files", metavar="FILE.json...", nargs=-1, required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    default="html",
    show_default=True,
    help="Form of the report.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the report to a file.")
@click.option("--project", metavar="NAME", help="What was audited; this folder's name by default.")
@click.option("--commit", metavar="ID", help="Of the sources; git's commit by default.")
@click.option("--date", metavar="DATE", help="Of the report; today by default.")
@click.option("--by", metavar="WHO", help="Who ran the audits.")
def command(
    files: tuple[str, ...],
    form: str,
    output: str | None,
    project: str | None,
    commit: str | None,
    date: str | None,
    by: str | None,
) -> int:
    """Write one report of stored results of several runs, or that of one run in another form.

    FILE.json is a report in JSON of an audit, a gate or a survey. Of one file alone the report is
    that of the run, as the run itself writes it. Of several, or where --project, --commit, --date
    or --by is given, it names project, commit, date and who ran the audits, as given or as this
    folder has them, and explains its terms.

    Exit status: 0 written, whatever the verdicts; 2 wrong usage, or no such report.
    """
    from audit.cli.options import check_output, write
    from audit.files.bounded_json import read_text
    from audit.report.rendering import rendered
    from audit.report.stored_runs import Stored, report_of, stored_run
    from audit.suite.changes.git import commit_of
    from audit.suite.exit_status import Exit
    from audit.suite.moment import today
    from mechanisms.errors import InvalidArgument

    check_output(output)
    stored = tuple(Stored(file, read_text(file)) for file in files)
    if len(stored) == 1 and not any((project, commit, date, by)):
        (one,) = stored
        run = report_of(one)
        write(rendered(form, run) if FORMS[form].module else one.text, output)
        return Exit.OK
    if not FORMS[form].module:
        msg = f"--format {form} is of one FILE.json alone, without --project and its like"
        raise InvalidArgument(msg)
    name = project or Path.cwd().name
    origin = (
        ("project", name),
        ("commit", commit or commit_of(Path()) or "unknown: this folder is in no repository"),
        ("date", date or today()),
        ("run by", by or "not stated"),
    )
    title = f"Privacy audits of {name}"
    write(rendered(form, stored_run(stored, title=title, origin=origin)), output)
    return Exit.OK
