"""Versions of what a result depends on."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

__all__ = ["DISTRIBUTION", "touchstone_version", "versions"]

DISTRIBUTION = "touchstone-dp"
"""Name under which the suite is installed."""


def touchstone_version() -> str:
    """Version of the installed distribution; "not installed" in a bare source tree."""
    from importlib.metadata import PackageNotFoundError

    try:
        return _version(DISTRIBUTION)
    except PackageNotFoundError:
        return "not installed"


@cache  # a report of many audits asks for each: 2 ms a time
def _version(name: str) -> str:
    from importlib.metadata import version

    return version(name)


def versions(libraries: Iterable[str | None] = ()) -> dict[str, str]:
    """Versions of touchstone, python, numpy, scipy and the audited libraries."""
    import platform

    known = {"touchstone": touchstone_version(), "python": platform.python_version()}
    names = ("numpy", "scipy", *sorted({name for name in libraries if name}))
    return known | {name: _version(name) for name in names}
