"""What refutes a claim: a pair of data sets, an event, and how often it came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

__all__ = ["Enclosure", "ExactEvent", "Instead", "Interval", "TwoTables", "Witness"]

Enclosure = tuple[Fraction, Fraction]
"""Ends of an interval that certainly holds a number."""

Interval = tuple[float, bool, float, bool]
"""Lower end, whether it belongs to the interval, upper end, whether it does."""

Instead = tuple[tuple[str, int], ...]
"""Outcomes of one side and how often each came, the commonest first."""

_SIDES = {"columns": ("data", "neighbor")}


@final
@dataclass(frozen=True, slots=True)
class TwoTables:
    """The data sets of a witness, where they are tables of people, as one table.

    Parameters
    ----------
    data, neighbor : str
        How many people and rows each has, in words.
    hard : tuple of str
        Columns that are not at their simplest cell in all rows: those that matter.
    columns : tuple of str
        Names of the columns of `rows`, after the first: which of the two tables has the row.
    rows : tuple of tuple of str
        The rows as they are shown, those of the unit that changes first; at most ten.
    of : int
        How many rows there are.
    """

    data: str
    neighbor: str
    hard: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    of: int


@final
@dataclass(frozen=True, slots=True)
class ExactEvent:
    """An event's probabilities by the law that a mechanism states.

    Parameters
    ----------
    p, q : Enclosure
        On the likelier data set, and on the other.
    excess : Enclosure
        Of p - e^epsilon q - delta: above 0 the claim is false, and the event shows it.
    """

    p: Enclosure
    q: Enclosure
    excess: Enclosure


@final
@dataclass(frozen=True, slots=True)
class Witness:
    """A pair of data sets and an event whose probabilities break the claim.

    Parameters
    ----------
    pair : str
        The pair in words.
    data, neighbor : object
        The two data sets (arrays, or any JSON value).
    event : str
        The event as a sentence: "output <= 0.2313", "raises ValueError". Of more than eight pieces
        it says how many and names three; `expression` and `stated` have them all.
    expression : str
        The event as a Python expression in `z` (one output).
    feature : str
        What the event looks at: "value", "score", "floating-point lattice".
    likelier : str
        On which data set the event is too likely: "data" or "neighbor".
    hits, other_hits : int
        Draws in the event on the likelier and on the other data set, `draws` each; fresh draws,
        made after the event was chosen.
    draws : int
        Number of fresh draws of each arm.
    epsilon_lower : float
        Lower confidence limit on epsilon (at `delta`) from the fresh draws, at the share of the
        false-alarm rate; what is shown is strictly larger.
    rerun : str
        Python source that repeats the finding.
    shrunk_from : str or None
        The pair on which the run found the violation, where this is a smaller one.
    delta : float
        The claimed delta; for a Gaussian claim or a trade-off curve that of the line which the
        event breaks, otherwise 0.
    intervals : tuple of Interval or None
        The event, where it is a union of intervals of a single value.
    exact : ExactEvent or None
        Its probabilities by the law that the mechanism states, where it states one.
    user, budget : int or None, Fraction or None
        Of a personalized claim, whose promise is broken, counted from 1, and what was promised.
    confirmed : bool
        Whether the fresh draws alone break the claim: their limit exceeds what it allows.
    measure : str
        What the fresh draws limit: "epsilon", or the divergence that is claimed.
    lower, allowed : float
        Its lower limit from the fresh draws, and what the claim allows.
    allowed_words : str
        What the claim allows as it was stated, where it was.
    stated : dict or None
        The event as values: its "kind" (intervals, box, product, remainders, names) and what it is
        made of; None for another, such as a score.
    instead : (Instead, Instead)
        The two commonest outcomes of the fresh draws that are not in the event, on the data and on
        the neighbor; an exception has the beginning of what the first one said.
    always : (str, str)
        What all fresh draws of the data, and of the neighbor, were: one answer, or failures; empty
        where they differ.
    tables : TwoTables or None
        The data sets as one table, where they are tables of people.
    """

    pair: str
    data: Any
    neighbor: Any
    event: str
    expression: str
    feature: str
    likelier: str
    hits: int
    other_hits: int
    draws: int
    epsilon_lower: float
    rerun: str
    shrunk_from: str | None = None
    delta: float = 0.0
    intervals: tuple[Interval, ...] | None = None
    exact: ExactEvent | None = None
    user: int | None = None
    budget: Fraction | None = None
    confirmed: bool = False
    measure: str = "epsilon"
    lower: float = 0.0
    allowed: float = 0.0
    allowed_words: str = ""
    stated: Mapping[str, object] | None = None
    instead: tuple[Instead, Instead] = field(default=((), ()), metadata=_SIDES)
    always: tuple[str, str] = field(default=("", ""), metadata=_SIDES)
    tables: TwoTables | None = None
