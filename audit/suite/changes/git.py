"""What git says has changed since a revision, in the working folder as it is.

Changes that are committed, staged or neither count, and so do new files that git is not told to
ignore. A renamed file counts under both names.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import final

from mechanisms.errors import InvalidArgument

__all__ = ["Changes", "NoGit", "changes_since", "commit_of"]


class NoGit(Exception):
    """Git cannot say what has changed; the message says why."""


@final
@dataclass(frozen=True, slots=True)
class Changes:
    """Changes since a revision."""

    revision: str
    """As it was asked for."""
    commit: str
    """Its full name."""
    top: Path
    """The folder of the repository."""
    files: frozenset[Path]
    """What was changed, added or deleted."""
    known: frozenset[Path]
    """All files that git looks at: of others a change would not be seen."""


def changes_since(revision: str, folder: Path) -> Changes:
    """Ask git what has changed.

    `revision`: anything that names a commit. `folder`: in the repository. Raises InvalidArgument if
    git knows no such commit. Raises NoGit if there is no git, or the folder is in no repository of
    it.
    """
    top = Path(_git(folder, "rev-parse", "--show-toplevel").rstrip("\n"))
    asked = f"{revision}^{{commit}}"
    try:
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", asked)
        commit = _git(folder, *words).strip()
    except NoGit as exc:
        msg = (
            f"--changed-since: git knows no commit {revision!r} in {top}; in a shallow clone fetch "
            f"it first: git fetch --depth=1 origin {revision}"
        )
        raise InvalidArgument(msg) from exc
    changed = _names(top, "diff", "--name-only", "--no-renames", "-z", commit, "--")
    new = _names(top, "ls-files", "--others", "--exclude-standard", "-z")
    tracked = _names(top, "ls-files", "-z")
    return Changes(revision, commit, top, changed | new, tracked | new | changed)


def commit_of(folder: Path) -> str | None:
    """The commit of a folder, and whether files differ from it; None without a repository."""
    try:
        changes = changes_since("HEAD", folder)
    except (NoGit, InvalidArgument):  # a repository without a commit is none yet
        return None
    count = len(changes.files)
    differ = f" and {count} changed {'file' if count == 1 else 'files'}" if count else ""
    return f"{changes.commit}{differ}"


def _names(top: Path, *words: str) -> frozenset[Path]:
    return frozenset(top / name for name in _git(top, *words).split("\0") if name)


def _git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), "-c", "core.quotepath=off", *words]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, errors="surrogateescape"
        )
    except OSError as exc:
        msg = f"git cannot be run ({exc.strerror})"
        raise NoGit(msg) from exc
    if done.returncode:
        first = (done.stderr.strip().splitlines() or ["no message"])[0]
        msg = f"git says: {first}"
        raise NoGit(msg)
    return done.stdout
