"""A foreign project, with Touchstone installed from its wheel: pytest alone finds the plugin."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[2]

PYPROJECT = """
[project]
name = "statistics-of-ours"
version = "1.0"

[tool.pytest]
strict = true
pythonpath = ["src"]
testpaths = ["tests"]
filterwarnings = ["error"]
privacy_false_alarm = 1e-4
"""

MEANS = """
import numpy as np


def correct(data, size, rng, low=0.0, high=1.0):
    largest = max(abs(low), abs(high))
    return np.clip(np.nan_to_num(data), low, high).sum() + rng.laplace(scale=largest, size=size)


def broken(data, size, rng, low=0.0, high=1.0):
    half = max(abs(low), abs(high)) / 2
    return np.clip(np.nan_to_num(data), low, high).sum() + rng.laplace(scale=half, size=size)
"""

TESTS = """
import pytest
from hypothesis import given, settings

from audit.strategies import neighboring_pairs
from ours.means import broken, correct

CLAIM = {"epsilon": 1, "relation": "add-remove", "low": 0, "high": 1, "ideal": True}


@pytest.mark.privacy(**CLAIM, pair="tests/pair.json", budget_samples=200_000)
def test_correct():
    return correct


@pytest.mark.privacy(**CLAIM)
def test_broken():
    return broken


def test_where(privacy_audit):
    import _touchstone_pytest
    import audit

    print("plugin", _touchstone_pytest.__file__)
    print("package", audit.__file__)
    assert privacy_audit("ksw.shifted-laplace", mode="exact").verdict == "PROVED"


@settings(deadline=None)
@given(neighboring_pairs("add-remove"))
def test_sums_move_by_one(pair):
    assert abs(pair.data.sum() - pair.neighbor.sum()) <= 1 + 1e-12
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel is installed, without what it needs: that is here."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    install = [*pip, "install", "--no-deps", "--target", str(folder / "site"), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    return folder / "site"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Somebody's project: a correct and a broken mechanism, and tests of both."""
    files = {
        "pyproject.toml": PYPROJECT,
        "src/ours/__init__.py": "",
        "src/ours/means.py": MEANS,
        "tests/test_means.py": TESTS,
        "tests/pair.json": '{"data": [0.5], "neighbor": [0.5, 1.0]}',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_wheel_has_the_plugin() -> None:
    """It must hold that the distribution names the plugin, and ships its file."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert content["project"]["entry-points"]["pytest11"] == {"touchstone": "_touchstone_pytest"}
    assert (
        "_touchstone_pytest.py"
        in content["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    )


def pytest_in(project: Path, site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest as its owner does: the plugin comes from the wheel's entry point."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "--junitxml=junit.xml", "-rP", *words],
        cwd=project,
        env=environment | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_the_broken_mechanism_fails_with_its_witness(
    project: Path, site: Path, workers: tuple[str, ...]
) -> None:
    """It must hold that the correct one passes, and the broken one fails with its witness."""
    done = pytest_in(project, site, "--privacy-seed", "1", *workers)
    text = done.stdout
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, text + done.stderr
    assert "1 failed, 3 passed" in text, text
    assert f"plugin {site / '_touchstone_pytest.py'}\n" in text
    assert f"package {site / 'audit' / '__init__.py'}\n" in text
    failure = text.partition("_ test_broken _")[2]
    assert "\nREFUTED: ours.means:broken\nThe claim epsilon = 1 (add-remove) is false." in failure
    assert "\nwitness     output " in failure
    assert "sys.path.insert(0, 'src')\n    from ours.means import broken as mechanism\n" in failure
    assert "\nrepeat      pytest tests/test_means.py::test_broken --privacy-seed 1/3 " in failure
    assert "\nCONSISTENT  tests/test_means.py::test_correct  epsilon = 1 (add-remove)  " in text
    (suite,) = ET.parse(project / "junit.xml").getroot()
    counts = {key: suite.attrib[key] for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "0", "skipped": "0"}
    rows = {
        case.attrib["name"]: {p.attrib["name"]: p.attrib["value"] for p in case.iter("property")}
        for case in suite.iter("testcase")
    }
    verdicts = {name: row["verdict"] for name, row in rows.items() if row}
    assert verdicts == {
        "test_correct": "CONSISTENT",
        "test_broken": "REFUTED",
        "test_where": "PROVED",
    }
    assert float(rows["test_broken"]["false_alarm"]) == pytest.approx(1e-4 / 3)
    (message,) = [failure.attrib["message"] for failure in suite.iter("failure")]
    assert "REFUTED: ours.means:broken" in message


@pytest.mark.slow
def test_the_witness_of_a_foreign_project_runs(project: Path, site: Path) -> None:
    """It must hold that the printed script and the printed command repeat the finding."""
    first = pytest_in(project, site, "--privacy-seed", "1").stdout
    (command,) = [line for line in first.splitlines() if line.startswith("repeat ")]
    again = pytest_in(project, site, *command.split()[2:]).stdout
    assert "1 failed in " in again
    witness = first[first.index("\nwitness  ") : first.index("\nrun  ")]
    assert witness in again
    assert command in again
    lines = first.partition("The witness as a script:\n")[2].splitlines()
    end = next(n for n, line in enumerate(lines) if line and not line.startswith(" "))
    script = project / "witness.py"
    script.write_text("\n".join(line[4:] for line in lines[:end]))
    done = subprocess.run(
        [sys.executable, script],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.fullmatch(r"\d+ of \d+ draws on D, \d+ of \d+ on D'\n", done.stdout)
