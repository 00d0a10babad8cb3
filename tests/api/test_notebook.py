"""The notebook of the examples runs from its first cell to its last, without a network."""

from __future__ import annotations

import ast
import json
import socket
from pathlib import Path
from typing import Any, NoReturn

import pytest

import audit

NOTEBOOK = Path(__file__).parents[2] / "examples" / "audit_in_python.ipynb"


def shown(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; its last expression is what a notebook shows."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.long
def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that its ten cells show what they say, and open no connection."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setenv("MPLBACKEND", "agg")
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert len(cells) == 10
    assert all(cell.get("outputs", []) == [] for cell in cells)
    names: dict[str, Any] = {"__name__": "__main__"}
    found = [shown("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]
    refuted, facts, axes, consistent, statement, errors, report = found[1:]
    assert refuted.verdict is audit.Verdict.REFUTED
    assert facts[1]["epsilon"] >= 1
    assert consistent.verdict is audit.Verdict.CONSISTENT
    assert axes.get_title(loc="left") == "REFUTED: __main__:total"
    assert statement.startswith("ksw.swap-laplace with epsilon = 1")
    assert report[1] == "REFUTED"
    for result in (refuted, consistent, errors):
        assert result._repr_html_().startswith('<div class="touchstone">')
