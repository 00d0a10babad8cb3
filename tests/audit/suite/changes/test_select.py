"""Which audits a change asks for, and why."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from audit.request.configuration import find_config
from audit.suite.changes import select as selecting
from audit.suite.changes.fingerprint import versions_of
from audit.suite.changes.git import NoGit, changes_since
from audit.suite.changes.last import Failures
from audit.suite.changes.select import Selection, select
from mechanisms.errors import InvalidArgument
from tests.audit.suite.changes.repository import commit, git, make_repository, write
from tests.slow import by_default
from tests.user_files import imports_restored

ONE, TWO = "src/one.py:one", "src/two.py:two"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two audits."""
    folder = tmp_path_factory.mktemp("template") / "project"
    make_repository(folder)
    return folder


@pytest.fixture
def project(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of it, as the working folder."""
    folder = tmp_path / "project"
    shutil.copytree(template, folder)
    monkeypatch.chdir(folder)
    with imports_restored(folder):
        yield folder


def chosen(folder: Path, revision: str = "HEAD", *kept: str) -> Selection:
    """What is run after a change; `kept` are files of the gate itself."""
    failures = Failures(folder.parent / "failed.json")
    files = tuple(map(Path, kept))
    return select(find_config(Path()), revision, folder, failures, kept=files)


def run(selection: Selection) -> dict[str, str]:
    """Audits that are run, and why."""
    return {choice.name: choice.why for choice in selection.choices if choice.run}


def test_nothing_is_run_where_nothing_has_changed(project: Path) -> None:
    """It must hold that all audits are left out, with a reason."""
    selection = chosen(project)
    assert run(selection) == {}
    assert [choice.name for choice in selection.left_out] == [ONE, TWO]
    assert {choice.why for choice in selection.left_out} == {"nothing that it rests on has changed"}
    assert selection.commit == git(project, "rev-parse", "HEAD")


CHANGES = {
    "src/one.py": {ONE: "src/one.py has changed"},
    "src/two.py": {TWO: "src/two.py has changed"},
    "src/shared.py": {ONE: "src/shared.py has changed, which it imports"},
    "tests/test_one.py": {},
    "README.md": {},
    "docs/LICENSE.txt": {},
    "src/__pycache__/one.cpython-311.pyc": {},
}


OUTPUTS = {
    "report.json": '{\n  "schema_version": 1,\n  "kind": "gate",\n  "configuration": "t"',
    "proof.json": '{\n  "schema_version": 1,\n  "statement": "ksw.mean keeps"',
    "wealth.json": '{\n "format": "touchstone nights 1",\n "digest": ""',
    "old-baseline.json": '{\n  "format": "touchstone baseline 1"',
    "junit.xml": '<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="touchstone" tests="1"',
    "run.saved": "touchstone saved audit 2\nabc",
    "audit.txt": "INCONCLUSIVE: m.py:f\nThe run could not tell",
    "gate.txt": "touchstone.toml: 2 audits, false-alarm rate 0.001 for the run",
    "wealth.json.lock": "",
    "report.html": "<!DOCTYPE html>",
    "report.sarif": "{}",
}


@pytest.mark.long
def test_what_the_tool_writes_asks_for_nothing(project: Path) -> None:
    """It must hold of every form, wherever it lies; other files of such names are data."""
    for name, text in OUTPUTS.items():
        write(project, f"out/{name}", text)
    assert run(chosen(project)) == {}
    for name, text in OUTPUTS.items():
        if not name.endswith(("html", "sarif")):
            write(project, f"out/{name}", "1, 2, 3")
            assert run(chosen(project)).keys() == {ONE, TWO}, name
            write(project, f"out/{name}", text)


STATES = [(name, "untracked or modified") for name in CHANGES]
STATES += [("src/shared.py", "staged"), ("src/shared.py", "committed")]


@pytest.mark.parametrize(
    ("name", "state"), by_default([STATES[0], STATES[4], *STATES[-2:]], STATES)
)
def test_only_what_rests_on_a_change_is_run(project: Path, name: str, state: str) -> None:
    """It must hold of changes in the working folder, staged ones, and committed ones."""
    before = git(project, "rev-parse", "HEAD")
    write(project, name, "# changed\n")
    if state == "staged":
        git(project, "add", "--all")
    if state == "committed":
        commit(project)
    assert run(chosen(project, before)) == CHANGES[name]


FOR_ALL = {
    "touchstone.toml": "touchstone.toml has changed, which is about all audits",
    "pyproject.toml": "pyproject.toml has changed, which is about all audits",
    "requirements-dev.txt": "requirements-dev.txt has changed, which is about all audits",
    "weights.npz": "weights.npz has changed, which a mechanism may read",
    "data/more.csv": "data/more.csv has changed, which a mechanism may read",
}


@pytest.mark.parametrize("name", FOR_ALL)
def test_in_doubt_all_are_run(project: Path, name: str) -> None:
    """It must hold that settings, and files that may be data, are about every audit."""
    text = (project / name).read_text() if (project / name).exists() else ""
    write(project, name, f"{text}\n# changed\n")
    assert run(chosen(project)) == dict.fromkeys((ONE, TWO), FOR_ALL[name])


def test_data_of_the_configuration_are_about_its_audits(project: Path) -> None:
    """It must hold that a pair file, which both audits name, is a reason for both."""
    write(project, "pair.json", '{"data": [], "neighbor": [0.5]}')
    assert run(chosen(project)) == dict.fromkeys((ONE, TWO), "pair.json, its data, has changed")


@pytest.mark.long
def test_files_of_the_gate_itself_are_no_data(project: Path) -> None:
    """It must hold that carried wealth is about no audit, and the baseline about all."""
    write(project, "nights.json", "{}")
    assert run(chosen(project, "HEAD", "nights.json")) == {}
    path = project / "touchstone.toml"
    path.write_text('baseline = "b.json"\n' + path.read_text())
    before = commit(project)
    write(project, "b.json", "{}")
    why = "b.json has changed, which is about all audits"
    assert run(chosen(project, before)) == dict.fromkeys((ONE, TWO), why)


def test_a_module_that_is_gone_was_imported(project: Path) -> None:
    """It must hold that a deleted module counts, where an import would look for it."""
    write(project, "src/two.py", "try:\n    import fast\nexcept ImportError:\n    fast = None\n")
    write(project, "src/fast.py", "")
    before = commit(project)
    (project / "src" / "fast.py").unlink()
    assert run(chosen(project, before)) == {TWO: "src/fast.py has changed, which it imports"}


def test_a_renamed_module_counts_under_both_names(project: Path) -> None:
    """It must hold that git's detection of renames hides nothing."""
    git(project, "mv", "src/shared.py", "src/common.py")
    assert ONE in run(chosen(project))


def test_a_new_module_may_come_before_an_installed_one(project: Path) -> None:
    """It must hold that a file that takes the place of a library is seen."""
    write(project, "src/two.py", "import json\n")
    before = commit(project)
    write(project, "src/json.py", "")
    assert run(chosen(project, before)) == {TWO: "src/json.py has changed, which it imports"}


@pytest.mark.long
def test_code_that_is_run_by_name_is_a_doubt(project: Path) -> None:
    """It must hold that such a target is run once any code has changed, and not for prose."""
    write(project, "src/two.py", "import importlib\nx = importlib.import_module\n")
    before = commit(project)
    write(project, "README.md", "more\n")
    assert run(chosen(project, before)) == {}
    write(project, "plugins/p.py", "")
    why = "two.py runs code that it does not name, by import_module (line 2), and plugins/p.py has "
    assert run(chosen(project, before)) == {TWO: f"{why}changed"}


def test_what_was_imported_unseen_is_about_all(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a loaded module that no closure has makes a change of it a doubt."""
    hidden = write(project, "hidden.py", "")
    before = commit(project)
    hidden.write_text("# changed\n")
    assert run(chosen(project, before)) == {}
    monkeypatch.setattr(selecting, "loaded_files", lambda: frozenset({hidden.resolve()}))
    why = "hidden.py has changed, which was imported in a way that the sources do not show"
    assert run(chosen(project, before)) == dict.fromkeys((ONE, TWO), why)


def test_what_git_does_not_look_at_is_a_doubt(project: Path) -> None:
    """It must hold that a module that git ignores has its audits run every time."""
    write(project, ".gitignore", "src/shared.py\n")
    git(project, "rm", "--cached", "--quiet", "src/shared.py")
    before = commit(project)
    why = "src/shared.py is not under git, so a change would not be seen"
    assert run(chosen(project, before)) == {ONE: why}


def test_data_that_git_does_not_look_at_are_a_doubt(project: Path) -> None:
    """It must hold that a pair file that git ignores has its audits run every time."""
    write(project, ".gitignore", "pair.json\n")
    git(project, "rm", "--cached", "--quiet", "pair.json")
    why = "pair.json is not under git, so a change would not be seen"
    assert run(chosen(project, commit(project))) == dict.fromkeys((ONE, TWO), why)


@pytest.mark.long
def test_what_failed_last_is_run_again(project: Path) -> None:
    """It must hold that it is run until it passes, and that a record of others is kept."""
    failures = Failures(project.parent / "failed.json")
    failures.write([ONE, TWO], [TWO])
    assert run(chosen(project)) == {TWO: "it did not pass when it was last run"}
    failures.write([ONE], [])
    assert failures.read() == frozenset({TWO})
    failures.write([TWO], [])
    assert run(chosen(project)) == {}


@pytest.mark.long
def test_other_versions_are_a_change(project: Path) -> None:
    """It must hold that an audit that last ran with another Touchstone is run, and no other."""
    failures = Failures(project.parent / "failed.json")
    failures.write([ONE, TWO], [], versions_of())
    assert run(chosen(project)) == {}
    failures.write([TWO], [], versions_of().replace("touchstone-dp ", "touchstone-dp 0.0."))
    why = f"it was last run with touchstone-dp 0.0.{version('touchstone-dp')}"
    assert run(chosen(project)) == {TWO: why}
    failures.write([TWO], [], versions_of())
    assert run(chosen(project)) == {}


@pytest.mark.parametrize("text", ["", "[]", '{"failed": 3}', "no json"])
def test_an_illegible_record_is_none(tmp_path: Path, text: str) -> None:
    """It must hold that a damaged record of failures stops no run."""
    path = tmp_path / "failed.json"
    path.write_text(text)
    failures = Failures(path)
    assert failures.read() is None
    assert failures.versions() == {}
    failures.write(["a"], ["a"])
    assert failures.read() == frozenset({"a"})


@pytest.mark.long
def test_commands_cannot_be_followed(project: Path) -> None:
    """It must hold that an external command is run once any code has changed."""
    audit = '\n[[audit]]\ncommand = ["./release"]\nepsilon = 1\nrelation = "listed"\n'
    path = project / "touchstone.toml"
    path.write_text(path.read_text() + audit + 'pair = "pair.json"\n')
    before = commit(project)
    assert run(chosen(project, before)) == {}
    write(project, "elsewhere.py", "")
    why = "a command cannot be followed, and elsewhere.py has changed"
    assert run(chosen(project, before)) == {"./release": why}


@pytest.mark.parametrize("revision", ["nonsense", "", "--all", "HEAD~7", "HEAD:README.md"])
def test_an_unknown_revision_is_an_error(project: Path, revision: str) -> None:
    """It must hold that nothing is run for a commit that git does not know."""
    with pytest.raises(InvalidArgument, match="--changed-since: git knows no commit"):
        chosen(project, revision)


def test_without_git_all_are_run(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a missing git, and a folder in no repository, leave nothing out."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.parent.parent))
    with pytest.raises(NoGit, match="git says: fatal: not a git repository"):
        changes_since("HEAD", project.parent)
    monkeypatch.setenv("PATH", str(project))
    selection = chosen(project)
    assert selection.commit is None
    assert set(run(selection).values()) == {"git cannot be run (No such file or directory)"}
    assert len(run(selection)) == 2
