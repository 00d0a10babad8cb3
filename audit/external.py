"""External commands as targets: a program in any language that draws when it is asked.

A start of the command makes the draws of one block. It reads one line of JSON on standard input,

    {"data": [0.0, 1.0], "size": 64, "seed": 1234567}

(`data` as a pair file has it, with NaN and Infinity as Python writes them; `seed` an integer below
2^31) and writes `size` lines to standard output, each of which is one JSON value: a draw. What it
writes to standard error is kept for a note. An exit status that is not 0, a signal, a time-out, and
a wrong number of lines are outcomes. They do not say which draw failed, so after the first one the
command is started once for each draw. A line that is no JSON value is the outcome of its own draw.
"""

from __future__ import annotations

import json
import math
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, final

import numpy as np

from audit.engine.draws import OutOfTime
from audit.outcomes import deadline
from audit.processes import Ended, run_process
from audit.targets import Target
from mechanisms.claims import Order
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number

__all__ = ["DEFAULT_TIMEOUT", "CommandDraw", "CommandFailed", "load_command", "notes_of", "seeded"]

DEFAULT_TIMEOUT = 30.0
"""Seconds for a start that makes at most `DRAWS_IN_TIME` draws; more draws have more, in
proportion."""

DRAWS_IN_TIME = 64
CHECKED_DRAWS = 64
LARGEST_SEED = 2**31
"""More than that is too much for the generators of some languages (awk, R)."""
SHOWN = 200
LARGEST_EXACT = 2**53


MADE_BY = """\
from audit.external import load_command

target = load_command({words!r}{also})"""


class CommandFailed(Exception):
    """A start of a command failed; the class that is raised is named for the way it did."""


def _failure(kind: str, message: str) -> CommandFailed:
    """An exception of the class `kind`: reports name the classes of failures."""
    if kind not in _kinds:
        _kinds[kind] = type(kind, (CommandFailed,), {"__doc__": message})
    return _kinds[kind](message)


_kinds: dict[str, type[CommandFailed]] = {}


@final
@dataclass(frozen=True, slots=True)
class CommandDraw:
    """A sampler (data, size, rng) -> outputs that starts a command.

    Parameters
    ----------
    words : tuple of str
        The command, looked up on the path, or from the working folder if it has a slash.
    timeout : float
        See `DEFAULT_TIMEOUT`.
    folder : str
        Where it runs.

    Attributes
    ----------
    said : dict of str to str
        For each kind of failure in this process, what its first one said.
    """

    words: tuple[str, ...]
    timeout: float
    folder: str
    said: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __call__(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Draw; raises a subclass of CommandFailed, or OutOfTime at the deadline of the audit."""
        lines = self.lines(data, size, int(rng.integers(LARGEST_SEED)))
        outputs = _scalars(lines)
        return _as_array([self._value(line) for line in lines] if outputs is None else outputs)

    def lines(self, data: Any, size: int, seed: int) -> list[bytes]:
        """Start the command once.

        Parameters
        ----------
        data : Any
            Arrays are written as lists.
        size, seed : int
            Of the draws.

        Returns
        -------
        list of bytes
            `size` lines, without their ends.

        Raises
        ------
        CommandFailed, OutOfTime
            As a call does.
        """
        plain = data.tolist() if hasattr(data, "tolist") else data
        request = json.dumps({"data": plain, "size": size, "seed": seed}) + "\n"
        own_end = time.monotonic() + self.timeout * max(1.0, size / DRAWS_IN_TIME)
        end = min(own_end, deadline())
        ended = run_process(
            self.words, request.encode(), folder=self.folder, most_lines=size, end=end
        )
        if ended.stopped == "time" and end < own_end:
            raise OutOfTime
        lines = ended.output.split(b"\n")
        if not lines[-1]:
            lines.pop()
        fault = self._fault(ended, len(lines), size)
        if fault is not None:
            raise self._failed(*fault, ended.errors)
        return lines

    def _fault(self, ended: Ended, found: int, size: int) -> tuple[str, str] | None:
        """Kind and words of what is wrong with a start, if anything is."""
        asked = f"lines when asked for {size}"
        if ended.stopped == "time":
            return "TimedOut", f"took longer than {self.timeout:g} s for {DRAWS_IN_TIME} draws"
        if ended.stopped == "lines":
            return "TooManyLines", f"wrote more {asked}"
        if ended.stopped == "bytes":
            return (
                "TooMuchOutput",
                f"wrote more than {len(ended.output)} bytes when asked for {size}",
            )
        if ended.signal:
            return f"KilledBy{ended.signal}", f"was ended by {ended.signal}"
        if ended.status:
            return f"ExitStatus{ended.status}", f"ended with status {ended.status}"
        if found != size:
            kind = "TooFewLines" if found < size else "TooManyLines"
            return kind, f"wrote {found} {asked}"
        return None

    def _failed(self, kind: str, words: str, errors: str) -> CommandFailed:
        """Keep what a failure says, and make its exception."""
        last = errors.strip()[-SHOWN:]
        message = f"{words}; it said: {' '.join(last.split())}" if last else words
        self.said.setdefault(kind, message)
        return _failure(kind, message)

    def _value(self, line: bytes) -> Any:
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            shown = repr(line[:SHOWN].decode(errors="replace"))
            return self._failed(
                "UnreadableLine", f"wrote a line that is no JSON value: {shown}", ""
            )


def _scalars(lines: list[bytes]) -> list[Any] | None:
    """Read all lines at once; None where one is no single number, true, false or null.

    Without brackets and quotes a line can neither open what another one closes nor be empty, so
    equally many values are one a line.
    """
    text = b",".join(lines)
    if any(mark in text for mark in b'[{"'):
        return None
    try:
        values: list[Any] = json.loads(b"[" + text + b"]")
    except ValueError:
        return None
    return values if len(values) == len(lines) else None


def _as_array(outputs: list[Any]) -> Any:
    """Numbers as an array of doubles, where doubles hold them all; anything else as it is."""
    for output in outputs:
        if type(output) is not float and (type(output) is not int or abs(output) > LARGEST_EXACT):
            return outputs
    return np.array(outputs, dtype=np.float64)


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

    Parameters
    ----------
    words : sequence of str
        The program and its arguments; no shell reads them.
    timeout : float or None
        Seconds for a start of at most 64 draws; None for 30.
    parameters : mapping
        Must be empty: a command has its own arguments.
    order : Order or None
        How it reads the data; None for FREE.
    low, high, budgets
        Of the claim; a command gets none of them.

    Raises
    ------
    InvalidArgument
        If there is no such program, or it is told what it cannot take.
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
    _check_program(words[0])
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
        made_by=MADE_BY.format(words=list(words), also=also),
    )


def _check_program(program: str) -> None:
    import shutil

    if shutil.which(program) is None:
        msg = (
            f"there is no program {program!r} that can be started (a command is not read by a "
            "shell; its first word is looked up on the path, or in this folder as './name')"
        )
        raise InvalidArgument(msg)


def seeded(target: Target, data: Any, neighbor: Any) -> Target:
    """Find out whether the seed determines the draws of a command.

    It does if two starts with one seed write the same lines, and one with another seed does not;
    a command that fails, or writes one and the same line always, shows nothing.

    Parameters
    ----------
    target : Target
        From `load_command`.
    data, neighbor : Any
        Two data sets to draw on; the second if the first shows nothing.
    """
    draw = target.draw
    assert isinstance(draw, CommandDraw)
    for side in (data, neighbor):
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
    if not isinstance(target.draw, CommandDraw):
        return ()
    return tuple(
        f"outcome {kind}: the command {message}" for kind, message in target.draw.said.items()
    )
