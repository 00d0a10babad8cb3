"""Which audits a change asks for: those that rest on what has changed, and those that failed last.

Those that were last run with another version of Python, of ours, of NumPy or of SciPy are run too.
In doubt an audit is run: where code is imported by a name that is made at run time, where a file
may be read as data, where the settings of the project have changed, where git cannot say.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import final

from audit.pairs.pair_files import COUNTEREXAMPLE, STATSMODELS
from audit.request.configuration import Config
from audit.request.configured_audits import Entry
from audit.suite.changes.closure import Closure, closure_of, is_installed, loaded_files, real
from audit.suite.changes.fingerprint import versions_of
from audit.suite.changes.git import Changes, NoGit, changes_since
from audit.suite.changes.last import Failures
from audit.suite.changes.outputs import is_output

__all__ = ["AuditChoice", "Selection", "select"]

SETTINGS = (
    *("pyproject.toml", "touchstone.toml", "setup.py", "setup.cfg", "tox.ini", "environment.yml"),
    *("conda.yml", "Pipfile", "Pipfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "pixi.lock"),
    *(".python-version", "sitecustomize.py", "usercustomize.py"),
)
"""Files that say what is installed, or how code runs."""

REQUIREMENTS = ("requirements", "constraints")
"""Beginnings of the names of such files."""

PROSE = frozenset(
    {
        *(".md", ".rst", ".adoc", ".tex", ".bib", ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".svg"),
        *(".webp", ".ico", ".css", ".html", ".sarif", ".pyi", ".typed"),
    }
)
"""Ends of the names of files that no mechanism reads."""

PEOPLES = ("license", "licence", "copying", "notice", "authors", "codeowners", ".gitignore")
"""Other files that are no data, whatever comes after a dot."""

BY_PRODUCTS = frozenset(
    {"__pycache__", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".git"}
)
"""Folders of what tools leave behind."""

OUR_PACKAGES = ("audit", "mechanisms", "proofs_check")


@final
@dataclass(frozen=True, slots=True)
class AuditChoice:
    """Whether an audit is run, and why."""

    name: str
    run: bool
    why: str
    """In a sentence without an end."""


@final
@dataclass(frozen=True, slots=True)
class Selection:
    """What `--changed-since` chose."""

    revision: str
    """As it was asked for."""
    commit: str | None
    """Its full name; None where git could not be asked."""
    choices: tuple[AuditChoice, ...] = field(metadata={"key": "audits"})
    """In the order of the configuration."""

    @property
    def left_out(self) -> tuple[AuditChoice, ...]:
        """What is not run."""
        return tuple(choice for choice in self.choices if not choice.run)


def select(
    config: Config,
    revision: str,
    folder: Path,
    failures: Failures,
    *,
    kept: Collection[Path] = (),
) -> Selection:
    """Choose among the audits of a configuration.

    `config`: its targets have been imported: what that loaded is looked at as well. `revision`:
    anything that names a commit. `folder`: the working folder. `failures`: what failed last.
    `kept`: files that gates write themselves, and no mechanism reads. Raises InvalidArgument if git
    knows no such commit.
    """
    try:
        changes = changes_since(revision, folder)
    except NoGit as exc:
        choices = (AuditChoice(entry.name, True, str(exc)) for entry in config.entries)
        return Selection(revision, None, tuple(choices))
    places = ["" if e.request.command else e.request.target for e in config.entries]
    closures = [closure_of(place, folder) for place in places]
    followed = {real(path) for closure in closures for path in closure.files}
    followed |= {real(folder / name) for entry in config.entries for name in _data_files(entry)}
    followed |= {real(folder / path) for path in (*kept, *map(Path, config.tables))}
    about_all = [Path(config.name), *([] if config.baseline is None else [Path(config.baseline)])]
    looked_at = frozenset(real(folder / path) for path in about_all)
    read = {*followed, *looked_at}  # of others, what the tool itself has written is no change
    files = (path for path in changes.files if real(path) in read or not is_output(path))
    changes = replace(changes, files=frozenset(files))
    for_all = _for_all(changes, followed, looked_at)
    failed = failures.read() or frozenset()
    before, now = failures.versions(), versions_of()
    past = {key: _other_versions(before.get(key, ""), now) for key in before}
    past |= dict.fromkeys(failed, "it did not pass when it was last run")
    choices = (
        _choice(entry, closure, changes, for_all, past, folder)
        for entry, closure in zip(config.entries, closures, strict=True)
    )
    return Selection(revision, changes.commit, tuple(choices))


def _choice(
    entry: Entry,
    closure: Closure,
    changes: Changes,
    for_all: str,
    past: Mapping[str, str],
    folder: Path,
) -> AuditChoice:
    found = {real(path): path for path in changes.files}
    data = {real(folder / name) for name in _data_files(entry)}
    own = {real(path) for path in closure.files} | data
    reasons = (
        for_all,
        _changed(sorted(own & found.keys()), closure, changes.top),
        _unknown([*closure.present, *sorted(data)], changes),
        _doubtful(closure, changes, entry),
        past.get(entry.key, ""),
    )
    why = next(filter(None, reasons), "")
    if why:
        return AuditChoice(entry.name, True, why)
    return AuditChoice(entry.name, False, "nothing that it rests on has changed")


def _other_versions(before: str, now: str) -> str:
    """Say that an audit was last run with other versions; empty if it was not."""
    known = before.split(", ") if before else []
    gone = [words for words in known if words not in now.split(", ")]
    return f"it was last run with {', '.join(gone)}" if gone else ""


def _for_all(changes: Changes, followed: Collection[Path], about_all: Collection[Path]) -> str:
    """Why every audit is run; empty if that depends on it."""
    loaded = loaded_files().difference(followed)
    for path in sorted(changes.files):
        name = _seen(path, changes.top)
        if real(path) in about_all or _is_settings(path):
            return f"{name} has changed, which is about all audits"
        if path.suffix != ".py" and not _is_prose(path):
            if real(path) not in followed:
                return f"{name} has changed, which a mechanism may read"
        elif real(path) in loaded:
            return f"{name} has changed, which was imported in a way that the sources do not show"
    return ""


def _is_settings(path: Path) -> bool:
    name = path.name.lower()
    return path.name in SETTINGS or (
        name.startswith(REQUIREMENTS) and path.suffix in {".txt", ".in", ".lock"}
    )


def _is_prose(path: Path) -> bool:
    if not BY_PRODUCTS.isdisjoint(path.parts) or is_installed(path):
        return True
    return (
        path.suffix.lower() in PROSE
        or path.name.lower().partition(".")[0] in PEOPLES
        or (path.name.lower() in PEOPLES)
    )


def _changed(found: Sequence[Path], closure: Closure, top: Path) -> str:
    if not found:
        return ""
    first = closure.start if closure.start in found else found[0]
    assert first is not None
    name = _seen(first, top)
    if first == closure.start:
        return f"{name} has changed"
    if first.suffix != ".py":
        return f"{name}, its data, has changed"
    return f"{name} has changed, which it imports"


def _unknown(files: Sequence[Path], changes: Changes) -> str:
    """A file that runs, or is read, and that git does not look at."""
    known = {real(path) for path in changes.known}
    for path in files:
        if real(path) not in known and not _is_ours(path):
            return f"{_seen(path, changes.top)} is not under git, so a change would not be seen"
    return ""


def _is_ours(path: Path) -> bool:
    home = Path(__file__).resolve().parents[3]
    return path.is_relative_to(home) and path.relative_to(home).parts[0] in OUR_PACKAGES


def _doubtful(closure: Closure, changes: Changes, entry: Entry) -> str:
    """A target that cannot be followed, once any code has changed."""
    code = sorted(path for path in changes.files if not _is_prose(path))
    if not code:
        return ""
    unseen = closure.unseen
    if entry.request.command:
        unseen = "a command cannot be followed"
    return f"{unseen}, and {_seen(code[0], changes.top)} has changed" if unseen else ""


def _data_files(entry: Entry) -> list[str]:
    request = entry.request
    if request.account is not None and not request.account.is_object:
        return [request.target]
    named = [one for one in (request.data, request.schema, *request.pair) if isinstance(one, str)]
    return [name for name in named if name != COUNTEREXAMPLE and not name.startswith(STATSMODELS)]


def _seen(path: Path, top: Path) -> str:
    top = real(top)
    return str(path.relative_to(top)) if path.is_relative_to(top) else str(path)
