"""What every report as JSON shares: how a whole is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["dump"]


def dump(document: Mapping[str, Any]) -> str:
    """Write a document, keys in the order of the schema."""
    return json.dumps(document, indent=2, allow_nan=False)
