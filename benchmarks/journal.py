"""Jobs that are stopped and go on: a file of JSON lines, one for each piece of work that ended.

A line holds what the work found, and a digest of the sources that it depends on; the results of two
versions are never mixed. A last line that was cut is left out, and its work is done again.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, final

from joblib import Parallel, delayed

__all__ = ["ENGINE", "Journal", "digest", "read_lines"]

ENGINE = (
    "audit.engine.",
    "mechanisms.corpus.",
    "benchmarks.",
    "mechanisms.add_remove.",
    "mechanisms.noise.",
)
"""What decides how a run goes: engine, samplers, and the rows."""

Line = dict[str, Any]


class Job(Protocol):
    """A piece of work: a value that another process can run."""

    def run(self) -> Line:
        """Do it, and say what it was and what was found."""
        ...


def digest(*without: str, of: tuple[str, ...] = ENGINE) -> str:
    """Digest of the sources that a run depends on: of those loaded here the ones below `of`.

    Vocabulary, registries and reports are left out: they change without changing a run. So are the
    files in `without` and this one, which plan runs and print tables.
    """
    loaded = {
        module.__file__
        for name, module in list(sys.modules.items())
        if name.startswith(of) and module.__file__
    }
    skipped = {Path(file) for file in (*without, __file__)}
    files = sorted({Path(file) for file in loaded} - skipped)
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def read_lines(path: Path, engine: str) -> list[Line]:
    """Lines that a file holds; a last line that was cut is left out.

    Raises
    ------
    SystemExit
        If a line was made by another version of the sources.
    """
    if not path.exists():
        return []
    whole = [text for text in path.read_text().splitlines(keepends=True) if text.endswith("\n")]
    lines = [json.loads(text) for text in whole]
    if any(line["engine"] != engine for line in lines):
        msg = f"{path} holds runs of another version of the sources; name a new --output"
        raise SystemExit(msg)
    path.write_text("".join(whole))
    return lines


@final
@dataclass(slots=True)
class Journal:
    """What was found so far, in a file or in this process alone.

    Parameters
    ----------
    path : Path or None
        The file; None to keep nothing.
    engine : str
        Digest of the sources.
    until : float
        Time (`time.monotonic`) from which no more work is begun.
    """

    path: Path | None
    engine: str
    until: float = math.inf
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.path is not None:
            self.lines = read_lines(self.path, self.engine)

    def of(self, **values: Any) -> list[Line]:
        """Lines with these values."""
        return [line for line in self.lines if all(line[k] == v for k, v in values.items())]

    def do(self, jobs: Iterable[Job], *, processes: int = 1) -> bool:
        """Do one piece of work after another, in so many processes; whether all of it was done."""
        left: Iterator[Job] = iter(jobs)
        with Parallel(n_jobs=processes, return_as="generator_unordered") as parallel:
            while some := list(islice(left, processes)):
                if time.monotonic() >= self.until:
                    return False
                for line in parallel(delayed(job.run)() for job in some):
                    self._keep(line)
        return True

    def _keep(self, line: Line) -> None:
        self.lines.append(line | {"engine": self.engine})
        if self.path is not None:
            with self.path.open("a") as file:
                print(json.dumps(self.lines[-1]), file=file, flush=True)
