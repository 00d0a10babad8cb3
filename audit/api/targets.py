"""Targets at hand: `audit.load` finds or wraps one, `audit.draw` draws from it as an audit does.

`audit.recount` counts an event on the new draws of an audit again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from audit.draws.streams import LARGEST_SEED, LARGEST_STREAM
from audit.request.call import LOAD, Call, in_python, loaded_with, shows
from audit.request.keywords import LoadWords
from audit.request.word_values import checked
from audit.targets.refused_exits import exits_refused
from audit.targets.target import Target
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_flag, check_integer, shown

if TYPE_CHECKING:
    from audit.draws.supervisor import Care

__all__ = ["draw", "load", "recount"]


@shows(LOAD)
def load(target: Any, /, **words: Unpack[LoadWords]) -> Target:
    """Find a target, or wrap an object: what every function here begins with.

    Parameters
    ----------
    target : callable, class, object or str
        As in `audit`.
    **words
        What the target itself takes: `param`, `order`, `low`, `high`, `budgets`, `timeout`. They
        count wherever it is used, as if they were given there; another value there is an error.

    Returns
    -------
    Target
        With its `claim`, `bounds` and `order`; `audit.draw` draws from it.

    Raises
    ------
    TypeError
        For an unknown word.
    InvalidArgument
        If there is no such target, or its arguments do not fit.

    Examples
    --------
    >>> import audit
    >>> target = audit.load("ksw.swap-laplace", param={"epsilon": "1/2"})
    >>> print(target.claim, target.order)
    epsilon = 1/2 (swap) free
    """
    from audit.request.privacy_plan import find_target
    from mechanisms.validation import check_bounds

    with in_python(), exits_refused():
        given = checked("load", words, LOAD)
        call = Call.of("load", target, given)
        asked = call.request
        asked.check()
        if asked.low is not None and asked.high is not None:
            check_bounds(asked.low, asked.high)
        found = find_target(asked, call.load)
        if found.bounds is not None:
            found.filled_bounds(*asked.bounds)
        if isinstance(target, Target):
            return replace(found, given={**target.given, **given})
        return loaded_with(found, call.load, asked.target, given)


def draw(target: Any, data: Any, size: int, /, *, seed: int, stream: int = 0) -> list[Any]:
    """Draw from a target as an audit does: in a process of its own, failures as outcomes.

    Parameters
    ----------
    target : Target, or as in `audit`
        What to draw from.
    data : Any
        The data set, passed as it is.
    size : int
        How many draws.
    seed : int
        Of the draws.
    stream : int
        Draws of one seed and other streams are independent.

    Returns
    -------
    list
        `size` outputs; an exception among them is a draw that failed.

    Raises
    ------
    InvalidArgument
        If there is no such target, or a number is below 0 or too large.

    Examples
    --------
    >>> import audit, numpy as np
    >>> data = np.array([0.0, 1.0])
    >>> first, again = (audit.draw("ksw.swap-laplace", data, 3, seed=1) for _ in range(2))
    >>> len(first), first == again
    (3, True)
    """
    from audit.draws.new_draws import fresh_outputs

    with in_python():
        found = target if isinstance(target, Target) else load(target)
        count = _entry(size, "size")
        place = {"seed": _entry(seed, "seed"), "batch": _entry(stream, "stream")}
        care = _care(found)
    return fresh_outputs(found, data, count, **place, care=care) if count else []


def recount(
    target: Any,
    data: Any,
    neighbor: Any,
    event: Any,
    /,
    *,
    draws: int,
    seed: int,
    one_a_call: bool = False,
    timeout: float | None = None,
    memory: int | None = None,
) -> tuple[int, int]:
    """Count an event on the new draws of an audit again, as the script of a counterexample does.

    Where the target follows its seed, these are the draws that the report with this seed counted on
    this pair, and the counts are equal. Otherwise they are draws of their own.

    Parameters
    ----------
    target : Target, or as in `audit`
        What to draw from.
    data, neighbor : Any
        The data sets D and D', passed as they are.
    event : callable (output) -> bool
        Whether an output, or the exception of a draw that failed, is in the event.
    draws : int
        How many draws of each data set; at least 1.
    seed : int
        Of the audit.
    one_a_call : bool
        Ask for one draw a call, as an audit does after a call for many draws has failed.
    timeout, memory : float, int or None
        As in `audit`; None for the usual ones.

    Returns
    -------
    (int, int)
        Draws in the event, on D and on D'.

    Raises
    ------
    InvalidArgument
        If there is no such target, the event is no function, or a number is out of range.

    Examples
    --------
    >>> import audit
    >>> def total(data, size, rng):
    ...     return data + rng.laplace(size=size)
    >>> audit.recount(total, 0.0, 40.0, lambda z: z > 20, draws=100, seed=1)
    (0, 100)
    """
    from audit.draws.new_draws import recounted

    with in_python():
        found = target if isinstance(target, Target) else load(target)
        if not callable(event):
            msg = f"event must be a function of an output, got event={shown(event)}"
            raise InvalidArgument(msg)
        count = _entry(draws, "draws", at_least=1)
        start = _entry(seed, "seed")
        single = check_flag(one_a_call, "one_a_call")
        care = _care(found, timeout, memory)
    return recounted(found, (data, neighbor), event, count, seed=start, care=care, single=single)


def _entry(value: Any, name: str, at_least: int = 0) -> int:
    """A seed, a number of a stream, or of draws."""
    most = LARGEST_SEED if name == "seed" else LARGEST_STREAM
    number = check_integer(value, name, at_least=at_least)
    if number > most:
        msg = f"{name} must be at most {most}, got {name}={shown(number)}"
        raise InvalidArgument(msg)
    return number


def _care(target: Target, timeout: float | None = None, memory: int | None = None) -> Care:
    from audit.draws.supervisor import DEFAULT_TIMEOUT, Care

    words = {"timeout": timeout, "memory": memory}
    given = checked("recount", words, tuple(words))
    seconds = given.get("timeout", target.given.get("timeout"))
    return Care(DEFAULT_TIMEOUT if seconds is None else seconds, given.get("memory"))
