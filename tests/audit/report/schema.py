"""The part of `schema.json` that follows from the kinds of claims.

`python -m tests.audit.report.schema` writes it anew; a test compares.
"""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args, get_type_hints

from audit.levels import LEVELS
from audit.levels.kind import LevelKind

__all__ = ["FILE", "with_levels", "written"]

FILE = Path(str(files("audit.report") / "schema.json"))
WIDTH = 100
NULL = {"type": "null"}


def with_levels(schema: dict[str, Any]) -> dict[str, Any]:
    """Replace what reports may say of claims and limits by what the kinds of claims have."""
    audit = schema["$defs"]["audit"]
    others = [rule for rule in audit["allOf"] if "claim" not in rule["if"]["properties"]]
    claim = {"oneOf": [_claim(kind) for kind in LEVELS]}
    audit |= {"allOf": others + [_limits(kind) for kind in LEVELS]}
    return schema | {"$defs": schema["$defs"] | {"audit": audit, "claim": claim}}


def written(value: Any, indent: int = 0, before: int = 0) -> str:
    """JSON text in which what fits a line is one."""
    line = json.dumps(value)
    if indent + before + len(line) < WIDTH or not isinstance(value, dict | list):
        return line
    inner, margin = indent + 2, " " * (indent + 2)
    if isinstance(value, list):
        parts, ends = [written(item, inner) for item in value], "[]"
    else:
        names = [(f"{json.dumps(name)}: ", item) for name, item in value.items()]
        parts, ends = [name + written(item, inner, len(name)) for name, item in names], "{}"
    body = ",\n".join(margin + part for part in parts)
    return f"{ends[0]}\n{body}\n{' ' * indent}{ends[1]}"


def _claim(kind: LevelKind) -> dict[str, Any]:
    """A claim of this kind: its exact parameters."""
    parameters = {name: _exact(hint) for name, hint in get_type_hints(kind.level).items()}
    properties = {
        "level": {"const": kind.name},
        **parameters,
        "relation": {"enum": ["add-remove", "swap", "listed"]},
        "source": {"type": "string"},
        "derived": {"type": "array", "items": {"type": "string"}},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _exact(hint: Any) -> dict[str, Any]:
    """An exact number, or tuples of them."""
    if hint is Fraction:
        return {"$ref": "#/$defs/exact"}
    items = get_args(hint)
    if items[-1] is ...:
        return {"type": "array", "items": _exact(items[0])}
    sizes = {"minItems": len(items), "maxItems": len(items)}
    return {"type": "array", "items": _exact(items[0]), **sizes}


def _limits(kind: LevelKind) -> dict[str, Any]:
    """The limits of a claim of this kind, and no others."""
    own = [limit.name for limit in kind.limits]
    limits = {
        "type": "object",
        "properties": {name: {"$ref": "#/$defs/extended"} for name in own},
        "required": own,
        "additionalProperties": False,
    }
    profile = {} if "epsilon" in own else {"profile": NULL}
    return {
        "if": {"properties": {"claim": {"properties": {"level": {"const": kind.name}}}}},
        "then": {"properties": {"limits": limits, **profile}},
    }


if __name__ == "__main__":
    FILE.write_text(written(with_levels(json.loads(FILE.read_text("utf-8")))) + "\n", "utf-8")
