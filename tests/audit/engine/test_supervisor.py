"""Draws in a child process: every end of it is an outcome, and nothing of it is left."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from audit.draws.containment import apart, supervised
from audit.draws.output_words import form, label_of, outcome
from audit.draws.portable import portable, portable_draw
from audit.draws.supervisor import BrokenChild, Care
from audit.targets.outcomes import (
    BatchFailed,
    Label,
    NoAnswer,
    OutOfTime,
    calling,
    continued,
    is_outcome,
    reporter,
    without_frames,
)
from audit.targets.target import Target
from mechanisms.errors import InvalidArgument
from tests.signals import ctrl_c_reaches_children
from tests.slow import by_default

SHORT = Care(timeout=1.0)
SILENT = ("hang", "busy", "stopped")
FIFTH = 5


def stream() -> np.random.Generator:
    """The generator of a block, begun anew."""
    return continued(np.random.Generator(np.random.Philox(7)))


def one_by_one(target: Target, data: Any, size: int) -> list[Any]:
    """Draw as the engine does where one draw a call is asked for."""
    rng = stream()

    def one() -> Any:
        try:
            return portable_draw(target.draw(data, 1, rng)[0])
        except BaseException as failure:
            if not is_outcome(failure):
                raise
            return portable_draw(without_frames(failure))

    return [calling(1, one, single=True) for _ in range(size)]


def together(target: Target, data: Any, size: int) -> Any:
    """Draw as the engine does where many draws a call are asked for."""
    rng = stream()
    return calling(size, lambda: portable(target.draw(data, size, rng)), single=False)


def process(_: Target) -> int:
    """Where this is called."""
    return os.getpid()


def busy() -> None:
    """Never return, and never sleep."""
    while True:
        pass


class PanicException(BaseException):
    """As libraries in Rust raise."""


def raising(error: BaseException) -> Callable[[], Any]:
    """Raise something."""

    def accident() -> Any:
        raise error

    return accident


ACCIDENTS: dict[str, tuple[Callable[[], Any], str]] = {
    "exit": (lambda: os._exit(0), "is missing: the process ended (status 0)"),
    "exit_3": (lambda: os._exit(3), "is missing: the process ended (status 3)"),
    "segfault": (
        lambda: os.kill(os.getpid(), signal.SIGSEGV),
        "is missing: the process ended (signal SIGSEGV)",
    ),
    "killed": (
        lambda: os.kill(os.getpid(), signal.SIGKILL),
        "is missing: the process ended (signal SIGKILL)",
    ),
    "hang": (lambda: time.sleep(60), "is missing: no answer in 1 s"),
    "busy": (busy, "is missing: no answer in 1 s"),
    "stopped": (
        lambda: os.kill(os.getpid(), signal.SIGSTOP),
        "is missing: no answer in 1 s",
    ),
    "sys_exit": (lambda: sys.exit(0), "raises SystemExit"),
    "cancelled": (raising(asyncio.CancelledError()), "raises CancelledError"),
    "generator_exit": (raising(GeneratorExit()), "raises GeneratorExit"),
    "panic": (raising(PanicException("index")), "raises PanicException"),
    "interrupted": (raising(KeyboardInterrupt()), "raises KeyboardInterrupt"),
    "memory": (raising(MemoryError()), "raises MemoryError"),
    "key": (raising(KeyError("x")), "raises KeyError"),
}


def target(accident: Callable[[], Any] | None = None, *, every: int = FIFTH) -> Target:
    """A target with an accident in every fifth call of a process; `data` is added."""
    calls = 0

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        nonlocal calls
        calls += 1
        if accident is not None and calls % every == 0:
            accident()
        return np.asarray(data) + rng.laplace(size=size)

    return Target("t", draw, None)


def children() -> list[int]:
    """Processes that this one has started and not waited for, at whatever remove."""
    return [child.pid for child in psutil.Process().children(recursive=True)]


@contextmanager
def looked_after(sampler: Target, care: Care | None = None, **more: Any) -> Iterator[Target]:
    """A target with a child, of which nothing is left at the end."""
    before = set(children())
    with supervised(sampler, care or Care(), **more) as (child, _):
        yield child
    assert set(children()) <= before


SOON = [name for name in ACCIDENTS if name not in ("busy", "hang", "stopped")]
"""Accidents that are seen at once: the others take a second."""


@pytest.mark.parametrize("name", by_default(SOON, ACCIDENTS))
def test_an_accident_is_the_outcome_of_its_draw(name: str) -> None:
    """It must hold that the draws around an accident are kept, each of them made once."""
    accident, label = ACCIDENTS[name]
    size = 8 if name in SILENT else 12
    with looked_after(target(accident), SHORT if name in SILENT else None) as child:
        drawn = apart(child, one_by_one, child, 0.0, size, logs=True)
    labels = [label_of(z)[0] for z in drawn]
    places = [i for i, found in enumerate(labels) if found]
    assert {labels[i] for i in places} == {label}
    assert places[0] == FIFTH - 1
    numbers = [label_of(z)[1] for i, z in enumerate(drawn) if i not in places]
    assert len(set(numbers)) == len(numbers) == size - len(places)
    rng = np.random.Generator(np.random.Philox(7))
    assert numbers[: FIFTH - 1] == [float(rng.laplace()) for _ in range(FIFTH - 1)]


@pytest.mark.long
@pytest.mark.parametrize("name", ["exit", "segfault"])
def test_a_lost_block_goes_on_repeatably(name: str) -> None:
    """It must hold that the same accidents give the same draws."""
    blocks = []
    for _ in range(2):
        with looked_after(target(ACCIDENTS[name][0])) as child:
            blocks.append(apart(child, one_by_one, child, 0.0, 12, logs=True))
    first, again = ([repr(z) for z in block] for block in blocks)
    assert first == again


@pytest.mark.long
@pytest.mark.parametrize("name", ["exit", "busy"])
def test_of_many_draws_the_lost_one_is_not_known(name: str) -> None:
    """It must hold that the batch has failed, and that the next request has a new process."""
    accident, label = ACCIDENTS[name]
    with looked_after(target(accident, every=2), SHORT if name in SILENT else None) as child:
        first = apart(child, together, child, 0.0, 3)
        with pytest.raises(BatchFailed) as caught:
            apart(child, together, child, 0.0, 3)
        assert label == f"is missing: {caught.value}"
        assert apart(child, together, child, 0.0, 3).tolist() == first.tolist()


@pytest.mark.slow
def test_slow_calls_are_waited_for() -> None:
    """It must hold that a call has twenty times what the slowest before took for its draws."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        time.sleep(0.1 if size == 1 else 1.5)
        return rng.laplace(size=size)

    with looked_after(Target("slow", draw, None), SHORT) as child:
        assert len(apart(child, together, child, 0.0, 1)) == 1
        assert len(apart(child, together, child, 0.0, 2)) == 2
    with looked_after(Target("slow", draw, None), SHORT) as child, pytest.raises(BatchFailed):
        apart(child, together, child, 0.0, 2)


def test_the_deadline_ends_what_does_not_end_itself() -> None:
    """It must hold that a request is out of time some seconds after its deadline."""
    with looked_after(target(busy, every=1)) as child:
        with pytest.raises(OutOfTime):
            apart(child, together, child, 0.0, 3, deadline=time.monotonic() - 1.9)
        with pytest.raises(OutOfTime):
            apart(child, one_by_one, child, 0.0, 3, logs=True, deadline=time.monotonic() - 1.9)


def test_what_a_target_does_to_its_process_stays_there(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It must hold that settings, folder, streams, handlers and output of this one are its own."""

    def accident() -> None:
        np.seterr(all="raise")
        os.chdir(tmp_path)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        print("VERDICT: CONSISTENT")
        os.write(1, b"more\n")
        sys.stdout.close()
        warnings.simplefilter("error")
        assert sys.stdin.read() == ""

    def settings() -> list[Any]:
        return [np.geterr(), Path.cwd(), signal.getsignal(signal.SIGINT), sys.stdout]

    before = settings()
    with looked_after(target(accident, every=1)) as child:
        apart(child, one_by_one, child, 0.0, 3, logs=True)
        assert apart(child, process, child) != os.getpid()
    assert settings() == before
    assert reporter() is None
    out, err = capfd.readouterr()
    assert out == ""
    assert "more" in err


def test_what_the_target_started_ends_with_it() -> None:
    """It must hold that processes of the target's are not left, though they hold its pipes."""
    started: list[int] = []

    def accident() -> None:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        os._exit(0)

    with looked_after(target(accident)) as child:
        drawn = apart(child, one_by_one, child, 0.0, 7, logs=True)
    assert [isinstance(z, NoAnswer) for z in drawn].count(True) == 1
    assert not started


def test_a_child_ends_with_its_parent() -> None:
    """It must hold that a killed audit leaves no process that draws on."""
    reads, writes = os.pipe()
    parent = os.fork()
    if parent == 0:
        with supervised(target(busy, every=1), Care()) as (child, _):
            os.write(writes, str(apart(child, process, child)).encode())
            apart(child, together, child, 0.0, 3)
    os.close(writes)
    grandchild = psutil.Process(int(os.read(reads, 20)))
    os.close(reads)
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    psutil.wait_procs([grandchild], timeout=60)
    assert not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE


@pytest.mark.long
def test_an_interruption_ends_the_child() -> None:
    """It must hold that Ctrl-C while a draw is waited for leaves nothing behind."""
    before = set(children())
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    with ctrl_c_reaches_children(), supervised(target(busy, every=1), Care()) as (child, _):
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            apart(child, together, child, 0.0, 3)
        assert set(children()) <= before
    assert set(children()) <= before


def test_no_warning_of_threads_comes_from_the_fork() -> None:
    """It must hold that a child begins though threads run, and nobody is warned."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with looked_after(target()) as child:
                assert len(apart(child, together, child, 0.0, 3)) == 3
    finally:
        done.set()
        thread.join()


def test_data_that_cannot_be_sent_are_inherited() -> None:
    """It must hold that a lock or a function as data needs no pickle, first or later."""
    lock = threading.Lock()

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        with data["lock"]:
            return data["value"]() + rng.laplace(size=size)

    early = {"lock": lock, "value": lambda: 1.0}
    with looked_after(Target("locked", draw, None), known=[early]) as child:
        for data in (early, {"lock": lock, "value": lambda: 2.0}):
            assert len(apart(child, together, child, data, 3)) == 3


def test_faults_of_a_request_come_back() -> None:
    """It must hold that an error of ours is raised here, with its class and text."""
    with looked_after(target()) as child:
        with pytest.raises(InvalidArgument, match="the name of a fault"):
            apart(child, faulty, child)
        with pytest.raises(RuntimeError, match="Peculiar: of its own kind"):
            apart(child, peculiar, child)
        with pytest.raises(BrokenChild, match="status 5"):
            apart(child, broken, child)
        assert len(apart(child, together, child, 0.0, 3)) == 3


def faulty(_: Target) -> None:
    """Raise an error of a user's."""
    msg = "the name of a fault"
    raise InvalidArgument(msg)


def peculiar(_: Target) -> None:
    """Raise what cannot be sent."""

    class Peculiar(Exception):
        pass

    msg = "of its own kind"
    raise Peculiar(msg)


def broken(_: Target) -> None:
    """End the process outside of a draw."""
    os._exit(5)


def test_memory_has_a_limit_where_it_is_set() -> None:
    """It must hold that a call that takes more raises MemoryError, and that the engine may."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return np.ones(int(data)).sum() + rng.laplace(size=size)

    with looked_after(Target("large", draw, None), Care(memory=100)) as child:
        drawn = [apart(child, one_by_one, child, n, 1, logs=True)[0] for n in (1e3, 1e9, 1e3)]
        assert [label_of(z)[0] for z in drawn] == ["", "raises MemoryError", ""]
        assert apart(child, large, child) == 1.5e7


def large(_: Target) -> float:
    """Take 120 megabytes."""
    return float(np.ones(15_000_000).sum())


def test_a_later_process_does_not_repeat_the_global_generators() -> None:
    """It must hold that draws by numpy's own generator are not those of the process before."""
    calls = 0

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        nonlocal calls
        calls += 1
        if calls == 4:
            os._exit(0)
        return np.random.laplace(size=size)  # noqa: NPY002 - as targets do

    with looked_after(Target("global", draw, None)) as child:
        drawn = apart(child, one_by_one, child, 0.0, 12, logs=True)
    numbers = [z for z in drawn if isinstance(z, float)]
    assert len(set(numbers)) == len(numbers) == 9


def test_a_long_journal_goes_through_the_pipe() -> None:
    """It must hold that more than the shared memory holds is kept, with the draw that was lost."""
    calls = 0

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        nonlocal calls
        calls += 1
        if calls == 40:
            os._exit(0)
        return [np.full(5_000 if calls % 10 else 50_000, float(calls))]

    with looked_after(Target("long", draw, None)) as child:
        drawn = apart(child, one_by_one, child, 0.0, 45, logs=True)
    firsts = [z if isinstance(z, NoAnswer) else z[0] for z in drawn]
    assert firsts[:39] == list(range(1, 40))
    assert isinstance(firsts[39], NoAnswer)
    assert firsts[40:] == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_commands_own_process_is_enough() -> None:
    """It must hold that commands, and whoever asks for it, are drawn from here; notes say so."""
    with supervised(target(), None) as (here, notes):
        assert apart(here, process, here) == os.getpid()
        assert "--in-process" in notes()[0]
    command = Target("c", target().draw, None, command=("./c",))
    with supervised(command, SHORT) as (here, notes):
        assert here is command
        assert notes() == ()


@dataclass
class Pair:
    """A container of the user's."""

    low: Any
    high: Any


class Shown:
    """An object with a text."""

    def __repr__(self) -> str:
        return "Shown()"


@pytest.mark.parametrize(
    "z",
    [
        *(1.5, -0.0, math.nan, math.inf, 3, 2**60, True, None, "text", b"bytes", 1 + 2j),
        *(np.float64(2.5), np.int64(3), np.float32(0.1), np.bool_(True), np.str_("a")),
        *((1.0, "a"), [1.0, [2.0, None]], {"b": 1, "a": 2.0}, np.arange(3), np.ones((2, 2))),
        *(Pair(1.0, Shown()), Shown(), object(), ValueError("x"), [Pair(1, 2), KeyError("k")]),
        *(np.array([1, "a", None], dtype=object), {1.5: 2}, range(3), {"k": Pair(1.0, "x")}),
    ],
)
def test_outputs_travel_with_their_labels(z: Any) -> None:
    """It must hold that what leaves the process has the labels, numbers and form that it had."""
    import pickle

    sent = pickle.loads(pickle.dumps(portable_draw(z)))
    assert form(sent) == form(z)
    if isinstance(z, Exception):
        return
    for place in range(4):
        assert outcome(sent, place) == outcome(z, place)
    assert portable_draw(Label("is x")) == Label("is x")
