"""A repository of git for a test, with a configuration and two mechanisms."""

from __future__ import annotations

import subprocess
from pathlib import Path

__all__ = ["CONFIGURATION", "commit", "git", "make_repository", "write"]

AUDIT = """
[[audit]]
target = "src/{name}.py:{name}"
epsilon = 1
relation = "add-remove"
pair = "pair.json"
ideal = true
"""
CONFIGURATION = "".join(AUDIT.format(name=name) for name in ("one", "two"))

FILES = {
    "touchstone.toml": CONFIGURATION,
    "pair.json": '{"data": [], "neighbor": [1]}',
    "src/one.py": "from shared import noise\n\n\ndef one(data, size, rng):\n"
    "    return noise(data, size, rng)\n",
    "src/two.py": "def two(data, size, rng):\n    return data.sum() + rng.laplace(size=size)\n",
    "src/shared.py": "def noise(data, size, rng):\n"
    "    return data.sum() + rng.laplace(size=size)\n",
    "README.md": "Two mechanisms.\n",
}


def git(folder: Path, *words: str) -> str:
    """Run git as some user."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file, and the folders that it needs."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def commit(folder: Path) -> str:
    """Commit all there is; the name of the commit."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "a step")
    return git(folder, "rev-parse", "HEAD")


def make_repository(folder: Path) -> str:
    """Make the repository; the name of its first commit."""
    git(folder.parent, "init", "--quiet", str(folder))
    for name, text in FILES.items():
        write(folder, name, text)
    return commit(folder)
