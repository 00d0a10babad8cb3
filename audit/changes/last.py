"""Which audits of a configuration did not pass when they were last run.

A small file in the cache folder, one for each configuration. It decides nothing but what a run of
`--changed-since` audits besides what has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import final

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
    """The record of one configuration.

    Parameters
    ----------
    path : Path
        Its file; it need not exist.
    """

    path: Path

    @classmethod
    def of(cls, configuration: str) -> Failures:
        """The record in the cache folder."""
        return cls(cache_folder() / f"{name_in_cache(configuration)}.failed.json")

    def read(self) -> frozenset[str] | None:
        """Keys of the audits that failed last; None where nothing, or nothing legible, is kept."""
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))["failed"]
            return frozenset(key for key in kept if isinstance(key, str))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, ran: Collection[str], failed: Collection[str]) -> None:
        """Keep what failed now, and what failed before and was not run.

        A folder that cannot be used keeps nothing.
        """
        before = self.read() or frozenset()
        content = {"failed": sorted((before - frozenset(ran)) | frozenset(failed))}
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(content, indent=1), encoding="utf-8")
            draft.replace(self.path)
        except OSError:
            return
