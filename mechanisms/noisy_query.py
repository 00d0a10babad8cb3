"""A vector query with added noise, stated as data: what lemmas on all data sets start from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, final, runtime_checkable

from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Noise

__all__ = ["NoisyQuery", "StatesNoisyQuery"]


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

    Raises
    ------
    InvalidArgument
        If the noises do not have as many coordinates as there are moves, or the range of the
        records is empty.
    """

    words: str
    moves: tuple[tuple[Fraction, Fraction], ...]
    records: tuple[Fraction, Fraction]
    noises: tuple[Noise, ...]
    whole: bool = False
    origin: Fraction = Fraction(0)
    unit: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        coordinates = sum(noise.dimension for noise in self.noises)
        if coordinates != len(self.moves):
            msg = f"noises must have {len(self.moves)} coordinates, got {coordinates}"
            raise InvalidArgument(msg)
        if self.records[0] > self.records[1]:
            msg = f"records must be a range, got records={self.records!r}"
            raise InvalidArgument(msg)

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
