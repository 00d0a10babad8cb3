"""Which cases of a test wait for `-m long` or `-m slow`: others show the same law in less time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["all_but", "by_default", "one_in"]


def all_but(slow: Iterable[Any], cases: Iterable[Any]) -> list[Any]:
    """Cases of a test, those in `slow` marked so.

    Raises
    ------
    ValueError
        If one of these is no case, or none is left.
    """
    cases = list(cases)
    return _later(_places(slow, cases), cases, pytest.mark.slow)


def by_default(light: Iterable[Any], cases: Iterable[Any]) -> list[Any]:
    """Cases of a test, all but those in `light` marked long; several arguments are a tuple.

    Raises
    ------
    ValueError
        If one of these is no case, or all are.
    """
    cases = list(cases)
    return _later(set(range(len(cases))) - _places(light, cases), cases, pytest.mark.long)


def one_in(step: int, cases: Iterable[Any]) -> list[Any]:
    """Cases of a test that is long: each one after so many, and those between marked slow.

    For a test that says the same of many things, each of which takes a second.
    """
    cases = list(cases)
    return _later({n for n in range(len(cases)) if n % step}, cases, pytest.mark.slow)


def _places(some: Iterable[Any], cases: list[Any]) -> set[int]:
    """Where some of the cases stand."""
    some = list(some)
    if unknown := [case for case in some if case not in cases]:
        msg = f"{unknown} are no cases"
        raise ValueError(msg)
    return {number for number, case in enumerate(cases) if case in some}


def _later(late: set[int], cases: list[Any], mark: pytest.MarkDecorator) -> list[Any]:
    """Cases, of which some have a mark."""
    if not 0 < len(late) < len(cases):
        msg = f"{len(late)} of {len(cases)} cases are not some of them"
        raise ValueError(msg)
    found = list(cases)
    for number in late:
        case = cases[number]
        found[number] = pytest.param(*(case if type(case) is tuple else [case]), marks=mark)
    return found
