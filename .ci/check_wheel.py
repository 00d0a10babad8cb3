"""Check what a wheel holds: `check_wheel.py WHEEL ROOT`.

At the top level the three packages, the front door under its other name, the pytest plugin and the
metadata; in the packages exactly the files of the source tree, data files included.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

PACKAGES = ("mechanisms", "audit", "proofs_check")
BESIDE = {"_touchstone_pytest.py", "touchstone_dp.py"}
NEEDED = (
    "mechanisms/py.typed",
    "audit/py.typed",
    "proofs_check/py.typed",
    "audit/reference.toml",
    "audit/report/schema.json",
    "audit/report/schema-1.json",
    "audit/report/html/page.css",
    "audit/report/html/page.js",
)


def main(wheel: Path, root: Path) -> None:
    """Compare a wheel with the source tree."""
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.endswith("/")}
    metadata = {name for name in held if name.partition("/")[0].endswith(".dist-info")}
    expected = BESIDE | {
        path.relative_to(root).as_posix()
        for package in PACKAGES
        for path in (root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    differences = (held - metadata) ^ expected
    assert not differences, f"wheel and source tree differ in {sorted(differences)}"
    assert set(NEEDED) <= held, f"missing: {sorted(set(NEEDED) - held)}"
    for word in ("entry_points.txt", "METADATA", "licenses/LICENSE"):
        assert any(name.endswith(word) for name in metadata), f"no {word} in the metadata"
    sys.stdout.write(f"{wheel.name}: {len(held)} files, as in the source tree\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
