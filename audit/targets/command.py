"""External commands as targets: a program in any language that draws when it is asked.

A table of a schema is written as CSV, {"csv": ..., "size": ..., "seed": ...}, or alone: then size
and seed are in the environment, as TOUCHSTONE_SIZE and TOUCHSTONE_SEED; or as the list of values of
its one column, as other data.

A start of the command makes the draws of one block. It reads one line of JSON on standard input,

    {"data": [0.0, 1.0], "size": 64, "seed": 1234567}

(`data` as a pair file has it, with NaN and Infinity as Python writes them; `seed` an integer below
2^31) and writes `size` lines to standard output, each of which is one JSON value: a draw. What it
writes to standard error is kept for a note. An exit status that is not 0, a signal, a time-out, and
a wrong number of lines are outcomes. They do not say which draw failed, so after the first one the
command is started once for each draw. A line that is no JSON value is the outcome of its own draw.
"""

from __future__ import annotations

import math
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from audit.targets.domain import Declared
from audit.targets.external_draw import DEFAULT_TIMEOUT, CommandDraw, CommandFailed
from audit.targets.tables.draw import TableDraw
from audit.targets.tables.table_forms import given
from audit.targets.tables.table_schema import Form
from audit.targets.target import Calls, Target
from mechanisms.claims import Order
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number

DOMAIN_OF_JSON = "JSON has no word for it; --domain any writes it as Python does"
"""Why a command gets finite records where nothing else is said."""

CHECKED_DRAWS = 64

MADE_BY = "target = audit.load({words!r}{also})"

MADE_FOR_TABLES = """\
from audit.scripts import csv_command
target = csv_command({words!r}, {form!r}, timeout={timeout!r})"""


def load_command(
    words: Sequence[str],
    *,
    timeout: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    order: Order | None = None,
    low: Fraction | None = None,  # noqa: ARG001 - the signature of load_target
    high: Fraction | None = None,  # noqa: ARG001
    budgets: tuple[Number, ...] = (),  # noqa: ARG001
) -> Target:
    """Wrap a command.

    `words`: the program and its arguments; no shell reads them. `timeout`: seconds for a start of
    at most 64 draws; None for 30. `parameters`: must be empty: a command has its own arguments.
    `order`: how it reads the data; None for FREE. `low`, `high`, `budgets`: of the claim; a command
    gets none of them. Raises InvalidArgument if there is no such program, or it is told what it
    cannot take.
    """
    if parameters:
        msg = (
            f"a command has its own arguments: write them behind its name instead of --param "
            f"{', '.join(parameters)}"
        )
        raise InvalidArgument(msg)
    if timeout is not None and not 0 < timeout < math.inf:
        msg = f"timeout must be positive and finite, got timeout={timeout!r}"
        raise InvalidArgument(msg)
    if shutil.which(words[0]) is None:
        msg = (
            f"there is no program {words[0]!r} that can be started (a command is not read by a "
            "shell; its first word is looked up on the path, or in this folder as './name')"
        )
        raise InvalidArgument(msg)
    seconds = DEFAULT_TIMEOUT if timeout is None else timeout
    draw = CommandDraw(tuple(words), seconds, str(Path.cwd()))
    also = "" if timeout is None else f", timeout={timeout!r}"
    return Target(
        name=shlex.join(words),
        draw=draw,
        claim=None,
        order=order or Order.FREE,
        seedable=False,
        command=tuple(words),
        calls=Calls.START,
        domain=Declared.FINITE,
        domain_source=DOMAIN_OF_JSON,
        made_by=MADE_BY.format(words=list(words), also=also),
    )


def of_tables(target: Target, form: Form) -> Target:
    """A command that gets tables as CSV: in a line of JSON, or on its standard input.

    A list of values is written as other data are.
    """
    if form is Form.VALUES:
        return target
    draw = target.draw
    assert isinstance(draw, CommandDraw)
    words, timeout = list(draw.words), draw.timeout
    made_by = MADE_FOR_TABLES.format(words=words, form=form.value, timeout=timeout)
    return replace(target, draw=replace(draw, form=form.value), made_by=made_by)


def csv_command(words: Sequence[str], form: str, *, timeout: float | None = None) -> Target:
    """Wrap a command that gets the text of a CSV file, "json" or "csv", in the script of a witness.

    `words`, `timeout`: as in `load_command`. `form`: how it is written to its standard input.
    """
    return of_tables(load_command(words, timeout=timeout), Form(form))


def seeded(target: Target, data: Any, neighbor: Any) -> Target:
    """Find out whether the seed determines the draws of a command.

    It does if two starts with one seed write the same lines, and one with another seed does not;
    a command that fails, or writes one and the same line always, shows nothing.

    `target`: from `load_command`. `data`, `neighbor`: two data sets to draw on; the second if the
    first shows nothing.
    """
    draw = _command_of(target)
    assert draw is not None
    for side in map(given, (data, neighbor)):
        try:
            first, again, other = (draw.lines(side, CHECKED_DRAWS, seed) for seed in (1, 1, 2))
        except CommandFailed:
            if "TimedOut" in draw.said:
                return target
            continue
        if len(set(first)) > 1:
            return replace(target, seedable=first == again and first != other)
    return target


def notes_of(target: Target) -> tuple[str, ...]:
    """What a command's failures said in this process, for the report."""
    draw = _command_of(target)
    said = {} if draw is None else draw.said
    return tuple(f"outcome {kind}: the command {message}" for kind, message in said.items())


def heard_apart(target: Target) -> Target:
    """The same target; what its failures say from now on is no note of the other one's.

    Of a target that is no command it is the target itself.
    """
    draw = _command_of(target)
    if draw is None:
        return target
    alike = replace(draw, said={})
    if isinstance(target.draw, TableDraw):
        return replace(target, draw=TableDraw(alike))
    return replace(target, draw=alike)


def _command_of(target: Target) -> CommandDraw | None:
    """What starts the command, where there is one."""
    draw = target.draw.draw if isinstance(target.draw, TableDraw) else target.draw
    return draw if isinstance(draw, CommandDraw) else None
