"""The command that repeats a run of the gate, pasted where the gate was called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import audit
from tests.slow import one_in

CONFIG = """
[[audit]]
target = "m.py:mean"
epsilon = 1
relation = "add-remove"
pair = "pair.json"
"""
PAIR = '{"data": [0.5], "neighbor": [0.5, 1.0]}'
MEAN = "def mean(data, size, rng):\n    return data.sum() + rng.laplace(scale=0.2, size=size)\n"
MORE = "budget_samples = 5_000\nideal = true\n"
PLACES = {
    "touchstone.toml": "touchstone.toml",
    "a b": "a b/touchstone.toml",
    "a b/other.toml": "a b/other.toml",
    "a b/pyproject.toml": "a b/pyproject.toml",
}
"""What the gate is called with, and the file that it reads."""

PASTED = ("a b/other.toml", "a b/pyproject.toml")
"""Of which the command is run: the others have the words of the last one."""


def write(folder: Path, place: str) -> Path:
    """A project with a mechanism that has too little noise."""
    path = folder / place
    path.parent.mkdir(exist_ok=True)
    head = "[tool.touchstone]\n" if path.name == "pyproject.toml" else ""
    text = CONFIG.replace("[[audit]]", "[[tool.touchstone.audit]]" if head else "[[audit]]")
    path.write_text(head + text + MORE)
    (path.parent / "m.py").write_text(MEAN)
    (path.parent / "pair.json").write_text(PAIR)
    return path


def pasted(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell that knows the command `touchstone` and this Python."""
    tools = folder / "bin"
    tools.mkdir()
    code = "import sys; from audit.cli import main; sys.exit(main())"
    for name, words in (("touchstone", f'-c "{code}" "$@"'), ("python", '"$@"')):
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}\n')
        (tools / name).chmod(0o755)
    here = str(Path(audit.__file__).parents[1])
    env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": here}
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False, env=env, cwd=folder
    )


@pytest.mark.long
@pytest.mark.parametrize("called", one_in(4, PLACES))
def test_the_command_repeats_the_run(
    called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of a configuration in another folder, and of one with a name of its own."""
    write(tmp_path, PLACES[called])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "cache"))
    result = audit.gate(called, seed=5)
    assert result.outcome == "REFUTED"
    if called not in PASTED:
        command = "touchstone gate --seed 5"
        assert result.repeat == (f"(cd '{called}' && {command})" if called == "a b" else command)
        return
    again = pasted(result.repeat, tmp_path)
    assert again.returncode == (0 if "python" in result.repeat else 1), again.stderr
    (first,) = result.outcomes
    assert isinstance(first.result, audit.AuditResult)
    words = " ".join(again.stdout.split())
    assert f"seed {result.seed}" in words
    assert f"--seed {first.result.seed}" in words
    assert f"{first.result.samples:,}" in words or str(first.result.samples) in words


@pytest.mark.long
def test_a_configuration_beside_another_is_named(tmp_path: Path) -> None:
    """It must hold of the file that the command would not read."""
    write(tmp_path, "touchstone.toml")
    result = audit.gate(write(tmp_path, "pyproject.toml"), seed=1)
    assert "pyproject.toml" in result.repeat
    assert audit.gate(tmp_path / "touchstone.toml", seed=1).repeat.endswith("gate --seed 1)")


def test_messages_name_the_folder_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold where there is no configuration, no folder, or something wrong in one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    with pytest.raises(audit.TouchstoneError, match=r"in the folder 'sub', or run"):
        audit.gate("sub")
    with pytest.raises(audit.TouchstoneError, match="in this folder, or run"):
        audit.gate()
    with pytest.raises(audit.TouchstoneError, match="no configuration 'none': neither a file nor"):
        audit.gate("none")
    (tmp_path / "sub" / "touchstone.toml").write_text("nothing = 1\n")
    with pytest.raises(audit.TouchstoneError, match=r"^sub/touchstone\.toml: "):
        audit.gate("sub")
