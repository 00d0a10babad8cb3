"""Notebooks and scripts as targets: what runs, what is skipped, and what the user hears."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.cli import main
from audit.request.configuration import read_config
from audit.targets.load import load_target
from mechanisms.errors import InvalidArgument
from tests.user_files import imports_restored

SUM = "def noisy_sum(data, size, rng):\n    return data.sum() + rng.laplace(0, SCALE, size)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder whose modules are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


def notebook(path: Path, *cells: Any, **more: Any) -> str:
    """Write a notebook of code cells (or of whole cells, where they are dicts); return its name."""
    content = {
        "cells": [
            {"cell_type": "code", "source": cell, "metadata": {}, "outputs": []}
            if not isinstance(cell, dict)
            else cell
            for cell in cells
        ],
        "metadata": {"kernelspec": {"name": "python3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
        **more,
    }
    path.write_text(json.dumps(content))
    return path.name


def drawn(spec: str) -> list[Any]:
    """One draw of a target on no data."""
    return list(load_target(spec).draw(np.zeros(0), 1, np.random.default_rng(1)))


def test_cells_run_in_order_in_one_namespace(folder: Path) -> None:
    """It must hold that cells see earlier ones, sources may be lists, and text is left out."""
    name = notebook(
        folder / "n.ipynb",
        "seen = [1]",
        {"cell_type": "markdown", "source": "seen.append(0)"},
        ["seen.append(2)\n", "def f(data):\n", "    return tuple(seen)\n"],
        "seen.append(3)",
        "",
    )
    assert drawn(f"{name}:f") == [(1, 2, 3)]


def test_a_notebook_is_run_once_in_a_process(folder: Path) -> None:
    """It must hold that two targets of one notebook share its objects, and two notebooks none."""
    name = notebook(
        folder / "n.ipynb", "ran = []", "def f(data):\n    ran.append(1)\n    return len(ran)"
    )
    assert drawn(f"{name}:f") == [1]
    assert drawn(f"{name}:f") == [2]
    (folder / "other").mkdir()
    notebook(folder / "other" / "n.ipynb", "def f(data):\n    return 9")
    assert drawn("other/n.ipynb:f") == [9]


def test_a_notebook_imports_what_stands_beside_it(folder: Path) -> None:
    """It must hold that its folder is first on the path, and that n.py is not n.ipynb."""
    (folder / "deep").mkdir()
    (folder / "deep" / "n.py").write_text("value = 5\n")
    notebook(folder / "deep" / "n.ipynb", "import n\n\ndef f(data):\n    return n.value")
    assert drawn("deep/n.ipynb:f") == [5]


def test_classes_of_a_notebook_can_be_pickled(folder: Path) -> None:
    """It must hold that dataclasses and pickle find the module of a notebook's class."""
    name = notebook(
        folder / "n.ipynb",
        "from dataclasses import dataclass",
        "@dataclass\nclass Shift:\n    by: float = 2.0\n"
        "    def __call__(self, data):\n        return self.by",
        "shift = Shift()",
    )
    assert drawn(f"{name}:shift") == [2.0]
    shift = load_target(f"{name}:shift").draw
    assert pickle.loads(pickle.dumps(shift))(0.0, 1, np.random.default_rng(1)) == [2.0]


SKIPPED = {
    "%matplotlib inline\nx = 1": ["%matplotlib inline"],
    "x = 1\n!pip install nothing": ["!pip install nothing"],
    "if True:\n    %load_ext autoreload\n    x = 1": ["%load_ext autoreload"],
    "if True:\n    !ls\nx = 1": ["!ls"],
    "files = !ls\nx = 1": ["files = !ls"],
    "x = 1\nx?": ["x?"],
    "?x\nx = 1\nx.real??": ["?x", "x.real??"],
    "!echo a \\\n  b\nx = 1": ["!echo a \\"],
    "%%time\nx = 1": [],
    "%time x = 1": [],
    "\n%%capture out\nx = 1": [],
    "x = (7\n% 3)": [],
    'x = len("""\n%d!?""") and 1': [],
    'y = """\n%time\n!ls\n"""\n%matplotlib inline\nx = len(y) // 11': ["%matplotlib inline"],
}


@pytest.mark.parametrize("cell", SKIPPED)
def test_what_is_no_python_is_skipped_and_said(cell: str, folder: Path) -> None:
    """It must hold that magics and shell lines are left out, in their cell, and nothing else is."""
    name = notebook(folder / "n.ipynb", cell, "def f(data):\n    return x")
    assert drawn(f"{name}:f") == [1]
    lines = [f"{line} (code cell 1)" for line in SKIPPED[cell]]
    notes = load_target(f"{name}:f").notes
    assert notes == (
        (f"n.ipynb: lines that are no Python were skipped: {', '.join(lines)}",) if lines else ()
    )


def test_cells_in_other_languages_are_skipped(folder: Path) -> None:
    """It must hold that a cell that a magic gives to another program is left out whole."""
    name = notebook(
        folder / "n.ipynb",
        "%%bash\nexit 1",
        "%%writefile x.py\nraise ValueError",
        "%%html\n<b>",
        "%%time",
        "%lsmagic",
        "def f(data):\n    return 1",
    )
    target = load_target(f"{name}:f")
    (note,) = target.notes
    assert note.endswith(
        ": %%bash (code cell 1), %%writefile x.py (code cell 2), %%html (code cell 3) and 1 more"
    )
    assert not (folder / "x.py").exists()


BROKEN = {
    "error": (["x = 1", "\ny = 1 / 0"], "code cell 2, line 2: ZeroDivisionError: division by zero"),
    "deeper": (["def g():\n    1 / 0\n", "g()"], "code cell 2, line 1: ZeroDivisionError"),
    "syntax": (["x = 1", "!ls\ndef f(:\n    pass"], "code cell 2, line 2: SyntaxError: invalid"),
    "undefined": (["df.head()"], "code cell 1, line 1: NameError: name 'df' is not defined"),
    "import": (["import no_such_thing"], "ModuleNotFoundError: No module named 'no_such_thing'"),
    "exit": (["import sys", "sys.exit(3)"], "code cell 2, line 1: SystemExit: 3"),
    "timing": (["%time y ="], "code cell 1, line 1: SyntaxError"),
    "null": (["x = '\0'"], "code cell 1.*: (ValueError|SyntaxError): source code .*null bytes"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_cell_that_fails_is_named(name: str, folder: Path) -> None:
    """It must hold that the error has the cell and its line, and that nothing is kept."""
    cells, message = BROKEN[name]
    notebook(folder / "n.ipynb", *cells)
    for _ in range(2):
        with pytest.raises(InvalidArgument, match=f"n.ipynb cannot be run: .*{message}"):
            load_target("n.ipynb:f")
    assert not [m for m in sys.modules if m.startswith("_touchstone_notebook_")]


NO_NOTEBOOKS = {
    "{": "n.ipynb is no notebook: it is not JSON: Expecting property",
    "[]": "n.ipynb is no notebook of nbformat 4",
    '{"worksheets": [], "nbformat": 3}': "n.ipynb is no notebook of nbformat 4",
    '{"cells": [], "metadata": {"kernelspec": {"language": "R"}}}': "is a notebook in r; only",
    '{"cells": [], "metadata": {"language_info": {"name": "julia"}}}': "is a notebook in julia",
    '{"cells": [null, {"cell_type": "code"}]}': "n.ipynb has no attribute 'f'",
}


@pytest.mark.parametrize("text", NO_NOTEBOOKS)
def test_what_is_no_notebook_is_named(text: str, folder: Path) -> None:
    """It must hold that a file of another kind, or language, is an error that says so."""
    (folder / "n.ipynb").write_text(text)
    with pytest.raises(InvalidArgument, match=NO_NOTEBOOKS[text]):
        load_target("n.ipynb:f")


def test_a_missing_notebook_is_named(folder: Path) -> None:
    """It must hold that a notebook that is not there is told by its path."""
    with pytest.raises(InvalidArgument, match=r"there is no file 'missing\.ipynb'"):
        load_target("missing.ipynb:f")


WORDS = "--epsilon 1 --relation add-remove --pair pair.json --ideal"
PAIR = '{"data": [0.5], "neighbor": [0.5, 1.0]}'
"""One pair: to learn from each of those that are made takes a second."""


@pytest.mark.long
def test_a_report_names_the_lines_that_were_skipped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a notebook is audited, its display is nothing, and the note is told."""
    name = notebook(folder / "n.ipynb", "%matplotlib inline", "SCALE = 0.3\ndisplay(SCALE)", SUM)
    (folder / "pair.json").write_text(PAIR)
    words = f"{WORDS} --seed 1 --format json"
    assert main(["audit", f"{name}:noisy_sum", *words.split()]) == 1
    document = json.loads(capsys.readouterr().out)
    note = "n.ipynb: lines that are no Python were skipped: %matplotlib inline (code cell 1)"
    assert note in document["notes"]
    assert 'audit.load("n.ipynb:noisy_sum"' in document["witness"]["rerun"]


def test_a_notebook_of_a_configuration_is_seen_from_its_folder(folder: Path) -> None:
    """It must hold that the path of a notebook is relative to the configuration."""
    (folder / "touchstone.toml").write_text('[[audit]]\ntarget = "n.ipynb:f"\n')
    (entry,) = read_config(folder / "touchstone.toml").entries
    assert entry.request.target == f"{folder / 'n.ipynb'}:f"


SCRIPTS = {
    "import sys\nsys.exit('usage')": "SystemExit: usage; what ends the program .*__main__",
    "import argparse\nargparse.ArgumentParser().parse_args()\nraise ValueError('on')": "Error: on",
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('file')\np.parse_args()": (
        "SystemExit: 2; what ends the program or reads the command line belongs under"
    ),
    "import sys\nassert sys.argv[1:] == ['--x'], sys.argv[1:]": r"AssertionError: \[\]",
}


@pytest.mark.parametrize("text", SCRIPTS)
def test_a_script_that_runs_as_a_program_is_told_where_that_belongs(
    text: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a script sees no words of ours, and that leaving is an error of its own."""
    monkeypatch.setattr(sys, "argv", ["touchstone", "--x"])
    (folder / "script.py").write_text(text)
    with pytest.raises(InvalidArgument, match=f"script.py cannot be imported: .*{SCRIPTS[text]}"):
        load_target("script.py:f")
    assert sys.argv == ["touchstone", "--x"]


def test_a_script_under_main_is_a_module(folder: Path) -> None:
    """It must hold that what stands under `if __name__ == "__main__":` does not run."""
    (folder / "script.py").write_text(
        "def f(data):\n    return 1\n\nif __name__ == '__main__':\n    raise SystemExit(f(0))\n"
    )
    assert drawn("script.py:f") == [1]


@pytest.mark.long
@pytest.mark.parametrize("kind", ["script.py", "n.ipynb"])
def test_what_an_import_prints_is_no_part_of_the_report(
    kind: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that standard output holds the report alone."""
    text = f"print('loading')\nSCALE = 0.3\n{SUM}"
    (folder / "pair.json").write_text(PAIR)
    if kind == "script.py":
        (folder / kind).write_text(text)
    else:
        notebook(folder / kind, text)
    words = f"{WORDS} --seed 1 --format json"
    assert main(["audit", f"{kind}:noisy_sum", *words.split()]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["verdict"] == "REFUTED"
    assert err == "loading\n"
