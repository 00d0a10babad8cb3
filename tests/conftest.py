"""Fixtures and profiles shared by all tests."""

from __future__ import annotations

import compileall
import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # what a shell starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "light", deadline=None, derandomize=True, database=None, print_blob=True, max_examples=20
)
settings.register_profile("long", settings.get_profile("light"), max_examples=100)
settings.register_profile(
    "nightly",
    deadline=None,
    max_examples=5_000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "light"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each worker tests that stand together: what they share is made by one of them."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getvalue("dist") == "load" else None


def pytest_configure(config: pytest.Config) -> None:
    """Compile the packages where Python would not: a program started by a test only reads them.

    It takes half a second of each of these programs. A run that keeps nothing (`-p
    no:cacheprovider`) does not: a mutant may be as long as, and of the same second as, its source.
    """
    if _keeps(config) and sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        for package in ("mechanisms", "audit", "proofs_check"):
            compileall.compile_dir(Path(__file__).parents[1] / package, quiet=2)


def _keeps(config: pytest.Config) -> bool:
    return config.pluginmanager.has_plugin("cacheprovider")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Keep the garbage collector from what is made here: it lives as long as the run.

    So do the syntax trees of the tests of architecture, for which it looks less often afterwards.
    Bytecode of the tests is kept, also where Python would not: to rewrite their assertions is most
    of the time of collection.
    """
    gc.disable()
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = before and not _keeps(session.config)
    try:
        return (yield)
    finally:
        sys.dont_write_bytecode = before
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def kept_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what `touchstone prove` finds in a folder of the tests, not in the user's.

    A command that is not told otherwise runs in this process: to start two more, which import
    everything again, takes seconds. Tests of several processes ask for them.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOUCHSTONE_CACHE", str(tmp_path_factory.mktemp("kept")))
        patch.setattr("audit.runs.session.MOST_PROCESSES", 1)
        yield


@pytest.fixture
def dp_rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator seeded from the test's name: the same stream in any order and on any worker."""
    return np.random.default_rng(crc32(request.node.nodeid.encode()))
