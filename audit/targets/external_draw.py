"""A sampler that starts an external command: what is asked, and what the answers come to.

The protocol is that of `audit.targets.command`.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, final

import numpy as np

from audit.targets.outcomes import OutOfTime, deadline
from audit.targets.processes import Ended, run_process

DEFAULT_TIMEOUT = 30.0
"""Seconds for a start that makes at most `DRAWS_IN_TIME` draws; more draws have more, in
proportion."""

DRAWS_IN_TIME = 64
LARGEST_SEED = 2**31
"""More than that is too much for the generators of some languages (awk, R)."""

SHOWN = 200
FEW_DIGITS = 16
LARGEST_EXACT = 2**53


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
    """A sampler (data, size, rng) -> outputs that starts a command."""

    words: tuple[str, ...]
    """The command, looked up on the path, or from the working folder if it has a slash."""
    timeout: float
    """See `DEFAULT_TIMEOUT`."""
    folder: str
    """Where it runs."""
    form: str = ""
    """How the text of a table is written: "json" in a line, "csv" alone; "" for all other data."""
    said: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """For each kind of failure in this process, what its first one said."""

    def __call__(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Draw; raises a subclass of CommandFailed, or OutOfTime at the deadline of the audit."""
        lines = self.lines(data, size, int(rng.integers(LARGEST_SEED)))
        outputs = _scalars(lines)
        return _as_array([self._value(line) for line in lines] if outputs is None else outputs)

    def lines(self, data: Any, size: int, seed: int) -> list[bytes]:
        """Start the command once.

        `data`: arrays are written as lists. `size`, `seed`: of the draws. Returns: `size` lines,
        without their ends. Raises CommandFailed, OutOfTime as a call does.
        """
        text, environment = self._input(data, size, seed)
        own_end = time.monotonic() + self.timeout * max(1.0, size / DRAWS_IN_TIME)
        end = min(own_end, deadline())
        ended = run_process(
            self.words,
            text.encode(),
            folder=self.folder,
            most_lines=size,
            end=end,
            environment=environment,
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

    def _input(self, data: Any, size: int, seed: int) -> tuple[str, dict[str, str]]:
        """What goes to standard input, and into the environment."""
        if self.form == "csv":
            return data, {"TOUCHSTONE_SIZE": str(size), "TOUCHSTONE_SEED": str(seed)}
        key = "csv" if self.form else "data"
        plain = data.tolist() if hasattr(data, "tolist") else data
        line = {key: plain, "size": size, "seed": seed}
        return json.dumps(line, default=date.isoformat) + "\n", {}

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
            return json.loads(line, **AS_WRITTEN)
        except (ValueError, RecursionError):
            shown = repr(line[:SHOWN].decode(errors="replace"))
            return self._failed(
                "UnreadableLine", f"wrote a line that is no JSON value: {shown}", ""
            )


def _number(text: str) -> float | Decimal:
    """A number as it was written: where no double is it to all of its digits, a decimal.

    Two programs that print 1e400 and 1e500, or a 20th digit, say different things.
    """
    value = float(text)
    if len(text) <= FEW_DIGITS and "e" not in text and "E" not in text:
        return value
    written = Decimal(text)
    digits = len(written.as_tuple().digits)
    return value if Decimal(f"{value:.{digits - 1}e}") == written else written


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | list[tuple[str, Any]]:
    """An object, its keys in their order; with a key twice, its pairs."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else pairs


AS_WRITTEN: dict[str, Any] = {"parse_float": _number, "object_pairs_hook": _object}
"""How JSON is read that a program wrote: nothing that stands there is left out."""


def _scalars(lines: list[bytes]) -> list[Any] | None:
    """Read all lines at once; None where one is no single number, true, false or null.

    Without brackets and quotes a line can neither open what another one closes nor be empty, so
    equally many values are one a line.
    """
    text = b",".join(lines)
    if any(mark in text for mark in b'[{"'):
        return None
    try:
        values: list[Any] = json.loads(b"[" + text + b"]", **AS_WRITTEN)
    except ValueError:
        return None
    return values if len(values) == len(lines) else None


def _as_array(outputs: list[Any]) -> Any:
    """Numbers as an array of doubles, where doubles hold them all; anything else as it is."""
    for output in outputs:
        if type(output) is not float and (type(output) is not int or abs(output) > LARGEST_EXACT):
            return outputs
    return np.array(outputs, dtype=np.float64)
