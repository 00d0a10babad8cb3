"""What a result limits from below, for each kind of claim."""

from __future__ import annotations

from fractions import Fraction

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)

__all__ = ["LIMITS", "claimed_of"]

LIMITS = (
    ("epsilon_lower", "epsilon", "epsilon {} at the claimed delta"),
    ("delta_lower", "delta", "delta {} at the claimed epsilon"),
    ("mu_lower", "mu", "mu {}"),
    ("rho_lower", "rho", "rho {}"),
    ("renyi_epsilon_lower", "epsilon", "Renyi epsilon {} at the claimed order"),
    ("budget_factor_lower", "factor", "a factor {} on all budgets"),
)
"""Fields of a result that are lower limits, in one word and in a sentence."""


def claimed_of(level: Level, field: str) -> Fraction | None:
    """What is claimed of the number that a field limits."""
    match field, level:
        case "epsilon_lower", PureDP(epsilon=value) | ApproxDP(epsilon=value):
            return value
        case "delta_lower", ApproxDP(delta=value):
            return value
        case "mu_lower", GaussianDP(mu=value):
            return value
        case "rho_lower", ZeroConcentratedDP(rho=value):
            return value
        case "renyi_epsilon_lower", RenyiDP(epsilon=value):
            return value
        case "budget_factor_lower", PersonalizedDP():
            return Fraction(1)
    return None
