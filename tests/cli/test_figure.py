"""`touchstone figure` as scripts see it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from audit.cli import main
from audit.figures.figure_registry import FIGURES


def test_figures_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that `list figures` has one line a figure, its name first."""
    assert main(["list", "figures"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(FIGURES)


@pytest.mark.long
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_figure_is_written_with_its_data(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the picture has the format of its ending, and a CSV beside it."""
    file = tmp_path / f"balls.{ending}"
    assert main(["figure", "noise-balls", "-o", str(file)]) == 0
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert file.read_bytes().startswith(start)
    assert (tmp_path / "balls.csv").read_text().startswith("space,shape,x,y\n")
    assert "balls.csv" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trilema", "-o", "x.png"], "close: trilemma"),
        (["layer", "-o", "x.gif"], ".png, .svg or .pdf, got x.gif"),
        (["layer", "-o", "nowhere/x.png"], "does not exist"),
        (["layer"], "Missing option"),
        (["layer", "-o", "x.png", "--target", "sub.threshold"], "privacy-profile or wealth-paths"),
        (["wealth-paths", "-o", "x.png", "--epsilon", "1"], "go with --target"),
        (["wealth-paths", "-o", "x.png", "--target", "no.such"], "no.such"),
    ],
)
def test_wrong_usage_is_2(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that the fault is named in one line, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert main(["figure", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_matplotlib_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that without it the command says at once how to install it, and exits with 2."""
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["figure", "layer", "-o", str(tmp_path / "x.png")]) == 2
    assert "pip install 'touchstone-dp[report]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
