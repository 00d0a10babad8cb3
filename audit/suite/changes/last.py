"""Which audits of a configuration did not pass when they were last run, and what they ran with.

A small file in the cache folder, one for each configuration. It decides nothing but what a run of
`--changed-since` audits besides what has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import final

from audit.files.bounded_json import read_json
from audit.suite.replacement import replace_file
from mechanisms.errors import InvalidData

__all__ = ["Failures", "cache_folder", "name_in_cache"]

VARIABLE = "TOUCHSTONE_CACHE"
"""Environment variable that names the folder of all that touchstone keeps between runs."""


def cache_folder() -> Path:
    """Return the folder of what gates keep: of TOUCHSTONE_CACHE, or below the user's cache."""
    own = os.environ.get(VARIABLE)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return (Path(own) if own else Path(base) / "touchstone") / "gate"


def name_in_cache(configuration: str) -> str:
    """Name of the files of a configuration, wherever it is called from."""
    path = str(Path(configuration).resolve())
    return hashlib.sha256(path.encode(errors="surrogateescape")).hexdigest()[:16]


@final
@dataclass(frozen=True, slots=True)
class Failures:
    """The record of one configuration."""

    path: Path
    """Its file; it need not exist."""

    @classmethod
    def of(cls, configuration: str) -> Failures:
        """The record in the cache folder."""
        return cls(cache_folder() / f"{name_in_cache(configuration)}.failed.json")

    def read(self) -> frozenset[str] | None:
        """Keys of the audits that failed last; None where nothing, or nothing legible, is kept."""
        kept = self._kept().get("failed")
        if not isinstance(kept, list):
            return None
        return frozenset(key for key in kept if isinstance(key, str))

    def versions(self) -> Mapping[str, str]:
        """Versions that audits ran with when they were last run, by key; those that are known."""
        kept = self._kept().get("versions")
        known = kept if isinstance(kept, dict) else {}
        return {key: words for key, words in known.items() if isinstance(words, str)}

    def _kept(self) -> dict[str, object]:
        try:
            content = read_json(self.path)
        except InvalidData:
            return {}
        return content if isinstance(content, dict) else {}

    def write(self, ran: Collection[str], failed: Collection[str], versions: str = "") -> None:
        """Keep what failed now, and what failed before and was not run.

        A folder that cannot be used keeps nothing.

        `ran`, `failed`: keys of audits. `versions`: what they ran with.
        """
        before = self.read() or frozenset()
        content = {
            "failed": sorted((before - frozenset(ran)) | frozenset(failed)),
            "versions": {**self.versions(), **dict.fromkeys(ran, versions)},
        }
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self.path, json.dumps(content, indent=1))
        except OSError:
            return
