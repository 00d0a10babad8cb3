"""What a mechanism of the user's promises, attached where it is written: `@audit.mechanism`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar, final

from mechanisms.claims import Order, OrderWord, PrivacyClaim
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_bounds, check_choice, shown

__all__ = ["Declaration", "declaration_of", "declared_in", "mechanism"]

T = TypeVar("T")

ATTRIBUTE = "__touchstone__"
"""Where it is kept; a class inherits that of its base."""


@final
@dataclass(frozen=True, slots=True)
class Declaration:
    """A claim, public bounds of the records, and how the data are read."""

    claim: PrivacyClaim
    bounds: tuple[Fraction, Fraction] | None = None
    """Low and high of the records."""
    order: Order | None = None
    """None where nothing is said."""


def mechanism(
    claim: PrivacyClaim,
    /,
    *,
    low: Number | None = None,
    high: Number | None = None,
    order: Order | OrderWord | None = None,
) -> Callable[[T], T]:
    """Attach a claim to a function or method, or to a class with `sample`.

    It is called as before. `audit.audit` needs no other words about it, and `touchstone init` and
    the gate (`target = "file.py:*"`) find it.

    Parameters
    ----------
    claim : PrivacyClaim
        As `audit.pure` and its like make it.
    low, high : int, float, str, Fraction or None
        Public bounds of the records.
    order : {"free", "fixed"} or None
        Whether the order of records is data; None for "free".

    Raises
    ------
    InvalidArgument
        If one of them is out of its domain, or what is decorated has another claim, is async, or
        can hold no declaration.

    Examples
    --------
    >>> import audit
    >>> @audit.mechanism(audit.pure(1, relation="swap"), low=0, high=1)
    ... def total(data, size, rng):
    ...     return data.sum() + rng.laplace(size=size)
    >>> print(audit.load(total).claim)
    epsilon = 1 (swap)
    """
    _check_claim(claim)
    if (low is None) != (high is None):
        msg = f"low and high go together, got low={shown(low)}, high={shown(high)}"
        raise InvalidArgument(msg)
    ends = None if low is None or high is None else check_bounds(low, high)
    read = None if order is None else Order(check_choice(order, "order", tuple(Order)))
    told = Declaration(claim, ends, read)

    def attach(found: T) -> T:
        function = found.__func__ if isinstance(found, staticmethod | classmethod) else found
        _check_declared(function, told)
        try:
            setattr(function, ATTRIBUTE, told)
        except (AttributeError, TypeError) as exc:
            msg = (
                f"audit.mechanism must stand before a function, or a class with sample, got "
                f"{shown(found)}: nothing can be attached to it"
            )
            raise InvalidArgument(msg) from exc
        return found

    return attach


def _check_declared(found: Any, told: Declaration) -> None:
    """Refuse what has another claim, and what cannot be audited.

    What `functools.wraps` copied from another function, or a class has from its base, is not its
    own.
    """
    if hasattr(found, "claim"):
        msg = f"{found!r} has a claim of its own"
        raise InvalidArgument(msg)
    own = getattr(found, "__dict__", {}).get(ATTRIBUTE)
    if own not in (None, told, getattr(getattr(found, "__wrapped__", None), ATTRIBUTE, None)):
        msg = f"{found!r} is declared twice: {own.claim}, and {told.claim}; state one claim"
        raise InvalidArgument(msg)
    for call in (found, getattr(found, "sample", None)):
        if inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call):
            msg = f"{found!r} cannot be audited: async functions are not supported"
            raise InvalidArgument(msg)


def _check_claim(claim: object) -> None:
    if not isinstance(claim, PrivacyClaim):
        msg = (
            "claim must be a PrivacyClaim, such as audit.pure(1, relation='swap'), got "
            f"{shown(claim)}"
        )
        raise InvalidArgument(msg)


def declaration_of(found: Any) -> Declaration | None:
    """What is attached to an object, or to its class; None where nothing is."""
    told = getattr(found, ATTRIBUTE, None)
    return told if isinstance(told, Declaration) else None


def declared_in(content: Mapping[str, Any]) -> list[str]:
    """Names in a module of what is declared there, in its order; each object once."""
    own = content.get("__name__")
    names: dict[int, str] = {}
    for name, found in content.items():
        if declaration_of(found) is not None and getattr(found, "__module__", own) == own:
            names.setdefault(id(found), name)
    return list(names.values())
