"""Targets that start pools of processes: a verdict in any case, and no process is left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

from tests.slow import one_in

CODE = """
import multiprocessing, os, subprocess, time
from concurrent.futures import ProcessPoolExecutor

def same(x):
    return x

def dies(x):
    os._exit(3)

def pool(work, data):
    with multiprocessing.get_context("fork").Pool(2) as workers:
        return sum(workers.map(work, data))

def executor(work, data):
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as workers:
        return sum(workers.map(work, data))

def loky(work, data):
    from joblib import Parallel, delayed
    return sum(Parallel(n_jobs=2)(delayed(work)(x) for x in data))

def left(work, data):
    subprocess.Popen(["sleep", "600"])
    multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,)).start()
    return sum(data)

def mean(data, size, rng):
    return {start}({work}, [float(x) for x in data] + [0.0]) + rng.laplace(size=size)
"""
WORDS = ("--utility", "--mse", "10", "--low", "0", "--high", "1", "--n", "2", "--seed", "1")
CAPS = ("--timeout", "4", "--budget-seconds", "8", "--budget-samples", "3000")
MOST_SECONDS = 300.0
"""A cap that no machine should meet: what hangs ends with the test's failure."""


@pytest.mark.long
@pytest.mark.parametrize("work", [pytest.param("same", marks=pytest.mark.slow), "dies"])
@pytest.mark.parametrize("start", one_in(2, ["pool", "executor", "loky", "left"]))
def test_a_pool_ends_with_a_verdict_and_with_its_processes(
    start: str, work: str, tmp_path: Path
) -> None:
    """It must hold of workers that answer, of workers that die, and of what is never waited for.

    A pool of multiprocessing waits for a worker that died without end: the draw is cut.
    """
    code = CODE.replace("{start}", start).replace("{work}", work)
    (tmp_path / "m.py").write_text(code)
    marker = uuid4().hex
    command = "import sys; from audit.cli import main; sys.exit(main())"
    run = subprocess.run(
        [sys.executable, "-c", command, "audit", "m.py:mean", *WORDS, *CAPS],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=MOST_SECONDS,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TOUCHSTONE_TEST": marker},
    )
    assert run.returncode in ((0, 3) if work == "same" or start == "left" else (3,)), run.stderr
    assert run.stdout.startswith(("CONSISTENT", "INCONCLUSIVE")), run.stdout
    assert "internal error" not in run.stderr
    psutil.wait_procs(marked(marker), timeout=60)
    assert marked(marker) == []


def marked(marker: str) -> list[psutil.Process]:
    """Processes that were started under a run, wherever they are now."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("TOUCHSTONE_TEST") == marker:
                found.append(process)
        except psutil.Error:  # another user's, or over by now
            continue
    return [p for p in found if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]
