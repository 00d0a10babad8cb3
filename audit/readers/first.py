"""Reports of version 1 of the format, read as those of version 2.

Version 1 had a key for each of six lower limits, null where it has no meaning, in the place of
`limits`. What came later stands in no report of it: a note says that it is not recorded, and
nothing is put in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit.engine.json_record import FIRST_LIMITS
from audit.plain import SCHEMA_VERSION
from audit.readers.values import Unlike, value_as

__all__ = ["as_second"]

FIRST = 1

LATER: Mapping[str, str] = {
    "audit": "how pairs were screened, a comparison of control flow, wider classes of events",
    "exact": "the certificate of a proof",
}
"""What reports of version 2 may hold besides, by kind."""


def as_second(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read a report as one of version 2; a report in it, of a gate, is left as it is.

    Raises Unlike for a version that is neither.
    """
    version = record.get("schema_version")
    if version == SCHEMA_VERSION and type(version) is int:
        return record
    if version != FIRST or type(version) is not int:
        msg = f"its schema_version must be {FIRST} or {SCHEMA_VERSION}, got {version!r:.40}"
        raise Unlike(msg)
    kind = str(record.get("kind"))
    found = {**record, "schema_version": SCHEMA_VERSION}
    if kind == "audit":
        limits = {name: record[f"{name}_lower"] for name in FIRST_LIMITS}
        found["limits"] = {name: limit for name, limit in limits.items() if limit is not None}
        found["screening"] = None
    if kind != "gate":
        notes = value_as(tuple[str, ...], record["notes"], "notes")
        found["notes"] = [*notes, _note(kind, record)]
    return found


def _note(kind: str, record: Mapping[str, Any]) -> str:
    """Say which version wrote the report, and what it does not record."""
    versions = record.get("versions")
    own = versions.get("touchstone") if isinstance(versions, Mapping) else None
    by = f" by version {own:.40}" if isinstance(own, str) else ""
    later = f"; not recorded: {LATER[kind]}" if kind in LATER else ""
    return f"written{by} as a report of version 1, whose scripts are for that version{later}"
