"""Checks told at the function that decides: its words, its method, and the mutants it must refuse.

`proves`, `refutes`, `encloses` and `confirms` say what a check is for; `mutant`, one for each, is
between them and the function, whose keywords it replaces. The function stays what it is, so that
others call it and `states` names it; a claim lists it by `checks_of`, its parts by `parts_of`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from mechanisms.errors import InvalidArgument
from proofs_check.claim import Check, Finding, Method, Obligation, Role
from proofs_check.statements.enumeration import Enumerated

__all__ = [
    "checks_of",
    "confirms",
    "encloses",
    "mutant",
    "parts_of",
    "proves",
    "refutes",
    "reworded",
]

Decide = Callable[..., Finding]
D = TypeVar("D", bound=Decide)

CHECKS: dict[Decide, Check] = {}
"""By its function, each check that was told so."""

MUTANTS: dict[Decide, dict[str, dict[str, Any]]] = {}
"""By its function, the mutants below a check that is still to be told."""


def mutant(words: str, /, **changed: Any) -> Callable[[D], D]:
    """Add a mutant to the check that is told above it.

    Parameters
    ----------
    words : str
        What is slightly wrong.
    **changed
        Keywords of the function that make it so.
    """

    def add(decide: D) -> D:
        below = MUTANTS.setdefault(decide, {})
        if decide in CHECKS or words in below:
            msg = f"a mutant must stand below its check, and once, got {words!r}"
            raise InvalidArgument(msg)
        MUTANTS[decide] = {words: changed, **below}  # decorators run from below: first stays first
        return decide

    return add


def proves(says: str, method: Method, *, cases: str = "") -> Callable[[D], D]:
    """Make a function the check of a part of the statement, or of a step of the argument.

    Parameters
    ----------
    says : str
        What is decided, in words.
    method : Method
        How.
    cases : str
        Which finite set is looked at, and how many; of what is `enumerated`, read off it.

    Examples
    --------
    >>> from proofs_check.checks import checks_of, mutant, proves
    >>> from proofs_check.claim import Method, exactly
    >>> @proves("Two and two are four.", Method.EXACT)
    ... @mutant("two and one", second=1)
    ... def sum_is_four(second=2):
    ...     return exactly(2 + second == 4)
    >>> [check.name for check in checks_of(sum_is_four)]
    ['sum_is_four']
    """
    return _told(says, method, Role.PROOF, cases)


def refutes(
    says: str, method: Method, *, role: Role = Role.PROOF, cases: str = ""
) -> Callable[[D], D]:
    """Make a function the check of a counterexample to the print."""
    return _told(says, method, role, cases, refuting=True)


def encloses(says: str, method: Method, *, cases: str = "") -> Callable[[D], D]:
    """Make a function the check of printed numbers."""
    return _told(says, method, Role.VALUE, cases)


def confirms(says: str, method: Method, *, cases: str = "") -> Callable[[D], D]:
    """Make a function the check of what is proved otherwise, or of more than is said."""
    return _told(says, method, Role.EXAMPLE, cases)


def checks_of(*parts: Check | Decide) -> tuple[Check, ...]:
    """Return the checks that were told at functions; one that is written out stays itself."""
    return tuple(part if isinstance(part, Check) else _check(part) for part in parts)


def reworded(decide: Decide, says: str) -> Check:
    """Return the check that was told at a function, in the words of another claim."""
    return replace(_check(decide), says=says)


def parts_of(*parts: Obligation | Decide) -> tuple[Obligation, ...]:
    """Return as parts of a statement what functions decide; the name of each says which part."""
    return tuple(part if isinstance(part, Obligation) else _part(part) for part in parts)


def _told(
    says: str, method: Method, role: Role, cases: str, *, refuting: bool = False
) -> Callable[[D], D]:
    def tell(decide: D) -> D:
        if decide in CHECKS:
            msg = f"a function is one check, got {says!r} beside {CHECKS[decide].says!r}"
            raise InvalidArgument(msg)
        CHECKS[decide] = Check(
            says,
            method,
            decide,
            mutants=MUTANTS.pop(decide, {}),
            refutes=refuting,
            role=role,
            cases=cases or (decide.cases if isinstance(decide, Enumerated) else ""),
        )
        return decide

    return tell


def _check(decide: Decide) -> Check:
    if decide not in CHECKS:
        msg = f"no check is told at {getattr(decide, '__name__', decide)!r}"
        raise InvalidArgument(msg)
    return CHECKS[decide]


def _part(decide: Decide) -> Obligation:
    name = _check(decide).name
    return Obligation(name.replace("_", " "), name)
