"""Files of a user of the suite, and an interpreter that forgets them after the test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["imports_restored"]


@contextmanager
def imports_restored(folder: Path) -> Iterator[None]:
    """Leave sys.path as it was, and sys.modules without the modules of `folder`.

    No bytecode is kept: a file that is written again within a second, as long as before, would be
    taken for what it was.
    """
    path, keeps = list(sys.path), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.path[:] = path
        sys.dont_write_bytecode = keeps
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]
