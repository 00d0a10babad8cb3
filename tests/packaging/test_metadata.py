"""What is published beside the code: metadata, pages, licenses, lock file, release."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

import audit
from audit.documents.phrases import GUARANTEES

ROOT = Path(__file__).parents[2]
SOURCES = Path(audit.__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text())
RELEASE: dict[str, Any] = yaml.safe_load((ROOT / ".ci" / "release.yml").read_text())
PAGES = ("SECURITY.md", "GOVERNANCE.md", "REPRODUCING.md", "DEPENDENCIES.md")

PLACEHOLDER = re.compile(r"\bOWNER\b")
OWNERS = {
    "pyproject.toml": 6,
    "CITATION.cff": 2,
    "SECURITY.md": 1,
    "docs/how-to/ci.md": 1,
}
"""Places where the name of who will publish it is missing."""

UNPINNED = {
    "actions/checkout@v4",
    "actions/attest-build-provenance@v2",
    "actions/download-artifact@v4",
    "pypa/gh-action-pypi-publish@release/v1",
}
"""Of the release, what must be pinned to a commit before it is switched on."""

MAY = re.compile(
    r"MIT|BSD|0BSD|Apache(?:-2\.0| License 2\.0| 2\.0)?\b|MPL-2\.0|LGPL-3\.0|Zlib|CC0-1\.0|"
    r"Python Software"
)
"""Licenses under which libraries may be used beside code under Apache-2.0."""


def script(name: str) -> ModuleType:
    """A script of `.ci` as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_placeholders_are_listed() -> None:
    """It must hold that each place is known in which who will publish it is to be filled in."""
    files = [*ROOT.glob("*.md"), *ROOT.glob("*.toml"), *ROOT.glob("*.cff"), ROOT / "action.yml"]
    files += [*ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/*.py"), *ROOT.glob(".ci/*.yml")]
    counts = {
        p.relative_to(ROOT).as_posix(): len(PLACEHOLDER.findall(p.read_text())) for p in files
    }
    assert {name: count for name, count in counts.items() if count} == OWNERS


def test_metadata_are_complete() -> None:
    """It must hold of links, keywords and the versions of Python that are tested."""
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} <= set(PROJECT["urls"])
    assert len(PROJECT["keywords"]) >= 5
    minors = {c.rpartition(" :: ")[2] for c in PROJECT["classifiers"] if "Python :: 3." in c}
    assert minors == set(RELEASE["jobs"]["test"]["strategy"]["matrix"]["python"])
    assert f">={min(minors, key=lambda v: int(v[2:]))}" == PROJECT["requires-python"]
    assert PROJECT["license"] == "Apache-2.0" == CITATION["license"]


def test_the_citation_is_of_this_version() -> None:
    """It must hold of version and links, with the keys that the format asks for."""
    assert CITATION["version"] == PROJECT["version"]
    assert {"cff-version", "message", "title", "authors"} <= CITATION.keys()
    assert CITATION["repository-code"] == PROJECT["urls"]["Source"]
    assert CITATION["url"] == PROJECT["urls"]["Documentation"]


def place_of(link: str) -> Path:
    """Where a file of the project is; of a package, where it is installed."""
    return (SOURCES if link.startswith("audit/") else ROOT) / link


@pytest.mark.parametrize("page", PAGES)
def test_links_of_the_pages_lead_somewhere(page: str) -> None:
    """It must hold of each link to a file, and of each file that is named in code."""
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    links += re.findall(r"`((?:docs|audit|tests|benchmarks|\.ci)/[\w./-]+\.\w+)`", text)
    assert [link for link in links if not place_of(link).exists()] == []


def test_the_governed_sentences_are_those_of_the_code() -> None:
    """It must hold that the page names the module that has them."""
    named = re.findall(r"`(audit/[\w/]+\.py)`", (ROOT / "GOVERNANCE.md").read_text())
    assert [GUARANTEES["proved"] in place_of(name).read_text() for name in named] == [True]


def test_dependencies_are_listed_with_their_licenses() -> None:
    """It must hold of each direct one, and none has a license that is not looked at yet."""
    rows = (ROOT / "DEPENDENCIES.md").read_text().splitlines()
    cells = [row.strip("| ").split(" | ") for row in rows if row.startswith("| ")][1:]
    needed = {row[0]: row[2] for row in cells}
    assert needed == script("licenses").direct()
    for name, _, _, license_, why in cells:
        for part in license_.split(" AND "):
            assert MAY.search(part), name
        assert why


def test_upper_bounds_have_a_reason() -> None:
    """It must hold that only what is known to break has one: diffprivlib and scikit-learn 1.8."""
    words = [*PROJECT["dependencies"]]
    words += [w for extra in PROJECT["optional-dependencies"].values() for w in extra]
    assert [word for word in words if "<" in word] == ["scikit-learn<1.8"]


def test_the_lock_has_a_hash_for_all_that_development_needs() -> None:
    """It must hold of each direct dependency of `dev`, at a version that is allowed."""
    text = (ROOT / "requirements-dev.lock").read_text()
    entries = text.replace(" \\\n", " ").splitlines()[1:]
    assert all(re.fullmatch(r"[\w.-]+==\S+( +--hash=sha256:[0-9a-f]{64})+", e) for e in entries)
    locked = {entry.partition("==")[0].lower().replace("_", "-") for entry in entries}
    extras = PROJECT["optional-dependencies"]
    name_of = script("licenses").name_of
    needed = {name_of(w) for e in extras if e not in ("docs", "accountants") for w in [*extras[e]]}
    needed |= {name_of(w) for w in PROJECT["dependencies"]}
    assert needed - {"touchstone-dp"} <= locked


def test_a_lock_without_files_is_this_project() -> None:
    """It must hold that hashes of all files of a package stand below it."""
    made = script("lock").lock_of(
        [
            {"name": "a", "version": "1", "wheels": [{"hashes": {"sha256": "00"}}] * 2},
            {"name": "b", "version": "2", "sdist": {"hashes": {"sha256": "11"}}},
            {"name": "touchstone-dp"},
        ]
    )
    assert made.count("--hash=sha256:00") == 2
    assert made.splitlines()[-2:] == ["b==2 \\", "    --hash=sha256:11"]


def test_the_release_has_few_rights() -> None:
    """It must hold that only what builds and uploads gets a token, and what is used is known."""
    jobs = RELEASE["jobs"]
    assert RELEASE["permissions"] == {"contents": "read"}
    tokens = [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})]
    assert tokens == ["build", "publish"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert (jobs["build"]["needs"], jobs["publish"]["needs"]) == ("test", "build")
    used = {step["uses"] for job in jobs.values() for step in job["steps"] if "uses" in step}
    loose = {name for name in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name)}
    assert loose == UNPINNED
    assert not (ROOT / ".github" / "workflows" / "release.yml").exists()


def test_a_release_waits_for_the_authors_of_what_the_board_is_about() -> None:
    """It must hold that nothing is built before the command of SECURITY.md ended with 0."""
    jobs = RELEASE["jobs"]
    steps = [step.get("run") for step in jobs["test"]["steps"]]
    assert "python -m bugs.disclosure" in steps
    assert not any("continue-on-error" in step for step in jobs["test"]["steps"])
    assert "if" not in jobs["build"]


def test_reproducing_names_known_commands() -> None:
    """It must hold of stages of CI and of modules."""
    text = (ROOT / "REPRODUCING.md").read_text()
    stages = set(re.findall(r"^stage_(\w+)", (ROOT / ".ci" / "run").read_text(), re.MULTILINE))
    for words in re.findall(r"`\.ci/run ([^`]+)`", text):
        assert set(words.split()) <= stages
    for module in re.findall(r"python -m ([\w.]+)", text):
        if module != "venv":
            assert importlib.util.find_spec(module) is not None


@pytest.mark.parametrize("name", PAGES)
def test_pages_go_with_the_sources(name: str) -> None:
    """It must hold that a source distribution holds them."""
    included = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = included["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert "/*.md" in patterns
    assert (ROOT / name).exists()
