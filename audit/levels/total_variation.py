"""Total variation: P(S) <= Q(S) + tv, so that no test tells two neighbors apart better than by tv.

The promise of (0, tv)-differential privacy, under the name and with the limit of its own.
"""

from __future__ import annotations

from fractions import Fraction

from audit.levels.examples import deltas
from audit.levels.kind import Ask, Grid, LevelKind, Limit
from audit.levels.word import Kind, Of, Word
from mechanisms.claims import ApproxDP, TotalVariationDP


def _grid(level: TotalVariationDP, ask: Ask) -> Grid:
    import numpy as np

    from audit.levels.nesting import Axis
    from audit.levels.supporting_lines import COARSE_DELTAS, DELTAS, line_grid

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
