"""Targets of the tests of screening, and how they are screened."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from audit.draws.supervisor import Care
from audit.screening.choice import Choice, ScreenBudget, screen
from audit.targets.domain import Declared, Domain
from audit.targets.target import Calls, Target, domain_of
from mechanisms.claims import Level, PrivacyClaim, PureDP, Relation, Source
from tests.audit.screening.defects import Release, Row

CARE = Care()
WHOLE = ScreenBudget(5_000_000, 6_000.0)
"""Of a run of usual length, with time for all of it."""


def claimed(relation: str = "add-remove", level: Level | None = None) -> PrivacyClaim:
    """A claim of a test."""
    return PrivacyClaim(level or PureDP(1), Relation(relation), Source("a test", ""))


def target_of(release: Release, low: float = 0, high: float = 1, **fields: Any) -> Target:
    """A target in memory."""

    def draw(data: Any, size: int, rng: Any) -> Any:
        return release(data.copy(), size, rng=rng)

    bounds = (Fraction(low), Fraction(high))
    return Target(release.__name__, draw, None, bounds=bounds, **fields)


def row_target(row: Row, **fields: Any) -> Target:
    """The target of a row."""
    return target_of(row.release, row.low, row.high, **fields)


def screened(
    target: Target,
    relation: str = "add-remove",
    *,
    seed: int = 1,
    budget: ScreenBudget = WHOLE,
    level: Level | None = None,
) -> Choice:
    """Screen with defaults."""
    claim = claimed(relation, level)
    return screen(target, claim, domain_of(target, claim), [], budget, seed=seed, care=CARE)


def unit(relation: str = "add-remove", **fields: Any) -> Domain:
    """Records in [0, 1]."""
    return Domain(Relation(relation), bounds=(Fraction(0), Fraction(1)), **fields)


__all__ = [
    "CARE",
    "WHOLE",
    "Calls",
    "Declared",
    "claimed",
    "row_target",
    "screened",
    "target_of",
    "unit",
]
