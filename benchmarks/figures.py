"""Time of each figure: `touchstone figure NAME -o m.png` in a process of its own.

Wall time, the import of matplotlib included. Goal: under 60 s each.

Run: python -m benchmarks.figures [NAME ...]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from audit.figures.figure_registry import FIGURES

GOAL = 60.0
COMMAND = "from audit.cli import main; raise SystemExit(main())"


def seconds_of(name: str, folder: str) -> float:
    """Seconds of drawing a figure into a folder."""
    file = str(Path(folder) / "m.png")
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", COMMAND, "figure", name, "-o", file], check=True)
    return time.perf_counter() - started


def main(names: list[str]) -> int:
    """Print a line for each figure; 1 if one took too long."""
    print("| figure | s | goal | ratio |")
    print("| --- | --- | --- | --- |")
    late = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names or FIGURES:
            seconds = seconds_of(name, folder)
            late += seconds > GOAL
            print(f"| {name} | {seconds:.1f} | {GOAL:.0f} | {seconds / GOAL:.2f} |", flush=True)
    return 1 if late else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
