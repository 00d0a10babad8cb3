"""The product holds all that it speaks of: no private path, nothing left for later."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.architecture.sources import PACKAGES, modules

ROOT = Path(__file__).parents[2]
THIS = Path(__file__).resolve()
FORBIDDEN = {
    "a folder beside the project": re.compile(r"\.\./shared|(?<![\w.])/(?:work|home|Users|root)/"),
    "work left for later": re.compile(r"\b(?:TODO|FIXME|XXX)\b|raise NotImplementedError"),
    "code hidden from coverage": re.compile(r"pragma:\s*no\s*cover"),
}
TEXT = frozenset({".py", ".md", ".toml", ".json", ".csv", ".yml", ".yaml", ".txt", ".cfg", ""})


def product_files() -> list[Path]:
    """Tracked files; without a checkout, the installed packages and what lies beside the tests."""
    git = ["git", "-C", str(ROOT), "ls-files", "-z"]
    done = subprocess.run(git, capture_output=True, text=True, check=False)
    if done.returncode == 0 and (ROOT / ".git").exists():
        listed = [ROOT / name for name in done.stdout.split("\0") if name]
    else:
        folders = [ROOT, *{m.path.parent for m in modules() if m.name in PACKAGES}]
        listed = [path for folder in folders for path in folder.rglob("*") if is_kept(path, folder)]
    files = [path for path in listed if path.suffix in TEXT and path.is_file()]
    return [path for path in files if path.resolve() != THIS]


def is_kept(path: Path, folder: Path) -> bool:
    """Whether a file is no by-product of a run."""
    parts = path.relative_to(folder).parts
    return not any(part == "__pycache__" or part.startswith(".") for part in parts)


def faults(text: str) -> list[str]:
    """What a text holds that it may not."""
    return [
        f"{kind}: {found.group()!r}"
        for kind, pattern in FORBIDDEN.items()
        for found in pattern.finditer(text)
    ]


def test_product_speaks_of_nothing_outside() -> None:
    """It must hold that no file names a private folder, open work, or hidden code."""
    found = {}
    for path in product_files():
        text = path.read_text(encoding="utf-8")
        if "tests" in path.parts:  # a helper may lack what its test does not need
            text = text.replace("raise NotImplementedError", "")
        if bad := faults(text):
            found[str(path)] = bad
    assert found == {}


def test_product_files_are_seen() -> None:
    """It must hold that the check above reads packages, tests and README."""
    seen = {path.name for path in product_files()}
    assert {"README.md", "LICENSE", "pyproject.toml", "claims.py", "conftest.py"} <= seen
    assert len(seen) > 100


def test_checker_sees_a_fault() -> None:
    """It must hold that each planted fault is found, once, and that similar words are none."""
    for text in (
        "see ../shared/spec",
        "open('/work/main/x')",
        "# TODO later",
        "raise NotImplementedError",
        "x = 1  # pragma: no cover",
        "/home/me/data.csv",
    ):
        assert len(faults(text)) == 1, text
    for text in ("a/work/b", "fair work/share", "https://x.org/home/me", "todo"):
        assert faults(text) == [], text


def test_documents_exist() -> None:
    """It must hold that the documents that a reader expects are there, and say something."""
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"):
        assert len((ROOT / name).read_text(encoding="utf-8")) > 200, name
