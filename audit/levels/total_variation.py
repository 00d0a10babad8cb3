"""Total variation: P(S) <= Q(S) + tv, so that no test tells two neighbors apart better than by tv.

The promise of (0, tv)-differential privacy, under the name and with the limit of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.levels.examples import deltas
from audit.levels.kind import Ask, Grid, LevelKind, Limit
from audit.levels.word import Kind, Of, Word
from mechanisms.claims import ApproxDP, Level, Source
from mechanisms.group_privacy import add_remove_to_swap
from mechanisms.validation import Number, check_fraction

TRIANGLE = Source("triangle inequality of total variation", "groups of two: 2 tv")


@final
@dataclass(frozen=True, slots=True)
class TotalVariationDP(Level):
    """P(S) <= Q(S) + tv for every event S, both ways round.

    Parameters
    ----------
    tv : int, float, str or Fraction
        In [0, 1].
    """

    tv: Fraction

    def __init__(self, tv: Number) -> None:
        object.__setattr__(self, "tv", check_fraction(tv, "tv", at_least=0, at_most=1))

    def __str__(self) -> str:
        return f"total variation = {self.tv}"


@add_remove_to_swap.register
def _of_two(level: TotalVariationDP) -> tuple[Level, Source]:
    return TotalVariationDP(min(Fraction(1), 2 * level.tv)), TRIANGLE


def _grid(level: TotalVariationDP, ask: Ask) -> Grid:
    import numpy as np

    from audit.levels.lines import COARSE_DELTAS, DELTAS, line_grid
    from audit.levels.nesting import Axis

    tv = float(level.tv)
    larger = {d for d in (COARSE_DELTAS if ask.coarse else DELTAS) if d > 1.01 * tv}
    values = sorted({tv} | {f * tv for f in (0.0, 0.5, 0.8, 0.9)} | larger)
    points = [[(1.0, value)] for value in values]
    return line_grid(points, (Axis("tv", np.array(values)),), values.index(tv))


TOTAL_VARIATION = LevelKind(
    TotalVariationDP,
    "total-variation",
    "total_variation",
    '"1/10"',
    (Word("tv", Kind.EXACT, "Claim total variation instead.", Of.PRIVACY, "NUMBER"),),
    TotalVariationDP,
    grid=_grid,
    limits=(Limit("tv", "total variation {}", claimed=lambda level: level.tv),),
    implies={
        TotalVariationDP: lambda a, b: a.tv <= b.tv,
        ApproxDP: lambda a, b: a.tv <= b.delta,
    },
    example=lambda st: st.builds(TotalVariationDP, deltas(st)),
    null="corpus.uniform-window",
    line=lambda level: (Fraction(0), level.tv),
)
"""The kind of `TotalVariationDP`."""
