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
    """A part of the box, and what was proved of the function there.

    Parameters
    ----------
    box : Box
        The part.
    face : Box
        A face of it on which the function reaches its supremum over the part (slopes of one
        sign); the part itself where no slope has one sign.
    upper : Fraction or None
        Upper bound of the function on the part; None where none was found.
    """

    box: Box
    face: Box
    upper: Fraction | None


@final
@dataclass(frozen=True, slots=True)
class Peak:
    """A point with an enclosure of the function there.

    Parameters
    ----------
    point : tuple of Fraction
        Coordinates.
    lower, upper : Fraction
        Ends of the enclosure.
    part : Box
        The part whose formula was used; at a jump the value is its one-sided limit.
    """

    point: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction
    part: Box


@final
@dataclass(frozen=True, slots=True)
class Supremum:
    """An enclosure of the supremum.

    Parameters
    ----------
    lower : Fraction or None
        Reached at `peak`; None where the function could be evaluated nowhere.
    upper : Fraction or None
        None where some part stayed without a bound.
    peak : Peak or None
        Where the lower end is reached.
    cells : int
        Number of cells evaluated.
    cover : tuple of Covered
        Parts that make up the whole box.
    undecided : tuple of Covered
        Those of them that keep `upper` more than the tolerance above `lower`.
    """

    lower: Fraction | None
    upper: Fraction | None
    peak: Peak | None
    cells: int
    cover: tuple[Covered, ...]
    undecided: tuple[Covered, ...]


@final
@dataclass(frozen=True, slots=True)
class Decision:
    """Answer to "is the supremum at most the limit?".

    Parameters
    ----------
    limit : Fraction
        The bound that was asked about.
    holds : bool or None
        None where some part stayed undecided.
    cover : tuple of Covered
        Parts that make up the whole box; with `holds` True each has an `upper` of at most the
        limit.
    witness : Peak or None
        With `holds` False, a point whose `lower` is above the limit.
    undecided : tuple of Covered
        With `holds` None, the parts that stayed open.
    cells : int
        Number of cells evaluated.
    """

    limit: Fraction
    holds: bool | None
    cover: tuple[Covered, ...]
    witness: Peak | None
    undecided: tuple[Covered, ...]
    cells: int
