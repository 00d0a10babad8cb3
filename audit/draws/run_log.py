"""The log of a run that is kept: what it was told from outside, so that it can be told it again.

A run is a function of three things: the plan (claim, pairs, settings, seed), the draws, and what
the clock decided (how many first draws time pays for, when a search was cut). The plan is known;
the rest comes through `RunLog.ask`, one question after the other. Live, the answer is made and
appended to the file. A session that goes on asks the same questions in the same order and has the
answers read to it, through the same engine; behind the last one it is live. So nothing of the
engine's state is in the file, and a run in pieces is the run in one piece.

What an answer holds
    Of a batch its counts in the cells that are bet on, and its draws where the engine itself keeps
    them to fit partitions: at most 2^23 values of all pairs that a run begins with, which is 64 MiB
    as doubles, and up to 20 bytes each where every value has a code and details. Later batches add
    some kilobytes of counts, and they grow with the run, so there are few. Measured without a seed:
    2.6 MiB for 10^6 draws of one number, 2.7 for 10^8 (100 records), 10.7 for 10^7 draws of four
    numbers, 42 for 10^7 draws of one number on 30 pairs. Of all other questions the answer itself.

Why the draws are kept, also where a seed makes them again
    Going on then takes no draws at all, and it is the same code for both. It also keeps the level:
    what was bet on is not drawn a second time, whatever a target does with its seed.

What cannot be kept: a batch that the end of a process cut. It is drawn again. By the seed that
gives the same draws. A target that follows no seed makes others, which have the law of the first
if what ended the process does not hang on them: Ctrl-C, a signal, a power cut. The deadline of a
run is different: how long draws take may hang on what they are, so a batch of such a target that
it cut is an answer ("late"), and ends the run for good.

The file: a line, then records of a length, a checksum and a compressed body; the first is the
identity of the audit. A record that power loss has cut is left out; one that is damaged amid the
file is not passed over. Nothing in the file is called, and no class is named in it. The checksum is
no signature: who can write the file can write what was found.
"""

from __future__ import annotations

import json
import os
import struct
import time
import zlib
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, final

import numpy as np

from audit.files.bounded_json import NoSuchFile, open_regular
from audit.interrupts import undisturbed
from audit.targets.outcomes import BatchFailed, OutOfTime
from mechanisms.errors import InvalidArgument, InvalidData

__all__ = ["RunLog"]

Answer = TypeVar("Answer")

MAGIC = b"touchstone run 1\n"
FRAME = struct.Struct("<II")
"""Length and checksum of a record."""
LARGEST = 2**28
"""Bytes of a record when it is unpacked: of 2^23 values with their codes and details, and more."""
MOST_DIMENSIONS = 8
SECONDS_BETWEEN = 3.0
"""After which a power cut loses nothing: what was written before outlives the end of a process."""
SEED_DIGITS = 4_000
"""More than Python reads are no seed."""
PLAIN = "biufUS"
"""Kinds of arrays whose bytes are their values."""


class Record(NamedTuple):
    """An answer: to which question, when, how it ended, and what the target was heard to say."""

    question: str
    seconds: float
    kind: str
    heard: dict[str, Any]
    value: Any


FOUND, FAILED, LATE, PAUSE = "found", "failed", "late", "pause"
"""How an answer ended; a pause is the end of a session, and answers nothing."""


@final
@dataclass(slots=True)
class RunLog:
    """The questions of a run and their answers, and the time that it has taken in all sessions.

    Attributes
    ----------
    path : Path or None
        The file; it need not exist yet. None where nothing is kept: then every question is live.
    started : float
        Begin of the run on the clock of `time.monotonic`, as if it had been made in one session.
    live : bool
        Whether an answer was made in this session.
    ended : bool
        Whether the last answer was that time was up: no session goes on from there.
    fault : str
        Why the file could not be written, which ends no run; else empty.
    """

    path: Path | None = None
    started: float = field(default_factory=lambda: time.monotonic())
    live: bool = False
    ended: bool = False
    fault: str = ""
    identity: Mapping[str, str] = field(default_factory=dict)
    _next: Record | None = None
    _whole: int = 0
    """Bytes up to the last record that is whole; 0 where there is no file."""
    _synced: float = 0.0
    _paused: bool = True

    def seed(self) -> int | None:
        """Seed of the run that the file is of, None where there is none; raises as `open`."""
        found = None if self.path is None else self._identity()
        return None if found is None else int(found["seed"])

    def open(self, identity: Mapping[str, str]) -> None:
        """Begin, or go on where the file ends.

        Raises
        ------
        InvalidArgument
            For a file that is none of ours, damaged, or of another audit. It is left as it is.
        """
        self.identity = identity
        if self.path is None or (found := self._identity()) is None:
            return
        for name, value in identity.items():
            if (was := found.get(name)) != value:
                msg = (
                    f"--resume {self.path} is another audit: its {name} was {was}, and is "
                    f"{value} here; name another file, or none"
                )
                raise InvalidArgument(msg)
        self._advance()

    def restart(self) -> None:
        """Count the time of the run from now on: what was before it is not part of its budget."""
        self.started = time.monotonic()

    def lap(self, question: str) -> float:
        """Seconds so far, in all sessions the same; what follows is counted from now on."""
        taken = self.ask(question, lambda: time.monotonic() - self.started, back=float)
        self.restart()
        return taken

    def ask(
        self,
        question: str,
        answer: Callable[[], Answer],
        *,
        to: Callable[[Answer], Any] | None = None,
        back: Callable[[Any], Answer] | None = None,
        lasting: bool = False,
        heard: MutableMapping[str, Any] | None = None,
    ) -> Answer:
        """The answer to a question: the one in the file, or else the one that is made now.

        Parameters
        ----------
        question : str
            What is asked; the file must have an answer to the same.
        answer : callable
            Makes it; what it depends on besides the past of the run comes from outside.
        to, back : callable or None
            From the answer to numbers, texts, arrays, and lists and dictionaries of them, and back;
            None where it is such.
        lasting : bool
            Whether it is an answer, too, that time was up (OutOfTime): the run goes on from there,
            or may not. Else the question stays open for a session that has more time.
        heard : mapping or None
            What else the target has said so far: kept with the answer, and put back.
        """
        self.ended = False
        if self._next is None:
            self.live = True
            try:
                found = answer()
            except BatchFailed as exc:
                self._append(Record(question, 0.0, FAILED, dict(heard or {}), str(exc)))
                raise
            except OutOfTime:
                if lasting:
                    self.ended = True
                    self._append(Record(question, 0.0, LATE, dict(heard or {}), None))
                raise
            if self.path is not None:
                value = found if to is None else to(found)
                self._append(Record(question, 0.0, FOUND, dict(heard or {}), value))
            return found
        record = self._next
        if record.question != question:
            msg = f"it answers {record.question!r}, not {question!r}"
            raise self._foreign(msg)
        self.started = time.monotonic() - record.seconds
        if heard is not None:
            heard.clear()
            heard.update(record.heard)
        self._advance()
        if record.kind == FAILED:
            raise BatchFailed(record.value)
        if record.kind == LATE:
            self.ended = True
            raise OutOfTime
        try:
            return record.value if back is None else back(record.value)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as exc:
            msg = f"a damaged answer to {question!r}"
            raise self._foreign(msg) from exc

    def pause(self) -> None:
        """Let all that was answered outlive a power cut, and keep the time that was taken."""
        if self.live and self._whole and not self._paused:
            self._synced = -SECONDS_BETWEEN
            self._append(Record("", 0.0, PAUSE, {}, None))
            self._paused = True

    def _identity(self) -> dict[str, str] | None:
        """What audit the file is of; None where there is no file."""
        assert self.path is not None
        body = None
        try:
            with open_regular(self.path) as file:
                if file.read(len(MAGIC)) == MAGIC:
                    self._whole = len(MAGIC)
                    body = self._body(file)
        except NoSuchFile:
            return None
        except InvalidData as exc:
            msg = f"--resume {exc}"
            raise InvalidArgument(msg) from exc
        try:
            said = json.loads(b"" if body is None else body)
            if said["seed"].isdecimal() and len(said["seed"]) <= SEED_DIGITS:
                return {str(name): str(text) for name, text in said.items()}
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            pass
        raise self._damaged()

    def _damaged(self) -> InvalidArgument:
        msg = f"--resume {self.path} is no saved audit, or is damaged; it was left as it is"
        return InvalidArgument(msg)

    def _foreign(self, why: str) -> InvalidArgument:
        msg = f"--resume {self.path} was written by a version that does not fit this one: {why}"
        return InvalidArgument(msg)

    def _body(self, file: BufferedReader) -> bytes | None:
        """The next record, unpacked; None where the file ends, or was cut within it."""
        file.seek(self._whole)
        left = os.fstat(file.fileno()).st_size - self._whole - FRAME.size
        frame = file.read(FRAME.size)
        if len(frame) < FRAME.size:
            return None
        length, checksum = FRAME.unpack(frame)
        if length > left:
            return None
        packed = file.read(length)
        if zlib.crc32(packed) != checksum:
            if length == left:  # the last one: its length came to the disk before its body
                return None
            raise self._damaged()
        self._whole += FRAME.size + length
        unpacker = zlib.decompressobj()
        try:
            body = unpacker.decompress(packed, LARGEST)
        except zlib.error as exc:
            raise self._damaged() from exc
        if not unpacker.eof:
            raise self._damaged()
        return body

    def _advance(self) -> None:
        """Read the next answer; behind the last one the run is live."""
        assert self.path is not None
        kind = PAUSE
        while kind == PAUSE:
            with open_regular(self.path) as file:
                body = self._body(file)
            if body is None:
                self._next = None
                return
            try:
                self._next = _unpacked(body)
            except (LookupError, RecursionError, TypeError, ValueError) as exc:
                msg = "a record of another form"
                raise self._foreign(msg) from exc
            kind = self._next.kind
            if kind == PAUSE:
                self.started = time.monotonic() - self._next.seconds

    def _append(self, record: Record) -> None:
        """Write an answer; where that fails the run goes on, and `fault` says why it is not kept.

        After a failure nothing is written: a log with a gap would be that of no run.
        """
        if self.path is None or self.fault:
            return
        record = record._replace(seconds=time.monotonic() - self.started)
        self._paused = False
        try:
            with undisturbed():
                if not self._whole:
                    self._begin(self.path)
                with self.path.open("r+b", buffering=0) as file:
                    file.seek(self._whole)
                    file.truncate()  # what a power cut has left of a record
                    framed = _framed(_packed(record))
                    if file.write(framed) != len(framed):
                        raise OSError(None, "No space left on device")
                    if time.monotonic() - self._synced >= SECONDS_BETWEEN:
                        os.fsync(file.fileno())
                        self._synced = time.monotonic()
                    self._whole += len(framed)
        except OSError as exc:
            self.fault = f"--resume {self.path} cannot be written: {exc.strerror}"

    def _begin(self, path: Path) -> None:
        """Make the file, with its first record, as a whole or not at all."""
        content = MAGIC + _framed(json.dumps(dict(self.identity)).encode())
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            beside.write_bytes(content)
            beside.replace(path)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
        self._whole = len(content)


def _framed(body: bytes) -> bytes:
    packed = zlib.compress(body)
    return FRAME.pack(len(packed), zlib.crc32(packed)) + packed


def _packed(record: Record) -> bytes:
    """A line of JSON, then the arrays, one after the other."""
    arrays: list[bytes] = []

    def told(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if not isinstance(value, np.ndarray) or value.dtype.kind not in PLAIN:
            msg = f"{type(value).__name__} is no part of an answer"
            raise TypeError(msg)
        # the order in memory is kept: sums over another order have other last digits
        by_columns = value.flags.f_contiguous and not value.flags.c_contiguous
        kept = value
        if value.dtype.kind in "iu" and value.size:  # counts are small, and so compress better
            kept = value.astype(
                np.result_type(*map(np.min_scalar_type, (value.min(), value.max())))
            )
        arrays.append(kept.tobytes("F" if by_columns else "C"))
        order = "F" if by_columns else "C"
        return {"array": [value.dtype.str, kept.dtype.str, order, *value.shape]}

    return json.dumps(record, default=told).encode() + b"\n" + b"".join(arrays)


def _unpacked(body: bytes) -> Record:
    """The record; nothing that it says makes more memory be asked for than it has bytes."""
    line, _, rest = body.partition(b"\n")
    content = memoryview(rest)

    def found(value: dict[str, Any]) -> Any:
        nonlocal content
        if value.keys() != {"array"}:
            return value
        dtype, kept, order, *shape = value["array"]
        kinds = np.dtype(dtype), np.dtype(kept)
        if any(kind.kind not in PLAIN or not kind.itemsize for kind in kinds):
            msg = "an array of no plain values"
            raise ValueError(msg)
        if len(shape) > MOST_DIMENSIONS or any(type(n) is not int or n < 0 for n in shape):
            msg = "an array of no shape"
            raise ValueError(msg)
        size = kinds[1].itemsize * int(np.prod(shape, dtype=object))
        if size > len(content) or order not in ("C", "F"):
            msg = "an array that is not there"
            raise ValueError(msg)
        part, content = content[:size], content[size:]
        array = np.frombuffer(part, kinds[1]).reshape(shape, order=order)
        return array.astype(kinds[0], order=order, copy=True)

    question, seconds, kind, heard, value = json.loads(line, object_hook=found)
    if type(seconds) is not float or not 0 <= seconds < float("inf"):
        msg = "no time"
        raise ValueError(msg)
    if type(kind) is not str or not isinstance(heard, dict) or len(content):
        msg = "no answer"
        raise ValueError(msg)
    return Record(str(question), seconds, kind, heard, value)
