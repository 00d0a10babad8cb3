"""The file of a baseline, and which of its records belongs to which audit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from audit.files.bounded_json import NoSuchFile, NotJSON, read_json
from audit.suite.baseline.record import is_record
from audit.suite.replacement import replace_file
from mechanisms.errors import InvalidArgument, InvalidData

if TYPE_CHECKING:
    from audit.request.configured_audits import Entry

__all__ = ["matched", "read_baseline", "write_baseline"]

FORMAT = "touchstone baseline 1"

Record = dict[str, object]


def matched(
    stored: Mapping[str, Record], entries: Sequence[Entry]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Find each audit of a configuration in a baseline.

    By name; what is left is found by target, in order, so that another value of a parameter is not
    another audit.

    Returns `found`: key in the baseline, by key of the audit. `missing`: keys of the baseline that
    no audit has.
    """
    expected = [entry for entry in entries if entry.expect == "consistent"]
    found = {entry.key: entry.key for entry in expected if entry.key in stored}
    left = [key for key in stored if key not in found]
    for entry in expected:
        if entry.key in found:
            continue
        same = next((key for key in left if _target(key) == _target(entry.key)), None)
        if same is not None:
            found[entry.key] = same
            left.remove(same)
    return found, tuple(left)


def _target(key: str) -> str:
    """A key without values of parameters and number."""
    return key.partition(" (")[0].partition(" [")[0]


def read_baseline(path: Path) -> dict[str, Record]:
    """Read the audits of a baseline.

    Raises InvalidData if there is no such file, or it is none.
    """
    try:
        content = read_json(path, finite=True)
    except NoSuchFile as exc:
        msg = f"there is no baseline {str(path)!r} yet: touchstone gate --write-baseline makes it"
        raise InvalidData(msg) from exc
    except NotJSON:
        content = None
    match content:
        case {"format": str(form), "versions": dict(), "audits": dict(audits)}:
            known = form == FORMAT and len(content) == 3
            if known and all(map(is_record, audits.values())):
                return audits
    msg = f"{path} is no baseline of this version; touchstone gate --write-baseline makes one"
    raise InvalidData(msg)


def write_baseline(path: Path, audits: Mapping[str, Record]) -> None:
    """Replace a baseline as a whole.

    Raises InvalidArgument if it cannot be written.
    """
    from audit.results.versions import versions

    content = {"format": FORMAT, "versions": versions(()), "audits": dict(audits)}
    text = json.dumps(content, indent=2, allow_nan=False) + "\n"
    try:
        replace_file(path, text)
    except OSError as exc:
        msg = f"{path} cannot be written: {exc.strerror}"
        raise InvalidArgument(msg) from exc
