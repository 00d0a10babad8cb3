"""What the wheel is tested with: the long tests, and those that depend on where they run."""

from __future__ import annotations

import ast
import importlib.util
import tomllib
import zipfile
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
OURS = {"audit", "mechanisms", "proofs_check", "touchstone_dp", "_touchstone_pytest"}
BY_PLACE: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["wheel"]["tests"]


def depends_on_place(tree: ast.AST) -> bool:
    """Whether a file of tests finds a file beside a package, or starts a process."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [name.name for name in names]
            case ast.ImportFrom(module=str(module), names=names):
                modules = [module, *(f"{module}.{name.name}" for name in names)]
            case ast.Attribute(value=ast.Name(id=name), attr="__file__") if name in OURS:
                return True
            case _:
                continue
        if any(module.startswith(("subprocess", "importlib.resources")) for module in modules):
            return True
    return False


def is_listed(path: Path) -> bool:
    """Whether the wheel's run has a file, by its name or by its folder."""
    name = path.relative_to(ROOT).as_posix()
    return any(name == one or name.startswith(f"{one}/") for one in BY_PLACE)


def test_tests_that_depend_on_where_they_run_are_run_beside_the_wheel() -> None:
    """It must hold that a test that finds a package's file, or starts a process, is listed.

    And that what is listed is there. Every other test reads the same bytes by the same libraries.
    """
    assert [name for name in BY_PLACE if not (ROOT / name).exists()] == []
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.rglob("test_*.py")}
    assert [
        path.relative_to(ROOT).as_posix()
        for path, tree in sorted(trees.items())
        if depends_on_place(tree) and not is_listed(path)
    ] == []


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("import subprocess", True),
        ("from subprocess import run", True),
        ("from importlib import resources", True),
        ("import importlib.resources", True),
        ("import audit\nx = audit.__file__", True),
        ("x = __file__", False),
        ("import audit\nfrom importlib import metadata", False),
    ],
)
def test_reading_sees_what_depends_on_place(text: str, does: bool) -> None:
    """It must hold that each way to depend on the place is seen, and nothing else."""
    assert depends_on_place(ast.parse(text)) is does


def test_wheel_check_compares_bytes(tmp_path: Path) -> None:
    """It must hold that one changed byte, one file more or one file less is told by name."""
    spec = importlib.util.spec_from_file_location("check_wheel", ROOT / ".ci" / "check_wheel.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    listed = {"audit/a.py": b"1", "touchstone_dp.py": b"2"}
    for name, data in listed.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    wheel = tmp_path / "x.whl"
    for held, wrong in (
        (listed, []),
        (listed | {"audit/a.py": b"3"}, ["audit/a.py"]),
        (listed | {"audit/b.py": b""}, ["audit/b.py"]),
        ({"audit/a.py": b"1"}, ["touchstone_dp.py"]),
    ):
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, data in held.items():
                archive.writestr(name, data)
        assert module.differences(wheel, tmp_path, sorted(listed)) == wrong
