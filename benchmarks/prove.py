"""Time of `touchstone prove`: cold (nothing kept), and warm (everything kept).

Wall time of the whole command in a process of its own, with two processes that check. Goals: cold
under 300 s, warm under 5 s, and every status as registered. The slowest checks follow.

Run: python -m benchmarks.prove [--paper KSW ...] [--slowest 10]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

COLD, WARM = 300.0, 5.0
COMMAND = "from audit.cli import main; raise SystemExit(main())"
HEADER = "| run | claims | as registered | s | goal | ratio |\n|" + "---|" * 6


def run(words: list[str], folder: str) -> tuple[float, dict[str, Any]]:
    """Seconds of the command, and its report; results are kept in a folder."""
    command = [sys.executable, "-c", COMMAND, "prove", "--jobs", "2", "--format", "json", *words]
    started = time.perf_counter()
    done = subprocess.run(
        command,
        env={**os.environ, "TOUCHSTONE_CACHE": folder},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - started
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    return seconds, json.loads(done.stdout)


def main() -> None:
    """Print both times beside their goals, and the slowest checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paper", nargs="*", default=[])
    parser.add_argument("--slowest", type=int, default=10)
    arguments = parser.parse_args()
    words = [word for paper in arguments.paper for word in ("--paper", paper)]
    print(HEADER)
    with tempfile.TemporaryDirectory() as folder:
        for name, goal in (("cold", COLD), ("warm", WARM)):
            seconds, report = run(words, folder)
            good = sum(claim["status"] == claim["expected"] for claim in report["claims"])
            total = len(report["claims"])
            row = [name, str(total), str(good), f"{seconds:.1f}", f"{goal:.0f}"]
            print(f"| {' | '.join([*row, f'{seconds / goal:.2f}'])} |", flush=True)
    checks = [
        (c["seconds"], claim["id"], c["text"])
        for claim in report["claims"]
        for c in claim["checks"]
    ]
    for seconds, identifier, says in sorted(checks, reverse=True)[: arguments.slowest]:
        print(f"{seconds:6.1f} s  {identifier}: {says}")


if __name__ == "__main__":
    main()
