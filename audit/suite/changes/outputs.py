"""Files that the tool has written: no mechanism reads them, and no change of one asks for audits.

They are known by how they begin, wherever they lie and whatever they are called. Reports in HTML,
Markdown and SARIF need not be known: no mechanism reads files of such names.
"""

from __future__ import annotations

import re
from pathlib import Path

from audit.files.bounded_json import open_regular
from audit.suite.changes.lock import LOCK
from mechanisms.errors import InvalidData

__all__ = ["is_output"]

LONGEST = 400
"""Bytes at the beginning that are looked at."""

BEGINNINGS = re.compile(
    rb'\s*\{\s*"format": "touchstone '  # wealth, baselines
    rb'|\s*\{\s*"schema_version": \d+,\s*"(kind|statement)": "'  # reports, certificates
    rb'|<\?xml [^>]*>\s*<testsuites name="touchstone" '
    rb"|touchstone saved audit \d"
    rb"|(REFUTED|PROVED|CONSISTENT|INCONCLUSIVE): "
    rb"|[^\n]*: \d+ audits?, false-alarm rate "
)


def is_output(path: Path) -> bool:
    """Whether a file is a report, wealth, a baseline, a certificate, a saved run, or a lock."""
    try:
        with open_regular(path) as file:
            content = file.read(LONGEST)
    except InvalidData:
        return False
    return bool(BEGINNINGS.match(content)) or (path.suffix == LOCK and not content)
