"""Plain callables as samplers: arguments are bound by name, and every call gets its own data.

The first argument is the data. `size` or `n` is the number of draws; without one the callable is
called once per draw. `rng` is a numpy generator, `seed` and `random_state` an integer below 2^32
drawn from it. `low` and `high` are the public bounds. Every other argument needs a default or a
value of the user's.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from audit.targets.outcomes import call_each
from audit.targets.target import Calls
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_bounds, exact

Draw = Callable[[Any, int, np.random.Generator], Any]

SIZES = ("size", "n")
SEEDS = ("seed", "random_state")
GENERATOR = "rng"
BOUNDS = ("low", "high")
ASYNCHRONOUS = "async functions are not supported: wrap it in asyncio.run"
_QUOTIENT = re.compile(r"[+-]?\d+/\d+")


def fresh_copy(data: Any) -> Any:
    """Copy data so that a mechanism that changes its input in place harms no other draw."""
    return data.copy() if isinstance(data, np.ndarray) else copy.deepcopy(data)


def plain(value: Any) -> Any:
    """Write an exact number as an int, a float that stands for it, or text such as "5/3"."""
    if not isinstance(value, Fraction):
        return value
    if value.denominator == 1:
        return value.numerator
    return float(value) if Fraction(repr(float(value))) == value else str(value)


def exact_argument(value: Any) -> Any:
    """Read text such as "5/3" as a Fraction; leave everything else."""
    return Fraction(value) if isinstance(value, str) and _QUOTIENT.fullmatch(value) else value


def float_argument(value: Any) -> Any:
    """Read text such as "5/3" as a float; leave everything else."""
    exact = exact_argument(value)
    return float(exact) if isinstance(exact, Fraction) else value


def check_synchronous(function: Callable[..., Any], name: str) -> None:
    """Refuse coroutine functions and asynchronous generators, by how they were defined."""
    for call in (function, getattr(function, "__call__", None)):  # noqa: B004 - the method itself
        if inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call):
            msg = f"{name} cannot be audited: {ASYNCHRONOUS}"
            raise InvalidArgument(msg)


def missing_bounds(function: Callable[..., Any], parameters: Mapping[str, Any]) -> list[str]:
    """Names among low and high that the callable has and the user has not set."""
    known = inspect.signature(function).parameters
    return [name for name in BOUNDS if name in known and name not in parameters]


def own_bounds(
    function: Callable[..., Any], given: Mapping[str, Any]
) -> tuple[Fraction, Fraction] | None:
    """Bounds that a plain function has been given, or has as defaults."""
    known = inspect.signature(function).parameters
    values = [given.get(key, known[key].default if key in known else None) for key in BOUNDS]
    if any(value is None for value in values):
        return None
    return check_bounds(exact(values[0], "low"), exact(values[1], "high"))


def bind(
    function: Callable[..., Any], name: str, parameters: Mapping[str, Any]
) -> tuple[Draw, bool, Calls]:
    """Make a sampler of a plain callable.

    `function`: its first argument is the data. `name`: for messages. `parameters`: values by
    argument name; they win over everything that is filled in. Returns `draw`: the first axis is the
    draw. Where the callable makes one draw a call, a draw that raises gives the exception as its
    output. `seedable`: whether the callable takes its randomness from us. `calls`: whether it makes
    many draws a call. Raises InvalidArgument if an argument has no value, or a value no argument.
    """
    given = {key: float_argument(value) for key, value in parameters.items()}
    check_synchronous(function, name)
    data_name, known, any_name = _signature(function, name)
    unknown = sorted(key for key in given if key not in known and not any_name)
    if unknown or data_name in given:
        msg = (
            f"{name} has no parameter {', '.join(unknown) or data_name} to set; "
            f"it has: {', '.join(known) or 'none'}"
        )
        raise InvalidArgument(msg)
    free = [key for key in known if key not in given]
    size_name = next((key for key in SIZES if key in free), None)
    filled = {key for key in (size_name, GENERATOR, *SEEDS) if key in free}
    lacking = [key for key in free if known[key] and key not in filled]
    if lacking and data_name == "self":
        msg = f"{name} is a method: give that of an object, which knows its own self"
        raise InvalidArgument(msg)
    if lacking:
        raise InvalidArgument(_no_value(name, lacking))
    seeds = [key for key in SEEDS if key in free]

    def call(data: Any, size: int, rng: np.random.Generator) -> Any:
        arguments = dict(given)
        if size_name is not None:
            arguments[size_name] = size
        if GENERATOR in free:
            arguments[GENERATOR] = rng
        for key in seeds:
            arguments[key] = int(rng.integers(2**32))
        made = function(fresh_copy(data), **arguments)
        if inspect.iscoroutine(made):  # of a function that does not look like one
            made.close()
            raise TypeError(ASYNCHRONOUS)
        return made

    def one_a_call(data: Any, size: int, rng: np.random.Generator) -> Any:
        return call_each(lambda: call(data, 1, rng), size)

    seedable = bool(seeds) or GENERATOR in free
    if size_name is None:
        return one_a_call, seedable, Calls.ONE
    return call, seedable, Calls.MANY


def _signature(function: Callable[..., Any], name: str) -> tuple[str, dict[str, bool], bool]:
    """Name of the data argument, the other names (True: required), and whether any name goes."""
    try:
        arguments = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as exc:
        msg = f"the arguments of {name} cannot be read ({exc}); wrap it in a function of your own"
        raise InvalidArgument(msg) from exc
    kinds = inspect.Parameter
    by_place = (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD, kinds.VAR_POSITIONAL)
    if not arguments or arguments[0].kind not in by_place:
        msg = f"{name} must take the data as its first argument, but it takes none by position"
        raise InvalidArgument(msg)
    positional = [p.name for p in arguments[1:] if p.kind is kinds.POSITIONAL_ONLY]
    if positional:
        msg = f"{name} must take {', '.join(positional)} by name as well as by position"
        raise InvalidArgument(msg)
    named = {
        p.name: p.default is kinds.empty
        for p in arguments[1:]
        if p.kind in (kinds.POSITIONAL_OR_KEYWORD, kinds.KEYWORD_ONLY)
    }
    return arguments[0].name, named, any(p.kind is kinds.VAR_KEYWORD for p in arguments)


def _no_value(name: str, lacking: list[str]) -> str:
    hints = []
    if set(lacking) & set(BOUNDS):
        hints.append("bounds are set with --low and --high")
    others = [key for key in lacking if key not in BOUNDS]
    if others:
        hints.append(f"set it with --param {others[0]}=VALUE")
    if "epsilon" in others:
        hints.append("--epsilon states the claim and is not passed on")
    return f"{name} needs a value for {', '.join(lacking)} ({'; '.join(hints)})"
