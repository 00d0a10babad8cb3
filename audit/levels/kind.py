"""What a kind of claim is: all that differs between pure, Gaussian, Renyi ... claims.

One file of this package holds one kind, and one line of `LEVELS` lists it. Everything else reads
the kind: words and their checks, the grid that is bet against, limits and how they are written,
what implies what, stored records, strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, final

from audit.levels.word import Word
from mechanisms.claims import Level, Relation

if TYPE_CHECKING:
    from audit.levels.moments import MomentGrid
    from audit.levels.supporting_lines import LineGrid

Grid: TypeAlias = "LineGrid | MomentGrid"
"""Nested claims, as lines or as divergences."""


@final
@dataclass(frozen=True, slots=True)
class Ask:
    """How fine a grid is asked for, and about whom."""

    relation: Relation = Relation.SWAP
    user: int | None = None
    """Whose record a pair changes, for a personalized claim."""
    profile: bool = False
    coarse: bool = False
    """Fewer points, for many pairs."""


@final
@dataclass(frozen=True, slots=True)
class Divergence:
    """A bound on Renyi divergences, as events are held against it."""

    name: str
    """What is bounded."""
    orders: tuple[float, ...]
    """At which orders; 1 stands for Kullback-Leibler."""
    bound: float
    """On the divergence of each order, or on its ratio to the order."""
    times_order: bool
    """Whether on the ratio."""


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """A number that an audit bounds from below: the true value is greater."""

    name: str
    """Of the axis of the grid, and of the limit in a result."""
    words: str
    """A sentence about it; `{}` stands for "> 1"."""
    short: str = ""
    """What a line of the gate calls it; the name if empty."""
    label: str = ""
    """What the axis of a plot calls it; the short name if empty."""
    claimed: Callable[[Any], Fraction] | None = None
    """What a claim says of it, where it says something."""

    @property
    def shown(self) -> str:
        """Its name in a line of the gate."""
        return self.short or self.name

    @property
    def axis(self) -> str:
        """Its name beside a plot."""
        return self.label or self.shown


@final
@dataclass(frozen=True, slots=True, eq=False)
class LevelKind:
    """One kind of claim."""

    level: type[Level]
    """The class of its promises."""
    name: str
    """In reports and stored files."""
    constructor: str
    shown: str
    """The function of `audit` that states it, and arguments of it in an example."""
    words: tuple[Word, ...]
    """Those that state it, all of them."""
    make: Callable[..., Level]
    """Makes the level from their values, in their order."""
    grid: Callable[[Any, Ask], Grid]
    """Nested claims around a claim."""
    limits: tuple[Limit, ...]
    """What an audit bounds; each axis of the grid is among them."""
    implies: Mapping[type, Callable[[Any, Any], bool]]
    """Whether it implies a level of another kind or of its own; of the rest it implies none."""
    example: Callable[[Any], Any] = field(repr=False)
    """Draws levels for property tests."""
    null: str = ""
    """A mechanism of the corpus that meets its claim of this kind with equality; empty where there
    is none."""
    title: str = "a claim"
    """What an error calls a claim of it."""
    line: Callable[[Any], tuple[Fraction, Fraction]] | None = None
    """(epsilon, delta) of a claim that is one line, P(S) <= e^epsilon Q(S) + delta in both
    directions."""
    divergence: Callable[[Any], Divergence] | None = None
    """Of a claim that bounds divergences."""
