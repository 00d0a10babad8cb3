"""Make the kept outputs, or compare them: `python -m tests.frozen.outputs [--write] [NAME ...]`.

Every run is a process of its own, in a copy of `project`. What is left out of the comparison is
the time that a run took, the versions of what it ran with, and the folder that it ran in.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import final

import audit
from audit.documents.report_forms import FORMS
from tests.frozen.cases import AUDITS, CERTIFICATE, CONFIGURATION, IN_EVERY_FORM, Case

__all__ = ["KEPT", "Run", "compared", "outputs", "runs"]

HERE = Path(__file__).parent
KEPT = HERE / "kept"
ROOT = Path(audit.__file__).parents[1]
"""Where the packages are, the installed ones or these."""
ENDINGS = {name: form.ending for name, form in FORMS.items()}
COMMAND = (sys.executable, "-c", "import sys; from audit.cli import main; sys.exit(main())")

CHANGING = (
    (r"/\S*/site-packages/", "SITE/"),
    (r"[0-9.]+ s, no samples", "T s, no samples"),
    (r"(\bin|after) [0-9.,]+ (s\b|seconds\b)", r"\1 T \2"),
    (r'("seconds(_per_draw)?": )[0-9.e-]+', r"\1T"),
    (r'(\btime=")[0-9.e-]+', r"\1T"),
    (r"(?m) +[0-9.]+ s$", " T s"),  # of a line of the gate
    (r"(?m)\| [0-9.,]+ \|$", "| T |"),  # the last column of a gate's table
    (r'[0-9.,]+(<svg [^>]*class="time">)(<rect width=")[0-9.]+', r"T\1\2W"),
    (r'("(numpy|scipy|python|touchstone|platform)": )"[^"]*"', r'\1"V"'),
    (r"(<dt>(numpy|scipy|python|touchstone)</dt><dd>)[^<]*", r"\1V"),
    (r'(<property name="(numpy|scipy|python|touchstone)" value=")[^"]*', r"\1V"),
    (r'("version": )"0[^"]*"', r'\1"V"'),
    (r"(touchstone|numpy|scipy|Python) [0-9]+(\.[0-9a-z+]+)+", r"\1 V"),
)
"""What may differ between two runs of one seed, and what is kept of it."""

WRAPPED = re.compile(r"(?m)^run {9}.*(\n {12}\S.*)+")
"""Where a report breaks the lines about its run hangs on how many digits its time has."""

LONG = re.compile(r"(?<![\w.])-?[0-9]+\.[0-9]{11,}(e-?[0-9]+)?(?!\w)")
"""Doubles whose last digits hang on the order in which a processor's vector units add: twelve are
compared."""


INNER = re.compile(r"\n(?: {3,}| {2}(?=[\]}]))")
"""Where JSON breaks its lines below the first level: a key of the report is a line."""


@final
@dataclass(frozen=True, slots=True)
class Run:
    """One process: the folder of its outputs, its words, and the forms that it writes."""

    name: str
    argv: tuple[str, ...]
    forms: tuple[str, ...] = ()
    certificate: bool = False


def runs() -> Iterator[Run]:
    """All of them."""
    for case in AUDITS:
        forms = tuple(ENDINGS) if case.name in IN_EVERY_FORM else ("text", "json")
        yield Run(f"audit-{case.name}", tuple(case.argv), forms)
    argv = tuple(Case(CERTIFICATE, f"{CERTIFICATE} --mode exact").argv)
    yield Run(f"certificate-{CERTIFICATE}", argv, ("json",), certificate=True)
    yield Run("gate", ("gate", "--seed", "1", "--verbose"), ("text", "json"))


def outputs(run: Run) -> dict[str, str]:
    """Run it: what it wrote, by the name of the file, without what may differ."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "project"
        shutil.copytree(HERE / "project", place, ignore=shutil.ignore_patterns("__*"))
        (place / "touchstone.toml").write_text(CONFIGURATION)
        words = list(run.argv)
        options = [f"--report={form}=out.{ENDINGS[form]}" for form in run.forms]
        if run.certificate:
            options += ["--certificate", "certificate.json"]
        cut = words.index("--") if "--" in words else len(words)
        words = [*words[:cut], *options, *words[cut:]]
        environment = {**os.environ, "TOUCHSTONE_CACHE": f"{folder}/cache", "COLUMNS": "100"}
        environment |= {"PYTHONPATH": str(HERE.parents[1]), "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            [*COMMAND, *words],
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        written = {
            "status": f"{done.returncode}\n",
            "stdout": done.stdout,
            "stderr": done.stderr,
        }
        for file in sorted(place.glob("out.*")):
            written[file.name] = file.read_text(encoding="utf-8")
        if (certificate := place / "certificate.json").exists():
            written[certificate.name] = certificate.read_text(encoding="utf-8")
        texts = {name: _settled(text, place) for name, text in written.items()}
        for name in texts.keys() & {"out.json", "certificate.json", "out.sarif"}:
            texts[name] = INNER.sub(" ", texts[name])
        if texts.get("out.txt") == texts["stdout"]:
            del texts["out.txt"]
        return {name: text for name, text in texts.items() if text}


def _settled(text: str, place: Path) -> str:
    text = text.replace(str(place), "PROJECT").replace(str(ROOT), "ROOT")
    text = WRAPPED.sub(lambda found: re.sub(r"\n +", " ", found[0]), text)
    for pattern, kept in CHANGING:
        text = re.sub(pattern, kept, text)
    return LONG.sub(lambda found: f"{float(found[0]):.12g}", text)


def compared(run: Run, *, write: bool = False) -> list[str]:
    """Names of the files of a run that are not as kept; written anew if asked."""
    folder, new = KEPT / run.name, outputs(run)
    old = {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*")}
    different = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    if write and different:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, text in new.items():
            (folder / name).write_text(text, encoding="utf-8")
    if different and not write:
        for name in different:
            place = Path(tempfile.gettempdir()) / "touchstone-frozen" / run.name
            place.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(new.get(name, ""), encoding="utf-8")
    return different


def main() -> int:
    """Make or compare all, or those whose names begin so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*", help="only runs whose names begin so")
    asked = parser.parse_args()
    chosen = [r for r in runs() if r.name.startswith(tuple(asked.names) or "")]
    changed = 0
    with ThreadPoolExecutor(asked.jobs) as pool:
        found = pool.map(lambda run: compared(run, write=asked.write), chosen)
        for run, different in zip(chosen, found, strict=True):
            changed += bool(different)
            sys.stdout.write(f"{run.name}: {', '.join(different) or 'as kept'}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{changed} of {len(chosen)} runs differ\n")
    return int(changed > 0 and not asked.write)


if __name__ == "__main__":
    sys.exit(main())
