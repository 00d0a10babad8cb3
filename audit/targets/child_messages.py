"""What a child and its parent tell each other: messages, and memory that they share.

A message is a byte for its kind, its length, and a pickle. Pickles leave out what the child has
inherited.

A few numbers in the memory say whether the target is being called, for how many draws, and how slow
a draw was at most: the parent gives up a call that goes on for too long. Where one draw a call is
asked for, each finished draw is written down as well before the next begins. So when the process
ends, the draw that ended it is known, and another process can go on behind it: it takes what is
written as drawn. A draw is never made twice.
"""

from __future__ import annotations

import pickle
import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from mmap import mmap
from os import _exit as end_process
from os import getpid
from pickle import dumps, load
from time import perf_counter
from typing import Any, ClassVar, final

LOG_BYTES = 2**18
"""Of the shared memory for draws; more of them go through the pipe."""

OUTSIDE, ONE, MANY = range(3)
"""What a child does: it is not in a call of the target, or in one for one draw, or for several."""

_PLACES = struct.Struct("<QQQdQQ")
_STEPS = struct.Struct("<QQQ")
_SLOWEST, _LOG = 24, 32
_USED = struct.Struct("<QQ")

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


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """What a child is doing."""

    SIZE: ClassVar[int] = 64

    steps: int
    """Grows with every draw or call that ends."""
    doing: int
    """OUTSIDE, ONE or MANY."""
    size: int
    """Draws of the call."""
    slowest: float
    """Seconds of the slowest draw so far; of a call, for each of its draws."""


def progress_of(memory: mmap) -> Progress:
    """Read what a child is doing."""
    steps, doing, size, slowest, _, _ = _PLACES.unpack_from(memory)
    return Progress(steps, doing, size, slowest)


@final
class Journal:
    """The child's side.

    `memory`: shared with the parent. `spill`: sends to the parent what the memory cannot hold.
    """

    def __init__(self, memory: mmap, spill: Callable[[bytes], None]) -> None:
        self.memory, self.spill = memory, spill
        self.owner = getpid()
        self.steps = self.used = self.epoch = 0
        self.doing = OUTSIDE
        self.slowest = 0.0
        self.logs = False
        self.restarts = 0
        self.drawn: deque[Any] = deque()

    def open(self, drawn: bytes, *, logs: bool, restarts: int) -> None:
        """Begin a request, with what other children have drawn for it."""
        self.logs, self.restarts = logs, restarts
        self.drawn.clear()
        file = BytesIO(drawn)
        while file.tell() < len(drawn):
            self.drawn.append(load(file))
        self._write_used(0)

    def close(self) -> None:
        """End a request."""
        self.logs, self.restarts = False, 0
        self.drawn.clear()
        self._write_used(0)

    def call(self, size: int, draw: Callable[[], Any], *, single: bool) -> Any:
        """Call the target for `size` draws, or take what another child has drawn.

        `size`: draws of the call. `draw`: makes the call; what it returns is written down, so it
        must be plain. `single`: whether it is a call for one draw, whose failure is an outcome.
        """
        if self.drawn:
            return self.drawn.popleft()
        started = perf_counter()
        self._step(ONE if single else MANY, size)
        try:
            outputs = draw()
            if self.logs:
                self._keep(outputs)
        finally:
            if getpid() != self.owner:  # a copy that the target made, and let return
                end_process(0)
            seconds = (perf_counter() - started) / size
            if seconds > self.slowest:
                self.slowest = seconds
                struct.pack_into("<d", self.memory, _SLOWEST, seconds)
            self._step(OUTSIDE, 0)
        return outputs

    def go_on(self) -> None:
        """Within a call: one of its draws begins, and has its own time."""
        self._step(self.doing, 1)

    def _step(self, doing: int, size: int) -> None:
        self.steps += 1
        self.doing = doing
        _STEPS.pack_into(self.memory, 0, self.steps, doing, size)

    def _keep(self, outputs: Any) -> None:
        entry = dumps(outputs, protocol=5)
        if self.used + len(entry) > LOG_BYTES:
            start = Progress.SIZE
            held = self.memory[start : start + self.used]
            self.spill(self.epoch.to_bytes(8, "little") + held)
            self.epoch += 1
            self._write_used(0)
        if len(entry) > LOG_BYTES:
            self.spill(self.epoch.to_bytes(8, "little") + entry)
            self.epoch += 1
            self._write_used(0)
            return
        start = Progress.SIZE + self.used
        self.memory[start : start + len(entry)] = entry
        self._write_used(self.used + len(entry))

    def _write_used(self, used: int) -> None:
        self.used = used
        _USED.pack_into(self.memory, _LOG, used, self.epoch)

    @staticmethod
    def written(memory: mmap, epoch: int) -> bytes:
        """What the memory holds, unless the parent has it: it came with a number of `epoch`."""
        used, present = _USED.unpack_from(memory, _LOG)
        if present <= epoch:
            return b""
        return memory[Progress.SIZE : Progress.SIZE + used]
