"""Epsilon of a sum of mechanisms between two ends, as tables store it and check it.

An end that is stored is a statement of its own: a number is a lower end if the lower end of delta
there is above the delta of the row, and an upper one if the upper end of delta is at most that. So
a stored row is checked by delta at two places, whatever digits another evaluation would find.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from mechanisms.errors import InvalidArgument
from proofs_check.composition.choice import Tried, compositions
from proofs_check.ends import Enclosed
from proofs_check.tables.column import Point
from proofs_check.tables.mechanism_words import directions_of
from proofs_check.tables.rounding import outward

__all__ = ["EXACT", "NEAR", "goal_of", "is_lower", "is_upper", "sum_of", "tries_of", "width_text"]

EXACT, NEAR = Fraction(1, 10**10), Fraction(1, 10**6)
"""Relative widths of epsilon that are asked for: of closed forms and lattices of the losses, and of
all else."""
ENOUGH = 5e-7
"""With which no nearer nodes are tried: what is stored is half as wide again, and within `NEAR`."""
TRIES = 10
"""Nodes half as far apart from one to the next: 2^15 of a loss, some seconds."""
SPARE = Fraction(1, 4)
"""Of the distance between the ends, by which each stored one lies further out: another machine
chooses other lines and windows, whose errors differ by less."""
MARGIN = Fraction(1, 10**14)
"""Times epsilon, at least so much."""


Words = tuple[str, int, str, Fraction]


@lru_cache(maxsize=16)
def _started(words: Words) -> tuple[list[Tried], Iterator[Tried]]:
    """What was found so far, and what finds more."""
    steps, count, relation, delta = words
    return [], islice(compositions(directions_of(steps, count, relation), delta), TRIES)


def tries_of(at: Point) -> Iterator[Tried]:
    """Enclosures that come nearer from one to the next."""
    found, more = _started((at["steps"], int(at["k"]), at["relation"], at["delta"]))
    yield from found
    for tried in more:
        found.append(tried)
        yield tried


@lru_cache(maxsize=512)
def _total(words: Words) -> tuple[Tried, Enclosed]:
    """The nearest enclosure that is waited for."""
    keys = ("steps", "k", "relation", "delta")
    for tried in tries_of(dict(zip(keys, words, strict=True))):
        total = tried.composition.epsilon(words[-1])
        if total.width <= ENOUGH:
            break
    return tried, total


def sum_of(at: Point) -> tuple[Fraction, Fraction, str]:
    """Lower and upper end as they are stored, and the engine.

    Raises
    ------
    InvalidArgument
        If a mechanism does not have the relation, or no finite epsilon has this delta.
    """
    tried, total = _total((at["steps"], int(at["k"]), at["relation"], at["delta"]))
    if total.lower is None or total.upper is None:
        msg = f"no epsilon is known to have delta = {at['delta']}"
        raise InvalidArgument(msg)
    spare = max(SPARE * (total.upper - total.lower), MARGIN * total.upper)
    return max(total.lower - spare, Fraction(0)), total.upper + spare, tried.engine


def is_lower(tried: Tried, end: Fraction, delta: Fraction) -> bool:
    """Whether no smaller epsilon has this delta."""
    return end <= 0 or tried.composition.delta(end)[0] > delta


def is_upper(tried: Tried, end: Fraction, delta: Fraction) -> bool:
    """Whether this epsilon has the delta."""
    return tried.composition.delta(end)[1] <= delta


def width_text(lower: Fraction, upper: Fraction) -> str:
    """The relative width of two ends, rounded up to two digits."""
    return outward((upper - lower) / upper if upper else Fraction(0), 2)[1]


def goal_of(engine: str, width: Fraction) -> str:
    """Whether a width is what is asked for."""
    engines = engine.split(" and the ")
    is_exact = all(one in ("closed form", "lattice of the losses") for one in engines)
    return "met" if width <= (EXACT if is_exact else NEAR) else "MISSED"
