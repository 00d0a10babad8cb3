"""Calls of released libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from audit.targets.libraries.adapters import ADAPTERS, build_adapter


def maker(name: str) -> Callable[..., Any]:
    """A function that makes a registered call, its arguments by position or by name."""

    def make(*values: Any, **named: Any) -> Any:
        return build_adapter(
            name, **dict(zip(ADAPTERS[name].parameters, values, strict=False)), **named
        )

    make.__name__ = name
    return make
