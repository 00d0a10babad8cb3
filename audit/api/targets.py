"""Targets at hand: `audit.load` finds or wraps one, `audit.draw` draws from it as an audit does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

from audit.arguments import checked, in_python
from audit.call import LOAD, Call, shows
from audit.keywords import LoadWords
from audit.load_words import loaded_with
from audit.targets.exits import exits_refused
from audit.targets.target import Target

__all__ = ["draw", "load"]


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
    from audit.request.plan import find_target
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


def draw(target: Any, data: Any, size: int, /, *, seed: int, arm: int = 0) -> list[Any]:
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
    arm : int
        Number of the stream: draws of one seed and other numbers are independent.

    Returns
    -------
    list
        `size` outputs; an exception among them is a draw that failed.

    Raises
    ------
    InvalidArgument
        If there is no such target, or a number is below 0.

    Examples
    --------
    >>> import audit, numpy as np
    >>> data = np.array([0.0, 1.0])
    >>> first, again = (audit.draw("ksw.swap-laplace", data, 3, seed=1) for _ in range(2))
    >>> len(first), first == again
    (3, True)
    """
    from audit.draws.blocks import fresh_outputs
    from mechanisms.validation import check_integer

    found = target if isinstance(target, Target) else load(target)
    count = check_integer(size, "size", at_least=0)
    place: dict[str, Any] = {"seed": check_integer(seed, "seed", at_least=0)}
    place["batch"] = check_integer(arm, "arm", at_least=0)
    if (timeout := found.given.get("timeout")) is not None:
        place["timeout"] = timeout
    if not count:
        return []
    return fresh_outputs(found, data, count, **place)
