"""The page about clusters: its command runs, gives the bytes of one process, and can be stopped."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from audit.cli import main
from tests.cli.test_commands import gone, start

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "clusters.md"
((COMMAND, FIRST),) = re.findall(r"^\$ touchstone (.*)\n(.*)\n```$", PAGE.read_text(), re.MULTILINE)
WORDS = shlex.split(COMMAND)
CLUSTER = ("--backend", "dask", "--jobs", "2", "--resume", "run.saved")


def said(path: Path) -> str:
    """A report without its seconds."""
    return re.sub(r"\d[\d.]* s\b", "S", path.read_text())


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Dask workers that a command has started."""
    children = psutil.Process(process.pid).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


@pytest.mark.slow
def test_two_workers_and_an_interruption_change_no_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of the page's command: stopped, gone on with, a worker killed, it ends alike."""
    assert tuple(WORDS[-6:]) == CLUSTER
    monkeypatch.chdir(tmp_path)
    assert main([*WORDS[:-6], "--output", "whole"]) == 1
    assert said(Path("whole")).startswith(FIRST)
    stopped = killed = False
    for session in range(6):
        process = start(*WORDS, "--output", "part", cwd=tmp_path)
        for _ in range(3_000):
            if process.poll() is not None:
                break
            if not killed and session and (found := workers_of(process)):
                found[0].kill()
                killed = True
            if not stopped and (tmp_path / "run.saved").exists():
                process.send_signal(signal.SIGTERM)
                stopped = True
            time.sleep(0.02)
        _, err = process.communicate(timeout=600)
        assert gone(process.pid)
        if process.returncode != 130:
            break
        assert "goes on" in err
    assert process.returncode == 1
    assert said(Path("part")) == said(Path("whole"))
