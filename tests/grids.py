"""Grids of nested claims, of the kind that a test is about."""

from __future__ import annotations

from audit.levels import grid_of
from audit.levels.moments import MomentGrid
from audit.levels.supporting_lines import LineGrid
from mechanisms.claims import Level, PrivacyClaim, Relation, Source

__all__ = ["lines_of", "moments_of"]


def lines_of(
    level: Level,
    relation: Relation,
    *,
    user: int | None = None,
    profile: bool = False,
    coarse: bool = False,
) -> LineGrid:
    """Lines around a claim."""
    claim = PrivacyClaim(level, relation, Source("test", "stated"))
    grid = grid_of(claim, user=user, profile=profile, coarse=coarse)
    assert isinstance(grid, LineGrid)
    return grid


def moments_of(level: Level) -> MomentGrid:
    """Divergences around a claim."""
    grid = grid_of(PrivacyClaim(level, Relation.LISTED, Source("test", "stated")))
    assert isinstance(grid, MomentGrid)
    return grid
