"""What a file imports, and which imports cannot be seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.suite.changes.closure import closure_of
from audit.suite.changes.source_imports import candidates, read_source
from tests.user_files import imports_restored


def names(folder: Path, files: object) -> set[str]:
    """Paths as they are seen from a folder."""
    return {path.relative_to(folder).as_posix() for path in files}  # type: ignore[attr-defined]


def read(folder: Path, text: str, name: str = "m.py") -> set[str]:
    """Where a file's imports may lie."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    source = read_source(path, [folder])
    assert source.unseen == ""
    return names(folder, source.files)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import a", {"a.py", "a/__init__.py"}),
        ("import a.b as c", {"a.py", "a/__init__.py", "a/b.py", "a/b/__init__.py"}),
        ("from a import b", {"a.py", "a/__init__.py", "a/b.py", "a/b/__init__.py"}),
        ("def f():\n    import a", {"a.py", "a/__init__.py"}),
        ("if TYPE_CHECKING:\n    import a", {"a.py", "a/__init__.py"}),
        ("try:\n    import a\nexcept ImportError:\n    a = None", {"a.py", "a/__init__.py"}),
        ("x = 'import a'", set()),
    ],
)
def test_absolute_imports_may_lie_in_files_and_packages(
    tmp_path: Path, text: str, found: set[str]
) -> None:
    """It must hold that each part of a dotted name is looked for, there or not."""
    assert read(tmp_path, text) == found


def test_relative_imports_are_seen_from_the_file(tmp_path: Path) -> None:
    """It must hold that one dot is the file's package, and two the one above."""
    near = read(tmp_path, "from . import a", "pkg/sub/m.py")
    assert near == {"pkg/sub/__init__.py", "pkg/sub/a.py", "pkg/sub/a/__init__.py"}
    above = read(tmp_path, "from ..b import c", "pkg/sub/m.py")
    assert {"pkg/__init__.py", "pkg/b.py", "pkg/b/c.py"} <= above
    assert "pkg/sub/b.py" not in above


def test_a_star_brings_what_a_package_names(tmp_path: Path) -> None:
    """It must hold that all modules of a package count, for __all__ may name them."""
    (tmp_path / "a").mkdir()
    for name in ("b", "c"):
        (tmp_path / "a" / f"{name}.py").write_text("")
    assert {"a/b.py", "a/c.py"} <= read(tmp_path, "from a import *")


UNSEEN = {
    "import importlib\nx = importlib.import_module(name)": "import_module (line 2)",
    "from importlib import import_module as load": "import_module (line 1)",
    "__import__('a')": "__import__ (line 1)",
    "exec(text)": "exec (line 1)",
    "import runpy": "runpy (line 1)",
    "import subprocess": "runs other programs, by subprocess (line 1)",
    "from subprocess import run": "runs other programs, by subprocess (line 1)",
    "import os\nos.system('ls')": "runs other programs, by system (line 2)",
    "import sys\nsys.path.append('x')": "uses sys.path (line 2)",
    "def f(:": "cannot be read (SyntaxError)",
}


@pytest.mark.parametrize("text", UNSEEN)
def test_what_cannot_be_followed_is_said(tmp_path: Path, text: str) -> None:
    """It must hold that code that is run by name makes a file a matter of doubt."""
    path = tmp_path / "m.py"
    path.write_text(text)
    assert read_source(path, [tmp_path]).unseen.endswith(UNSEEN[text])


@pytest.mark.parametrize(
    "text",
    [
        "import importlib.metadata",
        "model.eval()",
        "frame.eval('a + b')",
        "import platform\nplatform.system()",
        "re.compile('a')",
        "path = 1",
    ],
)
def test_what_only_looks_like_it_is_no_doubt(tmp_path: Path, text: str) -> None:
    """It must hold that names of other things do not make every run a whole one."""
    path = tmp_path / "m.py"
    path.write_text(text)
    assert read_source(path, [tmp_path]).unseen == ""


def test_candidates_are_files_of_every_part() -> None:
    """It must hold that a.b runs a and a.b."""
    found = [path.as_posix() for path in candidates(Path("r"), "a.b")]
    assert found == ["r/a.py", "r/a/__init__.py", "r/a/b.py", "r/a/b/__init__.py"]


FILES = {
    "src/m.py": "from helper import f\nimport numpy\nfrom pkg import deep",
    "src/helper.py": "import third",
    "src/third.py": "",
    "src/pkg/__init__.py": "",
    "src/pkg/deep.py": "from .deeper import x",
    "src/pkg/deeper.py": "",
    "src/alone.py": "import math",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with some modules."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_imports_are_followed_to_the_end(project: Path) -> None:
    """It must hold that the closure holds all files of the project, near and far, and no other."""
    closure = closure_of("src/m.py:mean", project)
    assert names(project, closure.present) == FILES.keys() - {"src/alone.py"}
    assert closure.libraries == {"numpy"}
    assert closure.start == project / "src" / "m.py"
    assert closure.unseen == ""


def test_doubt_comes_from_any_file_of_the_closure(project: Path) -> None:
    """It must hold that a file that is imported far away counts as the target's own."""
    (project / "src" / "pkg" / "deeper.py").write_text("exec('1')")
    assert "deeper.py" in closure_of("src/m.py:mean", project).unseen
    assert closure_of("src/alone.py:f", project).unseen == ""


def test_a_dotted_target_runs_its_packages(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that pkg.deep:f has the package's __init__ among its files."""
    with imports_restored(project):
        monkeypatch.syspath_prepend(str(project / "src"))
        found = names(project, closure_of("pkg.deep:f", project).present)
    assert found == {"src/pkg/__init__.py", "src/pkg/deep.py", "src/pkg/deeper.py"}


@pytest.mark.parametrize("target", ["nothing.here:f", "", "no-target"])
def test_what_has_no_file_is_a_doubt(target: str, tmp_path: Path) -> None:
    """It must hold that a target that is not found is never taken for one without imports."""
    closure = closure_of(target, tmp_path)
    assert closure.start is None
    assert closure.unseen


def test_notebooks_are_not_followed(tmp_path: Path) -> None:
    """It must hold that a notebook is its own file, and a doubt."""
    closure = closure_of("n.ipynb:f", tmp_path)
    assert names(tmp_path, closure.files) == {"n.ipynb"}
    assert closure.unseen


@pytest.mark.long
def test_registered_names_lead_to_their_modules() -> None:
    """It must hold that a mechanism of ours is followed as any other."""
    closure = closure_of("ksw.shifted-laplace", Path.cwd())
    assert closure.start is not None
    assert closure.start.name == "shifted_mean.py"
