"""The notebook of the tutorial runs, and says what the page says."""

from __future__ import annotations

import json
import runpy
import socket
from pathlib import Path
from typing import Any, NoReturn

import pytest

from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from tests.api.test_notebook import shown
from tests.docs.pages import DOCS, blocks

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOK = EXAMPLES / "first_audit.ipynb"


@pytest.mark.long
def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the bug is found and the repair is not, without a network."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(socket.socket, "connect", refuse)
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    found = [shown("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]
    _, refuted, witness, consistent, power, floats = found
    assert isinstance(refuted, AuditResult)
    assert isinstance(consistent, AuditResult)
    assert (refuted.verdict, consistent.verdict) == (Verdict.REFUTED, Verdict.CONSISTENT)
    assert witness[1:3] == ([], [1.0])
    assert 1 < power[0.5] < power[0.1] < 1.5
    assert floats == "output has bits below 2^-53"


def test_the_notebook_is_what_its_script_writes() -> None:
    """It must hold to the byte."""
    made = runpy.run_path(str(EXAMPLES / "make_first_audit.py"))["notebook"]()
    assert NOTEBOOK.read_text(encoding="utf-8") == json.dumps(made, indent=1) + "\n"


def test_page_and_notebook_have_one_mechanism() -> None:
    """It must hold of the body of the function, before the repair and after it."""
    page = [b.text for b in blocks(DOCS / "tutorial" / "first-audit.md") if b.language == "python"]
    cells = "".join("".join(c["source"]) for c in json.loads(NOTEBOOK.read_text())["cells"])
    for text in page:
        last = text.rstrip().splitlines()[-2:]
        assert all(line in cells for line in last)
    assert len(page) == 2
