"""Which machine numbers a noise sampler can give, and which of them lie in an interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, final

from audit.floats.machine_numbers import Float, FloatType

MOST_SEARCHED = 2**14
"""Indices around a candidate that are tried one by one."""


@final
@dataclass(frozen=True, slots=True)
class Window:
    """Indices that were searched one by one, because only these can give a value of an interval."""

    first: int
    last: int
    """Ends of the search; none was searched where last is first - 1."""
    hits: tuple[int, ...]
    """Indices among them whose value lies in the interval."""
    edges: tuple[int, ...] = ()
    """Indices just before and after the window, where there are any: their values lie well outside
    of the interval, on the two sides of it."""


class NoiseValues(Protocol):
    """All values of a sampler, by an index."""

    @property
    def dtype(self) -> FloatType:
        """Format of the values."""
        ...

    @property
    def indices(self) -> int | None:
        """How many indices there are, all of the same probability; None where that is not so."""
        ...

    def value(self, index: int) -> Float:
        """Value of one index."""
        ...

    def examples(self) -> Iterator[int]:
        """Indices to try, the likeliest values first."""
        ...

    def between(self, lower: Float, upper: Float) -> Window | None:
        """Search an interval; None where that would take too long."""
        ...
