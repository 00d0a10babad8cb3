"""A claim as a record of names and exact numbers: written, and read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from audit.levels import LEVELS, kind_of
from mechanisms.claims import Level, PrivacyClaim

_NAMED = {kind.name: kind.level for kind in LEVELS}


def claim_record(claim: PrivacyClaim) -> dict[str, object]:
    """Describe a claim."""
    return {
        "level": kind_of(claim.level).name,
        **{item.name: _exact(getattr(claim.level, item.name)) for item in fields(claim.level)},
        "relation": claim.relation.value,
        "source": str(claim.source),
        "derived": [str(source) for source in claim.derived],
    }


def level_from(name: str, parameters: Mapping[str, Any]) -> Level:
    """Make the level of a record."""
    return _NAMED[name](**{key: _tuples(value) for key, value in parameters.items()})


def _exact(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else [_exact(part) for part in value]


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
