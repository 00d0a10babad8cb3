"""Apply one mutation at a time to a copy of the sources, and run its tests there.

`python -m tests.mutations.run [--jobs 2] [PLACE...]` from the folder of the tests prints one line
each: killed, or survived. A place may be cut short (`audit.engine`); without places all are run.
The untouched copy must be green first; its modules are written from their syntax trees, too.
Tests that do not end in time are no verdict.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from queue import SimpleQueue

from tests.architecture.sources import PACKAGES
from tests.mutations.mutation import Mutation, file_of, mutated
from tests.mutations.mutations import MUTATIONS

__all__ = ["apply", "copy_tree", "main", "run_tests", "sources", "untouched"]

HERE = Path(__file__).resolve().parents[2]
LONGEST_SECONDS = 120
"""Of the tests of one mutation."""

LONGEST_OF_ALL = 1_200
"""Of the tests of all mutations together."""

GREEN, RED, LATE = 0, 1, -1


def sources() -> Path:
    """Folder that holds the packages."""
    import mechanisms

    return Path(mechanisms.__path__[0]).resolve().parent


def copy_tree(folder: Path) -> Path:
    """Copy packages, plugin, tests, pages, examples and pytest's settings."""
    leave_out = shutil.ignore_patterns("__pycache__")
    for package in PACKAGES:
        shutil.copytree(sources() / package, folder / package, ignore=leave_out)
    for beside in ("tests", "examples", "docs"):
        shutil.copytree(HERE / beside, folder / beside, ignore=leave_out)
    for module in ("_touchstone_pytest.py", "touchstone_dp.py"):
        shutil.copy(sources() / module, folder)
    for file in (HERE / "pyproject.toml", *HERE.glob("*.md")):
        shutil.copy(file, folder)
    return folder


def run_tests(
    folder: Path, tests: Iterable[str], seconds: float = LONGEST_SECONDS
) -> tuple[int, str]:
    """Run tests in a copy; return pytest's status, or LATE, and the end of its output."""
    environment = os.environ | {
        "CI": "1",
        "HYPOTHESIS_PROFILE": "long",
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    every = ["-m", "slow or not slow"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *every]
    try:
        done = subprocess.run(
            [*command, *(f"tests/{test}" for test in tests)],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return LATE, f"not done in {seconds:g} s\n"
    return done.returncode, done.stdout[-2000:] + done.stderr[-2000:]


def untouched(folder: Path, mutations: Collection[Mutation]) -> tuple[int, str]:
    """Run the tests of some mutations without any, on sources without comments."""
    for module in {mutation.module for mutation in mutations}:
        path = file_of(module, folder)
        path.write_text(ast.unparse(ast.parse(path.read_text("utf-8"))), encoding="utf-8")
    tests = {test for mutation in mutations for test in mutation.tests}
    return run_tests(folder, sorted(tests), LONGEST_OF_ALL)


def apply(mutation: Mutation, folder: Path) -> tuple[int, str]:
    """Run a mutation's tests with the mutation in place, and take it back."""
    path = file_of(mutation.module, folder)
    text = path.read_text(encoding="utf-8")
    path.write_text(mutated(mutation, text), encoding="utf-8")
    try:
        return run_tests(folder, mutation.tests)
    finally:
        path.write_text(text, encoding="utf-8")


def main(words: list[str]) -> int:
    """Run the mutations of places, print what became of each, return 0 if all were killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations.run")
    parser.add_argument("places", nargs="*", metavar="PLACE")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(words)

    chosen = [m for m in MUTATIONS if m.place.startswith(tuple(asked.places or [""]))]
    if not chosen:
        print(f"no place of a mutation begins with {' or '.join(asked.places)}")
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        folders: SimpleQueue[Path] = SimpleQueue()
        for job in range(asked.jobs):
            folders.put(copy_tree(Path(scratch) / str(job)))
        first = folders.get()
        status, output = untouched(first, chosen)
        folders.put(first)
        if status != GREEN:
            print(output)
            print("the untouched copy is not green")
            return 1
        with ThreadPoolExecutor(asked.jobs) as pool:
            killed = list(pool.map(_killed, chosen, repeat(folders)))
    print(f"{sum(killed)} of {len(chosen)} mutations killed")
    for mutation, dead in zip(chosen, killed, strict=True):
        if not dead:
            print(mutation)
    return 0 if all(killed) else 1


def _killed(mutation: Mutation, folders: SimpleQueue[Path]) -> bool:
    folder, started = folders.get(), time.perf_counter()
    try:
        status, output = apply(mutation, folder)
    finally:
        folders.put(folder)
    words = {GREEN: "SURVIVED", RED: "killed", LATE: "late"}
    word = words.get(status, f"pytest ended with {status}")
    rest = "" if status in (GREEN, RED) else f"\n{output.rstrip()}"
    print(f"{word:9} {time.perf_counter() - started:5.1f} s  {mutation}{rest}", flush=True)
    return status == RED


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
