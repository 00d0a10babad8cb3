"""Which cases of a test wait for `-m long` or `-m slow`: others show the same law in less time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["all_but", "by_default"]


def all_but(slow: Iterable[Any], cases: Iterable[Any]) -> list[Any]:
    """Cases of a test, those in `slow` marked so.

    Raises
    ------
    ValueError
        If one of these is no case, or none is left.
    """
    return _later(list(slow), list(cases), pytest.mark.slow)


def by_default(light: Iterable[Any], cases: Iterable[Any]) -> list[Any]:
    """Cases of a test, all but those in `light` marked long; several arguments are a tuple.

    Raises
    ------
    ValueError
        If one of these is no case, or all are.
    """
    cases, light = list(cases), list(light)
    if unknown := [case for case in light if case not in cases]:
        msg = f"{unknown} are no cases"
        raise ValueError(msg)
    return _later([case for case in cases if case not in light], cases, pytest.mark.long)


def _later(late: list[Any], cases: list[Any], mark: pytest.MarkDecorator) -> list[Any]:
    """Cases, of which some have a mark."""
    if not all(case in cases for case in late) or not 0 < len(late) < len(cases):
        msg = f"{late} are not some of {cases}"
        raise ValueError(msg)
    return [
        pytest.param(*(case if isinstance(case, tuple) else [case]), marks=mark)
        if case in late
        else case
        for case in cases
    ]
