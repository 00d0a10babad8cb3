"""Options that several commands share, and where their results go."""

from __future__ import annotations

import json
import re
import signal
import stat
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, final

import click

from audit.documents.report_forms import FORMS
from audit.files.bounded_json import MOST_NESTING, is_deeper
from audit.levels.word import Kind, Word
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

__all__ = [
    "Count",
    "check_output",
    "followed",
    "options_of",
    "read_param",
    "read_reports",
    "status_line",
    "terminable",
    "typed_words",
    "write",
]

F = TypeVar("F", bound=Callable[..., Any])

LONGEST_NAME = 200
"""Characters of a name of a file in a message."""


def read_reports(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Read FORMAT=FILE of each --report."""
    found = []
    for value in values:
        form, equals, file = value.partition("=")
        if form not in FORMS or not (equals and file):
            msg = f"--report must be FORMAT=FILE with one of {', '.join(FORMS)}, got {value!r}"
            raise InvalidArgument(msg)
        check_output(file, "--report")
        found.append((form, file))
    return tuple(found)


INTEGER = re.compile(r"[+-]?[0-9](_?[0-9])*")


class Count(click.IntRange):
    """A number of draws, records or processes, which may be written with a power of ten."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it."""
        from audit.levels.count import count_in

        read = count_in(value) if isinstance(value, str) else None
        if read is None and isinstance(value, str) and not INTEGER.fullmatch(value.strip()):
            self.fail(f"{value!r} is no whole number, such as 20000 or 1e9.", param, ctx)
        return int(super().convert(value if read is None else read, param, ctx))


@final
class Draws(click.ParamType):  # type: ignore[type-arg,unused-ignore] # generic from click 8.3 on
    """A number of draws, or the word that asks for what the power statement needs."""

    name = "integer or detectable"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Read it."""
        from audit.request.request import DETECTABLE

        if value == DETECTABLE:
            return DETECTABLE
        return Count(min=self.least).convert(value, param, ctx)


CALLED = {"format": "form", "report": "reports", "n": "count"}
"""Parameters of a command whose word is also something else in Python."""


def options_of(words: Sequence[Word]) -> Callable[[F], F]:
    """Give a command the options of some words."""

    def decorate(function: F) -> F:
        for word in reversed(words):
            function = _option(word)(function)
        return function

    return decorate


def _option(word: Word) -> Callable[[F], F]:
    kind: Any = {
        Kind.COUNT: Count(min=word.least),
        Kind.NUMBER: float,
        Kind.DRAWS: Draws(word.least),
    }
    called = (word.option, CALLED[word.name]) if word.name in CALLED else (word.option,)
    least = f"  [x>={word.least}]" if word.kind is Kind.DRAWS else ""  # as click says it of counts
    if word.kind is Kind.FLAG:
        return click.option(*called, is_flag=True, help=word.help)
    return click.option(
        *called,
        type=click.Choice(word.choices) if word.choices else kind.get(word.kind),
        default=word.default,
        show_default=word.shown,
        metavar=word.metavar,
        multiple=word.multiple,
        callback=read_reports if word.name == "report" else None,
        help=word.help + least or None,
    )


def typed_words() -> list[str]:
    """Names of the words that were typed to the command that runs; defaults are none."""
    context = click.get_current_context()
    called = {name: word for word, name in CALLED.items()}
    source = click.core.ParameterSource.COMMANDLINE
    names = [str(one.name) for one in context.command.params]
    typed = [name for name in names if context.get_parameter_source(name) is source]
    return [called.get(name, name) for name in typed]


def read_param(text: str) -> tuple[str, Any]:
    """Read NAME=VALUE: a JSON value where it is one, otherwise text ("5/3" is a number later)."""
    name, equals, value = text.partition("=")
    if not (equals and name.strip()):
        msg = f"--param must be NAME=VALUE, got {shown(text)}"
        raise InvalidArgument(msg)
    try:
        read = json.loads(value)
    except ValueError:
        read = _number_or_text(value)
    except RecursionError:
        read = None
    if (read is None and value.strip() != "null") or is_deeper(read, MOST_NESTING):
        msg = f"--param {shown(name.strip())} is nested deeper than {MOST_NESTING} levels"
        raise InvalidArgument(msg)
    return name.strip(), read


PYTHON = {"True": True, "False": False}
"""How Python spells what JSON has in small letters."""


def _number_or_text(value: str) -> Any:
    """Read what JSON spells otherwise: ".5", "+1", "True"."""
    if value in PYTHON:
        return PYTHON[value]
    try:
        return float(value)
    except ValueError:
        return value


def check_output(output: str | None, option: str = "--output") -> None:
    """Find out before a long run that the report, or another file, cannot be written."""
    if output is None:
        return
    path = Path(output)
    try:
        is_folder, has_folder = _is_folder(path), _is_folder(path.parent)
        fault = "is a folder" if is_folder else "is in a folder that does not exist"
        fits = not is_folder and has_folder
        if fits:
            _try(path)
    except (OSError, ValueError) as exc:  # a name that is too long, or holds a zero byte
        fits = False
        fault = f"cannot be written: {exc.strerror if isinstance(exc, OSError) else exc}"
    if not fits:
        msg = f"{option} {shown_name(output)} {fault}"
        raise InvalidArgument(msg)


def _try(path: Path) -> None:
    """Open a file for writing and leave it as it was; what is no file, such as a pipe, may wait."""
    is_new = not path.exists()
    real = path.resolve() if is_new else path  # of a link that leads nowhere yet, where it leads
    if is_new or path.is_file():
        with real.open("ab"):
            pass
    if is_new:
        real.unlink()


def _is_folder(path: Path) -> bool:
    """As `Path.is_dir`, which is silent about names that no file can have."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def shown_name(name: str) -> str:
    """The name of a file in a message: as it is, or quoted and cut where that would be long."""
    return name if len(name) <= LONGEST_NAME and name.isprintable() else shown(name)


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM end a run as Ctrl-C does: workers are ended, and what is done is kept."""
    from audit.interrupts import interrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def write(
    text: str, output: str | None, option: str = "--output", *, is_shown: bool = False
) -> None:
    """Write a report to standard output or to a file.

    Where the file cannot be written, the report is not lost: it goes to standard output, unless
    what it says is shown elsewhere.

    Raises InvalidArgument if the file cannot be written.
    """
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    try:
        Path(output).write_text(
            text if text.endswith("\n") else text + "\n", encoding="utf-8", errors="replace"
        )
    except (OSError, ValueError) as exc:
        if not is_shown:
            click.echo(text, nl=not text.endswith("\n"))
        with suppress(OSError, ValueError):  # a part of it would look like the whole
            if Path(output).is_file():
                Path(output).unlink()
        reason = exc.strerror if isinstance(exc, OSError) else exc
        msg = f"{option} {shown_name(output)} cannot be written: {reason}"
        raise InvalidArgument(msg) from exc


@contextmanager
def status_line(first: str) -> Iterator[Callable[[str | None], None]]:
    """Show one changing line on standard error, on a terminal only.

    Yields: shows its argument; None clears the line, so that something can be printed.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.markup import escape

    from audit.files.plain import printable

    # the name of a target may hold what rich takes for a style
    with Console(stderr=True).status(escape(printable(first))) as status:

        def show(text: str | None) -> None:
            if text is None:
                status.stop()
            else:
                status.update(escape(printable(text)))
                status.start()

        yield show


@contextmanager
def followed(
    target: str, noun: str, end: Callable[[], str]
) -> Iterator[Callable[[int, float], None]]:
    """Show how far a run is; Ctrl-C says how far it came, and what `end` then says.

    Yields: takes the draws and seconds so far.
    """
    from audit.suite.exit_status import Interrupted

    done = deque([(0, 0.0)], maxlen=1)
    with terminable(), status_line(f"auditing {target}") as show:

        def progress(draws: int, seconds: float) -> None:
            done.append((draws, seconds))
            show(f"auditing {target}: {draws:,} {noun}, {seconds:.0f} s")

        try:
            yield progress
        except KeyboardInterrupt as exc:
            draws, seconds = done[-1]
            msg = f"interrupted: {target} after {draws:,} {noun} in {seconds:.1f} s{end()}"
            raise Interrupted(msg) from exc
