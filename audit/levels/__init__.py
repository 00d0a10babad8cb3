"""Kinds of claims: a file each, and a line in `LEVELS`."""

from __future__ import annotations

from fractions import Fraction

from audit.levels.approximate import APPROXIMATE
from audit.levels.gaussian import GAUSSIAN
from audit.levels.kind import Ask, Grid, LevelKind, Limit
from audit.levels.personalized_dp import PERSONALIZED
from audit.levels.pure import PURE
from audit.levels.renyi import RENYI
from audit.levels.total_variation import TOTAL_VARIATION
from audit.levels.trade_off import TRADE_OFF
from audit.levels.zcdp import ZERO_CONCENTRATED
from mechanisms.claims import Level, PrivacyClaim
from mechanisms.errors import InvalidArgument

LEVELS: tuple[LevelKind, ...] = (
    PURE,
    APPROXIMATE,
    ZERO_CONCENTRATED,
    GAUSSIAN,
    RENYI,
    TOTAL_VARIATION,
    TRADE_OFF,
    PERSONALIZED,
)
"""Every kind; a new one is a line here."""

LIMITS: dict[str, Limit] = {limit.name: limit for kind in LEVELS for limit in kind.limits}
"""What audits bound from below, by name; what is claimed of it is in the kind's own."""

_KINDS = {kind.level: kind for kind in LEVELS}


def kind_of(level: Level) -> LevelKind:
    """The kind of a level."""
    return _KINDS[type(level)]


def line_of(level: Level) -> tuple[Fraction, Fraction] | None:
    """Epsilon and delta of a claim that is one line, P(S) <= e^epsilon Q(S) + delta; else None."""
    line = kind_of(level).line
    return None if line is None else line(level)


def supporting_line(level: Level) -> tuple[Fraction, Fraction]:
    """Return (epsilon, delta) of the one line of a claim, exactly.

    Raises InvalidArgument for a claim that is not one line.
    """
    line = line_of(level)
    if line is None:
        msg = f"a pure or approximate claim is needed, got {level} ({type(level).__name__})"
        raise InvalidArgument(msg)
    return line


def grid_of(
    claim: PrivacyClaim, *, user: int | None = None, profile: bool = False, coarse: bool = False
) -> Grid:
    """Make the grid of nested claims around a claim.

    `claim`: of any level. `user`: whose record a pair changes, for a personalized claim. `profile`:
    add the privacy profile, for a pure or approximate claim. `coarse`: fewer points, for many
    pairs. Raises InvalidArgument for parameters so large that no sample refutes them, and a
    personalized claim without a user.
    """
    ask = Ask(claim.relation, user, profile, coarse)
    return kind_of(claim.level).grid(claim.level, ask)
