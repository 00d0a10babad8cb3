"""A vector query with added noise, stated as data: what lemmas on all data sets start from.

The release is a function of the noisy sums and of public facts. Which facts these are is part of
the statement: a lemma about the noisy sums says nothing about neighbors whose public facts differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Protocol, final, runtime_checkable

from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Noise

__all__ = ["NoisyQuery", "PublicFact", "StatesNoisyQuery"]


class PublicFact(StrEnum):
    """What a release may use of the data without noise, because it is public."""

    COUNT = "the number of records"


@final
@dataclass(frozen=True, slots=True)
class NoisyQuery:
    """Sums over the records plus independent noise; the release is a function of the noisy sums.

    Parameters
    ----------
    words : str
        What the coordinates are, for the reader.
    moves : tuple of (Fraction, Fraction)
        (c, d) of each coordinate: a record x adds c x + d to it.
    records : tuple of Fraction
        Smallest and largest x, whatever the data hold (records are clamped).
    noises : tuple of Noise
        One of dimension 1 for each coordinate, or a single one of dimension 2 for both.
    whole : bool
        Whether x is an integer.
    origin, unit : Fraction
        The record in the unit of the data is origin + unit x.
    public : tuple of PublicFact or None
        What else the release is a function of. None is the careful answer: the number of records,
        unless a sum over the coordinates is this number (then the noisy sums hold it). A release
        that does not use it, such as a noisy sum itself, says so by ().

    Raises
    ------
    InvalidArgument
        If the noises do not have as many coordinates as there are moves, the range of the
        records is empty, or a public fact is unknown.
    """

    words: str
    moves: tuple[tuple[Fraction, Fraction], ...]
    records: tuple[Fraction, Fraction]
    noises: tuple[Noise, ...]
    whole: bool = False
    origin: Fraction = Fraction(0)
    unit: Fraction = Fraction(1)
    public: tuple[PublicFact, ...] | None = None

    def __post_init__(self) -> None:
        coordinates = sum(noise.dimension for noise in self.noises)
        if coordinates != len(self.moves):
            msg = f"noises must have {len(self.moves)} coordinates, got {coordinates}"
            raise InvalidArgument(msg)
        if self.records[0] > self.records[1]:
            msg = f"records must be a range, got records={self.records!r}"
            raise InvalidArgument(msg)
        if any(not isinstance(fact, PublicFact) for fact in self.public or ()):
            msg = f"public must hold members of PublicFact, got public={self.public!r}"
            raise InvalidArgument(msg)

    @property
    def public_facts(self) -> tuple[PublicFact, ...]:
        """What the release uses besides the noisy sums."""
        if self.public is not None:
            return self.public
        return () if self._holds_count() else (PublicFact.COUNT,)

    def _holds_count(self) -> bool:
        """Whether some a has sum a_i c_i = 0 and sum a_i d_i != 0: d is no multiple of c."""
        slope, offset = next(((c, d) for c, d in self.moves if c), (None, None))
        if slope is None or offset is None:
            return any(d for _, d in self.moves)
        return any(c * offset != d * slope for c, d in self.moves)

    def move(self, record: Fraction) -> tuple[Fraction, ...]:
        """By how much a record adds to each coordinate."""
        return tuple(slope * record + offset for slope, offset in self.moves)

    def record(self, x: Fraction) -> Fraction:
        """Return the record in the unit of the data."""
        return self.origin + self.unit * x


@runtime_checkable
class StatesNoisyQuery(Protocol):
    """A mechanism whose release is a function of a noisy query."""

    def noisy_query(self) -> NoisyQuery:
        """State query and noise."""
        ...
