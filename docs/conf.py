"""The documentation site: `sphinx-build -n -W docs docs/_build/html`, without network.

Pages are the Markdown that a code host shows too. A link to a file outside of this folder becomes a
link to the source, after a look whether the file is there.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCE = f"{PROJECT['urls']['Source']}/blob/main"
OUTSIDE = re.compile(r"\]\((?:\.\./)+([^)#\s]+)((?:#[^)\s]*)?)\)")

project = "Touchstone"
author = "The Touchstone authors"
project_copyright = "The Touchstone authors, Apache-2.0"
version = release = PROJECT["version"]

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_click",
    "sphinx-mathjax-offline",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "_templates"]
templates_path = ["_templates"]
nitpicky = True
html_theme = "pydata_sphinx_theme"
html_title = "Touchstone"
html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "Touchstone"},
    "navbar_align": "left",
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc has them, in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = False


def link_to_sources(_: Any, name: str, text: list[str]) -> None:
    """Let links to files outside of the pages lead to the source."""
    page = next(
        HERE / f"{name}{end}" for end in (".md", ".rst") if (HERE / f"{name}{end}").exists()
    )

    def found(link: re.Match[str]) -> str:
        path = (page.parent / link[0][2:].rstrip(")").partition("#")[0]).resolve()
        if path.is_relative_to(HERE):
            return link[0]
        if not path.is_relative_to(ROOT) or not path.exists():
            msg = f"{page}: there is no file {link[0]}"
            raise FileNotFoundError(msg)
        return f"]({SOURCE}/{path.relative_to(ROOT).as_posix()}{link[2]})"

    text[0] = OUTSIDE.sub(found, text[0])


def print_ledger(_: Any) -> None:
    """Print the ledger, its errata and a page for each claim, before pages are looked for."""
    from ledger_pages import printed, write

    reference = HERE / "reference"
    ledger = printed(reference)
    write(ledger, reference / "generated" / "claims")


def setup(app: Any) -> None:
    """Connect what is read with what is linked."""
    app.connect("builder-inited", print_ledger)
    app.connect("source-read", link_to_sources)
