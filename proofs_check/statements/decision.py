"""A check that decides one statement: the object, and how it is decided, apart.

The function under the decorator makes the statement. Called without keywords the check decides the
one object that its claim prints; a mutant replaces keywords, and makes another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial, update_wrapper
from inspect import Parameter, signature
from typing import Any, final

from proofs_check.claim import Check, Finding
from proofs_check.statements.forms import Statement

__all__ = ["Decided", "decided", "statement_of"]

Decide = Callable[..., Finding]
"""How a statement is decided: `solve`, `cover`, or a function that goes through cases."""


@final
class Decided:
    """A check's function, with the statement that it decides.

    Parameters
    ----------
    make : callable
        Makes the statement; its keywords are what mutants replace.
    by : callable
        Decides it.
    of : callable, optional
        The function as written, if `make` was made of it: its parameters without a default are
        variables.
    """

    def __init__(
        self, make: Callable[..., Statement], by: Decide, of: Callable[..., Any] | None = None
    ) -> None:
        self.make = make
        self.by = by
        update_wrapper(self, of or make)
        kept = signature(of or make)
        changed = [p for p in kept.parameters.values() if p.default is not Parameter.empty]
        self.__signature__ = kept.replace(parameters=changed)

    @cached_property
    def statement(self) -> Statement:
        """The statement of the claim: always the same object."""
        return self.make()

    def __call__(self, **changed: Any) -> Finding:
        """Decide the statement, or a changed one."""
        return self.by(self.make(**changed) if changed else self.statement)


def decided(by: Decide, **options: Any) -> Callable[[Callable[..., Statement]], Decided]:
    """Make a check of a function that makes a statement.

    Parameters
    ----------
    by : callable
        Decides a statement.
    **options
        Its options.
    """
    return lambda make: Decided(make, partial(by, **options) if options else by)


def statement_of(check: Check) -> Statement | None:
    """Return the object that a check decides, if it is one."""
    return check.decide.statement if isinstance(check.decide, Decided) else None
