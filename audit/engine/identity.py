"""What an audit is, in words: two with the same identity draw and bet alike."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import platform
from collections.abc import Sequence
from pathlib import Path

from audit.draws.settings import Settings
from audit.pairs.literal import key_text
from audit.pairs.worst_cases import Pair
from audit.targets.modules import FILES
from audit.targets.target import Target
from mechanisms.claims import PrivacyClaim

__all__ = ["identity_of"]

LIBRARIES = ("touchstone-dp", "numpy", "scipy")
WITHOUT = ("budget_seconds",)
"""Settings that change when a run ends, and nothing of what it does until then."""

LONGEST = 60


def identity_of(
    target: Target,
    claim: PrivacyClaim,
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    mode: str = "sequential",
) -> dict[str, str]:
    """Say what an audit is.

    Long values are replaced by a digest. The source file of the target is part of it, and so are
    the attributes of an object: a function that was edited is another one. Other files are not.
    """
    said = {
        "mode": mode,
        "target": target.name,
        "source of the target": _code(target),
        **({"state of the target": target.state} if target.state else {}),
        "parameters": repr(sorted(target.parameters.items())),
        "order": str(target.order),
        "claim": f"{claim.level!r} {claim.relation}",
        "bounds": repr(target.bounds),
        **({} if target.schema is None else {"schema": repr(target.schema)}),
        "pairs": "; ".join(
            f"{key_text(p.data)} and {key_text(p.neighbor)}{' (generated)' if p.generated else ''}"
            f"{'' if p.user is None else f' (user {p.user})'}"
            for p in pairs
        ),
        **{
            name.replace("_", " "): repr(getattr(settings, name))
            for name in Settings.__slots__
            if name not in WITHOUT
        },
        "version": ", ".join(
            [f"Python {platform.python_version()}", *(_version(name) for name in LIBRARIES)]
        ),
    }
    return {name: _short(text) for name, text in said.items()}


def _code(target: Target) -> str:
    """Digest of the file that the target is in, or the version of its library.

    Of a command, of the files among its words.
    """
    if target.command:
        # words may be programs, longer than the name of any file
        files = [Path(word) for word in target.command if os.path.isfile(word)]  # noqa: PTH113
        return ", ".join(map(_digest, files)) or "none"
    place = target.name.rpartition(":")[0]
    path: str | None = place if place.endswith(FILES) else None
    if place and path is None:
        spec = importlib.util.find_spec(place)
        path = None if spec is None else spec.origin
    if path is not None and Path(path).is_file():
        return _digest(Path(path))
    return "none" if target.library is None else _version(target.library)


def _digest(path: Path) -> str:
    return f"sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _version(distribution: str) -> str:
    try:
        return f"{distribution} {importlib.metadata.version(distribution)}"
    except importlib.metadata.PackageNotFoundError:
        return f"{distribution} (not installed)"


def _short(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST // 2]}... (sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]})"
