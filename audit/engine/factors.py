"""How many more draws the engine needs than the oracle's bet: the measured factors, by event.

A factor is a + b / sqrt(N), N being the oracle's draws; it was measured for a class of events, a
kind of claim (lines or divergences) and a probability of the event, by `python -m
benchmarks.inefficiency --record`, which writes the file. First class: single values, tails and
intervals of one coordinate, on which CONSISTENT rests. Second class: several intervals, boxes of
two coordinates, remainders. Its fits name the shapes and the N of which they were made. Nothing is
said of what the file has no entry for.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict, final

__all__ = ["FACTORS", "FactorFit", "WiderFit", "first_class", "second_class"]

FACTORS = Path(__file__).with_name("factors.json")
"""Written by `python -m benchmarks.inefficiency --record`, of both classes."""


@final
@dataclass(frozen=True, slots=True)
class FactorFit:
    """The factor a + b / sqrt(N) for the oracle's N draws."""

    a: float
    b: float

    def factor(self, oracle: float) -> float:
        """Draws that bet, over the oracle's."""
        return self.a + self.b / math.sqrt(oracle)

    def oracle_draws(self, draws: int) -> int:
        """The oracle's N for which so many that bet are enough: the root of a N + b sqrt(N)."""
        root = math.sqrt(self.b * self.b + 4 * self.a * draws) - self.b
        return int((root / (2 * self.a)) ** 2)


@final
@dataclass(frozen=True, slots=True)
class WiderFit:
    """A factor of the second class, and of what it was made: nothing is said beyond that.

    `epsilon` is the least claim of those it is of; None where the kind of claim has no epsilon. At
    epsilon 0.1 a box among ten coordinates was found in 16 runs of 20 with the factors of epsilon 1
    (benchmarks/README.md, detectable), so a smaller claim is not covered.
    """

    fit: FactorFit
    shapes: tuple[str, ...]
    fewest: int
    most: int
    epsilon: float | None

    def covers(self, epsilon: float | None) -> bool:
        """Whether a claim of this epsilon (None: it has none) is of those that it is for."""
        return self.epsilon is None or (epsilon is not None and epsilon >= self.epsilon - 1e-9)

    def oracle_draws(self, draws: int) -> int:
        """As that of the fit, within the N that were measured: 0 for less than the fewest.

        For more than the most it is the most: what so many draws find, more find too.
        """
        found = self.fit.oracle_draws(draws)
        return 0 if found < self.fewest else min(found, self.most)


class _Wider(TypedDict):
    factor: list[float]
    shapes: list[str]
    oracle: list[int]
    epsilon: float | None


_ByMass = Mapping[str, Mapping[str, list[float]]]
_WiderByMass = Mapping[str, Mapping[str, _Wider]]


def first_class(kind: str) -> dict[float, FactorFit]:
    """The factors for events of one coordinate, by the probabilities that were measured."""
    return {float(mass): FactorFit(a, b) for mass, (a, b) in _read(FACTORS)[0][kind].items()}


def second_class(kind: str, mass: float) -> WiderFit | None:
    """The factor for the second class; None where it was not measured."""
    found = _read(FACTORS)[1].get(kind, {}).get(repr(mass))
    if found is None or not found["shapes"]:
        return None
    (a, b), (fewest, most) = found["factor"], found["oracle"]
    return WiderFit(FactorFit(a, b), tuple(found["shapes"]), fewest, most, found["epsilon"])


@cache
def _read(path: Path) -> tuple[_ByMass, _WiderByMass]:
    """Fits of the first class, and of the second, which a file need not have."""
    found = json.loads(path.read_text())
    return found["fits"], found.get("second class", {}).get("fits", {})
