"""A claim as a record of names and exact numbers: written, and read again."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    RenyiDP,
    TradeOff,
    ZeroConcentratedDP,
)

__all__ = ["LEVELS", "claim_document"]

LEVELS: dict[str, type[Level]] = {
    "pure": PureDP,
    "approximate": ApproxDP,
    "zero-concentrated": ZeroConcentratedDP,
    "renyi": RenyiDP,
    "gaussian": GaussianDP,
    "trade-off": TradeOff,
    "personalized": PersonalizedDP,
}
"""Kinds of claim, by their names in reports and stored files."""

_NAMES = {level: name for name, level in LEVELS.items()}


def claim_document(claim: PrivacyClaim) -> dict[str, Any]:
    """Describe a claim."""
    return {
        **_level(claim.level),
        "relation": claim.relation.value,
        "source": str(claim.source),
        "derived": [str(source) for source in claim.derived],
    }


def _level(level: Level) -> dict[str, Any]:
    parameters = {item.name: _exact(getattr(level, item.name)) for item in fields(level)}
    return {"level": _NAMES[type(level)], **parameters}


def _exact(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else [_exact(part) for part in value]
