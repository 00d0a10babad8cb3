"""What a target may have changed in its process, and what our code there works with.

A target may replace functions of numpy or of Python, handlers of signals, limits. Its draws are its
own; but where our code then fails between them, that is told of the target, by what was changed,
and is no bug of ours. Nothing here is looked up when it is needed: it may have been replaced.
"""

from __future__ import annotations

import builtins
import io
import json
import math
import os
import pickle
import signal
import struct
import sys
import time
from signal import ITIMER_REAL, getsignal, setitimer
from signal import signal as handle
from sys import getrecursionlimit, setrecursionlimit
from typing import Any, final

import numpy as np

MODULES = (builtins, np, np.linalg, np.random, pickle, json, struct, os, time, math, io, sys)
VARIES = frozenset({"_", "stdin", "stdout", "stderr", "argv", "path", "modules", "meta_path"})
"""Names in them that may change for good reasons."""

HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD)
MOST_NAMED = 3


class ProcessChanged(Exception):
    """Our code failed in the process of a target that had changed it; the text says what."""


@final
class Surroundings:
    """What a process has before its target is called."""

    def __init__(self) -> None:
        self.modules: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
        for module in MODULES:
            now = vars(module)
            before = {k: v for k, v in now.items() if k[:2] != "__" and k not in VARIES}
            self.modules.append((module.__name__, now, before))
        self.modules.append(("sys.modules", sys.modules, dict(sys.modules)))
        handlers = [(number.name, number, getsignal(number)) for number in HANDLED]
        self.handlers = [one for one in handlers if one[2] is not None]
        self.depth = getrecursionlimit()

    def restore(self) -> list[str]:
        """Put back what was changed, and name it."""
        changed: list[str] = []
        for name, now, before in self.modules:  # of this, no step needs a builtin
            changed += [f"{name}.{k}" for k, v in before.items() if now.get(k, self) is not v]
            now.update(before)
        if getrecursionlimit() != self.depth:
            changed.append("the recursion limit")
            setrecursionlimit(self.depth)
        for name, number, handler in self.handlers:
            if getsignal(number) is not handler:
                setitimer(ITIMER_REAL, 0)
                changed.append(f"the handler of {name}")
                handle(number, handler)
        return changed

    def fault(self, failure: BaseException) -> BaseException:
        """What a failure of our code is: by what was changed, if anything was."""
        changed = self.restore()
        if not changed:
            return failure
        named = ", ".join(changed[:MOST_NAMED])
        more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
        words = f"{type(failure).__name__}: {failure}"
        msg = f"it changed {named}{more} in its process, and nothing could be made of its answers"
        return ProcessChanged(f"{msg} ({words[:80]})")
