"""Approximate differential privacy: P(S) <= e^epsilon Q(S) + delta."""

from __future__ import annotations

from audit.levels.examples import deltas, sizes
from audit.levels.kind import Ask, Grid, LevelKind, Limit
from audit.levels.pure import EPSILON, STATED
from audit.levels.word import Kind, Of, Word
from mechanisms.claims import ApproxDP


def _grid(level: ApproxDP, ask: Ask) -> Grid:
    from audit.levels.supporting_lines import exponential

    return exponential(level.epsilon, level.delta, profile=ask.profile, coarse=ask.coarse)


APPROXIMATE = LevelKind(
    ApproxDP,
    "approximate",
    "approx",
    '1, "1e-5"',
    (
        STATED,
        Word("delta", Kind.EXACT, "Of the claim; needs --epsilon.", Of.PRIVACY, "NUMBER"),
    ),
    ApproxDP,
    grid=_grid,
    limits=(
        EPSILON,
        Limit("delta", "delta {} at the claimed epsilon", claimed=lambda level: level.delta),
    ),
    implies={
        ApproxDP: lambda a, b: a.epsilon <= b.epsilon and a.delta <= b.delta,
    },
    example=lambda st: st.builds(ApproxDP, sizes(st), deltas(st)),
    null="corpus.gaussian",
    line=lambda level: (level.epsilon, level.delta),
)
"""The kind of `ApproxDP`."""
