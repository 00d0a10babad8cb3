"""Finite sets of cases: data of a check, drawn from its runner, which counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from inspect import Parameter, signature
from typing import Any, final

from proofs_check.claim import Finding

__all__ = ["Enumerated", "Finite", "enumerated"]


@final
@dataclass(frozen=True, slots=True)
class Finite:
    """A finite set of cases.

    Parameters
    ----------
    name : str
        What they are, in the plural: "pairs of small data sets".
    make : callable
        Yields them, always in the same order.
    """

    name: str
    make: Callable[[], Iterator[Any]]


@final
class Enumerated:
    """A check that looks at every case of a finite set: one that it does not draw is missed.

    Parameters
    ----------
    over : Finite
        The cases.
    look : callable
        Takes an iterator of the cases, which it must use up unless it finds one that fails; its
        other keywords are what mutants replace.
    """

    def __init__(self, over: Finite, look: Callable[..., Finding]) -> None:
        self.over = over
        self.look = look
        update_wrapper(self, look)
        first, *others = signature(look).parameters.values()
        assert first.default is Parameter.empty
        self.__signature__ = signature(look).replace(parameters=others)

    @cached_property
    def size(self) -> int:
        """How many cases there are."""
        return sum(1 for _ in self.over.make())

    @property
    def cases(self) -> str:
        """How many of what, for `Check.cases`."""
        return f"{self.size:,} {self.over.name}"

    def __call__(self, **changed: Any) -> Finding:
        """Look at the cases, and count those that were drawn."""
        drawn = 0

        def counted() -> Iterator[Any]:
            nonlocal drawn
            for case in self.over.make():
                drawn += 1
                yield case

        finding = self.look(counted(), **changed)
        if finding.holds and drawn < self.size:
            return Finding(None, f"not covered: {drawn:,} of {self.cases} were looked at")
        return finding


def enumerated(name: str, make: Callable[[], Iterator[Any]]) -> Callable[..., Enumerated]:
    """Make a check of a function that looks at the cases of a finite set."""
    return lambda look: Enumerated(Finite(name, make), look)
