"""Memory that a call may take: a limit of the process's address space while it lasts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

MEGABYTE = 2**20


def memory_with(megabytes: int) -> int:
    """Bytes of address space that this process has, and so many megabytes more."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - one line
            now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        now = 0
    return now + megabytes * MEGABYTE


@contextmanager
def limited(most: int) -> Iterator[None]:
    """Let a call take so much memory, and ours as much as before."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
