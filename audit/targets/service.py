"""The child's side: it takes requests until there are none, and leaves its parent alone.

What the target does to its process stays there: its standard input is empty, its standard output
is standard error, Ctrl-C does not reach it (it is in a process group of its own), and it dies with
its parent.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import random
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from mmap import mmap
from os import _exit as end_process
from os import read, write
from pathlib import Path
from pickle import dumps, loads
from typing import Any, Literal, NoReturn

import numpy as np

from audit.targets.child_messages import (
    ANSWER,
    CHUNK,
    LENGTH,
    LOG,
    ChildAnswer,
    Journal,
    WorkOrder,
    loaded,
)
from audit.targets.outcomes import BatchFailed, NoAnswer, OutOfTime
from audit.targets.separation import die_with, without_backtraces
from audit.targets.surroundings import Surroundings
from mechanisms.errors import TouchstoneError

KILLED_FIRST = "500"
"""Badness added to the child's: where memory runs out, the system should not choose its parent."""


def serve(
    memory: mmap,
    inherited: Sequence[Any],
    requests: tuple[int, int],
    answers: tuple[int, int],
    parent: int,
    prepare: Callable[[Journal], None],
    generation: int,
) -> NoReturn:
    """Answer requests until there are no more; the process ends here.

    `memory`: shared with the parent. `inherited`: objects that requests do not contain. `requests`,
    `answers`, (int, int): pipes, with both their ends. `parent`: its id. `prepare`: called before
    the first request. `generation`: how many children came before.
    """
    status: Literal[0, 70] = 70
    try:
        os.close(requests[1])
        os.close(answers[0])
        _stand_alone(parent, requests[0], answers[1])
        if generation:
            _begin_elsewhere(generation)
        journal = Journal(memory, lambda body: _send(answers[1], LOG, body))
        prepare(journal)
        surroundings = Surroundings()
        kept: dict[int, Any] = {}

        def found(place: int) -> Any:
            return inherited[place] if place >= 0 else kept[-place]

        while (message := _received(requests[0])) is not None:
            new, lasting, body = loads(message)
            kept |= {number: loaded(one, found) for number, one in new.items()}
            kept = {number: kept[number] for number in lasting}
            order = loaded(body, found)
            _send(answers[1], ANSWER, _packed_answer(_answer(order, journal, surroundings)))
        status = 0
    except BaseException:  # noqa: BLE001 - the frames above are those of the parent
        if TRACES:
            import traceback

            traceback.print_exc()
    finally:
        end_process(status)


TRACES = bool(os.environ.get("TOUCHSTONE_TRACEBACK"))

EXPECTED = (TouchstoneError, OutOfTime, BatchFailed, NoAnswer)
"""What our code raises in the child on purpose."""


def _answer(order: WorkOrder, journal: Journal, surroundings: Surroundings) -> ChildAnswer:
    journal.open(order.drawn, logs=order.logs, restarts=order.restarts)
    try:
        return ChildAnswer(order.function(*order.arguments))
    except EXPECTED as failure:
        return ChildAnswer(None, failure)
    except BaseException as failure:  # noqa: BLE001 - the parent raises it again
        return ChildAnswer(None, surroundings.fault(failure))
    finally:
        surroundings.restore()  # also where all went well: the answer is to be written
        journal.close()


def _packed_answer(answer: ChildAnswer) -> bytes:
    """Write an answer; of a failure that cannot be sent its text is left."""
    failure = answer.failure
    if failure is None:
        return dumps(answer, protocol=5)
    import traceback

    failure.__context__ = failure.__cause__ = None
    said = "".join(traceback.format_exception(failure))
    failure.__traceback__ = None
    try:
        failure.add_note(f"in the process of the target:\n{said}")
        packed = dumps(answer, protocol=5)
        loads(packed)
    except Exception:  # noqa: BLE001 - an exception may refuse in any way
        text = f"{type(failure).__name__}: {failure}"
        return dumps(ChildAnswer(None, RuntimeError(text)), protocol=5)
    return packed


def _stand_alone(parent: int, *pipes: int) -> None:
    """Leave the terminal, the parent's streams and its handlers of signals."""
    with suppress(OSError):
        os.setpgid(0, 0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.disable()  # a crash is an outcome, perhaps of many draws
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    die_with(parent)
    without_backtraces()
    empty = os.open(os.devnull, os.O_RDWR)
    for stream, place in ((sys.__stdin__, 0), (sys.__stdout__, 1)):
        with suppress(OSError, ValueError):
            if stream is not None and stream.fileno() == place and place not in pipes:
                os.dup2(empty if place == 0 else 2, place)
    os.close(empty)
    _abandoned.extend(
        (sys.stdin, sys.stdout, sys.stderr)
    )  # what they hold is the parent's to write
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - for good
    try:
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False, buffering=1)  # noqa: SIM115
    except OSError:  # the parent has none
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stderr
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(KILLED_FIRST, encoding="ascii")
    gc.freeze()  # looking through what it inherited would copy all of it


_abandoned: list[Any] = []


def _begin_elsewhere(generation: int) -> None:
    """Move the global generators away from where an earlier child began, repeatably."""
    # it is the target that may use the global generator
    key = np.random.get_state(legacy=False)["state"]["key"]  # noqa: NPY002
    np.random.seed([generation, *map(int, key[:8])])  # noqa: NPY002
    random.seed(f"{generation} {random.getrandbits(64)}")


def _received(descriptor: int) -> bytes | None:
    """Read one message; None where there are no more."""
    head = _exactly(descriptor, LENGTH.size)
    return None if head is None else _exactly(descriptor, LENGTH.unpack(head)[1])


def _exactly(descriptor: int, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        chunk = read(descriptor, min(CHUNK, size - len(parts)))
        if not chunk:
            return None
        parts += chunk
    return bytes(parts)


def _send(descriptor: int, kind: bytes, body: bytes) -> None:
    unsent = memoryview(LENGTH.pack(kind, len(body)) + body)
    while unsent:
        unsent = unsent[write(descriptor, unsent[:CHUNK]) :]
