"""Check what a wheel holds: `check_wheel.py WHEEL ROOT`.

At the top level the three packages, the front door under its other name, the pytest plugin and the
metadata: every file that git tracks there, byte for byte, and nothing else.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

HELD = ("mechanisms", "audit", "proofs_check", "_touchstone_pytest.py", "touchstone_dp.py")


def tracked(root: Path) -> list[str]:
    """Names of the files that git tracks and the wheel is to hold."""
    words = ["git", "-C", str(root), "ls-files", "-z", "--", *HELD]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name]


def differences(wheel: Path, root: Path, names: Sequence[str]) -> list[str]:
    """Files that only one of wheel and tree has, or whose bytes differ; metadata apart."""
    with zipfile.ZipFile(wheel) as archive:
        held = {
            name: archive.read(name)
            for name in archive.namelist()
            if not name.endswith("/") and ".dist-info/" not in name
        }
    expected = {name: (root / name).read_bytes() for name in names}
    return sorted(
        name for name in held.keys() | expected.keys() if held.get(name) != expected.get(name)
    )


def main(wheel: Path, root: Path) -> None:
    """Compare a wheel with the source tree."""
    names = tracked(root)
    wrong = differences(wheel, root, names)
    assert not wrong, f"wheel and source tree differ in {wrong}"
    with zipfile.ZipFile(wheel) as archive:
        metadata = [name for name in archive.namelist() if ".dist-info/" in name]
    for word in ("entry_points.txt", "METADATA", "licenses/LICENSE"):
        assert any(name.endswith(word) for name in metadata), f"no {word} in the metadata"
    sys.stdout.write(f"{wheel.name}: {len(names)} files, byte for byte as in the source tree\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
