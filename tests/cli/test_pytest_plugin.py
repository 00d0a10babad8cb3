"""The pytest plugin stays out of the way of a project's own packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with packages of our names, tested with the plugin loaded."""
    for name in ("audit", "mechanisms", "proofs_check"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"owner = 'the project, {name}'\n")
    (tmp_path / "test_own.py").write_text(
        "import sys\n"
        "import audit, mechanisms, proofs_check\n\n\n"
        "def test_own():\n"
        "    for module in (audit, mechanisms, proofs_check):\n"
        "        assert module.owner == f'the project, {module.__name__}'\n"
        "    assert '_touchstone_pytest' in sys.modules\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def test_a_project_with_its_own_audit_folder_still_runs(project: Path) -> None:
    """It must hold that the plugin imports none of our packages, and reports its version."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "_touchstone_pytest", "-p", "no:cacheprovider"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\ntouchstone: " in done.stdout
