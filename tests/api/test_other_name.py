"""`touchstone_dp`: the front door under a name of its own, and the check for shadowed packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import audit
import touchstone_dp

ROOT = Path(touchstone_dp.__file__).parent
TOLD = """
import touchstone_dp as ts
try:
    ts.audit
except ImportError as shadowed:
    print([base.__name__ for base in type(shadowed).__mro__[:3]], shadowed)
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python in a folder, which is first on its path."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("own", ["audit/__init__.py", "mechanisms/__init__.py", "proofs_check.py"])
def test_a_package_of_the_user_is_told(own: str, tmp_path: Path) -> None:
    """It must hold that name and places are said, and that the user's package does not run."""
    (tmp_path / own).parent.mkdir(exist_ok=True)
    (tmp_path / own).write_text("print('ran')\n")
    package = own.partition("/")[0].removesuffix(".py")
    message = (
        f"the name '{package}' stands for {tmp_path / own} here, not for Touchstone's package in "
        f"{ROOT}: run from another folder, rename yours, or use the command `touchstone`"
    )
    done = run(tmp_path, "-c", TOLD)
    classes = ["ShadowedPackage", "TouchstoneError", "ImportError"]
    assert done.stdout == f"{classes} {message}\n", done.stderr
    command = run(tmp_path, "-m", "touchstone_dp", "--version")
    assert (command.returncode, command.stdout) == (2, "")
    assert command.stderr == f"touchstone: {message}\n"


@pytest.mark.long
def test_a_folder_without_init_hides_nothing(tmp_path: Path) -> None:
    """It must hold that data may lie in a folder of our name."""
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / "data.csv").write_text("age\n1\n")
    assert run(tmp_path, "-c", TOLD).stdout == ""
    done = run(tmp_path, "-m", "touchstone_dp", "--version")
    assert done.returncode == 0
    assert done.stdout.startswith("touchstone ")


def test_it_has_the_names_of_audit() -> None:
    """It must hold that each is the same object, that a star imports them, and no others."""
    assert all(getattr(touchstone_dp, name) is getattr(audit, name) for name in audit.__all__)
    assert touchstone_dp.__all__ == audit.__all__
    assert set(audit.__all__) <= set(dir(touchstone_dp))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        touchstone_dp.nothing  # type: ignore[attr-defined] # noqa: B018


def test_it_is_light() -> None:
    """It must hold that importing it imports nothing of ours."""
    code = (
        "import sys, touchstone_dp; print([m for m in sys.modules if m in touchstone_dp.PACKAGES])"
    )
    assert run(ROOT, "-c", code).stdout == "[]\n"
