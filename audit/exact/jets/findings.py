"""What branch and bound found: boxes covered, peaks, suprema, decisions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.jets.points import Box

__all__ = ["Covered", "Decision", "Peak", "Supremum"]


@final
@dataclass(frozen=True, slots=True)
class Covered:
    """A part of the box, and what was proved of the function there."""

    box: Box
    """The part."""
    face: Box
    """A face of it on which the function reaches its supremum over the part (slopes of one sign);
    the part itself where no slope has one sign."""
    upper: Fraction | None
    """Upper bound of the function on the part; None where none was found."""


@final
@dataclass(frozen=True, slots=True)
class Peak:
    """A point with an enclosure of the function there."""

    point: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction
    """Ends of the enclosure."""
    part: Box
    """The part whose formula was used; at a jump the value is its one-sided limit."""


@final
@dataclass(frozen=True, slots=True)
class Supremum:
    """An enclosure of the supremum."""

    lower: Fraction | None
    """Reached at `peak`; None where the function could be evaluated nowhere."""
    upper: Fraction | None
    """None where some part stayed without a bound."""
    peak: Peak | None
    """Where the lower end is reached."""
    cells: int
    cover: tuple[Covered, ...]
    """Parts that make up the whole box."""
    undecided: tuple[Covered, ...]
    """Those of them that keep `upper` more than the tolerance above `lower`."""


@final
@dataclass(frozen=True, slots=True)
class Decision:
    """Answer to "is the supremum at most the limit?"."""

    limit: Fraction
    """The bound that was asked about."""
    holds: bool | None
    """None where some part stayed undecided."""
    cover: tuple[Covered, ...]
    """Parts that make up the whole box; with `holds` True each `upper` is at most the limit."""
    witness: Peak | None
    """With `holds` False, a point whose `lower` is above the limit."""
    undecided: tuple[Covered, ...]
    """With `holds` None, the parts that stayed open."""
    cells: int
