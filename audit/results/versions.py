"""Versions of what a result depends on."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["DISTRIBUTION", "touchstone_version", "versions"]

DISTRIBUTION = "touchstone-dp"
"""Name under which the suite is installed."""


def touchstone_version() -> str:
    """Version of the installed distribution; "not installed" in a bare source tree."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "not installed"


def versions(libraries: Iterable[str | None] = ()) -> dict[str, str]:
    """Versions of touchstone, python, numpy, scipy and the audited libraries."""
    import platform
    from importlib.metadata import version

    known = {"touchstone": touchstone_version(), "python": platform.python_version()}
    names = ("numpy", "scipy", *sorted({name for name in libraries if name}))
    return known | {name: version(name) for name in names}
