"""The modules of the installed packages, as names, paths and syntax trees."""

from __future__ import annotations

import ast
import importlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import final

PACKAGES = ("mechanisms", "audit", "proofs_check")


@final
@dataclass(frozen=True, slots=True)
class Module:
    """One module: dotted name, file, and whether it is a package's `__init__`."""

    name: str
    path: Path
    is_package: bool

    @cache  # noqa: B019 (modules live as long as the run: a file is read and parsed once)
    def text(self) -> str:
        """Its source."""
        return self.path.read_text(encoding="utf-8")

    @cache  # noqa: B019
    def tree(self) -> ast.Module:
        """Syntax tree of its source."""
        return ast.parse(self.text())


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the three packages, wherever they are imported from."""
    found = []
    for package in PACKAGES:
        (folder,) = importlib.import_module(package).__path__
        for path in sorted(Path(folder).rglob("*.py")):
            place = path.relative_to(folder).with_suffix("").parts
            is_package = path.name == "__init__.py"
            parts = (package, *(place[:-1] if is_package else place))
            found.append(Module(".".join(parts), path, is_package))
    return tuple(found)
