"""What is the same by class and state: an `__eq__` or `__hash__` of a user's is never asked.

Two laws may be equal objects with different formulas (a subclass with one more number that its
`__eq__` does not know), and one formula may be two unequal objects (a class without `__eq__`). So
keys are made of what an object is made of: its class, and all numbers and texts that it holds.
What cannot be looked into is the same as itself only.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, MethodType
from typing import Any, final

import numpy as np

from audit.faults import bounded, is_ours, is_users
from mechanisms.errors import InvalidArgument
from mechanisms.laws import Moved
from mechanisms.protocols import Arithmetic
from mechanisms.validation import shown

DEEPEST = 50
"""Objects within objects that are looked into."""

PLAIN = (int, str, bytes, bool, type(None), complex, Decimal)
"""Of these exact classes an equal one is the same, told apart by class."""

OWN_CODE = ("builtin_function_or_method", "method_descriptor", "wrapper_descriptor")
"""What only a class that is written in C holds, which may have a state that nobody sees."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Itself:
    """An object that is the same as itself only; held, so that its place is not used again."""

    thing: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and self.thing is other.thing

    def __hash__(self) -> int:
        return id(self.thing)


def same(thing: Any, other: Any) -> bool:
    """Whether two objects are of one class and one state: then they are one formula."""
    return thing is other or key_of(thing) == key_of(other)


def key_of(thing: Any, depth: int = 0) -> Hashable:
    """The same for objects of one class and state, and different for all others."""
    kind = type(thing)
    if kind in PLAIN:
        return kind, str(thing) if kind is Decimal else thing
    if kind is float:
        return kind, thing.hex()
    if kind is Fraction:
        return kind, thing.numerator, thing.denominator
    numbers = isinstance(thing, np.generic | np.ndarray) and not is_users(thing)
    if numbers and not thing.dtype.hasobject:
        return kind, thing.dtype.str, thing.shape, thing.tobytes()
    if depth > DEEPEST:  # or an object that holds itself
        return _Itself(thing)
    parts = _parts(thing, depth + 1)
    return _Itself(thing) if parts is None else (_Itself(kind), parts)


def _parts(thing: Any, depth: int) -> Hashable | None:
    """Keys of what an object holds; None of one that cannot be looked into."""
    kind = type(thing)
    if kind is MethodType:
        return _Itself(thing.__func__), key_of(thing.__self__, depth)
    if kind in (tuple, list):
        return tuple(key_of(one, depth) for one in thing)
    if kind is dict:
        return tuple((key_of(k, depth), key_of(v, depth)) for k, v in thing.items())
    if kind in (set, frozenset):
        return frozenset(key_of(one, depth) for one in thing)
    if isinstance(thing, type) or not _is_open(kind):
        return None
    if is_ours(thing) and is_dataclass(thing):
        state = {item.name: getattr(thing, item.name) for item in fields(thing) if item.compare}
    else:
        state = dict(_state(thing))
    held = _held(thing, depth)
    if depth > 1 and held is None and not state:  # a mark such as object(), known by its place
        return None
    inner = 0 if kind is Moved else depth
    return held, tuple((name, key_of(state[name], inner)) for name in sorted(state))


def _is_open(kind: type) -> bool:
    """Whether all of an object's state is in its attributes: no class of it is written in C."""
    bases = [base for base in kind.__mro__ if base not in (object, *HOLDS)]
    return not any(type(value).__name__ in OWN_CODE for base in bases for value in _own(base))


def _own(base: type) -> Iterator[Any]:
    return (value for name, value in vars(base).items() if name != "__hash__")


def _state(thing: Any) -> Iterator[tuple[str, Any]]:
    """Attributes of an object as they are stored, slots too."""
    for base in type(thing).__mro__:
        for name, value in vars(base).items():
            if isinstance(value, MemberDescriptorType):
                try:
                    yield name, value.__get__(thing, type(thing))
                except AttributeError:  # a slot that is empty
                    continue
    try:
        yield from object.__getattribute__(thing, "__dict__").items()
    except AttributeError:  # slots only
        return


def _held(thing: Any, depth: int) -> Hashable:
    """What an object is as the number, text or collection that its class is made from."""
    for base, read in HOLDS.items():
        if isinstance(thing, base):
            return key_of(read(thing), depth)
    return None


HOLDS: dict[type, Any] = {
    int: int.__int__,
    str: lambda text: str.__getitem__(text, slice(None)),
    bytes: lambda text: bytes.__getitem__(text, slice(None)),
    float: lambda number: float.fromhex(float.hex(number)),
    tuple: lambda several: tuple(tuple.__iter__(several)),
    Fraction: lambda number: Fraction(number._numerator, number._denominator),
}
"""Classes that a user's may be made from, and how to read one without its own methods."""


def snapshot(law: Any) -> Any:
    """A copy of a law of a user's, which stays what it is when the mechanism changes the object."""
    base = law.law if type(law) is Moved else law
    if is_ours(base) or not _is_open(type(base)) or not _is_copied(key_of(base)):
        return law
    if _held(base, 0) is not None:
        return law
    copied = object.__new__(type(base))  # the copy of a dataclass forgets what a subclass adds
    try:
        for name, value in _state(base):
            object.__setattr__(copied, name, copy.deepcopy(value))
        known_again = same(copied, base)
    except Exception:  # noqa: BLE001 - a lock, or whatever its class does
        known_again = False
    if not known_again:
        return law
    return Moved(copied, law.by) if type(law) is Moved else copied


def _is_copied(key: Hashable) -> bool:
    """Whether a copy has the same key; another one (a set of a derived class) may have no end."""
    if isinstance(key, tuple | frozenset):
        return all(map(_is_copied, key))
    return not isinstance(key, _Itself) or isinstance(key.thing, AS_THEY_ARE)


AS_THEY_ARE = (type, FunctionType, BuiltinFunctionType)
"""Whose copy is the object itself."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class OutcomeKey:
    """An outcome of a class of a user's: it is another one of the same class and state."""

    thing: Any
    key: Hashable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OutcomeKey) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return shown(self.thing)


def outcome_of(thing: Any) -> Any:
    """An outcome as a key: equal keys of Python are one outcome, and so are all NaN.

    Raises InvalidArgument of an object that nobody can look into.
    """
    if type(thing) is tuple:
        return tuple(map(outcome_of, thing))
    if isinstance(thing, float | np.floating) and not is_users(thing) and thing != thing:
        return math.nan
    if not is_users(thing):
        return thing
    key = key_of(thing, 1)
    if isinstance(key, _Itself) and not isinstance(thing, type):
        msg = f"an outcome must be a number, a text or made of these, got {shown(thing)}"
        raise InvalidArgument(msg)
    return OutcomeKey(thing, key)


def whole(found: Any, name: str) -> list[Any]:
    """The same of a collection; InvalidArgument of what is none."""
    if not isinstance(found, Collection):
        msg = f"{name} of the stated law must be a tuple, got a {type(found).__name__}"
        raise InvalidArgument(msg)
    return bounded(found, name)


def merged(masses: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Masses by outcome, those of one outcome added up."""
    found: dict[Any, Any] = {}
    for thing, mass in masses:
        outcome = outcome_of(thing)
        found[outcome] = found[outcome] + mass if outcome in found else mass
    return found


@final
@dataclass(frozen=True, slots=True)
class FiniteStated:
    """A finite law of a user's, by outcomes that no `__eq__` of a user's tells apart."""

    law: Any

    def masses(self, numbers: Arithmetic[Any], cuts: Sequence[Fraction] = ()) -> Mapping[Any, Any]:
        """Those of the law."""
        return merged(bounded(self.law.masses(numbers, cuts).items(), "masses"))

    @property
    def cuts(self) -> tuple[Fraction, ...]:
        """Those of the law."""
        return tuple(whole(self.law.cuts, "cuts"))

    def describe(self, outcome: Any) -> str:
        """Say which outcome it is, in the words of the law."""
        own = outcome.thing if isinstance(outcome, OutcomeKey) else outcome
        words: str = self.law.describe(own)
        return words

    def __getattr__(self, name: str) -> Any:
        return getattr(self.law, name)
