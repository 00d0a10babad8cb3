"""A running audit in a file, so that an interrupted one goes on as if nothing had happened.

The file holds the state at the end of a batch. Nothing of a generator's state is needed: the draws
of each batch come from streams fixed by the seed. So a batch that was cut by Ctrl-C or by the
deadline is drawn again in full, with the same draws: it is not chosen by what it showed. (The first
batch of a pair may be kept as far as it went: nothing is bet on it.)

Nothing in the file can run code when it is read (see `audit.engine.archive`). The digest tells a
damaged file from a whole one; it is no signature: who can write the file can write what was found.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, final

from audit.bounded_json import NoSuchFile, open_regular, parse_json
from audit.engine.archive import CannotBeKept, Foreign
from audit.engine.archive import read as read_archive
from audit.engine.archive import write as write_archive
from audit.interrupts import undisturbed
from mechanisms.errors import InvalidArgument, InvalidData

__all__ = ["SavedAudit", "saved_seed"]

MAGIC = b"touchstone saved audit 2\n"
OLD_MAGIC = b"touchstone saved audit 1\n"
"""Of files that hold a pickle, which can run code when it is read: they are not read any more."""
DIGEST = 64
"""Characters of the digest of all that follows it."""
LARGEST_LINE = 2**26
"""Bytes of the identity, and of the values that are not in arrays."""
SEED_DIGITS = 4_000
"""More than Python reads are no seed."""
STAGE, BEFORE = "stage", "before"
"""Key of a file that holds no run yet, only what was found before it, and the mark of that."""
SECONDS_BETWEEN = 3.0
MOST_OF_THE_TIME = 0.05
"""Share of the time that may go into saving."""


@final
@dataclass(slots=True)
class SavedAudit:
    """File of one audit.

    Parameters
    ----------
    path : Path
        It need not exist yet.
    identity : mapping of str to str
        What the audit is, in words; a file with another one is refused.
    before : Any
        What was found before the run, and is kept beside it; None where that is nothing.
    others : mapping of str to str
        What else the file says of the audit.
    """

    path: Path
    identity: Mapping[str, str]
    before: Any = None
    others: Mapping[str, str] = field(default_factory=dict)
    written_at: float = field(default_factory=time.monotonic)
    cost: float = 0.0
    fault: str = ""

    def read(self) -> Any:
        """What was saved, None where there is no file.

        Raises
        ------
        InvalidArgument
            For a file that is none of ours, damaged, or of another audit. It is left as it is.
        """
        with ExitStack() as stack:
            found = _open(self.path, stack)
            if found is None:
                return None
            identity, payload = found
            begun = STAGE in identity
            for name, value in self.identity.items():
                was = identity.get(name)
                if was != value and not (begun and was is None):
                    msg = (
                        f"--resume {self.path} is another audit: its {name} was {was}, and is "
                        f"{value} here; name another file, or none"
                    )
                    raise InvalidArgument(msg)
            try:
                document = _line(payload, str(self.path))
                left = os.fstat(payload.fileno()).st_size - payload.tell()
                state = read_archive(document, payload, left)
            except (Foreign, InvalidData) as exc:
                msg = (
                    f"--resume {self.path} was written by a version that does not fit this one: "
                    f"{exc}"
                )
                raise InvalidArgument(msg) from exc
        own = {STAGE, *self.identity}
        self.others = {name: value for name, value in identity.items() if name not in own}
        match state:
            case (str(mark), before, run) if mark == BEFORE:
                self.before = before
                return run
        return state

    def check(self, values: Any) -> None:
        """Find out before anything is drawn whether values can be kept.

        Raises
        ------
        InvalidArgument
            If they are of classes that are not written to files.
        """
        try:
            write_archive(values, lambda _: None)
        except CannotBeKept as exc:
            msg = f"--resume keeps numbers, text, lists, dictionaries and arrays of them: {exc}"
            raise InvalidArgument(msg) from exc

    def offer(self, state: Any) -> None:
        """Save, unless that was done a moment ago."""
        waited = time.monotonic() - self.written_at
        if waited >= max(SECONDS_BETWEEN, self.cost / MOST_OF_THE_TIME):
            self.keep(state)

    def keep(self, state: Any) -> None:
        """Save; where that fails the run goes on, and `fault` says why it is not saved."""
        try:
            self.write(state)
        except InvalidArgument as exc:
            self.fault, self.written_at = str(exc), time.monotonic()
        else:
            self.fault = ""

    def write(self, state: Any) -> None:
        """Save: the file is replaced as a whole, or left as it was."""
        started = time.monotonic()
        identity = {**self.others, **self.identity}
        if self.before is not None:
            identity |= {} if state is not None else {STAGE: "before the run"}
            state = (BEFORE, self.before, state)
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        with undisturbed():
            try:
                with beside.open("wb") as file:
                    file.write(MAGIC + bytes(DIGEST) + b"\n")
                    rest = _Digested(file)
                    rest.write(json.dumps(identity).encode() + b"\n")
                    write_archive(state, rest.write)
                    file.seek(len(MAGIC))
                    file.write(rest.digest.hexdigest().encode())
                    file.flush()
                    os.fsync(file.fileno())
                beside.replace(self.path)
            except OSError as exc:
                msg = f"--resume {self.path} cannot be written: {exc.strerror}"
                raise InvalidArgument(msg) from exc
            finally:
                with suppress(OSError):
                    beside.unlink(missing_ok=True)
        self.written_at = time.monotonic()
        self.cost = self.written_at - started


@final
@dataclass(frozen=True, slots=True)
class _Digested:
    """A file that is written through a digest: no copy of what is written is made in memory."""

    file: BinaryIO
    digest: Any = field(default_factory=hashlib.sha256)

    def write(self, part: Any) -> int:
        self.digest.update(part)
        return self.file.write(part)


def saved_seed(path: Path) -> int | None:
    """Seed of a saved audit, None where there is no file; raises as `SavedAudit.read` does."""
    with ExitStack() as stack:
        found = _open(path, stack)
        return None if found is None else int(found[0]["seed"])


def _open(path: Path, stack: ExitStack) -> tuple[dict[str, str], BufferedReader] | None:
    """Return identity and the file at its payload; nothing of the payload has been read."""
    try:
        file = stack.enter_context(open_regular(path))
    except NoSuchFile:
        return None
    except InvalidData as exc:
        msg = f"--resume {exc}"
        raise InvalidArgument(msg) from exc
    magic = file.read(len(MAGIC))
    if magic == OLD_MAGIC:
        msg = (
            f"--resume {path} was written by an earlier version, whose files can run code when "
            "they are read; it was left as it is: name another file, and begin anew"
        )
        raise InvalidArgument(msg)
    digest = file.read(DIGEST + 1)[:-1]
    start = file.tell()
    whole = magic == MAGIC and hashlib.file_digest(file, "sha256").hexdigest().encode() == digest
    file.seek(start)
    identity = _identity(file) if whole else None
    if identity is None:
        msg = f"--resume {path} is no saved audit, or is damaged; it was left as it is"
        raise InvalidArgument(msg)
    return identity, file


def _identity(file: BinaryIO) -> dict[str, str] | None:
    try:
        said = _line(file, "the identity")
    except InvalidData:
        return None
    is_ours = isinstance(said, dict) and all(isinstance(text, str) for text in said.values())
    seed = said.get("seed", "") if is_ours else ""
    return said if seed.isdecimal() and len(seed) <= SEED_DIGITS else None


def _line(file: BinaryIO, source: str) -> Any:
    line = file.readline(LARGEST_LINE)
    return parse_json(line.decode("utf-8", "replace"), source, finite=True)
