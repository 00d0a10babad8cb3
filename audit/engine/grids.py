"""The grid of nested claims that an audit bets against, whatever the level."""

from __future__ import annotations

from audit.engine.experts import Grid
from audit.engine.lines import lines_of
from audit.engine.moments import moments_of
from mechanisms.claims import PrivacyClaim, RenyiDP, ZeroConcentratedDP

__all__ = ["grid_of"]


def grid_of(
    claim: PrivacyClaim, *, user: int | None = None, profile: bool = False, coarse: bool = False
) -> Grid:
    """Make the grid of nested claims around a claim.

    Parameters
    ----------
    claim : PrivacyClaim
        Of any level.
    user : int or None
        Whose record a pair changes, for a personalized claim.
    profile : bool
        Add the privacy profile, for a pure or approximate claim.
    coarse : bool
        Fewer points, for many pairs.

    Raises
    ------
    InvalidArgument
        For parameters so large that no sample refutes them, and a personalized claim without a
        user.
    """
    if isinstance(claim.level, RenyiDP | ZeroConcentratedDP):
        return moments_of(claim.level)
    return lines_of(claim.level, claim.relation, user=user, profile=profile, coarse=coarse)
