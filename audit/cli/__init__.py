"""The command `touchstone`: one file per command, loaded when it is called.

`main` turns every outcome into an exit status: a user error is one line on standard error.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, final

import click

__all__ = ["main", "touchstone"]

COMMANDS = {
    "audit": ("audit.cli.audit", "Audit one mechanism, and say whether it keeps its promise."),
    "sensitivity": (
        "audit.cli.sensitivity",
        "Test how far apart the answers of a query without noise are.",
    ),
    "account": ("audit.cli.account", "Add up what a list of releases loses together."),
    "survey": ("audit.cli.survey", "Audit a whole library, a row for each public constructor."),
    "gate": ("audit.cli.gate", "Run all audits that the configuration lists."),
    "prove": ("audit.cli.prove", "Machine-check the claims of the papers."),
    "table": ("audit.cli.table", "Regenerate a verified table, or check a stored one."),
    "figure": ("audit.cli.figure", "Redraw a figure of the papers, or show an audit."),
    "verify": ("audit.cli.verify", "Recheck a certificate."),
    "schema": ("audit.cli.schema", "Propose a schema for the tables of a CSV file."),
    "report": ("audit.cli.report", "Write one report of stored results."),
    "evidence": ("audit.cli.evidence", "Pack a result with what it rests on, to be checked alone."),
    "init": ("audit.cli.init", "Write a commented configuration and a first audit."),
    "list": (
        "audit.cli.listing",
        "List mechanisms, noises, claims, tables, figures, auditors, adapters or the corpus.",
    ),
}
"""Module and summary of each command; the module's `command` is the command."""


@final
class _Output(io.FileIO):
    """Standard output. What nobody reads any more is dropped, and the run goes on to its status.

    So is what cannot be written, on a disk that is full; `fault` says why.
    """

    fault = ""

    def write(self, data: Any) -> int:
        try:
            return super().write(data) or 0
        except OSError as exc:
            if not isinstance(exc, BrokenPipeError):
                self.fault = exc.strerror or str(exc)
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return len(data)


@contextmanager
def _readers_may_leave() -> Iterator[_Output | None]:
    """Let `touchstone ... | head` end as without `| head`: quietly, with the status of the run."""
    whole = sys.stdout
    if whole is not sys.__stdout__ or not isinstance(whole, io.TextIOWrapper):
        yield None  # somebody else reads what is printed: a test, a notebook
        return
    whole.flush()
    raw = _Output(whole.fileno(), "w", closefd=False)
    buffer = io.BufferedWriter(raw)
    output = io.TextIOWrapper(
        buffer, whole.encoding, whole.errors, line_buffering=whole.line_buffering
    )
    sys.stdout = output
    try:
        yield raw
    finally:
        sys.stdout = whole
        output.flush()


LONGEST = 2_000
"""Characters of an error of ours; one of a user's is shorter."""


class _Lazy(click.Group):
    """A group that imports a command when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        import importlib

        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        if ctx.resilient_parsing:  # the shell completes a line
            from audit.cli.completion import give_completions

            give_completions(command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; click would write an empty line for what code of the user's raised."""
        from audit.interrupts import is_asked_for
        from audit.targets.separation import ended_by
        from mechanisms.errors import InvalidArgument

        try:
            return super().invoke(ctx)
        except EOFError as exc:
            msg = "code of the user's asked for input, and there is none"
            raise InvalidArgument(msg) from exc
        except KeyboardInterrupt as exc:
            if is_asked_for():
                raise
            raise ended_by(exc) from exc

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from audit.results.versions import touchstone_version

        click.echo(f"touchstone {touchstone_version()}")
        ctx.exit()


@click.group(cls=_Lazy, no_args_is_help=False, invoke_without_command=True)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def touchstone(ctx: click.Context) -> None:
    """Tell whether a differentially private mechanism keeps its promise.

    Exit status: 0 as expected, 1 refuted, 2 wrong usage or configuration, 3 inconclusive,
    4 internal error, 130 interrupted.

    Completion with TAB: eval "$(_TOUCHSTONE_COMPLETE=bash_source touchstone)" in ~/.bashrc; there
    are zsh_source and fish_source.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status; without arguments, as the program.

    The program works in a process of its own: code of the user's that ends that process is an
    error, and no exit status.
    """
    if arguments is not None:
        return _run(arguments)
    from audit.suite.exit_status import Exit
    from audit.targets.separation import ProcessEnded, separately

    try:
        return separately(lambda: _run(None))
    except ProcessEnded as exc:
        return _fail(str(exc), Exit.USAGE)
    except KeyboardInterrupt:
        return _fail("interrupted", Exit.INTERRUPTED)


def _run(arguments: Sequence[str] | None) -> int:
    from audit.suite.exit_status import Exit, worst

    with _readers_may_leave() as output:
        status = _status_of(arguments)
    if output is not None and output.fault:
        _fail(f"standard output cannot be written: {output.fault}", Exit.USAGE)
        status = int(worst((Exit(status), Exit.USAGE)))
    return status


def _status_of(arguments: Sequence[str] | None) -> int:
    from audit.interrupts import is_asked_for
    from audit.suite.exit_status import Exit, Interrupted
    from mechanisms.errors import TouchstoneError

    try:
        if asked := os.environ.get("_TOUCHSTONE_COMPLETE"):
            from audit.cli.completion import complete

            return complete(touchstone, asked)
        status = touchstone.main(
            args=None if arguments is None else list(arguments),
            prog_name="touchstone",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except click.ClickException as exc:
        return _fail(exc.format_message() + _hint(exc), Exit.USAGE)
    except TouchstoneError as exc:
        return _fail(str(exc), Exit.USAGE)
    except Interrupted as exc:
        return _fail(str(exc), Exit.INTERRUPTED)
    except (click.Abort, KeyboardInterrupt):
        if not is_asked_for():  # raised by code of the user's
            raise KeyboardInterrupt from None
        return _fail("interrupted", Exit.INTERRUPTED)
    except SystemExit:  # none of ours
        raise
    except MemoryError as exc:
        return _fail(f"not enough memory: {exc}; fewer records or draws take less", Exit.USAGE)
    except BaseException as exc:  # noqa: BLE001 - the last resort of the program
        if os.environ.get("TOUCHSTONE_TRACEBACK"):
            import traceback

            traceback.print_exc()
        return _fail(
            f"internal error: {type(exc).__name__}: {exc} (set TOUCHSTONE_TRACEBACK=1 to see "
            "where)",
            Exit.INTERNAL,
        )
    return int(status or Exit.OK)


def _hint(exc: click.ClickException) -> str:
    context = getattr(exc, "ctx", None)
    return f" (see `{context.command_path} --help`)" if context is not None else ""


def _fail(message: str, status: int) -> int:
    """Write one line to standard error; what is wrong with an input is read by a person at once."""
    from audit.report.characters import as_lines, complaint
    from audit.suite.exit_status import Exit

    if status == Exit.USAGE:
        line = complaint(message)
    else:
        line = f"touchstone: {as_lines(' '.join(message.split()))}"
        line = line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."
    click.echo(line, err=True)
    return int(status)
