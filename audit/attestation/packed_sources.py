"""Hashes of what a target may run, and where that was: folder, commit, libraries."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from audit.suite.changes.closure import closure_of, real
from audit.suite.changes.fingerprint import distributions_of, versions_of
from audit.suite.changes.git import commit_of

__all__ = ["environment", "sources_of"]


def sources_of(target: str, folder: Path) -> tuple[dict[str, object], dict[str, str]]:
    """What a target may run: a record, and the hash of each file by its name.

    `folder`: in which it was audited. A name is relative to the folder, or to the folder from which
    the file is imported.
    """
    closure = closure_of("" if " " in target else target, folder)
    hashes: dict[str, str] = {}
    own, *others = [real(path) for path in (folder, *(Path(entry or ".") for entry in sys.path))]
    for path in closure.present:
        name = _name(path, own, others)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if hashes.setdefault(name, digest) != digest:
            hashes[path.as_posix().lstrip("/")] = digest
    unseen = closure.unseen or ("" if closure.start else f"{target} has no file to follow")
    libraries = versions_of(["touchstone-dp", *distributions_of(closure.libraries)])
    return {
        "files": sorted(hashes),
        "libraries": libraries,
        "unseen": unseen,
    }, hashes


def _name(path: Path, own: Path, others: Sequence[Path]) -> str:
    """Name a file from the folder of the audit, or else from the innermost that holds it."""
    if path.is_relative_to(own):
        return path.relative_to(own).as_posix()
    holding = [root for root in others if path.is_relative_to(root)]
    if not holding:
        return path.as_posix().lstrip("/")
    return path.relative_to(max(holding, key=lambda root: len(root.parts))).as_posix()


def environment(folder: Path) -> dict[str, object]:
    """Where the pack is made: version of Python, platform, and the commit of the folder."""
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "commit": commit_of(folder),
    }
