"""One pinned virtual environment for each library and version: `python -m bugs.environments`.

The folder is $BUGS_ENVIRONMENTS, else `.bugs` beside this repository. What is there is kept, so
that the command can be stopped and started again; an environment counts as made when a file in it
holds the lines that pip was given.

    python -m bugs.environments [NAME ...] [--list]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

__all__ = ["Environment", "environments", "folder"]

HERE: Final = Path(__file__).parent
MADE: Final = "made-of.txt"


def folder() -> Path:
    """Where the environments are."""
    return Path(os.environ.get("BUGS_ENVIRONMENTS", HERE.parent / ".bugs"))


@final
@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment: its name, and what pip installs with and without dependencies."""

    name: str
    requires: tuple[str, ...]
    without_dependencies: tuple[str, ...] = ()

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return folder() / self.name / "bin" / "python"

    @property
    def is_made(self) -> bool:
        """Whether it was installed to the end, from these lines."""
        note = folder() / self.name / MADE
        return note.is_file() and note.read_text(encoding="utf-8") == self._lines()

    def _lines(self) -> str:
        return "\n".join([*self.requires, "--no-deps", *self.without_dependencies]) + "\n"

    def make(self) -> None:
        """Install it; another pip than its own does, so that it holds nothing but the library."""
        place = folder() / self.name
        venv.create(place, clear=True, with_pip=False, symlinks=True)
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "--quiet"]
        for more, packages in ((), self.requires), (("--no-deps",), self.without_dependencies):
            if packages:
                subprocess.run([*pip, *more, *packages], check=True)
        (place / MADE).write_text(self._lines(), encoding="utf-8")


def environments() -> dict[str, Environment]:
    """All environments by name."""
    table = tomllib.loads((HERE / "environments.toml").read_text(encoding="utf-8"))
    return {
        name: Environment(
            name, tuple(words["requires"]), tuple(words.get("without_dependencies", ()))
        )
        for name, words in table.items()
    }


def main() -> int:
    """Make those that are missing, and say which could not be made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--list", action="store_true", help="say which are made")
    words = parser.parse_args()
    known = environments()
    failed = []
    for name in words.names or known:
        one = known[name]
        if not (words.list or one.is_made):
            try:
                one.make()
            except subprocess.CalledProcessError as error:
                failed.append(name)
                print(f"{name}: pip ended with status {error.returncode}", file=sys.stderr)
        print(f"{name}: {'made' if one.is_made else 'missing'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
