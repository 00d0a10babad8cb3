"""A foreign project, with Touchstone installed from its wheel: init, gate, and what they leave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from audit.cli import main
from tests.audit.suite.changes.repository import commit, git, write
from tests.plugin.test_foreign_project import MEANS, PYPROJECT
from tests.reports import check_junit, check_report, check_sarif

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel is installed, without what it needs: that is here."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*install, str(folder / "site"), str(wheel)], check=True, capture_output=True)
    return folder / "site"


def touchstone(project: Path, site: Path, *words: str) -> tuple[int, str]:
    """Run the installed command in the project: exit status and all that it printed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    environment |= {"PYTHONPATH": str(site), "TOUCHSTONE_CACHE": str(project.parent / "kept")}
    done = subprocess.run(
        [site / "bin" / "touchstone", *words],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=2_000,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_distribution_installs_the_command() -> None:
    """It must hold that the wheel's `touchstone` is the command line."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert content["project"]["scripts"] == {"touchstone": "audit.cli:main"}
    assert callable(main)


@pytest.mark.slow
def test_init_and_gate_in_a_foreign_project(tmp_path: Path, site: Path) -> None:
    """It must hold that the result of init runs at once, and that the broken mechanism is found.

    It fails with its witness, JUnit and SARIF files validate, and a mended one is audited alone.
    """
    project = tmp_path / "project"
    write(project, "pyproject.toml", PYPROJECT)
    write(project, ".gitignore", "__pycache__/\n")
    means = write(project, "src/ours/means.py", MEANS)
    status, printed = touchstone(project, site, "init", "src/ours/means.py")
    gate = ("gate", "--budget-seconds", "1000")  # for a machine under load
    assert (status, printed.splitlines()[0]) == (0, "wrote touchstone.toml: 2 audits")

    names = {form: f"gate.{form}" for form in ("json", "junit", "sarif")}
    reports = [word for form, name in names.items() for word in ("--report", f"{form}=../{name}")]
    status, printed = touchstone(project, site, *gate, "--seed", "1", *reports)
    assert status == 1, printed
    assert "ok    src/ours/means.py:correct  CONSISTENT" in printed
    assert "FAIL  src/ours/means.py:broken   REFUTED" in printed
    assert "witness     output " in printed
    report = json.loads((tmp_path / "gate.json").read_text())
    check_report(report, "gate")
    assert report["versions"]["touchstone"] == "0.1.0"
    suite = check_junit((tmp_path / "gate.junit").read_text())
    (failure,) = suite.iter("failure")
    assert failure.text is not None
    assert "\nwitness     output " in failure.text
    (found,) = check_sarif((tmp_path / "gate.sarif").read_text())["runs"][0]["results"]
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/ours/means.py"

    git(tmp_path, "init", "--quiet", str(project))
    commit(project)
    status, printed = touchstone(project, site, *gate, "--seed", "1", "--changed-since", "HEAD")
    assert status == 1, printed
    assert "1 of 2 audits run" in printed
    assert "src/ours/means.py:broken: it did not pass when it was last run" in " ".join(
        printed.split()
    )
    means.write_text(MEANS.replace("/ 2", "/ 1"))
    status, printed = touchstone(project, site, *gate, "--seed", "2", "--changed-since", "HEAD")
    assert (status, "2 of 2 audits run" in printed) == (0, True), printed
    commit(project)
    status, printed = touchstone(project, site, *gate, "--seed", "3", "--changed-since", "HEAD")
    assert (status, "0 of 2 audits run" in printed) == (0, True), printed
