"""Steps of one kind, several at a time: what checks decide, and what only prose carries.

An argument often goes through its checks in their order, and then says by hand how they add up.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs_check.checks import checks_of
from proofs_check.claim import Finding
from proofs_check.steps import ByCheck, ByHand

__all__ = ["by_checks", "by_hand"]


def by_checks(*decides: Callable[..., Finding]) -> tuple[ByCheck, ...]:
    """Return a step for each of these functions, in the words of the check that is told at it.

    Examples
    --------
    >>> from proofs_check.arguments import by_checks
    >>> from proofs_check.checks import mutant, proves
    >>> from proofs_check.claim import Method, exactly
    >>> @proves("Two and two are four.", Method.EXACT)
    ... @mutant("two and one", second=1)
    ... def sum_is_four(second=2):
    ...     return exactly(2 + second == 4)
    >>> by_checks(sum_is_four)
    (ByCheck(check='sum_is_four', says=''),)
    """
    return tuple(ByCheck(check.name) for check in checks_of(*decides))


def by_hand(*sentences: str) -> tuple[ByHand, ...]:
    """Return a step for each of these sentences, which nothing but prose carries."""
    return tuple(ByHand(sentence) for sentence in sentences)
