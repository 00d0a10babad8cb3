"""The pytest plugin of Touchstone: names the installed version in pytest's header.

It lives outside the packages and imports none of them, so that a project with its own `audit` or
`mechanisms` folder can be tested while Touchstone is installed.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def pytest_report_header() -> str:
    """Line for pytest's header."""
    try:
        return f"touchstone: {version('touchstone-dp')}"
    except PackageNotFoundError:
        return "touchstone: not installed"
