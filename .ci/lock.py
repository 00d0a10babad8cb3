"""Write requirements-dev.lock: every package of the development environment, with its hash.

`python .ci/lock.py` asks pip (26 or later, `pip lock`) what `.[dev]` needs on this platform, and
keeps names, versions and hashes; where a file came from is left out, so that any index serves.
`pip install --require-hashes -r requirements-dev.lock` installs them, and then
`pip install --no-deps -e .` this project.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements-dev.lock"


def main() -> None:
    """Ask pip, and write the file."""
    made = ROOT / "pylock.toml"
    words = [sys.executable, "-m", "pip", "lock", "--quiet", "--output", str(made), ".[dev]"]
    subprocess.run(words, cwd=ROOT, check=True)
    packages = tomllib.loads(made.read_text(encoding="utf-8"))["packages"]
    made.unlink()
    LOCK.write_text(lock_of(packages), encoding="utf-8")


def lock_of(packages: list[dict[str, object]]) -> str:
    """Lines of the file."""
    where = f"CPython {platform.python_version()}, {platform.system()} {platform.machine()}"
    lines = [f"# .ci/lock.py made this on {where}: wheels of other platforms have other hashes."]
    for package in packages:
        files = package.get("wheels") or ([package["sdist"]] if "sdist" in package else [])
        if not files:
            continue  # this project itself
        hashes = [f"    --hash=sha256:{file['hashes']['sha256']}" for file in files]  # type: ignore[attr-defined]
        lines.append(" \\\n".join([f"{package['name']}=={package['version']}", *hashes]))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
