"""What earlier runs found, kept by content: a result counts as long as nothing it rests on changed.

A result is kept under the digest of the source of the claim's module, of every module of ours that
this one imports, of what decides, and of the versions of Python and of the libraries that decide.
Results of other content are replaced, so the folder does not grow.

An entry is sealed by a digest of its own: what was damaged, or edited by hand, is checked again.
That is no signature: who can write the folder can seal an entry anew. Every entry can be derived
again, and `--fresh` does so; our own continuous integration believes none.
"""

from __future__ import annotations

import ast
import hashlib
import json
import math
import os
import stat
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, final
from urllib.parse import quote

from proofs_check.claim import Method
from proofs_check.decide import CheckResult

__all__ = ["Store", "default_folder", "digest", "versions"]

PACKAGES = ("proofs_check", "mechanisms")
LIBRARIES = ("sympy", "z3-solver", "python-flint")
DECIDING = ("proofs_check.decide", "proofs_check.store")
"""What makes a result of a claim's checks, whether its module imports it or not."""

LARGEST = 2**20
"""Bytes of an entry: the longest of the ledger has a few thousand."""

VARIABLE = "TOUCHSTONE_CACHE"
"""Environment variable that names the folder of all that touchstone keeps between runs."""


@cache
def versions() -> Mapping[str, str]:
    """Return the versions of Python and of the libraries that decide."""
    from importlib.metadata import version

    own = {"python": ".".join(map(str, sys.version_info[:3]))}
    return own | {name: version(name) for name in LIBRARIES}


def default_folder() -> Path:
    """Return the folder of kept results: of TOUCHSTONE_CACHE, or below the user's cache folder."""
    own = os.environ.get(VARIABLE)
    if own:
        return Path(own) / "prove"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "touchstone" / "prove"


@cache
def digest(module: str) -> str:
    """Digest of a module, of all of ours that it imports (near and far), and of the versions."""
    text = json.dumps(versions(), sort_keys=True)
    near = _near(module).union(*map(_near, DECIDING))
    parts = [text, *(_source(name).read_text(encoding="utf-8") for name in sorted(near))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@final
class Store:
    """Results of checks in a folder, one file each; a folder that cannot be used keeps nothing.

    Parameters
    ----------
    folder : Path
        Made where it is missing.
    fresh : bool
        Whether nothing is looked up: what is found now replaces what is kept.
    """

    def __init__(self, folder: Path, *, fresh: bool = False) -> None:
        self.folder = folder
        self.fresh = fresh

    def read(self, claim: str, index: int, key: str) -> CheckResult | None:
        """Return what a check of a claim found under this digest, if it is kept."""
        if self.fresh:
            return None
        try:
            kept = json.loads(_text(self._path(claim, index)))
            if kept.pop("seal") != _seal(claim, index, kept):
                return None
            if kept.pop("key") != key:
                return None
            if not _is_whole(kept):
                return None
            return CheckResult(**{**kept, "method": Method(kept["method"])})
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def write(self, claim: str, index: int, key: str, result: CheckResult) -> None:
        """Keep what a check found; a file is whole or is not there."""
        path = self._path(claim, index)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            content = {"key": key, **_plain(result)}
            sealed = content | {"seal": _seal(claim, index, content)}
            draft.write_text(json.dumps(sealed), encoding="utf-8")
            draft.replace(path)
        except OSError:
            return

    def _path(self, claim: str, index: int) -> Path:
        return self.folder / f"{quote(claim, safe='')}.{index}.json"


def _plain(result: CheckResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "says": result.says,
        "method": result.method.value,
        "refutes": result.refutes,
        "holds": result.holds,
        "detail": result.detail,
        "mutants": dict(result.mutants),
        "seconds": result.seconds,
    }


def _seal(claim: str, index: int, content: Mapping[str, Any]) -> str:
    text = json.dumps([claim, index, content], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _text(path: Path) -> str:
    """The text of an entry; a pipe or a device is none, and is not waited for."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError
    return content.decode("utf-8")


def _is_whole(kept: Mapping[str, Any]) -> bool:
    """Whether every field is of its kind."""
    mutants, seconds = kept["mutants"], kept["seconds"]
    answers = (bool, type(None))
    return (
        all(isinstance(kept[name], str) for name in ("name", "says", "detail"))
        and isinstance(kept["refutes"], bool)
        and isinstance(kept["holds"], answers)
        and isinstance(mutants, dict)
        and all(isinstance(found, answers) for found in mutants.values())
        and isinstance(seconds, int | float)
        and 0 <= seconds < math.inf
    )


@cache
def _near(module: str) -> frozenset[str]:
    """Return the module and all modules of ours that it needs."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting += _imported(name)
    return frozenset(found)


@cache
def _imported(module: str) -> tuple[str, ...]:
    """Modules of ours that a module imports anywhere in its source, with their packages."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(_source(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return tuple(sorted(n for n in names if n.split(".")[0] in PACKAGES and _is_module(n)))


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _source(module: str) -> Path:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)
