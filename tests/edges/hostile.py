"""Releases that change their process: each draws from the same distribution whatever the data."""

from __future__ import annotations

import builtins
import json
import os
import pickle
import resource
import signal
import struct
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np


def _refuse(*_: Any, **__: Any) -> Any:
    msg = "replaced"
    raise RuntimeError(msg)


def _replace(thing: Any, *names: str) -> None:
    for name in names:
        setattr(thing, name, _refuse)


def _away() -> None:
    os.umask(0o777)
    os.chdir("/")


CHANGES: dict[str, Any] = {
    "fork": os.fork,
    "numpy": lambda: _replace(np, "array", "asarray", "zeros"),
    "pickle": lambda: _replace(pickle, "dumps", "loads", "Pickler", "Unpickler", "load"),
    "json": lambda: _replace(json, "dumps", "loads"),
    "os": lambda: _replace(os, "write", "read", "_exit", "getpid"),
    "time": lambda: _replace(time, "perf_counter", "monotonic", "time"),
    "struct": lambda: _replace(struct, "pack", "pack_into"),
    "files": lambda: os.closerange(0, 65536),
    "pipe": lambda: _replace(os, "pipe"),
    "forks": lambda: _replace(os, "fork"),
    "nofile": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0)),
    "memory": lambda: resource.setrlimit(resource.RLIMIT_AS, (2**20, 2**20)),
    "processor": lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)),
    "folder": lambda: _away(),
    "handlers": lambda: (
        signal.signal(signal.SIGALRM, _refuse),
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001),
    ),
    "depth": lambda: sys.setrecursionlimit(60),
    "modules": sys.modules.clear,
    "streams": lambda: vars(sys).update(stdout=None, stderr=None),
    "threads": lambda: list(ThreadPoolExecutor(4).map(abs, range(10))),
    **{
        name: (lambda name=name: _replace(builtins, name))
        for name in ("len", "open", "print", "isinstance", "range", "getattr", "type", "max", "id")
    },
}
"""What a release does to its process, by the name of the release."""


class Hostile:
    """A release that makes one of the changes, after it has drawn."""

    def __init__(self, change: str) -> None:
        self.change = change

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Any:
        """Draw."""
        del data
        outputs = rng.laplace(size=size)
        CHANGES[self.change]()
        return outputs
