"""Files of a user of the suite, and an interpreter that forgets them after the test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["imports_restored"]


@contextmanager
def imports_restored(folder: Path) -> Iterator[None]:
    """Leave sys.path as it was, and sys.modules without the modules of `folder`."""
    path = list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = path
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]
