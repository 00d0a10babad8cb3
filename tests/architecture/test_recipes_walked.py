"""Recipes of CONTRIBUTING.md walked in a copy of the packages: what they list is enough."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, modules

RUN = "import sys; from audit.cli import main; sys.exit(main())"

FORM = '''"""A form of one line."""

from audit.documents.cases import Report
from audit.report.lines import case_text


def render(run: Report) -> str:
    """Every case, with its verdict in front."""
    return "".join(f"{case.verdict}! {case_text(case)[:60]}" for case in run.cases)
'''

NOISE = '''"""Laplace noise under another name."""

from mechanisms.noise.laplace import Laplace as Walked

__all__ = ["Walked"]
'''

SAMPLER = '''"""A sampler for the copy."""


def far(data, size, rng):
    return float(data) + rng.laplace(scale=0.1, size=size)
'''


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The three packages in a folder of their own."""
    for module in modules():
        if module.name in PACKAGES:
            shutil.copytree(module.path.parent, tmp_path / module.name)  # and what is compiled
    (tmp_path / "far.py").write_text(SAMPLER)
    (tmp_path / "pair.json").write_text('{"data": 0.0, "neighbor": 1.0}')
    return tmp_path


def added(path: Path, before: str, line: str) -> None:
    """Put a line before the first place of a text."""
    source = path.read_text(encoding="utf-8")
    head, mark, tail = source.partition(before)
    assert mark, f"{path} has no {before!r}"
    path.write_text(f"{head}{line}{mark}{tail}", encoding="utf-8")


def renamed(source: Path, made: Path, names: dict[str, str]) -> None:
    """A new module that is another one under other names."""
    text = source.read_text(encoding="utf-8")
    for old, new in names.items():
        text = text.replace(old, new)
    made.write_text(text, encoding="utf-8")


def form(root: Path) -> None:
    """Walk "Add a form of report": its module, and a row."""
    (root / "audit/report/shout.py").write_text(FORM)
    row = '    "shout": Form("audit.report.shout", "shout"),\n'
    added(root / "audit/documents/forms.py", '    "sarif": Form(', row)


def level(root: Path) -> None:
    """Walk "Add a claim level": its module, and a line."""
    folder = root / "audit/levels"
    names = {"TotalVariationDP": "WalkedDP", "TOTAL_VARIATION": "WALKED", '"tv"': '"walked"'}
    names |= {"total-variation": "walked", "total_variation": "walked", "level.tv": "level.walked"}
    names |= {"self.tv": "self.walked", "tv: Fraction": "walked: Fraction", '"corpus.': '"" and "'}
    renamed(folder / "total_variation.py", folder / "walked.py", names)
    added(
        folder / "__init__.py", "from mechanisms.claims", "from audit.levels.walked import WALKED\n"
    )
    added(folder / "__init__.py", "    TRADE_OFF,\n", "    WALKED,\n")


def mechanism(root: Path) -> None:
    """Walk "Add a mechanism": its module, and an entry."""
    folder = root / "mechanisms/add_remove"
    renamed(folder / "swap_mean.py", folder / "walked.py", {"SwapMean": "Walked"})
    entry = '    "ksw.walked": _entry("add_remove.walked:Walked", "a test", "", noise="laplace"),\n'
    added(root / "mechanisms/registry.py", '    "ksw.swap-staircase": _entry(', entry)


def noise(root: Path) -> None:
    """Walk "Add a noise law": its module, and an entry."""
    (root / "mechanisms/noise/walked.py").write_text(NOISE)
    entry = '    "walked": NoiseEntry("mechanisms.noise.walked:Walked", "a test"),\n'
    added(root / "mechanisms/registry.py", '    "laplace": NoiseEntry(', entry)


SMALL = ("--budget-samples", "4000", "--seed", "1", "--pair", "pair.json", "--relation", "listed")
WALKS: dict[str, tuple[Callable[[Path], None], tuple[str, ...], int, str]] = {
    "form": (
        form,
        ("audit", "ksw.swap-laplace", "--mode", "exact", "--format", "shout"),
        0,
        "PROVED! PROVED: ksw.swap-laplace",
    ),
    "level": (
        level,
        ("audit", "far.py:far", "--walked", "1/10", *SMALL, "--ideal"),
        1,
        "--walked 1/10",
    ),
    "mechanism": (mechanism, ("audit", "ksw.walked", "--mode", "exact"), 0, "PROVED: ksw.walked"),
    "noise": (noise, ("audit", "noise.walked", "--mode", "exact"), 0, "PROVED: noise.walked"),
}


@pytest.mark.parametrize("name", WALKS)
def test_a_recipe_is_enough(name: str, copied: Path) -> None:
    """It must hold that what is added by its steps alone is reached by a command."""
    walk, words, status, said = WALKS[name]
    walk(copied)
    environment = {**os.environ, "PYTHONPATH": str(copied), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=copied,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, said in done.stdout) == (status, True), done.stdout + done.stderr
