"""What an audit is about, as a digest: a target with the same one has not changed.

In it are the contents of all files that the target may run, its parameters, the claim, the pairs,
the settings that say what is looked at, and the versions of Python, of ours and of the libraries
that these files import. Not in it are budgets, seed and false-alarm rate. What a file holds that
is read as data cannot be known; nothing that is proved of a carried wealth rests on the digest.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from audit.suite.changes.closure import Closure, closure_of

if TYPE_CHECKING:
    from audit.request.privacy_plan import PrivacyPlan

__all__ = ["distributions_of", "fingerprint", "short", "versions_of"]

ALWAYS = ("touchstone-dp", "numpy", "scipy")
"""Distributions whose versions are looked at, whatever a target imports."""

LEFT_OUT = (
    *("seed", "false alarm", "budget samples", "resolution"),
    *("source of the target", "state of the target"),
)
"""Of what an audit is: what does not say what it is about, or is said better here."""


def fingerprint(plan: PrivacyPlan, folder: Path) -> dict[str, str]:
    """Say what an audit is about, by parts.

    `plan`: the audit. `folder`: the working folder.
    """
    from audit.draws.settings import Settings
    from audit.engine.identity import identity_of

    request = plan.request
    settings = Settings(0, ideal=request.ideal, min_size=request.min_size, profile=request.profile)
    whole = identity_of(plan.target, plan.claim, plan.pairs, settings)
    closure = closure_of("" if request.command else request.target, folder)
    return {
        **{name: text for name, text in whole.items() if name not in LEFT_OUT},
        "source": _sources(closure, whole["source of the target"], folder),
        "version": versions_of([*ALWAYS, *distributions_of(closure.libraries)]),
    }


def short(parts: Mapping[str, str]) -> str:
    """Digest of a fingerprint."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _sources(closure: Closure, own: str, folder: Path) -> str:
    """Digest of the contents of all files; of a target without any, its own words."""
    digest = hashlib.sha256()
    present = closure.present
    for path in present:
        name = (
            str(path.relative_to(folder.resolve()))
            if path.is_relative_to(folder.resolve())
            else path.name
        )
        for part in (name.encode(errors="surrogateescape"), path.read_bytes()):
            digest.update(hashlib.sha256(part).digest())
    return f"{len(present)} files, sha256 {digest.hexdigest()}" if present else own


by_module = cache(importlib.metadata.packages_distributions)


def distributions_of(modules: Iterable[str]) -> list[str]:
    """Distributions that modules belong to; those of Python itself have its version."""
    found = by_module()
    return sorted(
        {
            name
            for module in modules
            if module not in sys.stdlib_module_names
            for name in found.get(module, [module])
        }
    )


def versions_of(distributions: Iterable[str] = ALWAYS) -> str:
    """Versions of Python and of distributions, in a line."""
    words = [f"Python {platform.python_version()}"]
    for name in dict.fromkeys(distributions):
        try:
            words.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            words.append(f"{name} (not installed)")
    return ", ".join(words)
