"""What every report as JSON shares: how a whole is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["dump"]


def dump(document: Mapping[str, Any]) -> str:
    """Write a document, keys in the order of the schema."""
    text = json.dumps(document, indent=2, allow_nan=False)
    if "\\ud" in text:  # half of a surrogate pair is no text for any reader
        text = json.dumps(_text_only(document), indent=2, allow_nan=False)
    # of text alone, and a build server of GitHub obeys it; for JSON it is the same
    return text.replace("##[", r"#\u0023[")


def _text_only(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_text_only(key): _text_only(part) for key, part in value.items()}
    return [*map(_text_only, value)] if isinstance(value, list | tuple) else value
