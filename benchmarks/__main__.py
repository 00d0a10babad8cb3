"""All commands of benchmarks/README.md one by one: `python -m benchmarks --output FOLDER`.

Each section's first command runs without its optional words; what it prints goes into a file of
the folder, and a section that has one is left out, so that the same command goes on where it was
stopped. `--list` prints the commands alone. Some take hours: the README says how long.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

__all__ = ["commands", "main", "run"]

README = Path(__file__).with_name("README.md")
SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"`python -m (benchmarks\.\w+)([^`]*)`")
OPTIONAL = re.compile(r"\[[^\]]*\]")


def commands(text: str, folder: Path) -> dict[str, list[str]]:
    """Words of the first command of each section, by the section's name.

    `text`: the README. `folder`: stands where a command names a file or folder of its own.
    """
    found = {}
    for title, body in SECTION.findall(text):
        if command := COMMAND.search(body):
            name = title.replace(" ", "-")
            words = OPTIONAL.sub("", command[2]).split()
            given = {"FOLDER": str(folder / name), "FILE": str(folder / f"{name}.jsonl")}
            found[title] = ["-m", command[1], *(given.get(word, word) for word in words)]
    return found


def run(folder: Path, chosen: Sequence[str]) -> int:
    """Run what has no file yet; 1 if a command fails, and its output is then kept aside."""
    status = 0
    for title, words in commands(README.read_text(encoding="utf-8"), folder).items():
        file = folder / f"{title.replace(' ', '-')}.txt"
        if file.exists() or (chosen and title not in chosen):
            continue
        started = time.perf_counter()
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        target = file if done.returncode == 0 else file.with_suffix(".failed")
        target.write_text(done.stdout + done.stderr, encoding="utf-8")
        status |= done.returncode != 0
        print(f"{title}: {target.name}, {time.perf_counter() - started:.0f} s", flush=True)
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the words of the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("reproduced"), metavar="FOLDER")
    parser.add_argument("--list", action="store_true", help="print the commands")
    parser.add_argument("sections", nargs="*", help="headings of benchmarks/README.md; all")
    asked = parser.parse_args(arguments)
    known = commands(README.read_text(encoding="utf-8"), asked.output)
    if unknown := [name for name in asked.sections if name not in known]:
        parser.error(f"no such section: {', '.join(unknown)}; known: {', '.join(known)}")
    if asked.list:
        for title, words in known.items():
            print(f"{title}: python {' '.join(words)}")
        return 0
    asked.output.mkdir(parents=True, exist_ok=True)
    return run(asked.output, asked.sections)


if __name__ == "__main__":
    sys.exit(main())
