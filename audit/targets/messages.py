"""What a child and its parent say to each other: requests, answers, and how they are written.

A message is a byte for its kind, its length, and a pickle. Pickles leave out what the child has
inherited.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any, final

CHUNK = 2**20
"""Bytes of one read or write: what a pipe of Linux can be made to hold."""

LENGTH = struct.Struct("<cQ")
"""What a message begins with: its kind, and how many bytes follow."""

ANSWER, LOG = b"a", b"l"


@final
@dataclass(frozen=True, slots=True)
class WorkOrder:
    """What a child is asked for."""

    function: Callable[..., Any]
    """A function of a module."""
    arguments: tuple[Any, ...]
    """Its arguments; those that the child has inherited are not sent."""
    logs: bool = False
    """Whether each call of the target is written down, so that another child can go on."""
    drawn: bytes = b""
    """What others have written down before they ended."""
    restarts: int = 0
    """How often that happened."""


@final
@dataclass(frozen=True, slots=True)
class ChildAnswer:
    """What the function returned, or raised."""

    value: Any
    failure: BaseException | None = None


class _Writer(pickle.Pickler):
    """A pickler that leaves out what the child has."""

    def __init__(self, file: BytesIO, places: Callable[[Any], Any]) -> None:
        super().__init__(file, protocol=5)
        self.places = places

    def persistent_id(self, obj: Any) -> Any:
        return self.places(obj)


class _Reader(pickle.Unpickler):
    """Its counterpart."""

    def __init__(self, file: BytesIO, found: Callable[[Any], Any]) -> None:
        super().__init__(file)
        self.found = found

    def persistent_load(self, pid: Any) -> Any:
        return self.found(pid)


def dumped(thing: Any, place: Callable[[Any], Any]) -> bytes:
    """Write an object; `place` tells what stands for a part of it, None for the part itself."""
    file = BytesIO()
    _Writer(file, place).dump(thing)
    return file.getvalue()


def loaded(body: bytes, found: Callable[[Any], Any]) -> Any:
    """Read an object; `found` has what stands for its parts."""
    return _Reader(BytesIO(body), found).load()


def framed(received: bytearray) -> tuple[bytes, bytes] | None:
    """Take one whole message off."""
    if len(received) < LENGTH.size:
        return None
    kind, length = LENGTH.unpack_from(received)
    whole = LENGTH.size + length
    if len(received) < whole:
        return None
    body = bytes(received[LENGTH.size : whole])
    del received[:whole]
    return kind, body
