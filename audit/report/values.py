"""What every report as JSON shares: its version, and how an enclosure and a whole are written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from audit.verdict import Enclosure

__all__ = ["SCHEMA_VERSION", "dump", "ends_document"]

SCHEMA_VERSION = 2
"""Counts changes that a reader of older reports would not understand."""


def dump(document: Mapping[str, Any]) -> str:
    """Write a document, keys in the order of the schema."""
    return json.dumps(document, indent=2, allow_nan=False)


def ends_document(ends: Enclosure) -> dict[str, str]:
    """Write an enclosure."""
    return {"lower": str(ends[0]), "upper": str(ends[1])}
