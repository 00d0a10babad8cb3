"""The Python of the how-to pages runs as it is printed."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[2] / "docs" / "how-to").glob("*.md"))
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_there_are_pages() -> None:
    """It must hold that the check below reads something."""
    assert any(BLOCK.search(page.read_text()) for page in PAGES)


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that each page's blocks, one after the other, end without an error."""
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCK.findall(page.read_text())))
    monkeypatch.chdir(tmp_path)
    assert runpy.run_path(str(script), run_name="__main__")["__name__"] == "__main__"
