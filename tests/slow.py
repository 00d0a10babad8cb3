"""Which cases of a test wait for `-m slow`: the others show the same law in less time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["all_but"]


def all_but(slow: Iterable[Any], cases: Iterable[Any]) -> list[Any]:
    """Cases of a test, those in `slow` marked so.

    Raises
    ------
    ValueError
        If one of these is no case, or none is left.
    """
    cases, slow = list(cases), list(slow)
    if not all(case in cases for case in slow) or len(slow) >= len(cases):
        msg = f"{slow} are not some of {cases}"
        raise ValueError(msg)
    return [pytest.param(case, marks=pytest.mark.slow) if case in slow else case for case in cases]
