"""The page of the API is built from `audit.__all__`.

`TOUCHSTONE_UPDATE_MESSAGES=1 pytest tests/api/test_page.py` writes it anew.
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import audit

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
HEAD = """\
# The Python API

All names of `audit`, as `help(audit.NAME)` has them; `import touchstone_dp` has the same
([names](../how-to/names.md), [how to use them](../how-to/python.md)). Public besides are
`audit.strategies`, `audit.tracing` and `audit.scripts`. `WORDS` stands for the options of
`touchstone audit`, `touchstone gate` or of the target, with underscores: `min_size=2`.

| name | what it is |
|---|---|
"""


def row(name: str) -> str:
    """A line about a name: how it is called, and its first sentence."""
    found = getattr(audit, name)
    summary = " ".join((inspect.getdoc(found) or "").partition("\n\n")[0].split())
    called = name
    if inspect.isfunction(found):
        shown = inspect.signature(found).parameters.values()
        names = [p.name for p in shown if p.kind is p.POSITIONAL_ONLY]
        words = [f"{p.name}=" for p in shown if p.kind is p.KEYWORD_ONLY]
        called = f"{name}({', '.join([*names, *(words if len(words) <= FEW else ['WORDS'])])})"
    return f"| `{called}` | {summary.replace('|', '&#124;')} |"


FEW = 6
"""More words than that are those of the command line."""


def test_the_page_is_what_the_names_say() -> None:
    """It must hold that each public name has a line, in order, and that there are no others."""
    page = HEAD + "\n".join(map(row, audit.__all__)) + "\n"
    if os.environ.get("TOUCHSTONE_UPDATE_MESSAGES"):
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page
