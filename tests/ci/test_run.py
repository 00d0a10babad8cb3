"""`.ci/run`: a failure ends a run, of a stage alone and of one that runs beside another."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
STAGES = """
need_venv() { echo environment; }
stage_lint() { echo looked; }
stage_types() { echo read; false; echo never; }
stage_docs() { echo printed; sleep 0.1; echo built; }
stage_tests() { echo tested; }
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The script with other stages, of which `types` fails."""
    head, line, tail = SCRIPT.partition("# One stage: ")
    assert line
    path = tmp_path / ".ci" / "run"
    path.parent.mkdir()
    path.write_text(head + STAGES + line + tail, encoding="utf-8")
    (tmp_path / "requirements-dev.lock").write_text("numpy==2.0 \\\n", encoding="utf-8")
    return path


def run(script: Path, *stages: str) -> tuple[int, list[str]]:
    """Exit status, and what is printed; each number of seconds is 0."""
    done = subprocess.run(
        ["bash", str(script), *stages], capture_output=True, text=True, check=False
    )
    return done.returncode, re.sub(r"\b\d+ s\b", "0 s", done.stdout).splitlines()


def test_a_failed_stage_ends_the_run(script: Path) -> None:
    """It must hold that neither the rest of the stage nor a later one is run."""
    lint = ["== lint", "looked", "== lint: 0 s, passed"]
    tests = ["== tests", "tested", "== tests: 0 s, passed"]
    assert run(script, "lint", "tests") == (0, [*lint, *tests, "== all passed in 0 s"])
    assert run(script, "types", "tests") == (1, ["== types", "read", "== types: 0 s, failed (1)"])


def test_stages_beside_each_other_print_apart_and_fail_together(script: Path) -> None:
    """It must hold that what one prints stands whole, and that each can end the run."""
    docs = ["== docs", "printed", "built", "== docs: 0 s, passed"]
    lint = ["== lint", "looked", "== lint: 0 s, passed"]
    types = ["== types", "read", "== types: 0 s, failed (1)"]
    good = (0, ["environment", *docs, *lint, "== all passed in 0 s"])
    assert run(script, "docs+lint") == good
    assert run(script, "docs+types", "tests") == (1, ["environment", *docs, *types])
    assert run(script, "types+docs", "tests") == (1, ["environment", *types, *docs])


def test_an_unknown_stage_is_told_before_anything_is_run(script: Path) -> None:
    """It must hold of one alone and of one beside another."""
    assert run(script, "lint", "docs+lnt") == (2, [])


def test_the_first_stage_that_tests_is_the_readmes_command() -> None:
    """It must hold that a whole run has each stage once, and `tests` before others that test."""
    whole = re.search(r"\|\| stages=\((.*)\)", SCRIPT)
    assert whole is not None
    stages = re.split(r"[ +]", whole[1])
    assert stages[:3] == ["venv", "lint", "tests"]
    assert len(stages) == len(set(stages))
    command = re.search(r"stage_tests\(\) \{\n.*\n  \"\$dev/bin/(.*)\n", SCRIPT)
    assert command is not None
    typed = command[1].replace('"', "")
    assert f"&& .venv/bin/{typed}\n" in (ROOT / "README.md").read_text(encoding="utf-8")
