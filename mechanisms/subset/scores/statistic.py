"""Which statistic by which score: the public choice of the mechanisms of inverse sensitivity."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.subset.scores import mean, power, quantile
from mechanisms.validation import check_bounds, check_choice, check_fraction, shown

__all__ = ["POINTS_MOST", "SCORES", "STATISTICS", "Statistic", "check_grid", "statistic_on_grid"]

STATISTICS = ("median", "quantile", "mean", "power")
"""The last one is the minimizer of sum |x - y|^p."""

SCORES = ("crossing", "length")
"""The first one is recommended, and the default of the mechanisms."""

MEDIAN, SQUARES = Fraction(1, 2), Fraction(2)
"""Default level and power, which other statistics do not read."""

DENOMINATORS_MOST = {"level": 10**6, "power": 100}
"""With these, products of a level with numbers of records stay in 64 bits."""

POWER_MOST = 64

POINTS_MOST = 2**24
"""Of a grid, in general."""

POINTS_MOST_BY_POWER, POINTS_MOST_BY_SUMS = 2**13, 2**8
"""Of a grid where a target takes a time of the number of places, and of its square for len."""


@final
@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic and its score."""

    name: str
    """One of "median", "quantile", "mean", "power": "power" is the minimizer of sum |x - y|^p."""
    level: Fraction
    """q of a quantile, in (0, 1)."""
    power: Fraction
    """p, greater than 1."""
    score: str
    """One of "crossing", "length": see `mechanisms.subset.scores`."""

    @classmethod
    def checked(cls, statistic: object, level: object, power: object, score: object) -> Statistic:
        """Read what a user asks for.

        Raises InvalidArgument if an argument is out of its domain, or one is given that the
        statistic does not read.
        """
        name = check_choice(statistic, "statistic", STATISTICS)
        q = check_fraction(level, "level", above=0, below=1)
        p = check_fraction(power, "power", above=1, at_most=POWER_MOST)
        for argument, given, owner, default in (
            ("level", q, "quantile", MEDIAN),
            ("power", p, "power", SQUARES),
        ):
            if name != owner and given != default:
                msg = (
                    f"{argument} belongs to statistic {owner!r}, got {argument}={given} with "
                    f"statistic={name!r}"
                )
                raise InvalidArgument(msg)
            most = DENOMINATORS_MOST[argument]
            if given.denominator > most:
                msg = (
                    f"{argument} must have a denominator of at most {most}, got {argument}={given}"
                )
                raise InvalidArgument(msg)
        found = check_choice(score, "score", SCORES)
        if name == "power" and p != SQUARES and found == "length":
            msg = (
                f"score 'length' needs power 2, where it is that of the mean, got "
                f"power={shown(power)}"
            )
            raise InvalidArgument(msg)
        return cls(name, q, p, found)

    @property
    def points_most(self) -> int:
        """Most places of a grid that the score is worked out on."""
        if self.name in ("mean", "power") and self.score == "length":
            return POINTS_MOST_BY_SUMS
        return POINTS_MOST_BY_POWER if self.name == "power" else POINTS_MOST

    def check_points(self, points: int) -> None:
        """Check the number of places of a grid: at most `points_most`.

        Raises InvalidArgument with what to do.
        """
        if points > self.points_most:
            msg = (
                f"(high - low) / step + 1 must be at most {self.points_most} with "
                f"statistic={self.name!r} and score={self.score!r}, got {points}; take a larger "
                "step"
            )
            if self.score == "length":
                msg += " or score 'crossing'"
            raise InvalidArgument(msg)

    def scores(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Score of every place.

        `counts`, shape (m,): number of records at each place; records may be added at these places
        alone. Returns shape (m,): at least 0; 1 everywhere without records. Changes by at most 1
        with one record.
        """
        if self.name == "median":
            return quantile.median(counts)
        if self.name == "quantile":
            rule = quantile.crossing if self.score == "crossing" else quantile.length
            return rule(counts, self.level)
        if self.score == "length":
            return mean.length(counts)
        return mean.crossing(counts) if self.name == "mean" else power.crossing(counts, self.power)


def check_grid(
    low: Fraction, high: Fraction, step: object, parts: int = 20
) -> tuple[Fraction, int]:
    """Check the step of a grid from low to high; None stands for (high - low) / `parts`.

    Returns `step`: in the unit of the bounds; `steps`: (high - low) / step; the grid has one place
    more. Raises InvalidArgument if it is not greater than 0, or does not lead from low to high in
    whole steps.
    """
    exact = (high - low) / parts if step is None else check_fraction(step, "step", above=0)
    steps = (high - low) / exact if low < high else Fraction(0)
    if steps.denominator != 1:
        msg = (
            f"step must divide high - low into whole steps, got step={shown(step)} "
            f"(low={low}, high={high})"
        )
        raise InvalidArgument(msg)
    return exact, int(steps)


def statistic_on_grid(
    bounds: tuple[object, object],
    step: object,
    statistic: object,
    level: object,
    power: object,
    score: object,
    *,
    parts: int = 20,
) -> tuple[dict[str, Fraction | str], int]:
    """Check bounds, the step of the grid between them, and what is chosen on it.

    Returns `parameters`: exact low, high, step, statistic, level, power and score; `steps`: the
    grid has one place more. Raises InvalidArgument if one is out of its domain, or the grid has too
    many places for the score.
    """
    low, high = check_bounds(*bounds)
    exact_step, steps = check_grid(low, high, step, parts)
    chosen = Statistic.checked(statistic, level, power, score)
    chosen.check_points(steps + 1)
    parameters: dict[str, Fraction | str] = {
        "low": low,
        "high": high,
        "step": exact_step,
        "statistic": chosen.name,
        "level": chosen.level,
        "power": chosen.power,
        "score": chosen.score,
    }
    return parameters, steps
